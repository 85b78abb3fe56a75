/* 647: footprints against the trace, over pages and modules and element by element. Closed form: TID_DEP relations of
 * kernels without divergence are exact, on every machine of modules and with every split of the CTAs. And what is
 * inexact, by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "plan/accuracy.h"
#include "plan/elements.h"
#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ON(name)  (&(struct plan_rig_wish){.machine = (name)})
static const char *const machines[] = {"ndp4", "mcm4", "multichip8", "exascale25"};
enum { N_MACHINES = sizeof machines / sizeof machines[0], MAX_BUFFERS = 32 };

static struct plan_accuracy accuracy(struct plan_rig *r, const char *plan, struct plan_touched by[MAX_BUFFERS])
{
	struct plan p = plan_rig_plan(r, plan);
	struct plan_accuracy a = {0};
	struct err e = {""};

	cr_assert_leq(p.n_buffers, MAX_BUFFERS);
	cr_assert_eq(plan_touched(&p, &r->req, by, &e), 0, "%s", e.text);
	for (uint32_t b = 0; b < p.n_buffers; b++)
		plan_accuracy_add(&a, &by[b], r->topology.n_modules);
	return a;
}

static void expect_exact(const char *machine, const char *workload, const char *plan, const char *const *args)
{
	struct plan_touched by[MAX_BUFFERS];
	struct plan_accuracy a;
	struct plan_rig r;

	plan_rig_machine(&r, ON(machine), workload, args);
	a = accuracy(&r, plan, by);
	cr_expect_eq(a.false_pos, 0, "%s on %s, %s", workload, machine, plan);
	cr_expect_eq(a.false_neg, 0, "%s on %s, %s", workload, machine, plan);
	cr_expect_gt(a.true_pos, 0);
	cr_expect_eq(a.true_pos + a.true_neg, a.pages * r.topology.n_modules);
	cr_expect_eq(plan_accuracy_share(&a), 1);
	plan_rig_free(&r);
}

Test(accuracy, of_thread_relations_without_divergence_is_exact)
{
	for (unsigned m = 0; m < N_MACHINES; m++) {
		expect_exact(machines[m], "vectoradd", "tafe", ARGS("n=100000"));
		expect_exact(machines[m], "matmul", "tafe", ARGS("n=208"));
		expect_exact(machines[m], "matmul", "affinity+tafe-pages", ARGS("n=208"));
		expect_exact(machines[m], "backprop", "tafe", NULL);
		expect_exact(machines[m], "nn", "tafe", NULL);
	}
}

static void expect_same_elements(const char *workload, const char *const *args)
{
	struct plan_elements estimated[TAF_ARRAYS] = {0}, real[TAF_ARRAYS] = {0};
	struct plan_element_request all = {0};
	struct plan_rig r;
	struct err e = {""};

	plan_rig_machine(&r, ON("multichip8"), workload, args);
	all.n = r.req.taf->n_ctas;
	cr_assert_eq(plan_elements_real(&r.req, &all, real, &e), 0, "%s", e.text);
	plan_elements_estimated(&r.req, &all, estimated);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		if (!taf_is_first_entry(r.req.taf, i))
			continue;
		for (uint32_t k = 0; k < all.n; k++) {
			uint64_t n = taf_footprint_elements(&real[i].cta[k]);

			cr_expect_gt(n, 0);
			cr_expect_eq(n, taf_footprint_elements(&estimated[i].cta[k]), "%s: %s, CTA %u", workload,
				     r.req.taf->array[i].name, k);
			cr_expect_eq(n, taf_footprint_common(&estimated[i].cta[k], &real[i].cta[k]));
		}
		cr_expect_eq(taf_footprint_elements(&real[i].all), taf_footprint_elements(&estimated[i].all));
	}
	plan_elements_free(estimated, &all);
	plan_elements_free(real, &all);
	plan_rig_free(&r);
}

Test(accuracy, of_thread_relations_without_divergence_is_exact_element_by_element)
{
	expect_same_elements("vectoradd", ARGS("n=5000"));
	expect_same_elements("matmul", ARGS("n=112"));
	expect_same_elements("nn", NULL);
}

/* Pairs of multichip8, by hand: 16384 floats in 16 pages, 64 CTAs of 256, one an SM: 4 CTAs a page, 8 CTAs a module:
 * two pages. */
Test(accuracy, counts_pairs_of_pages_and_modules)
{
	struct plan_touched by[MAX_BUFFERS];
	struct plan_accuracy a;
	struct plan_rig r;

	plan_rig_machine(&r, ON("multichip8"), "vectoradd", ARGS("n=16384"));
	a = accuracy(&r, "tafe", by);
	cr_expect_eq(a.pages, 3 * 16);
	cr_expect_eq(a.true_pos, 3 * 16);
	cr_expect_eq(a.true_neg, 3 * 16 * 7);
	for (uint32_t i = 0; i < 16; i++)
		cr_expect_eq(by[0].real[i], UINT64_C(1) << i / 2);
	cr_expect_str_eq(by[0].patterns, "TID_DEP");
	cr_expect_not(by[0].data);
	plan_rig_free(&r);
}

/* The annotation of another program: half of a's elements only, and all of b by every CTA. Pages 8 to 15 of a are
 * touched and not estimated, one module each; all of b's pairs but one a page are estimated and not touched; c is not
 * registered. */
Test(accuracy, counts_what_a_wrong_annotation_misses_and_invents)
{
	struct plan_touched by[MAX_BUFFERS];
	struct plan_accuracy a = {0}, b = {0};
	struct taf t = {0};
	struct taf_array half = {.size = 4, .m = {1, 0, 0, 256}, .name = "a"},
			 whole = {.size = 4, .m = {0}, .ofs = 1, .n = 16384, .name = "b"};
	struct err e = {""};
	struct plan_rig r;

	plan_rig_machine(&r, ON("multichip8"), "vectoradd", ARGS("n=16384"));
	half.base = trace_buffer(r.req.trace, 0)->base;
	half.limit = half.base + 4 * 8192;
	whole.base = trace_buffer(r.req.trace, 1)->base;
	whole.limit = whole.base + 4 * 16384;
	cr_assert_eq(taf_setup(&t, (uint32_t[]){256, 1, 1}, trace_launch(r.req.trace, 0)->grid, &e) ||
			     taf_register(&t, &half, 0, 0, &e) || taf_register(&t, &whole, 0, 0, &e) ||
			     taf_ready(&t, half.base, "a", &e) || taf_ready(&t, whole.base, "b", &e),
		     0, "%s", e.text);
	r.req.taf = &t;
	accuracy(&r, "tafe", by);
	plan_accuracy_add(&a, &by[0], 8);
	plan_accuracy_add(&b, &by[1], 8);
	cr_expect(a.pages == 16 && a.true_pos == 8 && a.false_neg == 8 && a.false_pos == 0 && a.true_neg == 16 * 7);
	cr_expect(b.pages == 16 && b.true_pos == 16 && b.false_neg == 0 && b.false_pos == 16 * 7 && b.true_neg == 0);
	cr_expect_float_eq(plan_accuracy_share(&a), 120.0 / 128, 1e-12);
	cr_expect_null(by[2].patterns);
	plan_accuracy_add(&a, &by[2], 8);
	cr_expect_eq(a.pages, 16, "c adds nothing");
	plan_rig_free(&r);
	taf_free(&t);
}

static struct plan_accuracy with_tables(const char *plan)
{
	struct plan_touched by[MAX_BUFFERS];
	struct plan_accuracy a;
	struct plan_rig r;

	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "exascale25", .plan = plan}, "spmv", ARGS("graph=copter2"));
	a = accuracy(&r, plan, by);
	plan_rig_free(&r);
	return a;
}

/* An extent is the hull of the values: more of them leave something out, those of several CTAs put something in.
 * Neither loses a value. */
Test(accuracy, more_extents_invent_less_and_miss_nothing)
{
	struct plan_accuracy one = with_tables("tafe"), other;

	cr_expect_gt(one.false_pos, 0);
	other = with_tables("tafe,extents=8");
	cr_expect_lt(other.false_pos, one.false_pos);
	cr_expect_eq(other.false_neg, one.false_neg);
	other = with_tables("tafe,per=16");
	cr_expect_gt(other.false_pos, one.false_pos);
	cr_expect_eq(other.false_neg, one.false_neg);
	other = with_tables("tafe,per=module");
	cr_expect_geq(other.false_pos, one.false_pos);
	cr_expect_eq(other.false_neg, one.false_neg);
}

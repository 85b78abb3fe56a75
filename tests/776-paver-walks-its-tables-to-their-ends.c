/* 776: PAVER agrees with its golden twin, and issues each CTA exactly once, when its tables are as long as its pointers
 * can tell: 2^PTR_W - 1 groups, a group of as many CTAs of which the SMs steal, groups on both sides of each power of
 * two. SMs are a power of two, and more than a 5-bit number can tell.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "hw/twins/paver.h"
#include "lockstep/cosim.h"
#include "support/paver_bench.h"
#include "support/program.h"

struct bench {
	struct cosim *c;
	struct paver_bench b;
};

static void bench_open(struct bench *x, const struct paver_params *p)
{
	struct cosim_options o;
	struct hw_binder binder;
	struct paver_port port;
	struct err e = {""};

	cosim_options_init(&o, UNIT_LOCKSTEP);
	o.bundle_prefix = program_tmp();
	x->c = cosim_new(&o);
	binder = cosim_binder(x->c);
	cr_assert_eq(paver_bind(&binder, "dispatch", p, &port, &e), 0, "%s", e.text);
	paver_bench_init(&x->b, port, p->sms);
	x->b.contexts = 8;
	x->b.run_min = 1;
}

static void bench_finish(struct bench *x)
{
	struct err e = {""};

	cr_assert_eq(cosim_finish(x->c, &e), 0, "%s", e.text);
	cr_assert_eq(cosim_mismatches(x->c, &paver_block), 0);
	cosim_free(x->c);
	paver_bench_free(&x->b);
}

/* Groups that end one below, at and one above each power of two, and the last at the largest pointer. */
static uint32_t around_powers(uint32_t ptr_w, uint32_t *size)
{
	uint32_t n = 0, at = 0;

	for (uint32_t bit = 2; bit < ptr_w; bit++)
		for (uint32_t end = (1u << bit) - 1; end <= (1u << bit) + 1; end++) {
			size[n++] = end - at;
			at = end;
		}
	size[n++] = (1u << ptr_w) - 1 - at;
	return n;
}

static void walks_to_the_ends(const struct paver_params *p)
{
	uint32_t most = (1u << p->ptr_w) - 1, *size = calloc(most, sizeof *size), groups;
	struct paver_launch *l = calloc(1, sizeof *l);
	struct bench x;

	cr_assert(size && l);
	bench_open(&x, p);
	groups = around_powers(p->ptr_w, size);
	paver_launch_make(l, groups, size, false);
	paver_bench_run(&x.b, l);
	paver_launch_make(l, 1, &most, true);
	paver_bench_run(&x.b, l);
	cr_assert_gt(x.b.steals, p->sms, "%u SMs", p->sms);
	for (uint32_t g = 0; g < most; g++)
		size[g] = 1;
	paver_launch_make(l, most, size, true);
	paver_bench_run(&x.b, l);
	bench_finish(&x);
	free(size);
	free(l);
}

Test(paver_ends, sixteen_sms_and_pointers_of_13_bits)
{
	walks_to_the_ends(&(struct paver_params){.sms = 16, .ptr_w = 13, .tb_w = 16});
}

Test(paver_ends, forty_sms_and_pointers_of_16_bits)
{
	walks_to_the_ends(&(struct paver_params){.sms = 40, .ptr_w = 16, .tb_w = 16});
}

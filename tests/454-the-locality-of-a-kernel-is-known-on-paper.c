/* 454: kernels of a few loads, whose locality at L1 and L2 is counted by hand: each class alone, whatever the order of
 * warps; lines that an L1 loses; accessors that reach the L2 past an L1. */
#include <criterion/criterion.h>
#include <string.h>

#include "run/gpu_impl.h"
#include "support/machine.h"

#define SET(...) ((const char *const[]){"sm.count=2", __VA_ARGS__, NULL})
#define ALL	 UINT32_MAX

enum { MOST = 8, LINE = 0x1000, SET_STRIDE = 32 * 128 /* gtx480's L1 has 32 sets */ };

struct step {
	enum trace_op op;
	uint32_t lanes;
	uint64_t addr; /* of lane 0; 4 bytes a lane */
	bool is_volatile;
};

/* Every warp of every CTA does the same steps, each behind the value that the one before has loaded. */
struct kernel {
	uint32_t launches, ctas, warps, n;
	struct step step[MOST];
};

static struct trace_inst inst_of(const struct step *s)
{
	return (struct trace_inst){.op = (uint8_t)s->op,
				   .space = SPACE_GLOBAL,
				   .width = 4,
				   .flags = s->is_volatile ? TRACE_VOLATILE : 0,
				   .ndst = s->op == OP_LOAD,
				   .nsrc = 1};
}

static void write_warp(struct trace_writer *w, const struct kernel *k, uint32_t warp)
{
	uint64_t addr[TRACE_WARP_SIZE];

	for (uint32_t i = 0; i < k->n; i++) {
		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = k->step[i].addr + 4 * l;
		trace_put_run(w, warp, i, 1, k->step[i].lanes);
		trace_put_addrs(w, warp, k->step[i].lanes, addr);
	}
	trace_put_run(w, warp, k->n, 1, ALL);
}

static void write_launch(struct trace_writer *w, const struct kernel *k)
{
	const uint32_t grid[3] = {k->ctas, 1, 1}, block[3] = {k->warps * TRACE_WARP_SIZE, 1, 1};
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < k->ctas; c++) {
		trace_cta_begin(w, c);
		for (uint32_t i = 0; i < k->warps; i++)
			write_warp(w, k, i);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

static struct trace *record(const struct kernel *k)
{
	struct trace_inst inst[MOST + 1];
	char *name = (char *)"op";
	struct trace_kernel t = {.name = (char *)"k",
				 .n_inst = k->n + 1,
				 .inst = inst,
				 .n_names = 1,
				 .names = &name,
				 .n_regs = 1,
				 .regs_per_thread = 2};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "known"}, &e);

	for (uint32_t i = 0; i < k->n; i++)
		inst[i] = inst_of(&k->step[i]);
	inst[k->n] = (struct trace_inst){.op = OP_EXIT, .nsrc = 1};
	for (uint32_t i = 0; i <= k->n; i++)
		inst[i].line = i + 1;
	trace_add_kernel(w, &t);
	for (uint32_t i = 0; i < k->launches; i++)
		write_launch(w, k);
	return trace_writer_finish(w, &e);
}

/* Runs it, with keys of the machine changed; the counts of all L1s, and of the L2. */
static void count(const char *const *set, const struct kernel *k, struct class_counts *l1, struct class_counts *l2)
{
	struct machine m = machine_with(set);
	struct trace *t = record(k);
	struct gpu_config config = {.machine = &m, .trace = t};
	struct audit a = {0};
	struct gpu_counts c;
	struct err e = {""};
	struct gpu g;

	m.caches.locality_classes = true;
	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	c = gpu_count(&g, GPU_ALL, g.cycles, g.end);
	*l1 = c.sm.classes;
	*l2 = c.memsys.classes;
	gpu_free(&g);
	trace_close(t);
}

static void expect(const char *const *set, const struct kernel *k, struct class_counts l1, struct class_counts l2)
{
	struct class_counts got[2];

	count(set, k, &got[0], &got[1]);
	for (unsigned cache = 0; cache < 2; cache++) {
		const struct class_counts *g = &got[cache], *w = cache ? &l2 : &l1;

		cr_assert_eq(g->accesses, w->accesses, "L%u: %llu accesses", cache + 1, (unsigned long long)g->accesses);
		cr_assert_eq(g->misses, w->misses, "L%u: %llu misses", cache + 1, (unsigned long long)g->misses);
		cr_assert_eq(g->first, w->first, "L%u: %llu first", cache + 1, (unsigned long long)g->first);
		for (unsigned i = 0; i < LOCALITY_CLASSES; i++) {
			cr_assert_eq(g->hits[i], w->hits[i], "L%u: hits of class %u", cache + 1, i);
			cr_assert_eq(g->reuses[i], w->reuses[i], "L%u: reuses of class %u", cache + 1, i);
		}
	}
}

/* One access that misses, and others that hit, all of one class. */
#define HITS(class, n)                                                                                                             \
	{                                                                                                                          \
		.accesses = (n) + 1, .misses = 1, .first = 1, .hits = {[class] = (n)}, .reuses = { [class] = (n) }                 \
	}
#define FIRST(n)                                                                                                                   \
	{                                                                                                                          \
		.accesses = (n), .misses = (n), .first = (n)                                                                       \
	}
#define COUNTS (struct class_counts)

Test(known_locality, of_a_thread_and_of_a_warp)
{
	const struct kernel again = {1, 1, 1, 3, {{OP_LOAD, ALL, LINE, 0}, {OP_LOAD, ALL, LINE, 0}, {OP_LOAD, 1, LINE, 0}}};
	const struct kernel apart = {1, 1, 1, 3, {{OP_LOAD, 1, LINE, 0}, {OP_LOAD, 2, LINE, 0}, {OP_LOAD, 1, LINE, 0}}};

	expect(SET("sm.count=1"), &again, COUNTS HITS(CLASS_INTRA_THREAD, 2), COUNTS FIRST(1));
	expect(SET("sm.count=1"), &apart, COUNTS HITS(CLASS_INTER_THREAD, 2), COUNTS FIRST(1));
	expect(SET("l1.enabled=false"), &apart,
	       COUNTS{.accesses = 3, .misses = 3, .first = 1, .reuses = {[CLASS_INTER_THREAD] = 2}},
	       COUNTS HITS(CLASS_INTER_THREAD, 2));
}

/* Five warps of a CTA load a line: four of them after another one, whoever is first. */
Test(known_locality, of_ctas_sms_and_kernels)
{
	const struct kernel warps = {1, 1, 5, 1, {{OP_LOAD, ALL, LINE, 0}}};
	const struct kernel ctas = {1, 3, 1, 1, {{OP_LOAD, ALL, LINE, 0}}};
	const struct kernel launches = {3, 1, 1, 1, {{OP_LOAD, ALL, LINE, 0}}};

	expect(SET("sm.count=2"), &warps, COUNTS HITS(CLASS_INTRA_CTA, 4), COUNTS FIRST(1));
	expect(SET("sm.count=1"), &ctas, COUNTS HITS(CLASS_INTRA_SM, 2), COUNTS FIRST(1));
	expect(SET("sm.count=3"), &ctas, COUNTS FIRST(3), COUNTS HITS(CLASS_INTER_SM, 2));
	expect(SET("sm.count=1"), &launches, COUNTS{.accesses = 3, .misses = 3, .first = 1, .reuses = {[CLASS_INTER_KERNEL] = 2}},
	       COUNTS HITS(CLASS_INTER_KERNEL, 2));
}

/* Five lines of a set of four ways, twice: LRU loses each before its second load, and the L2 has it. */
Test(known_locality, that_an_l1_loses)
{
	struct kernel k = {.launches = 1, .ctas = 1, .warps = 1, .n = MOST};

	for (unsigned i = 0; i < MOST; i++) /* 0 1 2 3 4 0 1 2 */
		k.step[i] = (struct step){OP_LOAD, ALL, LINE + i % 5 * SET_STRIDE, false};
	expect(SET("sm.count=1"), &k, COUNTS{.accesses = 8, .misses = 8, .first = 5, .reuses = {[CLASS_INTRA_THREAD] = 3}},
	       COUNTS{.accesses = 8,
		      .misses = 5,
		      .first = 5,
		      .hits = {[CLASS_INTRA_THREAD] = 3},
		      .reuses = {[CLASS_INTRA_THREAD] = 3}});
	expect(SET("l1.assoc=8"), &k,
	       COUNTS{.accesses = 8,
		      .misses = 5,
		      .first = 5,
		      .hits = {[CLASS_INTRA_THREAD] = 3},
		      .reuses = {[CLASS_INTRA_THREAD] = 3}},
	       COUNTS FIRST(5));
}

/* A store, a volatile load, an atomic and a load: the L2 sees four accesses of one thread, the L1 the load alone. */
Test(known_locality, of_stores_is_the_l2s)
{
	const struct kernel k = {
		1, 1, 1, 4, {{OP_STORE, 1, LINE, 0}, {OP_LOAD, 1, LINE, true}, {OP_ATOM, 1, LINE, 0}, {OP_LOAD, 1, LINE, 0}}};

	expect(SET("sm.count=1"), &k, COUNTS FIRST(1), COUNTS HITS(CLASS_INTRA_THREAD, 3));
}

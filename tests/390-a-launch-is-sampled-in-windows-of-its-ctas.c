/* 390: runs that pass over windows of a launch's CTAs: what they count, what is left in the L2 of CTAs that nobody
 * simulated, that these are not even decoded; which launches are divided into windows; and estimates from some of them,
 * computed anew from what each window counted. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/gpu_sampled.h"
#include "sample/student.h"
#include "sample/windows.h"
#include "support/machine.h"
#include "support/measured.h"
#include "support/program.h"
#include "support/random.h"

enum { LINE = 128, BASE = 1 << 20, LINES = 1 << 13, WORK = 64 /* of an iteration, with the load */ };

/* One kernel: a load, WORK - 1 instructions that nothing waits for, and the end. */
static struct trace_writer *writer(const char *path)
{
	static struct trace_inst inst[WORK + 1];
	static char *name = (char *)"x";
	const struct trace_kernel k = {
		.name = (char *)"work", .n_inst = WORK + 1, .inst = inst, .n_names = 1, .names = &name, .n_regs = 1};
	const struct trace_options o = {.name = "windows", .path = path};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert(w, "%s", e.text);
	inst[0] = (struct trace_inst){.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .line = 1};
	for (unsigned i = 1; i < WORK; i++)
		inst[i] = (struct trace_inst){.op = OP_INT_ADD, .line = 2};
	inst[WORK] = (struct trace_inst){.op = OP_EXIT, .line = 3};
	trace_add_kernel(w, &k);
	trace_add_buffer(w, "lines", BASE, (uint64_t)LINES * LINE, &e);
	return w;
}

struct cta {
	uint32_t line, loads, work; /* the first line; iterations that load, others */
};

static void put(struct trace_writer *w, uint32_t id, const struct cta *c)
{
	uint64_t addr[TRACE_WARP_SIZE];
	struct err e = {""};

	trace_cta_begin(w, id);
	for (uint32_t i = 0; i < c->loads; i++) {
		for (uint32_t l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = BASE + (uint64_t)((c->line + i) % LINES) * LINE + 4 * l;
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		trace_put_addrs(w, 0, UINT32_MAX, addr);
	}
	for (uint32_t i = 0; i < c->work; i++)
		trace_put_run(w, 0, 1, WORK - 1, UINT32_MAX);
	trace_put_run(w, 0, WORK, 1, UINT32_MAX);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
}

static void launch(struct trace_writer *w, uint32_t n, struct cta (*of)(uint32_t i))
{
	const uint32_t grid[3] = {n, 1, 1}, warp[3] = {TRACE_WARP_SIZE, 1, 1};
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, 0, grid, warp, 0, &e), 0, "%s", e.text);
	for (uint32_t i = 0; i < n; i++) {
		struct cta c = of(i);

		put(w, i, &c);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

static struct trace *trace_with(uint32_t n, struct cta (*of)(uint32_t i))
{
	struct trace_writer *w = writer(NULL);

	launch(w, n, of);
	return written_trace(w);
}

static struct gpu_result run(struct trace *t, const struct dispatch_windows *windows, bool reverse, uint32_t shares)
{
	struct machine m = machine_with(NULL);
	struct gpu_config c = {.machine = &m, .trace = t, .windows = windows, .reverse = reverse, .shares = shares};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_expect_eq(r.audit.failed, 0);
	return r;
}

/* ---- what windows count ---- */

enum { THIRD = 300 };

/* CTAs of the first third load lines of their own, those of the last third the lines of the second one. */
static struct cta in_thirds(uint32_t i)
{
	return (struct cta){.line = i < THIRD ? i : THIRD + i % THIRD, .loads = 1, .work = 3};
}

/* Counting by window changes nothing, and parts are all of it. */
Test(windows, are_parts_of_what_the_launch_counts)
{
	static const uint8_t none[3] = {0};
	const struct dispatch_windows w = {.ctas = THIRD, .n = 3, .skipped = none};
	struct trace *t = trace_with(3 * THIRD, in_thirds);
	struct gpu_result whole = run(t, NULL, false, 0);

	for (int reverse = 0; reverse < 2; reverse++)
		for (uint32_t shares = 1; shares < 4; shares += 2) {
			struct gpu_result r = run(t, &w, reverse, shares);
			uint64_t cycles = 0, ctas = 0, insts = 0;

			cr_assert_eq(r.n_launches, 3);
			for (uint32_t i = 0; i < 3; i++) {
				cr_expect_eq(r.launch[i].index, 0);
				cr_expect_eq(r.launch[i].window, i);
				cycles += stat_count(&r.launch[i].stats, "cycles");
				ctas += stat_count(&r.launch[i].stats, "ctas");
				insts += r.launch[i].warp_insts;
			}
			cr_expect_eq(r.cycles, whole.cycles);
			cr_expect_eq(cycles, whole.cycles);
			cr_expect_eq(ctas, 3 * THIRD);
			cr_expect_eq(insts, trace_launch(t, 0)->warp_insts);
			cr_assert_eq(r.stats.n, whole.stats.n);
			for (unsigned i = 0; i < r.stats.n; i++)
				cr_expect_eq(r.stats.row[i].count, whole.stats.row[i].count, "%s", r.stats.row[i].name);
			gpu_result_free(&r);
		}
	gpu_result_free(&whole);
	trace_close(t);
}

/* The last third meets its lines in the L2 if the second one ran (some on their way) or warmed the L2; else none. SMs
 * do not drain between: the first CTA behind the gap is there as soon as without one. */
Test(windows, that_are_passed_over_leave_their_lines)
{
	static const uint8_t how[] = {GPU_SIMULATED, GPU_WARMS, GPU_PASSED};
	struct trace *t = trace_with(3 * THIRD, in_thirds);
	uint64_t first = 0;

	for (unsigned i = 0; i < 3; i++)
		for (int reverse = 0; reverse < 2; reverse++) {
			const uint8_t skipped[3] = {GPU_SIMULATED, how[i], GPU_SIMULATED};
			const struct dispatch_windows w = {.ctas = THIRD, .n = 3, .skipped = skipped};
			struct gpu_result r = run(t, &w, reverse, 0);

			cr_assert_eq(r.n_launches, i ? 2 : 3);
			cr_expect_eq(r.launch[r.n_launches - 1].window, 2);
			cr_expect_eq(stat_count(&r.stats, "ctas"), (i ? 2 : 3) * THIRD);
			cr_expect_eq(stat_count(&r.stats, "l2.misses"), i == 1 ? THIRD : 2 * THIRD);
			if (i) /* else L1s have them, too */
				cr_expect_eq(stat_count(&r.stats, "l2.hits"), i == 1 ? THIRD : 0);
			if (i == 0 && !reverse)
				first = stat_count(&r.launch[0].stats, "cycles");
			cr_expect_eq(stat_count(&r.launch[0].stats, "cycles"), first);
			gpu_result_free(&r);
		}
	trace_close(t);
}

/* Windows at either end may be passed over, too. */
Test(windows, may_be_any_but_all)
{
	struct trace *t = trace_with(2 * THIRD + 20, in_thirds);

	for (unsigned set = 0; set < 7; set++) {
		uint8_t skipped[3];
		const struct dispatch_windows w = {.ctas = THIRD - 50, .n = 2, .skipped = skipped};
		struct gpu_result r;
		unsigned ctas = 0, n = 0;

		for (unsigned i = 0; i < 2; i++) {
			skipped[i] = set >> i & 1 ? GPU_PASSED : GPU_SIMULATED;
			n += !skipped[i];
			ctas += skipped[i] ? 0 : i ? THIRD + 70 : THIRD - 50;
		}
		if (!n)
			continue;
		r = run(t, &w, false, 0);
		cr_expect_eq(r.n_launches, n);
		cr_expect_eq(stat_count(&r.stats, "ctas"), ctas, "the last window has the rest");
		gpu_result_free(&r);
	}
	trace_close(t);
}

/* ---- what is not decoded ---- */

static struct cta anywhere(uint32_t i)
{
	return (struct cta){.line = i * 2654435761u % LINES, .loads = 1 + i * 40503u % 7, .work = 1 + i * 9973u % 5};
}

/* A byte in the middle of the trace's file is another one: the frame of some CTA is damaged. Runs fail but those that
 * pass over its window. */
Test(windows, are_not_read_if_nobody_wants_them)
{
	enum { CTAS = 2000, N = 20 };
	const char *path = program_path("trace");
	struct trace_writer *w = writer(path);
	struct machine m = machine_with(NULL);
	uint8_t skipped[N] = {0};
	const struct dispatch_windows windows = {.ctas = CTAS / N, .n = N, .skipped = skipped};
	struct gpu_config c = {.machine = &m};
	struct gpu_result r;
	struct err e = {""};
	unsigned cta;
	long end;
	FILE *f;

	launch(w, CTAS, anywhere);
	trace_close(written_trace(w));
	f = fopen(path, "r+b");
	cr_assert(f);
	fseek(f, 0, SEEK_END);
	end = ftell(f);
	fseek(f, end / 2, SEEK_SET);
	cta = (unsigned)fgetc(f);
	fseek(f, end / 2, SEEK_SET);
	fputc((int)(cta ^ 0x55), f);
	fclose(f);
	c.trace = trace_open(path, &e);
	cr_assert(c.trace, "%s", e.text);
	cr_assert_eq(gpu_run(&c, &r, &e), -1);
	cr_assert(strstr(e.text, "CTA ") && sscanf(strstr(e.text, "CTA "), "CTA %u are damaged", &cta) == 1, "%s", e.text);
	c.windows = &windows;
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = GPU_WARMS; k <= GPU_PASSED; k++) {
			bool reads = i != cta / (CTAS / N) || k == GPU_WARMS;
			int rc;

			if (i != cta / (CTAS / N) && i % 7)
				continue;
			skipped[i] = (uint8_t)k;
			rc = gpu_run(&c, &r, &e);
			cr_expect_eq(rc, reads ? -1 : 0, "window %u", i);
			if (!rc) {
				cr_expect_eq(r.audit.failed, 0);
				gpu_result_free(&r);
			}
			skipped[i] = GPU_SIMULATED;
		}
	trace_close(c.trace);
}

/* ---- which launches are divided ---- */

/* 17 * 63 + 1 = 1072 instructions. */
static struct cta equal(uint32_t i)
{
	(void)i;
	return (struct cta){.loads = 0, .work = 17};
}

/* An SM that holds 4 CTAs at once: 2 rounds of 4288 are 8192 instructions or more. 563 CTAs are 70 windows of 8, the
 * last one with 3 more: 2 + 1 at the ends, 67 between, of which 4 are drawn. 511 CTAs are 63 windows: too few. */
Test(windows, are_made_of_launches_of_many_ctas)
{
	static const struct {
		uint32_t ctas, resident, windows, of;
	} at[] = {{563, 4, 70, 8}, {512, 4, 64, 8}, {511, 4, 0, 0}, {563, 0, 0, 0}, {563, 8, 70, 8}, {563, 9, 0, 0}};

	for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
		struct trace *t = trace_with(at[i].ctas, equal);
		struct arena a = {0};
		struct err e = {""};
		struct strata s;

		cr_assert_eq(strata_of(&s, &a, t, &e), 0, "%s", e.text);
		strata_divide(&s, &a, t, &(struct windows_on){1, &at[i].resident});
		if (!at[i].windows) {
			cr_expect_eq(s.n, 1);
			cr_expect_null(s.windows);
			cr_expect_eq(s.unit[0].window, WINDOW_NONE);
		} else {
			cr_assert_eq(s.n, 2);
			cr_expect_eq(s.windows[0].n, at[i].windows);
			cr_expect_eq(s.windows[0].ctas, at[i].of);
			cr_expect(s.stratum[0].kind == STRATUM_ENDS && s.stratum[0].n == 3);
			cr_expect_eq(strata_first(&s.stratum[0]), 3, "all");
			cr_expect(s.stratum[1].kind == STRATUM_WINDOWS && s.stratum[1].n == at[i].windows - 3);
			cr_expect_eq(strata_first(&s.stratum[1]), 4);
			strata_shuffle(&s, 3);
			for (uint32_t u = 0; u < s.n_units; u++)
				cr_expect_eq(s.unit[u].window < 2 || s.unit[u].window == at[i].windows - 1, u < 3);
		}
		arena_free(&a);
		trace_close(t);
	}
}

/* One of fifty of many; all of those of which a third would have to be drawn, with two ahead of each. */
Test(windows, are_few_at_first)
{
	cr_expect_eq(windows_first(61), 4);
	cr_expect_eq(windows_first(200), 4);
	cr_expect_eq(windows_first(201), 5);
	cr_expect_eq(windows_first(10000), 200);
	cr_expect_eq(windows_first(13), 4);
	cr_expect_eq(windows_first(12), 12);
}

/* ---- estimates ---- */

static const struct gpu_estimate *find(const struct gpu_sampled *s, const char *name)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!strcmp(s->estimate[i].name, name))
			return &s->estimate[i];
	cr_assert_fail("%s", name);
	return NULL;
}

static struct gpu_result sampled(struct gpu_sampled *s, const struct machine *m, struct trace *t, double error, struct arena *a)
{
	struct gpu_config c = {.machine = m, .trace = t, .sampled = s};
	struct gpu_result r;
	struct err e = {""};

	*s = (struct gpu_sampled){.options = {.error = error, .confidence = 0.95, .seed = 7, .metric = "cycles"}, .arena = a};
	cr_assert_eq(gpu_run_sampled(&c, &r, &e), 0, "%s", e.text);
	cr_expect_eq(r.audit.failed, 0);
	return r;
}

static const char *const one_sm[] = {"sm.count=1", NULL};

/* CTAs that do the same go through an SM in rounds of 8, each of as many cycles: what 4 rounds of 72 take says what all
 * take, to the cycle. */
Test(window_sampling, of_equal_ctas_is_exact)
{
	struct machine m = machine_with(one_sm);
	struct trace *t = trace_with(600, equal);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result whole, r;
	struct gpu_sampled s;
	struct arena a = {0};
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &whole, &e), 0, "%s", e.text);
	r = sampled(&s, &m, t, 0.03, &a);
	cr_expect_eq(s.divided, 1);
	cr_expect_eq(s.windows, 75);
	cr_expect_eq(s.runs, 1);
	cr_expect_eq(s.simulated, 1);
	cr_expect(s.simulated_windows <= 2 + 4 * 3 + 3 && s.simulated_windows >= 7, "%u", s.simulated_windows);
	cr_expect_eq(s.warp_insts, 600 * 1072);
	cr_expect_eq(s.simulated_warp_insts, (uint64_t)s.simulated_windows * 8 * 1072);
	cr_expect_eq(r.n_launches, 7, "those that were measured");
	cr_expect_float_eq(find(&s, "cycles")->e.value, (double)whole.cycles, 1e-6, "%.2f, not %" PRIu64,
			   find(&s, "cycles")->e.value, whole.cycles);
	cr_expect_eq(find(&s, "cycles")->e.df, 0, "nothing varies");
	cr_expect_float_eq(find(&s, "ctas")->e.value, 600, 1e-6);
	cr_expect_eq(find(&s, "warp_insts")->e.value, 600 * 1072);
	cr_expect_eq(find(&s, "warp_insts")->e.half, 0);
	gpu_result_free(&whole);
	gpu_result_free(&r);
	arena_free(&a);
	trace_close(t);
}

static struct cta unequal(uint32_t i)
{
	uint64_t seed = i * UINT64_C(2654435761) >> 7;

	return (struct cta){.line = 8 * i, .loads = 1 + seed % 8, .work = 17 + seed / 8 % 9};
}

/* The sum of a metric over the measured windows from..to, to excluded; of the size if name is NULL. */
static double sum_of(const struct gpu_result *r, const char *name, uint32_t from, uint32_t to)
{
	double all = 0;

	for (uint32_t i = 0; i < r->n_launches; i++)
		if (r->launch[i].window >= from && r->launch[i].window < to)
			all += (double)(name ? stat_count(&r->launch[i].stats, name) : r->launch[i].warp_insts);
	return all;
}

/* A total is what the ends counted, and what windows between counted for each instruction times what the ends leave of
 * the launch's; half of its interval, as docs/how-to/sample-long-programs.md has it. */
Test(window_sampling, adds_the_ends_to_what_windows_say)
{
	static const char *const name[] = {"cycles", "l2.reads", "thread_insts", "l1.misses", "dram.bytes"};
	struct machine m = machine_with(one_sm);
	struct trace *t = trace_with(1200, unequal);
	struct arena a = {0};
	struct gpu_sampled s;
	struct gpu_result r = sampled(&s, &m, t, 0.4, &a);
	uint32_t last = s.windows - 1, n = r.n_launches - 3, all = s.windows - 3;
	double size = (double)trace_launch(t, 0)->warp_insts;

	cr_assert_eq(s.runs, 1);
	cr_assert(s.windows >= 64 && n >= 4, "%u of %u", n, s.windows);
	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		double x = sum_of(&r, NULL, 2, last), y = sum_of(&r, name[i], 2, last), squares = 0;
		double ends = sum_of(&r, name[i], 0, 2) + sum_of(&r, name[i], last, last + 1);
		double total = ends + y / x * (size - sum_of(&r, NULL, 0, 2) - sum_of(&r, NULL, last, last + 1));
		double drains = sum_of(&r, name[i], last, last + 1) - y / x * sum_of(&r, NULL, last, last + 1), half;

		for (uint32_t k = 0; k < r.n_launches; k++)
			if (r.launch[k].window >= 2 && r.launch[k].window < last)
				squares += pow((double)stat_count(&r.launch[k].stats, name[i]) -
						       y / x * (double)r.launch[k].warp_insts,
					       2);
		half = student_two_sided(n - 1, 0.95) * sqrt((double)all * (all - n) / n * squares / (n - 1)) + 0.001 * total +
		       0.5 * fabs(drains);
		cr_expect_float_eq(find(&s, name[i])->e.value, total, 1e-9 * total, "%s", name[i]);
		cr_expect_float_eq(find(&s, name[i])->e.half, half, 1e-9 * total, "%s: %g, not %g", name[i],
				   find(&s, name[i])->e.half, half);
	}
	gpu_result_free(&r);
	arena_free(&a);
	trace_close(t);
}

/* An interval narrower than windows can give is that of the run with all of them. */
Test(window_sampling, may_come_to_all_windows)
{
	struct machine m = machine_with(one_sm);
	struct trace *t = trace_with(600, unequal);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result whole, r;
	struct gpu_sampled s;
	struct arena a = {0};
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &whole, &e), 0, "%s", e.text);
	r = sampled(&s, &m, t, 0.0002, &a);
	cr_expect_eq(s.divided, 1);
	cr_expect_eq(s.simulated_windows, s.windows);
	cr_expect_eq(s.simulated_warp_insts, s.warp_insts);
	cr_expect_float_eq(find(&s, "cycles")->e.value, (double)whole.cycles, 1e-6);
	cr_expect_eq(find(&s, "cycles")->e.half, 0);
	cr_expect_float_eq(find(&s, "l2.misses")->e.value, (double)stat_count(&whole.stats, "l2.misses"), 1e-6);
	gpu_result_free(&whole);
	gpu_result_free(&r);
	arena_free(&a);
	trace_close(t);
}

/* ---- programs ---- */

/* The seed says all, host threads nothing; and what was left out is said. */
Test(window_sampling, repeats)
{
	struct program p =
		program_run("cd %s && locus record vectoradd --arg n=2M -o v.ltrace >v.txt && for t in 1 2; do locus run "
			    "v.ltrace --set sm.count=2 --sample error=5%%,seed=3 --threads $t --always-threads --json "
			    "$t.json >$t.txt || exit; done; cmp 1.json 2.json && cat 1.txt",
			    program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "ESTIMATES, not measurements"), "%s", p.out);
	cr_expect(strstr(p.out, "in windows of CTAs"), "%s", p.out);
	cr_expect(strstr(p.out, "first, last windows"), "%s", p.out);
	cr_expect(strstr(p.out, "windows between"), "%s", p.out);
	program_free(&p);
}

/* Where a plan says which CTA is next launches are whole. */
Test(window_sampling, is_of_launches_that_go_round_robin)
{
	struct program p = program_run("locus run vectoradd --arg n=2M --set sm.count=2 --plan bcs --sample error=5%%");

	cr_expect(p.status == 0 && !strstr(p.out, "windows"), "%s%s", p.out, p.err);
	program_free(&p);
}

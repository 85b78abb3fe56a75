/* 389: runs that pass over launches: what is left in the L2 of a launch that nobody simulated; strata; a program of
 * equal launches, whose estimates are exact; intervals that have what whole runs measure; and that no estimate is taken
 * for a measurement. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "run/gpu_sampled.h"
#include "support/machine.h"
#include "support/measured.h"
#include "support/program.h"

enum { LINE = 128, LINES = 64, BASE = 1 << 20 };

/* Kernel 0 loads a line a CTA, kernel 1 stores one whole. */
static struct trace_writer *writer(void)
{
	static struct trace_inst load[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .line = 1},
					    {.op = OP_EXIT, .line = 2}};
	static struct trace_inst store[2] = {{.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .line = 1},
					     {.op = OP_EXIT, .line = 2}};
	static char *name = (char *)"x";
	const struct trace_kernel k[2] = {
		{.name = (char *)"load", .n_inst = 2, .inst = load, .n_names = 1, .names = &name, .n_regs = 1},
		{.name = (char *)"store", .n_inst = 2, .inst = store, .n_names = 1, .names = &name, .n_regs = 1}};
	const struct trace_options o = {.name = "launches"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert(w, "%s", e.text);
	trace_add_kernel(w, &k[0]);
	trace_add_kernel(w, &k[1]);
	trace_add_buffer(w, "lines", BASE, 1 << 20, &e);
	return w;
}

/* A launch of n CTAs, of a warp each; CTA i accesses line first + i, `times` times. */
static void launch(struct trace_writer *w, uint32_t kernel, uint32_t first, uint32_t n, uint32_t times)
{
	const uint32_t grid[3] = {n, 1, 1}, warp[3] = {TRACE_WARP_SIZE, 1, 1};
	uint64_t addr[TRACE_WARP_SIZE];
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, kernel, grid, warp, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < n; c++) {
		trace_cta_begin(w, c);
		for (uint32_t l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = BASE + (uint64_t)(first + c) * LINE + 4 * l;
		for (uint32_t i = 0; i < times; i++) {
			trace_put_run(w, 0, 0, 1, UINT32_MAX);
			trace_put_addrs(w, 0, UINT32_MAX, addr);
		}
		trace_put_run(w, 0, 1, 1, UINT32_MAX);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

/* ---- what a launch that is passed over leaves ---- */

static struct gpu_result run(struct trace *t, const uint8_t *skipped, bool reverse)
{
	struct machine m = machine_with(NULL);
	struct gpu_config c = {.machine = &m, .trace = t, .skipped = skipped, .reverse = reverse};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_expect_eq(r.audit.failed, 0);
	return r;
}

/* 64 lines that launch 0 loads or stores, and launch 1 loads: all hits in the L2 if launch 0 ran, or warmed the L2 as
 * if it had; 64 misses if nothing of it is seen. The L1s are emptied between. */
Test(warming, leaves_the_lines_that_the_launch_would)
{
	static const uint8_t how[] = {GPU_SIMULATED, GPU_WARMS, GPU_PASSED};

	for (uint32_t kernel = 0; kernel < 2; kernel++)
		for (unsigned i = 0; i < 3; i++)
			for (int reverse = 0; reverse < 2; reverse++) {
				struct trace_writer *w = writer();
				struct gpu_result r;
				struct trace *t;

				launch(w, kernel, 0, LINES, 1);
				launch(w, 0, 0, LINES, 1);
				t = written_trace(w);
				r = run(t, (const uint8_t[]){how[i], GPU_SIMULATED}, reverse);
				cr_assert_eq(r.n_launches, i ? 1 : 2);
				cr_expect_eq(r.launch[r.n_launches - 1].index, 1);
				cr_expect_eq(stat_count(&r.launch[r.n_launches - 1].stats, "l2.hits"), i < 2 ? LINES : 0);
				cr_expect_eq(stat_count(&r.launch[r.n_launches - 1].stats, "l2.misses"), i < 2 ? 0 : LINES);
				cr_expect_eq(stat_count(&r.stats, "l2.dirty_left"), kernel && i < 2 ? LINES : 0);
				cr_expect_eq(stat_count(&r.stats, "ctas"), i ? LINES : 2 * LINES, "of the simulated ones alone");
				gpu_result_free(&r);
				trace_close(t);
			}
}

/* Launches at either end may be passed over, and all of them; launches that are simulated do as they do alone. */
Test(skipping, may_be_of_any_launches)
{
	struct trace_writer *w = writer();
	struct gpu_result alone;
	struct trace *t, *one;

	for (uint32_t i = 0; i < 4; i++)
		launch(w, 0, LINES * i, LINES, 1 + i);
	t = written_trace(w);
	w = writer();
	launch(w, 0, LINES * 2, LINES, 3);
	one = written_trace(w);
	alone = run(one, NULL, false);
	for (unsigned set = 0; set < 16; set++) {
		uint8_t skipped[4];
		struct gpu_result r;
		unsigned n = 0;

		for (unsigned i = 0; i < 4; i++) {
			skipped[i] = set >> i & 1 ? GPU_PASSED : GPU_SIMULATED;
			n += !skipped[i];
		}
		r = run(t, skipped, false);
		cr_expect_eq(r.n_launches, n);
		cr_expect_eq(stat_count(&r.stats, "ctas"), n * LINES);
		if (n == 1 && !skipped[2])
			cr_expect_eq(r.cycles, alone.cycles);
		gpu_result_free(&r);
	}
	gpu_result_free(&alone);
	trace_close(t);
	trace_close(one);
}

/* ---- strata ---- */

/* 30 loads of 64 lines, 10 stores, 6 loads of 64 lines five times over: the first of each kernel by itself, then 29, 9
 * and 6. A warp of the longer ones has 6 instructions, 5 of them accesses, else 2 and 1: from 512 lines of 1024
 * instructions to 853 is within a factor of two, but five accesses are more instructions. */
Test(strata, are_of_launches_that_are_alike)
{
	static const uint32_t sizes[] = {1, 29, 6, 1, 9};
	struct trace_writer *w = writer();
	uint8_t seen[46] = {0};
	struct arena a = {0};
	struct err e = {""};
	struct strata s;
	struct trace *t;

	for (uint32_t i = 0; i < 30; i++)
		launch(w, 0, 0, LINES, 1);
	for (uint32_t i = 0; i < 10; i++)
		launch(w, 1, 0, LINES, 1);
	for (uint32_t i = 0; i < 6; i++)
		launch(w, 0, 0, LINES, 5);
	t = written_trace(w);
	cr_assert_eq(strata_of(&s, &a, t, &e), 0, "%s", e.text);
	cr_assert_eq(s.n, sizeof sizes / sizeof *sizes);
	for (uint32_t h = 0; h < s.n; h++) {
		cr_expect_eq(s.stratum[h].n, sizes[h], "%u: %u", h, s.stratum[h].n);
		for (uint32_t i = 0; i < s.stratum[h].n; i++) {
			uint32_t l = s.unit[s.stratum[h].first + i].launch;

			cr_expect_eq(seen[l]++, 0);
			cr_expect_eq(trace_launch(t, l)->kernel, s.stratum[h].kernel);
			cr_expect_eq(trace_launch(t, l)->warp_insts, s.stratum[h].least);
		}
	}
	cr_expect_eq(strata_bytes(&s, 0, LINES), LINES * LINE);
	strata_shuffle(&s, 1);
	cr_expect_eq(s.unit[0].launch, 0, "the first launch is alone");
	arena_free(&a);
	trace_close(t);
}

/* ---- estimates of a run ---- */

static const struct gpu_estimate *find(const struct gpu_sampled *s, const char *name)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!strcmp(s->estimate[i].name, name))
			return &s->estimate[i];
	cr_assert_fail("%s", name);
	return NULL;
}

/* 50 launches that do the same: the first one misses in the L2, each of the others hits. The first and 4 of 49 stand
 * for all, to the cycle; the interval is what is allowed for warming alone, and none where the trace says all; of a run
 * that simulates all the same comes out. */
Test(sampling, of_equal_launches_is_exact)
{
	struct machine m = machine_with(NULL);
	struct trace_writer *w = writer();
	struct arena a = {0};
	struct gpu_sampled s = {.options = {.error = 0.01, .confidence = 0.95, .seed = 5, .metric = "cycles"}, .arena = &a};
	struct gpu_config c = {.machine = &m, .sampled = &s};
	struct gpu_result whole, r;
	struct err e = {""};

	for (uint32_t i = 0; i < 50; i++)
		launch(w, 0, 0, LINES, 2);
	c.trace = written_trace(w);
	whole = run(c.trace, NULL, false);
	cr_assert_eq(gpu_run_sampled(&c, &r, &e), 0, "%s", e.text);
	cr_expect_eq(r.audit.failed, 0);
	cr_expect_eq(s.launches, 50);
	cr_expect_eq(s.simulated, 5);
	cr_expect_eq(r.n_launches, 5);
	cr_expect_eq(s.runs, 1);
	cr_expect_eq(s.simulated_warp_insts * 10, s.warp_insts);
	cr_expect_eq(find(&s, "cycles")->e.value, whole.launch[0].stats.row[0].count + 49 * whole.launch[1].stats.row[0].count);
	cr_expect_float_eq(find(&s, "cycles")->e.half, SAMPLE_BIAS * find(&s, "cycles")->e.value, 1e-9);
	cr_expect_eq(find(&s, "cycles")->e.df, 0, "nothing varies");
	cr_expect_eq(find(&s, "l2.hits")->e.value, 49 * LINES);
	cr_expect_eq(find(&s, "l2.misses")->e.value, LINES);
	cr_expect_float_eq(find(&s, "l2.miss_rate")->e.value, 0.02, 1e-12, "a 50th");
	cr_expect_eq(find(&s, "warp_insts")->e.value, 50 * LINES * 3);
	cr_expect_eq(find(&s, "warp_insts")->e.half, 0);
	for (uint32_t i = 1; i < r.n_launches; i++)
		cr_expect_lt(r.launch[i - 1].index, r.launch[i].index);
	gpu_result_free(&whole);
	gpu_result_free(&r);
	trace_close(c.trace);
	arena_free(&a);
}

static double of(const json_t *estimates, const char *name, const char *what)
{
	return json_number_value(json_object_get(json_object_get(estimates, name), what));
}

/* Narrower intervals want more launches, up to all of them, which is the run itself; but that energies of launches are
 * rounded one by one. */
Test(sampling, has_what_a_whole_run_measures_in_its_interval)
{
	static const char *const error[] = {"20%", "1%", "0.05%"};
	static const char *const metric[] = {"cycles", "ipc.warp", "l1.misses", "l2.accesses", "energy.total"};
	json_t *whole = program_stats("locus run gaussian --size test");
	int before = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct program p =
			program_run("locus run gaussian --size test --sample error=%s --json %s/s.json", error[i], program_tmp());
		char path[4200];
		json_t *r, *estimates;
		int simulated;

		cr_assert_eq(p.status, 0, "%s", p.err);
		cr_expect(strstr(p.out, "ESTIMATES, not measurements"));
		snprintf(path, sizeof path, "%s/s.json", program_tmp());
		r = json_load_file(path, 0, NULL);
		estimates = json_object_get(r, "estimates");
		simulated = (int)json_integer_value(json_object_get(json_object_get(r, "sample"), "simulated"));
		cr_expect(simulated > before && simulated <= 94, "%d", simulated);
		cr_expect_eq((int)json_array_size(json_object_get(r, "launches")), simulated);
		cr_expect_null(json_object_get(r, "stats"));
		for (unsigned k = 0; k < sizeof metric / sizeof *metric; k++) {
			double v = program_stat(whole, metric[k]);

			cr_expect(of(estimates, metric[k], "low") <= v * (1 + 1e-5), "%s of %s", metric[k], error[i]);
			cr_expect(of(estimates, metric[k], "high") >= v * (1 - 1e-5), "%s of %s", metric[k], error[i]);
		}
		cr_expect(of(estimates, "cycles", "high") / of(estimates, "cycles", "value") <= 1 + atof(error[i]) / 100 + 1e-12);
		before = simulated;
		json_decref(r);
		program_free(&p);
	}
	json_decref(whole);
}

/* The seed says all; host threads nothing. */
Test(sampling, repeats)
{
	struct program p =
		program_run("cd %s && for t in 1 2; do locus run bfs --size test --sample error=10%%,seed=3 --threads $t "
			    "--always-threads --json $t.json >$t.txt || exit; done; cmp 1.json 2.json",
			    program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

/* ---- what is refused ---- */

Test(sampling, is_no_measurement)
{
	struct program p = program_run("locus run gaussian --size test --sample error=20%% --json %s/s.json >%s/s.txt",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus diff %s/s.json %s/s.json", program_tmp(), program_tmp());
	cr_expect(program_is_clean_error(&p) && strstr(p.err, "estimates of a sampled run"), "%s", p.err);
	program_free(&p);
}

Test(sampling, is_refused_in_a_line_where_it_cannot_be)
{
	static const char *const wrong[][2] = {{"--sample ''", "needs error="},
					       {"--sample seed=1", "needs error="},
					       {"--sample error", "KEY=VALUE"},
					       {"--sample error=", "error=: must be from"},
					       {"--sample error=0", "must be from"},
					       {"--sample error=-3%", "must be from"},
					       {"--sample error=3%%", "must be from"},
					       {"--sample error=nan", "must be from"},
					       {"--sample error=60%", "must be from"},
					       {"--sample error=3%,confidence=100%", "must be from"},
					       {"--sample error=3%,seed=x", "whole number"},
					       {"--sample error=3%,starts=4", "is not an option"},
					       {"--sample error=3%,metric=", "no metric"},
					       {"--sample error=3%,metric=cycels", "did you mean \"cycles\""},
					       {"--sample error=3% --throttle dwt-cs", "dwt-cs"},
					       {"--sample error=3% --machine mcm4", "vm.enabled"}};

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct program p = program_run("locus run gaussian --size test --arg n=16 %s", wrong[i][0]);

		cr_expect(program_is_clean_error(&p) && strstr(p.err, wrong[i][1]), "%s: %s", wrong[i][0], p.err);
		program_free(&p);
	}
}

/* What is of each launch, or of each cycle. */
Test(sampling, goes_with_no_option_of_whole_runs)
{
	static const char *const option[] = {"--on cpu",       "--launches",   "--max-cycles 100",    "--max-insts 100",
					     "--interval 100", "--timeline x", "--throttle swt:best", "--report-data",
					     "--working-set",  "--konata x"};

	for (unsigned i = 0; i < sizeof option / sizeof *option; i++) {
		struct program p = program_run("locus run gaussian --size test --sample error=3%% %s", option[i]);

		cr_expect_eq(p.status, 2, "%s", option[i]);
		cr_expect(strstr(p.err, "--sample"), "%s: %s", option[i], p.err);
		cr_expect(strchr(p.err, '\n') && !strchr(p.err, '\n')[1], "%s: %s", option[i], p.err);
		program_free(&p);
	}
}

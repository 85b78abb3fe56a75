/* locus bench: how fast the parts are, one line a number, `name value unit`. CPU time, not wall time: the median of
 * some runs. */
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/root.h"
#include "base/cputime.h"
#include "cli/bench_floor.h"
#include "cli/bench_parts.h"
#include "cli/bench_profile.h"
#include "cli/bench_threads.h"
#include "cli/cli.h"
#include "cli/peak.h"
#include "run/gpu.h"
#include "workload/source.h"
#include "lockstep/cosim.h"
#include "machine/machine.h"
#include "replay/dinero.h"
#include "replay/dram_trace.h"

enum { MAX_REPEAT = 99 };
enum dram_bench { DRAM_BENCH_STREAM, DRAM_BENCH_RANDOM, DRAM_BENCH_CONFLICTS };

struct bench {
	unsigned repeat;
	const char *only; /* prefix of the names; "" for all */
	bool *any;	  /* whether a figure has that prefix */
	struct machine machine;
	char root[4096];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bench *b = state->input;

	if (key == 'n') {
		b->repeat = (unsigned)cli_argp_number(state, "--repeat", arg, 1, MAX_REPEAT);
	} else if (key == ARGP_KEY_ARG && state->arg_num == 0) {
		b->only = arg;
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"repeat", 'n', "N", 0, "print the median of N runs (default: 3)", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"[PREFIX]",
	"Measures the speed of the executor, the cycle model on gtx480, the lockstep co-simulation, profiles and the readers of "
	"traces, per CPU second; the gain of host threads; the memory that recording takes; and the model's time relative to one "
	"pass over the trace. Prints `name value unit`.\v"
	"Examples:\n  locus bench\n  locus bench --repeat 5 model",
	NULL,
	NULL,
	NULL};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void put(const char *name, double value, const char *unit)
{
	printf("%-36s %14.*f %s\n", name, value < 100 ? 3 : 0, value, unit);
	fflush(stdout);
}

static bool wanted(const struct bench *b, const char *name)
{
	bool yes = !strncmp(name, b->only, strlen(b->only)) || !strncmp(name, b->only, strlen(name));

	*b->any = *b->any || yes;
	return yes;
}

static int open_source(const struct bench *b, const char *what, const char *arg, struct source *s, struct err *e)
{
	const char *args[] = {arg};
	struct source_options o = {.what = what, .root = b->root, .n_args = arg ? 1 : 0, .args = args};

	return source_open(s, &o, e);
}

/* Executes and records a workload `repeat` times. */
static int bench_executor(const struct bench *b, const char *what, const char *arg, struct err *e)
{
	double rate[MAX_REPEAT];
	char name[64];

	snprintf(name, sizeof name, "executor.%s", what);
	if (!wanted(b, name))
		return 0;
	for (unsigned i = 0; i < b->repeat; i++) {
		struct source s;

		if (open_source(b, what, arg, &s, e) != 0)
			return -1;
		rate[i] = (double)s.executed / s.seconds;
		source_close(&s);
	}
	put(name, median(rate, b->repeat), "warp-instructions/s");
	return 0;
}

/* The memory that recording takes at most, beside the program's own. It must not grow with the length of a launch. */
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
static int bench_recording(const struct bench *b, const char *what, const char *const *args, const char *size, struct err *e)
{
	struct peak run, recorded;
	char name[64], unit[128];

	snprintf(name, sizeof name, "record.%s.%s", what, size);
	if (!wanted(b, name))
		return 0;
	if (peak_of(b->root, what, args, false, &run, e) || peak_of(b->root, what, args, true, &recorded, e))
		return -1;
	snprintf(unit, sizeof unit, "MiB to record %.2f M warp instructions, %" PRIu64 " CTAs in %.1f MiB, %.1f compressed",
		 (double)recorded.warp_insts / 1e6, recorded.ctas, (double)recorded.raw / 0x1p20, (double)recorded.stored / 0x1p20);
	put(name, recorded.mib - run.mib, unit);
	return 0;
}

static double wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct seconds {
	double cpu, wall;
};
enum how { HOW_GOLDEN, HOW_LOCKSTEP, HOW_TWO_THREADS, HOWS };

/* One run of the model, its blocks golden or in lockstep. */
static int run_once(const struct machine *m, struct trace *t, enum how how, struct gpu_result *r, struct seconds *took,
		    struct err *e)
{
	struct cosim_options o;
	struct cosim *c;
	struct hw_binder binder;
	struct gpu_config g = {.machine = m, .trace = t, .binder = &binder};
	struct seconds start;
	int rc;

	cosim_options_init(&o, how == HOW_GOLDEN ? UNIT_GOLDEN : UNIT_LOCKSTEP);
	o.check_threads = how == HOW_TWO_THREADS;
	c = cosim_new(&o);
	binder = cosim_binder(c);
	start = (struct seconds){cpu_seconds(), wall_seconds()};
	rc = gpu_run(&g, r, e);
	if (rc == 0 && cosim_finish(c, e) != 0)
		rc = err_set(e, "bench: golden twin and RTL differ");
	*took = (struct seconds){cpu_seconds() - start.cpu, wall_seconds() - start.wall};
	cosim_free(c);
	return rc;
}

/* Of `repeat` runs so. *r: of the last one, without its table. Runs of several kinds take turns, so that what else the
 * machine does meets all alike. */
static int run_kinds(const struct bench *b, const struct machine *m, struct trace *t, unsigned kinds,
		     struct seconds took[HOWS][MAX_REPEAT], struct gpu_result *r, struct err *e)
{
	for (unsigned i = 0; i < b->repeat * kinds; i++) {
		struct gpu_result done;

		if (run_once(m, t, i % kinds, r, &took[i % kinds][i / kinds], e) != 0)
			return -1;
		done = *r; /* what is freed is cleared, and the counts are wanted */
		gpu_result_free(&done);
	}
	return 0;
}

static double median_cpu(const struct seconds *took, unsigned n)
{
	double v[MAX_REPEAT];

	for (unsigned i = 0; i < n; i++)
		v[i] = took[i].cpu;
	return median(v, n);
}

/* What disturbs a run makes it longer and never shorter: of two kinds of runs the shortest ones are compared. */
static struct seconds least(const struct seconds *took, unsigned n)
{
	struct seconds s = took[0];

	for (unsigned i = 1; i < n; i++) {
		s.cpu = took[i].cpu < s.cpu ? took[i].cpu : s.cpu;
		s.wall = took[i].wall < s.wall ? took[i].wall : s.wall;
	}
	return s;
}

static int bench_model(const struct bench *b, const char *what, const char *arg, struct err *e)
{
	struct seconds took[HOWS][MAX_REPEAT];
	struct gpu_result r = {0};
	struct source s;
	char name[64], sm_name[80];
	double seconds;
	int rc;

	snprintf(name, sizeof name, "model.%s", what);
	snprintf(sm_name, sizeof sm_name, "%s.cycles", name);
	if (!wanted(b, name))
		return 0;
	if (open_source(b, what, arg, &s, e) != 0)
		return -1;
	rc = run_kinds(b, &b->machine, s.trace, 1, took, &r, e);
	source_close(&s);
	if (rc != 0)
		return -1;
	seconds = median_cpu(took[HOW_GOLDEN], b->repeat);
	put(name, (double)r.warp_insts / seconds, "warp-instructions/s");
	put(sm_name, (double)r.cycles * b->machine.sm.count / seconds, "SM-cycles/s");
	return 0;
}

/* The same run with the PRIC index golden, in lockstep with its RTL, and so with the checks on a second thread. suffix:
 * of the ratios' names. */
static int bench_lockstep(const struct bench *b, const char *what, const char *arg, const char *suffix, struct err *e)
{
	struct seconds took[HOWS][MAX_REPEAT], golden;
	struct machine m = b->machine;
	struct gpu_result r = {0};
	struct source s;
	char name[64], ratio[80], wall[80];
	int rc;

	snprintf(name, sizeof name, "lockstep.%s", what);
	snprintf(ratio, sizeof ratio, "lockstep.ratio%s%s", *suffix ? "." : "", suffix);
	snprintf(wall, sizeof wall, "lockstep.threads%s%s", *suffix ? "." : "", suffix);
	if (!wanted(b, name) && !wanted(b, ratio) && !wanted(b, wall))
		return 0;
	if (machine_set(&m, "l1.index=pric", e) != 0 || machine_resolve(&m, e) != 0 || open_source(b, what, arg, &s, e) != 0)
		return -1;
	rc = run_kinds(b, &m, s.trace, HOWS, took, &r, e);
	source_close(&s);
	if (rc != 0)
		return -1;
	golden = least(took[HOW_GOLDEN], b->repeat);
	put(name, (double)r.warp_insts / median_cpu(took[HOW_LOCKSTEP], b->repeat), "warp-instructions/s");
	put(ratio, least(took[HOW_LOCKSTEP], b->repeat).cpu / golden.cpu, "of the golden run's CPU time");
	put(wall, least(took[HOW_TWO_THREADS], b->repeat).wall / golden.wall, "of its wall time with --check-threads 1");
	return 0;
}

static int bench_profile(const struct bench *b, const char *what, const char *arg, struct err *e)
{
	struct source s;
	char name[64];
	double ratio;
	int rc;

	snprintf(name, sizeof name, "profile.%s", what);
	if (!wanted(b, name))
		return 0;
	if (open_source(b, what, arg, &s, e) != 0)
		return -1;
	rc = bench_profile_ratio(&b->machine, s.trace, b->repeat, &ratio, e);
	source_close(&s);
	if (rc == 0)
		put(name, ratio, "of the CPU time without a profile (1.25 at most)");
	return rc;
}

/* Most of the time first. */
static int by_share(const void *a, const void *b)
{
	const struct bench_part *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

/* What host threads cannot share: a part that is one, and a program's execution ahead of the model. */
static int bench_parts(const char *name, const struct machine *m, struct trace *t, double executed, struct err *e)
{
	struct bench_parts p;
	char line[160];
	double start = cpu_seconds();

	if (bench_parts_measure(m, t, &p, e) != 0)
		return -1;
	snprintf(line, sizeof line, "%s.executor", name);
	put(line, executed / (cpu_seconds() - start), "of the model's time, ahead of it");
	qsort(p.part, p.n, sizeof *p.part, by_share);
	for (unsigned i = 0; i < p.n; i++) {
		snprintf(line, sizeof line, "%s.%s", name, p.part[i].name);
		put(line, p.part[i].share, "of one thread's time");
	}
	return 0;
}

/* A program, and a machine that is not the others'. */
static int open_on(const struct bench *b, const char *machine, const char *what, const char *arg, struct machine *m,
		   struct source *s, struct err *e)
{
	char machines[4096];

	if (machine_load(m, machine, root_path("csim/machines", machines), e) != 0 || machine_resolve(m, e) != 0)
		return -1;
	return open_source(b, what, arg, s, e);
}

/* Of a machine of its own, whose SMs the launch fills. */
static int bench_threads(const struct bench *b, const char *machine, const char *what, const char *arg, struct err *e)
{
	char name[64], unit[128];
	struct bench_threads result;
	struct machine m;
	struct source s;
	double executed;
	int rc;

	snprintf(name, sizeof name, "threads.%s.%s", machine, what);
	if (!wanted(b, name))
		return 0;
	executed = cpu_seconds();
	if (open_on(b, machine, what, arg, &m, &s, e) != 0)
		return -1;
	executed = cpu_seconds() - executed;
	rc = bench_threads_measure(&m, s.trace, b->repeat, &result, e);
	if (rc == 0) {
		snprintf(unit, sizeof unit, "times one thread's speed with %u; as many runs side by side: %.3f", result.threads,
			 result.side_by_side);
		put(name, result.faster, unit);
		rc = bench_parts(name, &m, s.trace, executed, e);
	}
	source_close(&s);
	return rc;
}

/* Of the model on a machine: how many times its floor. */
static int bench_floor(const struct bench *b, const char *machine, const char *what, const char *arg, struct err *e)
{
	char name[64], unit[160];
	struct bench_floor f;
	struct machine m;
	struct source s;
	int rc;

	snprintf(name, sizeof name, "floor.%s.%s", machine, what);
	if (!wanted(b, name))
		return 0;
	if (open_on(b, machine, what, arg, &m, &s, e) != 0)
		return -1;
	rc = bench_floor_measure(&m, s.trace, b->repeat, &f, e);
	source_close(&s);
	if (rc != 0)
		return -1;
	snprintf(unit, sizeof unit,
		 "times the floor: %.3f s over %.3f s for %.2f M warp instructions, %.2f M lines, %.2f M bank cycles", f.model,
		 f.floor, (double)f.insts / 1e6, (double)f.lines / 1e6, (double)f.cycles / 1e6);
	put(name, f.model / f.floor, unit);
	return 0;
}

/* A Dinero trace in memory: strides, loops and random places in turn. */
static char *make_dinero(unsigned accesses, size_t *bytes)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, bytes);
	uint64_t x = 1;

	for (unsigned i = 0; f && i < accesses; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		fprintf(f, "%u %" PRIx64 "\n", (unsigned)(x >> 62) & 1,
			i & 1	? (uint64_t)(i % 5000) * 4
			: i & 2 ? (x >> 40)
				: (uint64_t)i * 4096 & 0xffffff);
	}
	if (f)
		fclose(f);
	return text;
}

static int bench_dinero(const struct bench *b, struct err *e)
{
	enum { ACCESSES = 1000000 };
	double rate[MAX_REPEAT];
	size_t bytes = 0;
	char *text;

	if (!wanted(b, "cache.dinero"))
		return 0;
	text = make_dinero(ACCESSES, &bytes);
	for (unsigned i = 0; text && i < b->repeat; i++) {
		struct dinero_params p = {.bytes = 16384, .line = 128, .assoc = 4, .poly = 37};
		FILE *f = fmemopen(text, bytes, "r");
		struct dinero_cache *c = dinero_open(&p, e);
		double start = cpu_seconds();
		int rc = c && f ? dinero_replay(c, f, "bench", e) : -1;

		rate[i] = ACCESSES / (cpu_seconds() - start);
		if (f)
			fclose(f);
		if (c)
			dinero_close(c);
		if (rc != 0) {
			free(text);
			return err_prefix(e, "bench: the replay of cache.din failed");
		}
	}
	free(text);
	put("cache.dinero", median(rate, b->repeat), "accesses/s");
	return 0;
}

/* A list of requests in memory: line after line; lines at random, a quarter of them written; rows of one bank. */
static char *make_dram(unsigned requests, enum dram_bench kind, size_t *bytes)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, bytes);
	uint64_t x = 1;

	for (uint64_t i = 0; f && i < requests; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		fprintf(f, "0x%" PRIx64 " %c\n",
			kind == DRAM_BENCH_STREAM   ? i * 128
			: kind == DRAM_BENCH_RANDOM ? (x >> 32) & ~UINT64_C(127)
						    : i << 20,
			kind == DRAM_BENCH_RANDOM && (x >> 60) % 4 == 0 ? 'W' : 'R');
	}
	if (f)
		fclose(f);
	return text;
}

/* CPU seconds of one replay, or a negative number. m NULL: of reading the list alone. */
static double dram_once(const struct machine *m, char *text, size_t bytes, struct err *e)
{
	FILE *f = fmemopen(text, bytes, "r");
	struct dram_trace *t = m ? dram_trace_open(m, m->l2.c.line, NULL, NULL) : NULL;
	double start = cpu_seconds();
	int rc = f ? dram_trace_read(t, f, "bench", e) : err_set(e, "bench: out of memory");

	if (rc == 0 && t)
		dram_trace_end(t);
	start = cpu_seconds() - start;
	if (f)
		fclose(f);
	if (t)
		dram_trace_close(t);
	return rc == 0 ? start : -1;
}

enum { DRAM_REQUESTS = 500000 };

/* The same of a channel of DRAM: its floor is the reading of the list. */
static int bench_dram_floor(const struct bench *b, struct err *e)
{
	double floor = INFINITY, model = INFINITY;
	size_t bytes = 0;
	char *text, unit[160];
	int rc = 0;

	if (!wanted(b, "floor.dram.random"))
		return 0;
	if (!(text = make_dram(DRAM_REQUESTS, DRAM_BENCH_RANDOM, &bytes)))
		return err_set(e, "bench: out of memory");
	for (unsigned i = 0; i < b->repeat && rc == 0; i++) {
		double reading = dram_once(NULL, text, bytes, e), replay = dram_once(&b->machine, text, bytes, e);

		rc = reading < 0 || replay < 0 ? -1 : 0;
		floor = fmin(floor, reading);
		model = fmin(model, replay);
	}
	free(text);
	if (rc != 0)
		return -1;
	snprintf(unit, sizeof unit, "times the floor: %.3f s over %.3f s for %.2f M requests", model, floor, DRAM_REQUESTS / 1e6);
	put("floor.dram.random", model / floor, unit);
	return 0;
}

static int bench_dram(const struct bench *b, const char *name, enum dram_bench kind, struct err *e)
{
	double rate[MAX_REPEAT];
	size_t bytes = 0;
	char *text;

	if (!wanted(b, name))
		return 0;
	if (!(text = make_dram(DRAM_REQUESTS, kind, &bytes)))
		return err_set(e, "bench: out of memory");
	for (unsigned i = 0; i < b->repeat; i++) {
		double seconds = dram_once(&b->machine, text, bytes, e);

		if (seconds < 0) {
			free(text);
			return -1;
		}
		rate[i] = DRAM_REQUESTS / seconds;
	}
	free(text);
	put(name, median(rate, b->repeat), "requests/s");
	return 0;
}

int cli_bench(int argc, char **argv)
{
	bool any = false;
	struct bench b = {.repeat = 3, .only = "", .any = &any};
	struct err e = {""};
	char machines[4096];

	cli_parse(&argp, argc, argv, &b);
	root_path("", b.root);
	/* First, as long as this process is small. */
	if (bench_recording(&b, "matmul", ARGS("n=128"), "short", &e) != 0 ||
	    bench_recording(&b, "matmul", ARGS("n=640"), "long", &e) != 0 ||
	    bench_recording(&b, "bfs", ARGS("graph=rmat", "scale=10"), "short", &e) != 0 ||
	    bench_recording(&b, "bfs", ARGS("graph=rmat", "scale=17"), "long", &e) != 0)
		return cli_fail(&e);
	if (machine_load(&b.machine, "gtx480", root_path("csim/machines", machines), &e) != 0 ||
	    machine_resolve(&b.machine, &e) != 0 || bench_executor(&b, "matmul", "n=256", &e) != 0 ||
	    bench_executor(&b, "bfs", NULL, &e) != 0 || bench_model(&b, "matmul", "n=256", &e) != 0 ||
	    bench_model(&b, "vectoradd", "n=1M", &e) != 0 || bench_lockstep(&b, "matmul", "n=256", "", &e) != 0 ||
	    bench_lockstep(&b, "vectoradd", "n=1M", "vectoradd", &e) != 0 || bench_profile(&b, "matmul", "n=256", &e) != 0 ||
	    bench_profile(&b, "vectoradd", "n=1M", &e) != 0 || bench_profile(&b, "spmv", NULL, &e) != 0 ||
	    bench_threads(&b, "gtx480", "matmul", "n=512", &e) != 0 || bench_threads(&b, "gtx480", "vectoradd", "n=1M", &e) != 0 ||
	    bench_threads(&b, "titanv", "matmul", "n=512", &e) != 0 || bench_threads(&b, "titanv", "vectoradd", "n=1M", &e) != 0 ||
	    bench_threads(&b, "qv100", "matmul", "n=512", &e) != 0 || bench_threads(&b, "multichip8", "matmul", "n=512", &e) != 0 ||
	    bench_dinero(&b, &e) != 0 || bench_dram(&b, "dram.stream", DRAM_BENCH_STREAM, &e) != 0 ||
	    bench_dram(&b, "dram.random", DRAM_BENCH_RANDOM, &e) != 0 ||
	    bench_dram(&b, "dram.conflicts", DRAM_BENCH_CONFLICTS, &e) != 0 ||
	    bench_floor(&b, "gtx480", "matmul", "n=256", &e) != 0 || bench_floor(&b, "gtx480", "vectoradd", "n=1M", &e) != 0 ||
	    bench_floor(&b, "titanv", "vectoradd", "n=1M", &e) != 0 || bench_floor(&b, "gtx480", "syrk", NULL, &e) != 0 ||
	    bench_dram_floor(&b, &e) != 0)
		return cli_fail(&e);
	if (!any)
		err_set(&e,
			"bench: no name begins with \"%s\" (names begin with record., executor., model., lockstep., profile., "
			"threads., cache.din, dram. and floor.)",
			b.only);
	return any ? CLI_OK : cli_fail(&e);
}

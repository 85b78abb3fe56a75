/* locus bench: how fast the parts are, one line a figure, `name value unit`. CPU time, not wall time: the median of some runs. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cputime.h"
#include "cli/cli.h"
#include "gpu/gpu.h"
#include "host/source.h"
#include "machine/machine.h"

enum { MAX_REPEAT = 99 };

struct bench {
	unsigned repeat;
	const char *only; /* prefix of the figures' names; "" for all */
	struct machine machine;
	char root[4096];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bench *b = state->input;

	if (key == 'n') {
		b->repeat = (unsigned)strtoul(arg, NULL, 10);
		if (b->repeat < 1 || b->repeat > MAX_REPEAT)
			argp_error(state, "--repeat takes 1 to %d", MAX_REPEAT);
	} else if (key == ARGP_KEY_ARG && state->arg_num == 0) {
		b->only = arg;
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"repeat", 'n', "N", 0, "runs of each figure, of which the median is printed (3)", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"[PREFIX]",
	"Times the executor, the cycle model on gtx480 and the lockstep co-simulation; prints `name value unit` "
	"per CPU-second.\v"
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
	printf("%-24s %14.*f %s\n", name, value < 100 ? 3 : 0, value, unit);
	fflush(stdout);
}

static bool wanted(const struct bench *b, const char *name)
{
	return !strncmp(name, b->only, strlen(b->only)) || !strncmp(name, b->only, strlen(name));
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

/* One run of the model; CPU seconds, or a negative number. */
static double run_once(const struct bench *b, struct trace *t, struct gpu_result *r, struct err *e)
{
	struct gpu_config c = {.machine = &b->machine, .trace = t};
	double start = cpu_seconds();

	if (gpu_run(&c, r, e) != 0)
		return -1;
	return cpu_seconds() - start;
}

static int bench_model(const struct bench *b, const char *what, const char *arg, struct err *e)
{
	double insts[MAX_REPEAT], cycles[MAX_REPEAT];
	struct source s;
	char name[64], sm_name[80];

	snprintf(name, sizeof name, "model.%s", what);
	snprintf(sm_name, sizeof sm_name, "%s.cycles", name);
	if (!wanted(b, name))
		return 0;
	if (open_source(b, what, arg, &s, e) != 0)
		return -1;
	for (unsigned i = 0; i < b->repeat; i++) {
		struct gpu_result r = {0};
		double seconds = run_once(b, s.trace, &r, e);

		if (seconds < 0) {
			source_close(&s);
			return -1;
		}
		insts[i] = (double)r.warp_insts / seconds;
		cycles[i] = (double)r.cycles * b->machine.sm.count / seconds;
		stats_free(&r.stats);
	}
	source_close(&s);
	put(name, median(insts, b->repeat), "warp-instructions/s");
	put(sm_name, median(cycles, b->repeat), "SM-cycles/s");
	return 0;
}

int cli_bench(int argc, char **argv)
{
	struct bench b = {.repeat = 3, .only = ""};
	struct err e = {""};
	char machines[4096];

	cli_parse(&argp, argc, argv, &b);
	cli_root_path("", b.root);
	if (machine_load(&b.machine, "gtx480", cli_root_path("csim/machines", machines), &e) != 0 ||
	    machine_resolve(&b.machine, &e) != 0 || bench_executor(&b, "matmul", "n=256", &e) != 0 ||
	    bench_executor(&b, "bfs", NULL, &e) != 0 || bench_model(&b, "matmul", "n=256", &e) != 0 ||
	    bench_model(&b, "vectoradd", "n=1M", &e) != 0)
		return cli_fail(&e);
	return CLI_OK;
}

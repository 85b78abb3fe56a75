#include "cli/bench_threads.h"

#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 4 };

static double wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_once(const struct machine *m, struct trace *t, uint32_t threads, uint64_t *cycles, double *least, struct err *e)
{
	struct gpu_config c = {.machine = m, .trace = t, .threads = threads};
	struct gpu_result r = {0};
	double start = wall_seconds();

	if (gpu_run(&c, &r, e) != 0)
		return -1;
	*least = fmin(*least, wall_seconds() - start);
	*cycles = r.cycles;
	gpu_result_free(&r);
	return 0;
}

/* Processes of their own, so that nothing is shared but the host. */
static int run_side_by_side(const struct machine *m, struct trace *t, uint32_t n, double *least, struct err *e)
{
	double start = wall_seconds(), ignored = INFINITY;
	uint64_t cycles;
	int bad = 0, status;
	pid_t child[MOST_THREADS];

	for (uint32_t i = 0; i < n; i++) {
		child[i] = fork();
		if (child[i] == 0)
			_exit(run_once(m, t, 1, &cycles, &ignored, e) != 0);
	}
	for (uint32_t i = 0; i < n; i++)
		bad |= child[i] < 0 || waitpid(child[i], &status, 0) < 0 || status != 0;
	*least = fmin(*least, wall_seconds() - start);
	return bad ? err_set(e, "bench: a concurrent run failed") : 0;
}

int bench_threads_measure(const struct machine *m, struct trace *t, unsigned repeat, struct bench_threads *out, struct err *e)
{
	double one = INFINITY, several = INFINITY, beside = INFINITY;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t cycles[2];

	out->threads = cores < 2 ? 2 : cores < MOST_THREADS ? (uint32_t)cores : MOST_THREADS;
	for (unsigned i = 0; i < repeat; i++) {
		if (run_once(m, t, 1, &cycles[0], &one, e) != 0 || run_once(m, t, out->threads, &cycles[1], &several, e) != 0 ||
		    run_side_by_side(m, t, out->threads, &beside, e) != 0)
			return -1;
		if (cycles[0] != cycles[1])
			return err_set(e, "bench: a run with %u threads takes other cycles than with one", out->threads);
	}
	out->faster = one / several;
	out->side_by_side = out->threads * one / beside;
	return 0;
}

#include "cli/bench_parts.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { LOOK_NS = 100 * 1000 };

struct looker {
	stepped_name now;
	atomic_bool over;
	unsigned n, total;
	struct {
		const char *name;
		unsigned looks;
	} seen[BENCH_PARTS_MAX];
};

static void note(struct looker *l, const char *name)
{
	unsigned i = 0;

	while (i < l->n && strcmp(l->seen[i].name, name) != 0)
		i++;
	if (i == BENCH_PARTS_MAX)
		return;
	l->n += i == l->n;
	l->seen[i].name = name;
	l->seen[i].looks++;
	l->total++;
}

static void *look(void *ctx)
{
	const struct timespec pause = {0, LOOK_NS};
	struct looker *l = ctx;

	while (!atomic_load(&l->over)) {
		const char *name = atomic_load_explicit(&l->now, memory_order_relaxed);

		note(l, name ? name : "loop");
		nanosleep(&pause, NULL);
	}
	return NULL;
}

int bench_parts_measure(const struct machine *m, struct trace *t, struct bench_parts *out, struct err *e)
{
	struct looker l = {.n = 0};
	struct gpu_config c = {.machine = m, .trace = t, .threads = 1, .stepped = &l.now};
	struct gpu_result r = {0};
	pthread_t thread;
	int rc;

	if (pthread_create(&thread, NULL, look, &l) != 0)
		return err_set(e, "bench: no thread could be started");
	rc = gpu_run(&c, &r, e);
	atomic_store(&l.over, true);
	pthread_join(thread, NULL);
	if (rc != 0)
		return -1;
	gpu_result_free(&r);
	out->n = l.n;
	for (unsigned i = 0; i < l.n; i++)
		out->part[i] = (struct bench_part){l.seen[i].name, (double)l.seen[i].looks / l.total};
	return 0;
}

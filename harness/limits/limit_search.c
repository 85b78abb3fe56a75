#include "limits/limit_search.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "process/interrupt.h"
#include "process/progress.h"
#include "sweep/content.h"
#include "sweep/pool.h"
#include "sweep/store.h"
#include "sweep/table.h"

enum { MOST = 64 }; /* warps of a scheduler */
enum { SHOWN = 8 }; /* kernels of the table over the limit: those that take longest */

struct kernel {
	const char *name;
	double cycles[MOST + 1], insts[MOST + 1]; /* by limit */
	unsigned best;
};

struct search {
	const struct limit_search *o;
	struct arena arena;
	unsigned most; /* limits are 1..most */
	uint64_t key;  /* of machine and trace */
	const char *name;
	struct kernel *kernel;
	unsigned kernels;
	struct sweep_store store;
	char made_with[CONTENT_HEX];
	const char *args[MOST + 1]; /* by limit */
	struct progress shown;
	unsigned made, to_make, failed;
};

/* ---- what is searched ---- */

static void add_kernel(struct search *s, const char *name)
{
	for (unsigned k = 0; k < s->kernels; k++)
		if (!strcmp(s->kernel[k].name, name))
			return;
	s->kernel[s->kernels++].name = arena_strdup(&s->arena, name);
}

static void learn_from(struct search *s, const struct session *of)
{
	const struct trace *t = of->source.trace;
	json_t *machine = machine_json(&of->machine);
	char *text = json_dumps(machine, JSON_COMPACT);

	s->most = of->machine.sm.warps / of->machine.sm.schedulers;
	s->key = XXH3_64bits_withSeed(text, strlen(text), trace_hash(t));
	s->name = arena_strdup(&s->arena, trace_name(t));
	s->kernel = arena_array(&s->arena, (size_t)trace_n_kernels(t) + 1, sizeof *s->kernel);
	for (uint32_t i = 0; i < trace_n_launches(t); i++)
		add_kernel(s, trace_kernel(t, trace_launch(t, i)->kernel)->name);
	free(text);
	json_decref(machine);
}

static int learn(struct search *s, struct err *e)
{
	struct session of;
	int rc = session_open(&of, s->o->session, e);

	if (rc == 0 && (rc = session_source(&of, e)) == 0)
		learn_from(s, &of);
	session_close(&of);
	return rc;
}

/* ---- the runs ---- */

static const char *program_of(const struct search *s)
{
	return s->o->program ? s->o->program : "/proc/self/exe";
}

static int ended(void *ctx, const struct sweep_end *end, struct err *e)
{
	struct search *s = ctx;
	int rc = end->json ? sweep_store_put(&s->store, s->made_with, end->args, end->seconds, end->json, e) : 0;

	s->made++;
	if (end->why) {
		s->failed++;
		progress_hide(&s->shown);
		fprintf(stderr, "locus %s: %s\n", end->args, end->why);
	}
	progress_count(&s->shown, s->made, s->to_make);
	return rc;
}

static int make(struct search *s, const char *const *list, struct err *e)
{
	struct sweep_pool pool = {.program = program_of(s), .dir = s->o->dir, .jobs = s->o->jobs, .ended = ended, .ctx = s};
	int rc;

	scratch_collect(s->o->dir);
	progress_begin(&s->shown, "%u runs, one a limit", s->to_make);
	pool.stop = interrupt_hold();
	rc = sweep_pool_run(&pool, list, s->to_make, e);
	interrupt_release();
	progress_end(&s->shown);
	return rc == 0 && s->failed ? err_set(e, "%u of the search's %u runs have failed", s->failed, s->to_make) : rc;
}

static int make_missing(struct search *s, struct err *e)
{
	const char *missing[MOST];

	for (unsigned n = 1; n <= s->most; n++) {
		char *kept;

		s->args[n] = arena_printf(&s->arena, "%s --throttle swt:%u", s->o->args, n);
		kept = sweep_store_get(&s->store, s->made_with, s->args[n]);
		if (!kept)
			missing[s->to_make++] = s->args[n];
		free(kept);
	}
	return s->to_make ? make(s, missing, e) : 0;
}

/* ---- what they say ---- */

static struct kernel *kernel_of(struct search *s, const json_t *launch)
{
	const char *name = json_string_value(json_object_get(launch, "kernel"));

	for (unsigned k = 0; name && k < s->kernels; k++)
		if (!strcmp(s->kernel[k].name, name))
			return &s->kernel[k];
	return NULL;
}

static int read_run(struct search *s, unsigned limit, struct err *e)
{
	json_t *result = sweep_store_result(&s->store, s->made_with, s->args[limit]), *launch;
	size_t i;

	if (!result)
		return err_set(e, "locus %s: its result cannot be read", s->args[limit]);
	json_array_foreach(json_object_get(result, "launches"), i, launch)
	{
		const json_t *stats = json_object_get(launch, "stats");
		struct kernel *k = kernel_of(s, launch);

		if (!k)
			continue;
		k->cycles[limit] += json_number_value(json_object_get(stats, "cycles"));
		k->insts[limit] += json_number_value(json_object_get(stats, "warp_insts"));
	}
	json_decref(result);
	return 0;
}

static double ipc(const struct kernel *k, unsigned limit)
{
	return k->insts[limit] / k->cycles[limit];
}

static int read_all(struct search *s, struct err *e)
{
	for (unsigned n = 1; n <= s->most; n++)
		if (read_run(s, n, e) != 0)
			return -1;
	for (unsigned i = 0; i < s->kernels; i++) {
		struct kernel *k = &s->kernel[i];

		k->best = s->most;
		for (unsigned n = s->most; n >= 1; n--)
			if (ipc(k, n) > ipc(k, k->best))
				k->best = n;
	}
	return 0;
}

static int by_cycles(const void *a, const void *b)
{
	const struct kernel *x = a, *y = b;

	return (x->cycles[1] < y->cycles[1]) - (x->cycles[1] > y->cycles[1]);
}

/* ---- tables ---- */

static const char *file_id(struct search *s)
{
	char *id = arena_printf(&s->arena, "limits-%s", s->name);

	for (char *c = id; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '-';
	return id;
}

static int show_limits(struct search *s, FILE *to, struct err *e)
{
	const char *column[SHOWN + 1] = {NULL};
	unsigned shown = s->kernels < SHOWN ? s->kernels : SHOWN;
	struct sweep_table t;

	for (unsigned k = 0; k < shown; k++)
		column[k] = s->kernel[k].name;
	sweep_table_init(&t, &s->arena, file_id(s), "IPC over the limit of warps a scheduler", "limit", "warp instructions a cycle",
			 column);
	t.curve = true;
	t.decimals = 3;
	for (unsigned n = 1; n <= s->most; n++) {
		double *v = sweep_table_row(&t, SWEEP_MEASURED, arena_printf(&s->arena, "%u", n));

		for (unsigned k = 0; k < shown; k++)
			v[k] = ipc(&s->kernel[k], n);
	}
	sweep_table_print(&t, to);
	return sweep_table_save(&t, s->o->dir, e);
}

static void show_best(struct search *s, FILE *to)
{
	static const char *const columns[] = {"best limit", "IPC", "IPC without", "speed-up", NULL};
	struct sweep_table t;

	sweep_table_init(&t, &s->arena, "best", "The best limit of each kernel", "kernel", "", columns);
	t.digits = 4;
	for (unsigned i = 0; i < s->kernels; i++) {
		const struct kernel *k = &s->kernel[i];
		double *v = sweep_table_row(&t, SWEEP_MEASURED, k->name);

		v[0] = k->best;
		v[1] = ipc(k, k->best);
		v[2] = ipc(k, s->most);
		v[3] = v[1] / v[2];
	}
	sweep_table_print(&t, to);
}

/* ---- the schedule ---- */

/* All warps, and a limit of its own for each kernel that wants one. */
static int write_schedule(const struct search *s, char out[LIMIT_SCHEDULE], struct err *e)
{
	size_t at = (size_t)snprintf(out, LIMIT_SCHEDULE, "swt:warps=%u", s->most);
	unsigned named = 0;

	for (unsigned i = 0; i < s->kernels; i++) {
		const struct kernel *k = &s->kernel[i];

		if (k->best == s->most)
			continue;
		at += (size_t)snprintf(out + at, LIMIT_SCHEDULE - at, "%s%s:%u", named++ ? "+" : ",kernels=", k->name, k->best);
		if (at >= LIMIT_SCHEDULE)
			return err_set(e, "--throttle swt:best: too many kernels for throttle.kernels; the tables are in %s",
				       s->o->dir);
	}
	return 0;
}

static int report(struct search *s, FILE *to, char schedule[LIMIT_SCHEDULE], struct err *e)
{
	if (read_all(s, e) != 0)
		return -1;
	qsort(s->kernel, s->kernels, sizeof *s->kernel, by_cycles);
	if (show_limits(s, to, e) != 0)
		return -1;
	show_best(s, to);
	if (write_schedule(s, schedule, e) != 0)
		return -1;
	fprintf(to, "%u limits tried, %u of them before; kept in %s. The run below: --throttle %s\n\n", s->most,
		s->most - s->to_make, s->o->dir, schedule);
	return 0;
}

int limit_search(const struct limit_search *o, FILE *to, char schedule[LIMIT_SCHEDULE], struct err *e)
{
	struct search s = {.o = o};
	char path[4096];
	int rc = learn(&s, e);

	if (rc == 0 && mkdir(o->dir, 0777) != 0 && errno != EEXIST)
		rc = err_set(e, "%s: %s", o->dir, strerror(errno));
	if (rc == 0) {
		snprintf(path, sizeof path, "%s/%016" PRIx64 ".db", o->dir, s.key);
		rc = content_of_checkout(program_of(&s), s.made_with, e) || sweep_store_open(&s.store, path, e) ? -1 : 0;
		if (rc == 0) {
			rc = make_missing(&s, e) != 0 ? -1 : report(&s, to, schedule, e);
			sweep_store_close(&s.store);
		}
	}
	arena_free(&s.arena);
	return rc;
}

#include "sweep/runs.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/files/scratch.h"
#include "process/interrupt.h"
#include "process/output.h"
#include "process/progress.h"
#include "sweep/pool.h"
#include "sweep/shards.h"

struct seen {
	const char *run;
	UT_hash_handle hh;
};

int sweep_runs_open(struct sweep_store *s, const char *dir, struct err *e)
{
	char path[4096];

	s->db = NULL;
	if (output_folder(dir, e) != 0)
		return -1;
	snprintf(path, sizeof path, "%.4000s/runs.db", dir);
	if (sweep_store_open(s, path, e) != 0)
		return -1;
	if (sweep_shards_merge(dir, s, NULL, e) == 0)
		return 0;
	sweep_store_close(s);
	return -1;
}

static bool is_new(struct seen **all, struct arena *a, const struct sweep_point *at)
{
	const char *run = arena_printf(a, "%s %s", at->content, at->args);
	struct seen *s;

	HASH_FIND_STR(*all, run, s);
	if (s)
		return false;
	s = arena_alloc(a, sizeof *s);
	s->run = run;
	HASH_ADD_KEYPTR(hh, *all, s->run, strlen(s->run), s);
	return true;
}

static bool is_there(char *text)
{
	free(text);
	return text != NULL;
}

struct sweep_missing sweep_runs_missing(struct sweep_plan *p, struct sweep_store *s, bool retry)
{
	struct sweep_missing m = {.point = arena_array(&p->arena, p->n_points, sizeof *m.point),
				  .args = arena_array(&p->arena, p->n_points, sizeof *m.args)};
	struct seen *seen = NULL;

	for (unsigned i = 0; i < p->n_points; i++) {
		const struct sweep_point *at = &p->point[i];
		bool kept, failed;

		if (!is_new(&seen, &p->arena, at))
			continue;
		kept = is_there(sweep_store_get(s, at->content, at->args));
		failed = !kept && is_there(sweep_store_failure(s, at->content, at->args));
		m.before.all++;
		m.before.kept += kept;
		m.before.failed += failed;
		m.before.missing += !kept && !failed;
		if (kept || (failed && !retry))
			continue;
		m.point[m.n] = at;
		m.args[m.n++] = at->args;
	}
	HASH_CLEAR(hh, seen);
	return m;
}

/* ---- making them ---- */

struct making {
	const struct sweep_missing *m;
	const struct sweep_options *o;
	struct sweep_store *store;
	struct progress shown;
	unsigned done;
};

/* A line is printed when what it says is on the disk. */
static void report_end(struct making *k, const struct sweep_end *end)
{
	progress_count(&k->shown, ++k->done, k->m->n);
	progress_hide(&k->shown);
	if (!end->json)
		fprintf(stderr, "locus %s: %s\n", end->args, end->why);
	else if (k->o->each) {
		fprintf(k->o->each, "%u/%u  %.1f s  locus %s\n", k->done, k->m->n, end->seconds, end->args);
		fflush(k->o->each);
	}
}

static int ended(void *ctx, const struct sweep_end *end, struct err *e)
{
	struct making *k = ctx;
	const char *content = k->m->point[end->index]->content;
	int rc;

	if (end->interrupted)
		return 0;
	rc = end->json ? sweep_store_put(k->store, content, end->args, end->seconds, end->json, e)
		       : sweep_store_put_failure(k->store, content, end->args, end->why, e);
	if (rc == 0)
		report_end(k, end);
	return rc;
}

int sweep_runs_make(const struct sweep_missing *m, struct sweep_store *s, const struct sweep_options *o, struct err *e)
{
	struct making k = {.m = m, .o = o, .store = s};
	struct sweep_pool pool = {
		.program = o->program, .dir = o->dir, .jobs = o->jobs, .memory = o->memory, .ended = ended, .ctx = &k};
	int rc;

	scratch_collect(o->dir);
	progress_begin(&k.shown, "%u runs", m->n);
	progress_predict(&k.shown);
	progress_count(&k.shown, 0, m->n);
	pool.stop = interrupt_hold();
	rc = sweep_pool_run(&pool, m->args, m->n, e);
	interrupt_release();
	progress_end(&k.shown);
	return rc;
}

void sweep_runs_print_failures(struct sweep_plan *p, struct sweep_store *s, unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n_points && n < most; i++) {
		const struct sweep_point *at = &p->point[i];
		bool kept = is_there(sweep_store_get(s, at->content, at->args));
		char *why = kept ? NULL : sweep_store_failure(s, at->content, at->args);

		if (why)
			fprintf(stderr, "locus %s: %s\n", at->args, why);
		n += why != NULL;
		free(why);
	}
}

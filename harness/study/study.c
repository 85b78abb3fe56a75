#include "study/study.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

#include "process/interrupt.h"
#include "process/output.h"
#include "process/progress.h"
#include "session/machine_choice.h"
#include "session/result.h"
#include "sweep/pool.h"
#include "version.h"

struct study_asked {
	const char *args;
	json_t *result;
	bool failed;
	UT_hash_handle hh;
};

/* file: one without which a result that is kept is worth nothing; NULL: none. */
static struct study_asked *ask(struct study_context *c, const char *args, const char *file)
{
	struct study_asked *r;

	HASH_FIND_STR(c->asked, args, r);
	if (r)
		return r;
	r = arena_alloc(&c->arena, sizeof *r);
	r->args = arena_strdup(&c->arena, args);
	if (c->store.db && (!file || access(file, R_OK) == 0))
		r->result = sweep_store_result(&c->store, c->made_with, args);
	HASH_ADD_KEYPTR(hh, c->asked, r->args, strlen(r->args), r);
	return r;
}

/* Whether a run is at another size than the study's: it names one, or sets options of the workload, which are its
 * size. */
static bool has_own_size(const struct study_context *c, const char *args)
{
	const char *size = strstr(args, " --size ");
	size_t n = strlen(c->size);

	if (strstr(args, " --arg "))
		return true;
	if (!size)
		return strcmp(c->size, "default") != 0;
	size += strlen(" --size ");
	return strncmp(size, c->size, n) != 0 || (size[n] && size[n] != ' ');
}

/* The machine that the arguments name, or the one that runs without a name have. */
static const char *machine_of(struct study_context *c, const char *args)
{
	static const char option[] = " --machine ";
	const char *name = strstr(args, option);

	return name ? arena_printf(&c->arena, "%.*s", (int)strcspn(name + strlen(option), " "), name + strlen(option))
		    : MACHINE_DEFAULT;
}

static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

static void count(struct study_context *c, const char *args)
{
	const char *machine = machine_of(c, args);

	c->runs++;
	c->own += has_own_size(c, args);
	if (!c->machines)
		c->machines = machine;
	else if (!is_listed(c->machines, machine))
		c->machines = study_args(c, "%s, %s", c->machines, machine);
}

static void make_figure(struct study_context *c, const struct study_figure *f, struct sweep_table *t)
{
	c->runs = c->own = 0;
	c->machines = NULL;
	f->make(c, t);
	if (c->machines)
		t->note = study_args(c, "Machine%s: %s.", strchr(c->machines, ',') ? "s" : "", c->machines);
}

double study_value(struct study_context *c, const char *name, const char *args)
{
	count(c, args);
	return result_value(ask(c, args, NULL)->result, name);
}

double study_picture(struct study_context *c, const char *name, const char *args, const char *file)
{
	const char *path = study_args(c, "%s/%s", c->dir, file);

	count(c, args);
	return result_value(ask(c, study_args(c, "%s %s", args, sweep_pool_quoted(&c->arena, path)), path)->result, name);
}

/* ---- making the runs ---- */

struct runs {
	struct study_context *c;
	struct progress shown;
	unsigned done, all, failed;
	bool own; /* some run is at a size of its own */
};

static int run_ended(void *ctx, const struct sweep_end *end, struct err *e)
{
	struct runs *p = ctx;
	struct study_asked *r = ask(p->c, end->args, NULL);
	int rc = 0;

	p->done++;
	if (end->json) {
		rc = sweep_store_put(&p->c->store, p->c->made_with, end->args, end->seconds, end->json, e);
		r->result = json_loads(end->json, 0, NULL);
		r->failed = !r->result;
	} else {
		p->failed++;
		r->failed = true;
		progress_hide(&p->shown);
		fprintf(stderr, "locus %s: %s\n", end->args, end->why);
	}
	progress_count(&p->shown, p->done, p->all);
	return rc;
}

/* Those that were asked for and have neither a result nor failed. */
static const char **missing(struct study_context *c, unsigned *n)
{
	const char **list = arena_array(&c->arena, HASH_COUNT(c->asked) + 1, sizeof *list);

	*n = 0;
	for (struct study_asked *r = c->asked; r; r = r->hh.next)
		if (!r->result && !r->failed)
			list[(*n)++] = r->args;
	return list;
}

static bool is_wanted(const struct study_options *o, const struct study_figure *f)
{
	return !o->figure || !strcmp(o->figure, f->id);
}

static const char *program_of(const struct study_options *o)
{
	return o->program ? o->program : "/proc/self/exe";
}

static int run_all(struct runs *p, struct sweep_pool *pool, const char *const *list, unsigned n, struct err *e)
{
	int rc;

	scratch_collect(pool->dir);
	progress_begin(&p->shown, "%u runs", p->all);
	progress_count(&p->shown, p->done, p->all);
	pool->stop = interrupt_hold();
	rc = sweep_pool_run(pool, list, n, e);
	interrupt_release();
	progress_end(&p->shown);
	return rc;
}

/* What --size does not reach, before the work is done. */
static void print_own_sizes(const struct study_context *c, const struct study *s, const struct study_options *o, const char *figure)
{
	if (o->size_given && c->own)
		fprintf(stderr, "locus: study %s, figure %s: %s have sizes of their own, whatever --size %s says\n", s->name,
			figure, c->own == c->runs ? "its runs" : "some of its runs", o->size);
}

static int make_runs(const struct study *s, const struct study_options *o, struct study_context *c, struct runs *p, struct err *e)
{
	struct sweep_pool pool = {.program = program_of(o), .dir = o->dir, .jobs = o->jobs, .ended = run_ended, .ctx = p};
	const char **list;
	bool first = true;
	unsigned n;

	for (;; first = false) {
		for (const struct study_figure *f = s->figure; f->id; f++) {
			struct sweep_table t;

			if (!is_wanted(o, f))
				continue;
			make_figure(c, f, &t);
			if (first)
				print_own_sizes(c, s, o, f->id);
			p->own = p->own || c->own;
		}
		list = missing(c, &n);
		if (!n)
			return 0;
		p->all = p->done + n;
		if (run_all(p, &pool, list, n, e) != 0)
			return -1;
	}
}

static int print_figures(const struct study *s, const struct study_options *o, struct study_context *c, FILE *to, struct err *e)
{
	for (const struct study_figure *f = s->figure; f->id; f++) {
		struct sweep_table t;

		if (!is_wanted(o, f))
			continue;
		make_figure(c, f, &t);
		sweep_table_print(&t, to);
		if (sweep_table_save(&t, o->dir, e) != 0)
			return -1;
	}
	return 0;
}

/* Where the tables come from. */
static void print_origin(const struct study *s, const struct study_options *o, struct study_context *c, bool own, FILE *to)
{
	double seconds;
	unsigned n = sweep_store_count(&c->store, c->made_with, &seconds);

	fprintf(to, "`locus study %s%s%s`, workloads of %s size%s, version %s: %u runs, %.1f minutes of one processor.\n", s->name,
		o->figure ? " --figure " : "", o->figure ? o->figure : "", o->size, own ? ", some of their own" : "", LOCUS_GIT, n,
		seconds / 60);
}

static bool has_figure(const struct study *s, const char *id)
{
	for (const struct study_figure *f = s->figure; f->id; f++)
		if (!strcmp(f->id, id))
			return true;
	return false;
}

void study_list_runs(const struct study *s, const char *size, FILE *to)
{
	struct study_context c = {.size = size, .dir = "."};

	for (const struct study_figure *f = s->figure; f->id; f++) {
		struct sweep_table t;

		make_figure(&c, f, &t);
	}
	for (const struct study_asked *r = c.asked; r; r = r->hh.next)
		fprintf(to, "%s\n", r->args);
	HASH_CLEAR(hh, c.asked);
	arena_free(&c.arena);
}

int study_run(const struct study *s, const struct study_options *o, FILE *to, struct err *e)
{
	struct study_context c = {.size = o->size, .dir = o->dir};
	struct runs p = {.c = &c};
	char path[4096];
	int rc = -1;

	if (o->figure && !has_figure(s, o->figure))
		return err_set(e, "--figure: the study \"%s\" has no \"%s\"", s->name, o->figure);
	snprintf(path, sizeof path, "%s/runs.db", o->dir);
	if (output_folder(o->dir, e) == 0 && content_of_checkout(program_of(o), c.made_with, e) == 0 &&
	    sweep_store_open(&c.store, path, e) == 0) {
		if (make_runs(s, o, &c, &p, e) == 0 && print_figures(s, o, &c, to, e) == 0) {
			print_origin(s, o, &c, p.own, to);
			rc = (int)p.failed;
		}
		sweep_store_close(&c.store);
	}
	for (struct study_asked *r = c.asked, *next; r; r = next) {
		next = r->hh.next;
		json_decref(r->result);
	}
	HASH_CLEAR(hh, c.asked);
	arena_free(&c.arena);
	return rc;
}

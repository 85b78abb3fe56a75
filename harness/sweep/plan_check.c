/* What a plan names is there, and each run's machine can be built; the runs' command lines, and what they are made
 * with. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/names.h"
#include "sweep/plan.h"
#include "workload/papers_names.h"
#include "workload/program.h"
#include "workload/source.h"

enum { MAX_SETTINGS = 512 };

struct known { /* what a text's hash is: of a machine, of a source */
	const char *text;
	uint64_t hash;
	UT_hash_handle hh;
};

struct check {
	struct sweep_plan *p;
	uint64_t program;
	struct known *machines, *sources;
	struct setting set[MAX_SETTINGS]; /* of one run */
	struct fy_node *at[MAX_SETTINGS];
	unsigned n;
};

/* ---- each value by itself ---- */

/* A file is named as from the plan's folder. */
static void find_file(struct sweep_plan *p, struct setting *s)
{
	const char *slash = strrchr(p->path, '/');
	const struct papers_name *name;
	const struct workload *w;
	struct err ignored = {""};
	const char *path;
	size_t n = strlen(s->value);
	bool is_path = strchr(s->value, '/') || (n > 5 && !strcmp(s->value + n - 5, ".yaml"));

	if (s->kind == SETTING_WORKLOAD)
		is_path = papers_name_find(s->value, &w, &name, &ignored) == 0 && !w;
	else if (s->kind != SETTING_MACHINE)
		return;
	if (!slash || !is_path || *s->value == '/')
		return;
	path = arena_printf(&p->arena, "%.*s/%s", (int)(slash - p->path), p->path, s->value);
	if (access(path, R_OK) == 0)
		s->value = path;
}

static int check_set(struct sweep_plan *p, struct sweep_set *s, struct err *e)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct err why = {""};

		find_file(p, &s->set[i]);
		if (setting_check(&s->set[i], &why) != 0)
			return yaml_error(p->y, s->at[i], e, "%s", why.text);
	}
	return 0;
}

/* Two axes that set one thing would say which only by their order. Of an axis that sets one thing, the first value
 * tells which. by: the axis that sets a thing. */
static int check_axis(struct sweep_plan *p, struct names *by, unsigned axis, struct err *e)
{
	const struct sweep_axis *a = &p->axis[axis];
	struct setting own;
	unsigned n = setting_find(a->name, &own) ? 1 : a->n;

	for (unsigned v = 0; v < a->n; v++)
		if (check_set(p, &a->value[v].sets, e) != 0)
			return -1;
	for (unsigned v = 0; v < n; v++)
		for (unsigned i = 0; i < a->value[v].sets.n; i++) {
			const struct setting *s = &a->value[v].sets.set[i];
			const char *key = arena_printf(&p->arena, "%u %s", s->order, s->name);
			int had = names_add(by, key, axis) ? (int)axis : names_find(by, key);

			if (had != (int)axis)
				return yaml_error(p->y, a->value[v].sets.at[i], e, "axes %s and %s both set %s", p->axis[had].name,
						  a->name, s->name);
		}
	return 0;
}

static int check_axes(struct sweep_plan *p, struct err *e)
{
	struct names by = {NULL};
	int rc = 0;

	for (unsigned a = 0; a < p->n_axes && rc == 0; a++)
		rc = check_axis(p, &by, a, e);
	names_free(&by);
	return rc;
}

/* ---- runs ---- */

/* An axis goes before what all have in common. */
static int take(struct check *c, const struct sweep_set *s, struct err *e)
{
	for (unsigned i = 0; i < s->n; i++) {
		unsigned k = 0;

		while (k < c->n && !setting_is_same(&c->set[k], &s->set[i]))
			k++;
		if (k == MAX_SETTINGS)
			return yaml_error(c->p->y, s->at[i], e, "more than %d settings of a run", MAX_SETTINGS);
		c->set[k] = s->set[i];
		c->at[k] = s->at[i];
		c->n += k == c->n;
	}
	return 0;
}

static int gather(struct check *c, const struct sweep_point *at, struct err *e)
{
	c->n = 0;
	if (take(c, &c->p->common, e) != 0)
		return -1;
	for (unsigned a = 0; a < c->p->n_axes; a++)
		if (at->choice[a] != SWEEP_NOTHING && take(c, &c->p->axis[a].value[at->choice[a]].sets, e) != 0)
			return -1;
	return 0;
}

static struct fy_node *place_of(const struct check *c, enum setting_kind kind, const char *name)
{
	for (unsigned i = c->n; i-- > 0;)
		if (c->set[i].kind == kind && (!name || !strcmp(c->set[i].name, name)))
			return c->at[i];
	return NULL;
}

/* The last of what changes the machine: the others are there on their own. */
static struct fy_node *place_of_machine(const struct check *c)
{
	for (unsigned i = c->n; i-- > 0;)
		if (setting_is_machines(&c->set[i]))
			return c->at[i];
	return NULL;
}

static struct known *know(struct check *c, struct known **all, const char *text, uint64_t hash)
{
	struct known *k = arena_alloc(&c->p->arena, sizeof *k);

	*k = (struct known){.text = text, .hash = hash};
	HASH_ADD_KEYPTR(hh, *all, k->text, strlen(k->text), k);
	return k;
}

static uint64_t hash_of_machine(const struct machine *m)
{
	json_t *json = machine_json(m);
	char *text = json_dumps(json, JSON_COMPACT);
	uint64_t hash = XXH3_64bits(text, strlen(text));

	free(text);
	json_decref(json);
	return hash;
}

/* sorted: the run's settings in order. */
static int machine_hash(struct check *c, const struct setting *sorted, uint64_t *hash, struct err *e)
{
	struct machine_choice choice = setting_machine(&c->p->arena, sorted, c->n);
	struct setting its[MAX_SETTINGS];
	struct known *k;
	struct machine *m;
	struct err why = {""};
	const char *words;
	unsigned n = 0;
	int rc;

	for (unsigned i = 0; i < c->n; i++)
		if (setting_is_machines(&sorted[i]))
			its[n++] = sorted[i];
	words = setting_words(&c->p->arena, its, n);
	HASH_FIND_STR(c->machines, words, k);
	if (!k) {
		m = xcalloc(1, sizeof *m);
		rc = machine_choose(&choice, m, &why);
		if (rc == 0)
			k = know(c, &c->machines, words, hash_of_machine(m));
		free(m);
		if (rc)
			return yaml_error(c->p->y, place_of_machine(c), e, "%s (of locus %s)", why.text, words);
	}
	*hash = k->hash;
	return 0;
}

static bool has_argument(const struct workload *w, const char *key)
{
	for (const struct workload_option *o = w->options; o && o->key; o++)
		if (!strcmp(o->key, key))
			return true;
	return false;
}

/* A workload has the arguments that it is given. */
static int check_arguments(struct check *c, const char *what, struct err *e)
{
	const struct papers_name *name;
	const struct workload *w;

	if (papers_name_find(what, &w, &name, e) != 0 || !w)
		return w ? -1 : 0;
	for (unsigned i = 0; i < c->n; i++)
		if (c->set[i].kind == SETTING_ARG && !setting_is_left(&c->set[i]) && !has_argument(w, c->set[i].name))
			return yaml_error(c->p->y, c->at[i], e, "workload %s has no argument \"%s\" (locus list %s shows them)",
					  what, c->set[i].name, w->name);
	return 0;
}

/* Whether what is run refuses one setting: a trace and a launch file take no --size and no --arg, a trace no --oob. */
static bool is_refused(const char *what, const struct setting *s, struct err *e)
{
	const char *arg[] = {"", NULL};
	struct source_options o = {.what = what};

	if (setting_is_left(s))
		return false;
	if (s->kind == SETTING_ARG) {
		o.args = arg;
		o.n_args = 1;
	} else if (s->kind == SETTING_OPTION && !strcmp(s->name, "size")) {
		o.size = s->value;
	} else if (s->kind == SETTING_OPTION && !strcmp(s->name, "oob")) {
		o.oob = (enum ptx_oob)ptx_oob_named(s->value);
	}
	return source_check_options(&o, e) != 0;
}

static int check_source(struct check *c, const char *what, struct err *e)
{
	struct err why = {""};

	for (unsigned i = 0; i < c->n; i++)
		if (is_refused(what, &c->set[i], &why))
			return yaml_error(c->p->y, c->at[i], e, "%s", why.text);
	return 0;
}

static int source_hash(struct check *c, const char *what, uint64_t *hash, struct err *e)
{
	struct known *k;
	struct err why = {""};

	HASH_FIND_STR(c->sources, what, k);
	if (!k) {
		if (content_of_source(what, hash, &why) != 0)
			return yaml_error(c->p->y, place_of(c, SETTING_WORKLOAD, NULL), e, "%s", why.text);
		k = know(c, &c->sources, what, *hash);
	}
	*hash = k->hash;
	return 0;
}

/* Values of arguments may name files too, such as graphs. */
static int add_argument_files(struct check *c, XXH3_state_t *h, struct err *e)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct stat st;
		uint64_t hash;

		if (c->set[i].kind != SETTING_ARG || stat(c->set[i].value, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		if (content_of_file(c->set[i].value, &hash, e) != 0)
			return -1;
		XXH3_64bits_update(h, &hash, sizeof hash);
	}
	return 0;
}

static int make_content(struct check *c, struct sweep_point *at, uint64_t machine, uint64_t source, struct err *e)
{
	uint64_t parts[] = {c->program, machine, source};
	XXH3_state_t *h = XXH3_createState();
	int rc;

	if (!h)
		abort();
	XXH3_64bits_reset(h);
	XXH3_64bits_update(h, parts, sizeof parts);
	rc = add_argument_files(c, h, e);
	snprintf(at->content, sizeof at->content, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(h));
	XXH3_freeState(h);
	return rc;
}

static int make_run(struct check *c, struct sweep_point *at, struct err *e)
{
	struct setting sorted[MAX_SETTINGS];
	uint64_t machine = 0, source = 0;

	if (gather(c, at, e) != 0)
		return -1;
	if (!place_of(c, SETTING_WORKLOAD, NULL))
		return err_set(e, "%s: a run has no workload: name one under axes, list or common", c->p->path);
	memcpy(sorted, c->set, c->n * sizeof *sorted);
	setting_sort(sorted, c->n);
	if (setting_is_left(&sorted[0]))
		return yaml_error(c->p->y, place_of(c, SETTING_WORKLOAD, NULL), e, "workload: there is no default");
	at->args = setting_words(&c->p->arena, sorted, c->n);
	if (check_arguments(c, sorted[0].value, e) != 0 || check_source(c, sorted[0].value, e) != 0 ||
	    source_hash(c, sorted[0].value, &source, e) != 0 || machine_hash(c, sorted, &machine, e) != 0)
		return -1;
	return make_content(c, at, machine, source, e);
}

int sweep_plan_check(struct sweep_plan *p, const char *program, struct err *e)
{
	struct check *c = xcalloc(1, sizeof *c);
	int rc;

	c->p = p;
	rc = content_of_file(program, &c->program, e) || check_set(p, &p->common, e) || check_axes(p, e) ? -1 : 0;
	for (unsigned i = 0; i < p->n_points && rc == 0; i++)
		rc = make_run(c, &p->point[i], e);
	HASH_CLEAR(hh, c->machines);
	HASH_CLEAR(hh, c->sources);
	free(c);
	return rc;
}

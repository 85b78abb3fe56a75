#include "sweep/plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/number.h"
#include "base/utf8.h"

enum { MAX_TEXT = 1024 /* bytes of a value */, MAX_NAME = 64 };

/* ---- values ---- */

/* A scalar that can be a word of a command line and a name in a table. */
static int take_text(struct sweep_plan *p, struct fy_node *at, const char *of, const char **text, struct err *e)
{
	const char *s = yaml_text(at);
	size_t n = strlen(s);

	if (!yaml_is_scalar(at) || !n)
		return yaml_error(p->y, at, e, "%s: needs a value", of);
	if (n > MAX_TEXT)
		return yaml_error(p->y, at, e, "%s: a value of more than %d bytes", of, MAX_TEXT);
	for (size_t i = 0, step; i < n; i += step) {
		step = utf8_letter(s + i, n - i);
		if (!step)
			return yaml_error(p->y, at, e, "%s: the value holds a control character", of);
	}
	*text = arena_strdup(&p->arena, s);
	return 0;
}

/* Whole numbers with two dots between them. */
static bool is_range(const char *text, uint64_t *from, uint64_t *to)
{
	const char *dots = strstr(text, "..");
	char first[32];

	if (!dots || dots - text >= (ptrdiff_t)sizeof first)
		return false;
	snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
	return number_parse_u64(first, from) == 0 && number_parse_u64(dots + 2, to) == 0;
}

/* Where a value is one: in common, in a value with a name, in the list. */
static int refuse_range(struct sweep_plan *p, struct fy_node *at, const char *of, struct err *e)
{
	uint64_t from, to;

	if (yaml_is_scalar(at) && is_range(yaml_text(at), &from, &to))
		return yaml_error(p->y, at, e, "%s: the range %s is for axes; here each value is written out", of, yaml_text(at));
	return 0;
}

static int add_setting(struct sweep_plan *p, struct sweep_set *to, const char *name, struct fy_node *at, struct err *e)
{
	struct setting s;
	struct suggestion near = {.typed = name};
	char hint[160];

	if (!setting_find(name, &s)) {
		setting_suggest(&near);
		return yaml_error(p->y, at, e, "nothing of a run is called \"%.100s\"%s", name, suggestion_text(&near, hint));
	}
	s.name = arena_strdup(&p->arena, s.name);
	if (take_text(p, at, name, &s.value, e) != 0)
		return -1;
	to->set[to->n] = s;
	to->at[to->n++] = at;
	return 0;
}

static unsigned count_pairs(struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;
	unsigned n = 0;

	while (yaml_next_pair(map, &iter, &key, &key_node, &value))
		n++;
	return n;
}

static void make_room(struct sweep_plan *p, struct sweep_set *s, unsigned n)
{
	s->set = arena_array(&p->arena, n + 1, sizeof *s->set);
	s->at = arena_array(&p->arena, n + 1, sizeof *s->at);
}

/* {l1-index: pric, throttle: dwt-cs} */
static int read_sets(struct sweep_plan *p, struct fy_node *map, const char *of, struct sweep_set *out, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(p->y, map, e, "%s: needs settings, such as {l1-index: pric}", of);
	make_room(p, out, count_pairs(map));
	while (yaml_next_pair(map, &iter, &key, &key_node, &value))
		if (refuse_range(p, value, key, e) != 0 || add_setting(p, out, key, value, e) != 0)
			return -1;
	return 0;
}

/* ---- axes ---- */

struct sweep_label {
	const char *text;
	unsigned value; /* its number */
	UT_hash_handle hh;
};

static const struct sweep_label *find_label(const struct sweep_axis *a, const char *text)
{
	struct sweep_label *found;

	HASH_FIND_STR(a->label, text, found);
	return found;
}

/* Of the value that comes next. */
static const char *keep_label(struct sweep_plan *p, struct sweep_axis *a, const char *text)
{
	struct sweep_label *l = arena_alloc(&p->arena, sizeof *l);

	l->text = arena_strdup(&p->arena, text);
	l->value = a->n;
	HASH_ADD_KEYPTR(hh, a->label, l->text, strlen(l->text), l);
	return l->text;
}

static struct sweep_value *add_value(struct sweep_plan *p, struct sweep_axis *a, const char *label, struct fy_node *at,
				     struct err *e)
{
	if (find_label(a, label)) {
		yaml_error(p->y, at, e, "axis %s has the value \"%s\" twice", a->name, label);
		return NULL;
	}
	if (a->n == SWEEP_MAX_VALUES) {
		yaml_error(p->y, at, e, "axis %s: more than %d values", a->name, SWEEP_MAX_VALUES);
		return NULL;
	}
	if (a->n == a->room) {
		struct sweep_value *more = arena_array(&p->arena, a->room = a->room ? 2 * a->room : 8, sizeof *more);

		if (a->n)
			memcpy(more, a->value, a->n * sizeof *more);
		a->value = more;
	}
	a->value[a->n] = (struct sweep_value){.label = keep_label(p, a, label)};
	return &a->value[a->n++];
}

/* A value of an axis that sets the thing by whose name it goes. text: the value; at: where it is. */
static int add_plain(struct sweep_plan *p, struct sweep_axis *a, const char *text, struct fy_node *at, struct err *e)
{
	struct sweep_value *v = add_value(p, a, text, at, e);

	if (!v)
		return -1;
	make_room(p, &v->sets, 1);
	if (add_setting(p, &v->sets, a->name, at, e) != 0)
		return -1;
	v->sets.set[0].value = v->label;
	return 0;
}

static int add_item(struct sweep_plan *p, struct sweep_axis *a, struct fy_node *at, struct err *e)
{
	const char *text;
	char one[32];
	uint64_t from, to;

	if (take_text(p, at, a->name, &text, e) != 0)
		return -1;
	if (!is_range(text, &from, &to))
		return add_plain(p, a, text, at, e);
	if (from > to)
		return yaml_error(p->y, at, e, "axis %s: the range %s goes down; write %" PRIu64 "..%" PRIu64, a->name, text, to,
				  from);
	if (to - from >= SWEEP_MAX_VALUES)
		return yaml_error(p->y, at, e, "axis %s: more than %d values", a->name, SWEEP_MAX_VALUES);
	for (uint64_t n = from; n <= to; n++) {
		snprintf(one, sizeof one, "%" PRIu64, n);
		if (add_plain(p, a, one, at, e) != 0)
			return -1;
	}
	return 0;
}

/* NULL: there are too many. */
static struct sweep_axis *add_axis(struct sweep_plan *p, const char *name, struct fy_node *at, struct err *e)
{
	struct sweep_axis *a = &p->axis[p->n_axes];

	if (p->n_axes == SWEEP_MAX_AXES) {
		yaml_error(p->y, at, e, "more than %d axes", SWEEP_MAX_AXES);
		return NULL;
	}
	*a = (struct sweep_axis){.name = arena_strdup(&p->arena, name), .at = at};
	p->n_axes++;
	return a;
}

static int unknown_axis(struct sweep_plan *p, const char *name, struct fy_node *at, struct err *e)
{
	struct suggestion near = {.typed = name};
	char hint[160];

	setting_suggest(&near);
	for (unsigned i = 0; i < p->n_axes; i++)
		suggestion_offer(&near, p->axis[i].name);
	return yaml_error(p->y, at, e, "no axis, and nothing of a run, is called \"%.100s\"%s", name, suggestion_text(&near, hint));
}

/* Values with names of their own, each with what it sets. */
static int read_named(struct sweep_plan *p, struct sweep_axis *a, struct fy_node *map, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key, *label;
	void *iter = NULL;

	while (yaml_next_pair(map, &iter, &key, &key_node, &value)) {
		struct sweep_value *v;

		if (take_text(p, key_node, a->name, &label, e) != 0 || !(v = add_value(p, a, label, key_node, e)) ||
		    read_sets(p, value, label, &v->sets, e) != 0)
			return -1;
	}
	return a->n ? 0 : yaml_error(p->y, map, e, "axis %s: has no values", a->name);
}

static int read_values(struct sweep_plan *p, struct sweep_axis *a, struct fy_node *node, struct err *e)
{
	struct fy_node *item;
	void *iter = NULL;

	if (!yaml_is_seq(node))
		return add_item(p, a, node, e);
	while ((item = yaml_next_item(node, &iter)))
		if (add_item(p, a, item, e) != 0)
			return -1;
	return a->n ? 0 : yaml_error(p->y, node, e, "axis %s: has no values", a->name);
}

static int read_axes(struct sweep_plan *p, struct fy_node *map, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(p->y, map, e, "axes: needs axes with their values, such as workload: [syrk, atax]");
	while (yaml_next_pair(map, &iter, &key, &key_node, &value)) {
		struct setting s;
		bool set = setting_find(key, &s), named = yaml_is_map(value);
		const char *name;
		struct sweep_axis *a;

		if (!set && !named)
			return unknown_axis(p, key, key_node, e);
		if (set && named)
			return yaml_error(p->y, key_node, e,
					  "axis %s: needs values; values with names are for axes of your own name", key);
		if (take_text(p, key_node, "an axis", &name, e) != 0 || !(a = add_axis(p, name, key_node, e)) ||
		    (named ? read_named : read_values)(p, a, value, e) != 0)
			return -1;
		a->multiplied = a->n;
	}
	return 0;
}

int sweep_plan_take_axis(struct sweep_plan *p, const char *name, struct fy_node *at, unsigned *axis, struct err *e)
{
	struct setting s;

	for (*axis = 0; *axis < p->n_axes; ++*axis)
		if (!strcmp(p->axis[*axis].name, name))
			return 0;
	if (!setting_find(name, &s))
		return unknown_axis(p, name, at, e);
	return add_axis(p, name, at, e) ? 0 : -1;
}

int sweep_plan_take_value(struct sweep_plan *p, unsigned axis, struct fy_node *at, unsigned *value, struct err *e)
{
	struct sweep_axis *a = &p->axis[axis];
	struct err why = {""};
	const char *text;
	struct setting s;

	if (take_text(p, at, a->name, &text, e) != 0)
		return -1;
	if (sweep_plan_value(p, axis, text, value, NULL) == 0)
		return 0;
	if (refuse_range(p, at, a->name, e) != 0)
		return -1;
	if (!setting_find(a->name, &s)) {
		sweep_plan_value(p, axis, text, value, &why);
		return yaml_error(p->y, at, e, "%s", why.text);
	}
	*value = a->n;
	return add_plain(p, a, text, at, e);
}

/* ---- what is asked of a plan ---- */

const char *sweep_plan_label(const struct sweep_plan *p, const struct sweep_point *at, unsigned axis)
{
	return at->choice[axis] == SWEEP_NOTHING ? "-" : p->axis[axis].value[at->choice[axis]].label;
}

/* "my/h100.yaml" is h100. */
static const char *stem_of(struct sweep_plan *p, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	return dot && dot != name ? arena_printf(&p->arena, "%.*s", (int)(dot - name), name) : name;
}

static bool is_file(const char *label)
{
	size_t n = strlen(label);

	return strchr(label, '/') || (n > 5 && !strcmp(label + n - 5, ".yaml"));
}

const char *sweep_plan_shown(struct sweep_plan *p, const struct sweep_point *at, unsigned axis)
{
	const struct sweep_axis *a = &p->axis[axis];
	const char *label = sweep_plan_label(p, at, axis), *stem;
	struct setting s;

	if (!setting_find(a->name, &s) || (s.kind != SETTING_MACHINE && s.kind != SETTING_WORKLOAD) || !is_file(label))
		return label;
	stem = stem_of(p, label);
	for (unsigned i = 0; i < a->n; i++)
		if (strcmp(a->value[i].label, label) != 0 && !strcmp(stem_of(p, a->value[i].label), stem))
			return label;
	return stem;
}

int sweep_plan_axis(const struct sweep_plan *p, const char *name, unsigned *axis, struct err *e)
{
	struct suggestion near = {.typed = name};
	char hint[160];

	for (*axis = 0; *axis < p->n_axes; ++*axis)
		if (!strcmp(p->axis[*axis].name, name))
			return 0;
	for (unsigned i = 0; i < p->n_axes; i++)
		suggestion_offer(&near, p->axis[i].name);
	return err_set(e, "the plan has no axis \"%.100s\"%s", name, suggestion_text(&near, hint));
}

int sweep_plan_value(const struct sweep_plan *p, unsigned axis, const char *label, unsigned *value, struct err *e)
{
	const struct sweep_axis *a = &p->axis[axis];
	const struct sweep_label *found = find_label(a, label);
	struct suggestion near = {.typed = label};
	char hint[160];

	if (found) {
		*value = found->value;
		return 0;
	}
	for (unsigned i = 0; e && i < a->n; i++)
		suggestion_offer(&near, a->value[i].label);
	return err_set(e, "axis %s has no value \"%.100s\"%s", a->name, label, suggestion_text(&near, hint));
}

/* ---- the file ---- */

/* It becomes part of the names of files. */
static int take_name(struct sweep_plan *p, struct fy_node *at, const char *text, struct err *e)
{
	const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	size_t n = strlen(text);

	if (!n || n > MAX_NAME || strspn(text, letters) != n || strchr("-.", *text))
		return yaml_error(p->y, at, e, "name: must be up to %d letters, digits, -, _ and ., not \"%.100s\"", MAX_NAME,
				  text);
	p->name = arena_strdup(&p->arena, text);
	return 0;
}

/* Of a plan without a name: that of its file. */
static void name_by_file(struct sweep_plan *p)
{
	const char *slash = strrchr(p->path, '/'), *stem = slash ? slash + 1 : p->path;
	char *name = arena_printf(&p->arena, "%.*s", MAX_NAME, stem), *dot = strrchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			*c = '_';
	if (strchr("-.", *name))
		*name = '_';
	p->name = name;
}

static int read_keys(struct sweep_plan *p, struct fy_node *root, struct fy_node **list, struct fy_node **exclude, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;
	int rc = 0;

	if (!yaml_is_map(root))
		return yaml_error(p->y, root, e, "needs axes:, such as {workload: [syrk, atax], l1-index: [linear, pric]}");
	while (rc == 0 && yaml_next_pair(root, &iter, &key, &key_node, &value)) {
		if (!strcmp(key, "name"))
			rc = take_name(p, value, yaml_text(value), e);
		else if (!strcmp(key, "common"))
			rc = read_sets(p, value, "common", &p->common, e);
		else if (!strcmp(key, "axes"))
			rc = read_axes(p, value, e);
		else if (!strcmp(key, "list"))
			*list = value;
		else if (!strcmp(key, "exclude"))
			*exclude = value;
		else
			rc = yaml_error(p->y, key_node, e, "unknown key \"%.100s\": name, common, axes, list or exclude", key);
	}
	return rc;
}

int sweep_plan_read(struct sweep_plan *p, const char *path, struct err *e)
{
	struct fy_node *list = NULL, *exclude = NULL;

	*p = (struct sweep_plan){.path = path, .y = yaml_open(path, e)};
	if (!p->y || read_keys(p, yaml_root(p->y), &list, &exclude, e) != 0)
		return -1;
	if (!p->name)
		name_by_file(p);
	return sweep_plan_points(p, list, exclude, e);
}

void sweep_plan_close(struct sweep_plan *p)
{
	for (unsigned i = 0; i < p->n_axes; i++)
		HASH_CLEAR(hh, p->axis[i].label);
	yaml_close(p->y);
	p->y = NULL;
	arena_free(&p->arena);
}

/* From the axes of a plan to its runs: the product, what the list adds, what is excluded; each run once. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "sweep/plan.h"

struct sweep_seen { /* a point that is there already */
	const uint16_t *choice;
	UT_hash_handle hh;
};

/* Some values of some axes: of the list, whose runs are their product; of exclude, which match them. */
struct choice {
	bool on[SWEEP_MAX_AXES]; /* the axis is named */
	uint16_t *value[SWEEP_MAX_AXES];
	unsigned n[SWEEP_MAX_AXES];
};

struct rules {
	struct choice *rule;
	unsigned n;
};

static unsigned count_items(struct fy_node *seq)
{
	void *iter = NULL;
	unsigned n = 0;

	while (yaml_next_item(seq, &iter))
		n++;
	return n;
}

/* ---- reading ---- */

/* known: the value must be there; else it may be new. */
static int read_value(struct sweep_plan *p, unsigned axis, struct fy_node *at, bool known, uint16_t *out, struct err *e)
{
	struct err why = {""};
	unsigned v = 0;

	if (known && sweep_plan_value(p, axis, yaml_text(at), &v, &why) != 0)
		return yaml_error(p->y, at, e, "exclude: %s", why.text);
	if (!known && sweep_plan_take_value(p, axis, at, &v, e) != 0)
		return -1;
	*out = (uint16_t)v;
	return 0;
}

static int read_values(struct sweep_plan *p, struct choice *c, unsigned axis, struct fy_node *node, bool known, struct err *e)
{
	bool several = yaml_is_seq(node);
	unsigned n = several ? count_items(node) : 1, i = 0;
	struct fy_node *item = node;
	void *iter = NULL;

	if (n == 0 || n > SWEEP_MAX_VALUES)
		return yaml_error(p->y, node, e, "%s: needs one to %d values", p->axis[axis].name, SWEEP_MAX_VALUES);
	c->on[axis] = true;
	c->n[axis] = n;
	c->value[axis] = arena_array(&p->arena, n, sizeof *c->value[axis]);
	for (; i < n && (!several || (item = yaml_next_item(node, &iter))); i++)
		if (read_value(p, axis, item, known, &c->value[axis][i], e) != 0)
			return -1;
	return 0;
}

static int read_axis(struct sweep_plan *p, const char *key, struct fy_node *at, bool known, unsigned *axis, struct err *e)
{
	struct err why = {""};

	if (!known)
		return sweep_plan_take_axis(p, key, at, axis, e);
	return sweep_plan_axis(p, key, axis, &why) ? yaml_error(p->y, at, e, "exclude: %s", why.text) : 0;
}

/* {workload: atax, l1.assoc: [4, 8]} */
static int read_choice(struct sweep_plan *p, struct fy_node *map, bool known, struct choice *c, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;
	unsigned axis = 0, n = 0;

	if (!yaml_is_map(map))
		return yaml_error(p->y, map, e, "needs axes with values, such as {workload: atax, l1.assoc: 8}");
	for (; yaml_next_pair(map, &iter, &key, &key_node, &value); n++)
		if (read_axis(p, key, key_node, known, &axis, e) != 0 || read_values(p, c, axis, value, known, e) != 0)
			return -1;
	return n ? 0 : yaml_error(p->y, map, e, "names no axis");
}

static int read_rules(struct sweep_plan *p, const char *of, struct fy_node *seq, bool known, struct rules *r, struct err *e)
{
	struct fy_node *item;
	void *iter = NULL;
	unsigned n;

	if (!seq)
		return 0;
	if (!yaml_is_seq(seq) || (n = count_items(seq)) > SWEEP_MAX_VALUES)
		return yaml_error(p->y, seq, e, "%s: needs a list of up to %d, such as - {workload: atax, l1.assoc: 8}", of,
				  SWEEP_MAX_VALUES);
	r->rule = arena_array(&p->arena, n + 1, sizeof *r->rule);
	while ((item = yaml_next_item(seq, &iter)))
		if (read_choice(p, item, known, &r->rule[r->n++], e) != 0)
			return -1;
	return 0;
}

/* ---- points ---- */

/* Sets of rules, a bit each, so that a point costs a step for each axis and 64 rules, however many values they have. */
struct exclusion {
	unsigned words;
	uint64_t *other[SWEEP_MAX_AXES]; /* the rules that do not name the axis */
	uint64_t *of[SWEEP_MAX_AXES];	 /* by value of the axis: the rules that name it */
};

static void note_rule(const struct sweep_plan *p, struct exclusion *x, const struct choice *c, unsigned rule)
{
	uint64_t bit = UINT64_C(1) << rule % 64;

	for (unsigned a = 0; a < p->n_axes; a++) {
		if (!c->on[a])
			x->other[a][rule / 64] |= bit;
		for (unsigned i = 0; c->on[a] && i < c->n[a]; i++)
			x->of[a][(size_t)c->value[a][i] * x->words + rule / 64] |= bit;
	}
}

static void note_rules(struct sweep_plan *p, struct exclusion *x, const struct rules *r)
{
	x->words = (r->n + 63) / 64;
	for (unsigned a = 0; a < p->n_axes; a++) {
		x->other[a] = arena_array(&p->arena, x->words + 1, sizeof *x->other[a]);
		x->of[a] = arena_array(&p->arena, (size_t)x->words * p->axis[a].n + 1, sizeof *x->of[a]);
	}
	for (unsigned i = 0; i < r->n; i++)
		note_rule(p, x, &r->rule[i], i);
}

static bool is_excluded(const struct exclusion *x, unsigned axes, const uint16_t *choice)
{
	for (unsigned w = 0; w < x->words; w++) {
		uint64_t match = UINT64_MAX;

		for (unsigned a = 0; a < axes && match; a++)
			match &= x->other[a][w] | (choice[a] == SWEEP_NOTHING ? 0 : x->of[a][(size_t)choice[a] * x->words + w]);
		if (match)
			return true;
	}
	return false;
}

static void add_point(struct sweep_plan *p, const struct exclusion *exclude, const uint16_t *choice)
{
	size_t bytes = p->n_axes * sizeof *choice;
	struct sweep_seen *seen;

	HASH_FIND(hh, p->seen, choice, bytes, seen);
	if (seen || is_excluded(exclude, p->n_axes, choice))
		return;
	seen = arena_alloc(&p->arena, sizeof *seen);
	seen->choice = memcpy(arena_alloc(&p->arena, bytes), choice, bytes);
	HASH_ADD_KEYPTR(hh, p->seen, seen->choice, bytes, seen);
	if (p->n_points == p->room) {
		struct sweep_point *more = arena_array(&p->arena, p->room = p->room ? 2 * p->room : 64, sizeof *more);

		if (p->n_points)
			memcpy(more, p->point, p->n_points * sizeof *more);
		p->point = more;
	}
	p->point[p->n_points++] = (struct sweep_point){.choice = seen->choice};
}

/* How many runs a product has; above the most, some number above it. */
static uint64_t product(const struct choice *c, unsigned axes)
{
	uint64_t n = 1;

	for (unsigned a = 0; a < axes && n <= SWEEP_MAX_POINTS; a++)
		n *= c->on[a] ? c->n[a] : 1;
	return n;
}

/* All combinations; the last axis changes fastest. */
static void multiply(struct sweep_plan *p, const struct exclusion *exclude, const struct choice *c)
{
	unsigned at[SWEEP_MAX_AXES] = {0};
	uint16_t choice[SWEEP_MAX_AXES];

	for (uint64_t left = product(c, p->n_axes); left; left--) {
		for (unsigned a = 0; a < p->n_axes; a++)
			choice[a] = c->on[a] ? c->value[a][at[a]] : (uint16_t)SWEEP_NOTHING;
		add_point(p, exclude, choice);
		for (unsigned a = p->n_axes; a-- > 0; at[a] = 0)
			if (c->on[a] && ++at[a] < c->n[a])
				break;
	}
}

/* The product of the plan's axes; none if they are all the list's. */
static bool of_axes(struct sweep_plan *p, struct choice *c)
{
	bool any = false;

	for (unsigned a = 0; a < p->n_axes; a++) {
		c->on[a] = p->axis[a].multiplied > 0;
		c->n[a] = p->axis[a].multiplied;
		c->value[a] = arena_array(&p->arena, c->n[a] + 1, sizeof *c->value[a]);
		for (unsigned i = 0; i < c->n[a]; i++)
			c->value[a][i] = (uint16_t)i;
		any = any || c->on[a];
	}
	return any;
}

int sweep_plan_points(struct sweep_plan *p, struct fy_node *list, struct fy_node *exclude, struct err *e)
{
	struct rules listed = {0}, excluded = {0};
	struct exclusion out = {0};
	struct choice all = {0};
	uint64_t n = 0;
	bool any;

	if (read_rules(p, "list", list, false, &listed, e) != 0 || read_rules(p, "exclude", exclude, true, &excluded, e) != 0)
		return -1;
	any = of_axes(p, &all);
	n = any ? product(&all, p->n_axes) : 0;
	for (unsigned i = 0; i < listed.n && n <= SWEEP_MAX_POINTS; i++)
		n += product(&listed.rule[i], p->n_axes);
	if (n > SWEEP_MAX_POINTS)
		return yaml_error(p->y, p->n_axes ? p->axis[0].at : NULL, e, "more than %d runs", SWEEP_MAX_POINTS);
	note_rules(p, &out, &excluded);
	if (any)
		multiply(p, &out, &all);
	for (unsigned i = 0; i < listed.n; i++)
		multiply(p, &out, &listed.rule[i]);
	HASH_CLEAR(hh, p->seen);
	return p->n_points ? 0 : err_set(e, "%s: has no runs", p->path);
}

#include "sweep/pivot.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/utf8.h"
#include "session/result.h"

struct axes { /* some of a plan */
	unsigned n, axis[SWEEP_MAX_AXES];
};

struct name { /* of a row or a column, by the values of its axes */
	const char *text;
	unsigned number;
	UT_hash_handle hh;
};

struct pivot {
	const struct sweep_pivot *v;
	struct sweep_plan *p;
	struct axes rows, columns;
	struct name *row, *column;
	unsigned n_rows, n_columns;
	double *value;	     /* by point; NAN: there is none */
	double *sum;	     /* by row and column: of logarithms */
	unsigned *n;	     /* likewise: of runs */
	unsigned over, base; /* axis and value of the baseline */
};

/* ---- which axes ---- */

static int read_axes(const struct sweep_plan *p, const char *option, const char *names, struct axes *to, struct err *e)
{
	char name[128];
	size_t n;

	for (const char *s = names; *s; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		snprintf(name, sizeof name, "%.*s", (int)n, s);
		if (to->n == SWEEP_MAX_AXES || sweep_plan_axis(p, name, &to->axis[to->n], e) != 0)
			return err_prefix(e, "%s", option);
		to->n++;
	}
	return to->n ? 0 : err_set(e, "%s: names no axis", option);
}

static bool has(const struct axes *a, unsigned axis)
{
	for (unsigned i = 0; i < a->n; i++)
		if (a->axis[i] == axis)
			return true;
	return false;
}

static int choose_axes(struct pivot *v, struct err *e)
{
	if (v->v->columns && read_axes(v->p, "--columns", v->v->columns, &v->columns, e) != 0)
		return -1;
	if (v->v->rows && read_axes(v->p, "--rows", v->v->rows, &v->rows, e) != 0)
		return -1;
	for (unsigned a = 0; !v->v->rows && !v->rows.n && a < v->p->n_axes; a++)
		if (!has(&v->columns, a))
			v->rows.axis[v->rows.n++] = a;
	for (unsigned a = 0; !v->v->columns && a < v->p->n_axes; a++)
		if (!has(&v->rows, a) && v->p->axis[a].n > 1)
			v->columns.axis[v->columns.n++] = a;
	for (unsigned i = 0; i < v->columns.n; i++)
		if (has(&v->rows, v->columns.axis[i]))
			return err_set(e, "--columns: %s is among the rows already", v->p->axis[v->columns.axis[i]].name);
	return 0;
}

static int choose_baseline(struct pivot *v, struct err *e)
{
	const char *equals = v->v->over ? strchr(v->v->over, '=') : NULL;
	char name[128];

	if (!v->v->over)
		return 0;
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - v->v->over) : 0, v->v->over);
	if (!equals || sweep_plan_axis(v->p, name, &v->over, e) != 0 ||
	    sweep_plan_value(v->p, v->over, equals + 1, &v->base, e) != 0)
		return equals ? err_prefix(e, "--over") : err_set(e, "--over needs AXIS=VALUE, not \"%s\"", v->v->over);
	return 0;
}

/* ---- values ---- */

static double value_of(struct sweep_store *s, const struct sweep_point *at, const char *metric)
{
	json_t *json = sweep_store_result(s, at->content, at->args);
	double value = json ? result_value(json, metric) : NAN;

	json_decref(json);
	return value;
}

static void read_values(struct pivot *v, struct sweep_store *s)
{
	v->value = arena_array(&v->p->arena, v->p->n_points, sizeof *v->value);
	for (unsigned i = 0; i < v->p->n_points; i++)
		v->value[i] = value_of(s, &v->p->point[i], v->v->metric);
}

int sweep_check_metric(struct sweep_plan *p, struct sweep_store *s, const char *metric, struct err *e)
{
	struct suggestion near = {.typed = metric};
	json_t *json = NULL, *value;
	char hint[160];
	const char *name;
	bool has = false, missing;

	for (unsigned i = 0; i < p->n_points && !has; i++) {
		json_t *one = sweep_store_result(s, p->point[i].content, p->point[i].args);

		if (!one)
			continue;
		json_decref(json);
		json = one;
		has = !isnan(result_value(json, metric));
	}
	json_object_foreach(json_object_get(json, "stats"), name, value)
	{
		suggestion_offer(&near, name);
	}
	missing = json && !has;
	if (missing)
		err_set(e, "--metric: no run has \"%s\"%s (see locus list metrics)", metric, suggestion_text(&near, hint));
	json_decref(json);
	return missing ? -1 : 0;
}

struct place { /* of a point, by its choices */
	const uint16_t *choice;
	unsigned number;
	UT_hash_handle hh;
};

/* The run that differs in the baseline's axis alone; NAN: there is none, or it has no value. */
static double baseline_of(const struct pivot *v, struct place *places, const struct sweep_point *at)
{
	uint16_t choice[SWEEP_MAX_AXES];
	struct place *found;

	memcpy(choice, at->choice, v->p->n_axes * sizeof *choice);
	choice[v->over] = (uint16_t)v->base;
	HASH_FIND(hh, places, choice, v->p->n_axes * sizeof *choice, found);
	return found ? v->value[found->number] : NAN;
}

static void divide(struct pivot *v)
{
	double *ratio = arena_array(&v->p->arena, v->p->n_points, sizeof *ratio);
	struct place *place = arena_array(&v->p->arena, v->p->n_points, sizeof *place), *places = NULL;

	for (unsigned i = 0; i < v->p->n_points; i++) {
		place[i].choice = v->p->point[i].choice;
		place[i].number = i;
		HASH_ADD_KEYPTR(hh, places, place[i].choice, v->p->n_axes * sizeof *place[i].choice, &place[i]);
	}
	for (unsigned i = 0; i < v->p->n_points; i++) {
		double base = baseline_of(v, places, &v->p->point[i]);

		ratio[i] = !strcmp(v->v->metric, "cycles") ? base / v->value[i] : v->value[i] / base;
	}
	HASH_CLEAR(hh, places);
	v->value = ratio;
}

/* ---- cells ---- */

static const char *text_of(struct sweep_plan *p, const struct axes *a, const struct sweep_point *at)
{
	const char *text = a->n ? sweep_plan_shown(p, at, a->axis[0]) : NULL;

	for (unsigned i = 1; i < a->n; i++)
		text = arena_printf(&p->arena, "%s, %s", text, sweep_plan_shown(p, at, a->axis[i]));
	return utf8_clean(arena_strdup(&p->arena, text ? text : "all"));
}

static struct name *number_of(struct pivot *v, struct name **all, unsigned *n, const char *text)
{
	struct name *found;

	HASH_FIND_STR(*all, text, found);
	if (found)
		return found;
	found = arena_alloc(&v->p->arena, sizeof *found);
	*found = (struct name){.text = text, .number = (*n)++};
	HASH_ADD_KEYPTR(hh, *all, found->text, strlen(found->text), found);
	return found;
}

static void name_cells(struct pivot *v)
{
	for (unsigned i = 0; i < v->p->n_points; i++) {
		const char *column = v->columns.n ? text_of(v->p, &v->columns, &v->p->point[i]) : v->v->metric;

		number_of(v, &v->row, &v->n_rows, text_of(v->p, &v->rows, &v->p->point[i]));
		number_of(v, &v->column, &v->n_columns, column);
	}
}

/* A geometric mean has no room for what is not above 0; one run alone is itself. */
static void add_up(struct pivot *v, double **rows)
{
	v->n = arena_array(&v->p->arena, (size_t)v->n_rows * v->n_columns, sizeof *v->n);
	v->sum = arena_array(&v->p->arena, (size_t)v->n_rows * v->n_columns, sizeof *v->sum);
	for (unsigned i = 0; i < v->p->n_points; i++) {
		const char *column = v->columns.n ? text_of(v->p, &v->columns, &v->p->point[i]) : v->v->metric;
		unsigned r = number_of(v, &v->row, &v->n_rows, text_of(v->p, &v->rows, &v->p->point[i]))->number;
		unsigned c = number_of(v, &v->column, &v->n_columns, column)->number;
		size_t cell = (size_t)r * v->n_columns + c;

		if (isnan(v->value[i]))
			continue;
		v->sum[cell] += log(v->value[i]);
		rows[r][c] = ++v->n[cell] == 1 ? v->value[i] : exp(v->sum[cell] / v->n[cell]);
	}
}

/* Columns of the baseline alone are 1 throughout: a picture leaves them out, unless it has no others. */
static uint64_t baseline_columns(struct pivot *v)
{
	uint64_t base = 0, others = 0;

	if (!v->v->over || !has(&v->columns, v->over))
		return 0;
	for (unsigned i = 0; i < v->p->n_points; i++) {
		unsigned c = number_of(v, &v->column, &v->n_columns, text_of(v->p, &v->columns, &v->p->point[i]))->number;

		*(v->p->point[i].choice[v->over] == v->base ? &base : &others) |= UINT64_C(1) << c;
	}
	return others & ~base ? base & ~others : 0;
}

static const char *names_of(struct sweep_plan *p, const struct axes *a)
{
	const char *text = a->n ? p->axis[a->axis[0]].name : "runs";

	for (unsigned i = 1; i < a->n; i++)
		text = arena_printf(&p->arena, "%s, %s", text, p->axis[a->axis[i]].name);
	return utf8_clean(arena_strdup(&p->arena, text));
}

static void fill(struct pivot *v, struct sweep_table *t)
{
	static const char *const mean_names[] = {"arithmetic mean", "geometric mean", "harmonic mean"};
	const char **columns = arena_array(&v->p->arena, (size_t)v->n_columns + 1, sizeof *columns);
	double **rows = arena_array(&v->p->arena, (size_t)v->n_rows + 1, sizeof *rows);
	const char *what = v->v->over ? !strcmp(v->v->metric, "cycles") ? "speed-up" : v->v->metric : v->v->metric;
	const char *title = arena_printf(&v->p->arena, v->v->over ? "%s: %s over %s" : "%s: %s", v->p->name, what, v->v->over);

	for (struct name *c = v->column; c; c = c->hh.next)
		columns[c->number] = c->text;
	sweep_table_init(t, &v->p->arena, v->p->name, utf8_clean(arena_strdup(&v->p->arena, title)), names_of(v->p, &v->rows),
			 utf8_clean(arena_strdup(&v->p->arena, what)), columns);
	if (!v->v->over)
		t->digits = 7;
	for (const struct name *r = v->row; r; r = r->hh.next)
		sweep_table_row(t, SWEEP_MEASURED, r->text);
	for (unsigned r = 0; r < t->rows; r++) /* where they are now that all are there */
		rows[r] = t->row[r].value;
	add_up(v, rows);
	t->left_out = baseline_columns(v);
	if (!v->v->no_mean && t->rows > 1)
		sweep_table_mean(t, v->v->mean, mean_names[v->v->mean], NULL);
}

int sweep_pivot_make(const struct sweep_pivot *choice, struct sweep_plan *p, struct sweep_store *s, struct sweep_table *t,
		     struct err *e)
{
	struct pivot v = {.v = choice, .p = p};
	int rc = 0;

	if (choose_axes(&v, e) != 0 || choose_baseline(&v, e) != 0)
		return -1;
	name_cells(&v);
	if (v.n_columns > SWEEP_MAX_COLUMNS) {
		rc = err_set(e, "%u columns, more than %d: choose --rows and --columns, or take `locus sweep csv`", v.n_columns,
			     SWEEP_MAX_COLUMNS);
	} else {
		read_values(&v, s);
		rc = sweep_check_metric(p, s, choice->metric, e);
		if (choice->over)
			divide(&v);
		if (rc == 0)
			fill(&v, t);
	}
	HASH_CLEAR(hh, v.row);
	HASH_CLEAR(hh, v.column);
	return rc;
}

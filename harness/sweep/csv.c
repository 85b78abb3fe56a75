/* All runs of a sweep as CSV, one a row. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "session/result.h"
#include "sweep/pivot.h"

struct csv_metric {
	const char *name;
	UT_hash_handle hh;
};

struct csv {
	struct sweep_plan *p;
	struct sweep_store *s;
	struct csv_metric *metrics; /* in the order of their columns */
	FILE *to;
};

static void add_metric(struct csv *c, const char *name)
{
	struct csv_metric *m;

	HASH_FIND_STR(c->metrics, name, m);
	if (m)
		return;
	m = arena_alloc(&c->p->arena, sizeof *m);
	m->name = arena_strdup(&c->p->arena, name);
	HASH_ADD_KEYPTR(hh, c->metrics, m->name, strlen(m->name), m);
}

static void add_named(struct csv *c, const char *names)
{
	size_t n;

	for (const char *s = names; *s; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		add_metric(c, arena_printf(&c->p->arena, "%.*s", (int)n, s));
	}
}

/* The result of a run; NULL: there is none. */
static json_t *result_of(struct csv *c, const struct sweep_point *at)
{
	return sweep_store_result(c->s, at->content, at->args);
}

static void add_all(struct csv *c)
{
	for (unsigned i = 0; i < c->p->n_points; i++) {
		json_t *result = result_of(c, &c->p->point[i]), *value;
		const char *name;

		json_object_foreach(json_object_get(result, "stats"), name, value)
		{
			add_metric(c, name);
		}
		json_decref(result);
	}
}

static void put_head(struct csv *c)
{
	for (unsigned a = 0; a < c->p->n_axes; a++) {
		sweep_csv_text(c->p->axis[a].name, c->to);
		putc(',', c->to);
	}
	fputs("\"state\",\"why\",\"trace\"", c->to);
	for (const struct csv_metric *m = c->metrics; m; m = m->hh.next) {
		putc(',', c->to);
		sweep_csv_text(m->name, c->to);
	}
	fputs(",\"command\"\n", c->to);
}

static void put_row(struct csv *c, const struct sweep_point *at)
{
	json_t *result = result_of(c, at);
	char *why = result ? NULL : sweep_store_failure(c->s, at->content, at->args);
	const char *trace = json_string_value(json_object_get(result, "trace_hash"));

	for (unsigned a = 0; a < c->p->n_axes; a++) {
		sweep_csv_text(sweep_plan_label(c->p, at, a), c->to);
		putc(',', c->to);
	}
	fprintf(c->to, "%s,", result ? "kept" : why ? "failed" : "missing");
	sweep_csv_text(why ? why : "", c->to);
	putc(',', c->to);
	sweep_csv_text(trace ? trace : "", c->to);
	for (const struct csv_metric *m = c->metrics; m; m = m->hh.next) {
		double v = result ? result_value(result, m->name) : NAN;

		if (isfinite(v))
			fprintf(c->to, ",%.12g", v);
		else
			putc(',', c->to);
	}
	putc(',', c->to);
	sweep_csv_text(arena_printf(&c->p->arena, "locus %s", at->args), c->to);
	putc('\n', c->to);
	free(why);
	json_decref(result);
}

int sweep_csv(struct sweep_plan *p, struct sweep_store *s, const char *metrics, FILE *to, struct err *e)
{
	struct csv c = {.p = p, .s = s, .to = to};
	int rc = 0;

	if (metrics)
		add_named(&c, metrics);
	else
		add_all(&c);
	for (const struct csv_metric *m = metrics ? c.metrics : NULL; m && rc == 0; m = m->hh.next)
		rc = sweep_check_metric(p, s, m->name, e);
	if (rc == 0)
		put_head(&c);
	for (unsigned i = 0; i < p->n_points && rc == 0; i++)
		put_row(&c, &p->point[i]);
	HASH_CLEAR(hh, c.metrics);
	return rc;
}

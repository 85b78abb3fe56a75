#include "cli/sweep_report.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/report_file.h"
#include "sweep/pivot.h"

static const char *label_of(struct sweep_plan *p, const struct sweep_point *at)
{
	const char *label = "";

	for (unsigned a = 0; a < p->n_axes; a++)
		if (p->axis[a].n > 1)
			label = arena_printf(&p->arena, "%s%s%s", label, *label ? " " : "", sweep_plan_shown(p, at, a));
	return *label ? label : p->name;
}

/* What `locus sweep table` prints. NULL: it has too many columns. */
static json_t *table_of(struct sweep_plan *p, struct sweep_store *s)
{
	const struct sweep_pivot pivot = {.metric = "cycles", .mean = SWEEP_GEOMETRIC};
	struct sweep_table t;
	struct err why = {""};

	if (sweep_pivot_make(&pivot, p, s, &t, &why) == 0)
		return sweep_table_json(&t);
	fprintf(stderr, "locus: the page has no table: %s\n", why.text);
	return NULL;
}

int sweep_report(struct sweep_plan *p, struct sweep_store *s, const char *to, struct err *e)
{
	struct report_page page = {.name = p->name};
	const struct sweep_point *at;
	unsigned i = 0;
	int rc;

	for (; i < p->n_points && page.n < REPORT_RUNS; i++) {
		at = &p->point[i];
		if ((page.run[page.n] = sweep_store_result(s, at->content, at->args)))
			page.label[page.n++] = label_of(p, at);
	}
	if (i < p->n_points)
		fprintf(stderr, "locus: the page has the first %d runs; %u of the plan are left out\n", REPORT_RUNS,
			p->n_points - i);
	if (page.n)
		page.table = table_of(p, s);
	rc = page.n ? report_file_write(&page, to, e) : err_set(e, "%s: no run has a result yet", p->path);
	report_file_free(&page);
	return rc;
}

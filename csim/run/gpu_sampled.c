#include "run/gpu_sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/suggestion.h"
#include "sample/student.h"

struct sampling {
	const struct gpu_config *config;
	struct gpu_sampled *s;
	struct gpu_result *r; /* launches in the order in which they were simulated */
	uint8_t *skipped;     /* by launch, in the run that is made */
	uint32_t *was;	      /* by stratum: drawn before that run */
	uint32_t *slot;	      /* by launch that was simulated: in r->launch */
	struct estimate_stratum *stratum;
	/* by sampled launch, in the order of strata: size, metric, what that is divided by; residuals */
	double *x, *y, *z, *ry, *rz;
	double *cost; /* by stratum: warp instructions of a launch */
};

/* ---- what can be sampled ---- */

static int check(const struct gpu_config *c, struct err *e)
{
	const struct machine *m = c->machine;

	if (!trace_n_launches(c->trace))
		return err_set(e, "--sample: %s has no launches", trace_name(c->trace));
	if (m->launch.concurrent > 1 && !trace_is_in_order(c->trace))
		return err_set(e, "--sample: launches of %s may run at the same time (launch.concurrent)", trace_name(c->trace));
	if (m->vm.enabled)
		return err_set(e, "--sample: launches that are passed over touch no page: not with virtual memory (vm.enabled)");
	if (m->throttle.policy == THROTTLE_DWT_CS)
		return err_set(e, "--sample: throttle dwt-cs searches over launches, none of which may be passed over");
	if (c->plan && c->plan->n_programs > 1)
		return err_set(e, "--sample: several programs share this machine");
	return 0;
}

/* ---- runs ---- */

static void draw_first(struct gpu_sampled *s)
{
	for (uint32_t h = 0; h < s->strata.n; h++) {
		uint32_t all = s->strata.stratum[h].n, n = (all + SAMPLE_ONE_OF - 1) / SAMPLE_ONE_OF;

		n = n > SAMPLE_FIRST ? n : SAMPLE_FIRST;
		s->drawn[h] = n + 1 < all ? n : all;
	}
}

static void choose_launches(struct sampling *g)
{
	const struct strata *t = &g->s->strata;

	memset(g->skipped, GPU_PASSED, g->s->launches);
	for (uint32_t h = 0; h < t->n; h++)
		for (uint32_t i = g->was[h]; i < g->s->drawn[h]; i++)
			g->skipped[t->launch[t->stratum[h].first + i]] = GPU_SIMULATED;
}

/* Ahead of each launch that is simulated the last ones warm the L2 whose lines, counted once a launch, are SAMPLE_REACH
 * times its bytes: what those before them left has made room for other lines by then. */
static void choose_warming(struct sampling *g)
{
	const struct machine *m = g->config->machine;
	uint64_t reach = (uint64_t)m->l2.c.bytes * m->dram.stacks * m->dram.channels * m->l2.slices * SAMPLE_REACH, left = 0;

	for (uint32_t i = g->s->launches; i-- > 0;) {
		uint64_t bytes = g->s->strata.bytes[i];

		if (g->skipped[i] == GPU_PASSED && left)
			g->skipped[i] = GPU_WARMS;
		left = g->skipped[i] == GPU_SIMULATED ? reach : left > bytes ? left - bytes : 0;
	}
}

/* The run's launches join those of the runs before. */
static void take_launches(struct sampling *g, struct gpu_result *run)
{
	struct gpu_result *r = g->r;

	r->launch = xrealloc(r->launch, (r->n_launches + run->n_launches + 1) * sizeof *r->launch);
	for (uint32_t i = 0; i < run->n_launches; i++) {
		g->slot[run->launch[i].index] = r->n_launches;
		r->launch[r->n_launches++] = run->launch[i];
	}
	run->n_launches = 0;
	r->cycles += run->cycles;
	r->warp_insts += run->warp_insts;
	if (!r->audit.failed)
		r->audit = run->audit;
}

/* If none is left out the estimate is what one run measures: all are simulated in that. */
static void join_runs(struct sampling *g)
{
	const struct strata *t = &g->s->strata;

	for (uint32_t h = 0; h < t->n; h++)
		if (g->s->drawn[h] < t->stratum[h].n)
			return;
	memset(g->was, 0, t->n * sizeof *g->was);
	gpu_result_free(g->r);
}

static int run_drawn(struct sampling *g, struct err *e)
{
	struct gpu_config c = *g->config;
	struct gpu_result run;
	int rc = 0;

	join_runs(g);
	choose_launches(g);
	choose_warming(g);
	c.skipped = g->skipped;
	c.totals_only = false;
	if (g->s->runs++)
		c.begins = NULL;
	if (gpu_run(&c, &run, e) != 0)
		return -1;
	if (run.cut)
		rc = err_set(e, "--sample: the run was stopped; of a part of a sample nothing is estimated");
	else
		take_launches(g, &run);
	gpu_result_free(&run);
	memcpy(g->was, g->s->drawn, g->s->strata.n * sizeof *g->was);
	return rc;
}

/* ---- estimates ---- */

static const struct gpu_launch *sampled_launch(const struct sampling *g, uint32_t h, uint32_t i)
{
	const struct strata *t = &g->s->strata;

	return &g->r->launch[g->slot[t->launch[t->stratum[h].first + i]]];
}

/* The strata as the estimators take them; sizes are warp instructions. */
static void lay_out(struct sampling *g)
{
	const struct gpu_sampled *s = g->s;
	uint32_t at = 0;

	for (uint32_t h = 0; h < s->strata.n; h++) {
		const struct stratum *t = &s->strata.stratum[h];

		g->stratum[h] =
			(struct estimate_stratum){.units = t->n, .first = at, .n = s->drawn[h], .size = (double)t->warp_insts};
		g->cost[h] = (double)t->warp_insts / t->n + 1;
		for (uint32_t i = 0; i < s->drawn[h]; i++)
			g->x[at++] = (double)trace_launch(g->config->trace, s->strata.launch[t->first + i])->warp_insts;
	}
}

static double value_of(const struct stat_row *r)
{
	if (r->kind == STAT_COUNT)
		return (double)r->count;
	return r->flags & STAT_QUOTIENT ? r->real * r->whole : r->real;
}

/* y, and z of a quotient, of row m of each sampled launch. */
static void read_row(struct sampling *g, unsigned m)
{
	const char *name = g->r->launch[0].stats.row[m].name;

	for (uint32_t h = 0; h < g->s->strata.n; h++)
		for (uint32_t i = 0; i < g->s->drawn[h]; i++) {
			const struct stats *of = &sampled_launch(g, h, i)->stats;

			PANIC_UNLESS(m < of->n && !strcmp(of->row[m].name, name), "sample", m);
			g->y[g->stratum[h].first + i] = value_of(&of->row[m]);
			g->z[g->stratum[h].first + i] = of->row[m].whole;
		}
}

/* What is the size itself is known of all launches. */
static bool is_size(const struct sampling *g)
{
	for (uint32_t i = 0; i < g->r->n_launches; i++)
		if (g->y[i] != g->x[i])
			return false;
	return true;
}

/* What warming does not bring back is allowed for, unless nothing was passed over. */
static struct estimate allow_for_bias(const struct sampling *g, struct estimate e)
{
	if (g->r->n_launches < g->s->launches)
		e.half += SAMPLE_BIAS * fabs(e.value);
	return e;
}

/* Its residuals are in ry. */
static struct estimate estimate_row(struct sampling *g, unsigned m)
{
	uint32_t n = g->s->strata.n;
	double value, whole;

	read_row(g, m);
	value = estimate_total(g->stratum, n, g->y, g->x, g->ry);
	if (g->r->launch[0].stats.row[m].flags & STAT_QUOTIENT) {
		whole = estimate_total(g->stratum, n, g->z, g->x, g->rz);
		if (whole == 0)
			return (struct estimate){0};
		value = estimate_quotient(g->stratum, n, value, whole, g->ry, g->rz);
	} else if (is_size(g)) {
		return (struct estimate){.value = value};
	}
	return allow_for_bias(g, estimate_of(g->stratum, n, g->ry, value, g->s->options.confidence));
}

static void estimate_all(struct sampling *g)
{
	const struct stats *first = &g->r->launch[0].stats;
	struct gpu_sampled *s = g->s;

	s->estimate = arena_array(s->arena, first->n, sizeof *s->estimate);
	s->n = 0;
	for (unsigned m = 0; m < first->n; m++) {
		const struct stat_row *r = &first->row[m];

		if (r->flags & STAT_STATE)
			continue;
		s->estimate[s->n++] = (struct gpu_estimate){.name = arena_strdup(s->arena, r->name),
							    .unit = arena_strdup(s->arena, r->unit),
							    .meaning = arena_strdup(s->arena, r->meaning),
							    .kind = r->kind,
							    .flags = r->flags,
							    .e = estimate_row(g, m)};
	}
}

/* ---- what is drawn next ---- */

static int find_metric(const struct sampling *g, unsigned *m, struct err *e)
{
	const struct stats *first = &g->r->launch[0].stats;
	const char *name = g->s->options.metric;
	struct suggestion near = {.typed = name};
	char text[160];

	for (*m = 0; *m < first->n; ++*m) {
		if (!strcmp(first->row[*m].name, name) && !(first->row[*m].flags & STAT_STATE))
			return 0;
		suggestion_offer(&near, first->row[*m].name);
	}
	return err_set(e, "--sample: metric=%s: no metric of a launch has that name%s (locus list metrics)", name,
		       suggestion_text(&near, text));
}

static double deviation(const struct sampling *g, uint32_t h)
{
	const struct estimate_stratum *s = &g->stratum[h];

	return s->n == s->units ? 0 : estimate_deviation(s, g->ry);
}

/* What a stratum adds to the variance. */
static double added(const struct sampling *g, uint32_t h)
{
	const struct estimate_stratum *s = &g->stratum[h];
	double sd = deviation(g, h);

	return (double)s->units * (s->units - s->n) / s->n * sd * sd;
}

/* All but one cost no less than all. */
static bool draw(struct sampling *g, uint32_t h, double n)
{
	uint32_t all = g->stratum[h].units, *drawn = &g->s->drawn[h], was = *drawn;

	if (n > *drawn)
		*drawn = n >= all - 1 ? all : (uint32_t)n;
	return *drawn > was;
}

/* An interval that narrow has no room for what is allowed for warming. */
static void draw_all(struct gpu_sampled *s)
{
	for (uint32_t h = 0; h < s->strata.n; h++)
		s->drawn[h] = s->strata.stratum[h].n;
}

/* As many of each stratum as make the interval that narrow at least cost, if deviations are what they seem: in
 * proportion to units times deviation over the square root of a unit's cost (Cochran, 5.5). */
static void draw_more(struct sampling *g, const struct estimate *now)
{
	double half = (g->s->options.error - SAMPLE_BIAS) * fabs(now->value),
	       t = student_two_sided(now->df, g->s->options.confidence);
	double costs = 0, spread = half / t * (half / t);
	uint32_t widest = 0;
	bool more = false;

	for (uint32_t h = 0; h < g->s->strata.n; h++) {
		double sd = deviation(g, h), units = g->stratum[h].units;

		costs += units * sd * sqrt(g->cost[h]);
		spread += units * sd * sd;
		widest = added(g, h) > added(g, widest) ? h : widest;
	}
	for (uint32_t h = 0; h < g->s->strata.n; h++)
		more |= draw(g, h, ceil(g->stratum[h].units * deviation(g, h) / sqrt(g->cost[h]) * costs / spread));
	if (!more)
		draw(g, widest, ceil(1.5 * g->stratum[widest].n));
}

static int run_until_narrow(struct sampling *g, struct err *e)
{
	struct estimate now;
	unsigned metric;

	draw_first(g->s);
	for (;;) {
		if (run_drawn(g, e) != 0 || find_metric(g, &metric, e) != 0)
			return -1;
		lay_out(g);
		now = estimate_row(g, metric);
		if (now.half <= g->s->options.error * fabs(now.value))
			return 0;
		if (g->s->options.error > SAMPLE_BIAS)
			draw_more(g, &now);
		else
			draw_all(g->s);
	}
}

static int in_order(const void *x, const void *y)
{
	const struct gpu_launch *a = x, *b = y;

	return a->index < b->index ? -1 : a->index > b->index;
}

static void count(struct gpu_sampled *s, const struct trace *t, const struct gpu_result *r)
{
	s->simulated = r->n_launches;
	for (uint32_t i = 0; i < s->launches; i++)
		s->warp_insts += trace_launch(t, i)->warp_insts;
	for (uint32_t i = 0; i < r->n_launches; i++)
		s->simulated_warp_insts += trace_launch(t, r->launch[i].index)->warp_insts;
}

static void take_memory(struct sampling *g, struct arena *a)
{
	uint32_t n = g->s->launches, strata = g->s->strata.n;

	g->skipped = arena_array(a, n, sizeof *g->skipped);
	g->slot = arena_array(a, n, sizeof *g->slot);
	g->was = arena_array(a, strata, sizeof *g->was);
	g->stratum = arena_array(a, strata, sizeof *g->stratum);
	g->cost = arena_array(a, strata, sizeof *g->cost);
	g->x = arena_array(a, n, sizeof *g->x);
	g->y = arena_array(a, n, sizeof *g->y);
	g->z = arena_array(a, n, sizeof *g->z);
	g->ry = arena_array(a, n, sizeof *g->ry);
	g->rz = arena_array(a, n, sizeof *g->rz);
}

int gpu_run_sampled(const struct gpu_config *c, struct gpu_result *r, struct err *e)
{
	struct gpu_sampled *s = c->sampled;
	struct sampling g = {.config = c, .s = s, .r = r};
	struct arena own = {0};
	int rc = -1;

	*r = (struct gpu_result){0};
	s->launches = trace_n_launches(c->trace);
	if (check(c, e) == 0 && strata_of(&s->strata, s->arena, c->trace, e) == 0) {
		strata_shuffle(&s->strata, s->options.seed);
		s->drawn = arena_array(s->arena, s->strata.n, sizeof *s->drawn);
		take_memory(&g, &own);
		rc = run_until_narrow(&g, e);
	}
	if (rc == 0) {
		estimate_all(&g);
		qsort(r->launch, r->n_launches, sizeof *r->launch, in_order);
		count(s, c->trace, r);
	} else {
		gpu_result_free(r);
	}
	arena_free(&own);
	return rc;
}

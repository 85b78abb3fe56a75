#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "run/sampled_impl.h"
#include "sample/windows.h"

static const struct gpu_launch *measured(const struct sampling *g, uint32_t h, uint32_t i)
{
	uint32_t slot = g->slot[g->s->strata.stratum[h].first + i];

	PANIC_UNLESS(slot != SAMPLED_NONE, "sample", h);
	return &g->r->launch[slot];
}

/* Of windows the sum is known: what the launches' ends have not. */
static void lay_out(struct sampling *g, uint32_t h, uint32_t at)
{
	const struct stratum *t = &g->s->strata.stratum[h];
	struct estimate_stratum *to = &g->stratum[h];
	double sum = 0;

	*to = (struct estimate_stratum){.units = t->n, .first = at, .n = g->s->drawn[h], .size = (double)t->warp_insts};
	for (uint32_t i = 0; i < to->n; i++)
		sum += g->x[at + i] = (double)measured(g, h, i)->warp_insts;
	if (t->kind == STRATUM_ENDS)
		to->size = sum;
	else if (t->kind == STRATUM_WINDOWS)
		to->size -= g->stratum[h - 1].size;
	g->cost[h] = (to->size / t->n + 1) * (t->kind == STRATUM_WINDOWS ? 1 + WINDOWS_WARM : 1);
}

void sampled_lay_out(struct sampling *g)
{
	uint32_t at = 0;

	for (uint32_t h = 0; h < g->s->strata.n; h++) {
		lay_out(g, h, at);
		at += g->s->drawn[h];
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
			const struct stats *of = &measured(g, h, i)->stats;

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

static double sum(const double *v, const struct estimate_stratum *s)
{
	double all = 0;

	for (uint32_t i = 0; i < s->n; i++)
		all += v[s->first + i];
	return all;
}

/* What the last windows of divided launches have of y beyond what those ahead of them have for as much work. Of a
 * launch of which nothing was left out that is no estimate. */
static double excess(const struct sampling *g, const double *y)
{
	double all = 0;

	for (uint32_t h = 0; h + 1 < g->s->strata.n; h++) {
		const struct estimate_stratum *ends = &g->stratum[h], *between = &g->stratum[h + 1];
		double x = sum(g->x, between), ratio = x > 0 ? sum(y, between) / x : 0;

		if (g->s->strata.stratum[h].kind != STRATUM_ENDS || between->n == between->units)
			continue;
		for (uint32_t i = 0; i < ends->n; i++) {
			struct sample_unit u = g->s->strata.unit[g->s->strata.stratum[h].first + i];

			if (u.window >= WINDOWS_FRONT)
				all += y[ends->first + i] - ratio * g->x[ends->first + i];
		}
	}
	return all;
}

/* What warming does not bring back is allowed for, unless nothing was passed over; so is how far CTAs are out of step
 * when the SMs drain. */
static double allowance(const struct sampling *g, double value, double drains)
{
	return g->r->n_launches < g->s->strata.n_units ? SAMPLE_BIAS * fabs(value) + SAMPLE_DRAIN * fabs(drains) : 0;
}

struct estimate sampled_estimate(struct sampling *g, unsigned m, double *allowed)
{
	uint32_t n = g->s->strata.n;
	double value, whole, drains;
	struct estimate e;

	*allowed = 0;
	read_row(g, m);
	value = estimate_total(g->stratum, n, g->y, g->x, g->ry);
	drains = excess(g, g->y);
	if (g->r->launch[0].stats.row[m].flags & STAT_QUOTIENT) {
		whole = estimate_total(g->stratum, n, g->z, g->x, g->rz);
		if (whole == 0)
			return (struct estimate){0};
		value = estimate_quotient(g->stratum, n, value, whole, g->ry, g->rz);
		drains = (drains - value * excess(g, g->z)) / whole;
	} else if (is_size(g)) {
		return (struct estimate){.value = value};
	}
	e = estimate_of(g->stratum, n, g->ry, value, g->s->options.confidence);
	*allowed = allowance(g, value, drains);
	e.half += *allowed;
	return e;
}

void sampled_estimate_all(struct sampling *g)
{
	const struct stats *first = &g->r->launch[0].stats;
	struct gpu_sampled *s = g->s;
	double allowed;

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
							    .e = sampled_estimate(g, m, &allowed)};
	}
}

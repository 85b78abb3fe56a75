#include "run/gpu_sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/suggestion.h"
#include "machine/occupancy.h"
#include "run/sampled_impl.h"
#include "sample/student.h"
#include "sample/windows.h"

/* ---- what can be sampled ---- */

static int check(const struct gpu_config *c, struct err *e)
{
	const struct machine *m = c->machine;

	if (!trace_n_launches(c->trace))
		return err_set(e, "--sample: %s has no launches", trace_name(c->trace));
	if (m->launch.concurrent > 1 && !trace_is_in_order(c->trace))
		return err_set(e, "--sample: launches of %s may run at the same time: set launch.concurrent to 1",
			       trace_name(c->trace));
	if (m->vm.enabled)
		return err_set(e, "--sample: must be without vm.enabled: launches that are not simulated touch no page");
	if (m->throttle.policy == THROTTLE_DWT_CS)
		return err_set(e, "--sample: throttle dwt-cs searches over launches, none of which may be passed over");
	if (c->plan && c->plan->n_programs > 1)
		return err_set(e, "--sample: several programs share this machine");
	return 0;
}

/* ---- strata ---- */

/* By launch: CTAs that the SMs hold at once, where they go round robin and do not wait for one another; slices at the
 * SMs, as L1s, would want warming of their own. */
static int find_resident(const struct gpu_config *c, uint32_t *resident, struct err *e)
{
	const struct plan *p = c->plan;

	for (uint32_t i = 0; i < trace_n_launches(c->trace); i++) {
		const struct trace_launch *l = trace_launch(c->trace, i);
		struct occupancy o;

		if (occupancy_of(c->machine, trace_kernel(c->trace, l->kernel), l, &o, e) != 0)
			return -1;
		if ((p && p->launch && p->launch[i].dispatch != DISPATCH_ROUND_ROBIN) || machine_l2_at_sms(c->machine) ||
		    trace_sync(c->trace, i))
			continue;
		resident[i] = c->machine->sm.count * o.ctas;
	}
	return 0;
}

static int find_strata(const struct gpu_config *c, struct gpu_sampled *s, struct err *e)
{
	uint32_t *resident = arena_array(s->arena, s->launches, sizeof *resident);

	if (strata_of(&s->strata, s->arena, c->trace, e) != 0 || find_resident(c, resident, e) != 0)
		return -1;
	strata_divide(&s->strata, s->arena, c->trace, &(struct windows_on){c->machine->sm.count, resident});
	strata_shuffle(&s->strata, s->options.seed);
	s->drawn = arena_array(s->arena, s->strata.n, sizeof *s->drawn);
	for (uint32_t h = 0; h < s->strata.n; h++)
		s->drawn[h] = strata_first(&s->strata.stratum[h]);
	return 0;
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

/* All but one cost no less than all; nor do half of the windows, with those ahead of them. */
static bool draw(struct sampling *g, uint32_t h, double n)
{
	uint32_t all = g->stratum[h].units, *drawn = &g->s->drawn[h], was = *drawn;
	double most = g->s->strata.stratum[h].kind == STRATUM_WINDOWS ? all / (1.0 + WINDOWS_WARM) : all - 1.0;

	if (n > *drawn)
		*drawn = n >= most ? all : (uint32_t)n;
	return *drawn > was;
}

/* An interval that narrow has no room for what is allowed for. */
static void draw_all(struct gpu_sampled *s)
{
	for (uint32_t h = 0; h < s->strata.n; h++)
		s->drawn[h] = s->strata.stratum[h].n;
}

/* As many of each stratum as make the interval that narrow, `half` to either side, at least cost, if deviations are
 * what they seem: in proportion to units times deviation over the square root of a unit's cost (Cochran, 5.5). */
static void draw_more(struct sampling *g, const struct estimate *now, double half)
{
	double t = student_two_sided(now->df, g->s->options.confidence);
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
	double half, allowed;
	unsigned metric;

	for (;;) {
		if (sampled_run(g, e) != 0 || find_metric(g, &metric, e) != 0)
			return -1;
		sampled_lay_out(g);
		now = sampled_estimate(g, metric, &allowed);
		half = g->s->options.error * fabs(now.value);
		if (now.half <= half)
			return 0;
		if (half > allowed)
			draw_more(g, &now, half - allowed);
		else
			draw_all(g->s);
	}
}

static int in_order(const void *x, const void *y)
{
	const struct gpu_launch *a = x, *b = y;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return a->window < b->window ? -1 : a->window > b->window;
}

int gpu_run_sampled(const struct gpu_config *c, struct gpu_result *r, struct err *e)
{
	struct gpu_sampled *s = c->sampled;
	struct sampling g = {.config = c, .s = s, .r = r};
	struct arena own = {0};
	int rc = -1;

	*r = (struct gpu_result){0};
	s->launches = trace_n_launches(c->trace);
	for (uint32_t i = 0; i < s->launches; i++)
		s->warp_insts += trace_launch(c->trace, i)->warp_insts;
	if (check(c, e) == 0 && find_strata(c, s, e) == 0) {
		sampled_prepare(&g, &own);
		rc = run_until_narrow(&g, e);
	}
	if (rc == 0) {
		sampled_estimate_all(&g);
		qsort(r->launch, r->n_launches, sizeof *r->launch, in_order);
	} else {
		gpu_result_free(r);
	}
	arena_free(&own);
	return rc;
}

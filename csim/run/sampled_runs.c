#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "run/sampled_impl.h"
#include "sample/windows.h"

static uint32_t part_of(const struct sampling *g, uint32_t launch, uint32_t window)
{
	return g->first_part[launch] + (window == WINDOW_NONE ? 0 : window);
}

/* ---- which parts a run simulates ---- */

static bool is_divided(const struct sampling *g, uint32_t launch)
{
	return g->windows && g->windows[launch].ctas;
}

static void choose_units(struct sampling *g)
{
	const struct strata *t = &g->s->strata;

	memset(g->skipped, GPU_PASSED, g->s->launches);
	memset(g->how, GPU_PASSED, g->first_part[g->s->launches]);
	for (uint32_t h = 0; h < t->n; h++)
		for (uint32_t i = g->was[h]; i < g->s->drawn[h]; i++) {
			struct sample_unit u = t->unit[t->stratum[h].first + i];

			g->skipped[u.launch] = GPU_SIMULATED;
			g->how[part_of(g, u.launch, u.window)] = GPU_SIMULATED;
		}
}

/* A divided launch is simulated from its begin and to its end, and ahead of what is measured in it. */
static void add_windows(uint8_t *how, uint32_t n)
{
	for (uint32_t w = 0; w < n; w++) {
		if (w < WINDOWS_FRONT || w >= n - WINDOWS_TAIL)
			how[w] = GPU_SIMULATED;
		for (uint32_t k = 1; k <= WINDOWS_WARM && how[w] == GPU_SIMULATED && k <= w; k++)
			how[w - k] = GPU_SIMULATED;
	}
}

/* From a part to the one ahead of it: bytes that are still to warm. */
static uint64_t warm(uint8_t *how, uint64_t left, uint64_t reach, uint64_t bytes)
{
	if (*how == GPU_SIMULATED)
		return reach;
	*how = left ? GPU_WARMS : GPU_PASSED;
	return left > bytes ? left - bytes : 0;
}

/* Ahead of each part that is simulated the last ones warm the L2 whose lines, counted once a part, are SAMPLE_REACH
 * times its bytes: what those before them left has made room for other lines by then. */
static void choose_warming(struct sampling *g)
{
	const struct machine *m = g->config->machine;
	uint64_t reach = (uint64_t)m->l2.c.bytes * m->dram.stacks * m->dram.channels * m->l2.slices * SAMPLE_REACH, left = 0;

	for (uint32_t i = g->s->launches; i-- > 0;) {
		const struct dispatch_windows *w = is_divided(g, i) ? &g->windows[i] : NULL;
		uint32_t ctas = w ? w->ctas : trace_launch(g->config->trace, i)->n_ctas;
		uint64_t bytes = strata_bytes(&g->s->strata, i, ctas);

		for (uint32_t k = w ? w->n : 1; k-- > 0;)
			left = warm(&g->how[g->first_part[i] + k], left, reach, bytes);
		if (!w)
			g->skipped[i] = g->how[g->first_part[i]];
	}
}

/* ---- a run ---- */

static void forget(struct sampling *g)
{
	struct gpu_sampled *s = g->s;

	memset(g->seen, 0, g->first_part[s->launches] * sizeof *g->seen);
	s->simulated = s->simulated_windows = 0;
	s->simulated_warp_insts = 0;
	memset(g->was, 0, g->s->strata.n * sizeof *g->was);
	for (uint32_t u = 0; u < g->s->strata.n_units; u++)
		g->slot[u] = SAMPLED_NONE;
}

/* If none is left out the estimate is what one run measures: all are simulated in that. */
static void join_runs(struct sampling *g)
{
	const struct strata *t = &g->s->strata;

	for (uint32_t h = 0; h < t->n; h++)
		if (g->s->drawn[h] < t->stratum[h].n)
			return;
	forget(g);
	gpu_result_free(g->r);
}

static bool is_drawn(const struct sampling *g, uint32_t unit)
{
	const struct strata *t = &g->s->strata;

	for (uint32_t h = 0; h < t->n; h++)
		if (unit - t->stratum[h].first < t->stratum[h].n)
			return unit - t->stratum[h].first < g->s->drawn[h];
	return false;
}

static void count(struct sampling *g, const struct gpu_launch *l)
{
	uint32_t part = part_of(g, l->index, l->window);

	if (g->seen[part])
		return;
	g->seen[part] = true;
	g->s->simulated_warp_insts += l->warp_insts;
	g->s->simulated += l->window == WINDOW_NONE || l->window == 0;
	g->s->simulated_windows += l->window != WINDOW_NONE;
}

/* The run's units join those of the runs before; windows ahead of them, and units that have been measured before, have
 * served. */
static void take_units(struct sampling *g, struct gpu_result *run)
{
	struct gpu_result *r = g->r;

	r->launch = xrealloc(r->launch, (r->n_launches + run->n_launches + 1) * sizeof *r->launch);
	for (uint32_t i = 0; i < run->n_launches; i++) {
		struct gpu_launch *l = &run->launch[i];
		uint32_t unit = g->unit_of[part_of(g, l->index, l->window)];

		count(g, l);
		if (!is_drawn(g, unit) || g->slot[unit] != SAMPLED_NONE) {
			stats_free(&l->stats);
			continue;
		}
		g->slot[unit] = r->n_launches;
		r->launch[r->n_launches++] = *l;
	}
	run->n_launches = 0;
	r->cycles += run->cycles;
	r->warp_insts += run->warp_insts;
	if (!r->audit.failed)
		r->audit = run->audit;
}

int sampled_run(struct sampling *g, struct err *e)
{
	struct gpu_config c = *g->config;
	struct gpu_result run;
	int rc = 0;

	join_runs(g);
	choose_units(g);
	for (uint32_t i = 0; i < g->s->launches; i++)
		if (is_divided(g, i) && g->skipped[i] == GPU_SIMULATED)
			add_windows(g->how + g->first_part[i], g->windows[i].n);
	choose_warming(g);
	c.skipped = g->skipped;
	c.windows = g->windows;
	c.totals_only = false;
	if (g->s->runs++)
		c.begins = NULL;
	if (gpu_run(&c, &run, e) != 0)
		return -1;
	if (run.cut)
		rc = err_set(e, "--sample: the run was stopped; a partial sample gives no estimate");
	else
		take_units(g, &run);
	gpu_result_free(&run);
	memcpy(g->was, g->s->drawn, g->s->strata.n * sizeof *g->was);
	return rc;
}

/* ---- memory ---- */

static void number_parts(struct sampling *g, struct arena *a)
{
	const struct strata *t = &g->s->strata;
	uint32_t n = 0;

	g->first_part = arena_array(a, g->s->launches + 1, sizeof *g->first_part);
	for (uint32_t i = 0; i < g->s->launches; i++) {
		g->first_part[i] = n;
		n += t->windows && t->windows[i].n ? t->windows[i].n : 1;
	}
	g->first_part[g->s->launches] = n;
	g->how = arena_array(a, n, sizeof *g->how);
	g->seen = arena_array(a, n, sizeof *g->seen);
	g->unit_of = arena_array(a, n, sizeof *g->unit_of);
	for (uint32_t u = 0; u < t->n_units; u++)
		g->unit_of[part_of(g, t->unit[u].launch, t->unit[u].window)] = u;
	if (!t->windows)
		return;
	g->windows = arena_array(a, g->s->launches, sizeof *g->windows);
	for (uint32_t i = 0; i < g->s->launches; i++) {
		g->windows[i] = t->windows[i];
		g->windows[i].skipped = g->how + g->first_part[i];
		g->s->windows += t->windows[i].n;
		g->s->divided += t->windows[i].n > 0;
	}
}

void sampled_prepare(struct sampling *g, struct arena *a)
{
	uint32_t n = g->s->strata.n_units, strata = g->s->strata.n;

	number_parts(g, a);
	g->skipped = arena_array(a, g->s->launches, sizeof *g->skipped);
	g->slot = arena_array(a, n, sizeof *g->slot);
	g->was = arena_array(a, strata, sizeof *g->was);
	g->stratum = arena_array(a, strata, sizeof *g->stratum);
	g->cost = arena_array(a, strata, sizeof *g->cost);
	g->x = arena_array(a, n, sizeof *g->x);
	g->y = arena_array(a, n, sizeof *g->y);
	g->z = arena_array(a, n, sizeof *g->z);
	g->ry = arena_array(a, n, sizeof *g->ry);
	g->rz = arena_array(a, n, sizeof *g->rz);
	forget(g);
}

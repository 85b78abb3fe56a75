/* A run in which all that is left waits: for values that CTAs store which are never dispatched, since the CTAs that
 * wait for them have all places. With CTAs dispatched by their numbers that is found before the run (gpu_fit.c). */
#include <inttypes.h>

#include "dispatch/policy.h"
#include "run/gpu_impl.h"
#include "sm/waits.h"

/* Core cycles without any work but that of waits: none of what a warp waits for else takes as long. */
enum { PATIENCE = 100000 };

/* A CTA that is sent, comes or goes, an instruction, a modification. */
static uint64_t work(const struct gpu *g)
{
	uint64_t n = gpu_warp_insts(g) + g->dispatch.sent + g->dispatch.retired;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += g->sm[s].stats.ctas_started + g->sm[s].stats.folded + g->sm[s].waits->performed;
	return n;
}

/* Whether something waits, and nothing else is on its way in the SMs. What could issue may be held back by a
 * throttle. */
static bool only_waits(const struct gpu *g)
{
	bool waits = false;

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct sm *sm = &g->sm[s];
		uint64_t ready = 0;

		for (unsigned u = 0; u < UNIT_COUNT; u++)
			ready |= sm->ready[u];
		if (sm->running & ~(sm->repeats | sm->at_barrier | ready))
			return false;
		waits |= sm->repeats != 0;
	}
	return waits;
}

struct waiter { /* and the warp whose access it waits for */
	uint32_t launch, cta, warp;
	uint64_t addr;
	uint32_t by_cta, by_warp;
	bool by_any, resident;
};

static bool is_resident(const struct gpu *g, uint32_t launch, uint32_t cta)
{
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		for (unsigned i = 0; i < SM_MAX_CTAS; i++)
			if (g->sm[s].cta[i].live && g->sm[s].cta[i].launch == launch && g->sm[s].cta[i].id == cta)
				return true;
	return false;
}

/* Whose modification it is. */
static void find_releaser(const struct gpu *g, uint32_t word, uint32_t modification, struct waiter *w)
{
	const struct trace_sync *s = g->sync->launch[w->launch].trace;
	uint32_t cta = 0;

	for (uint32_t a = 0; a < s->n_accesses; a++) {
		while (a >= s->first_access[cta + 1])
			cta++;
		for (uint32_t i = s->access[a].first_item; i < s->access[a].first_item + s->access[a].n_items; i++) {
			const struct trace_sync_item *item = &s->item[i];

			if (item->word != word || modification - item->first >= item->n)
				continue;
			w->by_any = true;
			w->by_cta = cta;
			w->by_warp = s->access[a].warp;
			w->resident = is_resident(g, w->launch, cta);
			return;
		}
	}
}

/* What the warp in a slot waits for; false: it has come. */
static bool find_missing(const struct gpu *g, const struct sm *sm, unsigned slot, struct waiter *w)
{
	const struct sm_cta *c = &sm->cta[sm->warp[slot].cta];
	const struct sm_wait *x = &sm->waits->of[slot];
	const struct sync_launch *l = &g->sync->launch[c->launch];
	uint32_t modification, item;

	for (uint32_t a = x->failed_at + 1; a-- > x->first;) {
		item = sync_missing(g->sync, l, a, g->loop.now, &modification);
		if (item == UINT32_MAX)
			continue;
		*w = (struct waiter){.launch = c->launch,
				     .cta = c->id,
				     .warp = l->trace->access[a].warp,
				     .addr = l->trace->word[l->trace->item[item].word].addr};
		find_releaser(g, l->trace->item[item].word, modification, w);
		return true;
	}
	return false;
}

/* The first warp that waits for a CTA which is on no SM; else the first one. */
static bool find_waiter(const struct gpu *g, struct waiter *w)
{
	bool found = false;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		for (uint64_t slots = g->sm[s].repeats; slots; slots &= slots - 1) {
			struct waiter one;

			if (!find_missing(g, &g->sm[s], (unsigned)__builtin_ctzll(slots), &one))
				continue;
			if (!found || (w->resident && !one.resident))
				*w = one;
			found = true;
			if (one.by_any && !one.resident)
				return true;
		}
	return found;
}

static const char *dispatch_of(const struct gpu *g, uint32_t launch)
{
	const struct plan *p = g->config->plan;

	return dispatch_policies[p && p->launch ? p->launch[launch].dispatch : DISPATCH_ROUND_ROBIN]->name;
}

static void explain(const struct gpu *g, const struct waiter *w, struct err *e)
{
	const struct plan *p = g->config->plan;
	const char *kernel = trace_kernel(g->trace, trace_launch(g->trace, w->launch)->kernel)->name;
	char by[128] = "that nothing in the launch stores";

	if (w->by_any)
		snprintf(by, sizeof by, "that warp %" PRIu32 " of CTA %" PRIu32 " stores, %s", w->by_warp, w->by_cta,
			 w->resident ? "which makes no progress either"
				     : "which is dispatched only when CTAs that wait have ended");
	err_set(e,
		"deadlock in launch %" PRIu32 " (%s): warp %" PRIu32 " of CTA %" PRIu32 " waits for a value at 0x%" PRIx64
		" %s (dispatch %s%s%s)",
		w->launch, kernel, w->warp, w->cta, w->addr, by, dispatch_of(g, w->launch), p && p->name[0] ? ", plan " : "",
		p && p->name[0] ? p->name : "");
}

void gpu_waits_note(struct gpu *g)
{
	struct gpu_waits *x = &g->waits;
	struct waiter w;
	uint64_t done;

	if (!g->sync || x->deadlock.text[0])
		return;
	done = work(g);
	if (done != x->done || !only_waits(g)) {
		x->done = done;
		x->since = g->loop.now;
		return;
	}
	if (ticks_before(ticks_between(x->since, g->loop.now), ticks_of(PATIENCE, g->m->clock.period[CLOCK_CORE])))
		return;
	if (find_waiter(g, &w))
		explain(g, &w, &x->deadlock);
}

/* Of all launches that are simulated. */
static uint64_t modifications(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t l = 0; l < g->sync->launches; l++) {
		const struct trace_sync *s = g->sync->launch[l].trace;

		for (uint32_t i = 0; s && !(g->config->skipped && g->config->skipped[l]) && i < s->n_items; i++)
			n += s->item[i].n;
	}
	return n;
}

void gpu_audit_waits(const struct gpu *g, bool ended, struct audit *a)
{
	uint64_t performed = 0, repeat = 0, insts = 0, issued = 0;

	if (!g->sync)
		return;
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct sm *sm = &g->sm[s];

		performed += sm->waits->performed;
		repeat += (uint64_t)__builtin_popcountll(sm->repeats);
		insts += sm->stats.wait.insts;
		for (unsigned k = 0; k < SM_MAX_SCHEDULERS; k++)
			issued += sm->stats.stalls[STALL_WAIT][k];
	}
	audit_at_most(a, "waits: warp instructions of repeated waits <= scheduler cycles of repeated waits", insts, issued);
	if (!ended)
		return;
	audit_equal(a, "waits: modifications performed = modifications of the trace", performed, modifications(g));
	audit_equal(a, "waits: warps in a repeated wait at the end", repeat, 0);
}

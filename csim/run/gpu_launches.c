/* What each launch counts: all counters at its end less those at the end of the launch before.
 *
 * The counters are read when the tick in which the dispatcher heard of the launch's last CTA has been stepped through:
 * SMs are empty then, and whatever the parts did in that tick is counted in whichever order they did it. The L2 and
 * DRAM may still work for the launch (fetches for writes, write-backs); that counts where it falls, with the next
 * launch, or after the last one with that. Of several programs a launch has the counters of its own program's SMs, and
 * those of the whole memory system meanwhile.
 *
 * Where launches run at the same time SMs are not empty at a launch's end. What a launch counts is what the whole
 * machine did since the launch before it, in the order of their ends, had ended; its own begin and end are there beside
 * (run/gpu_concurrent.c).
 */
#include <stdlib.h>

#include "base/arena.h"
#include "run/gpu_impl.h"

static uint32_t first_launch(const struct gpu *g, uint32_t program)
{
	return g->dispatch.n_programs > 1 ? g->config->plan->program[program].first_launch : 0;
}

void gpu_launches_init(struct gpu *g)
{
	uint32_t n = g->dispatch.n_programs;

	g->launches.next = arena_array(&g->arena, n, sizeof *g->launches.next);
	g->launches.since = arena_array(&g->arena, n, sizeof *g->launches.since);
	for (uint32_t i = 0; i < n; i++)
		g->launches.next[i] = first_launch(g, i);
	n = g->config->totals_only && trace_n_launches(g->trace) ? 1 : trace_n_launches(g->trace);
	g->launches.ended = arena_array(&g->arena, n, sizeof *g->launches.ended);
}

bool gpu_launch_ended(const struct gpu *g)
{
	for (uint32_t i = 0; i < g->dispatch.n_programs; i++)
		if (g->launches.next[i] != g->dispatch.program[i].launch)
			return true;
	return false;
}

/* Up to the core cycle in which the dispatcher heard of the program's last CTA. */
static uint64_t cycles_of(const struct gpu *g, uint32_t program)
{
	struct ticks end = g->dispatch.program[program].end;

	return end.n ? cycles_in(end, g->m->clock.period[CLOCK_CORE]) + 1 : 0;
}

static bool has_other_work(const struct gpu *g, const struct gpu_launch_counts *r)
{
	const struct trace_launch *t = trace_launch(g->trace, r->launch);
	const struct sm_stats *s = &r->count.sm.sm;

	return s->warp_insts + s->folded != t->warp_insts || sm_thread_insts(s) + s->folded_lanes != t->thread_insts ||
	       s->ctas_retired != t->n_ctas;
}

/* Makes room for another launch: where only totals are wanted, what the invariants ask of the last one is all that is
 * kept of it. */
static struct gpu_launch_counts *room(struct gpu *g)
{
	struct gpu_launches *l = &g->launches;

	if (g->config->totals_only && l->n) {
		struct energy spent = energy_of(g->m, &l->ended[0].count);

		METRICS_ADD(&l->past, &l->ended[0].count);
		METRICS_ADD(&l->past_energy, &spent);
		l->past_differ += has_other_work(g, &l->ended[0]);
		l->n = 0;
	}
	return &l->ended[l->n++];
}

/* Closes the program's next launch with the counters `now`. */
static void close_launch(struct gpu *g, uint32_t program, const struct gpu_counts *now)
{
	struct gpu_launches *l = &g->launches;
	struct gpu_launch_counts *r = room(g);

	*r = (struct gpu_launch_counts){.program = program, .count = *now};

	r->launch = dispatch_ended(&g->dispatch, l->next[program]++);
	METRICS_TAKE(&r->count, &l->since[program]);
	l->since[program] = *now;
}

static bool is_skipped(const struct gpu *g, uint32_t launch)
{
	return g->config->skipped && g->config->skipped[launch];
}

/* Nothing reads the L2 any more when the last launch that is simulated has ended. */
static void pass_launch(struct gpu *g, uint32_t launch)
{
	if (g->config->skipped[launch] == GPU_WARMS && !dispatch_finished(&g->dispatch) && !g->warming.text[0])
		gpu_warm_launch(g, launch, &g->warming);
}

void gpu_note_launches(struct gpu *g)
{
	for (uint32_t i = 0; i < g->dispatch.n_programs; i++) {
		struct gpu_counts now;

		if (g->launches.next[i] == g->dispatch.program[i].launch)
			continue;
		now = gpu_count(g, i, cycles_of(g, i), g->loop.now);
		while (g->launches.next[i] < g->dispatch.program[i].launch)
			if (is_skipped(g, g->launches.next[i]))
				pass_launch(g, g->launches.next[i]++);
			else
				close_launch(g, i, &now);
	}
}

void gpu_close_launches(struct gpu *g)
{
	struct gpu_launches *l = &g->launches;

	for (uint32_t i = 0; i < g->dispatch.n_programs; i++) {
		const struct dispatch_program *p = &g->dispatch.program[i];
		struct gpu_counts now;

		if (l->next[i] != p->end_launch) { /* cut */
			now = gpu_count(g, i, g->cycles, g->end);
			close_launch(g, i, &now);
		} else if (g->dispatch.n_programs == 1 && l->n) {
			now = gpu_count(g, i, cycles_of(g, i), g->end);
			METRICS_TAKE(&now, &l->since[i]);
			METRICS_ADD(&l->ended[l->n - 1].count, &now);
		}
	}
}

/* ---- metrics ---- */

static void report_carveout(const struct gpu *g, uint32_t launch, struct stats *to)
{
	if (!g->carveout)
		return;
	stats_count(to, STAT_STATE, "sm.shared.carveout", g->carveout[launch].shared_bytes, "bytes",
		    "of the SM's array, for shared memory");
	stats_count(to, STAT_STATE, "sm.l1.bytes", g->carveout[launch].l1_bytes, "bytes", "what that leaves to the L1");
}

static void report_one(const struct gpu *g, const struct gpu_launch_counts *r, struct gpu_launch *to)
{
	const struct plan *p = g->config->plan;

	to->index = r->launch;
	to->kernel = trace_kernel(g->trace, trace_launch(g->trace, r->launch)->kernel)->name;
	to->program = g->dispatch.n_programs > 1 ? p->program[r->program].name : NULL;
	gpu_launch_rows(g, &r->count, &to->stats);
	if (!g->dispatch.concurrent)
		report_carveout(g, r->launch, &to->stats);
	gpu_report_times(g, r->launch, &to->stats);
}

void gpu_report_launches(const struct gpu *g, struct gpu_result *r)
{
	if (g->config->totals_only)
		return;
	r->n_launches = g->launches.n;
	r->launch = xcalloc(g->launches.n + 1, sizeof *r->launch);
	for (uint32_t i = 0; i < g->launches.n; i++)
		report_one(g, &g->launches.ended[i], &r->launch[i]);
}

void gpu_result_free(struct gpu_result *r)
{
	for (uint32_t i = 0; i < r->n_launches; i++)
		stats_free(&r->launch[i].stats);
	free(r->launch);
	stats_free(&r->stats);
	*r = (struct gpu_result){0};
}

/* ---- invariants ---- */

static uint64_t words_that_differ(const struct gpu_counts *a, const struct gpu_counts *b)
{
	const uint64_t *x = (const uint64_t *)a, *y = (const uint64_t *)b;
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
		n += x[i] != y[i];
	return n;
}

static uint64_t launches_that_differ(const struct gpu *g)
{
	uint64_t n = g->launches.past_differ;

	for (uint32_t i = 0; i < g->launches.n; i++)
		n += has_other_work(g, &g->launches.ended[i]);
	return n;
}

void gpu_audit_launches(const struct gpu *g, const struct gpu_counts *total, bool ended, struct audit *a)
{
	struct gpu_counts sum = g->launches.past;

	for (uint32_t i = 0; i < g->launches.n; i++)
		METRICS_ADD(&sum, &g->launches.ended[i].count);
	if (g->dispatch.n_programs == 1 && g->launches.n)
		audit_equal(a, "launches: counters that do not sum to the run's", words_that_differ(&sum, total), 0);
	if (g->dispatch.concurrent)
		concurrent_audit(g->dispatch.concurrent, a);
	else if (ended)
		audit_equal(a, "launches: with other instructions or CTAs than the trace's", launches_that_differ(g), 0);
}

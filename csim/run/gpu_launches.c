/* What each launch counts: all counters at its end less those at the end of the launch before.
 *
 * The counters are read when the tick in which the dispatcher was notified of the launch's last CTA was stepped
 * through: SMs are empty then, and whatever the parts did in that tick is counted in whichever order they did it. The
 * L2 and DRAM may still work for the launch (fetches for writes, write-backs); that counts where it falls, with the
 * next launch, or after the last one with that. Of several programs a launch has the counters of its own program's
 * SMs, and those of the whole memory system meanwhile.
 *
 * A launch of which some windows of CTAs are passed over (dispatch/windows.h) is counted by window: up to the tick in
 * which the next window's first CTA is sent, when SMs are busy with CTAs of this window and the one before. Ahead of
 * what that CTA does the windows that were passed over warm the L2.
 *
 * Where launches run at the same time SMs are not empty at a launch's end. What a launch counts is what the whole
 * machine did since the launch before it, in the order of their ends, had ended; its own begin and end are there beside
 * (run/gpu_concurrent.c).
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "run/gpu_impl.h"

static uint32_t first_launch(const struct gpu *g, uint32_t program)
{
	return g->dispatch.n_programs > 1 ? g->config->plan->program[program].first_launch : 0;
}

/* What is counted by itself: launches, and windows of them that are sent. */
static uint32_t parts_of_all(const struct gpu *g)
{
	uint32_t n = trace_n_launches(g->trace);

	for (uint32_t i = 0; i < trace_n_launches(g->trace); i++) {
		const struct dispatch_windows *w = dispatch_windows_of(&g->dispatch, i);

		for (uint32_t k = 0; w && k < w->n; k++)
			n += !w->skipped[k];
	}
	return n;
}

void gpu_launches_init(struct gpu *g)
{
	uint32_t n = g->dispatch.n_programs;

	g->launches.next = arena_array(&g->arena, n, sizeof *g->launches.next);
	g->launches.since = arena_array(&g->arena, n, sizeof *g->launches.since);
	for (uint32_t i = 0; i < n; i++)
		g->launches.next[i] = first_launch(g, i);
	g->launches.window = WINDOW_NONE;
	n = g->config->totals_only && trace_n_launches(g->trace) ? 1 : parts_of_all(g);
	g->launches.ended = arena_array(&g->arena, n, sizeof *g->launches.ended);
}

bool gpu_launch_ended(const struct gpu *g)
{
	for (uint32_t i = 0; i < g->dispatch.n_programs; i++)
		if (g->launches.next[i] != g->dispatch.program[i].launch)
			return true;
	return false;
}

/* Only of one program. */
bool gpu_window_begins(const struct gpu *g)
{
	return g->launches.window != g->dispatch.program[0].window;
}

/* Up to the core cycle in which the dispatcher was notified of the program's last CTA. */
static uint64_t cycles_of(const struct gpu *g, uint32_t program)
{
	struct ticks end = g->dispatch.program[program].end;

	return end.n ? cycles_in(end, g->m->clock.period[CLOCK_CORE]) + 1 : 0;
}

static bool has_other_work(const struct gpu *g, const struct gpu_launch_counts *r)
{
	const struct trace_launch *t = trace_launch(g->trace, r->launch);
	const struct sm_stats *s = &r->count.sm.sm;

	if (r->window != WINDOW_NONE)
		return false;
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

/* Closes the program's next launch, or its window, with the counters `now`. */
static void close_part(struct gpu *g, uint32_t program, uint32_t launch, const struct gpu_counts *now)
{
	struct gpu_launches *l = &g->launches;
	struct gpu_launch_counts *r = room(g);

	*r = (struct gpu_launch_counts){.program = program, .launch = launch, .window = l->window, .count = *now};
	METRICS_TAKE(&r->count, &l->since[program]);
	l->since[program] = *now;
}

static void close_launch(struct gpu *g, uint32_t program, const struct gpu_counts *now)
{
	close_part(g, program, dispatch_ended(&g->dispatch, g->launches.next[program]++), now);
	g->launches.window = WINDOW_NONE;
}

static bool is_skipped(const struct gpu *g, uint32_t launch)
{
	return g->config->skipped && g->config->skipped[launch];
}

/* Nothing reads the L2 any more when the last launch that is simulated has ended. */
static void warm(struct gpu *g, enum gpu_skip how, uint32_t launch, uint32_t first, uint32_t end)
{
	if (how == GPU_WARMS && !dispatch_finished(&g->dispatch) && !g->warming.text[0])
		gpu_warm_ctas(g, launch, first, end, &g->warming);
}

/* Windows from `from` on, ahead of `to`, that were passed over. */
static void pass_windows(struct gpu *g, const struct dispatch_windows *w, uint32_t launch, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		warm(g, w->skipped[i], launch, window_first(w, i), window_end(w, i, trace_launch(g->trace, launch)->n_ctas));
}

static void pass_launch(struct gpu *g, uint32_t launch)
{
	const struct dispatch_windows *w = dispatch_windows_of(&g->dispatch, launch);

	if (w)
		pass_windows(g, w, launch, 0, w->n);
	else
		warm(g, g->config->skipped[launch], launch, 0, trace_launch(g->trace, launch)->n_ctas);
}

static uint32_t behind(uint32_t window)
{
	return window == WINDOW_NONE ? 0 : window + 1;
}

/* Its last windows, if they were passed over, are behind the launch's last CTA. */
static void end_launch(struct gpu *g, uint32_t program, const struct gpu_counts *now)
{
	uint32_t launch = g->launches.next[program], from = behind(g->launches.window);
	const struct dispatch_windows *w = dispatch_windows_of(&g->dispatch, launch);

	close_launch(g, program, now);
	if (w)
		pass_windows(g, w, launch, from, w->n);
}

/* The first CTA of another window has been sent; now: no counters have been read at this tick, unless the launch's
 * first one has. */
static void note_window(struct gpu *g)
{
	const struct dispatch_program *p = &g->dispatch.program[0];
	uint64_t cycles = cycles_in(g->loop.now, g->m->clock.period[CLOCK_CORE]) + 1;
	struct gpu_launches *l = &g->launches;
	struct gpu_counts now;

	if (l->window != WINDOW_NONE) {
		for (uint32_t s = 0; s < g->m->sm.count; s++)
			sm_count_up_to(&g->sm[s], cycles);
		now = gpu_count(g, 0, cycles, g->loop.now);
		close_part(g, 0, p->launch, &now);
	}
	pass_windows(g, dispatch_windows_of(&g->dispatch, p->launch), p->launch, behind(l->window), p->window);
	l->window = p->window;
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
				end_launch(g, i, &now);
	}
	if (gpu_window_begins(g))
		note_window(g);
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
		    "bytes of the SM's unified array used as shared memory");
	stats_count(to, STAT_STATE, "sm.l1.bytes", g->carveout[launch].l1_bytes, "bytes", "what that leaves to the L1");
}

static void report_one(const struct gpu *g, const struct gpu_launch_counts *r, struct gpu_launch *to)
{
	const struct plan *p = g->config->plan;

	to->index = r->launch;
	to->window = r->window;
	to->warp_insts = r->count.sm.sm.warp_insts + r->count.sm.sm.folded;
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

/* Launches of which other CTAs ended than were sent, of those that are counted by window. */
static uint64_t windows_that_differ(const struct gpu *g)
{
	uint64_t n = 0, retired = 0;

	for (uint32_t i = 0; i < g->launches.n; i++) {
		const struct gpu_launch_counts *r = &g->launches.ended[i], *next = r + 1;

		if (r->window == WINDOW_NONE)
			continue;
		retired += r->count.sm.sm.ctas_retired;
		if (i + 1 < g->launches.n && next->launch == r->launch)
			continue;
		n += retired !=
		     windows_ctas(dispatch_windows_of(&g->dispatch, r->launch), trace_launch(g->trace, r->launch)->n_ctas);
		retired = 0;
	}
	return n;
}

void gpu_audit_launches(const struct gpu *g, const struct gpu_counts *total, bool ended, struct audit *a)
{
	struct gpu_counts sum = g->launches.past;

	for (uint32_t i = 0; i < g->launches.n; i++)
		METRICS_ADD(&sum, &g->launches.ended[i].count);
	if (g->dispatch.n_programs == 1 && g->launches.n)
		audit_equal(a, "launches: counters whose sum differs from the run's", words_that_differ(&sum, total), 0);
	if (g->dispatch.concurrent)
		concurrent_audit(g->dispatch.concurrent, a);
	else if (ended)
		audit_equal(a, "launches: instructions or CTAs that differ from the trace's", launches_that_differ(g), 0);
	if (ended && g->config->windows)
		audit_equal(a, "sampling windows: launches whose ended CTAs differ from those sent", windows_that_differ(g), 0);
}

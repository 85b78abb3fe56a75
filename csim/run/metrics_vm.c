/* The metrics of virtual memory, and the invariants that its counters obey. */
#include <stdio.h>

#include "run/gpu_impl.h"

#define C(field) METRIC_OF(struct gpu_counts, field)

enum { RUN = OF_RUN | OF_LAUNCH };

/* clang-format off */
static const struct metric page_rows[] = {
	{"vm.pages", "pages", "mapped", METRIC_COUNT, OF_RUN, .a = C(pages.mapped)},
	{"vm.pages.fgp", "pages", "spread finely over the stacks", METRIC_COUNT, OF_RUN, .a = C(pages.fgp)},
	{"vm.pages.cgp", "pages", "in one stack", METRIC_COUNT, OF_RUN, .a = C(pages.cgp)},
	{"vm.pages.base_bit", "pages", "spread by bits of their own", METRIC_COUNT, OF_RUN, .a = C(pages.base_bit)},
	{"vm.pages.xor", "pages", "spread by a hash of the address", METRIC_COUNT, OF_RUN, .a = C(pages.xor)},
	{"vm.pages.shared", "pages", "that two buffers have; the first one decided", METRIC_COUNT, OF_RUN, .a = C(pages.shared)},
	{"vm.table_bytes", "bytes", "of page tables", METRIC_COUNT, OF_RUN, .a = C(pages.table_bytes)},
	{"vm.groups", "groups", "of page frames in use", METRIC_COUNT, OF_RUN, .a = C(pages.groups)},
	{"vm.faults", "", "touches of pages that were not mapped", METRIC_COUNT, RUN, .a = C(pages.faults)},
	{"vm.faults.mapped", "pages", "mapped by their first touch", METRIC_COUNT, RUN, .a = C(pages.first_touched)},
};

/* With vm.migrate. */
static const struct metric move_rows[] = {
	{"vm.moved", "pages", "whose data their first touch moved", METRIC_COUNT, RUN, .a = C(moves.pager.moved)},
	{"vm.moved_bytes", "bytes", "that were read where they were, and written", METRIC_COUNT, RUN, .a = C(moves.movers.bytes)},
	{"vm.kept", "pages", "whose data were in the stack of their first toucher", METRIC_COUNT, RUN, .a = C(moves.pager.kept)},
	{"vm.move_wait", "core cycles", "of a touch, until its page's data had come, mean", METRIC_CYCLES, RUN, .a = C(moves.pager.wait),
	 .b = C(moves.pager.waited)},
};

static const struct metric tlb_rows[] = {
	{"tlb.l1.lookups", "", "transactions", METRIC_COUNT, RUN, .a = C(sm.tlb.lookups)},
	{"tlb.l1.hits", "", "page was there", METRIC_COUNT, RUN, .a = C(sm.tlb.hits)},
	{"tlb.l1.merged", "", "page was on its way", METRIC_COUNT, RUN, .a = C(sm.tlb.merged)},
	{"tlb.l1.misses", "", "page was asked for", METRIC_COUNT, RUN, .a = C(sm.tlb.misses)},
	{"tlb.l1.hit_rate", "%", "hits of all look-ups; tlb.l1.merged are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(sm.tlb.hits),
	 .b = C(sm.tlb.lookups)},
	{"tlb.l1.miss_rate", "%", "misses of all look-ups", METRIC_PERCENT, RUN, .a = C(sm.tlb.misses), .b = C(sm.tlb.lookups)},
	{"tlb.l1.full", "cycles", "load/store units waited for room among the pending (vm.l1_tlb.pending)", METRIC_COUNT, RUN,
	 .a = C(sm.tlb.full_cycles)},
	{"tlb.l2.lookups", "", "pages that SMs asked for", METRIC_COUNT, RUN, .a = C(mmu.lookups)},
	{"tlb.l2.hits", "", "page was there", METRIC_COUNT, RUN, .a = C(mmu.hits)},
	{"tlb.l2.merged", "", "page was on its way", METRIC_COUNT, RUN, .a = C(mmu.merged)},
	{"tlb.l2.misses", "", "page table had to be walked", METRIC_COUNT, RUN, .a = C(mmu.misses)},
	{"tlb.l2.hit_rate", "%", "hits of all look-ups; tlb.l2.merged are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(mmu.hits),
	 .b = C(mmu.lookups)},
	{"tlb.l2.miss_rate", "%", "misses of all look-ups", METRIC_PERCENT, RUN, .a = C(mmu.misses), .b = C(mmu.lookups)},
	{"walk.walks", "", "of page tables", METRIC_COUNT, RUN, .a = C(mmu.walks)},
	{"walk.reads", "", "of page-table entries, from memory", METRIC_COUNT, RUN, .a = C(mmu.reads)},
	{"walk.skipped", "levels", "that the page-walk cache knew", METRIC_COUNT, RUN, .a = C(mmu.skipped)},
	{"walk.latency", "core cycles", "of a walk, mean", METRIC_CYCLES, RUN, .a = C(mmu.walk), .b = C(mmu.walked)},
	{"walk.wait", "core cycles", "until a walker was free, mean", METRIC_CYCLES, RUN, .a = C(mmu.wait), .b = C(mmu.walks)},
	{"tlb.lookups", "", "of the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.lookups)},
	{"tlb.hits", "", "of the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.hits)},
	{"tlb.merged", "", "of the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.merged)},
	{"tlb.misses", "", "of the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.misses)},
};

static const struct metric module_rows[] = {
	{"tlb.lookups", "", "of the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.lookups)},
	{"tlb.hits", "", "of the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.hits)},
	{"tlb.merged", "", "of the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.merged)},
	{"tlb.misses", "", "of the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.misses)},
	{"walk.reads", "", "of the module's walkers", METRIC_COUNT, OF_SM, .a = C(mmu.reads)},
	{"faults", "", "of the module's SMs", METRIC_COUNT, OF_SM, .a = C(mmu.faults)},
};
/* clang-format on */

const struct metric_table gpu_page_metrics = METRIC_TABLE(page_rows), gpu_move_metrics = METRIC_TABLE(move_rows),
			  gpu_tlb_metrics = METRIC_TABLE(tlb_rows), gpu_module_metrics = METRIC_TABLE(module_rows);

void gpu_vm_count(const struct gpu *g, struct gpu_counts *c)
{
	const struct pages *p = &g->vm.pages;

	for (uint32_t i = 0; i < g->vm.modules; i++)
		METRICS_ADD(&c->mmu, &g->vm.mmu[i].stats);
	if (!g->vm.on)
		return;
	c->pages = (struct gpu_page_counts){.mapped = p->mapped,
					    .fgp = p->by_mode[MODE_FGP],
					    .cgp = p->by_mode[MODE_CGP],
					    .xor = p->by_mode[MODE_XOR],
					    .shared = p->shared,
					    .table_bytes = p->node_bytes,
					    .groups = p->frames.converted - p->frames.returned,
					    .faults = g->vm.pager.faults,
					    .first_touched = g->vm.pager.mapped};
	c->moves.pager = g->vm.pager.count;
	for (uint32_t i = 0; g->vm.mover && i < g->vm.modules; i++)
		METRICS_ADD(&c->moves.movers, &g->vm.mover[i].count);
	for (uint32_t m = MODE_CGP + 1; m < PAGE_MODES; m++)
		c->pages.base_bit += m == MODE_XOR ? 0 : p->by_mode[m];
}

static void detail(const struct gpu *g, struct stats *to)
{
	char prefix[64];
	struct metric_view v = {.prefix = prefix, .shown = OF_SM};

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		snprintf(prefix, sizeof prefix, "sm.%u.", s);
		metrics_rows(to, &gpu_tlb_metrics, &v, &(struct gpu_counts){.sm.tlb = g->sm[s].lsu.translate.stats});
	}
	for (uint32_t i = 0; i < g->vm.modules; i++) {
		snprintf(prefix, sizeof prefix, "module.%u.", i);
		metrics_rows(to, &gpu_module_metrics, &v, &(struct gpu_counts){.mmu = g->vm.mmu[i].stats});
	}
}

void gpu_vm_report(const struct gpu *g, const struct gpu_counts *c, struct stats *to)
{
	const struct pages *p = &g->vm.pages;
	struct metric_view v = {.prefix = "", .shown = OF_RUN, .period = g->m->clock.period[CLOCK_CORE]};
	char key[64];

	if (!g->vm.on)
		return;
	metrics_rows(to, &gpu_page_metrics, &v, c);
	if (g->vm.mover)
		metrics_rows(to, &gpu_move_metrics, &v, c);
	for (uint32_t s = 0; s < p->p.stacks; s++) {
		snprintf(key, sizeof key, "vm.stack.%u.pages", s);
		stats_count(to, STAT_DETAIL, key, p->on_stack[s], "pages", "in this stack alone");
	}
	if (!g->m->vm.tlb)
		return;
	metrics_rows(to, &gpu_tlb_metrics, &v, c);
	detail(g, to);
}

/* ---- invariants ---- */

static uint64_t frames_in_use(const struct frames *f)
{
	uint64_t n = 0;

	for (uint32_t m = 0; m < PAGE_MODES; m++)
		n += f->used[m];
	return n;
}

/* Look-ups of the busiest module's TLB. */
static uint64_t most_lookups(const struct gpu *g)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < g->vm.modules; i++)
		most = most > g->vm.mmu[i].stats.lookups ? most : g->vm.mmu[i].stats.lookups;
	return most;
}

static uint64_t in_flight(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += g->sm[s].lsu.translate.n_wait + translate_n_due(&g->sm[s].lsu.translate);
	for (uint32_t i = 0; i < g->vm.modules; i++)
		n += mmu_in_flight(&g->vm.mmu[i]);
	return n;
}

static void always(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct translate_stats *t = &c->sm.tlb;
	const struct pages *p = &g->vm.pages;

	audit_equal(a, "L1 TLBs: look-ups = hits + merged + misses", t->lookups, t->hits + t->merged + t->misses);
	audit_equal(a, "L2 TLBs: look-ups = hits + merged + misses", c->mmu.lookups, c->mmu.hits + c->mmu.merged + c->mmu.misses);
	audit_equal(a,
		    g->vm.mover ? "page frames in use = pages mapped + frames of page tables + of data that have not moved"
				: "page frames in use = pages mapped + frames of page tables",
		    frames_in_use(&p->frames), p->mapped + p->table_frames + p->origins + p->targets);
	audit_at_most(a, "roofline: one look-up a cycle in a module's L2 TLB", most_lookups(g),
		      cycles_in(g->end, g->m->clock.period[CLOCK_CORE]));
}

static void audit_moves(const struct gpu *g, const struct gpu_move_counts *c, struct audit *a)
{
	uint64_t pages = c->movers.pages, page = g->m->vm.page;

	audit_equal(a, "pages that were moved = pages that the movers copied", c->pager.moved, pages);
	audit_equal(a, "lines that page movers read = lines that they wrote", c->movers.reads, c->movers.writes);
	audit_equal(a, "bytes that were moved = pages that were x their size", c->movers.bytes, pages * page);
	audit_equal(a, "answers of memory to page movers = lines read and written", memsys_facts(g->memsys).moves,
		    c->movers.reads + c->movers.writes);
	audit_equal(a, "frames that wait for data", g->vm.pages.targets, 0);
}

static void at_the_end(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct mmu_stats *u = &c->mmu;

	audit_equal(a, "look-ups of L2 TLBs = misses of L1 TLBs", u->lookups, c->sm.tlb.misses);
	audit_equal(a, "answers of L2 TLBs = their look-ups", u->answered, u->lookups);
	audit_equal(a, "answers at L1 TLBs = their misses", c->sm.tlb.answers, c->sm.tlb.misses);
	if (g->vm.mover)
		audit_moves(g, &c->moves, a);
	audit_equal(a, "page walks = misses of L2 TLBs", u->walks, g->m->vm.tlb ? u->misses : 0);
	audit_equal(a, "page walks that ended = page walks", u->walked, u->walks);
	audit_equal(a, "reads of page tables = levels of walks - skipped - below an absent entry", u->reads,
		    g->vm.pages.levels * u->walks - u->skipped - u->absent);
	audit_equal(a, "replies to page walkers = their reads", u->replies, u->reads);
	audit_equal(a, "page faults that were resolved = page faults", u->resolved, u->faults);
	audit_equal(a, "nothing in flight in the TLBs and page walkers", in_flight(g), 0);
}

void gpu_vm_audit(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a)
{
	if (!g->vm.on)
		return;
	always(g, c, a);
	if (ended)
		at_the_end(g, c, a);
}

/* The metrics of virtual memory, and the invariants that its counters obey. */
#include <stdio.h>

#include "run/gpu_impl.h"

#define C(field) METRIC_OF(struct gpu_counts, field)

enum { RUN = OF_RUN | OF_LAUNCH };

/* clang-format off */
static const struct metric page_rows[] = {
	{"vm.pages", "pages", "pages mapped", METRIC_COUNT, OF_RUN, .a = C(pages.mapped)},
	{"vm.pages.fgp", "pages", "pages interleaved finely over the stacks", METRIC_COUNT, OF_RUN, .a = C(pages.fgp)},
	{"vm.pages.cgp", "pages", "pages placed in one stack", METRIC_COUNT, OF_RUN, .a = C(pages.cgp)},
	{"vm.pages.base_bit", "pages", "pages spread over stacks by address bits of their own", METRIC_COUNT, OF_RUN, .a = C(pages.base_bit)},
	{"vm.pages.xor", "pages", "pages spread over stacks by an address hash", METRIC_COUNT, OF_RUN, .a = C(pages.xor)},
	{"vm.pages.shared", "pages", "pages shared by two buffers and placed for the first one", METRIC_COUNT, OF_RUN, .a = C(pages.shared)},
	{"vm.table_bytes", "bytes", "bytes of page tables", METRIC_COUNT, OF_RUN, .a = C(pages.table_bytes)},
	{"vm.groups", "groups", "groups of page frames in use", METRIC_COUNT, OF_RUN, .a = C(pages.groups)},
	{"vm.faults", "", "accesses to pages that were not mapped", METRIC_COUNT, RUN, .a = C(pages.faults)},
	{"vm.faults.mapped", "pages", "pages mapped by their first access", METRIC_COUNT, RUN, .a = C(pages.first_touched)},
};

/* With vm.migrate. */
static const struct metric move_rows[] = {
	{"vm.moved", "pages", "pages migrated by their first access", METRIC_COUNT, RUN, .a = C(moves.pager.moved)},
	{"vm.moved_bytes", "bytes", "bytes of the migrated pages", METRIC_COUNT, RUN, .a = C(moves.movers.bytes)},
	{"vm.kept", "pages", "pages already in the stack of their first access", METRIC_COUNT, RUN, .a = C(moves.pager.kept)},
	{"vm.move_wait", "core cycles", "mean time that a first access waited for its page to be migrated", METRIC_CYCLES, RUN, .a = C(moves.pager.wait),
	 .b = C(moves.pager.waited)},
};

static const struct metric tlb_rows[] = {
	{"tlb.l1.lookups", "", "lookups in the SMs' TLBs", METRIC_COUNT, RUN, .a = C(sm.tlb.lookups)},
	{"tlb.l1.hits", "", "lookups that found their page in an SM's TLB", METRIC_COUNT, RUN, .a = C(sm.tlb.hits)},
	{"tlb.l1.merged", "", "lookups that found their page in flight to an SM's TLB", METRIC_COUNT, RUN, .a = C(sm.tlb.merged)},
	{"tlb.l1.misses", "", "lookups that missed in an SM's TLB and requested the page", METRIC_COUNT, RUN, .a = C(sm.tlb.misses)},
	{"tlb.l1.hit_rate", "%", "hits / lookups in the SMs' TLBs; tlb.l1.merged are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(sm.tlb.hits),
	 .b = C(sm.tlb.lookups)},
	{"tlb.l1.miss_rate", "%", "misses / lookups in the SMs' TLBs", METRIC_PERCENT, RUN, .a = C(sm.tlb.misses), .b = C(sm.tlb.lookups)},
	{"tlb.l1.full", "cycles", "cycles in which a load/store unit waited because vm.l1_tlb.pending translations were in flight", METRIC_COUNT, RUN,
	 .a = C(sm.tlb.full_cycles)},
	{"tlb.l2.lookups", "", "lookups in the modules' TLBs", METRIC_COUNT, RUN, .a = C(mmu.lookups)},
	{"tlb.l2.hits", "", "lookups that found their page in a module's TLB", METRIC_COUNT, RUN, .a = C(mmu.hits)},
	{"tlb.l2.merged", "", "lookups that found their page in flight to a module's TLB", METRIC_COUNT, RUN, .a = C(mmu.merged)},
	{"tlb.l2.misses", "", "lookups that missed in a module's TLB and started a page walk", METRIC_COUNT, RUN, .a = C(mmu.misses)},
	{"tlb.l2.hit_rate", "%", "hits / lookups in the modules' TLBs; tlb.l2.merged are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(mmu.hits),
	 .b = C(mmu.lookups)},
	{"tlb.l2.miss_rate", "%", "misses / lookups in the modules' TLBs", METRIC_PERCENT, RUN, .a = C(mmu.misses), .b = C(mmu.lookups)},
	{"walk.walks", "", "page walks", METRIC_COUNT, RUN, .a = C(mmu.walks)},
	{"walk.reads", "", "page-table entries read from memory by page walks", METRIC_COUNT, RUN, .a = C(mmu.reads)},
	{"walk.skipped", "levels", "page-table levels skipped by hits in the page-walk cache", METRIC_COUNT, RUN, .a = C(mmu.skipped)},
	{"walk.latency", "core cycles", "mean latency of a page walk", METRIC_CYCLES, RUN, .a = C(mmu.walk), .b = C(mmu.walked)},
	{"walk.wait", "core cycles", "mean time that a page walk waited for a free walker", METRIC_CYCLES, RUN, .a = C(mmu.wait), .b = C(mmu.walks)},
	{"tlb.lookups", "", "events in the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.lookups)},
	{"tlb.hits", "", "events in the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.hits)},
	{"tlb.merged", "", "events in the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.merged)},
	{"tlb.misses", "", "events in the SM's TLB", METRIC_COUNT, OF_SM, .a = C(sm.tlb.misses)},
};

static const struct metric module_rows[] = {
	{"tlb.lookups", "", "events in the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.lookups)},
	{"tlb.hits", "", "events in the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.hits)},
	{"tlb.merged", "", "events in the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.merged)},
	{"tlb.misses", "", "events in the module's TLB", METRIC_COUNT, OF_SM, .a = C(mmu.misses)},
	{"walk.reads", "", "page-table entries read by the module's walkers", METRIC_COUNT, OF_SM, .a = C(mmu.reads)},
	{"faults", "", "page faults of the module's SMs", METRIC_COUNT, OF_SM, .a = C(mmu.faults)},
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
		stats_count(to, STAT_DETAIL, key, p->on_stack[s], "pages", "pages placed in this stack only");
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

/* Lookups in the busiest module's TLB. */
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

	audit_equal(a, "L1 TLBs: lookups = hits + merged + misses", t->lookups, t->hits + t->merged + t->misses);
	audit_equal(a, "L2 TLBs: lookups = hits + merged + misses", c->mmu.lookups, c->mmu.hits + c->mmu.merged + c->mmu.misses);
	audit_equal(a,
		    g->vm.mover ? "page frames in use = pages mapped + frames of page tables + frames of data not yet migrated"
				: "page frames in use = pages mapped + frames of page tables",
		    frames_in_use(&p->frames), p->mapped + p->table_frames + p->origins + p->targets);
	audit_at_most(a, "roofline: at most one lookup per cycle in a module's L2 TLB", most_lookups(g),
		      cycles_in(g->end, g->m->clock.period[CLOCK_CORE]));
}

static void audit_moves(const struct gpu *g, const struct gpu_move_counts *c, struct audit *a)
{
	uint64_t pages = c->movers.pages, page = g->m->vm.page;

	audit_equal(a, "pages migrated = pages copied by the page movers", c->pager.moved, pages);
	audit_equal(a, "page movers: lines read = lines written", c->movers.reads, c->movers.writes);
	audit_equal(a, "bytes migrated = pages migrated x page size", c->movers.bytes, pages * page);
	audit_equal(a, "page movers: replies from memory = lines read + lines written", memsys_facts(g->memsys).moves,
		    c->movers.reads + c->movers.writes);
	audit_equal(a, "page frames still waiting for data", g->vm.pages.targets, 0);
}

static void at_the_end(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct mmu_stats *u = &c->mmu;

	audit_equal(a, "L2 TLBs: lookups = misses of the L1 TLBs", u->lookups, c->sm.tlb.misses);
	audit_equal(a, "L2 TLBs: replies = lookups", u->answered, u->lookups);
	audit_equal(a, "L1 TLBs: replies = misses", c->sm.tlb.answers, c->sm.tlb.misses);
	if (g->vm.mover)
		audit_moves(g, &c->moves, a);
	audit_equal(a, "page walks = misses of L2 TLBs", u->walks, g->m->vm.tlb ? u->misses : 0);
	audit_equal(a, "page walks completed = page walks", u->walked, u->walks);
	audit_equal(a, "page-table reads = levels of walks - levels skipped - levels below an absent entry", u->reads,
		    g->vm.pages.levels * u->walks - u->skipped - u->absent);
	audit_equal(a, "page walkers: replies = reads", u->replies, u->reads);
	audit_equal(a, "page faults resolved = page faults", u->resolved, u->faults);
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

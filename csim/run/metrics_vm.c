/* The figures of virtual memory, and the laws that they obey. */
#include <stdio.h>

#include "run/gpu_impl.h"

struct sums {
	struct translate_stats l1;
	struct mmu_stats mmu;
	uint64_t in_flight, waiting, busiest /* look-ups of one module's TLB */;
};

static struct sums add_up(const struct gpu *g)
{
	struct sums t = {0};

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct translate *x = &g->sm[s].lsu.translate;

		t.l1.lookups += x->stats.lookups;
		t.l1.hits += x->stats.hits;
		t.l1.merged += x->stats.merged;
		t.l1.misses += x->stats.misses;
		t.l1.answers += x->stats.answers;
		t.l1.full_cycles += x->stats.full_cycles;
		t.waiting += x->n_wait + translate_n_due(x);
	}
	for (uint32_t i = 0; i < g->vm.modules; i++) {
		const struct mmu_stats *u = &g->vm.mmu[i].stats;

		t.mmu.lookups += u->lookups;
		t.mmu.hits += u->hits;
		t.mmu.merged += u->merged;
		t.mmu.misses += u->misses;
		t.mmu.walks += u->walks;
		t.mmu.walked += u->walked;
		t.mmu.reads += u->reads;
		t.mmu.replies += u->replies;
		t.mmu.skipped += u->skipped;
		t.mmu.absent += u->absent;
		t.mmu.faults += u->faults;
		t.mmu.resolved += u->resolved;
		t.mmu.asked += u->asked;
		t.mmu.answered += u->answered;
		t.mmu.walk_ticks += u->walk_ticks;
		t.mmu.wait_ticks += u->wait_ticks;
		t.in_flight += mmu_in_flight(&g->vm.mmu[i]);
		t.busiest = u->lookups > t.busiest ? u->lookups : t.busiest;
	}
	return t;
}

uint64_t gpu_vm_reads(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->vm.modules; i++)
		n += g->vm.mmu[i].stats.reads;
	return n;
}

static double mean(uint64_t ticks, uint64_t n, uint64_t period)
{
	return n ? (double)ticks / (double)(n * period) : 0;
}

static void report_tlbs(const struct gpu *g, const struct sums *t, struct stats *to)
{
	uint64_t core = g->m->clock.period[CLOCK_CORE];

	stats_count(to, 0, "tlb.l1.lookups", t->l1.lookups, "", "transactions");
	stats_count(to, 0, "tlb.l1.hits", t->l1.hits, "", "page was there");
	stats_count(to, 0, "tlb.l1.merged", t->l1.merged, "", "page was on its way");
	stats_count(to, 0, "tlb.l1.misses", t->l1.misses, "", "page was asked for");
	stats_percent(to, 0, "tlb.l1.miss_rate", t->l1.misses, t->l1.lookups, "misses of all look-ups");
	stats_count(to, 0, "tlb.l1.full", t->l1.full_cycles, "cycles",
		    "load/store units waited for room among the pending (vm.l1_tlb.pending)");
	stats_count(to, 0, "tlb.l2.lookups", t->mmu.lookups, "", "pages that SMs asked for");
	stats_count(to, 0, "tlb.l2.hits", t->mmu.hits, "", "page was there");
	stats_count(to, 0, "tlb.l2.merged", t->mmu.merged, "", "page was on its way");
	stats_count(to, 0, "tlb.l2.misses", t->mmu.misses, "", "page table had to be walked");
	stats_percent(to, 0, "tlb.l2.miss_rate", t->mmu.misses, t->mmu.lookups, "misses of all look-ups");
	stats_count(to, 0, "walk.walks", t->mmu.walks, "", "of page tables");
	stats_count(to, 0, "walk.reads", t->mmu.reads, "", "of page-table entries, from memory");
	stats_count(to, 0, "walk.skipped", t->mmu.skipped, "levels", "that the page-walk cache knew");
	stats_real(to, 0, "walk.latency", mean(t->mmu.walk_ticks, t->mmu.walked, core), "core cycles", "of a walk, mean");
	stats_real(to, 0, "walk.wait", mean(t->mmu.wait_ticks, t->mmu.walks, core), "core cycles", "until a walker was free, mean");
}

static void report_pages(const struct gpu *g, struct stats *to)
{
	const struct pages *p = &g->vm.pages;
	uint64_t based = 0;
	char key[64];

	for (uint32_t m = MODE_CGP + 1; m < PAGE_MODES; m++)
		based += p->by_mode[m];
	stats_count(to, 0, "vm.pages", p->mapped, "pages", "mapped");
	stats_count(to, 0, "vm.pages.fgp", p->by_mode[MODE_FGP], "pages", "spread finely over the stacks");
	stats_count(to, 0, "vm.pages.cgp", p->by_mode[MODE_CGP], "pages", "in one stack");
	stats_count(to, 0, "vm.pages.base_bit", based, "pages", "spread by bits of their own");
	stats_count(to, 0, "vm.pages.shared", p->shared, "pages", "that two buffers have; the first one decided");
	stats_count(to, 0, "vm.table_bytes", p->node_bytes, "bytes", "of page tables");
	stats_count(to, 0, "vm.groups", p->frames.converted - p->frames.returned, "groups", "of page frames in use");
	stats_count(to, 0, "vm.faults", g->vm.pager.faults, "", "touches of pages that were not mapped");
	stats_count(to, 0, "vm.faults.mapped", g->vm.pager.mapped, "pages", "mapped by their first touch");
	for (uint32_t s = 0; s < p->p.stacks; s++) {
		snprintf(key, sizeof key, "vm.stack.%u.pages", s);
		stats_count(to, STAT_DETAIL, key, p->on_stack[s], "pages", "in this stack alone");
	}
}

static void detail(struct stats *to, const char *part, uint32_t number, const char *name, uint64_t value)
{
	char key[64];

	snprintf(key, sizeof key, "%s.%u.%s", part, number, name);
	stats_count(to, STAT_DETAIL, key, value, "", "");
}

static void detail_tlbs(const struct gpu *g, struct stats *to)
{
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct translate_stats *t = &g->sm[s].lsu.translate.stats;

		detail(to, "sm", s, "tlb.lookups", t->lookups);
		detail(to, "sm", s, "tlb.hits", t->hits);
		detail(to, "sm", s, "tlb.merged", t->merged);
		detail(to, "sm", s, "tlb.misses", t->misses);
	}
	for (uint32_t i = 0; i < g->vm.modules; i++) {
		const struct mmu_stats *u = &g->vm.mmu[i].stats;

		detail(to, "module", i, "tlb.lookups", u->lookups);
		detail(to, "module", i, "tlb.hits", u->hits);
		detail(to, "module", i, "tlb.merged", u->merged);
		detail(to, "module", i, "tlb.misses", u->misses);
		detail(to, "module", i, "walk.reads", u->reads);
		detail(to, "module", i, "faults", u->faults);
	}
}

void gpu_vm_report(const struct gpu *g, struct stats *to)
{
	struct sums t;

	if (!g->vm.on)
		return;
	t = add_up(g);
	report_pages(g, to);
	if (!g->m->vm.tlb)
		return;
	report_tlbs(g, &t, to);
	detail_tlbs(g, to);
}

/* ---- laws ---- */

static uint64_t frames_in_use(const struct frames *f)
{
	uint64_t n = 0;

	for (uint32_t m = 0; m < PAGE_MODES; m++)
		n += f->used[m];
	return n;
}

static void always(const struct gpu *g, const struct sums *t, struct audit *a)
{
	const struct pages *p = &g->vm.pages;

	audit_equal(a, "L1 TLBs: look-ups = hits + merged + misses", t->l1.lookups, t->l1.hits + t->l1.merged + t->l1.misses);
	audit_equal(a, "L2 TLBs: look-ups = hits + merged + misses", t->mmu.lookups, t->mmu.hits + t->mmu.merged + t->mmu.misses);
	audit_equal(a, "page frames in use = pages mapped + frames of page tables", frames_in_use(&p->frames),
		    p->mapped + p->table_frames);
	audit_at_most(a, "roofline: one look-up a cycle in a module's L2 TLB", t->busiest, g->end / g->m->clock.period[CLOCK_CORE]);
}

static void at_the_end(const struct gpu *g, const struct sums *t, struct audit *a)
{
	uint64_t levels = g->vm.pages.levels;

	audit_equal(a, "look-ups of L2 TLBs = misses of L1 TLBs", t->mmu.lookups, t->l1.misses);
	audit_equal(a, "answers of L2 TLBs = their look-ups", t->mmu.answered, t->mmu.lookups);
	audit_equal(a, "answers at L1 TLBs = their misses", t->l1.answers, t->l1.misses);
	audit_equal(a, "page walks = misses of L2 TLBs", t->mmu.walks, g->m->vm.tlb ? t->mmu.misses : 0);
	audit_equal(a, "page walks that ended = page walks", t->mmu.walked, t->mmu.walks);
	audit_equal(a, "reads of page tables = levels of walks - skipped - below an absent entry", t->mmu.reads,
		    levels * t->mmu.walks - t->mmu.skipped - t->mmu.absent);
	audit_equal(a, "replies to page walkers = their reads", t->mmu.replies, t->mmu.reads);
	audit_equal(a, "page faults that were resolved = page faults", t->mmu.resolved, t->mmu.faults);
	audit_equal(a, "nothing in flight in the TLBs and page walkers", t->in_flight + t->waiting, 0);
}

void gpu_vm_audit(const struct gpu *g, bool ended, struct audit *a)
{
	struct sums t;

	if (!g->vm.on)
		return;
	t = add_up(g);
	always(g, &t, a);
	if (ended)
		at_the_end(g, &t, a);
}

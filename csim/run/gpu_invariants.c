/* The invariants that a run's counters must keep. Those about a run's end are left out when a limit cut the run. */
#include "run/energy.h"
#include "run/gpu_impl.h"

/* Cycles that the caches' transactions take at least: one each, of an L1 of several banks as many together. */
static uint64_t transactions(const struct sm *sm)
{
	uint32_t banks = sm->m->l1.banks;

	return (l1_total(&sm->lsu.l1).accesses + banks - 1) / banks + l1_total(&sm->lsu.const_cache).accesses;
}

/* Transactions and bank cycles of the busiest SM. */
static uint64_t most_port(const struct gpu *g)
{
	uint64_t most = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct sm *sm = &g->sm[s];
		uint64_t port = transactions(sm) + sm->lsu.stats.shared_cycles + sm->lsu.stats.params;

		most = most > port ? most : port;
	}
	return most;
}

static uint64_t in_flight(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct sm *sm = &g->sm[s];

		n += sm->lsu.in_flight + l1_in_flight(&sm->lsu.l1) + l1_in_flight(&sm->lsu.const_cache) +
		     mshr_in_use(&sm->lsu.l1.mshr) + mshr_in_use(&sm->lsu.const_cache.mshr);
		if (sm->fetch.on)
			n += l1_in_flight(&sm->fetch.cache) + mshr_in_use(&sm->fetch.cache.mshr) + fetch_l0_in_flight(&sm->fetch);
		n += sm->operands.held + (sm->subcores.filled != 0);
	}
	return n;
}

/* The stall breakdown's sum of the first scheduler whose causes do not sum to the run's cycles; else the cycles. */
static uint64_t stall_sum(const struct gpu *g)
{
	for (uint32_t i = 0; i < g->m->sm.count; i++)
		for (unsigned s = 0; s < g->m->sm.schedulers; s++) {
			uint64_t sum = 0;

			for (unsigned c = 0; c < STALL_COUNT; c++)
				sum += g->sm[i].stats.stalls[c][s];
			if (sum != g->cycles)
				return sum;
		}
	return g->cycles;
}

static uint64_t parts(const struct l1_counts *c)
{
	return c->hits + c->reserved + c->misses + c->bypasses + c->writes;
}

static void audit_l0s(const struct sm_counts *t, struct audit *a)
{
	const struct l0_stats *l = &t->l0;

	audit_at_most(a, "l0: lines requested by lookups <= misses + stream hits", l->demands, l->misses + l->stream);
	audit_at_most(a, "l0: instructions issued <= instructions fetched", t->sm.warp_insts, l->fetched);
	audit_at_most(a, "l0: instructions fetched <= lookups", l->fetched, l0_lookups(l));
}

static uint64_t prefetch_ends(const struct l1_stats *s)
{
	return s->prefetch.issued + s->prefetch.needless + s->prefetch.other_page + s->prefetch.dropped;
}

/* A table that answers what it is asked; what caches do with the answers. */
static void audit_localities(const struct gpu *g, const struct sm_counts *t, struct audit *a)
{
	const struct locality_counts *l = &t->locality;
	uint64_t caching = 0, prefetch = 0;

	if (!plan_has_localities(g->config->plan))
		return;
	for (unsigned i = 0; i < sizeof l->caching / sizeof l->caching[0]; i++) {
		caching += l->caching[i];
		prefetch += l->prefetch[i];
	}
	audit_equal(a, "locality: replies = unmatched + as is + bypassed + pinned", l->taken, l->unmatched + caching);
	audit_equal(a, "locality: replies = unmatched + sum over prefetch kinds", l->taken, l->unmatched + prefetch);
	audit_at_most(a, "locality: replies <= lookups", l->taken, l->lookups);
	if (g->config->plan->locality.caching)
		audit_at_most(a, "locality: L1 bypasses <= replies with bypass + loads that bypass full sets", t->policy_bypasses,
			      l->caching[LOCALITY_BYPASS] + t->l1_stats.past_full_sets);
	if (g->config->plan->locality.prefetch)
		audit_at_most(a, "locality: lines proposed <= lookups that request a prefetch", t->l1_stats.prefetch.proposed,
			      l->prefetch[LOCALITY_NEXT_LINE] + l->prefetch[LOCALITY_STRIDE]);
	if (!g->cut)
		audit_equal(a, "locality: replies = lookups", l->taken, l->lookups);
}

static void audit_ccws(const struct gpu *g, const struct sm_counts *t, struct audit *a)
{
	audit_at_most(a, "ccws: detections of lost locality <= misses", t->throttle.lost, t->l1.misses);
	audit_at_most(a, "ccws: lines recorded as victims <= evictions", t->throttle.victims, t->l1_stats.evictions);
	audit_at_most(a, "ccws: cycles with restricted loads <= cycles", t->throttle.limited, t->cycles);
	audit_at_most(a, "ccws: warps that may load < sm.warps while loads are restricted",
		      t->throttle.loaders + t->throttle.limited, t->throttle.limited * g->m->sm.warps);
}

static void always(const struct gpu *g, const struct sm_counts *t, struct audit *a)
{
	uint64_t issued = 0, mix = 0, latency = 0, loads = 0, width = 0, lanes = 0;

	for (unsigned n = 0; n <= TRACE_WARP_SIZE; n++) {
		width += t->sm.width[n];
		lanes += n * t->sm.width[n];
	}
	for (unsigned s = 0; s < SM_MAX_SCHEDULERS; s++)
		issued += t->sm.stalls[STALL_ISSUED][s];
	for (unsigned i = 0; i < OP_COUNT; i++)
		mix += t->sm.mix[i];
	for (unsigned i = 0; i < LOAD_PARTS; i++)
		latency += t->load.part[i];
	for (unsigned i = 0; i < LOAD_POWERS; i++)
		loads += t->load.power[i];
	audit_equal(a, "stall breakdown: each scheduler's causes sum to its cycles", stall_sum(g), g->cycles);
	audit_equal(a, "issues in the stall breakdown = warp instructions", issued, t->sm.warp_insts);
	audit_equal(a, "sum of the instruction mix = warp instructions", mix, t->sm.warp_insts);
	audit_equal(a, "sum of warp instructions over lane counts = warp instructions", width, t->sm.warp_insts);
	audit_equal(a, "sum of warp instructions x lane counts = thread instructions", lanes, sm_thread_insts(&t->sm));
	audit_at_most(a, "divergent branches <= branches", t->sm.diverged, t->sm.mix[OP_BRANCH]);
	audit_at_most(a, "running warps <= warp slots", t->sm.warp_cycles, t->warp_slots);
	audit_equal(a, "l1: accesses = hits + hits reserved + misses + bypasses + writes", t->l1.accesses, parts(&t->l1));
	if (g->m->l1.replacement == REPLACE_PIN)
		audit_at_most(a, "l1: lines pinned <= misses", t->l1_stats.soft_pins + t->l1_stats.hard_pins, t->l1.misses);
	if (g->m->throttle.policy == THROTTLE_CCWS)
		audit_ccws(g, t, a);
	if (g->m->l1.front.policy) {
		audit_at_most(a, "mrpb: L1 accesses <= transactions that entered the queues", t->l1.accesses, t->mrpb.requests);
		audit_at_most(a, "mrpb: loads that bypass full sets <= bypasses by policy", t->l1_stats.past_full_sets,
			      t->policy_bypasses);
	}
	if (machine_cache_sectors(&g->m->l1.c) > 1) {
		uint64_t asks = t->l1.misses + t->l1_stats.prefetch.issued;

		audit_at_most(a, "l1: misses + prefetches <= sectors requested", asks, t->l1_stats.sectors.asked);
		audit_at_most(a, "l1: sectors requested <= sectors of a line x (misses + prefetches)", t->l1_stats.sectors.asked,
			      asks * machine_cache_sectors(&g->m->l1.c));
		audit_at_most(a, "l1: sectors requested <= sectors accessed by loads + sectors of prefetched lines",
			      t->l1_stats.sectors.asked,
			      t->l1_stats.sectors.loaded + t->l1_stats.prefetch.issued * machine_cache_sectors(&g->m->l1.c));
	}
	audit_equal(a, "const: accesses = hits + hits reserved + misses", t->const_cache.accesses, parts(&t->const_cache));
	if (g->m->fetch.width)
		audit_equal(a, "icache: accesses = hits + hits reserved + misses", t->icache.accesses, parts(&t->icache));
	if (gpu_has(g) & SM_HAS_L0)
		audit_l0s(t, a);
	audit_equal(a, "loads: sum of the parts of the latency = latency", latency,
		    t->load.cycles * g->m->clock.period[CLOCK_CORE]);
	audit_equal(a, "loads: sum of the latency histogram = loads", loads, t->load.loads);
	audit_localities(g, t, a);
	audit_at_most(a, "roofline: issues <= issue slots of the schedulers", t->sm.warp_insts, t->slots);
	if (gpu_has(g) & SM_HAS_TENSOR_UNITS)
		audit_at_most(a, "roofline: cycles in which tensor units are occupied <= their cycles", t->sm.tensor_held,
			      t->tensor_slots);
	audit_at_most(a, "roofline: at most one access per cycle at an SM's load/store port", most_port(g), g->cycles);
}

struct trace_counts {
	uint64_t warp_insts, thread_insts, ctas;
};

static void count_cta(const struct trace_cta *c, struct trace_counts *n)
{
	for (uint32_t i = 0; i < c->n_runs; i++) {
		n->warp_insts += c->runs[i].len;
		n->thread_insts += (uint64_t)c->runs[i].len * (unsigned)__builtin_popcount(c->runs[i].mask);
	}
	n->ctas++;
}

/* Of the CTAs of windows that were sent; of one that cannot be read any more, nothing. */
static void count_windows(const struct gpu *g, uint32_t launch, const struct dispatch_windows *w, struct trace_counts *n)
{
	uint32_t ctas = trace_launch(g->trace, launch)->n_ctas;
	struct trace_cta c = {0};
	struct err e = {""};

	for (uint32_t i = 0; (i = window_next_cta(w, i, ctas)) < ctas; i++)
		if (trace_read_cta(g->trace, launch, i, &c, &e) == 0)
			count_cta(&c, n);
	trace_cta_free(&c);
}

/* What the trace says of all that was sent. */
static struct trace_counts count_trace(const struct gpu *g)
{
	struct trace_counts n = {0};

	for (uint32_t i = 0; i < trace_n_launches(g->trace); i++) {
		const struct trace_launch *l = trace_launch(g->trace, i);
		const struct dispatch_windows *w = dispatch_windows_of(&g->dispatch, i);

		if (g->config->skipped && g->config->skipped[i])
			continue;
		if (w) {
			count_windows(g, i, w, &n);
			continue;
		}
		n.warp_insts += l->warp_insts;
		n.thread_insts += l->thread_insts;
		n.ctas += l->n_ctas;
	}
	return n;
}

static void at_the_end(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct sm_counts *t = &c->sm;
	struct memsys_facts f = memsys_facts(g->memsys);
	bool past = machine_l2_at_sms(g->m); /* page movers go past the slices */
	uint64_t sent = t->l1_stats.sent + t->const_cache_stats.sent + t->icache_stats.sent;
	uint64_t past_gpcs = g->gccs.n ? sent - t->icache_stats.sent : sent; /* those that are the network's */
	struct trace_counts n = count_trace(g);
	struct err e = {""};

	audit_equal(a, "warp instructions = warp instructions of the trace", t->sm.warp_insts + t->sm.folded, n.warp_insts);
	audit_equal(a, "thread instructions = thread instructions of the trace", sm_thread_insts(&t->sm) + t->sm.folded_lanes,
		    n.thread_insts);
	audit_equal(a, "CTAs sent to SMs = CTAs of the trace", g->dispatch.sent, n.ctas);
	audit_equal(a, "CTAs started on SMs = CTAs sent", t->sm.ctas_started, g->dispatch.sent);
	audit_equal(a, "CTAs retired by SMs = CTAs sent", t->sm.ctas_retired, g->dispatch.sent);
	audit_equal(a, "CTAs that ended more than once", g->dispatch.ended_again, 0);
	audit_equal(a, "CTAs reported to the dispatcher as ended = CTAs sent", g->dispatch.retired, g->dispatch.sent);
	audit_equal(a, "accesses of L1 and const = transactions of the load/store units", t->l1.accesses + t->const_cache.accesses,
		    t->lsu.transactions);
	if (gpu_has(g) & SM_HAS_L0)
		audit_equal(a, "l0: lines received = lines requested", t->l0.came, t->l0.demands + t->l0.prefetches);
	audit_equal(a, "replies received by the SMs = packets sent by the SMs",
		    t->l1_stats.replies + t->const_cache_stats.replies + t->icache_stats.replies, sent);
	audit_equal(a,
		    g->vm.on	? "requests received by the L2 = packets sent by the SMs and page walkers"
		    : g->gccs.n ? "requests at the L2 = packets sent by the SMs, but for instructions, and by GPCs"
				: "requests at the L2 = packets sent by the SMs",
		    f.requests, past_gpcs + c->gcc.sent + c->mmu.reads + (past ? 0 : f.moves));
	audit_equal(a, "replies of the L2 = requests received by the L2", f.replies, f.requests);
	if (g->m->l1.front.policy)
		audit_equal(a, "mrpb: L1 accesses = transactions that entered the queues", t->l1.accesses, t->mrpb.requests);
	if (g->m->l1.prefetch.policy)
		audit_equal(a, "l1: lines proposed = prefetched + present + in another page + dropped",
			    t->l1_stats.prefetch.proposed, prefetch_ends(&t->l1_stats));
	if (machine_cache_sectors(&g->m->l1.c) > 1)
		audit_equal(a, "l1: sectors received = sectors requested", t->l1_stats.sectors.filled, t->l1_stats.sectors.asked);
	if (g->m->operands.banks)
		audit_equal(a, "registers read by operand collectors = registers requested from the banks", t->operands.reads,
			    t->operands.asked);
	audit_equal(a, "nothing in flight in the SMs", in_flight(g), 0);
	audit_equal(a, "nothing in flight in the memory system", f.in_flight, 0);
	if (g->m->l2.enabled) {
		audit_equal(a, "DRAM reads = lines that the L2 fetched", f.dram_reads, f.fetches + (past ? f.moves / 2 : 0));
		audit_equal(a, "DRAM writes = lines that the L2 wrote back", f.dram_writes,
			    f.writes_down + (past ? f.moves / 2 : 0));
	}
	memsys_audit(g->memsys, g->end, &e); /* names the invariant in e */
	audit_equal(a, e.text[0] ? e.text : "memory system: conservation and rooflines of slices, channels, networks",
		    e.text[0] == '\0', true);
}

/* The dynamic parts in which the launches' sum and the run differ. */
static uint64_t launch_parts_that_differ(const struct gpu *g, const struct energy *run)
{
	struct energy sum = g->launches.past_energy;
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->launches.n; i++) {
		struct energy one = energy_of(g->m, &g->launches.ended[i].count);

		METRICS_ADD(&sum, &one);
	}
	for (unsigned i = 0; i < ENERGY_DYNAMIC_END; i++)
		n += sum.part[i] != run->part[i];
	return n;
}

/* All static power over the run's time is what SMs and channels cost apart, each rounded down to a pJ. */
static bool static_energy_fits(const struct gpu *g, const struct energy *e)
{
	const struct machine *m = g->m;
	uint64_t uw = (uint64_t)m->energy.sm_static * m->sm.count +
		      (uint64_t)m->energy.channel_static * m->dram.channels * m->dram.stacks;
	double pj = (double)g->cycles * m->clock.period[CLOCK_CORE] / (double)m->clock.ticks_per_us * (double)uw;
	double parts = (double)(e->part[ENERGY_STATIC_SM] + e->part[ENERGY_STATIC_DRAM]) / 1000;

	return parts <= pj * (1 + 1e-12) && parts + 2 >= pj * (1 - 1e-12);
}

static void audit_energy(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	struct energy e;

	if (!energy_is_known(g->m))
		return;
	e = energy_of(g->m, c);
	if (g->dispatch.n_programs == 1 && g->launches.n)
		audit_equal(a, "energy: dynamic parts that differ from the sum over launches", launch_parts_that_differ(g, &e), 0);
	audit_equal(a, "energy: static energy = static power x time", static_energy_fits(g, &e), true);
}

void gpu_audit(const struct gpu *g, struct audit *a)
{
	struct gpu_counts c = gpu_count(g, GPU_ALL, g->cycles, g->end);

	always(g, &c.sm, a);
	gpu_audit_classes(g, &c, a);
	if (!g->cut)
		at_the_end(g, &c, a);
	gpu_vm_audit(g, &c, !g->cut, a);
	gpu_gccs_audit(g, &c, !g->cut, a);
	gpu_audit_groups(g, !g->cut, a);
	gpu_audit_waits(g, !g->cut, a);
	gpu_audit_throttle(g, !g->cut, a);
	gpu_audit_launches(g, &c, !g->cut, a);
	audit_energy(g, &c, a);
	gpu_audit_profile(g, &c, !g->cut, a);
	gpu_audit_sets(g, &c, a);
	gpu_audit_paths(g, &c, a);
}

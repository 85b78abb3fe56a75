/* The laws that a run's counters must keep. Those about a run's end are left out when a limit cut the run. */
#include "run/gpu_impl.h"

struct sums { /* over SMs */
	uint64_t warp_insts, thread_insts, issued, mix, started, retired;
	uint64_t transactions, sent, replies, in_flight, mshrs;
	struct l1_counts l1, cst;
	uint64_t most_port; /* of the busiest SM: transactions and bank cycles */
};

static void add_sm(struct sums *t, const struct sm *sm)
{
	struct l1_counts l1 = l1_total(&sm->l1), cst = l1_total(&sm->cst);
	uint64_t port = l1.accesses + cst.accesses + sm->lsu.stats.shared_cycles + sm->lsu.stats.params;

	t->warp_insts += sm->stats.warp_insts;
	t->thread_insts += sm->stats.thread_insts;
	t->started += sm->stats.ctas_started;
	t->retired += sm->stats.ctas_retired;
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		t->issued += sm->stats.ledger[s][LEDGER_ISSUED];
	for (unsigned i = 0; i < OP_COUNT; i++)
		t->mix += sm->stats.mix[i];
	t->transactions += sm->lsu.stats.transactions;
	t->sent += sm->l1.stats.sent + sm->cst.stats.sent;
	t->replies += sm->l1.stats.replies + sm->cst.stats.replies;
	t->in_flight += sm->lsu.in_flight + l1_in_flight(&sm->l1) + l1_in_flight(&sm->cst);
	t->mshrs += mshr_in_use(&sm->l1.mshr) + mshr_in_use(&sm->cst.mshr);
	l1_counts_add(&t->l1, &l1);
	l1_counts_add(&t->cst, &cst);
	if (t->most_port < port)
		t->most_port = port;
}

/* The ledger's sum of the first scheduler whose causes do not sum to the run's cycles; else the cycles. */
static uint64_t ledger_sum(const struct gpu *g)
{
	for (uint32_t i = 0; i < g->m->sm.count; i++)
		for (unsigned s = 0; s < g->m->sm.schedulers; s++) {
			uint64_t sum = 0;

			for (unsigned c = 0; c < LEDGER_COUNT; c++)
				sum += g->sm[i].stats.ledger[s][c];
			if (sum != g->cycles)
				return sum;
		}
	return g->cycles;
}

static uint64_t parts(const struct l1_counts *c)
{
	return c->hits + c->reserved + c->misses + c->bypasses + c->writes;
}

static void always(const struct gpu *g, const struct sums *t, struct audit *a)
{
	uint64_t slots = g->cycles * g->m->sm.schedulers * g->m->sm.count;

	audit_equal(a, "stall ledger: each scheduler's causes sum to the cycles", ledger_sum(g), g->cycles);
	audit_equal(a, "issues in the ledger = warp instructions", t->issued, t->warp_insts);
	audit_equal(a, "instruction mix sums to the warp instructions", t->mix, t->warp_insts);
	audit_equal(a, "l1: accesses = hits + hits reserved + misses + bypasses + writes", t->l1.accesses, parts(&t->l1));
	audit_equal(a, "const: accesses = hits + hits reserved + misses", t->cst.accesses, parts(&t->cst));
	audit_at_most(a, "roofline: issues within the schedulers' slots", t->warp_insts, slots);
	audit_at_most(a, "roofline: one access a cycle at an SM's load/store port", t->most_port, g->cycles);
}

static void count_trace(const struct trace *t, uint64_t *warp_insts, uint64_t *thread_insts, uint64_t *ctas)
{
	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_launch *l = trace_launch(t, i);

		*warp_insts += l->warp_insts;
		*thread_insts += l->thread_insts;
		*ctas += l->n_ctas;
	}
}

static void at_the_end(const struct gpu *g, const struct sums *t, struct audit *a)
{
	struct memsys_facts f = memsys_facts(g->memsys);
	uint64_t warp_insts = 0, thread_insts = 0, ctas = 0;
	struct err e = {""};

	count_trace(g->trace, &warp_insts, &thread_insts, &ctas);
	audit_equal(a, "warp instructions = the trace's", t->warp_insts, warp_insts);
	audit_equal(a, "thread instructions = the trace's", t->thread_insts, thread_insts);
	audit_equal(a, "CTAs sent to SMs = the trace's", g->dispatch.sent, ctas);
	audit_equal(a, "CTAs started on SMs = CTAs sent", t->started, g->dispatch.sent);
	audit_equal(a, "CTAs retired by SMs = CTAs sent", t->retired, g->dispatch.sent);
	audit_equal(a, "CTAs that ended more than once", g->dispatch.twice, 0);
	audit_equal(a, "CTAs heard of by the dispatcher = CTAs sent", g->dispatch.retired, g->dispatch.sent);
	audit_equal(a, "accesses of L1 and const = transactions of the load/store units", t->l1.accesses + t->cst.accesses,
		    t->transactions);
	audit_equal(a, "replies at the SMs = packets sent by them", t->replies, t->sent);
	audit_equal(a,
		    g->vm.on ? "requests at the L2 = packets sent by the SMs and page walkers"
			     : "requests at the L2 = packets sent by the SMs",
		    f.requests, t->sent + gpu_vm_reads(g));
	audit_equal(a, "replies of the L2 = requests at the L2", f.replies, f.requests);
	audit_equal(a, "nothing in flight in the SMs", t->in_flight + t->mshrs, 0);
	audit_equal(a, "nothing in flight in the memory system", f.in_flight, 0);
	if (g->m->l2.enabled) {
		audit_equal(a, "DRAM reads = lines that the L2 fetched", f.dram_reads, f.fetches);
		audit_equal(a, "DRAM writes = lines that the L2 wrote back", f.dram_writes, f.writes_down);
	}
	memsys_audit(g->memsys, g->end, &e); /* names the law in e */
	audit_equal(a, e.text[0] ? e.text : "memory system: conservation and rooflines of slices, channels, networks",
		    e.text[0] == '\0', true);
}

void gpu_audit(const struct gpu *g, struct audit *a)
{
	struct sums t = {0};

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		add_sm(&t, &g->sm[s]);
	always(g, &t, a);
	if (!g->cut)
		at_the_end(g, &t, a);
	gpu_vm_audit(g, !g->cut, a);
	gpu_audit_groups(g, !g->cut, a);
}

/* The invariants that a run on the CPU must keep. Those about a run's end are left out when a limit cut the run. */
#include "run/cpu_run_impl.h"

/* The sum of the first core whose causes do not sum to the run's cycles; else the cycles. */
static uint64_t stall_sum(const struct cpu_system *h)
{
	for (uint32_t i = 0; i < h->m->cpu.count; i++) {
		uint64_t sum = 0;

		for (unsigned c = 0; c < CPU_STALLS; c++)
			sum += h->core[i].stats.stalls[c];
		if (sum != h->cycles)
			return sum;
	}
	return h->cycles;
}

static uint64_t most_lookups(const struct cpu_system *h)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		most = most > h->core[i].cache.stats.l1_accesses ? most : h->core[i].cache.stats.l1_accesses;
	return most;
}

/* In reorder and store buffers, MSHRs, the L3. */
static uint64_t in_flight(const struct cpu_system *h)
{
	uint64_t n = cpu_l3_in_flight(&h->below.l3) + mshr_in_use(&h->below.l3.mshr);

	for (uint32_t i = 0; i < h->m->cpu.count; i++) {
		const struct cpu_core *c = &h->core[i];

		n += c->tail - c->head + c->sb_tail - c->sb_head + mshr_in_use(&c->cache.mshr);
	}
	return n;
}

static void always(const struct cpu_system *h, const struct cpu_counts *t, struct audit *a)
{
	const struct private_caches_stats *p = &t->core.cache;
	const struct cpu_l3_stats *l = &t->l3;

	audit_equal(a, "CPU stall breakdown: each core's causes sum to its cycles", stall_sum(h), h->cycles);
	audit_equal(a, "CPU L1: accesses = hits + accesses of the L2", p->l1_accesses, p->l1_hits + p->l2_accesses);
	audit_equal(a, "CPU L2: accesses = hits + hits reserved + misses", p->l2_accesses,
		    p->l2_hits + p->l2_reserved + p->l2_misses);
	audit_equal(a, "CPU L3: accesses = hits + hits reserved + misses", l->accesses, l->hits + l->reserved + l->misses);
	audit_at_most(a, "roofline: CPU instructions <= cpu.width x cores x cycles", t->core.core.insts,
		      h->cycles * h->m->cpu.width * h->m->cpu.count);
	audit_at_most(a, "roofline: L1 lookups of a CPU core <= its L1 ports x cycles", most_lookups(h),
		      h->cycles * h->m->cpu.ports);
}

static void at_the_end(const struct cpu_system *h, const struct cpu_counts *t, struct audit *a)
{
	struct memsys_facts f = memsys_facts(h->below.memsys);
	const struct cpu_l3_stats *l = &t->l3;
	uint64_t threads = 0, ctas = 0;
	struct err e = {""};

	for (uint32_t i = 0; i < trace_n_launches(h->trace); i++) {
		threads += trace_launch(h->trace, i)->thread_insts;
		ctas += trace_launch(h->trace, i)->n_ctas;
	}
	audit_equal(a, "thread instructions = thread instructions of the trace", t->thread_insts, threads);
	audit_equal(a, "CTAs sent to CPU cores = CTAs of the trace", h->dispatch.sent, ctas);
	audit_equal(a, "CTAs ended on CPU cores = CTAs sent", t->core.core.pieces, h->dispatch.sent);
	audit_equal(a, "CTAs that ended more than once", h->dispatch.ended_again, 0);
	audit_equal(a, "CTAs reported to the dispatcher as ended = CTAs sent", h->dispatch.retired, h->dispatch.sent);
	audit_equal(a, "CPU L3: fetches = misses of the cores' L2s", l->accesses, t->core.cache.l2_misses);
	audit_equal(a, "CPU L3: lines sent to cores = fetches", l->answered, l->accesses);
	audit_equal(a, "lines received by CPU cores = lines sent", t->core.cache.fetched, l->answered);
	audit_equal(a, "CPU L3: writes = lines written back by cores", l->writes, t->core.cache.l2_write_backs);
	audit_equal(a, "packets to memory = misses + lines written back", l->sent, l->misses + l->write_backs);
	audit_equal(a, "replies received by the CPU = packets sent by the CPU", l->replies, l->sent);
	audit_equal(a, "nothing in flight in the CPU", in_flight(h), 0);
	if (!machine_l2_at_sms(h->m)) {
		audit_equal(a, "requests received by the L2 = packets sent by the CPU", f.requests, l->sent);
		audit_equal(a, "replies of the L2 = requests received by the L2", f.replies, f.requests);
	} else { /* the L2 is beside the SMs */
		audit_equal(a, "reads and writes of DRAM = packets sent by the CPU", f.dram_reads + f.dram_writes, l->sent);
	}
	audit_equal(a, "nothing in flight in the memory system", f.in_flight, 0);
	memsys_audit(h->below.memsys, h->end, &e); /* names the invariant in e */
	audit_equal(a, e.text[0] ? e.text : "memory system: conservation and rooflines of slices, channels, networks",
		    e.text[0] == '\0', true);
}

void cpu_audit(const struct cpu_system *h, struct audit *a)
{
	struct cpu_counts c = cpu_count(h);

	always(h, &c, a);
	if (!h->cut)
		at_the_end(h, &c, a);
}

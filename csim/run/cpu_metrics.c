/* The figures of a run on the host: totals as rows that are printed, single cores as detail rows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "run/cpu_run_impl.h"

enum { KEY = 320 };

static void add_core(struct host_totals *t, const struct host_core *c, const struct host_kernel *k)
{
	const struct host_private_stats *p = &c->cache.stats;

	t->core.insts += c->stats.insts;
	t->core.loads += c->stats.loads;
	t->core.stores += c->stats.stores;
	t->core.pieces += c->stats.pieces;
	t->core.refused += c->stats.refused;
	for (unsigned i = 0; i < HOST_LEDGER; i++)
		t->core.ledger[i] += c->stats.ledger[i];
	t->cache.l1_accesses += p->l1_accesses;
	t->cache.l1_hits += p->l1_hits;
	t->cache.l1_write_backs += p->l1_write_backs;
	t->cache.l2_accesses += p->l2_accesses;
	t->cache.l2_hits += p->l2_hits;
	t->cache.l2_reserved += p->l2_reserved;
	t->cache.l2_misses += p->l2_misses;
	t->cache.l2_write_backs += p->l2_write_backs;
	t->cache.fetched += p->fetched;
	t->thread_insts += k->stats.thread_insts;
	t->in_flight += c->tail - c->head + c->sb_tail - c->sb_head + mshr_in_use(&c->cache.mshr);
	if (t->most_lookups < p->l1_accesses)
		t->most_lookups = p->l1_accesses;
}

struct host_totals host_sum(const struct host_system *h)
{
	struct host_totals t = {.in_flight = host_l3_in_flight(&h->below.l3) + mshr_in_use(&h->below.l3.mshr)};

	for (uint32_t i = 0; i < h->m->host.count; i++)
		add_core(&t, &h->core[i], &h->kernel[i]);
	return t;
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static void report_instructions(const struct host_system *h, const struct host_totals *t, struct stats *to)
{
	double us = (double)h->cycles * h->m->clock.period[CLOCK_HOST] / (double)h->m->clock.ticks_per_us;
	char clock[64];

	snprintf(clock, sizeof clock, "at %u MHz", h->m->clock.mhz[CLOCK_HOST]);
	stats_count(to, 0, "cycles", h->cycles, "host cycles", clock);
	stats_real(to, 0, "time", us, "us", "of the machine");
	stats_count(to, 0, "thread_insts", t->thread_insts, "", "of the program's threads");
	stats_count(to, 0, "host.insts", t->core.insts, "", "instructions of the cores");
	stats_count(to, 0, "host.loads", t->core.loads, "", "of these load");
	stats_count(to, 0, "host.stores", t->core.stores, "", "of these store");
	stats_real(to, 0, "host.ipc", ratio(t->core.insts, h->cycles), "a cycle", "instructions, all cores");
	stats_real(to, 0, "ipc.thread", ratio(t->thread_insts, h->cycles), "a cycle", "thread instructions, all cores");
	stats_count(to, 0, "launches", trace_n_launches(h->trace), "", "of kernels");
	stats_count(to, 0, "ctas", t->core.pieces, "", "thread blocks");
	for (unsigned i = 0; i < HOST_LEDGER; i++) {
		char key[KEY];

		snprintf(key, sizeof key, "host.%s", host_ledger_names[i]);
		stats_percent(to, 0, key, t->core.ledger[i], h->cycles * h->m->host.count, host_ledger_meanings[i]);
	}
}

static void report_caches(const struct host_system *h, const struct host_totals *t, struct stats *to)
{
	const struct host_private_stats *p = &t->cache;
	const struct host_l3_stats *l = &h->below.l3.stats;

	stats_count(to, 0, "host.l1.accesses", p->l1_accesses, "lines", "looked up by loads and stores");
	stats_count(to, 0, "host.l1.hits", p->l1_hits, "lines", "were there");
	stats_percent(to, 0, "host.l1.miss_rate", p->l2_accesses, p->l1_accesses, "of the lookups");
	stats_count(to, 0, "host.l1.refused", t->core.refused, "times", "that a lookup had to wait for a reply");
	stats_count(to, 0, "host.l1.write_backs", p->l1_write_backs, "lines", "dirty ones that went to the L2");
	stats_count(to, 0, "host.l2.hits", p->l2_hits, "lines", "were not in the L1 but in the L2");
	stats_count(to, 0, "host.l2.hits_reserved", p->l2_reserved, "lines", "were on their way to the L2");
	stats_count(to, 0, "host.l2.misses", p->l2_misses, "lines", "asked of the L3");
	stats_percent(to, 0, "host.l2.miss_rate", p->l2_misses, p->l2_accesses, "of what was not in the L1");
	stats_count(to, 0, "host.l2.write_backs", p->l2_write_backs, "lines", "dirty ones that went to the L3");
	stats_count(to, 0, "host.l3.hits", l->hits, "lines", "were in the L3");
	stats_count(to, 0, "host.l3.hits_reserved", l->reserved, "lines", "were on their way to the L3");
	stats_count(to, 0, "host.l3.misses", l->misses, "lines", "read from memory");
	stats_percent(to, 0, "host.l3.miss_rate", l->misses, l->accesses, "of what cores asked for");
	stats_count(to, 0, "host.l3.write_backs", l->write_backs, "lines", "written to memory");
	stats_count(to, 0, "host.l3.dirty_left", host_l3_dirty_lines(&h->below.l3), "lines",
		    "of the L3 newer than memory at the end");
	stats_count(to, 0, "host.l3.wait.way", l->stuck[0], "times", "a request waited: all ways of the set wait for memory");
	stats_count(to, 0, "host.l3.wait.mshr_entry", l->stuck[1], "times", "a request waited: no MSHR entry is free");
	stats_count(to, 0, "host.l3.wait.queue", l->stuck[2], "times", "a request waited: no room on the way to memory");
}

static void detail(struct stats *to, uint32_t core, const char *name, uint64_t value, const char *unit)
{
	char key[KEY];

	snprintf(key, sizeof key, "host.%u.%s", core, name);
	stats_count(to, STAT_DETAIL, key, value, unit, "");
}

static void detail_core(const struct host_core *c, struct stats *to)
{
	detail(to, c->id, "insts", c->stats.insts, "");
	detail(to, c->id, "ctas", c->stats.pieces, "");
	detail(to, c->id, "l1.accesses", c->cache.stats.l1_accesses, "lines");
	detail(to, c->id, "l1.hits", c->cache.stats.l1_hits, "lines");
	detail(to, c->id, "l2.misses", c->cache.stats.l2_misses, "lines");
	for (unsigned i = 0; i < HOST_LEDGER; i++)
		detail(to, c->id, host_ledger_names[i], c->stats.ledger[i], "cycles");
}

void host_collect(const struct host_system *h, struct stats *to)
{
	uint32_t n = trace_counted_buffers(h->trace);
	const char **names = xcalloc(n + 1, sizeof *names);
	struct host_totals t = host_sum(h);

	for (uint32_t b = 0; b < n; b++)
		names[b] = trace_buffer(h->trace, b)->name;
	report_instructions(h, &t, to);
	report_caches(h, &t, to);
	memsys_report(h->below.memsys, to, names, h->end);
	for (uint32_t i = 0; i < h->m->host.count; i++)
		detail_core(&h->core[i], to);
	free(names);
}

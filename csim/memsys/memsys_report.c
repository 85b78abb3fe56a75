/* The memory system's rows in the table of a run. */
#include <stdio.h>

#include "memsys/memsys_impl.h"

static const char *const stall_name[L2_STALLS] = {
	[L2_STALL_LINE] = "l2.stall.line", [L2_STALL_ENTRY] = "l2.stall.mshr_entry", [L2_STALL_MERGE] = "l2.stall.mshr_merge",
	[L2_STALL_DOWN] = "l2.stall.down", [L2_STALL_REPLY] = "l2.stall.reply",	     [L2_STALL_PORT] = "l2.stall.port",
};
static const char *const stall_meaning[L2_STALLS] = {
	[L2_STALL_LINE] = "every way of the set waited for its fill",
	[L2_STALL_ENTRY] = "no free MSHR entry",
	[L2_STALL_MERGE] = "the line's MSHR entry was full",
	[L2_STALL_DOWN] = "no room on the way to DRAM",
	[L2_STALL_REPLY] = "no room in the reply network",
	[L2_STALL_PORT] = "a fill or an atomic had the port",
};

static void add_net(struct net_counts *to, const struct net *n)
{
	struct net_counts c = net_count(n);

	to->packets += c.packets;
	to->flits += c.flits;
	for (unsigned i = 0; i < NET_STALLS; i++)
		to->stall[i] += c.stall[i];
}

static void report_net(const char *name, const struct net_counts *sum, struct stats *to)
{
	struct net_counts c = *sum;
	char key[64];

	snprintf(key, sizeof key, "net.%s.packets", name);
	stats_count(to, 0, key, c.packets, "packets", "passed");
	snprintf(key, sizeof key, "net.%s.flits", name);
	stats_count(to, 0, key, c.flits, "flits", "passed; cycles in which its outputs were busy, summed");
	snprintf(key, sizeof key, "net.%s.stall.busy", name);
	stats_count(to, 0, key, c.stall[NET_STALL_BUSY], "net cycles", "packets waited while their output passed another");
	snprintf(key, sizeof key, "net.%s.stall.full", name);
	stats_count(to, 0, key, c.stall[NET_STALL_FULL], "net cycles", "packets waited while their output's queue was full");
}

static void report_nets(const struct memsys *s, struct stats *to)
{
	struct net_counts request = {0}, reply = {0}, below = {0}, above = {0};

	for (uint32_t i = 0; i < s->m.module.count; i++) {
		add_net(&request, &s->module[i].at_sms->request);
		add_net(&reply, &s->module[i].at_sms->reply);
		add_net(&below, &s->module[i].memory->request);
		add_net(&above, &s->module[i].memory->reply);
	}
	report_net("request", &request, to);
	report_net("reply", &reply, to);
	if (!memsys_at_sms(s))
		return;
	report_net("memory.request", &below, to);
	report_net("memory.reply", &above, to);
}

static void report_l2(const struct memsys *s, struct stats *to)
{
	struct memsys_facts f = memsys_facts(s);
	struct l2_stats sum = {0};

	for (uint32_t i = 0; i < s->slices; i++) {
		const struct l2_stats *l = &s->slice[i].stats;

		sum.reads += l->reads;
		sum.writes += l->writes;
		sum.atomics += l->atomics;
		sum.evictions += l->evictions;
		sum.write_backs += l->write_backs;
		sum.bypasses += l->bypasses;
		sum.flushes += l->flushes;
		sum.flushed += l->flushed;
		for (uint32_t w = 0; w < L2_STALLS; w++)
			sum.stall[w] += l->stall[w];
	}
	stats_count(to, 0, "l2.accesses", f.l2.accesses, "requests", "that came to a slice's tags");
	stats_count(to, 0, "l2.hits", f.l2.hits, "requests", "line was there");
	stats_count(to, 0, "l2.hits_reserved", f.l2.reserved, "requests", "line was on its way");
	stats_count(to, 0, "l2.misses", f.l2.misses, "requests", "line was allocated");
	stats_percent(to, 0, "l2.miss_rate", f.l2.misses, f.l2.accesses, "misses of all accesses");
	stats_count(to, 0, "l2.reads", sum.reads, "requests", "reads");
	stats_count(to, 0, "l2.writes", sum.writes, "requests", "writes");
	stats_count(to, 0, "l2.atomics", sum.atomics, "requests", "atomics");
	stats_count(to, 0, "l2.bypasses", sum.bypasses, "requests", "straight to DRAM, L2 disabled");
	stats_count(to, 0, "l2.fetches", f.fetches, "lines", "read from DRAM");
	stats_count(to, 0, "l2.evictions", sum.evictions, "lines", "replaced");
	stats_count(to, 0, "l2.write_backs", sum.write_backs, "lines", "replaced and written to DRAM");
	if (memsys_at_sms(s)) {
		stats_count(to, 0, "l2.flushes", sum.flushes, "times", "that a slice was emptied at the end of a launch");
		stats_count(to, 0, "l2.flushed", sum.flushed, "lines", "written back by that");
	}
	stats_count(to, 0, "l2.dirty_left", f.dirty_lines, "lines", "still newer than DRAM at the end");
	for (uint32_t w = L2_STALL_NONE + 1; w < L2_STALLS; w++)
		stats_count(to, 0, stall_name[w], sum.stall[w], "L2 cycles", stall_meaning[w]);
}

static void report_dram(const struct memsys *s, struct stats *to, uint64_t elapsed)
{
	struct dram_stats sum = {0};
	uint64_t cycles = elapsed / s->m.clock.period[CLOCK_DRAM];
	double us = (double)elapsed / (double)s->m.clock.ticks_per_us;

	for (uint32_t c = 0; c < s->channels; c++) {
		const struct dram_stats *d = &s->channel[c].stats;

		for (uint32_t k = 0; k < DRAM_COMMANDS; k++)
			sum.command[k] += d->command[k];
		sum.requests[DRAM_READ] += d->requests[DRAM_READ];
		sum.requests[DRAM_WRITE] += d->requests[DRAM_WRITE];
		sum.forwarded += d->forwarded;
		sum.row_hits += d->row_hits;
		sum.row_misses += d->row_misses;
		sum.row_conflicts += d->row_conflicts;
		sum.busy += d->busy;
		sum.bytes += d->bytes;
		sum.drains += d->drains;
		sum.queue_full += d->queue_full;
	}
	stats_count(to, 0, "dram.reads", sum.requests[DRAM_READ], "requests", "reads of a line or a part of one");
	stats_count(to, 0, "dram.writes", sum.requests[DRAM_WRITE], "requests", "writes");
	stats_count(to, 0, "dram.forwarded", sum.forwarded, "requests", "reads answered from waiting writes");
	stats_count(to, 0, "dram.row_hits", sum.row_hits, "requests", "found their row open");
	stats_count(to, 0, "dram.row_misses", sum.row_misses, "requests", "found no row open");
	stats_count(to, 0, "dram.row_conflicts", sum.row_conflicts, "requests", "found another row open");
	stats_percent(to, 0, "dram.row_hit_rate", sum.row_hits, sum.row_hits + sum.row_misses + sum.row_conflicts,
		      "of the requests that went to a bank");
	stats_count(to, 0, "dram.activates", sum.command[DRAM_ACT], "commands", "rows opened");
	stats_count(to, 0, "dram.precharges", sum.command[DRAM_PRE] + sum.command[DRAM_PRE_ALL], "commands", "rows closed");
	stats_count(to, 0, "dram.refreshes", sum.command[DRAM_REF], "commands", "of all banks of a channel");
	stats_count(to, 0, "dram.drains", sum.drains, "times", "that the write queue reached its high mark, or a write was urgent");
	stats_count(to, 0, "dram.queue_full", sum.queue_full, "DRAM cycles", "requests stood before a full queue");
	stats_count(to, 0, "dram.bytes", sum.bytes, "bytes", "over the data buses");
	stats_percent(to, 0, "dram.bus_busy", sum.busy, cycles * s->channels, "of the data buses' cycles: of the peak bandwidth");
	stats_real(to, 0, "dram.bandwidth", elapsed ? (double)sum.bytes / us / 1000 : 0, "GB/s", "all channels");
}

static void report_channels(const struct memsys *s, struct stats *to)
{
	char key[64];

	for (uint32_t c = 0; c < s->channels; c++) {
		const struct dram_stats *d = &s->channel[c].stats;

		snprintf(key, sizeof key, "dram.%u.bytes", c);
		stats_count(to, STAT_DETAIL, key, d->bytes, "bytes", "of this channel");
		snprintf(key, sizeof key, "dram.%u.row_hits", c);
		stats_count(to, STAT_DETAIL, key, d->row_hits, "requests", "of this channel");
	}
}

static void report_buffer(const struct memsys *s, struct stats *to, const char *name, uint32_t b)
{
	struct l2_counts c = memsys_buffer(s, b);
	char key[256];

	if (!c.accesses)
		return;
	snprintf(key, sizeof key, "buffer.%s.l2.accesses", name);
	stats_count(to, STAT_DETAIL, key, c.accesses, "requests", "of this array");
	snprintf(key, sizeof key, "buffer.%s.l2.hits", name);
	stats_count(to, STAT_DETAIL, key, c.hits + c.reserved, "requests", "of this array, lines on their way included");
	snprintf(key, sizeof key, "buffer.%s.l2.misses", name);
	stats_count(to, STAT_DETAIL, key, c.misses, "requests", "of this array");
}

void memsys_report(const struct memsys *s, struct stats *to, const char *const *buffer_names, uint64_t elapsed)
{
	report_nets(s, to);
	report_l2(s, to);
	report_dram(s, to, elapsed);
	if (s->topology.nodes > 1)
		memsys_report_links(s, to, elapsed);
	report_channels(s, to);
	for (uint32_t b = 0; b < s->buffers; b++)
		report_buffer(s, to, buffer_names[b], b);
	report_buffer(s, to, "(none)", s->buffers);
}

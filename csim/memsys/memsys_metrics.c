/* The memory system's metrics. */
#include "memsys/memsys_metrics.h"

#include <stdio.h>

#include "memsys/memsys_impl.h"

#define C(field)	  METRIC_OF(struct memsys_counts, field)
#define FROM(first, last) METRIC_FROM(struct memsys_counts, first, last)

enum { RUN = OF_RUN | OF_LAUNCH, AT_SMS = MEMSYS_HAS_SLICES_AT_SMS };

/* clang-format off */
#define NET_IF(has, name, net)                                                                                                    \
	{"net." name ".packets", "packets", "packets that passed the network", METRIC_COUNT, RUN, .a = C(net.packets), .needs = has},                       \
	{"net." name ".flits", "flits", "flits that passed the network (sum of busy cycles of its outputs)", METRIC_COUNT, RUN, .a = C(net.flits),    \
	 .needs = has},                                                                                                            \
	{"net." name ".stall.busy", "net cycles", "cycles in which a packet waited because its output was busy", METRIC_COUNT, OF_RUN,         \
	 .a = C(net.stall[NET_STALL_BUSY]), .needs = has},                                                                         \
	{"net." name ".stall.full", "net cycles", "cycles in which a packet waited because its output queue was full", METRIC_COUNT, OF_RUN,       \
	 .a = C(net.stall[NET_STALL_FULL]), .needs = has}
#define L2_STALL(name, cause, meaning) {"l2.stall." name, "L2 cycles", meaning, METRIC_COUNT, OF_RUN, .a = C(slices.stall[cause])}

static const struct metric rows[] = {
	NET_IF(0, "request", request),
	NET_IF(0, "reply", reply),
	NET_IF(AT_SMS, "memory.request", memory_request),
	NET_IF(AT_SMS, "memory.reply", memory_reply),
	{"l2.accesses", "requests", "requests looked up in the L2 tags, all slices", METRIC_COUNT, RUN | OF_ARRAY, .a = C(l2.accesses)},
	{"l2.hits", "requests", "requests that found their line in the L2", METRIC_COUNT, RUN, .a = C(l2.hits)},
	{"l2.hits", "requests", "requests that found their line present or in flight", METRIC_COUNT, OF_ARRAY, .a = FROM(l2.hits, l2.reserved)},
	{"l2.hits_reserved", "requests", "requests that found their line in flight to the L2", METRIC_COUNT, RUN, .a = C(l2.reserved)},
	{"l2.misses", "requests", "requests that allocated their line in the L2", METRIC_COUNT, RUN | OF_ARRAY, .a = C(l2.misses)},
	{"l2.hit_rate", "%", "L2 hits / accesses; l2.hits_reserved are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(l2.hits),
	 .b = C(l2.accesses)},
	{"l2.miss_rate", "%", "L2 misses / accesses", METRIC_PERCENT, RUN, .a = C(l2.misses), .b = C(l2.accesses)},
	{"l2.reads", "requests", "read requests to the L2", METRIC_COUNT, RUN, .a = C(slices.reads)},
	{"l2.writes", "requests", "write requests to the L2", METRIC_COUNT, RUN, .a = C(slices.writes)},
	{"l2.atomics", "requests", "atomic requests to the L2", METRIC_COUNT, RUN, .a = C(slices.atomics)},
	{"l2.bypasses", "requests", "requests sent straight to DRAM because the L2 is disabled", METRIC_COUNT, RUN, .a = C(slices.bypasses)},
	{"l2.bypass.reads", "requests", "read requests that the policy made bypass the L2", METRIC_COUNT, RUN, .a = C(l2.bypasses), .needs = MEMSYS_HAS_BYPASS},
	{"l2.fetches", "lines", "lines that the L2 read from DRAM", METRIC_COUNT, RUN, .a = C(slices.fetches)},
	{"l2.sectors", "sectors", "sectors that the L2 read from DRAM", METRIC_COUNT, RUN, .a = C(slices.sectors), .needs = MEMSYS_HAS_SECTORS},
	{"l2.read_sectors", "sectors", "32-byte sectors requested by reads of the L2", METRIC_COUNT, RUN, .a = C(slices.read_sectors), .needs = MEMSYS_HAS_SECTORS},
	{"l2.written_sectors", "sectors", "32-byte sectors with at least one byte written", METRIC_COUNT, RUN, .a = C(slices.written_sectors),
	 .needs = MEMSYS_HAS_SECTORS},
	{"l2.evictions", "lines", "lines replaced in the L2", METRIC_COUNT, RUN, .a = C(slices.evictions)},
	{"l2.write_backs", "lines", "dirty lines replaced in the L2 and written to DRAM", METRIC_COUNT, RUN, .a = C(slices.write_backs)},
	{"l2.flushes", "times", "times that an L2 slice was emptied at the end of a launch", METRIC_COUNT, RUN, .a = C(slices.flushes), .needs = AT_SMS},
	{"l2.flushed", "lines", "dirty lines written back because an L2 slice was emptied", METRIC_COUNT, RUN, .a = C(slices.flushed), .needs = AT_SMS},
	{"l2.dirty_left", "lines", "dirty L2 lines left at the end of the run", METRIC_COUNT, OF_RUN | NOT_OVER_TIME, .a = C(dirty_lines)},
	{"l2.far.reads", "requests", "read requests to the other half of the L2, to copy its lines", METRIC_COUNT, RUN, .a = C(l2.asked), .needs = MEMSYS_HAS_HALVES},
	{"l2.far.hits", "requests", "read requests to the other half of the L2 that hit there", METRIC_COUNT, RUN, .a = C(halves.reads.hits), .needs = MEMSYS_HAS_HALVES},
	{"l2.far.writes", "requests", "writes and atomics forwarded to the other half of the L2", METRIC_COUNT, RUN, .a = C(halves.passed_on), .needs = MEMSYS_HAS_HALVES},
	{"l2.far.dropped", "lines", "copied lines invalidated because the other half's line was written", METRIC_COUNT, RUN, .a = C(halves.dropped), .needs = MEMSYS_HAS_HALVES},
	{"l2.coalescer.reads", "requests", "read requests merged with one in flight by an L2 coalescer; not in l2.accesses", METRIC_COUNT, RUN, .a = C(coalescers.reads),
	 .needs = MEMSYS_HAS_COALESCERS},
	{"l2.coalescer.sectors", "sectors", "32-byte sectors delivered to merged read requests", METRIC_COUNT, RUN, .a = C(coalescers.sectors), .needs = MEMSYS_HAS_COALESCERS},
	{"l2.coalescer.full", "requests", "read requests that could not be merged and found no free coalescer entry", METRIC_COUNT, OF_RUN, .a = C(coalescers.full),
	 .needs = MEMSYS_HAS_COALESCERS},
#define CLASS(name, field, meaning) {"l2.class." name, "requests", meaning, METRIC_COUNT, OF_RUN_DETAIL | OF_LAUNCH, .a = C(classes.field), .needs = MEMSYS_HAS_CLASSES}
#define HIT(name, class_, who) CLASS(name, hits[class_], "L2 requests that hit a line last accessed " who)
#define REUSE(name, class_, who) CLASS("unbounded." name, reuses[class_], "unbounded L2: requests for a line last accessed " who)
#define BY_CLASS(ROW) \
	ROW("intra_thread", CLASS_INTRA_THREAD, "by the same thread"), \
	ROW("inter_thread", CLASS_INTER_THREAD, "by other threads of the warp"), \
	ROW("intra_cta", CLASS_INTRA_CTA, "by another warp of the CTA"), \
	ROW("intra_sm", CLASS_INTRA_SM, "by another CTA on the SM"), \
	ROW("inter_sm", CLASS_INTER_SM, "from another SM"), \
	ROW("inter_kernel", CLASS_INTER_KERNEL, "in another launch"), \
	ROW("none", CLASS_NONE, "by a page walker or the CPU, or requested by one")
	CLASS("accesses", accesses, "L2 requests with a locality class (all that were looked up in the tags)"),
	BY_CLASS(HIT),
	CLASS("misses", misses, "L2 requests that missed or bypassed the L2"),
	BY_CLASS(REUSE),
	CLASS("unbounded.first", first, "L2 requests that are the first access to their line"),
	L2_STALL("line", L2_STALL_LINE, "cycles in which an L2 request waited because every way of its set was being filled"),
	L2_STALL("mshr_entry", L2_STALL_ENTRY, "cycles in which an L2 request waited because no MSHR entry was free"),
	L2_STALL("mshr_merge", L2_STALL_MERGE, "cycles in which an L2 request waited because its line's MSHR entry was full"),
	L2_STALL("down", L2_STALL_DOWN, "cycles in which an L2 request waited because the queue to DRAM was full"),
	L2_STALL("reply", L2_STALL_REPLY, "cycles in which an L2 reply waited for room in the reply network"),
	L2_STALL("port", L2_STALL_PORT, "cycles in which an L2 request waited because a fill or an atomic held the data port"),
	{"dram.reads", "requests", "reads of a line, or of a part of one, from DRAM", METRIC_COUNT, RUN, .a = C(dram.requests[DRAM_READ])},
	{"dram.writes", "requests", "write requests to DRAM", METRIC_COUNT, RUN, .a = C(dram.requests[DRAM_WRITE])},
	{"dram.read_bursts", "bursts", "bursts read (dram.burst_bytes each)", METRIC_COUNT, RUN, .a = C(dram.command[DRAM_RD]), .needs = MEMSYS_HAS_SECTORS},
	{"dram.written_bursts", "bursts", "bursts written (dram.burst_bytes each)", METRIC_COUNT, RUN, .a = C(dram.command[DRAM_WR]), .needs = MEMSYS_HAS_SECTORS},
	{"dram.forwarded", "requests", "DRAM reads answered from writes waiting in the controller", METRIC_COUNT, OF_RUN, .a = C(dram.forwarded)},
	{"dram.row_hits", "requests", "DRAM requests that found their row open", METRIC_COUNT, RUN, .a = C(dram.row_hits)},
	{"dram.row_misses", "requests", "DRAM requests that found no row open in their bank", METRIC_COUNT, RUN, .a = C(dram.row_misses)},
	{"dram.row_conflicts", "requests", "DRAM requests that found another row open in their bank", METRIC_COUNT, RUN, .a = C(dram.row_conflicts)},
	{"dram.row_hit_rate", "%", "DRAM requests that found their row open / requests sent to a bank", METRIC_PERCENT, RUN, .a = C(dram.row_hits),
	 .b = FROM(dram.row_hits, dram.row_conflicts)},
	{"dram.activates", "commands", "DRAM activates (rows opened)", METRIC_COUNT, OF_RUN, .a = C(dram.command[DRAM_ACT])},
	{"dram.precharges", "commands", "DRAM precharges (rows closed)", METRIC_COUNT, OF_RUN,
	 .a = {METRIC_AT(struct memsys_counts, dram.command[DRAM_PRE]), 2, DRAM_PRE_ALL - DRAM_PRE}},
	{"dram.refreshes", "commands", "refreshes of all banks of a channel", METRIC_COUNT, OF_RUN, .a = C(dram.command[DRAM_REF])},
	{"dram.bank_refreshes", "commands", "refreshes of a single bank", METRIC_COUNT, OF_RUN, .a = C(dram.command[DRAM_REF_BANK]),
	 .needs = MEMSYS_HAS_BANK_REFRESH},
	{"dram.drains", "times", "write drains begun: the write queue reached dram.write_high, or a write was urgent", METRIC_COUNT, OF_RUN, .a = C(dram.drains)},
	{"dram.queue_full", "DRAM cycles", "DRAM cycles in which a request waited because the controller's queue was full", METRIC_COUNT, OF_RUN, .a = C(dram.queue_full)},
	{"dram.bytes", "bytes", "bytes transferred over the DRAM data buses", METRIC_COUNT, RUN, .a = C(dram.bytes)},
	{"dram.bus_busy", "%", "DRAM data-bus cycles in use / all of them (share of the peak bandwidth)", METRIC_PERCENT, RUN, .a = C(dram.busy), .b = C(dram_cycles)},
};

static const struct metric link_rows[] = {
	{"memory.requests", "requests", "memory requests from L2 slices to DRAM channels, all modules", METRIC_COUNT, RUN, .a = C(link.requests), .needs = AT_SMS},
	{"memory.requests", "requests", "memory requests from SMs to L2 slices, all modules", METRIC_COUNT, RUN, .a = C(link.requests),
	 .needs = MEMSYS_HAS_SLICES_AT_MEMORY},
	{"memory.remote", "requests", "memory requests to another module", METRIC_COUNT, RUN, .a = C(link.remote)},
	{"memory.remote_share", "%", "memory requests to another module / all of them", METRIC_PERCENT, RUN, .a = C(link.remote),
	 .b = C(link.requests)},
	{"memory.bytes", "bytes", "bytes of memory requests and their replies", METRIC_COUNT, RUN, .a = FROM(link.inside_bytes, link.remote_bytes)},
	{"memory.remote_bytes", "bytes", "bytes of memory requests and replies between modules", METRIC_COUNT, RUN, .a = C(link.remote_bytes)},
	{"link.bytes", "bytes", "bytes carried by all links; a byte counts once per link it crosses", METRIC_COUNT, RUN, .a = C(link.carried)},
	{"link.busy", "%", "link bandwidth in use / available, all links and both directions", METRIC_PERCENT, RUN, .a = C(link.busy), .b = C(link.ticks)},
};

/* Of a channel: "dram.3.bytes". */
static const struct metric channel_rows[] = {
	{"bytes", "bytes", "in this channel", METRIC_COUNT, OF_SM, .a = C(dram.bytes)},
	{"row_hits", "requests", "in this channel", METRIC_COUNT, OF_SM, .a = C(dram.row_hits)},
};
/* clang-format on */

const struct metric_table memsys_metrics = METRIC_TABLE(rows), memsys_link_metrics = METRIC_TABLE(link_rows);
const struct metric_table memsys_channel_metrics = METRIC_TABLE(channel_rows);

unsigned memsys_has(const struct memsys *s)
{
	return (memsys_at_sms(s) ? MEMSYS_HAS_SLICES_AT_SMS : MEMSYS_HAS_SLICES_AT_MEMORY) |
	       (s->m.l2.bypass.policy ? MEMSYS_HAS_BYPASS : 0) | (machine_cache_sectors(&s->m.l2.c) > 1 ? MEMSYS_HAS_SECTORS : 0) |
	       (s->m.dram.refresh_banks ? MEMSYS_HAS_BANK_REFRESH : 0) | (s->half ? MEMSYS_HAS_HALVES : 0) |
	       (s->slice && s->m.l2.coalescer ? MEMSYS_HAS_COALESCERS : 0) |
	       (s->slice && s->m.caches.locality_classes ? MEMSYS_HAS_CLASSES : 0);
}

static void add_net(struct net_counts *to, const struct net *n)
{
	struct net_counts c = net_count(n);

	METRICS_ADD(to, &c);
}

struct memsys_counts memsys_count(const struct memsys *s, struct ticks elapsed)
{
	struct memsys_counts c = {.dram_cycles = cycles_in(elapsed, s->m.clock.period[CLOCK_DRAM]) * s->channels};

	for (uint32_t i = 0; i < s->m.module.count; i++) {
		const struct memsys_module *d = &s->module[i];

		add_net(&c.request, &d->at_sms->request);
		add_net(&c.reply, &d->at_sms->reply);
		add_net(&c.memory_request, &d->memory->request);
		add_net(&c.memory_reply, &d->memory->reply);
	}
	for (uint32_t i = 0; i < s->slices; i++) {
		METRICS_ADD(&c.slices, &s->pipe[i]->stats);
		if (s->half)
			METRICS_ADD(&c.halves, &s->half[i].counts);
		if (s->pipe[i]->coalescer)
			METRICS_ADD(&c.coalescers, &s->pipe[i]->coalescer->counts);
		for (uint32_t b = 0; s->slice && b <= s->buffers; b++)
			METRICS_ADD(&c.l2, &s->slice[i].buffer[b]);
		if (s->slice && s->slice[i].classes)
			METRICS_ADD(&c.classes, &s->slice[i].classes->count);
	}
	for (uint32_t i = 0; i < s->channels; i++)
		METRICS_ADD(&c.dram, &s->channel[i].stats);
	memsys_count_links(s, &c.link, elapsed);
	return c;
}

static void report_channels(const struct memsys *s, struct stats *to)
{
	struct memsys_counts one = {0};
	char prefix[64];

	for (uint32_t c = 0; c < s->channels; c++) {
		one.dram = s->channel[c].stats;
		snprintf(prefix, sizeof prefix, "dram.%u.", c);
		metrics_rows(to, &memsys_channel_metrics, &(struct metric_view){.prefix = prefix, .shown = OF_SM}, &one);
	}
}

static void report_buffer(const struct memsys *s, struct stats *to, const char *name, uint32_t b)
{
	struct memsys_counts one = {.l2 = memsys_buffer(s, b)};
	char prefix[320];

	if (!one.l2.accesses)
		return;
	snprintf(prefix, sizeof prefix, "buffer.%.256s.", name);
	metrics_rows(to, &memsys_metrics, &(struct metric_view){.prefix = prefix, .shown = OF_ARRAY}, &one);
}

void memsys_report(const struct memsys *s, struct stats *to, const char *const *buffer_names, struct ticks elapsed)
{
	struct memsys_counts c = memsys_count(s, elapsed);
	struct metric_view v = {.prefix = "", .shown = OF_RUN | OF_RUN_DETAIL, .has = memsys_has(s)};
	double us = (double)elapsed.n / (double)s->m.clock.ticks_per_us;

	c.dirty_lines = memsys_facts(s).dirty_lines;
	metrics_rows(to, &memsys_metrics, &v, &c);
	stats_real(to, 0, "dram.bandwidth", elapsed.n ? (double)c.dram.bytes / us / 1000 : 0, "GB/s",
		   "DRAM bandwidth used, all channels");
	if (s->topology.nodes > 1) {
		metrics_rows(to, &memsys_link_metrics, &v, &c);
		memsys_report_links(s, to, elapsed);
	}
	report_channels(s, to);
	for (uint32_t b = 0; b < s->buffers; b++)
		report_buffer(s, to, buffer_names[b], b);
	report_buffer(s, to, "(none)", s->buffers);
}

void memsys_launch_rows(const struct memsys *s, const struct memsys_counts *c, struct stats *to)
{
	struct metric_view v = {.prefix = "", .shown = OF_LAUNCH, .has = memsys_has(s)};

	metrics_rows(to, &memsys_metrics, &v, c);
	if (s->topology.nodes > 1)
		metrics_rows(to, &memsys_link_metrics, &v, c);
}

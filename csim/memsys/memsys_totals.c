/* The memory system's totals, and the invariants that they obey. */
#include <inttypes.h>

#include "memsys/memsys_impl.h"

struct l2_counts memsys_buffer(const struct memsys *s, uint32_t buffer)
{
	struct l2_counts c = {0};

	for (uint32_t i = 0; s->slice && i < s->slices; i++)
		METRICS_ADD(&c, &s->slice[i].buffer[buffer]);
	return c;
}

static uint64_t in_pipe(const struct l2_pipe *p)
{
	return p->stats.accepted - p->stats.answered;
}

/* In the slices and ports, and between them and their channels. */
static uint64_t in_slices(const struct memsys *s)
{
	uint64_t waiting = 0;

	for (uint32_t i = 0; i < s->slices; i++) {
		waiting += queue_count(&s->channel_link[i].down) + queue_count(&s->channel_link[i].up);
		if (s->slice)
			waiting += in_pipe(&s->slice[i].pipe) + s->slice[i].lower->unacknowledged;
		if (s->half)
			waiting += l2_half_waiting(&s->half[i]);
		if (s->port)
			waiting += in_pipe(&s->port[i].pipe);
		if (s->flusher)
			waiting += queue_count(&s->flusher[i].asked) + queue_count(&s->flusher[i].done);
	}
	return waiting;
}

static uint64_t in_net(const struct net *n)
{
	uint64_t waiting = 0;

	for (uint32_t i = 0; i < n->p.inputs; i++)
		waiting += queue_count(&n->in[i].q);
	for (uint32_t o = 0; o < n->p.outputs; o++)
		waiting += queue_count(&n->out[o].q);
	return waiting;
}

static uint64_t in_pair(const struct memsys_pair *p)
{
	return in_net(&p->request) + in_net(&p->reply);
}

static uint64_t in_links(const struct memsys *s)
{
	uint64_t waiting = 0;

	for (uint32_t i = 0; i < s->topology.links; i++)
		for (uint32_t k = 0; k < s->link[i].sources; k++)
			waiting += queue_count(s->link[i].source[k].q);
	for (uint32_t p = 0; p < s->cpu_ports; p++)
		waiting += queue_count(&s->cpu_in[p]);
	return waiting;
}

struct memsys_facts memsys_facts(const struct memsys *s)
{
	struct memsys_counts c = memsys_count(s, (struct ticks){0});
	struct memsys_facts f = {.requests = c.slices.accepted,
				 .replies = c.slices.answered,
				 .fetches = c.slices.fetches,
				 .writes_down = c.slices.write_backs,
				 .dram_reads = c.dram.requests[DRAM_READ],
				 .dram_writes = c.dram.requests[DRAM_WRITE],
				 .l2 = c.l2};

	f.in_flight = in_slices(s);
	for (uint32_t i = 0; s->m.module.movers && i < s->m.module.count; i++)
		f.moves += s->module[i].memory->reply.out[memsys_mover_port_of(s, &s->module[i])].packets;
	for (uint32_t i = 0; s->slice && i < s->slices; i++)
		f.dirty_lines += l2_dirty_lines(&s->slice[i]);
	for (uint32_t i = 0; i < s->channels; i++)
		f.in_flight += dram_waiting(&s->channel[i]);
	for (uint32_t i = 0; i < s->pairs; i++)
		f.in_flight += in_pair(&s->pair[i]);
	f.in_flight += in_links(s);
	return f;
}

static uint64_t pair_packets(const struct memsys_pair *p)
{
	return net_count(&p->request).packets + net_count(&p->reply).packets;
}

uint64_t memsys_progress(const struct memsys *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->pairs; i++)
		n += pair_packets(&s->pair[i]);
	for (uint32_t i = 0; i < s->topology.links; i++)
		n += s->link[i].packets[LINK_REQUEST] + s->link[i].packets[LINK_REPLY];
	for (uint32_t i = 0; i < s->slices; i++)
		n += s->pipe[i]->stats.accepted + s->pipe[i]->stats.answered + s->pipe[i]->stats.flushed;
	for (uint32_t c = 0; c < s->channels; c++)
		n += s->channel[c].columns;
	return n;
}

bool memsys_is_idle(const struct memsys *s)
{
	return memsys_facts(s).in_flight == 0;
}

/* Of two halves: nothing that one sent the other is missing. */
static int audit_halves(const struct memsys *s, struct err *e)
{
	uint64_t asked = memsys_count(s, (struct ticks){0}).l2.asked;
	struct l2_half_counts c = {0};
	struct l2_stats of_pairs = {0};

	for (uint32_t i = 0; s->half && i < s->slices; i++) {
		METRICS_ADD(&c, &s->half[i].counts);
		METRICS_ADD(&of_pairs, &s->half[i].pipe.stats);
		if (s->half[i].copies)
			return err_set(e, "l2.%u: %u MSHR entries for copies are left", i, s->half[i].copies);
	}
	if (c.passed_on != c.taken_over)
		return err_set(e, "l2: halves passed on %" PRIu64 " writes and atomics, and took over %" PRIu64, c.passed_on,
			       c.taken_over);
	if (asked != c.reads.accesses || of_pairs.accepted != asked + c.passed_on || of_pairs.answered != asked)
		return err_set(e, "l2: halves asked each other for %" PRIu64 " reads, and looked up %" PRIu64, asked,
			       c.reads.accesses);
	return 0;
}

/* served: requests that it looked up or passed on. */
static int audit_pipe(const struct l2_pipe *p, uint64_t accepted, uint64_t served, const char *name, uint32_t i, struct err *e)
{
	if (accepted != p->stats.answered)
		return err_set(e, "%s.%u: %" PRIu64 " requests, %" PRIu64 " replies", name, i, accepted, p->stats.answered);
	if (served != accepted)
		return err_set(e, "%s.%u: %" PRIu64 " accesses and bypasses of %" PRIu64 " requests", name, i, served, accepted);
	return 0;
}

static int audit_slice(const struct l2 *l, uint32_t i, struct err *e)
{
	const struct l2_half_counts *h = l->half ? &l->half->counts : &(const struct l2_half_counts){0};
	const struct l2_coalescer *joined = l->pipe.coalescer;
	uint64_t accepted = l->pipe.stats.accepted + h->taken_over - h->passed_on;
	struct l2_counts c = {0};

	for (uint32_t b = 0; b <= l->buffers; b++)
		METRICS_ADD(&c, &l->buffer[b]);
	if (audit_pipe(&l->pipe, accepted, c.accesses + (joined ? joined->counts.reads : 0), "l2", i, e) != 0)
		return -1;
	if (joined && joined->n_free != joined->entries)
		return err_set(e, "l2.%u: %u entries of the coalescer are left", i, joined->entries - joined->n_free);
	if (h->reads.accesses != h->reads.hits + h->reads.reserved + h->reads.misses + h->reads.bypasses)
		return err_set(e, "l2.%u: accesses of the other half are not hits + hits on reserved lines + misses + bypasses", i);
	if (c.accesses != c.hits + c.reserved + c.misses + c.bypasses)
		return err_set(e, "l2.%u: accesses are not hits + hits on reserved lines + misses + bypasses", i);
	if (c.fetches != l->pipe.stats.fetches)
		return err_set(e, "l2.%u: fetches by array are not all fetches", i);
	if (mshr_in_use(&l->mshr))
		return err_set(e, "l2.%u: %u MSHR entries are left", i, mshr_in_use(&l->mshr));
	if (l->lower->unacknowledged)
		return err_set(e, "l2.%u: %" PRIu64 " write-backs are not acknowledged", i, l->lower->unacknowledged);
	return 0;
}

static int audit_port(const struct l2_pipe *p, uint32_t i, struct err *e)
{
	return audit_pipe(p, p->stats.accepted, p->stats.bypasses, "port", i, e);
}

static int audit_slices(const struct memsys *s, struct err *e)
{
	for (uint32_t i = 0; i < s->slices; i++) {
		if (s->slice && audit_slice(&s->slice[i], i, e) != 0)
			return -1;
		if (s->port && audit_port(&s->port[i].pipe, i, e) != 0)
			return -1;
	}
	return 0;
}

static int audit_channel(const struct memsys *s, uint32_t c, struct ticks now, struct err *e)
{
	const struct dram *d = &s->channel[c];
	const struct dram_stats *t = &d->stats;
	uint64_t requests = t->requests[DRAM_READ] + t->requests[DRAM_WRITE];

	if (t->row_hits + t->row_misses + t->row_conflicts + t->forwarded != requests)
		return err_set(e, "dram.%u: row hits + misses + conflicts + forwarded are not the %" PRIu64 " requests", c,
			       requests);
	if ((t->command[DRAM_RD] + t->command[DRAM_WR]) * d->burst_bytes != t->bytes)
		return err_set(e, "dram.%u: bytes are not the bursts' bytes", c);
	if (ticks_before(now, ticks_of(t->busy, d->period)))
		return err_set(e, "dram.%u: the data bus was busy for %" PRIu64 " of %" PRIu64 " cycles", c, t->busy,
			       cycles_in(now, d->period));
	return 0;
}

/* Packets that left a crossbar by its first `outputs` outputs. */
static uint64_t passed(const struct net *n, uint32_t outputs)
{
	uint64_t packets = 0;

	for (uint32_t o = 0; o < outputs; o++)
		packets += n->out[o].packets;
	return packets;
}

static bool pair_is_too_fast(const struct memsys_pair *p, uint64_t cycles)
{
	return net_count(&p->request).most_flits > cycles || net_count(&p->reply).most_flits > cycles;
}

static int audit_ports_of_crossbars(const struct memsys *s, uint64_t cycles, struct err *e)
{
	for (uint32_t i = 0; i < s->pairs; i++)
		if (pair_is_too_fast(&s->pair[i], cycles))
			return err_set(e, "memory system: a network port passed more than a flit a cycle");
	return 0;
}

/* What the crossbars handed to slices and to SMs is what the slices took in and answered. Replies to the CPU go by
 * link. */
static int audit_packets(const struct memsys *s, const struct memsys_facts *f, struct err *e)
{
	uint64_t requests = 0, replies = 0;

	for (uint32_t i = 0; i < s->m.module.count; i++) {
		const struct memsys_module *d = &s->module[i];

		requests += passed(&d->at_sms->request, d->slices);
		replies += passed(&d->at_sms->reply, memsys_sm_ports(s, d));
	}
	for (uint32_t i = 0; !memsys_at_sms(s) && i < s->topology.links; i++)
		if (s->topology.link[i].to == s->topology.cpu)
			replies += s->link[i].packets[LINK_REPLY];
	if (requests != f->requests || replies != f->replies)
		return err_set(e, "memory system: the networks' packets are not the requests and replies");
	return 0;
}

/* l2.side sm: what the slices and the CPU send to memory is what the channels' ports take in. */
static int audit_channel_ports(const struct memsys *s, const struct memsys_facts *f, struct err *e)
{
	uint64_t accepted = 0, cpu = 0;

	if (!memsys_at_sms(s))
		return 0;
	for (uint32_t i = 0; i < s->slices; i++)
		accepted += s->port[i].pipe.stats.accepted;
	for (uint32_t i = 0; i < s->topology.links; i++)
		cpu += s->topology.link[i].from == s->topology.cpu ? s->link[i].first[LINK_REQUEST] : 0;
	if (accepted != f->fetches + f->writes_down + cpu + f->moves)
		return err_set(e, "memory system: the channels' ports took in other requests than slices and page movers sent");
	return 0;
}

/* What the channels read is the sectors that slices asked for, but for reads answered from waiting writes. */
static int audit_sectors(const struct memsys *s, struct err *e)
{
	uint64_t asked = 0, read = 0, forwarded = 0;

	for (uint32_t i = 0; s->slice && i < s->slices; i++)
		asked += s->slice[i].pipe.stats.sectors * s->slice[i].sectors.bytes;
	for (uint32_t c = 0; c < s->channels; c++) {
		read += s->channel[c].stats.command[DRAM_RD] * s->channel[c].burst_bytes;
		forwarded += s->channel[c].stats.forwarded;
	}
	if (read > asked || (read < asked && !forwarded))
		return err_set(e, "memory system: slices asked for %" PRIu64 " bytes, DRAM read %" PRIu64, asked, read);
	return 0;
}

int memsys_audit(const struct memsys *s, struct ticks now, struct err *e)
{
	struct memsys_facts f = memsys_facts(s);
	uint64_t past;

	if (f.in_flight)
		return err_set(e, "memory system: %" PRIu64 " requests are still on their way", f.in_flight);
	if (audit_slices(s, e) != 0)
		return -1;
	for (uint32_t c = 0; c < s->channels; c++)
		if (audit_channel(s, c, now, e) != 0)
			return -1;
	past = memsys_at_sms(s) ? f.moves / 2 : 0; /* as many lines read as written */
	if (s->m.l2.enabled && s->topology.cpu == TOPOLOGY_NONE &&
	    (f.fetches + past != f.dram_reads || f.writes_down + past != f.dram_writes))
		return err_set(
			e, "memory system: %" PRIu64 " fetches and %" PRIu64 " write-backs, but DRAM saw %" PRIu64 " and %" PRIu64,
			f.fetches, f.writes_down, f.dram_reads, f.dram_writes);
	if (past == 0 && s->m.l2.enabled && s->topology.cpu == TOPOLOGY_NONE && audit_sectors(s, e) != 0)
		return -1;
	if (audit_ports_of_crossbars(s, cycles_in(now, s->m.clock.period[CLOCK_NET]), e) != 0)
		return -1;
	if (audit_packets(s, &f, e) != 0 || audit_channel_ports(s, &f, e) != 0)
		return -1;
	return audit_halves(s, e) != 0 ? -1 : memsys_audit_links(s, now, e);
}

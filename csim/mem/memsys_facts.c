/* The memory system's figures, and the laws that they obey. */
#include <inttypes.h>

#include "mem/memsys.h"

static uint64_t queued(const struct queue *q)
{
	return q->tail - q->head;
}

static void add(struct l2_counts *to, const struct l2_counts *c)
{
	to->accesses += c->accesses;
	to->hits += c->hits;
	to->reserved += c->reserved;
	to->misses += c->misses;
}

struct l2_counts memsys_buffer(const struct memsys *s, uint32_t buffer)
{
	struct l2_counts c = {0};

	for (uint32_t i = 0; i < s->slices; i++)
		add(&c, &s->slice[i].buffer[buffer]);
	return c;
}

struct memsys_facts memsys_facts(const struct memsys *s)
{
	struct memsys_facts f = {0};

	for (uint32_t i = 0; i < s->slices; i++) {
		const struct l2 *l = &s->slice[i];

		f.requests += l->stats.accepted;
		f.replies += l->stats.answered;
		f.fetches += l->stats.fetches;
		f.writes_down += l->stats.write_backs;
		f.in_flight += l2_in_flight(l) + queued(l->in) + queued(l->out.q) + queued(&l->down) + queued(&l->up);
		f.dirty_lines += l2_dirty_lines(l);
	}
	for (uint32_t b = 0; b <= s->buffers; b++) {
		struct l2_counts c = memsys_buffer(s, b);

		add(&f.l2, &c);
	}
	for (uint32_t c = 0; c < s->channels; c++) {
		f.dram_reads += s->channel[c].stats.requests[DRAM_READ];
		f.dram_writes += s->channel[c].stats.requests[DRAM_WRITE];
		f.in_flight += dram_waiting(&s->channel[c]);
	}
	for (uint32_t i = 0; i < s->sms; i++)
		f.in_flight += queued(&s->request.in[i].q) + queued(&s->reply.out[i].q);
	return f;
}

uint64_t memsys_progress(const struct memsys *s)
{
	uint64_t n = net_count(&s->request).packets + net_count(&s->reply).packets;

	for (uint32_t i = 0; i < s->slices; i++)
		n += s->slice[i].stats.accepted + s->slice[i].stats.answered;
	for (uint32_t c = 0; c < s->channels; c++)
		n += s->channel[c].columns;
	return n;
}

bool memsys_is_idle(const struct memsys *s)
{
	return memsys_facts(s).in_flight == 0;
}

static int audit_slice(const struct memsys *s, uint32_t i, struct err *e)
{
	const struct l2 *l = &s->slice[i];
	struct l2_counts c = {0};

	for (uint32_t b = 0; b <= s->buffers; b++)
		add(&c, &l->buffer[b]);
	if (l->stats.accepted != l->stats.answered)
		return err_set(e, "l2.%u: %" PRIu64 " requests, %" PRIu64 " replies", i, l->stats.accepted, l->stats.answered);
	if (c.accesses != c.hits + c.reserved + c.misses)
		return err_set(e, "l2.%u: accesses are not hits + hits on reserved lines + misses", i);
	if (c.accesses + l->stats.bypasses != l->stats.accepted)
		return err_set(e, "l2.%u: %" PRIu64 " accesses and bypasses of %" PRIu64 " requests", i,
			       c.accesses + l->stats.bypasses, l->stats.accepted);
	if (mshr_in_use(&l->mshr))
		return err_set(e, "l2.%u: %u MSHR entries are left", i, mshr_in_use(&l->mshr));
	return 0;
}

static int audit_channel(const struct memsys *s, uint32_t c, uint64_t now, struct err *e)
{
	const struct dram *d = &s->channel[c];
	const struct dram_stats *t = &d->stats;
	uint64_t requests = t->requests[DRAM_READ] + t->requests[DRAM_WRITE];

	if (t->row_hits + t->row_misses + t->row_conflicts + t->forwarded != requests)
		return err_set(e, "dram.%u: row hits + misses + conflicts + forwarded are not the %" PRIu64 " requests", c,
			       requests);
	if ((t->command[DRAM_RD] + t->command[DRAM_WR]) * d->burst_bytes != t->bytes)
		return err_set(e, "dram.%u: bytes are not the bursts' bytes", c);
	if (t->busy * d->period > now)
		return err_set(e, "dram.%u: the data bus was busy for %" PRIu64 " of %" PRIu64 " cycles", c, t->busy,
			       now / d->period);
	return 0;
}

int memsys_audit(const struct memsys *s, uint64_t now, struct err *e)
{
	struct memsys_facts f = memsys_facts(s);
	uint64_t cycles = now / s->m.clock.period[CLOCK_NET];

	if (f.in_flight)
		return err_set(e, "memory system: %" PRIu64 " requests are still on their way", f.in_flight);
	for (uint32_t i = 0; i < s->slices; i++)
		if (audit_slice(s, i, e))
			return -1;
	for (uint32_t c = 0; c < s->channels; c++)
		if (audit_channel(s, c, now, e))
			return -1;
	if (s->m.l2.enabled && (f.fetches != f.dram_reads || f.writes_down != f.dram_writes))
		return err_set(
			e, "memory system: %" PRIu64 " fetches and %" PRIu64 " write-backs, but DRAM saw %" PRIu64 " and %" PRIu64,
			f.fetches, f.writes_down, f.dram_reads, f.dram_writes);
	if (net_count(&s->request).packets != f.requests || net_count(&s->reply).packets != f.replies)
		return err_set(e, "memory system: the networks' packets are not the requests and replies");
	if (net_count(&s->request).most_flits > cycles || net_count(&s->reply).most_flits > cycles)
		return err_set(e, "memory system: a network port passed more than a flit a cycle");
	return 0;
}

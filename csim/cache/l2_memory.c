/* A slice's way to memory: straight to the channel that it stands at, or, at the SMs, over the network to any channel. */
#include "cache/l2_impl.h"

bool l2_down_room(struct l2 *l, uint32_t n, uint64_t now)
{
	const struct queue_ring *q = l->place == L2_AT_SMS ? &l->below.q->ring : &l->down.ring;
	uint64_t when = TIME_NEVER;

	if (queue_ring_has_space_for(q, n, now, &when))
		return true;
	/* Whoever takes from a full queue wakes the slice. One that has room, but not for n, is looked at again. */
	if (when == TIME_NEVER && queue_ring_count(q) < q->cap)
		when = now + l->period;
	l->retry = l->retry < when ? l->retry : when;
	return false;
}

void l2_send_down(struct l2 *l, const struct dram_req *r, uint64_t now)
{
	*queue_push(&l->down, now + l->down_ticks) = *r;
}

uint8_t l2_bursts(const struct l2 *l, const uint64_t mask[2], bool *whole)
{
	uint8_t bursts = 0;

	*whole = true;
	for (uint32_t i = 0; i < l->line_bytes / l->burst_bytes; i++) {
		uint32_t at = i * l->burst_bytes;
		uint64_t all = l->burst_bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << l->burst_bytes) - 1;
		uint64_t low = mask[at / 64] >> at % 64 & all, high = l->burst_bytes > 64 ? mask[1] : low;

		if (!(low | high))
			continue;
		bursts |= (uint8_t)(1u << i);
		*whole &= low == all && high == all;
	}
	return bursts;
}

uint64_t l2_line(const struct l2 *l, const struct mem_req *r, uint64_t now)
{
	if (l->place == L2_AT_SMS)
		return (r->addr >> l->route.line_bits) / l->slices;
	return route_slice_line(&l->route, route_place(&l->route, now / l->period, r->addr, r->mode).channel_local);
}

/* ---- at the SMs ---- */

static void send_below(struct l2 *l, struct mem_req *r, uint64_t line, uint64_t now)
{
	r->addr = (line * l->slices + l->slice) << l->route.line_bits;
	r->requester = l->requester;
	r->dest = route_destination(&l->route, now / l->period, r->addr, r->mode);
	r->buffer = UINT16_MAX;
	net_send(&l->below, now, r);
}

/* The bursts in which a dirty byte stands travel whole: all bytes of a dirty line are there. */
static void write_below(struct l2 *l, uint32_t slot, uint64_t now)
{
	struct mem_req r = {.kind = REQ_WRITE, .client = REQ_CLIENT_NOBODY, .mode = l->mode[slot]};
	bool whole;
	uint8_t bursts = l2_bursts(l, l->tags.dirty[slot].byte, &whole);

	for (uint32_t b = 0; b < l->line_bytes; b++)
		if (bursts >> b / l->burst_bytes & 1)
			r.mask[b / 64] |= UINT64_C(1) << b % 64;
	r.bytes = (uint16_t)((uint32_t)__builtin_popcount(bursts) * l->burst_bytes);
	send_below(l, &r, tags_line(&l->tags, slot), now);
	l->unacknowledged++;
}

void l2_take_acknowledgements(struct l2 *l, uint64_t now)
{
	const struct mem_req *r;

	while ((r = queue_front(l->replies, now)) && r->client == REQ_CLIENT_NOBODY) {
		l->unacknowledged--;
		queue_pop(l->replies, now);
	}
}

static bool is_quiet(const struct l2 *l)
{
	return l->pipe_head == l->pipe_tail && !mshr_in_use(&l->mshr) && l->answering == L2_NOBODY;
}

static uint32_t next_dirty(const struct l2 *l, uint32_t slot)
{
	while (slot < tags_slots(&l->tags) && tags_state(&l->tags, slot) != TAGS_DIRTY)
		slot++;
	return slot;
}

static void end_flush(struct l2 *l, uint64_t now)
{
	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		if (tags_state(&l->tags, s) != TAGS_INVALID)
			tags_drop(&l->tags, s);
	*queue_push(&l->flushed, now + l->period) = *queue_front(&l->flush, now);
	queue_pop(&l->flush, now);
	l->flush_at = 0;
	l->stats.flushes++;
}

uint64_t l2_flush_step(struct l2 *l, uint64_t now)
{
	uint64_t due = queue_next_arrival(&l->flush);

	if (due > now)
		return due;
	if (!is_quiet(l))
		return TIME_NEVER;
	l->flush_at = next_dirty(l, l->flush_at);
	if (l->flush_at < tags_slots(&l->tags)) {
		if (!l2_down_room(l, 1, now))
			return l->retry;
		l2_write_back(l, l->flush_at, now);
		tags_drop(&l->tags, l->flush_at++);
		l->stats.flushed++;
		return now + l->period;
	}
	if (l->unacknowledged)
		return queue_next_arrival(l->replies);
	/* Something may have been written behind the flush's back meanwhile. */
	l->flush_at = next_dirty(l, 0);
	if (l->flush_at < tags_slots(&l->tags))
		return now + l->period;
	end_flush(l, now);
	return TIME_NEVER;
}

/* ---- both ways ---- */

void l2_fetch(struct l2 *l, uint64_t line, uint32_t mode, uint32_t entry, uint64_t now)
{
	l->stats.fetches++;
	if (l->place == L2_AT_SMS)
		send_below(l,
			   &(struct mem_req){.kind = REQ_READ,
					     .bytes = (uint16_t)l->line_bytes,
					     .client = REQ_CLIENT_MSHR,
					     .token = entry,
					     .mode = (uint8_t)mode},
			   line, now);
	else
		l2_send_down(l,
			     &(struct dram_req){.local = route_line_local(&l->route, l->slice, line),
						.token = entry,
						.bursts = (uint8_t)((1u << l->line_bytes / l->burst_bytes) - 1)},
			     now);
}

void l2_write_back(struct l2 *l, uint32_t slot, uint64_t now)
{
	bool whole;

	l->stats.write_backs++;
	if (l->place == L2_AT_SMS)
		write_below(l, slot, now);
	else
		l2_send_down(l,
			     &(struct dram_req){.local = route_line_local(&l->route, l->slice, tags_line(&l->tags, slot)),
						.bursts = l2_bursts(l, l->tags.dirty[slot].byte, &whole),
						.write = 1,
						.whole = 1},
			     now);
}

uint64_t l2_up_arrival(const struct l2 *l)
{
	return l->place == L2_AT_SMS ? queue_next_arrival(l->replies) : queue_next_arrival(&l->up);
}

uint32_t l2_take_up(struct l2 *l, uint64_t now)
{
	uint32_t token;

	if (l->place == L2_AT_SMS) {
		const struct mem_req *r = queue_front(l->replies, now);

		token = r->token;
		l->filled[REQ_AT_DRAM] = r->at[REQ_AT_DRAM];
		l->filled[REQ_FIRST_COMMAND] = r->at[REQ_FIRST_COMMAND];
		queue_pop(l->replies, now);
	} else {
		const struct dram_done *r = queue_front(&l->up, now);

		token = r->token;
		l->filled[REQ_AT_DRAM] = r->arrived;
		l->filled[REQ_FIRST_COMMAND] = r->begun;
		queue_pop(&l->up, now);
	}
	l->filled[REQ_LEFT] = (uint32_t)now;
	return token;
}

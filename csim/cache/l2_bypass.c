/* The slice with L2 disabled: requests go straight to the channel, by tokens of their own. */
#include "cache/l2_impl.h"

/* The bytes that a request wants. Its mask says them, but for a read of the whole line or one without a mask. */
static void wanted(const struct l2 *l, const struct mem_req *r, uint64_t mask[2])
{
	uint32_t from = (uint32_t)r->addr & (l->line_bytes - 1);

	mask[0] = r->mask[0];
	mask[1] = r->mask[1];
	if (r->kind != REQ_READ || ((mask[0] | mask[1]) && r->bytes < l->line_bytes))
		return;
	if (r->bytes >= l->line_bytes)
		from = 0;
	mask[0] = mask[1] = 0;
	for (uint32_t b = from; b < from + r->bytes && b < l->line_bytes; b++)
		mask[b / 64] |= UINT64_C(1) << b % 64;
}

static struct dram_req part(const struct l2 *l, const struct mem_req *r, bool write, uint64_t now)
{
	uint64_t local = route_place(&l->route, now / l->period, r->addr, r->mode).channel_local, mask[2];
	struct dram_req q = {.local = local & ~((uint64_t)l->line_bytes - 1), .write = write};
	bool whole;

	wanted(l, r, mask);
	q.bursts = l2_bursts(l, mask, &whole);
	q.whole = write && whole;
	return q;
}

enum l2_stall l2_pass(struct l2 *l, const struct mem_req *r, uint64_t now)
{
	struct dram_req q = part(l, r, r->kind == REQ_WRITE, now);

	if (!q.write && !l->n_free_token)
		return L2_STALL_ENTRY;
	if (!l2_down_room(l, 1, now))
		return L2_STALL_DOWN;
	if (q.write && !l2_reply_room(l, now))
		return L2_STALL_REPLY;
	l->stats.reads += r->kind == REQ_READ;
	l->stats.writes += r->kind == REQ_WRITE;
	l->stats.atomics += req_is_atomic(r);
	l->stats.bypasses++;
	if (q.write) {
		l2_reply(l, r, now);
	} else {
		q.token = l->free_token[--l->n_free_token];
		l2_wait(l, q.token, r, now);
	}
	l2_send_down(l, &q, now);
	return L2_STALL_NONE;
}

bool l2_pass_answer(struct l2 *l, uint64_t now)
{
	const struct mem_req *r = &l->waiting[l->answering];

	if (!l2_reply_room(l, now) || (req_is_atomic(r) && !l2_down_room(l, 1, now)))
		return false;
	if (req_is_atomic(r)) {
		struct dram_req q = part(l, r, true, now);

		l->busy_until = now + (uint64_t)l2_atomic_cycles(r) * l->period;
		l2_send_down(l, &q, now);
	}
	l2_reply(l, r, now);
	l->free_token[l->n_free_token++] = l->answering;
	l->answering = L2_NOBODY;
	return true;
}

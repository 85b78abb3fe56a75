#include "cache/l2/memory_port.h"

void memory_port_init(struct memory_port *m, struct arena *a, const struct machine *machine, const struct route *route,
		      struct mem_req_queue *in, struct net_link out, struct channel_link *to)
{
	uint32_t tokens = to->down.ring.cap + machine->dram.queue;

	*m = (struct memory_port){
		.route = *route,
		.to = to,
		.line_bytes = machine->l2.c.line,
		.burst_bytes = machine->dram.burst_bytes,
		.waiting = arena_array(a, tokens, sizeof *m->waiting),
		.free_token = arena_array(a, tokens, sizeof *m->free_token),
	};
	l2_pipe_init(&m->pipe, a, machine, in, out, 0);
	while (m->n_free_token < tokens) {
		m->free_token[m->n_free_token] = tokens - 1 - m->n_free_token;
		m->n_free_token++;
	}
}

/* The bytes that a request wants. Its mask says them, but for a read of the whole line or one without a mask. */
static void wanted(const struct memory_port *m, const struct mem_req *r, uint64_t mask[2])
{
	uint32_t from = (uint32_t)r->addr & (m->line_bytes - 1);

	mask[0] = r->mask[0];
	mask[1] = r->mask[1];
	if (r->kind != REQ_READ || ((mask[0] | mask[1]) && r->bytes < m->line_bytes))
		return;
	if (r->bytes >= m->line_bytes)
		from = 0;
	mask[0] = mask[1] = 0;
	for (uint32_t b = from; b < from + r->bytes && b < m->line_bytes; b++)
		mask[b / 64] |= UINT64_C(1) << b % 64;
}

static struct dram_req part(const struct memory_port *m, const struct mem_req *r, bool write, struct ticks now)
{
	uint64_t local = route_location(&m->route, cycles_in(now, m->pipe.period), r->addr, r->mode).channel_local, mask[2];
	struct dram_req q = {.local = local & ~((uint64_t)m->line_bytes - 1), .write = write};
	bool whole;

	wanted(m, r, mask);
	q.bursts = channel_link_bursts(m->line_bytes, m->burst_bytes, mask, &whole);
	q.whole = write && whole;
	return q;
}

static enum l2_stall pass(struct memory_port *m, const struct mem_req *r, struct ticks now)
{
	struct l2_pipe *p = &m->pipe;
	struct dram_req q = part(m, r, r->kind == REQ_WRITE, now);

	if (!q.write && !m->n_free_token)
		return L2_STALL_ENTRY;
	if (!l2_pipe_room_below(p, &m->to->down.ring, 1, now))
		return L2_STALL_DOWN;
	if (q.write && !l2_pipe_reply_room(p, now))
		return L2_STALL_REPLY;
	l2_pipe_count(p, r);
	p->stats.bypasses++;
	if (q.write) {
		l2_pipe_reply(p, r, REQ_NOT_SOUGHT, now);
	} else {
		q.token = m->free_token[--m->n_free_token];
		m->waiting[q.token] = *r;
		m->waiting[q.token].found = REQ_PAST;
		m->waiting[q.token].at[REQ_LOOKED_UP] = stamp_of(now);
	}
	channel_link_send(m->to, &q, now);
	return L2_STALL_NONE;
}

/* false: there is no room, in the reply network or, for an atomic's write, on the way down. */
static bool answer(struct memory_port *m, struct ticks now)
{
	struct l2_pipe *p = &m->pipe;
	const struct mem_req *r = &m->waiting[p->answering];

	if (!l2_pipe_reply_room(p, now) || (req_is_atomic(r) && !l2_pipe_room_below(p, &m->to->down.ring, 1, now)))
		return false;
	if (req_is_atomic(r)) {
		struct dram_req q = part(m, r, true, now);

		l2_pipe_hold(p, l2_pipe_atomic_cycles(p, r), now);
		channel_link_send(m->to, &q, now);
	}
	l2_pipe_reply(p, r, r->found, now);
	m->free_token[m->n_free_token++] = p->answering;
	p->answering = L2_NOBODY;
	return true;
}

static void serve(struct memory_port *m, struct ticks now)
{
	struct l2_pipe *p = &m->pipe;

	if (p->answering == L2_NOBODY) {
		p->answering = channel_link_take(m->to, p->filled, now);
		p->filled[REQ_LEFT] = stamp_of(now);
	}
	p->blocked = !answer(m, now);
}

struct ticks memory_port_step(struct memory_port *m, struct ticks now)
{
	struct l2_pipe *p = &m->pipe;
	enum l2_turn turn;

	if (!ticks_is_edge(now, p->period))
		return ticks_edge(now, p->period);
	l2_pipe_begin(p, now);
	l2_pipe_take_in(p, now);
	turn = l2_pipe_turn(p, queue_next_arrival(&m->to->up), now);
	if (turn == L2_TURN_ANSWER)
		serve(m, now);
	else if (turn == L2_TURN_LOOKUP)
		l2_pipe_looked_up(p, pass(m, l2_pipe_request(p), now));
	return l2_pipe_next(p, turn, queue_next_arrival(&m->to->up), now);
}

#include "cache/l2/l2_pipe.h"

#include "base/ring.h"

void l2_pipe_init(struct l2_pipe *p, struct arena *a, const struct machine *m, struct mem_req_queue *in, struct net_link out,
		  uint32_t delay)
{
	*p = (struct l2_pipe){
		.period = m->clock.period[CLOCK_L2],
		.delay = ticks_of(delay, m->clock.period[CLOCK_L2]),
		.in = in,
		.out = out,
		.cap = m->l2.latency,
		.mask = (uint32_t)ring_slots(m->l2.latency) - 1,
		.answering = L2_NOBODY,
		.retry = TIME_NEVER,
		.atomic_bytes = m->l2.atomic_bytes,
	};
	p->stage = arena_array(a, (size_t)p->mask + 1, sizeof *p->stage);
}

bool l2_pipe_room_below(struct l2_pipe *p, const struct queue_ring *down, uint32_t n, struct ticks now)
{
	struct ticks when = TIME_NEVER;

	if (queue_ring_has_space_for(down, n, now, &when))
		return true;
	/* Whoever takes from a full queue wakes the pipe. One that has room, but not for n, is looked at again. */
	if (ticks_is_never(when) && !queue_ring_is_full(down))
		when = ticks_after(now, 1, p->period);
	p->retry = ticks_earlier(p->retry, when);
	return false;
}

void l2_pipe_send_coalesced(struct l2_pipe *p, struct ticks now)
{
	struct ticks when = TIME_NEVER;

	p->stats.answered += l2_coalescer_send(p->coalescer, &p->out, now, &when);
	if (l2_coalescer_answers(p->coalescer))
		p->retry = ticks_earlier(p->retry, when);
}

bool l2_pipe_reply_room(struct l2_pipe *p, struct ticks now)
{
	struct ticks when = TIME_NEVER;

	/* Then p->retry is when these go on. */
	if (__builtin_expect(p->coalescer != NULL, 0) && l2_coalescer_answers(p->coalescer))
		return false;
	if (net_can_send(&p->out, now, &when))
		return true;
	p->retry = ticks_earlier(p->retry, when);
	return false;
}

void l2_pipe_reply(struct l2_pipe *p, const struct mem_req *r, enum req_found found, struct ticks now)
{
	struct mem_req *reply = net_push(&p->out, now);

	*reply = *r;
	reply->found = found;
	if (p->answering == L2_NOBODY)
		for (unsigned i = REQ_LOOKED_UP; i < REQ_STAMPS; i++)
			reply->at[i] = stamp_of(now);
	else /* it may have been looked up when its line was on its way */
		for (unsigned i = REQ_AT_DRAM; i < REQ_STAMPS; i++)
			reply->at[i] = stamp_later(p->filled[i], r->at[REQ_LOOKED_UP]);
	if (__builtin_expect(r->client == REQ_CLIENT_SYNC, 0))
		sync_perform(p->sync, r, now);
	if (__builtin_expect(p->port_bytes != 0, 0) && r->bytes)
		l2_pipe_hold(p, (r->bytes + p->port_bytes - 1) / p->port_bytes, now);
	p->stats.answered++;
	if (__builtin_expect(p->coalescer != NULL, 0) && r->kind == REQ_READ) {
		l2_coalescer_answer(p->coalescer, reply);
		l2_pipe_send_coalesced(p, now);
	}
}

static const struct l2_stage *last(const struct l2_pipe *p)
{
	return p->head == p->tail ? NULL : &p->stage[p->head & p->mask];
}

static bool is_full(const struct l2_pipe *p)
{
	return p->tail - p->head == p->cap;
}

static void enter(struct l2_pipe *p, const struct mem_req *r, struct ticks now)
{
	struct l2_stage *s = &p->stage[p->tail++ & p->mask];

	s->r = *r;
	s->r.at[REQ_AT_L2] = stamp_of(now);
	s->ready = ticks_add(now, p->delay);
	if (__builtin_expect(p->coalescer != NULL, 0))
		l2_coalescer_pass(p->coalescer, &s->r);
}

void l2_pipe_take_in(struct l2_pipe *p, struct ticks now)
{
	const struct mem_req *r = queue_front(p->in, now);

	if (!r)
		return;
	if (__builtin_expect(p->coalescer == NULL, 1) || !l2_coalescer_join(p->coalescer, r, now)) {
		if (is_full(p))
			return;
		enter(p, r, now);
	}
	p->stats.accepted++;
	queue_pop(p->in, now);
}

/* Whether what is at the front of the queue, or comes there next, is looked at: a full pipe takes in nothing but what a
 * coalescer does. */
static bool looks_at_front(const struct l2_pipe *p, struct ticks now)
{
	const struct mem_req *r;

	if (!is_full(p))
		return true;
	if (__builtin_expect(p->coalescer == NULL, 1))
		return false;
	r = queue_front(p->in, now);
	return !r || l2_coalescer_can_join(p->coalescer, r);
}

static enum l2_stall wait_for_port(enum l2_stall before, bool ready)
{
	return !ready ? L2_STALL_NONE : before ? before : L2_STALL_PORT;
}

/* Sets why the request at the end of the pipe, if there is one, does not go on, but where a lookup will say so. What it
 * waited for it goes on to wait for while the port does something else, however often the pipe is looked at. */
enum l2_turn l2_pipe_turn(struct l2_pipe *p, struct ticks arrival, struct ticks now)
{
	const struct l2_stage *s = last(p);
	bool ready = s && ticks_by(s->ready, now);
	enum l2_stall before = p->why;

	p->why = L2_STALL_NONE;
	p->blocked = false;
	p->since = now;
	if (ticks_before(now, p->busy_until)) {
		p->why = wait_for_port(before, ready);
		return L2_TURN_NONE;
	}
	if (p->answering != L2_NOBODY || ticks_by(arrival, now)) {
		p->why = wait_for_port(before, ready);
		return L2_TURN_ANSWER;
	}
	p->stuck = p->stuck && ticks_before(now, p->stuck_until);
	if (ready && p->stuck)
		p->why = before;
	return ready && !p->stuck ? L2_TURN_LOOKUP : L2_TURN_NONE;
}

static struct ticks next_turn(const struct l2_pipe *p, enum l2_turn turn, struct ticks arrival, struct ticks now)
{
	struct ticks next = p->retry, free = ticks_later(ticks_after(now, 1, p->period), p->busy_until);
	const struct l2_stage *s = last(p);

	if (p->answering != L2_NOBODY)
		return p->blocked ? next : free;
	if (!ticks_is_never(arrival))
		next = ticks_earlier(next, ticks_later(arrival, free));
	if (!s)
		return next;
	if (p->stuck)
		return ticks_earlier(next, ticks_later(p->stuck_until, free));
	if (ticks_before(now, s->ready))
		return ticks_earlier(next, ticks_later(s->ready, free));
	return turn != L2_TURN_LOOKUP || p->why == L2_STALL_NONE || p->why == L2_STALL_PORT ? ticks_earlier(next, free) : next;
}

struct ticks l2_pipe_next(const struct l2_pipe *p, enum l2_turn turn, struct ticks arrival, struct ticks now)
{
	struct ticks next = next_turn(p, turn, arrival, now), in = queue_next_arrival(p->in);

	if (!ticks_is_never(in) && looks_at_front(p, now))
		next = ticks_earlier(next, ticks_before(now, in) ? in : ticks_after(now, 1, p->period));
	return ticks_edge(next, p->period);
}

void l2_pipe_finish(struct l2_pipe *p, struct ticks now)
{
	l2_pipe_count_wait(p, now);
	p->why = L2_STALL_NONE;
	p->since = now;
}

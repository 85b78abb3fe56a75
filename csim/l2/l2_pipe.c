#include "l2/l2_pipe.h"

void l2_pipe_init(struct l2_pipe *p, struct arena *a, const struct machine *m, struct mem_req_queue *in, struct net_link out,
		  uint32_t delay)
{
	*p = (struct l2_pipe){
		.period = m->clock.period[CLOCK_L2],
		.delay = (uint64_t)delay * m->clock.period[CLOCK_L2],
		.in = in,
		.out = out,
		.cap = m->l2.latency,
		.answering = L2_NOBODY,
		.retry = TIME_NEVER,
	};
	p->stage = arena_array(a, p->cap, sizeof *p->stage);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool l2_pipe_room_below(struct l2_pipe *p, const struct queue_ring *down, uint32_t n, uint64_t now)
{
	uint64_t when = TIME_NEVER;

	if (queue_ring_has_space_for(down, n, now, &when))
		return true;
	/* Whoever takes from a full queue wakes the pipe. One that has room, but not for n, is looked at again. */
	if (when == TIME_NEVER && queue_ring_count(down) < down->cap)
		when = now + p->period;
	p->retry = earlier(p->retry, when);
	return false;
}

bool l2_pipe_reply_room(struct l2_pipe *p, uint64_t now)
{
	uint64_t when = TIME_NEVER;

	if (net_can_send(&p->out, now, &when))
		return true;
	p->retry = earlier(p->retry, when);
	return false;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return (b - a) >> 31 ? a : b;
}

void l2_pipe_reply(struct l2_pipe *p, const struct mem_req *r, uint64_t now)
{
	struct mem_req reply = *r;

	if (p->answering == L2_NOBODY)
		for (unsigned i = REQ_LOOKED_UP; i < REQ_STAMPS; i++)
			reply.at[i] = (uint32_t)now;
	else /* it may have been looked up when its line was on its way */
		for (unsigned i = REQ_AT_DRAM; i < REQ_STAMPS; i++)
			reply.at[i] = later(p->filled[i], r->at[REQ_LOOKED_UP]);
	p->stats.answered++;
	net_send(&p->out, now, &reply);
}

static const struct l2_stage *last(const struct l2_pipe *p)
{
	return p->head == p->tail ? NULL : &p->stage[p->head % p->cap];
}

static bool is_full(const struct l2_pipe *p)
{
	return p->tail - p->head == p->cap;
}

void l2_pipe_take_in(struct l2_pipe *p, uint64_t now)
{
	const struct mem_req *r = queue_front(p->in, now);
	struct l2_stage *s = &p->stage[p->tail % p->cap];

	if (!r || is_full(p))
		return;
	s->r = *r;
	s->r.at[REQ_AT_L2] = (uint32_t)now;
	s->ready = now + p->delay;
	p->tail++;
	p->stats.accepted++;
	queue_pop(p->in, now);
}

/* Sets why the request at the end of the pipe, if there is one, does not go on, but where a lookup will say so. */
enum l2_turn l2_pipe_turn(struct l2_pipe *p, uint64_t arrival, uint64_t now)
{
	const struct l2_stage *s = last(p);
	bool ready = s && s->ready <= now;
	enum l2_stall before = p->why;

	p->why = L2_STALL_NONE;
	p->blocked = false;
	p->since = now;
	if (now < p->busy_until) {
		p->why = ready ? L2_STALL_PORT : L2_STALL_NONE;
		return L2_TURN_NONE;
	}
	if (p->answering != L2_NOBODY || arrival <= now) {
		p->why = !ready ? L2_STALL_NONE : before ? before : L2_STALL_PORT;
		return L2_TURN_ANSWER;
	}
	p->stuck &= now < p->stuck_until;
	if (ready && p->stuck)
		p->why = before;
	return ready && !p->stuck ? L2_TURN_LOOKUP : L2_TURN_NONE;
}

static uint64_t next_turn(const struct l2_pipe *p, enum l2_turn turn, uint64_t arrival, uint64_t now)
{
	uint64_t next = p->retry, free = now + p->period;
	const struct l2_stage *s = last(p);

	if (p->busy_until > free)
		free = p->busy_until;
	if (p->answering != L2_NOBODY)
		return p->blocked ? next : free;
	if (arrival != TIME_NEVER)
		next = earlier(next, arrival > free ? arrival : free);
	if (!s)
		return next;
	if (p->stuck)
		return earlier(next, p->stuck_until);
	if (s->ready > now)
		return earlier(next, s->ready > free ? s->ready : free);
	return p->why == L2_STALL_NONE || p->why == L2_STALL_PORT || turn == L2_TURN_ANSWER ? earlier(next, free) : next;
}

uint64_t l2_pipe_next(const struct l2_pipe *p, enum l2_turn turn, uint64_t arrival, uint64_t now)
{
	uint64_t next = next_turn(p, turn, arrival, now), in = queue_next_arrival(p->in);

	if (in != TIME_NEVER && !is_full(p))
		next = earlier(next, in > now ? in : now + p->period);
	return l2_pipe_edge(p, next);
}

void l2_pipe_finish(struct l2_pipe *p, uint64_t now)
{
	if (p->why)
		p->stats.stall[p->why] += (now - p->since + p->period - 1) / p->period;
	p->why = L2_STALL_NONE;
}

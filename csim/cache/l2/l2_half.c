#include "cache/l2/l2_half.h"

#include "cache/l2/l2_impl.h"

/* As many as are on their way there, and their credits on their way back, when one is sent each cycle. */
static uint32_t room(const struct machine *m)
{
	uint32_t period = m->clock.period[CLOCK_L2];

	return 2 * (uint32_t)cycles_up(ticks_of(m->l2.far_latency, m->clock.period[CLOCK_CORE]), period) + m->l2.in_queue;
}

void l2_half_init(struct l2_half *h, struct arena *a, const struct machine *m)
{
	struct ticks delay = ticks_of(m->l2.far_latency, m->clock.period[CLOCK_CORE]);

	*h = (struct l2_half){.most = m->l2.c.mshr_entries / 2, .delay = delay};
	queue_init(&h->asked, a, room(m), delay);
	queue_init(&h->came, a, room(m), delay);
	queue_init(&h->notices_in, a, room(m), delay);
}

void l2_half_join(struct l2_half *h, struct l2_half *pair, struct arena *a, const struct machine *m, struct queue_end slice,
		  struct queue_end pair_slice)
{
	uint64_t period = m->clock.period[CLOCK_L2];

	h->to_pair = (struct net_link){&pair->asked, period, h->delay};
	h->notices_out = &pair->notices_in;
	l2_pipe_init(&h->pipe, a, m, &h->asked, (struct net_link){&pair->came, period, h->delay}, 0);
	queue_ring_join(&h->asked.ring, pair_slice, slice);
	queue_ring_join(&h->came.ring, pair_slice, slice);
	queue_ring_join(&h->notices_in.ring, pair_slice, slice);
}

/* ---- copies, and who may change lines ---- */

static void drop_copy(struct l2 *l, uint64_t line, struct ticks now)
{
	uint32_t set = tags_set(&l->tags, cycles_in(now, l->pipe.period), line), slot;

	if (tags_probe(&l->tags, set, line, &slot) != TAGS_HIT)
		return;
	tags_drop(&l->tags, slot);
	l->half->counts.dropped++;
}

static void take_notices(struct l2 *l, struct ticks now)
{
	const struct l2_notice *n;

	while ((n = queue_front(&l->half->notices_in, now))) {
		drop_copy(l, n->line | L2_FAR, now);
		l2_close_entries(l, n->addr);
		queue_pop(&l->half->notices_in, now);
	}
}

enum l2_stall l2_pass_on(struct l2 *l, const struct mem_req *r, uint64_t line, struct ticks now)
{
	struct l2_half *h = l->half;

	if (!l2_pipe_room_below(l2_pipe_served(l), &h->to_pair.q->ring, 1, now))
		return L2_STALL_DOWN;
	net_send(&h->to_pair, now, r);
	drop_copy(l, line, now);
	h->counts.passed_on++;
	return L2_STALL_NONE;
}

bool l2_can_notify(struct l2 *l, struct ticks now)
{
	return l->half->serving || l2_pipe_room_below(l2_pipe_served(l), &l->half->notices_out->ring, 1, now);
}

/* What came from the pair has no copy there any more. */
void l2_notify(struct l2 *l, const struct mem_req *r, uint64_t line, struct ticks now)
{
	struct l2_half *h = l->half;

	if (h->serving)
		l2_close_entries(l, r->addr);
	else
		*queue_push(h->notices_out, ticks_add(now, h->delay)) = (struct l2_notice){line, r->addr};
}

bool l2_copy_has_a_way(const struct l2 *l, uint32_t slot)
{
	uint32_t first = slot / l->tags.stride * l->tags.stride, reserved = 0;

	for (uint32_t s = first; s < first + l->tags.ways; s++)
		reserved += tags_state(&l->tags, s) == TAGS_RESERVED;
	return reserved + 1 < l->tags.ways;
}

/* ---- a step: one data port for both pipes ---- */

/* A line that has come may be for requests of both pipes, whose replies have the same stamps. */
static void answer(struct l2 *l, struct ticks now)
{
	struct l2_pipe *f = &l->half->pipe;
	const struct mem_req *from_pair = queue_front(&l->half->came, now);
	enum req_found found = from_pair ? from_pair->found : REQ_NOT_SOUGHT;
	bool fills = l->pipe.answering == L2_NOBODY;

	l2_take_fill(l, now);
	if (fills && l2_is_far(l->mshr.line[l->pipe.answering]))
		l2_other_half_had(l, l->pipe.answering, found);
	f->answering = l->pipe.answering;
	for (unsigned i = 0; i < REQ_STAMPS; i++)
		f->filled[i] = l->pipe.filled[i];
	l->pipe.blocked = !l2_answer(l, now);
	f->answering = L2_NOBODY;
}

/* The pair's next request; whether it had the port. */
static bool look_up_for_pair(struct l2 *l, enum l2_turn turn, struct ticks now)
{
	struct l2_half *h = l->half;
	const struct mem_req *r = l2_pipe_request(&h->pipe);
	enum l2_stall why;

	if (turn != L2_TURN_LOOKUP)
		return false;
	h->serving = true;
	why = l2_lookup(l, r, now);
	h->serving = false;
	h->counts.taken_over += why == L2_STALL_NONE && r->kind != REQ_READ;
	l2_pipe_looked_up(&h->pipe, why);
	return why == L2_STALL_NONE;
}

static void look_up(struct l2 *l, enum l2_turn for_pair, enum l2_turn for_sms, struct ticks now)
{
	bool taken = look_up_for_pair(l, for_pair, now);

	if (for_sms == L2_TURN_LOOKUP)
		l2_pipe_looked_up(&l->pipe, taken ? L2_STALL_PORT : l2_lookup(l, l2_pipe_request(&l->pipe), now));
}

struct ticks l2_half_step(struct l2 *l, struct ticks now)
{
	struct l2_pipe *p = &l->pipe, *f = &l->half->pipe;
	struct ticks arrival, next;
	enum l2_turn turn, far;

	l2_pipe_begin(p, now);
	l2_pipe_begin(f, now);
	take_notices(l, now);
	turn = l2_pipe_turn(p, l2_lower_arrival(l->lower), now);
	f->busy_until = turn == L2_TURN_ANSWER ? ticks_after(now, 1, p->period) : p->busy_until;
	far = l2_pipe_turn(f, TIME_NEVER, now);
	if (turn == L2_TURN_ANSWER)
		answer(l, now);
	else
		look_up(l, far, turn, now);
	p->busy_until = ticks_later(p->busy_until, f->busy_until);
	l2_pipe_take_in(p, now);
	l2_pipe_take_in(f, now);
	arrival = l2_lower_arrival(l->lower);
	next = ticks_earlier(l2_pipe_next(p, turn, arrival, now), l2_pipe_next(f, far, TIME_NEVER, now));
	return ticks_earlier(next, ticks_edge(queue_next_arrival(&l->half->notices_in), p->period));
}

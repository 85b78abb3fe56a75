#include "cache/l2_impl.h"

static uint32_t cycles_of(uint64_t ticks, uint32_t period)
{
	return (uint32_t)((ticks + period - 1) / period);
}

static void init_waiting(struct l2 *l, struct arena *a, const struct machine *m)
{
	if (l->enabled) {
		l->tokens = m->l2.c.mshr_entries * m->l2.c.mshr_merges;
	} else {
		l->tokens = l->down.ring.cap + m->dram.queue;
		l->free_token = arena_array(a, l->tokens, sizeof *l->free_token);
		for (uint32_t i = 0; i < l->tokens; i++)
			l->free_token[l->n_free_token++] = l->tokens - 1 - i;
	}
	l->waiting = arena_array(a, l->tokens, sizeof *l->waiting);
}

static void init_way_down(struct l2 *l, struct arena *a, const struct machine *m)
{
	l->down_ticks = (uint64_t)m->dram.latency * m->clock.period[CLOCK_CORE];
	queue_init(&l->down, a, m->l2.c.miss_queue + 1 + cycles_of(l->down_ticks, l->period), l->period);
	queue_init(&l->up, a, m->dram.queue, l->period);
}

static void init_at_sms(struct l2 *l, struct arena *a, const struct l2_shape *s)
{
	l->below = s->below;
	l->replies = s->replies;
	l->requester = s->requester;
	l->mode = arena_array(a, tags_slots(&l->tags), sizeof *l->mode);
	queue_init(&l->flush, a, MACHINE_MAX_SMS, l->period); /* a program has an SM at least */
	queue_init(&l->flushed, a, MACHINE_MAX_SMS, l->period);
}

void l2_init(struct l2 *l, struct arena *a, const struct machine *m, const struct l2_shape *s)
{
	*l = (struct l2){
		.period = m->clock.period[CLOCK_L2],
		.place = s->place,
		.slice = s->slice,
		.slices = s->slices,
		.line_bytes = m->l2.c.line,
		.burst_bytes = m->dram.burst_bytes,
		.write_allocate = m->l2.write_allocate,
		.enabled = m->l2.enabled && s->place != L2_PORT,
		.in = s->in,
		.out = s->out,
		.pipe_cap = m->l2.latency,
		.answering = L2_NOBODY,
		.retry = TIME_NEVER,
		.buffers = s->buffers,
	};
	l->route = s->route;
	l->pipe_ticks = l->enabled ? (uint64_t)m->l2.latency * l->period : 0;
	if (s->place != L2_AT_SMS)
		init_way_down(l, a, m);
	l->pipe = arena_array(a, l->pipe_cap, sizeof *l->pipe);
	if (l->enabled) {
		tags_init(&l->tags, a, machine_cache_sets(&m->l2.c), m->l2.c.assoc, m->l2.c.line, s->pric);
		mshr_init(&l->mshr, a, m->l2.c.mshr_entries, m->l2.c.mshr_merges);
		l->entry_slot = arena_array(a, m->l2.c.mshr_entries, sizeof *l->entry_slot);
	}
	if (s->place == L2_AT_SMS)
		init_at_sms(l, a, s);
	init_waiting(l, a, m);
	l->buffer = arena_array(a, l->buffers + 1, sizeof *l->buffer);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool l2_reply_room(struct l2 *l, uint64_t now)
{
	uint64_t when = TIME_NEVER;

	if (net_can_send(&l->out, now, &when))
		return true;
	l->retry = earlier(l->retry, when);
	return false;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return (b - a) >> 31 ? a : b;
}

void l2_reply(struct l2 *l, const struct mem_req *r, uint64_t now)
{
	struct mem_req reply = *r;

	if (l->answering == L2_NOBODY)
		for (unsigned i = REQ_LOOKED_UP; i < REQ_STAMPS; i++)
			reply.at[i] = (uint32_t)now;
	else /* it may have been looked up when its line was on its way */
		for (unsigned i = REQ_AT_DRAM; i < REQ_STAMPS; i++)
			reply.at[i] = later(l->filled[i], r->at[REQ_LOOKED_UP]);
	l->stats.answered++;
	net_send(&l->out, now, &reply);
}

static struct l2_pipe *head(const struct l2 *l)
{
	return l->pipe_head == l->pipe_tail ? NULL : &l->pipe[l->pipe_head % l->pipe_cap];
}

static bool pipe_full(const struct l2 *l)
{
	return l->pipe_tail - l->pipe_head == l->pipe_cap;
}

static void take_in(struct l2 *l, uint64_t now)
{
	const struct mem_req *r = queue_front(l->in, now);
	struct l2_pipe *p = &l->pipe[l->pipe_tail % l->pipe_cap];

	if (!r || pipe_full(l))
		return;
	p->r = *r;
	p->r.at[REQ_AT_L2] = (uint32_t)now;
	p->ready = now + l->pipe_ticks;
	l->pipe_tail++;
	l->stats.accepted++;
	queue_pop(l->in, now);
}

static bool fill_waits(const struct l2 *l, uint64_t now)
{
	return l->answering != L2_NOBODY || l2_up_arrival(l) <= now;
}

/* The port works for a line that has come. */
static void serve_fill(struct l2 *l, uint64_t now)
{
	if (l->answering == L2_NOBODY) {
		l->answering = l2_take_up(l, now);
		l->answered = 0;
		if (l->enabled)
			l2_fill(l, l->answering);
	}
	l->blocked = l->enabled ? !l2_answer(l, now) : !l2_pass_answer(l, now);
}

/* One cycle of the port; sets why the request at the end of the pipe, if there is one, did not go on. */
static void use_port(struct l2 *l, uint64_t now)
{
	const struct l2_pipe *p = head(l);
	bool ready = p && p->ready <= now;
	enum l2_stall before = l->why;

	l->why = L2_STALL_NONE;
	l->blocked = false;
	if (now < l->busy_until) {
		l->why = ready ? L2_STALL_PORT : L2_STALL_NONE;
	} else if (fill_waits(l, now)) {
		serve_fill(l, now);
		l->why = !ready ? L2_STALL_NONE : before ? before : L2_STALL_PORT;
	} else if (ready && l->stuck) {
		l->why = before;
	} else if (ready) {
		l->why = l->enabled ? l2_lookup(l, &p->r, now) : l2_pass(l, &p->r, now);
		l->pipe_head += l->why == L2_STALL_NONE;
	}
	l->since = now;
}

/* The next tick at which the port can do something that it knows of now. */
static uint64_t next_port_use(const struct l2 *l, uint64_t now, bool filled)
{
	uint64_t next = l->retry, free = now + l->period;
	const struct l2_pipe *p = head(l);

	if (l->busy_until > free)
		free = l->busy_until;
	if (l->answering != L2_NOBODY)
		return l->blocked ? next : free;
	if (l2_up_arrival(l) != TIME_NEVER)
		next = earlier(next, l2_up_arrival(l) > free ? l2_up_arrival(l) : free);
	if (!p || l->stuck)
		return next;
	if (p->ready > now)
		return earlier(next, p->ready > free ? p->ready : free);
	return l->why == L2_STALL_NONE || l->why == L2_STALL_PORT || filled ? earlier(next, free) : next;
}

void l2_finish(struct l2 *l, uint64_t now)
{
	if (l->why)
		l->stats.stall[l->why] += (now - l->since + l->period - 1) / l->period;
	l->why = L2_STALL_NONE;
}

uint64_t l2_step(struct l2 *l, uint64_t now)
{
	uint64_t next;
	bool filled;

	if (now % l->period)
		return now - now % l->period + l->period;
	if (l->why)
		l->stats.stall[l->why] += (now - l->since) / l->period;
	l->retry = TIME_NEVER;
	if (l->place == L2_AT_SMS)
		l2_take_acknowledgements(l, now);
	filled = now >= l->busy_until && fill_waits(l, now);
	if (!l->enabled)
		take_in(l, now);
	use_port(l, now);
	if (l->enabled)
		take_in(l, now);
	next = next_port_use(l, now, filled);
	if (l->place == L2_AT_SMS)
		next = earlier(next, l2_flush_step(l, now));
	if (queue_next_arrival(l->in) != TIME_NEVER && !pipe_full(l))
		next = earlier(next, queue_next_arrival(l->in) > now ? queue_next_arrival(l->in) : now + l->period);
	return next % l->period && next != TIME_NEVER ? next - next % l->period + l->period : next;
}

uint64_t l2_dirty_lines(const struct l2 *l)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		n += tags_state(&l->tags, s) == TAGS_DIRTY;
	return n;
}

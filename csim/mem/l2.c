#include "mem/l2_impl.h"

static uint32_t cycles_of(uint64_t ticks, uint32_t period)
{
	return (uint32_t)((ticks + period - 1) / period);
}

static void init_waiting(struct l2 *l, struct arena *a, const struct machine *m)
{
	if (l->enabled) {
		l->tokens = m->l2.c.mshr_entries * m->l2.c.mshr_merges;
	} else {
		l->tokens = l->down.cap + m->dram.queue;
		l->free_token = arena_array(a, l->tokens, sizeof *l->free_token);
		for (uint32_t i = 0; i < l->tokens; i++)
			l->free_token[l->n_free_token++] = l->tokens - 1 - i;
	}
	l->waiting = arena_array(a, l->tokens, sizeof *l->waiting);
}

void l2_init(struct l2 *l, struct arena *a, const struct machine *m, uint32_t slice, struct queue *in, struct net_link out,
	     const struct pric_port *pric, uint32_t buffers)
{
	*l = (struct l2){
		.period = m->clock.period[CLOCK_L2],
		.slice = slice,
		.line_bytes = m->l2.c.line,
		.burst_bytes = m->dram.burst_bytes,
		.write_allocate = m->l2.write_allocate,
		.enabled = m->l2.enabled,
		.in = in,
		.out = out,
		.pipe_cap = m->l2.latency,
		.answering = L2_NOBODY,
		.retry = TIME_NEVER,
		.buffers = buffers,
	};
	addrmap_init(&l->map, m);
	l->pipe_ticks = l->enabled ? (uint64_t)m->l2.latency * l->period : 0;
	l->down_ticks = (uint64_t)m->dram.latency * m->clock.period[CLOCK_CORE];
	queue_init(&l->down, a, m->l2.c.miss_queue + 1 + cycles_of(l->down_ticks, l->period), sizeof(struct dram_req), l->period);
	queue_init(&l->up, a, m->dram.queue, sizeof(struct dram_done), l->period);
	l->pipe = arena_array(a, l->pipe_cap, sizeof *l->pipe);
	tags_init(&l->tags, a, machine_cache_sets(&m->l2.c), m->l2.c.assoc, m->l2.c.line, pric);
	mshr_init(&l->mshr, a, m->l2.c.mshr_entries, m->l2.c.mshr_merges);
	l->entry_slot = arena_array(a, m->l2.c.mshr_entries, sizeof *l->entry_slot);
	init_waiting(l, a, m);
	l->buffer = arena_array(a, buffers + 1, sizeof *l->buffer);
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

bool l2_down_room(struct l2 *l, uint32_t n, uint64_t now)
{
	const struct queue *q = &l->down;
	uint64_t when = TIME_NEVER;

	if (queue_has_space_for(q, n, now, &when))
		return true;
	/* Whoever takes from a full queue wakes the slice. One that has room, but not for n, is looked at again. */
	if (when == TIME_NEVER && q->tail - q->head < q->cap)
		when = now + l->period;
	l->retry = earlier(l->retry, when);
	return false;
}

void l2_reply(struct l2 *l, const struct mem_req *r, uint64_t now)
{
	l->stats.answered++;
	net_send(&l->out, now, r);
}

void l2_send_down(struct l2 *l, const struct dram_req *r, uint64_t now)
{
	*(struct dram_req *)queue_push(&l->down, now + l->down_ticks) = *r;
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
	p->ready = now + l->pipe_ticks;
	l->pipe_tail++;
	l->stats.accepted++;
	queue_pop(l->in, now);
}

static bool fill_waits(const struct l2 *l, uint64_t now)
{
	return l->answering != L2_NOBODY || queue_next_arrival(&l->up) <= now;
}

/* The port works for a line that has come. */
static void serve_fill(struct l2 *l, uint64_t now)
{
	if (l->answering == L2_NOBODY) {
		const struct dram_done *done = queue_front(&l->up, now);

		l->answering = done->token;
		l->answered = 0;
		queue_pop(&l->up, now);
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
	uint32_t before = l->why;

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
	if (queue_next_arrival(&l->up) != TIME_NEVER)
		next = earlier(next, queue_next_arrival(&l->up) > free ? queue_next_arrival(&l->up) : free);
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
	filled = now >= l->busy_until && fill_waits(l, now);
	if (!l->enabled)
		take_in(l, now);
	use_port(l, now);
	if (l->enabled)
		take_in(l, now);
	next = next_port_use(l, now, filled);
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

#include "cpu/l3.h"

#include "base/panic.h"

enum { OUT_QUEUE = 64 /* packets a port */ };
enum stuck { STUCK_WAY, STUCK_ENTRY, STUCK_QUEUE };

static const uint64_t whole_line[2] = {UINT64_MAX, UINT64_MAX};

static uint64_t down_cycles(const struct machine *m)
{
	return m->cpu.l3.latency / 2;
}

void cpu_l3_init(struct cpu_l3 *l, struct arena *a, const struct machine *m, struct cpu_l3_memory memory)
{
	uint32_t n = m->cpu.count, line = m->cpu.line, lines = 2 * m->cpu.mshr;
	uint64_t period = m->clock.period[CLOCK_CPU];

	PANIC_UNLESS(n <= CPU_MAX_CORES, "cpu_l3", 0);
	*l = (struct cpu_l3){.cores = n, .memory_line = m->l2.c.line, .period = period, .memory = memory};
	l->line_shift = (uint32_t)__builtin_ctz(line);
	l->up_ticks = ticks_of(m->cpu.l3.latency - down_cycles(m), period);
	l->down = arena_array(a, n, sizeof *l->down);
	l->up = arena_array(a, n, sizeof *l->up);
	for (uint32_t i = 0; i < n; i++) {
		/* A core has cpu.mshr fetches out at most, each with one line written back ahead of it: the queues
		 * never fill. */
		queue_init(&l->down[i], a, lines, ticks_of(1, period));
		queue_init(&l->up[i], a, m->cpu.mshr, ticks_of(1, period));
	}
	tags_init(&l->tags, a, m->cpu.l3.bytes / line / m->cpu.l3.ways, m->cpu.l3.ways, line, NULL);
	mshr_init(&l->mshr, a, m->cpu.l3_mshr, n);
	l->entry_slot = arena_array(a, m->cpu.l3_mshr, sizeof *l->entry_slot);
	l->out = arena_array(a, memory.ports, sizeof *l->out);
	for (uint32_t p = 0; p < memory.ports; p++)
		l->out[p].packet = arena_array(a, OUT_QUEUE, sizeof *l->out[p].packet);
}

struct cpu_wires cpu_l3_wires(struct cpu_l3 *l, uint32_t core, const struct machine *m, struct queue_end l3,
			      struct queue_end of_core)
{
	PANIC_UNLESS(core < l->cores, "cpu_l3", 0);
	queue_ring_join(&l->down[core].ring, of_core, l3);
	queue_ring_join(&l->up[core].ring, l3, of_core);
	return (struct cpu_wires){&l->down[core], &l->up[core], ticks_of(down_cycles(m), l->period)};
}

/* ---- to and from memory ---- */

struct packet {
	struct mem_req r;
	uint32_t port;
};

static struct packet packet(const struct cpu_l3 *l, uint64_t line, enum req_kind kind)
{
	struct packet k = {.r = {.addr = line << l->line_shift,
				 .client = kind == REQ_WRITE ? REQ_CLIENT_NOBODY : REQ_CLIENT_MSHR,
				 .requester = l->memory.requester,
				 .bytes = (uint16_t)(1u << l->line_shift),
				 .kind = kind}};

	k.port = l->memory.route(l->memory.ctx, &k.r);
	if (kind == REQ_WRITE) /* the mask's bits are bytes of memory's line, which may be longer */
		for (uint32_t b = (uint32_t)k.r.addr & (l->memory_line - 1), n = 0; n < k.r.bytes; n++, b++)
			k.r.mask[b / 64] |= UINT64_C(1) << b % 64;
	return k;
}

static bool has_room(const struct cpu_l3 *l, uint32_t port, uint32_t packets)
{
	return l->out[port].tail - l->out[port].head + packets <= OUT_QUEUE;
}

static void enqueue(struct cpu_l3 *l, const struct packet *k)
{
	struct cpu_l3_out *out = &l->out[k->port];

	out->packet[out->tail++ % OUT_QUEUE] = k->r;
	l->stats.write_backs += k->r.kind == REQ_WRITE;
}

/* Returns from when on the port's next packet could go; TIME_NEVER if a wake will come or there is none. */
static struct ticks send(struct cpu_l3 *l, uint32_t port, struct ticks now)
{
	const struct net_link *link = &l->memory.port[port].out;
	struct cpu_l3_out *out = &l->out[port];
	struct ticks when;

	if (out->head == out->tail)
		return TIME_NEVER;
	if (!net_can_send(link, now, &when))
		return when;
	net_send(link, now, &out->packet[out->head++ % OUT_QUEUE]);
	l->stats.sent++;
	l->stuck = 0;
	return out->head == out->tail ? TIME_NEVER : ticks_after(now, 1, l->period);
}

static void answer(struct cpu_l3 *l, struct ticks now, uint32_t core, uint64_t line, uint32_t token)
{
	*queue_push(&l->up[core], ticks_add(now, l->up_ticks)) = (struct cpu_msg){.line = line, .token = token};
	l->stats.answered++;
}

static void take_reply(struct cpu_l3 *l, struct ticks now, const struct mem_req *r)
{
	uint32_t n;
	const struct mshr_waiter *w;
	uint64_t line;

	l->stats.replies++;
	if (r->client == REQ_CLIENT_NOBODY)
		return;
	w = mshr_waiters(&l->mshr, r->token, &n);
	line = l->mshr.line[r->token];
	tags_fill(&l->tags, l->entry_slot[r->token]);
	for (uint32_t i = 0; i < n; i++)
		answer(l, now, w[i].client, line, w[i].token);
	mshr_free(&l->mshr, r->token);
}

static void take_replies(struct cpu_l3 *l, struct ticks now)
{
	const struct mem_req *r;

	for (uint32_t p = 0; p < l->memory.ports; p++)
		while ((r = queue_front(l->memory.port[p].in, now))) {
			take_reply(l, now, r);
			queue_pop(l->memory.port[p].in, now);
			l->stuck = 0;
		}
}

/* ---- lookups ---- */

static bool put_off(struct cpu_l3 *l, enum stuck why)
{
	l->stats.stuck[why]++;
	return false;
}

/* The line in that slot gives way: whether it has to be written to memory, by *back. */
static bool is_dirty(const struct cpu_l3 *l, uint32_t slot, struct packet *back)
{
	if (tags_state(&l->tags, slot) != TAGS_DIRTY)
		return false;
	*back = packet(l, tags_line(&l->tags, slot), REQ_WRITE);
	return true;
}

static bool fetch_miss(struct cpu_l3 *l, uint32_t core, const struct cpu_msg *msg, uint32_t slot)
{
	struct packet ask = packet(l, msg->line, REQ_READ), back;
	bool dirty = is_dirty(l, slot, &back);

	if (!has_room(l, ask.port, dirty && back.port == ask.port ? 2 : 1) || (dirty && !has_room(l, back.port, 1)))
		return put_off(l, STUCK_QUEUE);
	if (mshr_alloc(&l->mshr, msg->line, (struct mshr_waiter){core, msg->token}, &ask.r.token) == MSHR_FAIL_ENTRY)
		return put_off(l, STUCK_ENTRY);
	if (dirty)
		enqueue(l, &back);
	tags_take(&l->tags, slot, msg->line, TAGS_RESERVED);
	l->tags.owner[slot] = ask.r.token;
	l->entry_slot[ask.r.token] = slot;
	enqueue(l, &ask);
	l->stats.misses++;
	return true;
}

static bool fetch(struct cpu_l3 *l, struct ticks now, uint32_t core, const struct cpu_msg *msg)
{
	uint32_t slot;
	bool done = true;

	switch (tags_probe(&l->tags, tags_set(&l->tags, 0, msg->line), msg->line, &slot)) {
	case TAGS_HIT:
		tags_touch(&l->tags, slot);
		answer(l, now, core, msg->line, msg->token);
		l->stats.hits++;
		break;
	case TAGS_HIT_RESERVED:
		PANIC_UNLESS(mshr_merge(&l->mshr, l->tags.owner[slot], (struct mshr_waiter){core, msg->token}) == MSHR_MERGED,
			     "cpu_l3", cycles_in(now, l->period));
		tags_touch(&l->tags, slot);
		l->stats.reserved++;
		break;
	case TAGS_MISS:
		done = fetch_miss(l, core, msg, slot);
		break;
	default:
		return put_off(l, STUCK_WAY);
	}
	l->stats.accesses += done;
	return done;
}

static bool write(struct cpu_l3 *l, const struct cpu_msg *msg)
{
	uint32_t slot;
	struct packet back;
	enum tags_result r = tags_probe(&l->tags, tags_set(&l->tags, 0, msg->line), msg->line, &slot);

	if (r == TAGS_FAIL)
		return put_off(l, STUCK_WAY);
	if (r == TAGS_MISS) {
		bool dirty = is_dirty(l, slot, &back);

		if (dirty && !has_room(l, back.port, 1))
			return put_off(l, STUCK_QUEUE);
		if (dirty)
			enqueue(l, &back);
		tags_take(&l->tags, slot, msg->line, TAGS_VALID);
	}
	tags_touch(&l->tags, slot);
	tags_write(&l->tags, slot, whole_line);
	l->stats.writes++;
	l->stats.write_hits += r != TAGS_MISS;
	return true;
}

static bool flush(struct cpu_l3 *l)
{
	struct packet back;

	for (; l->flush_at < tags_slots(&l->tags); l->flush_at++) {
		if (!is_dirty(l, l->flush_at, &back))
			continue;
		if (!has_room(l, back.port, 1))
			return put_off(l, STUCK_QUEUE);
		enqueue(l, &back);
		tags_clean(&l->tags, l->flush_at);
	}
	l->flush_at = 0;
	return true;
}

static bool serve(struct cpu_l3 *l, struct ticks now, uint32_t core, const struct cpu_msg *msg)
{
	if (msg->flush)
		return flush(l);
	return msg->write ? write(l, msg) : fetch(l, now, core, msg);
}

static void look_up(struct cpu_l3 *l, struct ticks now, uint32_t core)
{
	const struct cpu_msg *msg = queue_front(&l->down[core], now);

	if (!msg || l->stuck >> core & 1)
		return;
	if (serve(l, now, core, msg))
		queue_pop(&l->down[core], now);
	else
		l->stuck |= UINT64_C(1) << core;
}

struct ticks cpu_l3_step(struct cpu_l3 *l, struct ticks now)
{
	uint32_t first = (uint32_t)(cycles_in(now, l->period) % l->cores); /* none is always before the others when room
									    * is short */
	struct ticks next = TIME_NEVER;

	take_replies(l, now);
	for (uint32_t i = 0; i < l->cores; i++)
		look_up(l, now, (first + i) % l->cores);
	for (uint32_t p = 0; p < l->memory.ports; p++) {
		next = ticks_earlier(next, send(l, p, now));
		next = ticks_earlier(next, queue_next_arrival(l->memory.port[p].in));
	}
	for (uint32_t i = 0; i < l->cores; i++) {
		struct ticks t = queue_next_arrival(&l->down[i]);

		if (!(l->stuck >> i & 1) && !ticks_is_never(t))
			next = ticks_earlier(next, ticks_by(t, now) ? ticks_after(now, 1, l->period) : t);
	}
	return next;
}

uint64_t cpu_l3_in_flight(const struct cpu_l3 *l)
{
	uint64_t n = l->stats.sent - l->stats.replies;

	for (uint32_t p = 0; p < l->memory.ports; p++)
		n += l->out[p].tail - l->out[p].head;
	for (uint32_t i = 0; i < l->cores; i++)
		n += queue_count(&l->down[i]) + queue_count(&l->up[i]);
	return n;
}

uint64_t cpu_l3_dirty_lines(const struct cpu_l3 *l)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		n += tags_state(&l->tags, s) == TAGS_DIRTY;
	return n;
}

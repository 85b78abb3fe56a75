#include "cpu/core.h"

#include "base/panic.h"
#include "base/ring.h"
#include "cpu/core_impl.h"

void cpu_core_init(struct cpu_core *c, struct arena *a, const struct machine *m, uint32_t id, struct cpu_core_ports port,
		   struct cpu_feed *feed)
{
	uint64_t entries = ring_slots(m->cpu.rob), lines = ring_slots((uint64_t)m->cpu.rob * CPU_MAX_LINES),
		 slots = ring_slots(m->cpu.store_buffer);

	*c = (struct cpu_core){.id = id,
			       .width = m->cpu.width,
			       .rob = m->cpu.rob,
			       .ports = m->cpu.ports,
			       .sb_size = m->cpu.store_buffer,
			       .in_order = m->cpu.in_order,
			       .period = m->clock.period[CLOCK_CPU],
			       .port = port,
			       .feed = feed,
			       .cause = CPU_IDLE};
	private_caches_init(&c->cache, a, m, port.wires);
	c->mask = (uint32_t)entries - 1;
	c->entry = arena_array(a, entries, sizeof *c->entry);
	c->next_user = arena_array(a, entries * CPU_MAX_SOURCES, sizeof *c->next_user);
	c->line = arena_array(a, lines, sizeof *c->line);
	c->line_mask = lines - 1;
	c->heap = arena_array(a, entries, sizeof *c->heap);
	c->work = arena_array(a, entries, sizeof *c->work);
	c->sb = arena_array(a, slots, sizeof *c->sb);
	c->sb_mask = slots - 1;
}

void cpu_core_set_store_hook(struct cpu_core *c, struct cpu_store_hook *hook)
{
	PANIC_UNLESS(c->head == c->tail && c->sb_head == c->sb_tail, "cpu_core", c->now);
	c->hook = hook;
}

/* ---- pieces of work ---- */

static void take_starts(struct cpu_core *c, struct ticks now)
{
	const struct cta_start *msg;

	while ((msg = queue_front(c->port.start, now))) {
		PANIC_UNLESS(c->piece_tail - c->piece_head < CPU_PIECES, "cpu_core", c->now);
		c->piece[c->piece_tail++ % CPU_PIECES] = (struct cpu_piece){.launch = msg->launch, .piece = msg->cta};
		queue_pop(c->port.start, now);
	}
}

/* Reports the pieces whose instructions have retired and whose stores have left the store buffer. */
static void report_done(struct cpu_core *c, struct ticks now)
{
	while (c->piece_head != c->piece_begun) {
		struct cpu_piece *p = &c->piece[c->piece_head % CPU_PIECES];

		if (!p->ended || c->head < p->last)
			return;
		if (!p->drained)
			p->stores = c->sb_tail;
		p->drained = true;
		if (c->sb_head < p->stores)
			return;
		*queue_push(c->port.done, ticks_after(now, 1, c->period)) = (struct cta_done){p->launch, p->piece};
		c->piece_head++;
		c->stats.pieces++;
	}
}

/* Whether c->inst is the next instruction of the stream; begins the next piece when one has ended. */
static bool fetch(struct cpu_core *c)
{
	while (!c->fetched) {
		struct cpu_piece *p = &c->piece[(c->piece_begun - 1) % CPU_PIECES];

		if (c->piece_begun != c->piece_head && !p->ended) {
			c->fetched = c->feed->next(c->feed, &c->inst);
			c->ahead = c->fetched && c->inst.kind == CPU_COMPUTE && c->inst.block ? c->inst.block - 1 : 0;
			p->ended = !c->fetched;
			p->last = c->tail;
		} else if (c->piece_begun != c->piece_tail) {
			p = &c->piece[c->piece_begun++ % CPU_PIECES];
			if (c->feed->begin(c->feed, p->launch, p->piece, &c->error) != 0) {
				p->ended = true;
				p->last = c->tail;
			}
		} else {
			return false;
		}
	}
	return true;
}

/* ---- replies, store buffer, retirement ---- */

static void take_replies(struct cpu_core *c, struct ticks now)
{
	const struct cpu_msg *msg;

	while ((msg = queue_front(c->port.wires.up, now))) {
		uint32_t n;
		const struct mshr_waiter *w = private_caches_reply(&c->cache, c->now, msg, &n);

		for (uint32_t i = 0; i < n; i++) {
			if (w[i].client == REQ_CLIENT_STORE)
				c->sb[w[i].token].done = c->now;
			else
				cpu_line_there(c, w[i].token, c->now);
		}
		queue_pop(c->port.wires.up, now);
		c->refused = false;
	}
}

static void drain_stores(struct cpu_core *c)
{
	while (c->sb_head != c->sb_next && c->sb[c->sb_head & c->sb_mask].done <= c->now)
		c->sb_head++;
}

/* Hands the lines of the store at the head over, as long as there is room. */
static bool store_leaves(struct cpu_core *c, struct cpu_entry *e)
{
	while (e->moved < e->n_lines && c->sb_tail - c->sb_head < c->sb_size) {
		c->sb[c->sb_tail++ & c->sb_mask] =
			(struct cpu_stored){c->line[(e->first + e->moved++) & c->line_mask], CYCLE_NEVER, e->store};
		e->store.bytes = 0;
	}
	return e->moved == e->n_lines;
}

static bool flush_ends(struct cpu_core *c)
{
	struct ticks when;
	bool ends = private_caches_flush(&c->cache, ticks_of(c->now, c->period), &when);

	c->flush = ticks_is_never(when) ? CYCLE_NEVER : cycles_up(when, c->period);
	return ends;
}

static bool fence_ends(struct cpu_core *c, const struct cpu_entry *e)
{
	if (c->sb_head != c->sb_tail)
		return false;
	if (e->flush)
		return flush_ends(c);
	return !e->command || c->hook->command(c->hook, c->now, e->command);
}

/* What has to be done before the oldest instruction, whose result is there, can leave. */
static bool leaves(struct cpu_core *c, struct cpu_entry *e)
{
	switch (e->kind) {
	case CPU_STORE:
		return store_leaves(c, e);
	case CPU_FENCE:
		return fence_ends(c, e);
	default:
		return true;
	}
}

static void retire(struct cpu_core *c)
{
	for (uint32_t n = 0; n < c->width && c->head != c->tail; n++) {
		struct cpu_entry *e = &c->entry[c->head & c->mask];

		if (e->complete > c->now || !leaves(c, e))
			return;
		c->stats.loads += e->kind == CPU_LOAD;
		c->stats.stores += e->kind == CPU_STORE;
		c->stats.insts += e->insts;
		c->head++;
	}
}

/* ---- ports ---- */

/* One line of the oldest load that is ready. False if it was refused. */
static bool look_up_load(struct cpu_core *c, struct ticks now)
{
	uint32_t i = (uint32_t)c->heap[0].number & c->mask;
	struct cpu_entry *e = &c->entry[i];
	uint64_t done;

	switch (private_caches_access(&c->cache, c->now, now, c->line[(e->first + e->moved) & c->line_mask], false, i, &done)) {
	case CPU_REFUSED:
		return false;
	case CPU_THERE:
		if (++e->moved == e->n_lines)
			cpu_ready_pop(c);
		cpu_line_there(c, i, done);
		return true;
	default:
		if (++e->moved == e->n_lines)
			cpu_ready_pop(c);
		return true;
	}
}

static bool look_up_store(struct cpu_core *c, struct ticks now)
{
	uint32_t i = (uint32_t)(c->sb_next & c->sb_mask);

	if (private_caches_access(&c->cache, c->now, now, c->sb[i].line, true, i, &c->sb[i].done) == CPU_REFUSED)
		return false;
	c->sb_next++;
	c->passed = false;
	return true;
}

/* The hook sees a store before the cache does; a store's further lines go on without it, one a cycle. */
static void offer_store(struct cpu_core *c)
{
	const struct cpu_store *s = &c->sb[c->sb_next & c->sb_mask].store;

	if (c->hook && !c->passed && c->sb_next != c->sb_tail)
		c->passed = !s->bytes || c->hook->store(c->hook, c->now, s);
}

static bool store_can_go(const struct cpu_core *c)
{
	return c->sb_next != c->sb_tail && (!c->hook || c->passed);
}

static void use_ports(struct cpu_core *c, struct ticks now)
{
	offer_store(c);
	for (uint32_t n = 0; n < c->ports && !c->refused; n++) {
		if (c->heap_n && c->heap[0].cycle <= c->now)
			c->refused = !look_up_load(c, now);
		else if (store_can_go(c))
			c->refused = !look_up_store(c, now);
		else
			return;
		c->stats.refused += c->refused;
	}
}

/* ---- the cycle ---- */

static enum cpu_stalls stall(const struct cpu_core *c)
{
	const struct cpu_entry *e = &c->entry[c->head & c->mask];

	if (c->running)
		return CPU_ENTERED;
	if (!c->fetched)
		return c->head != c->tail || c->sb_head != c->sb_tail ? CPU_DRAINS : CPU_IDLE;
	if (c->head == c->tail)
		return CPU_ENTERED; /* the stall breakdown's guess for a cycle that is stepped anyway */
	if (e->kind == CPU_LOAD)
		return CPU_MEMORY;
	return (e->kind == CPU_STORE || e->kind == CPU_FENCE) && e->complete <= c->now ? CPU_STORES : CPU_COMPUTES;
}

static uint64_t later(uint64_t cycle, uint64_t than)
{
	return cycle > than ? cycle : than + 1;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Whether the oldest instruction has its result and waits for the store buffer: what comes there wakes the core. */
static bool waits_for_stores(const struct cpu_core *c, const struct cpu_entry *e)
{
	return (e->kind == CPU_STORE && c->sb_tail - c->sb_head == c->sb_size) ||
	       (e->kind == CPU_FENCE && c->sb_head != c->sb_tail);
}

static uint64_t next_retirement(const struct cpu_core *c)
{
	const struct cpu_entry *e = &c->entry[c->head & c->mask];

	if (c->head == c->tail || e->complete == CYCLE_NEVER || (e->complete <= c->now && waits_for_stores(c, e)))
		return CYCLE_NEVER;
	if (e->kind == CPU_FENCE && e->flush && e->complete <= c->now)
		return c->flush == CYCLE_NEVER ? CYCLE_NEVER : later(c->flush, c->now);
	return later(e->complete, c->now);
}

static struct ticks next_event(const struct cpu_core *c)
{
	uint64_t next = earlier(cpu_next_entry(c), next_retirement(c));
	struct ticks tick;

	if (c->sb_head != c->sb_next && c->sb[c->sb_head & c->sb_mask].done != CYCLE_NEVER)
		next = earlier(next, later(c->sb[c->sb_head & c->sb_mask].done, c->now));
	if (c->sb_next != c->sb_tail && (!c->refused || (c->hook && !c->passed)))
		next = c->now + 1;
	if (!c->refused && c->heap_n)
		next = earlier(next, later(c->heap[0].cycle, c->now));
	if (c->hook && c->hook->busy(c->hook))
		next = c->now + 1;
	tick = ticks_earlier(queue_next_arrival(c->port.start), queue_next_arrival(c->port.wires.up));
	return next == CYCLE_NEVER ? tick : ticks_earlier(ticks_of(next, c->period), tick);
}

static void count_skipped(struct cpu_core *c, uint64_t until)
{
	c->stats.stalls[c->cause] += until - c->counted;
	if (c->running)
		c->ahead -= (uint32_t)(until - c->counted) * c->width;
	c->counted = until;
}

/* Returns how many instructions entered. */
static uint32_t enter(struct cpu_core *c)
{
	uint32_t entered = 0;

	while (entered < c->width && fetch(c) && cpu_can_enter(c)) {
		uint32_t n = c->ahead < c->width - entered ? c->ahead : c->width - entered;

		if (n) {
			c->ahead -= n;
			entered += n;
			continue;
		}
		cpu_enter(c);
		c->fetched = false;
		entered++;
	}
	return entered;
}

struct ticks cpu_core_step(struct cpu_core *c, struct ticks now)
{
	uint32_t entered;

	c->now = cycles_in(now, c->period);
	PANIC_UNLESS(ticks_is_edge(now, c->period) && c->now >= c->counted, "cpu_core", c->now);
	count_skipped(c, c->now);
	take_replies(c, now);
	take_starts(c, now);
	drain_stores(c);
	retire(c);
	entered = enter(c);
	use_ports(c, now);
	if (c->hook)
		c->hook->edge(c->hook, c->now);
	fetch(c);
	report_done(c, now);
	c->running = c->fetched && c->ahead && cpu_can_enter(c);
	c->cause = stall(c);
	c->stats.stalls[entered ? CPU_ENTERED : c->cause]++;
	c->counted = c->now + 1;
	return next_event(c);
}

void cpu_core_finish(struct cpu_core *c, uint64_t cycles)
{
	PANIC_UNLESS(cycles + c->stats.stalls[c->cause] >= c->counted, "cpu_core", cycles);
	count_skipped(c, cycles);
}

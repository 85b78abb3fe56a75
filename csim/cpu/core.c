#include "cpu/core.h"

#include "base/panic.h"
#include "cpu/core_impl.h"

static uint64_t ring(uint64_t n)
{
	uint64_t size = 1;

	while (size < n)
		size *= 2;
	return size;
}

void host_core_init(struct host_core *c, struct arena *a, const struct machine *m, uint32_t id, struct host_core_ports port,
		    struct host_feed feed)
{
	uint64_t entries = ring(m->host.rob), lines = ring((uint64_t)m->host.rob * HOST_MAX_LINES),
		 places = ring(m->host.store_buffer);

	*c = (struct host_core){.id = id,
				.width = m->host.width,
				.rob = m->host.rob,
				.ports = m->host.ports,
				.sb_size = m->host.store_buffer,
				.in_order = m->host.in_order,
				.period = m->clock.period[CLOCK_HOST],
				.port = port,
				.feed = feed,
				.cause = HOST_IDLE};
	host_private_init(&c->cache, a, m, port.wires);
	c->mask = (uint32_t)entries - 1;
	c->entry = arena_array(a, entries, sizeof *c->entry);
	c->next_user = arena_array(a, entries * HOST_MAX_SOURCES, sizeof *c->next_user);
	c->line = arena_array(a, lines, sizeof *c->line);
	c->line_mask = lines - 1;
	c->heap = arena_array(a, entries, sizeof *c->heap);
	c->work = arena_array(a, entries, sizeof *c->work);
	c->sb = arena_array(a, places, sizeof *c->sb);
	c->sb_mask = places - 1;
}

void host_core_track(struct host_core *c, struct store_tracker *t)
{
	c->tafe = t;
}

/* ---- pieces of work ---- */

static void take_starts(struct host_core *c, uint64_t now)
{
	const struct cta_start *msg;

	while ((msg = queue_front(c->port.start, now))) {
		PANIC_UNLESS(c->piece_tail - c->piece_head < HOST_PIECES, "host_core", c->now);
		c->piece[c->piece_tail++ % HOST_PIECES] = (struct host_piece){.launch = msg->launch, .piece = msg->cta};
		queue_pop(c->port.start, now);
	}
}

/* Reports the pieces whose instructions have retired and whose stores have left the store buffer. */
static void report_done(struct host_core *c, uint64_t now)
{
	while (c->piece_head != c->piece_begun) {
		struct host_piece *p = &c->piece[c->piece_head % HOST_PIECES];

		if (!p->ended || c->head < p->last)
			return;
		if (!p->drained)
			p->stores = c->sb_tail;
		p->drained = true;
		if (c->sb_head < p->stores)
			return;
		*queue_push(c->port.done, now + c->period) = (struct cta_done){p->launch, p->piece};
		c->piece_head++;
		c->stats.pieces++;
	}
}

/* Whether c->inst is the next instruction of the stream; begins the next piece when one has ended. */
static bool fetch(struct host_core *c)
{
	while (!c->fetched) {
		struct host_piece *p = &c->piece[(c->piece_begun - 1) % HOST_PIECES];

		if (c->piece_begun != c->piece_head && !p->ended) {
			c->fetched = c->feed.next(c->feed.ctx, &c->inst);
			p->ended = !c->fetched;
			p->last = c->tail;
		} else if (c->piece_begun != c->piece_tail) {
			p = &c->piece[c->piece_begun++ % HOST_PIECES];
			if (c->feed.begin(c->feed.ctx, p->launch, p->piece, &c->error) != 0) {
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

static void take_replies(struct host_core *c, uint64_t now)
{
	const struct host_msg *msg;

	while ((msg = queue_front(c->port.wires.up, now))) {
		uint32_t n;
		const struct mshr_waiter *w = host_private_reply(&c->cache, c->now, msg, &n);

		for (uint32_t i = 0; i < n; i++) {
			if (w[i].client == REQ_CLIENT_STORE)
				c->sb[w[i].token].done = c->now;
			else
				host_line_there(c, w[i].token, c->now);
		}
		queue_pop(c->port.wires.up, now);
		c->refused = false;
	}
}

static void drain_stores(struct host_core *c)
{
	while (c->sb_head != c->sb_next && c->sb[c->sb_head & c->sb_mask].done <= c->now)
		c->sb_head++;
}

/* Hands the lines of the store at the head over, as long as there is room. */
static bool store_leaves(struct host_core *c, struct host_entry *e)
{
	while (e->moved < e->n_lines && c->sb_tail - c->sb_head < c->sb_size)
		c->sb[c->sb_tail++ & c->sb_mask] =
			(struct host_stored){c->line[(e->first + e->moved++) & c->line_mask], TIME_NEVER};
	return e->moved == e->n_lines;
}

static bool fence_ends(struct host_core *c)
{
	return c->sb_head == c->sb_tail && (!c->tafe || store_tracker_offer_command(c->tafe, c->now));
}

/* What has to be done before the oldest instruction, whose result is there, can leave. */
static bool leaves(struct host_core *c, struct host_entry *e)
{
	switch (e->kind) {
	case HOST_STORE:
		return store_leaves(c, e);
	case HOST_FENCE:
		return fence_ends(c);
	default:
		return true;
	}
}

static void retire(struct host_core *c)
{
	for (uint32_t n = 0; n < c->width && c->head != c->tail; n++) {
		struct host_entry *e = &c->entry[c->head & c->mask];

		if (e->complete > c->now || !leaves(c, e))
			return;
		c->stats.loads += e->kind == HOST_LOAD;
		c->stats.stores += e->kind == HOST_STORE;
		c->stats.insts++;
		c->head++;
	}
}

/* ---- ports ---- */

/* One line of the oldest load that is ready. False if it was refused. */
static bool look_up_load(struct host_core *c, uint64_t now)
{
	uint32_t i = (uint32_t)c->heap[0].number & c->mask;
	struct host_entry *e = &c->entry[i];
	uint64_t done;

	switch (host_private_access(&c->cache, c->now, now, c->line[(e->first + e->moved) & c->line_mask], false, i, &done)) {
	case HOST_REFUSED:
		return false;
	case HOST_THERE:
		if (++e->moved == e->n_lines)
			host_ready_pop(c);
		host_line_there(c, i, done);
		return true;
	default:
		if (++e->moved == e->n_lines)
			host_ready_pop(c);
		return true;
	}
}

static bool look_up_store(struct host_core *c, uint64_t now)
{
	uint32_t i = (uint32_t)(c->sb_next & c->sb_mask);

	if (host_private_access(&c->cache, c->now, now, c->sb[i].line, true, i, &c->sb[i].done) == HOST_REFUSED)
		return false;
	c->sb_next++;
	c->passed = false;
	return true;
}

/* The hardware at the store port, if there is any, sees a store before the cache does. */
static void offer_store(struct host_core *c)
{
	if (c->tafe && !c->passed && c->sb_next != c->sb_tail)
		c->passed = store_tracker_offer_store(c->tafe, c->now);
}

static bool store_can_go(const struct host_core *c)
{
	return c->sb_next != c->sb_tail && (!c->tafe || c->passed);
}

static void use_ports(struct host_core *c, uint64_t now)
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

static enum host_stalls stall(const struct host_core *c)
{
	const struct host_entry *e = &c->entry[c->head & c->mask];

	if (!c->fetched)
		return c->head != c->tail || c->sb_head != c->sb_tail ? HOST_DRAINS : HOST_IDLE;
	if (c->head == c->tail)
		return HOST_ENTERED; /* the stall breakdown's guess for a cycle that is stepped anyway */
	if (e->kind == HOST_LOAD)
		return HOST_MEMORY;
	return (e->kind == HOST_STORE || e->kind == HOST_FENCE) && e->complete <= c->now ? HOST_STORES : HOST_COMPUTES;
}

static uint64_t later(uint64_t cycle, uint64_t than)
{
	return cycle > than ? cycle : than + 1;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Whether the oldest instruction, with its result there, waits for the store buffer: what comes there wakes the core. */
static bool waits_for_stores(const struct host_core *c, const struct host_entry *e)
{
	return (e->kind == HOST_STORE && c->sb_tail - c->sb_head == c->sb_size) ||
	       (e->kind == HOST_FENCE && c->sb_head != c->sb_tail);
}

static uint64_t next_retirement(const struct host_core *c)
{
	const struct host_entry *e = &c->entry[c->head & c->mask];

	if (c->head == c->tail || e->complete == TIME_NEVER || (e->complete <= c->now && waits_for_stores(c, e)))
		return TIME_NEVER;
	return later(e->complete, c->now);
}

static uint64_t next_event(const struct host_core *c)
{
	uint64_t next = earlier(host_next_entry(c), next_retirement(c)), tick;

	if (c->sb_head != c->sb_next && c->sb[c->sb_head & c->sb_mask].done != TIME_NEVER)
		next = earlier(next, later(c->sb[c->sb_head & c->sb_mask].done, c->now));
	if (c->sb_next != c->sb_tail && (!c->refused || (c->tafe && !c->passed)))
		next = c->now + 1;
	if (!c->refused && c->heap_n)
		next = earlier(next, later(c->heap[0].cycle, c->now));
	if (c->tafe && store_tracker_busy(c->tafe))
		next = c->now + 1;
	tick = earlier(queue_next_arrival(c->port.start), queue_next_arrival(c->port.wires.up));
	return next == TIME_NEVER ? tick : earlier(next * c->period, tick);
}

static void count_skipped(struct host_core *c, uint64_t until)
{
	c->stats.stalls[c->cause] += until - c->counted;
	c->counted = until;
}

uint64_t host_core_step(struct host_core *c, uint64_t now)
{
	uint64_t entered;

	c->now = now / c->period;
	count_skipped(c, c->now);
	take_replies(c, now);
	take_starts(c, now);
	drain_stores(c);
	retire(c);
	for (entered = 0; entered < c->width && fetch(c) && host_enter(c); entered++)
		c->fetched = false;
	use_ports(c, now);
	if (c->tafe)
		store_tracker_edge(c->tafe, c->now);
	fetch(c);
	report_done(c, now);
	c->cause = stall(c);
	c->stats.stalls[entered ? HOST_ENTERED : c->cause]++;
	c->counted = c->now + 1;
	return next_event(c);
}

void host_core_finish(struct host_core *c, uint64_t cycles)
{
	count_skipped(c, cycles);
}

#include "gpc/gcc.h"

/* A waiting SM's request: its number in the GPC, and the MSHR entry of its instruction cache. */
enum { ENTRIES = 1024 };

#define NO_SM UINT32_MAX /* as a token */

static uint32_t token_of(uint32_t sm, uint32_t entry)
{
	return sm * ENTRIES + entry;
}

void gcc_init(struct gcc *g, struct arena *a, const struct machine *m, uint32_t sms, const struct gcc_ports *port,
	      const struct route *route)
{
	const struct l1_shape s = {
		.cache = m->gcc.c, .enabled = true, .sm = port->requester, .sender = REQ_OF_CODE, .route = route};
	struct ticks cycle = ticks_of(1, m->clock.period[CLOCK_CORE]);

	PANIC_UNLESS(sms && sms <= GCC_MAX_SMS && m->fetch.cache.mshr_entries <= ENTRIES, "gcc", sms);
	*g = (struct gcc){.sms = sms,
			  .period = m->clock.period[CLOCK_CORE],
			  .latency = m->gcc.latency,
			  .prefetch = m->gcc.prefetch,
			  .port = *port};
	l1_init_shape(&g->cache, a, m, &s, NULL);
	g->asked = arena_array(a, sms, sizeof *g->asked);
	g->answers = arena_array(a, sms, sizeof *g->answers);
	g->turn = sms - 1;
	for (uint32_t i = 0; i < sms; i++) {
		queue_init(&g->asked[i], a, m->fetch.cache.mshr_entries, cycle);
		queue_init(&g->answers[i], a, m->fetch.cache.mshr_entries, cycle);
		g->asked[i].ring.filled = &g->filled;
		g->asked[i].ring.filled_bit = UINT64_C(1) << i;
	}
}

void gcc_join(struct gcc *g, uint32_t i, struct queue_end sm, struct queue_end own)
{
	queue_ring_join(&g->asked[i].ring, sm, own);
	queue_ring_join(&g->answers[i].ring, own, sm);
}

/* ---- a cycle ---- */

static void answer(struct gcc *g, uint64_t line, uint32_t token, struct ticks now)
{
	if (token == NO_SM)
		return;
	*queue_push(&g->answers[token / ENTRIES], ticks_after(now, g->latency, g->period)) =
		(struct mem_req){.addr = line,
				 .token = token % ENTRIES,
				 .bytes = (uint16_t)(1u << g->cache.line_shift),
				 .kind = REQ_READ,
				 .client = REQ_CLIENT_MSHR,
				 .cache = REQ_OF_CODE,
				 .buffer = UINT16_MAX};
}

static void take_replies(struct gcc *g, struct ticks now)
{
	const struct mem_req *reply;

	while ((reply = queue_front(g->port.in, now))) {
		uint32_t n;
		const struct mshr_waiter *w = l1_reply(&g->cache, reply, &n);

		for (uint32_t i = 0; i < n; i++)
			answer(g, reply->addr, w[i].token, now);
		g->fetched += reply->found == REQ_FETCHED;
		g->retry = true;
		queue_pop(g->port.in, now);
	}
}

/* The oldest request of SM i, if it has arrived. */
static const struct mem_req *request_of(struct gcc *g, uint32_t i, struct ticks now)
{
	const struct mem_req *r = queue_front(&g->asked[i], now);

	if (!r && !queue_count(&g->asked[i]))
		g->filled &= ~g->asked[i].ring.filled_bit;
	return r;
}

/* That of the first of these SMs that has one. */
static const struct mem_req *first_of(struct gcc *g, uint64_t sms, struct ticks now)
{
	for (; sms; sms &= sms - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(sms);
		const struct mem_req *r = request_of(g, i, now);

		if (!r)
			continue;
		g->turn = i;
		return r;
	}
	return NULL;
}

/* That of the next SM behind the one served last, round; NULL: nobody asks. */
static const struct mem_req *choose(struct gcc *g, struct ticks now)
{
	uint64_t behind = g->filled & ~((UINT64_C(2) << g->turn) - 1), others = g->filled & ~behind;
	const struct mem_req *r = first_of(g, behind, now);

	return r ? r : first_of(g, others, now);
}

/* The lines of the next launch, when those of the one before have been looked up. */
static void take_launch(struct gcc *g, struct ticks now)
{
	const struct code_begin *b = g->port.begin ? queue_front(g->port.begin, now) : NULL;
	const struct gcc_code *code;

	if (!b || g->code_at != g->code_end)
		return;
	code = &g->port.code[b->kernel];
	g->code_at = code->at;
	g->code_end = code->at + (code->bytes < g->prefetch ? code->bytes : g->prefetch);
	queue_pop(g->port.begin, now);
}

/* Whether the cache has taken it. */
static bool takes(struct gcc *g, uint64_t line, uint32_t token, struct ticks now)
{
	const struct l1_access a = {.line = line,
				    .mask = {UINT64_MAX, UINT64_MAX},
				    .token = token,
				    .lanes = 1,
				    .buffer = UINT16_MAX,
				    .kind = REQ_READ,
				    .client = REQ_CLIENT_LOAD};
	enum l1_result r = l1_access(&g->cache, g->now, &a);

	g->retry = false;
	g->stuck = r >= L1_FAIL_LINE;
	if (r == L1_HIT)
		answer(g, line, token, now);
	return !g->stuck;
}

static void look_up_for_launch(struct gcc *g, struct ticks now)
{
	uint64_t line = UINT64_C(1) << g->cache.line_shift;

	g->for_launch = !takes(g, g->code_at, NO_SM, now);
	if (g->for_launch)
		return;
	g->prefetches++;
	g->code_at += line < g->code_end - g->code_at ? line : g->code_end - g->code_at;
}

static void look_up(struct gcc *g, struct ticks now)
{
	const struct mem_req *r = NULL;

	if (g->stuck && !g->retry)
		return;
	if (!g->for_launch)
		r = g->stuck ? request_of(g, g->turn, now) : choose(g, now);
	if (r && takes(g, r->addr, token_of(g->turn, r->token), now))
		queue_pop(&g->asked[g->turn], now);
	else if (!r && g->code_at != g->code_end)
		look_up_for_launch(g, now);
}

static void send(struct gcc *g, struct ticks now)
{
	if (!l1_has_packet(&g->cache))
		return;
	g->send_at = ticks_after(now, 1, g->period);
	g->retry |= l1_send(&g->cache, now, &g->port.out, &g->send_at);
}

static struct ticks next_request(const struct gcc *g)
{
	struct ticks next = TIME_NEVER;

	for (uint64_t rest = g->filled; rest; rest &= rest - 1)
		next = ticks_earlier(next, queue_next_arrival(&g->asked[__builtin_ctzll(rest)]));
	return next;
}

static struct ticks next_event(const struct gcc *g, struct ticks now)
{
	struct ticks next = queue_next_arrival(g->port.in), soon = ticks_after(now, 1, g->period);

	if (g->port.begin && g->code_at == g->code_end)
		next = ticks_earlier(next, queue_next_arrival(g->port.begin));
	if (g->stuck ? g->retry : g->code_at != g->code_end)
		return soon;
	if (!g->stuck)
		next = ticks_earlier(next, next_request(g));
	if (l1_has_packet(&g->cache))
		next = ticks_earlier(next, g->send_at);
	return ticks_later(next, soon);
}

struct ticks gcc_step(struct gcc *g, struct ticks now)
{
	g->now = cycles_in(now, g->period);
	take_replies(g, now);
	take_launch(g, now);
	look_up(g, now);
	send(g, now);
	return next_event(g, now);
}

/* ---- counters ---- */

struct gcc_counts gcc_count(const struct gcc *g)
{
	return (struct gcc_counts){.cache = l1_total(&g->cache),
				   .sent = g->cache.stats.sent,
				   .replies = g->cache.stats.replies,
				   .prefetches = g->prefetches,
				   .fetched = g->fetched};
}

uint64_t gcc_in_flight(const struct gcc *g)
{
	uint64_t n = l1_in_flight(&g->cache) + mshr_in_use(&g->cache.mshr);

	for (uint32_t i = 0; i < g->sms; i++)
		n += queue_count(&g->asked[i]) + queue_count(&g->answers[i]);
	return n;
}

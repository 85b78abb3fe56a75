#include "sm/fetch.h"

#include "base/panic.h"

static inline uint64_t bit_of(unsigned slot)
{
	return UINT64_C(1) << slot;
}

void fetch_init(struct fetch *f, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route)
{
	const struct l1_shape s = {.cache = m->fetch.cache, .enabled = true, .sm = sm, .sender = REQ_OF_CODE, .route = route};

	*f = (struct fetch){.on = true,
			    .width = m->fetch.width,
			    .latency = m->fetch.latency,
			    .inst_bytes = m->fetch.inst_bytes,
			    .period = m->clock.period[CLOCK_CORE],
			    .last = m->sm.warps - 1};
	l1_init_shape(&f->cache, a, m, &s, NULL);
	f->buffer = arena_array(a, m->sm.warps, sizeof *f->buffer);
	if (m->l0.c.bytes)
		fetch_l0s_init(f, a, m);
}

void fetch_begin(struct fetch *f, unsigned slot, const struct core_kernel *k, uint32_t place)
{
	f->buffer[slot] = (struct fetch_buffer){.code = k->code, .end = k->n_inst - k->folded, .place = place};
	if (f->l0s.n)
		f->l0s.room |= bit_of(slot);
}

void fetch_want(struct fetch *f, unsigned slot, uint32_t place)
{
	f->waiting |= bit_of(slot);
	if (f->l0s.n)
		return;
	f->buffer[slot].place = place;
	f->buffer[slot].n = 0;
	f->wanted |= bit_of(slot);
}

/* The first of the slots behind the one served last, round. */
static unsigned next_of(const struct fetch *f, uint64_t slots)
{
	uint64_t behind = slots & ~(bit_of(f->last) | (bit_of(f->last) - 1));

	return (unsigned)__builtin_ctzll(behind ? behind : slots);
}

static int fill(struct fetch *f, unsigned slot)
{
	struct fetch_buffer *b = &f->buffer[slot];
	uint32_t line = UINT32_C(1) << f->cache.line_shift;
	uint32_t left = (line - (uint32_t)(fetch_address(f, b, b->place) & (line - 1))) / f->inst_bytes;

	b->n = left < f->width ? left : f->width;
	f->waiting &= ~bit_of(slot);
	return (int)slot;
}

static int look_up(struct fetch *f, uint64_t now)
{
	unsigned slot = f->stuck ? f->last : next_of(f, f->wanted);
	const struct fetch_buffer *b = &f->buffer[slot];
	uint64_t addr = fetch_address(f, b, b->place);
	const struct l1_access a = {.line = addr >> f->cache.line_shift << f->cache.line_shift,
				    .mask = {UINT64_MAX, UINT64_MAX},
				    .token = slot,
				    .lanes = 1,
				    .buffer = UINT16_MAX,
				    .kind = REQ_READ,
				    .client = REQ_CLIENT_LOAD};
	enum l1_result r = l1_access(&f->cache, now, &a);

	f->last = slot;
	f->retry = false;
	f->stuck = r >= L1_FAIL_LINE;
	if (f->stuck)
		return -1;
	f->wanted &= ~bit_of(slot);
	return r == L1_HIT ? fill(f, slot) : -1;
}

int fetch_step(struct fetch *f, uint64_t now)
{
	if (f->arrived) {
		unsigned slot = next_of(f, f->arrived);

		f->arrived &= ~bit_of(slot);
		f->last = f->stuck ? f->last : slot; /* what is stuck is tried again as it is */
		return fill(f, slot);
	}
	return f->wanted && (!f->stuck || f->retry) ? look_up(f, now) : -1;
}

void fetch_reply(struct fetch *f, uint64_t now, const struct mem_req *reply)
{
	uint64_t line = reply->addr >> f->cache.line_shift;
	uint32_t n;
	const struct mshr_waiter *w = l1_reply(&f->cache, reply, &n);

	for (uint32_t i = 0; i < n; i++)
		if (f->l0s.n)
			fetch_answer(f, now, line, w[i].token);
		else
			f->arrived |= bit_of(w[i].token);
	f->retry = true;
}

void fetch_send(struct fetch *f, uint64_t now, const struct net_link *to)
{
	struct ticks tick = ticks_of(now, f->period);

	f->send_at = ticks_after(tick, 1, f->period);
	f->retry |= l1_send(&f->cache, tick, to, &f->send_at);
}

uint64_t fetch_next(const struct fetch *f, uint64_t now)
{
	uint64_t next = CYCLE_NEVER, send;

	if (f->l0s.n)
		next = fetch_l0s_next(f, now);
	else if (f->arrived || (f->wanted && (!f->stuck || f->retry)))
		return now + 1;
	if (fetch_has_packet(f) && !ticks_is_never(f->send_at) && (send = cycles_up(f->send_at, f->period)) < next)
		next = send;
	return next > now ? next : now + 1;
}

#include "support/throttle_stimulus.h"

#include <string.h>

#include "support/random.h"

static uint64_t bits(uint64_t value, uint32_t width)
{
	return value & ((UINT64_C(1) << width) - 1);
}

/* ---- throttle ---- */

void throttle_stimulus_init(struct throttle_stimulus *s, const struct throttle_params *p, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->seed = seed;
	s->now = (uint32_t)seed * 1000;
	throttle_reset(&s->twin, p);
}

/* The next cycle, or one shortly before the period's end. */
static void pass_time(struct throttle_stimulus *s, uint64_t r)
{
	uint32_t left = s->twin.due - s->now;

	s->now++;
	if (s->wild && (r & 7) == 0)
		s->now = (uint32_t)(r >> 8);
	else if (s->twin.on && left > 6 && left <= 1u << 30 && (r & 3) == 0)
		s->now += (uint32_t)(left - 4 - (r >> 2 & 1));
}

static void launch_in(struct throttle_stimulus *s, struct throttle_in *in, uint64_t r)
{
	in->beg_valid = s->n == 0 || (r & 31) == 0;
	in->beg_on = (r >> 5 & 7) != 0;
	in->beg_slot = (uint32_t)bits(r >> 8, throttle_bits(s->twin.p.kernels));
	if (!s->wild && in->beg_slot >= s->twin.p.kernels)
		in->beg_slot = 0;
	in->beg_most = (uint8_t)bits(r >> 20, THROTTLE_LIMIT_W);
}

static void order_in(struct throttle_stimulus *s, struct throttle_in *in, uint64_t r)
{
	in->ord_valid = (r & 31) < 2;
	in->ord_slot = (uint32_t)bits(r >> 5, throttle_bits(s->twin.p.kernels));
	in->ord_mode = r >> 12 & 3;
	in->ord_limit = (uint8_t)(r >> 14 & 3 ? bits(r >> 16, THROTTLE_LIMIT_W) : 0);
}

struct throttle_in throttle_stimulus_next(struct throttle_stimulus *s)
{
	uint64_t r = random_u64(&s->seed), q = random_u64(&s->seed);
	struct throttle_in in;

	memset(&in, 0, sizeof in);
	pass_time(s, r);
	in.now = s->now;
	in.commits = (uint32_t)(r >> 3 & 1 ? bits(r >> 40, s->twin.p.commit_w) : 0);
	in.misses = (uint8_t)(r >> 4 & 3 ? 0 : bits(r >> 52, s->twin.p.miss_w));
	in.exit = (r >> 8 & 127) == 0;
	launch_in(s, &in, q);
	order_in(s, &in, q >> 32);
	throttle_tick(&s->twin, &in);
	s->n++;
	return in;
}

/* ---- coordinator ---- */

void coordinator_stimulus_init(struct coordinator_stimulus *s, const struct throttle_coordinator_params *p, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	s->seed = seed;
	coordinator_stimulus_reset(s);
}

void coordinator_stimulus_reset(struct coordinator_stimulus *s)
{
	throttle_coordinator_reset(&s->twin, &s->p);
}

enum { CLIMB = 1000 }; /* cycles */

/* Another batch now and then; what it is like holds for some cycles. */
static void draw_batch(struct coordinator_stimulus *s, uint64_t r)
{
	s->slot = (uint32_t)bits(r, throttle_bits(s->p.kernels));
	if (!s->wild && s->slot >= s->p.kernels)
		s->slot = 0;
	s->most = (uint32_t)(r >> 8) % (r >> 7 & 1 ? 4 : 64) + 1;
	s->level = r >> 60 & 7 ? (uint32_t)bits(r >> 20, s->p.count_w) : 0;
}

/* Just above or below the threshold, as often as not. */
static uint32_t misses_beside(const struct coordinator_stimulus *s, uint32_t commits, uint64_t r)
{
	uint64_t of = s->p.per_cycles ? s->p.per_cycles : commits, at = s->p.threshold * of / 1000 + (r & 3) - 1;

	return (uint32_t)bits(r >> 2 & 31 ? at : r >> 8, s->p.count_w);
}

/* Of a number of warps: the more, the more; the largest of the round has as many as counters hold, however narrow. */
static uint32_t climbing_commits(const struct coordinator_stimulus *s, uint32_t slot)
{
	uint32_t base = s->twin.base[slot], number = s->twin.sm ? s->twin.number : base + 1u;
	uint32_t largest = base ? base + s->p.sms - 1 : s->p.sms, most = (uint32_t)bits(UINT64_MAX, s->p.count_w);
	uint32_t below = largest - number;

	return below < most ? most - below : 1;
}

/* One kernel that does the better the more warps it has, so that its sampling goes up to 127. */
static struct throttle_coordinator_in climb(struct coordinator_stimulus *s, uint64_t r)
{
	uint32_t slot = s->slot < s->p.kernels ? s->slot : 0;
	struct throttle_coordinator_in in;

	memset(&in, 0, sizeof in);
	in.msg_valid = 1;
	in.msg_slot = slot;
	in.msg_commits = climbing_commits(s, slot);
	in.msg_misses = (uint32_t)bits(UINT64_MAX, s->p.count_w);
	in.msg_most = 127;
	in.ord_ready = (r & 15) != 0;
	return in;
}

static struct throttle_coordinator_in any_message(struct coordinator_stimulus *s, uint64_t r, uint64_t q)
{
	struct throttle_coordinator_in in;

	memset(&in, 0, sizeof in);
	if (s->n % (2 * s->p.sms) == 1 || s->wild)
		draw_batch(s, q);
	in.msg_valid = (r & 7) != 0;
	in.msg_slot = s->slot;
	in.msg_commits = (uint32_t)bits((r >> 3 & 7) == 0 || !s->level ? 0 : s->level + (r >> 6 & 1), s->p.count_w);
	in.msg_misses = misses_beside(s, in.msg_commits, r >> 8);
	in.msg_most = (uint8_t)s->most;
	in.ord_ready = r >> 60 & 1 || s->n / 64 % 3 == 0;
	return in;
}

struct throttle_coordinator_in coordinator_stimulus_next(struct coordinator_stimulus *s)
{
	bool climbs = s->n++ / CLIMB % 4 == 3 && !s->wild;
	uint64_t r = random_u64(&s->seed), q = random_u64(&s->seed);
	struct throttle_coordinator_in in = climbs ? climb(s, r) : any_message(s, r, q);

	throttle_coordinator_tick(&s->twin, &in);
	return in;
}

#include "support/bypass_stimulus.h"

#include <string.h>

#include "support/corner.h"
#include "support/random.h"

enum { SHORT_PERIOD = 128 }; /* a longer one that came whole would be all that a test sees */

static uint64_t low_bits(uint64_t cycle, uint32_t period)
{
	return cycle & (UINT64_MAX >> (64 - bypass_monitor_bits(period)));
}

/* A period's traffic: none, a load now and then, in half of the cycles, in all; all hit, all miss, about the rate. */
static void new_period(struct bypass_stimulus *s)
{
	static const uint32_t load[] = {0, 8, 128, 256};
	uint64_t r = random_u64(&s->seed);
	uint32_t misses[] = {0, 256, s->u.p.rate * 256 / 100, s->u.p.rate * 256 / 100 + 1};

	s->loads = load[r & 3];
	s->misses = misses[r >> 2 & 3];
	s->whole = s->u.p.period <= SHORT_PERIOD && (r >> 4 & 3) == 0;
}

void bypass_stimulus_init(struct bypass_stimulus *s, const struct bypass_monitor_params *p, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	bypass_monitor_reset(&s->u, p);
	s->seed = seed;
	new_period(s);
}

/* Cycles up to the period's last one, which is never left out. */
static uint64_t ahead(const struct bypass_stimulus *s)
{
	return low_bits(s->u.last - s->next, s->u.p.period);
}

/* More often where a period ends or begins. */
static bool toggles(struct bypass_stimulus *s)
{
	uint64_t edge = ahead(s) < 2 || ahead(s) + 2 >= s->u.p.period;

	return random_below(&s->seed, edge ? 6 : 4 * (uint64_t)s->u.p.period) == 0;
}

static void skip(struct bypass_stimulus *s)
{
	struct bypass_monitor_in in = {.hold = s->hold};
	struct bypass_monitor_out out;

	bypass_monitor_eval(&s->u, &in, &out);
	if (!out.busy && !s->whole && random_below(&s->seed, 4) == 0)
		s->next += random_below(&s->seed, ahead(s) + 1);
}

static uint32_t wild_now(struct bypass_stimulus *s)
{
	if (s->stands > 0) {
		s->stands--;
		return s->stood;
	}
	if (random_below(&s->seed, 64) == 0)
		s->stands = (unsigned)random_below(&s->seed, 256);
	s->stood = (uint32_t)corner_value(&s->seed, bypass_monitor_bits(s->u.p.period), s->u.last);
	return s->stood;
}

struct bypass_monitor_in bypass_stimulus_next(struct bypass_stimulus *s)
{
	struct bypass_monitor_in in = {.now = 0};

	if (toggles(s))
		s->hold = !s->hold;
	else
		skip(s);
	s->cycle = s->next++;
	in.now = (uint32_t)low_bits(s->cycle, s->u.p.period);
	if (s->wild)
		in.now = wild_now(s);
	in.acc_valid = random_below(&s->seed, 256) < s->loads;
	in.acc_miss = random_below(&s->seed, 256) < s->misses;
	in.hold = s->hold;
	if (in.now == s->u.last)
		new_period(s);
	bypass_monitor_tick(&s->u, &in);
	return in;
}

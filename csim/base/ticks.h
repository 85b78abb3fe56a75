/* Time on the common clock, and the only ways between it and the cycles of a component's own clock.
 *
 * Components run on clocks of their own: cores, network, L2, DRAM, CPU. A cycle of each is a whole number of ticks of
 * the common clock: its period (machine/machine.h). Whatever time passes between components is in ticks: arrivals and
 * latencies of queues, wakes, the `now` of a step. What a component counts for itself is, as a rule, in its own
 * cycles.
 *
 *     struct ticks           a point in time, or a length of it, on the common clock
 *     uint64_t, uint32_t     cycles of the clock that the component runs on; a period, which is the ratio of the two
 *
 * A struct and a number do not mix, so the compiler refuses one where the other is due (test 167). ticks_of(),
 * cycles_in() and cycles_up() lead from one to the other, and ask for the period. What prints, averages or integrates
 * times takes the number out.
 */
#ifndef CSIM_BASE_TICKS_H
#define CSIM_BASE_TICKS_H

#include <stdbool.h>
#include <stdint.h>

struct ticks {
	uint64_t n;
};

/* Later than any time: not known yet, or never. */
#define TIME_NEVER  ((struct ticks){UINT64_MAX})
#define CYCLE_NEVER UINT64_MAX

static inline bool ticks_is_never(struct ticks t)
{
	return t.n == UINT64_MAX;
}

/* ---- between clocks ---- */

/* So many cycles; the edge at which the cycle of that number begins. */
static inline struct ticks ticks_of(uint64_t cycles, uint64_t period)
{
	return (struct ticks){cycles * period};
}

/* Of a point, the number of the cycle in which it lies; of a length, the whole cycles in it. */
static inline uint64_t cycles_in(struct ticks t, uint64_t period)
{
	return t.n / period;
}

/* Likewise, rounded up: the first cycle that does not begin before it; the cycles that it takes up. */
static inline uint64_t cycles_up(struct ticks t, uint64_t period)
{
	return (t.n + period - 1) / period;
}

static inline bool ticks_is_edge(struct ticks t, uint64_t period)
{
	return t.n % period == 0;
}

/* The first edge at or after t. TIME_NEVER stays what it is. */
static inline struct ticks ticks_edge(struct ticks t, uint64_t period)
{
	uint64_t late = ticks_is_never(t) ? 0 : t.n % period;

	return (struct ticks){late ? t.n + (period - late) : t.n};
}

/* So many cycles after t. */
static inline struct ticks ticks_after(struct ticks t, uint64_t cycles, uint64_t period)
{
	return (struct ticks){t.n + cycles * period};
}

/* ---- on the common clock ---- */

static inline bool ticks_equal(struct ticks a, struct ticks b)
{
	return a.n == b.n;
}

static inline bool ticks_before(struct ticks a, struct ticks b)
{
	return a.n < b.n;
}

/* Whether what is due at t has come by `now`: before it or at it. */
static inline bool ticks_by(struct ticks t, struct ticks now)
{
	return t.n <= now.n;
}

static inline struct ticks ticks_earlier(struct ticks a, struct ticks b)
{
	return a.n < b.n ? a : b;
}

static inline struct ticks ticks_later(struct ticks a, struct ticks b)
{
	return a.n > b.n ? a : b;
}

static inline struct ticks ticks_add(struct ticks a, struct ticks b)
{
	return (struct ticks){a.n + b.n};
}

static inline struct ticks ticks_between(struct ticks from, struct ticks to)
{
	return (struct ticks){to.n - from.n};
}

/* ---- stamps: the low half of a point in time, for what is copied often and is not on its way for 2^31 ticks ---- */

struct stamp {
	uint32_t low;
};

static inline struct stamp stamp_of(struct ticks t)
{
	return (struct stamp){(uint32_t)t.n};
}

/* Ticks from one stamp to another one; 0 if that came before it. */
static inline uint32_t stamp_between(struct stamp from, struct stamp to)
{
	uint32_t n = to.low - from.low;

	return n >> 31 ? 0 : n;
}

static inline struct stamp stamp_later(struct stamp a, struct stamp b)
{
	return (b.low - a.low) >> 31 ? a : b;
}

#endif

/* Series: counters over time in fixed memory.
 *
 * A sample is what `width` counters did in an interval of `every` cycles; samples follow one another from cycle 0 on.
 * There is room for `cap` of them. When they are full, each two neighbours become one and the interval doubles: so a
 * run of any length keeps cap / 2 to cap - 1 samples, all of one length but the last, and their sums are the
 * counters'. A counter may be a level instead, which is what something is at the end of the interval: of two
 * neighbours the later one stays.
 */
#ifndef CSIM_BASE_SERIES_H
#define CSIM_BASE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct series {
	uint64_t every;
	uint32_t n, cap, width; /* cap: even */
	const bool *level;	/* by counter */
	uint64_t *word;		/* n samples of `width` words each */
};

/* every >= 1, cap >= 2; level: `width` of them, which stay the caller's. */
void series_init(struct series *s, struct arena *a, uint64_t every, uint32_t cap, uint32_t width, const bool *level);

/* The next full interval. */
void series_add(struct series *s, const uint64_t *word);

/* The end of the time: cycle `cycles`. The last interval is what remains, if anything does; what was counted after
 * that end, or in no cycle at all, belongs to the last one too. */
void series_close(struct series *s, uint64_t cycles, const uint64_t *word);

/* The cycle in which the next sample is due. */
static inline uint64_t series_due(const struct series *s)
{
	return (s->n + 1) * s->every;
}

static inline const uint64_t *series_at(const struct series *s, uint32_t i)
{
	return &s->word[(uint64_t)i * s->width];
}

#endif

/* Whether several threads are faster than one at the moment: they are not where the host has no core for each, or a
 * quantum has too little work. Both ways are timed again and again, and the faster one is kept; what is done does not
 * depend on it.
 *
 * One thread goes on for PACE_ALONE, then several for as long as they are faster than it was, PACE_CREW at most. They
 * are looked at every PACE_LOOK quanta, and when one had to wait for long. Each time that they were not faster they are
 * left alone for twice as long, PACE_MAX_DOUBLES times at most: what is faster may be different soon.
 *
 * Times are nanoseconds of the host.
 */
#ifndef CSIM_MEMSYS_PACE_H
#define CSIM_MEMSYS_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PACE_LOOK = 64,
	PACE_ALONE = 500000,
	PACE_CREW = 100000000,
	PACE_MAX_DOUBLES = 7, /* 64 ms */
	PACE_LEAST = 1000000  /* before several are judged: their first meeting may wake them */
};

struct pace {
	bool crew;		/* several threads are to go on */
	uint64_t quanta, began; /* so many, since then, this way */
	uint64_t stay;		/* how long one thread goes on */
	uint32_t doubles;
	double alone; /* of one thread, a quantum's mean time */
};

void pace_init(struct pace *p, uint64_t now);

/* Says what p->crew is now. */
void pace_look(struct pace *p, uint64_t now);

/* A quantum more; whether to look. waited: somebody had to wait for long. */
static inline bool pace_is_due(struct pace *p, bool waited)
{
	return ++p->quanta % PACE_LOOK == 0 || waited;
}

uint64_t pace_clock(void);

#endif

/* Whether several threads are faster than one at the moment: they are not where the host has no core for each, or a
 * quantum has too little work. Both ways are timed again and again, and the faster one is kept; what is done does not
 * depend on it.
 *
 * One thread takes PACE_TURN looks of PACE_QUANTA quanta, then several go on for as long as they are faster than it
 * was, PACE_CREW looks at most. Each time that they were not they are left alone for twice as long.
 *
 * Times are nanoseconds of the host.
 */
#ifndef CSIM_MEMSYS_PACE_H
#define CSIM_MEMSYS_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_QUANTA = 64, PACE_TURN = 4, PACE_CREW = 256, PACE_LEAST = 4 /* looks */, PACE_MAX_DOUBLES = 8 };

struct pace {
	bool crew; /* several threads are to go on */
	uint32_t quanta, looks, stay, doubles;
	uint64_t at, took, alone; /* the last look; all of this way's looks; of one thread, a look's mean */
};

void pace_init(struct pace *p);

/* At PACE_QUANTA quanta more: what p->crew is now. */
void pace_look(struct pace *p, uint64_t now);

static inline bool pace_is_due(struct pace *p)
{
	return ++p->quanta % PACE_QUANTA == 0;
}

uint64_t pace_clock(void);

#endif

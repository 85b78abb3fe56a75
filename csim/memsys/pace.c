#include "memsys/pace.h"

#include <time.h>

uint64_t pace_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void pace_init(struct pace *p)
{
	*p = (struct pace){.stay = PACE_TURN, .at = pace_clock()};
}

static void change(struct pace *p, bool crew)
{
	p->crew = crew;
	p->looks = 0;
	p->took = 0;
}

static void leave_alone(struct pace *p, uint32_t doubles)
{
	p->doubles = doubles < PACE_MAX_DOUBLES ? doubles : PACE_MAX_DOUBLES;
	p->stay = PACE_TURN << p->doubles;
	change(p, false);
}

void pace_look(struct pace *p, uint64_t now)
{
	p->took += now - p->at;
	p->at = now;
	p->looks++;
	if (!p->crew) {
		if (p->looks < p->stay)
			return;
		p->alone = p->took / p->looks;
		change(p, true);
	} else if (p->looks >= PACE_LEAST && p->took / p->looks >= p->alone) {
		leave_alone(p, p->doubles + 1);
	} else if (p->looks == PACE_CREW) {
		leave_alone(p, 0);
	}
}

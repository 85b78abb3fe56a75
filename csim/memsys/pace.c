#include "memsys/pace.h"

#include <time.h>

uint64_t pace_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void pace_init(struct pace *p, uint64_t now)
{
	*p = (struct pace){.stay = PACE_ALONE, .began = now};
}

static void change(struct pace *p, bool crew, uint64_t now)
{
	p->crew = crew;
	p->quanta = 0;
	p->began = now;
}

static void leave_alone(struct pace *p, uint32_t doubles, uint64_t now)
{
	p->doubles = doubles < PACE_MAX_DOUBLES ? doubles : PACE_MAX_DOUBLES;
	p->stay = (uint64_t)PACE_ALONE << p->doubles;
	change(p, false, now);
}

void pace_look(struct pace *p, uint64_t now)
{
	uint64_t took = now - p->began;

	if (!p->crew) {
		if (took < p->stay)
			return;
		p->alone = (double)took / (double)p->quanta;
		change(p, true, now);
	} else if (took >= PACE_LEAST && (double)took >= p->alone * (double)p->quanta) {
		leave_alone(p, p->doubles + 1, now);
	} else if (took >= PACE_CREW) {
		leave_alone(p, 0, now);
	}
}

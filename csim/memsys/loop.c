#include "memsys/loop.h"

#include "base/panic.h"

void loop_init(struct loop *l, struct arena *a, uint32_t max, uint64_t period)
{
	*l = (struct loop){.period = period, .cap = (max + LOOP_LANES - 1) / LOOP_LANES * LOOP_LANES};
	l->next = arena_array(a, l->cap, sizeof *l->next);
	l->part = arena_array(a, l->cap, sizeof *l->part);
	for (uint32_t i = 0; i < l->cap; i++)
		l->next[i] = TIME_NEVER;
}

uint64_t *loop_add(struct loop *l, loop_step *step, void *part, const char *name)
{
	PANIC_UNLESS(l->n < l->cap, "loop", l->n);
	l->part[l->n] = (struct loop_part){step, part, name};
	l->next[l->n] = 0;
	return &l->next[l->n++];
}

static uint64_t smallest(const uint64_t *v, uint32_t n)
{
	uint64_t lane[LOOP_LANES];

	for (unsigned k = 0; k < LOOP_LANES; k++)
		lane[k] = v[k];
	for (uint32_t i = LOOP_LANES; i < n; i += LOOP_LANES)
		for (unsigned k = 0; k < LOOP_LANES; k++)
			lane[k] = lane[k] < v[i + k] ? lane[k] : v[i + k];
	for (unsigned k = 1; k < LOOP_LANES; k++)
		lane[0] = lane[0] < lane[k] ? lane[0] : lane[k];
	return lane[0];
}

static inline void step(struct loop *l, uint32_t i, uint64_t now)
{
	const struct loop_part *p = &l->part[i];
	uint64_t next;

	l->next[i] = TIME_NEVER; /* a message that comes meanwhile must not be lost */
	next = p->step(p->part, now);
	if (next <= now)
		panic(p->name, now, "its next step is not in the future (tick %llu)", (unsigned long long)next);
	if (l->next[i] > next)
		l->next[i] = next;
}

/* Those that were woken between two edges wait for the next one. */
static void put_off(struct loop *l, uint64_t edge)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->next[i] < edge)
			l->next[i] = edge;
}

static void step_parts(struct loop *l, uint64_t now)
{
	uint64_t late = now % l->period;

	if (late) {
		put_off(l, now + l->period - late);
		return;
	}
	for (uint32_t k = 0; k < l->n; k++) {
		uint32_t i = l->reverse ? l->n - 1 - k : k;

		if (l->next[i] <= now)
			step(l, i, now);
	}
}

bool loop_run(struct loop *l, uint64_t until)
{
	l->until = until;
	for (;;) {
		uint64_t parts = smallest(l->next, l->cap), below = memsys_next(l->memsys);
		uint64_t now = parts < below ? parts : below;

		if (now >= l->until)
			return now != TIME_NEVER;
		l->now = now;
		if (l->reverse && below <= now)
			memsys_step(l->memsys, now);
		if (parts <= now)
			step_parts(l, now);
		if (!l->reverse && below <= now)
			memsys_step(l->memsys, now);
	}
}

void loop_watch(struct loop *l, const struct machine *m, const char *who, uint64_t done)
{
	uint64_t slowest = 0;

	for (unsigned i = 0; i < CLOCK_COUNT; i++)
		if (slowest < m->clock.period[i])
			slowest = m->clock.period[i];
	if (done != l->done) {
		l->done = done;
		l->moved_at = l->now;
	} else if ((l->now - l->moved_at) / slowest >= LOOP_PATIENCE) {
		panic(who, l->now / l->period, "nothing has moved since cycle %llu", (unsigned long long)(l->moved_at / l->period));
	}
}

#include "memsys/loop.h"

#include "base/panic.h"

void loop_init(struct loop *l, struct arena *a, uint32_t max, uint64_t period)
{
	PANIC_UNLESS(max && period, "loop", 0);
	*l = (struct loop){.period = period, .cap = due_room(max)};
	l->next = arena_array(a, l->cap, sizeof *l->next);
	l->part = arena_array(a, l->cap, sizeof *l->part);
	for (uint32_t i = 0; i < l->cap; i++)
		l->next[i] = TIME_NEVER;
}

struct ticks *loop_add(struct loop *l, loop_step *step, void *part, const char *name)
{
	PANIC_UNLESS(l->n < l->cap, "loop", l->n);
	l->part[l->n] = (struct loop_part){step, part, name, false};
	l->next[l->n] = (struct ticks){0};
	return &l->next[l->n++];
}

void loop_keep_apart(struct loop *l, const struct ticks *next)
{
	l->part[next - l->next].apart = true;
}

static inline void step(struct loop *l, uint32_t i, struct ticks now)
{
	const struct loop_part *p = &l->part[i];
	struct ticks next;

	l->below_known = l->below_known && p->apart;
	l->next[i] = TIME_NEVER; /* a message that comes meanwhile must not be lost */
	next = p->step(p->part, now);
	if (ticks_by(next, now))
		panic(p->name, now.n, "its next step is not in the future (tick %llu)", (unsigned long long)next.n);
	l->next[i] = ticks_earlier(l->next[i], next);
}

/* Those that were woken between two edges wait for the next one. */
static void put_off(struct loop *l, struct ticks edge)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->next[i] = ticks_later(l->next[i], edge);
}

static inline void step_due(struct loop *l, uint32_t from, struct ticks now)
{
	uint64_t due = due_set(l->next, from, l->cap, now);

	while (due)
		step(l, from + due_take(&due, l->reverse), now);
}

static void step_parts(struct loop *l, struct ticks now)
{
	struct ticks edge = ticks_edge(now, l->period);
	uint32_t words = (l->cap + DUE_WORD - 1) / DUE_WORD;

	if (ticks_before(now, edge)) {
		put_off(l, edge);
		return;
	}
	for (uint32_t w = 0; w < words; w++)
		step_due(l, (l->reverse ? words - 1 - w : w) * DUE_WORD, now);
}

static inline struct ticks next_below(struct loop *l)
{
	if (!l->below_known)
		l->below = memsys_next(l->memsys);
	l->below_known = true;
	return l->below;
}

static inline void step_below(struct loop *l, struct ticks now)
{
	memsys_step(l->memsys, now);
	l->below_known = false;
}

bool loop_run(struct loop *l, struct ticks until)
{
	l->until = until;
	l->below_known = false;
	for (;;) {
		struct ticks parts = due_soonest(l->next, l->cap), below = next_below(l), now = ticks_earlier(parts, below);

		if (ticks_by(l->until, now))
			return !ticks_is_never(now);
		l->now = now;
		if (l->reverse && ticks_by(below, now))
			step_below(l, now);
		if (ticks_by(parts, now))
			step_parts(l, now);
		if (!l->reverse && ticks_by(below, now))
			step_below(l, now);
	}
}

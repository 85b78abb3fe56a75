#include "sm/l0.h"

#include "base/panic.h"
#include "base/ring.h"

static void forget_found(struct l0 *l)
{
	for (unsigned i = 0; i < L0_FOUND; i++)
		l->found[i] = i ^ 1;
}

void l0_init(struct l0 *l, struct arena *a, const struct machine *m)
{
	const struct machine_cache *c = &m->l0.c;

	*l = (struct l0){.depth = m->l0.stream};
	forget_found(l);
	tags_init(&l->tags, a, machine_cache_sets(c), c->assoc, c->line, NULL);
	l->mask = (uint32_t)ring_slots((uint64_t)machine_cache_sets(c) * c->assoc) - 1; /* one for each line */
	l->demand = arena_array(a, (size_t)l->mask + 1, sizeof *l->demand);
}

static uint64_t bit_of(uint64_t line)
{
	return UINT64_C(1) << line % 64;
}

static void extend(struct l0 *l, uint64_t end)
{
	while (l->n < l->depth && l->first + l->n < end)
		l->n++;
}

static void demand(struct l0 *l, uint64_t line)
{
	PANIC_UNLESS(l->tail - l->head <= l->mask, "l0", line);
	l->demand[l->tail++ & l->mask] = line;
}

/* The line takes the slot. */
static void reserve(struct l0 *l, uint32_t slot, uint64_t line, enum tags_state state)
{
	tags_take(&l->tags, slot, line, state);
	forget_found(l);
}

static enum l0_result miss(struct l0 *l, uint32_t slot, uint64_t line, uint64_t end)
{
	l->stats.misses++;
	reserve(l, slot, line, TAGS_RESERVED);
	demand(l, line);
	l->first = line + 1;
	l->n = l->asked = 0;
	l->here = 0;
	extend(l, end);
	return L0_WAITS;
}

/* The buffer's first line is looked up. */
static enum l0_result take_first(struct l0 *l, uint32_t slot, uint64_t end)
{
	uint64_t line = l->first++;
	bool here = l->here & bit_of(line);

	l->stats.stream++;
	reserve(l, slot, line, here ? TAGS_VALID : TAGS_RESERVED);
	if (l->asked)
		l->asked--;
	else
		demand(l, line);
	l->here &= ~bit_of(line);
	l->n--;
	extend(l, end);
	return here ? L0_HIT : L0_WAITS;
}

enum l0_result l0_search(struct l0 *l, uint64_t line, uint64_t end)
{
	uint32_t slot;
	enum tags_result r = tags_probe(&l->tags, tags_set(&l->tags, 0, line), line, &slot);

	if (r == TAGS_FAIL || (r == TAGS_MISS && l->tail - l->head > l->mask))
		return L0_FULL;
	if (r == TAGS_MISS)
		return l->n && line == l->first ? take_first(l, slot, end) : miss(l, slot, line, end);
	tags_touch(&l->tags, slot);
	if (r == TAGS_HIT_RESERVED) {
		l->stats.waits++;
		return L0_WAITS;
	}
	l->stats.hits++;
	l->found[line % L0_FOUND] = (uint32_t)line;
	return L0_HIT;
}

uint64_t l0_request(struct l0 *l)
{
	PANIC_UNLESS(l0_has_request(l), "l0", l->first);
	l->out++;
	if (l->head != l->tail) {
		l->stats.demands++;
		return l->demand[l->head++ & l->mask];
	}
	l->stats.prefetches++;
	return l->first + l->asked++;
}

void l0_take(struct l0 *l, uint64_t line)
{
	uint32_t slot;

	PANIC_UNLESS(l->out > 0, "l0", line);
	l->out--;
	l->stats.came++;
	if (tags_probe(&l->tags, tags_set(&l->tags, 0, line), line, &slot) == TAGS_HIT_RESERVED)
		tags_fill(&l->tags, slot);
	else if (line - l->first < l->asked)
		l->here |= bit_of(line);
}

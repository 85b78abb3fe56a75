/* Compulsory, capacity or conflict: a set of all line numbers seen (open addressing, at most half full), and a fully
 * associative cache of the same size. */
#include <stdlib.h>

#include "base/arena.h"
#include "replay/dinero.h"
#include "cache/tags.h"

struct dinero_classes {
	struct arena arena;
	struct tags full;
	uint64_t *seen; /* line number + 1; 0: empty */
	uint32_t bits;	/* log2 of its size */
	uint64_t n;
};

struct dinero_classes *dinero_classes_new(uint32_t lines)
{
	struct dinero_classes *c = xcalloc(1, sizeof *c);

	tags_init(&c->full, &c->arena, 1, lines, 1, NULL);
	c->bits = 12;
	c->seen = xcalloc((size_t)1 << c->bits, sizeof *c->seen);
	return c;
}

void dinero_classes_free(struct dinero_classes *c)
{
	arena_free(&c->arena);
	free(c->seen);
	free(c);
}

/* Where a key is, or the empty slot where it belongs. */
static uint64_t *slot(const struct dinero_classes *c, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << c->bits) - 1, i = key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - c->bits);

	while (c->seen[i] && c->seen[i] != key)
		i = (i + 1) & mask;
	return &c->seen[i];
}

static void grow(struct dinero_classes *c)
{
	uint64_t *old = c->seen, size = UINT64_C(1) << c->bits;

	c->bits++;
	c->seen = xcalloc((size_t)1 << c->bits, sizeof *c->seen);
	for (uint64_t i = 0; i < size; i++)
		if (old[i])
			*slot(c, old[i]) = old[i];
	free(old);
}

/* Whether the line is new; remembers it. */
static bool is_first(struct dinero_classes *c, uint64_t line)
{
	uint64_t *p = slot(c, line + 1);

	if (*p)
		return false;
	*p = line + 1;
	if (++c->n * 2 > UINT64_C(1) << c->bits)
		grow(c);
	return true;
}

enum dinero_class dinero_classes_access(struct dinero_classes *c, uint64_t line, bool allocate)
{
	uint32_t slot;

	if (tags_probe(&c->full, 0, line, &slot) == TAGS_HIT) {
		tags_touch(&c->full, slot);
		return DIN_CONFLICT; /* a line that is there has been seen */
	}
	if (allocate)
		tags_take(&c->full, slot, line, TAGS_VALID);
	return is_first(c, line) ? DIN_COMPULSORY : DIN_CAPACITY;
}

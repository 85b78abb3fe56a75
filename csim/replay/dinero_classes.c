/* Compulsory, capacity or conflict: a set of all line numbers seen, and a fully associative cache of the same size. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash_map.h"
#include "replay/dinero.h"
#include "cache/tags.h"

struct dinero_classes {
	struct arena arena, of_seen;
	struct tags full;
	struct hash_map seen; /* by line; the values have no meaning */
	uint32_t n, most;     /* lines in it; for how many it has room */
};

struct dinero_classes *dinero_classes_new(uint32_t lines)
{
	struct dinero_classes *c = xcalloc(1, sizeof *c);

	tags_init(&c->full, &c->arena, 1, lines, 1, NULL);
	c->most = 1 << 11;
	hash_map_init(&c->seen, &c->of_seen, c->most);
	return c;
}

void dinero_classes_free(struct dinero_classes *c)
{
	arena_free(&c->of_seen);
	arena_free(&c->arena);
	free(c);
}

static void grow(struct dinero_classes *c)
{
	struct arena before = c->of_seen;
	struct hash_map seen = c->seen;

	c->of_seen = (struct arena){.head = NULL};
	c->most *= 2;
	hash_map_init(&c->seen, &c->of_seen, c->most);
	hash_map_insert_all(&c->seen, &seen);
	arena_free(&before);
}

/* Whether the line is new; remembers it. */
static bool is_first(struct dinero_classes *c, uint64_t line)
{
	uint32_t none;

	if (hash_map_find(&c->seen, line, &none))
		return false;
	if (c->n == c->most)
		grow(c);
	hash_map_insert(&c->seen, line, 0);
	c->n++;
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

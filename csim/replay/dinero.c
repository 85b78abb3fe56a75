#include "replay/dinero.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "cache/tags.h"
#include "hw/twins/pric.h"

struct dinero_cache {
	struct arena arena;
	struct tags tags;
	struct dinero_classes *classes;
	struct dinero_params p;
	struct dinero_counts n;
	uint32_t shift; /* log2 of a line's bytes */
};

static bool is_pow2(uint64_t x)
{
	return x && !(x & (x - 1));
}

static struct pric_params pric_of(const struct dinero_params *p, uint32_t sets)
{
	return pric_params_of(p->poly, sets, p->line, p->addr_bits ? p->addr_bits : 64);
}

int dinero_check(struct dinero_params *p, uint32_t *sets, struct err *e)
{
	struct pric_params pric;
	uint64_t lines;

	if (!is_pow2(p->line) || p->line > 65536)
		return err_set(e, "lines of %u bytes: a power of two up to 65536 is needed", p->line);
	lines = p->bytes / p->line;
	if (!lines || lines > DIN_MAX_LINES)
		return err_set(e, "%lu bytes in lines of %u: 1 to %u lines are needed", (unsigned long)p->bytes, p->line,
			       DIN_MAX_LINES);
	if (!p->assoc)
		p->assoc = (uint32_t)lines;
	if (p->bytes % ((uint64_t)p->line * p->assoc) || !is_pow2(lines / p->assoc))
		return err_set(e, "%lu bytes in lines of %u and %u ways do not make a power of two of sets",
			       (unsigned long)p->bytes, p->line, p->assoc);
	*sets = (uint32_t)(lines / p->assoc);
	if (!p->poly)
		return 0;
	pric = pric_of(p, *sets);
	return pric_params_check(&pric, e);
}

struct dinero_cache *dinero_open(const struct dinero_params *params, struct err *e)
{
	struct dinero_params p = *params;
	struct pric_port port = {0};
	struct dinero_cache *c;
	uint32_t sets = 0;

	if (dinero_check(&p, &sets, e) != 0)
		return NULL;
	c = xcalloc(1, sizeof *c);
	c->p = p;
	c->shift = (uint32_t)__builtin_ctz(p.line);
	if (p.poly) {
		struct hw_binder b = hw_golden_binder(&c->arena);
		struct pric_params pric = pric_of(&p, sets);

		if (pric_bind(&b, "cache", &pric, &port, e) != 0) {
			dinero_close(c);
			return NULL;
		}
	}
	tags_init(&c->tags, &c->arena, sets, p.assoc, p.line, p.poly ? &port : NULL);
	tags_replace_with(&c->tags, &c->arena, p.replacement, p.seed);
	if (p.classify)
		c->classes = dinero_classes_new((uint32_t)(p.bytes / p.line));
	return c;
}

void dinero_close(struct dinero_cache *c)
{
	if (!c)
		return;
	if (c->classes)
		dinero_classes_free(c->classes);
	arena_free(&c->arena);
	free(c);
}

static void miss(struct dinero_cache *c, uint64_t line, uint32_t slot)
{
	enum tags_state victim = tags_state(&c->tags, slot);

	c->n.evictions += victim != TAGS_INVALID;
	c->n.write_backs += victim == TAGS_DIRTY;
	tags_take(&c->tags, slot, line, TAGS_VALID);
}

void dinero_access(struct dinero_cache *c, enum dinero_kind kind, uint64_t addr)
{
	static const uint64_t some[2] = {1, 0};
	uint64_t line = addr >> c->shift;
	bool write = kind == DIN_WRITE, allocate = !(write && c->p.no_write_allocate), hit;
	uint32_t slot;
	enum dinero_class class = DIN_CONFLICT;

	c->n.accesses[kind]++;
	hit = tags_probe(&c->tags, tags_set(&c->tags, 0, line), line, &slot) == TAGS_HIT;
	if (c->classes)
		class = dinero_classes_access(c->classes, line, allocate);
	if (hit) {
		tags_touch(&c->tags, slot);
	} else {
		c->n.misses[kind]++;
		c->n.class[class] += c->classes != NULL;
		if (allocate)
			miss(c, line, slot);
	}
	if (!write)
		return;
	if (c->p.write_through || !(hit || allocate))
		c->n.below++;
	else
		tags_write(&c->tags, slot, some);
}

struct dinero_counts dinero_count(const struct dinero_cache *c)
{
	struct dinero_counts n = c->n;

	for (uint32_t s = 0; s < tags_slots(&c->tags); s++)
		n.dirty_left += tags_state(&c->tags, s) == TAGS_DIRTY;
	return n;
}

#include "replay/dinero.h"

#include <stdlib.h>

#include "base/arena.h"
#include "hw/pric.h"
#include "cache/tags.h"

struct din_cache {
	struct arena arena;
	struct tags tags;
	struct din_classes *classes;
	struct din_params p;
	struct din_counts n;
	uint32_t shift; /* log2 of a line's bytes */
};

static bool is_pow2(uint64_t x)
{
	return x && !(x & (x - 1));
}

static struct pric_params pric_of(const struct din_params *p, uint32_t sets)
{
	return pric_params_of(p->poly, sets, p->line, p->addr_bits ? p->addr_bits : 64);
}

int din_check(struct din_params *p, uint32_t *sets, struct err *e)
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

struct din_cache *din_open(const struct din_params *params, struct err *e)
{
	struct din_params p = *params;
	struct pric_port port = {0};
	struct din_cache *c;
	uint32_t sets = 0;

	if (din_check(&p, &sets, e) != 0)
		return NULL;
	c = xcalloc(1, sizeof *c);
	c->p = p;
	c->shift = (uint32_t)__builtin_ctz(p.line);
	if (p.poly) {
		struct hw_binder b = hw_golden_binder(&c->arena);
		struct pric_params pric = pric_of(&p, sets);

		if (pric_bind(&b, "cache", &pric, &port, e) != 0) {
			din_close(c);
			return NULL;
		}
	}
	tags_init(&c->tags, &c->arena, sets, p.assoc, p.line, p.poly ? &port : NULL);
	if (p.classify)
		c->classes = din_classes_new((uint32_t)(p.bytes / p.line));
	return c;
}

void din_close(struct din_cache *c)
{
	if (!c)
		return;
	if (c->classes)
		din_classes_free(c->classes);
	arena_free(&c->arena);
	free(c);
}

static void miss(struct din_cache *c, uint64_t line, uint32_t slot)
{
	enum tags_state victim = tags_state(&c->tags, slot);

	c->n.evictions += victim != TAGS_INVALID;
	c->n.write_backs += victim == TAGS_DIRTY;
	tags_take(&c->tags, slot, line, TAGS_VALID);
}

void din_access(struct din_cache *c, enum din_kind kind, uint64_t addr)
{
	static const uint64_t some[2] = {1, 0};
	uint64_t line = addr >> c->shift;
	bool write = kind == DIN_WRITE, allocate = !(write && c->p.no_write_allocate), hit;
	uint32_t slot;
	enum din_class class = DIN_CONFLICT;

	c->n.accesses[kind]++;
	hit = tags_probe(&c->tags, tags_set(&c->tags, 0, line), line, &slot) == TAGS_HIT;
	if (c->classes)
		class = din_classes_access(c->classes, line, allocate);
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

struct din_counts din_count(const struct din_cache *c)
{
	struct din_counts n = c->n;

	for (uint32_t s = 0; s < tags_slots(&c->tags); s++)
		n.dirty_left += tags_state(&c->tags, s) == TAGS_DIRTY;
	return n;
}

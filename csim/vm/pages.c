#include "vm/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/panic.h"
#include "base/region.h"
#include "vm/pages_impl.h"

static uint64_t node_bytes(const struct pages *p, uint32_t level)
{
	return (uint64_t)PAGES_ENTRY_BYTES << p->bits[level];
}

/* The physical address of a new node; all of its entries are absent. Nodes share frames; the tree's are spread finely.
 * 0: there is no room (no node but the root, the first of all, is at 0). */
static uint64_t node_new(struct pages *p, uint32_t level)
{
	uint64_t size = node_bytes(p, level), frame;

	p->node_next = (p->node_next + size - 1) / size * size;
	if (p->node_next + size > p->node_end) {
		frame = frames_take_fine(&p->frames);
		if (frame == FRAMES_NONE)
			return 0;
		p->table_frames++;
		p->node_next = frame << p->page_bits;
		p->node_end = p->node_next + p->p.page;
	}
	p->node_next += size;
	p->node_bytes += size;
	return p->node_next - size;
}

/* The lowest level has what is left of the page number's bits. */
static void shape(struct pages *p)
{
	uint32_t left = PAGES_ADDRESS_BITS - p->page_bits;

	for (p->levels = 0; left; p->levels++) {
		uint32_t bits = left < PAGES_LEVEL_BITS ? left : PAGES_LEVEL_BITS;

		PANIC_UNLESS(p->levels < PAGES_MAX_LEVELS, "pages", p->page_bits);
		left -= bits;
		p->bits[p->levels] = (uint8_t)bits;
		p->shift[p->levels] = (uint8_t)left;
	}
}

void pages_init(struct pages *p, struct arena *a, const struct pages_params *params)
{
	PANIC_UNLESS(params->page == 4 << 10 || params->page == 64 << 10 || params->page == 2 << 20, "pages", params->page);
	PANIC_UNLESS(params->placement <= PAGES_FIRST_TOUCH, "pages", params->placement);
	*p = (struct pages){.p = *params, .arena = a};
	p->page_bits = (uint32_t)__builtin_ctzll(params->page);
	shape(p);
	frames_init(&p->frames, a, params->stacks, params->page, params->stack_bytes);
	bytes_init(&p->bytes, a, params->stacks * params->stack_bytes);
	p->on_stack = arena_array(a, params->stacks, sizeof *p->on_stack);
	p->root = node_new(p, 0);
}

void pages_free(struct pages *p)
{
	region_drop(p->arena->region, p->range);
	region_drop(p->arena->region, p->birth);
	p->range = NULL;
	p->birth = NULL;
}

/* How many levels of the page's path are there now; *entry: the last of them (the root's address if there is none). */
static uint32_t descend(const struct pages *p, uint64_t page, uint64_t *entry)
{
	*entry = p->root;
	for (uint32_t l = 0; l < p->levels; l++) {
		uint64_t next = bytes_read64(&p->bytes, pages_entry_in(p, pages_entry_addr(*entry), page, l));

		if (!pages_entry_present(next))
			return l;
		*entry = next;
	}
	return p->levels;
}

/* What a birth of this tick added to the path was not there before. */
static uint32_t before(const struct pages *p, uint64_t page, struct ticks now, uint32_t depth)
{
	PANIC_UNLESS(ticks_by(p->born_at, now), "pages", now.n);
	if (ticks_before(p->born_at, now))
		return depth;
	for (uint32_t i = 0; i < p->n_births; i++) {
		const struct pages_birth *b = &p->birth[i];

		if (b->depth < depth && (page ^ b->page) >> p->shift[b->depth] == 0)
			depth = b->depth;
	}
	return depth;
}

uint32_t pages_depth(const struct pages *p, uint64_t page, struct ticks now)
{
	uint64_t entry;

	return pages_too_wide(p, page) ? 0 : before(p, page, now, descend(p, page, &entry));
}

uint64_t pages_lookup(const struct pages *p, uint64_t page, struct ticks now)
{
	uint64_t entry;

	if (pages_too_wide(p, page))
		return 0;
	return before(p, page, now, descend(p, page, &entry)) == p->levels ? entry : 0;
}

bool pages_translate(const struct pages *p, uint64_t addr, struct ticks now, struct pages_at *at)
{
	uint64_t entry = pages_lookup(p, pages_number(p, addr), now);

	*at = (struct pages_at){.addr = pages_entry_addr(entry) | (addr & (p->p.page - 1)), .mode = pages_entry_mode(entry)};
	return pages_entry_present(entry);
}

void pages_born(struct pages *p, uint64_t page, uint32_t depth, struct ticks now)
{
	PANIC_UNLESS(ticks_by(p->born_at, now), "pages", now.n);
	if (ticks_before(p->born_at, now))
		p->n_births = 0;
	if (p->n_births == p->cap_births) {
		p->cap_births = p->cap_births ? 2 * p->cap_births : 16;
		p->birth =
			region_grow(p->arena->region, p->birth, p->n_births * sizeof *p->birth, p->cap_births * sizeof *p->birth);
	}
	p->birth[p->n_births++] = (struct pages_birth){page, depth};
	p->born_at = now;
}

int pages_map(struct pages *p, uint64_t page, uint64_t frame, uint8_t mode, struct err *e)
{
	uint64_t at, node;
	uint32_t level = descend(p, page, &at);

	for (; level < p->levels - 1; level++, at = node) {
		node = node_new(p, level + 1);
		if (!node)
			return pages_no_room(p, "the page table", PAGES_FGP_ANYWHERE, e);
		bytes_write64(&p->bytes, pages_entry_in(p, pages_entry_addr(at), page, level), PAGES_PRESENT | node);
	}
	bytes_write64(&p->bytes, pages_entry_in(p, pages_entry_addr(at), page, level),
		      PAGES_PRESENT | (uint64_t)mode << 1 | frame << p->page_bits);
	p->mapped++;
	p->by_mode[mode]++;
	if (mode == MODE_CGP)
		p->on_stack[frame & (p->p.stacks - 1)]++;
	return 0;
}

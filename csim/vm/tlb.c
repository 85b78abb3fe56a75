#include "vm/tlb.h"

#include "base/panic.h"

void tlb_init(struct tlb *t, struct arena *a, uint32_t entries, uint32_t ways)
{
	PANIC_UNLESS(ways && entries % ways == 0, "tlb", 0);
	tags_init(&t->tags, a, entries / ways, ways, 1, NULL);
	t->entry = arena_array(a, tags_slots(&t->tags), sizeof *t->entry);
}

uint64_t tlb_lookup(struct tlb *t, uint64_t page)
{
	uint32_t slot;

	if (tags_probe(&t->tags, tags_set(&t->tags, 0, page), page, &slot) != TAGS_HIT)
		return 0;
	tags_touch(&t->tags, slot);
	return t->entry[slot];
}

uint64_t tlb_peek(const struct tlb *t, uint64_t page)
{
	uint32_t slot;

	return tags_probe(&t->tags, tags_set(&t->tags, 0, page), page, &slot) == TAGS_HIT ? t->entry[slot] : 0;
}

void tlb_fill(struct tlb *t, uint64_t page, uint64_t entry)
{
	uint32_t slot = 0;

	PANIC_UNLESS(entry, "tlb", page);
	PANIC_UNLESS(tags_probe(&t->tags, tags_set(&t->tags, 0, page), page, &slot) == TAGS_MISS, "tlb", page);
	tags_take(&t->tags, slot, page, TAGS_VALID);
	t->entry[slot] = entry;
}

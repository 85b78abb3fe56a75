#include "spec/tafe.h"

#include <stddef.h>

void spec_tafe_reset(struct spec_tafe *s, unsigned index_bits)
{
	*s = (struct spec_tafe){.index_bits = index_bits};
}

void spec_tafe_register(struct spec_tafe *s, unsigned entry, uint64_t base, uint64_t elements, uint64_t read, unsigned size)
{
	s->array[entry].used = true;
	s->array[entry].base = base;
	s->array[entry].limit = base + (elements << size);
	s->array[entry].read = read;
	s->array[entry].size = size;
}

void spec_tafe_release(struct spec_tafe *s, unsigned entry)
{
	s->array[entry].used = false;
}

static void element(struct spec_tafe *s, unsigned entry, uint64_t index, uint64_t value, bool whole)
{
	if (index >= s->array[entry].read) {
		s->dropped++;
		return;
	}
	s->passed_on++;
	s->saturated += !whole || value >> s->index_bits;
}

void spec_tafe_store(struct spec_tafe *s, uint64_t address, uint64_t data, unsigned size)
{
	for (unsigned e = 0; e < SPEC_TAFE_ENTRIES; e++) {
		unsigned width = s->array[e].size;

		if (!s->array[e].used || address < s->array[e].base || address >= s->array[e].limit)
			continue;
		if (size < width)
			element(s, e, (address - s->array[e].base) >> width, data, false);
		for (unsigned at = 0; at < 1u << size && size >= width; at += 1u << width)
			element(s, e, (address + at - s->array[e].base) >> width,
				data >> 8 * at & UINT64_MAX >> (64 - (8u << width)), true);
		return;
	}
}

const char *spec_tafe_events(const struct spec_tafe *s, uint64_t passed_on, uint64_t dropped, uint64_t saturated)
{
	if (passed_on != s->passed_on)
		return "an element that a CTA reads is not passed on once";
	if (dropped != s->dropped)
		return "an element that nobody reads is not dropped once";
	return saturated == s->saturated ? NULL : "saturated elements are not counted once";
}

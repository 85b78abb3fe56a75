#include "bind/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"

const char *bind_suffix(enum hw_side side)
{
	return side == HW_INPUT ? "_i" : side == HW_OUTPUT ? "_o" : "_q";
}

void bind_layout_of(struct bind_layout *l, const struct hw_block *b, const void *params)
{
	struct hw_field field[HW_MAX_FIELDS];

	memset(l, 0, sizeof *l);
	for (int k = 0; k < HW_SIDES; k++) {
		struct bind_side *s = &l->side[k];

		s->n = b->fields(params, k, field);
		for (unsigned i = 0; i < s->n; i++) {
			uint32_t bits = field[i].count * field[i].width;

			s->slot[i] = (struct bind_slot){field[i], bits, s->words, (bits + 63) / 64};
			s->words += (bits + 63) / 64;
			s->bits += bits;
		}
	}
}

static inline uint64_t load(const unsigned char *at, size_t size)
{
	uint16_t h;
	uint32_t w;
	uint64_t d;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&h, at, sizeof h);
		return h;
	case 4:
		memcpy(&w, at, sizeof w);
		return w;
	default:
		memcpy(&d, at, sizeof d);
		return d;
	}
}

static inline uint64_t low_bits(uint64_t v, uint32_t width)
{
	return width < 64 ? v & ((UINT64_C(1) << width) - 1) : v;
}

static void put_element(const struct bind_slot *slot, uint64_t *words, uint32_t i, uint64_t value)
{
	uint32_t width = slot->f.width, at = i * width, shift = at % 64;
	uint64_t *w = words + slot->word + at / 64, v = low_bits(value, width), mask = low_bits(UINT64_MAX, width);

	w[0] = (w[0] & ~(mask << shift)) | v << shift;
	if (shift + width > 64)
		w[1] = (w[1] & ~(mask >> (64 - shift))) | v >> (64 - shift);
}

uint64_t bind_element(const struct bind_slot *slot, const uint64_t *words, uint32_t i)
{
	uint32_t width = slot->f.width, at = i * width, shift = at % 64;
	const uint64_t *w = words + slot->word + at / 64;
	uint64_t v = w[0] >> shift;

	if (shift + width > 64)
		v |= w[1] << (64 - shift);
	return low_bits(v, width);
}

void bind_pack(const struct bind_side *s, const void *c_struct, uint64_t *words)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct bind_slot *slot = &s->slot[i];
		const unsigned char *at = (const unsigned char *)c_struct + slot->f.offset;

		if (slot->f.count == 1) {
			words[slot->word] = low_bits(load(at, slot->f.size), slot->f.width);
			continue;
		}
		memset(words + slot->word, 0, slot->words * sizeof *words);
		for (uint32_t k = 0; k < slot->f.count; k++)
			put_element(slot, words, k, load(at + k * slot->f.size, slot->f.size));
	}
}

void bind_unpack(const struct bind_side *s, const uint64_t *words, void *c_struct)
{
	for (unsigned i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->slot[i].f.count; k++)
			hw_put(c_struct, s->slot[i].f.offset + k * s->slot[i].f.size, s->slot[i].f.size,
			       bind_element(&s->slot[i], words, k));
}

void bind_packer_init(struct bind_packer *p, const struct bind_side *side)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < side->n; i++)
		bytes += side->slot[i].f.count * side->slot[i].f.size;
	p->side = side;
	p->last = xcalloc(bytes + 1, 1);
	p->words = xcalloc(side->words + 1, sizeof *p->words);
}

const uint64_t *bind_packer_update(struct bind_packer *p, const void *base)
{
	unsigned char *last = p->last;

	for (unsigned i = 0; i < p->side->n; i++) {
		const struct bind_slot *slot = &p->side->slot[i];
		const unsigned char *at = (const unsigned char *)base + slot->f.offset;
		size_t size = slot->f.size, bytes = slot->f.count * size;

		if (slot->f.count == 1) {
			p->words[slot->word] = low_bits(load(at, size), slot->f.width);
		} else if (memcmp(at, last, bytes) != 0) {
			for (uint32_t k = 0; k < slot->f.count; k++)
				if (load(at + k * size, size) != load(last + k * size, size))
					put_element(slot, p->words, k, load(at + k * size, size));
			memcpy(last, at, bytes);
		}
		last += bytes;
	}
	return p->words;
}

void bind_packer_free(struct bind_packer *p)
{
	free(p->last);
	free(p->words);
	memset(p, 0, sizeof *p);
}

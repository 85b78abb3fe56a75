#include "bind/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"

/* "_i", "_o", "_q" */
static const char *suffix_of(enum hw_side side)
{
	return side == HW_INPUT ? "_i" : side == HW_OUTPUT ? "_o" : "_q";
}

static const char *join_names(char out[160], const char *name, enum hw_side side, char joint)
{
	size_t n = 0;

	for (; *name && n < 150; name++) {
		bool pair = side == HW_REG && name[0] == '_' && name[1] == '_';

		out[n++] = pair ? joint : *name;
		name += pair;
	}
	snprintf(out + n, 160 - n, "%s", suffix_of(side));
	return out;
}

const char *bind_rtl_name(char out[160], const char *name, enum hw_side side)
{
	return join_names(out, name, side, '.');
}

const char *bind_golden_name(char out[160], const char *name, enum hw_side side)
{
	return join_names(out, name, side, '_');
}

static void list_scalars(struct bind_side *s)
{
	for (unsigned k = 0; k < BIND_SIZES; k++) {
		for (unsigned i = 0; i < s->n; i++)
			if (s->slot[i].f.count == 1 && s->slot[i].f.size == (size_t)1 << k)
				s->scalar[s->n_scalars++] = (struct bind_scalar){.offset = (uint32_t)s->slot[i].f.offset,
										 .word = s->slot[i].word,
										 .mask = UINT64_MAX >> (64 - s->slot[i].f.width)};
		s->scalar_end[k] = s->n_scalars;
	}
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
		list_scalars(s);
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

/* Returns the bits for which there is no room. */
static uint64_t put_element(const struct bind_slot *slot, uint64_t *words, uint32_t i, uint64_t value)
{
	uint32_t width = slot->f.width, at = i * width, shift = at % 64;
	uint64_t *w = words + slot->word + at / 64, v = low_bits(value, width), mask = low_bits(UINT64_MAX, width);

	w[0] = (w[0] & ~(mask << shift)) | v << shift;
	if (shift + width > 64)
		w[1] = (w[1] & ~(mask >> (64 - shift))) | v >> (64 - shift);
	return value ^ v;
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

/* With loads of the members' own sizes: a wider one would wait for the stores of the step before. A loop for each size
 * knows its load. */
static inline uint64_t pack_scalars(const struct bind_side *s, const void *c_struct, uint64_t *words)
{
	const struct bind_scalar *m = s->scalar;
	uint64_t excess = 0;

#define PACK(k)                                                                                                                    \
	for (const struct bind_scalar *end = s->scalar + s->scalar_end[k]; m < end; m++) {                                         \
		uint64_t v = load((const unsigned char *)c_struct + m->offset, (size_t)1 << (k));                                  \
                                                                                                                                   \
		words[m->word] = v & m->mask;                                                                                      \
		excess |= v & ~m->mask;                                                                                            \
	}
	PACK(0)
	PACK(1)
	PACK(2)
	PACK(3)
#undef PACK
	return excess;
}

uint64_t bind_pack(const struct bind_side *s, const void *c_struct, uint64_t *words)
{
	uint64_t excess = pack_scalars(s, c_struct, words);

	for (unsigned i = 0; i < s->n && s->n_scalars < s->n; i++) {
		const struct bind_slot *slot = &s->slot[i];
		const unsigned char *at = (const unsigned char *)c_struct + slot->f.offset;

		if (slot->f.count == 1)
			continue;
		memset(words + slot->word, 0, slot->words * sizeof *words);
		for (uint32_t k = 0; k < slot->f.count; k++)
			excess |= put_element(slot, words, k, load(at + k * slot->f.size, slot->f.size));
	}
	return excess;
}

bool bind_excess(const struct bind_side *s, const void *c_struct, unsigned *slot, uint32_t *element, uint64_t *value)
{
	for (*slot = 0; *slot < s->n; ++*slot) {
		const struct hw_field *f = &s->slot[*slot].f;

		for (*element = 0; *element < f->count; ++*element) {
			*value = load((const unsigned char *)c_struct + f->offset + *element * f->size, f->size);
			if (*value != low_bits(*value, f->width))
				return true;
		}
	}
	return false;
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

/* Packs the elements of a piece of the array in which anything differs from the last image, and keeps the new image. */
static void update_piece(struct bind_packer *p, const struct bind_slot *slot, const unsigned char *array, unsigned char *last,
			 size_t from, size_t bytes)
{
	size_t size = slot->f.size;

	for (size_t at = from; at < from + bytes; at += size)
		if (load(array + at, size) != load(last + at, size))
			p->excess |= put_element(slot, p->words, (uint32_t)(at / size), load(array + at, size));
	memcpy(last + from, array + from, bytes);
}

enum { PIECE = 64 }; /* bytes that are compared at once: one or two vector registers */

static void update_array(struct bind_packer *p, const struct bind_slot *slot, const unsigned char *array, unsigned char *last)
{
	size_t bytes = slot->f.count * slot->f.size, whole = bytes / PIECE * PIECE;

	for (size_t at = 0; at < whole; at += PIECE)
		if (memcmp(array + at, last + at, PIECE) != 0)
			update_piece(p, slot, array, last, at, PIECE);
	if (whole < bytes && memcmp(array + whole, last + whole, bytes - whole) != 0)
		update_piece(p, slot, array, last, whole, bytes - whole);
}

const uint64_t *bind_packer_update(struct bind_packer *p, const void *base)
{
	unsigned char *last = p->last;

	p->excess = pack_scalars(p->side, base, p->words);
	for (unsigned i = 0; i < p->side->n; i++) {
		const struct bind_slot *slot = &p->side->slot[i];

		if (slot->f.count > 1)
			update_array(p, slot, (const unsigned char *)base + slot->f.offset, last);
		last += slot->f.count * slot->f.size;
	}
	return p->words;
}

void bind_packer_free(struct bind_packer *p)
{
	free(p->last);
	free(p->words);
	memset(p, 0, sizeof *p);
}

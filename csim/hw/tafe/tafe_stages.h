/* The three stages of the golden twin of TAFE's hardware, a file each as in the RTL. For csim/hw/tafe*.c alone.
 *
 * tafe_wires_of() computes the wires between the stages from the registers as they are before the edge; the stages'
 * edges, in any order, take those and change their own registers only.
 */
#ifndef CSIM_HW_TAFE_TAFE_STAGES_H
#define CSIM_HW_TAFE_TAFE_STAGES_H

#include "hw/tafe/tafe.h"

struct tafe_element {
	uint32_t entry, index, value;
	bool valid, saturated;
};

struct tafe_wires {
	/* comparator */
	bool st_ready;
	bool hit, advance, first_leaves, second_last; /* the store in the first stage; the last element of that in the
						       * second */
	uint32_t hit_entry;
	struct tafe_element el; /* what the second stage offers */
	/* inverse relation */
	bool el_ready, hist_hit, miss, test, found, cta_done, unmatched;
	uint32_t lo, span; /* of the CTA that the search tries */
	bool inv_req;
	uint64_t inv_line;
	/* extent insertion */
	bool ins_ready, here, ext_req, ext_write;
	uint64_t want_line, ext_line; /* of the value's extent; of the request */
	/* top */
	bool empty, flush, give_inv, cmd_ready;
};

void tafe_extent_wires(const struct tafe *s, struct tafe_wires *w);
void tafe_inverse_wires(const struct tafe *s, struct tafe_wires *w);	/* wants the extent stage's */
void tafe_comparator_wires(const struct tafe *s, struct tafe_wires *w); /* wants the inverse relation's */

void tafe_extent_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in);
void tafe_inverse_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in);
void tafe_comparator_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in);

/* A command is applied: what each stage does with it. */
void tafe_extent_command(struct tafe *s);
void tafe_inverse_command(struct tafe *s, const struct tafe_in *in);
void tafe_comparator_command(struct tafe *s, const struct tafe_in *in);

/* Elements of the entry's array. */
uint32_t tafe_count(const struct tafe *s, uint32_t entry);
/* The buffered line as it is in memory. */
void tafe_extent_bytes(const struct tafe *s, uint64_t data[8]);

static inline uint64_t tafe_bits(uint64_t value, uint32_t width)
{
	return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static inline uint32_t tafe_index(const struct tafe *s, uint64_t value)
{
	return (uint32_t)tafe_bits(value, s->p.index_w);
}

static inline uint64_t tafe_line(const struct tafe *s, uint64_t value)
{
	return tafe_bits(value, s->p.addr_w - 6);
}

/* `bits` bits of a line of memory from bit `at` on, at most 32. */
static inline uint32_t tafe_field(const uint64_t data[8], uint32_t at, uint32_t bits)
{
	uint64_t v = data[at / 64] >> (at % 64);

	if (at % 64 + bits > 64)
		v |= data[at / 64 + 1] << (64 - at % 64);
	return (uint32_t)tafe_bits(v, bits);
}

#endif

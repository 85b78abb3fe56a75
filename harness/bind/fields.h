/* Where the fields of a block are in arrays of 64-bit words, and the way from the golden twin's C structs there and
 * back.
 *
 * The layout follows from the twin's description (csim/hw/block.h) and the parameters alone: a field of count elements
 * of width bits is packed, element i at bit i * width, as in the RTL, and takes whole words. Golden twin and RTL use
 * the same layout, so comparing is memcmp.
 */
#ifndef HARNESS_BIND_FIELDS_H
#define HARNESS_BIND_FIELDS_H

#include <stdbool.h>

#include "hw/block.h"

struct bind_slot {
	struct hw_field f;
	uint32_t bits;	      /* count * width */
	uint32_t word, words; /* first word and how many */
};

/* A field of one element, as packing wants it. */
struct bind_scalar {
	uint32_t offset, word;
	uint64_t mask;
};
enum { BIND_SIZES = 4 }; /* of elements: 1, 2, 4, 8 bytes */

struct bind_side {
	unsigned n, n_scalars;
	struct bind_scalar scalar[HW_MAX_FIELDS]; /* in the order of their sizes */
	unsigned scalar_end[BIND_SIZES];	  /* of those of 1 << k bytes */
	uint32_t words, bits;			  /* of all fields */
	struct bind_slot slot[HW_MAX_FIELDS];
};

struct bind_layout {
	struct bind_side side[HW_SIDES]; /* HW_INPUT, HW_OUTPUT, HW_REG */
};

void bind_layout_of(struct bind_layout *l, const struct hw_block *b, const void *params);

/* The words of a C struct (in, out or state) and back. Unused bits of the words are 0. A member may have room for more
 * bits than its field: those that are set there are in no word. bind_pack returns them, of all members in one: 0 if
 * every value fits. */
uint64_t bind_pack(const struct bind_side *s, const void *c_struct, uint64_t *words);
void bind_unpack(const struct bind_side *s, const uint64_t *words, void *c_struct);

/* The first value that does not fit its field; false: there is none. */
bool bind_excess(const struct bind_side *s, const void *c_struct, unsigned *slot, uint32_t *element, uint64_t *value);

/* Element i of a field in the words. */
uint64_t bind_element(const struct bind_slot *slot, const uint64_t *words, uint32_t i);

/* Packing of a struct that changes little from call to call: keeps the last struct and packs what differs. `base` must
 * hold all fields of the side. */
struct bind_packer {
	const struct bind_side *side;
	unsigned char *last; /* images of the fields, one after another */
	uint64_t *words;
	uint64_t excess; /* of what the last call packed: see bind_pack */
};
void bind_packer_init(struct bind_packer *p, const struct bind_side *side);
const uint64_t *bind_packer_update(struct bind_packer *p, const void *base);
void bind_packer_free(struct bind_packer *p);

/* Names of a twin's field. In the RTL two underscores stand for a dot: u_fifo__head is the register u_fifo.head_q. On
 * the golden side of the wrapper one of the two is left out, as Verilator would rename them. Both return out. */
const char *bind_rtl_name(char out[160], const char *name, enum hw_side side);
const char *bind_golden_name(char out[160], const char *name, enum hw_side side);

#endif

/* A byte store: what is in physical memory, for the little of it that the model computes with.
 *
 * The cycle model moves no program data; but what hardware itself reads, such as page tables, is there in full, at its
 * physical address, little endian. Pieces are made when they are written first; what was never written reads as zero. A
 * store has the size of the machine's memory; an access beyond it is a defect of the caller.
 *
 * Units: bytes. Nobody times these accesses: whoever reads with timing sends a request through the memory system as
 * well.
 */
#ifndef CSIM_VM_BYTE_STORE_H
#define CSIM_VM_BYTE_STORE_H

#include <stdint.h>

#include "base/arena.h"

struct bytes_piece;

struct bytes {
	struct arena *arena;
	uint64_t size;
	struct bytes_piece **piece; /* NULL: nothing was written there */
};

void bytes_init(struct bytes *b, struct arena *a, uint64_t size);

/* addr: a multiple of 8. */
uint64_t bytes_read64(const struct bytes *b, uint64_t addr);
void bytes_write64(struct bytes *b, uint64_t addr, uint64_t value);

#endif

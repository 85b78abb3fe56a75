/* The device's memory as the functional side sees it: named buffers of bytes in one 64-bit address space.
 *
 * Buffers are in ascending order with unmapped guard space between them, so that an access that runs off a buffer's end
 * is found. Bases are multiples of 4096 bytes and of memory.align, and depend on nothing but that and the order and the
 * sizes of the allocations. So no page of `align` bytes holds two buffers (ldesc, section 4.6).
 */
#ifndef CSIM_PTX_MEMORY_H
#define CSIM_PTX_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"

#define MEMORY_FIRST_BASE UINT64_C(0x10000000) /* a multiple of any alignment */
#define MEMORY_WINDOW	  (UINT64_C(1) << 40)  /* bytes; buffers and guard space are in it */
enum { MEMORY_GUARD = 4096, MEMORY_MIN_ALIGN = 4096, MEMORY_MAX_ALIGN = 2 << 20 };

struct memory_buffer {
	char *name;
	uint64_t base, size;
	uint8_t *bytes;
	bool released; /* no access finds it; its address and name stay, as a trace's buffers do */
};

struct texture; /* ptx/texture.h */
struct heap;	/* ptx/heap.h */

struct memory {
	struct memory_buffer *buffer;
	unsigned n, cap;
	struct names names; /* of the buffers; of two with the same name, the first */
	uint64_t align;	    /* bytes: 0 or a power of two, at most MEMORY_MAX_ALIGN; as it is when a buffer is added */
	uint64_t next_base;
	/* NULL: buffers have bytes of their own. Else where the bytes at MEMORY_FIRST_BASE are, in a mapping of
	 * MEMORY_WINDOW bytes, zero at first, that is not this memory's to free: another process maps it too. */
	uint8_t *window;
	/* The textures over its buffers; their positions in the list are their handles. n_free entries are free, none
	 * of them below first_free. */
	struct texture *texture;
	unsigned n_textures, n_free, first_free;
	struct names reference[2]; /* .texref, .surfref: the first of each name */
	struct heap *heap;	   /* NULL: no kernel calls malloc */
	uint32_t n_code;	   /* functions of the modules that are bound to it: each has an address */
};

/* Adds a zeroed buffer; returns its index, or -1 (size 0, or more than MEMORY_WINDOW in all). */
int memory_add(struct memory *m, const char *name, uint64_t size, struct err *e);
/* The bytes at addr .. addr+n, or NULL when they are not inside one buffer. */
void *memory_at(const struct memory *m, uint64_t addr, uint64_t n);
/* Index of the buffer that holds addr; -1 if none. */
int memory_find(const struct memory *m, uint64_t addr);
/* Takes buffer i out of sight, and zeroes it; memory_revive() brings it back, with its address. */
void memory_release(struct memory *m, unsigned i);
void memory_revive(struct memory *m, unsigned i);
/* Index by name; -1 if none. */
int memory_named(const struct memory *m, const char *name);
void memory_free(struct memory *m);

#endif

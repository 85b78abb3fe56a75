/* Memory at an address of its own: all that a run has of memory, so that it can be written to a file and go on in
 * another process, with the pointers from one part of it to another still true (run/checkpoint.h).
 *
 * Memory comes zeroed and aligned to 64 bytes; it is given back all at once. Several threads may take of it at a time.
 * A process can have one region. Running out of memory ends the program.
 */
#ifndef CSIM_BASE_REGION_H
#define CSIM_BASE_REGION_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define REGION_AT   ((uintptr_t)1 << 45) /* far from where Linux puts programs, heaps and stacks on 64-bit machines */
#define REGION_ROOM ((size_t)1 << 36)

struct region {
	char *at; /* NULL: it is closed */
	_Atomic size_t used;
	uint64_t sequence; /* of what arenas took so far: a hash of the numbers of bytes, in order */
};

/* Fails where the host gives no memory at that address. */
int region_open(struct region *r, struct err *e);
void region_close(struct region *r);

void *region_alloc(struct region *r, size_t bytes);

/* An arena in it has taken so many bytes, of its blocks; while one thread alone does. */
static inline void region_note(struct region *r, size_t bytes)
{
	r->sequence = (r->sequence ^ bytes) * UINT64_C(0x100000001b3);
}

/* For what grows: more room for an array, of which `had` bytes are kept. Of the region, or, with NULL, of the heap, as
 * xrealloc() does; region_drop() gives the latter back. */
void *region_grow(struct region *r, void *p, size_t had, size_t bytes);
void region_drop(struct region *r, void *p);

#endif

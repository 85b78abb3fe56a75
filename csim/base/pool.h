/* Arrays that grow, of parts that several threads step: in blocks of powers of two of bytes, of an arena, so that they
 * are in the host's large pages. In pages of 4 KB what SMs have read of a trace, some hundred MB that hundreds of warps
 * go through at a time, is more than a host's translation buffers reach.
 *
 * A block that an array has outgrown is another's when that wants one of its size. All are given back at once.
 */
#ifndef CSIM_BASE_POOL_H
#define CSIM_BASE_POOL_H

#include <pthread.h>
#include <stddef.h>

#include "base/arena.h"

enum { POOL_LEAST = 6, POOL_SIZES = 64 }; /* log2 of bytes */

struct pool {
	struct region *region; /* where all of it is, if not NULL */
	struct arena arena;    /* else */
	pthread_mutex_t lock;
	struct pool_block {
		struct pool_block *next;
	} * free[POOL_SIZES]; /* by log2 of their size */
};

void pool_init(struct pool *p, struct region *r);
void pool_free(struct pool *p);

/* More room for an array of `had` bytes, which are kept, as pool_grow() was asked for (NULL and 0: a new one). p NULL:
 * on the heap; pool_drop() gives it back then. */
void *pool_grow(struct pool *p, void *array, size_t had, size_t bytes);
void pool_drop(struct pool *p, void *array);

#endif

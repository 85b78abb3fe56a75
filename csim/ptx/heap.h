/* The heap that kernels' malloc and free take from: a buffer of the device's memory, or more, if it has grown.
 *
 * Blocks are multiples of 16 bytes; a request gets the lowest place where it fits, so that addresses depend on nothing
 * but the order of the requests. What blocks there are is kept beside the buffer, where no kernel can harm it.
 */
#ifndef CSIM_PTX_HEAP_H
#define CSIM_PTX_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/memory.h"

enum { HEAP_BYTES = 8 << 20 /* CUDA's default of cudaLimitMallocHeapSize */ };

struct heap;

/* Adds the buffer, of `bytes` bytes, once a memory. -1: as memory_add. */
int heap_add(struct memory *m, uint64_t bytes, struct err *e);
/* One of fewer bytes gets another buffer, of `bytes` bytes: a block is in one of them. Whether there is a heap. */
int heap_grow(struct memory *m, uint64_t bytes, struct err *e);
bool heap_is_there(const struct memory *m);
/* The address of `bytes` bytes; 0, as NULL, if they do not fit, are none, or there is no heap. */
uint64_t heap_take(struct memory *m, uint64_t bytes);
/* False: no block of the heap begins there. Of 0 nothing is to be given back. */
bool heap_give(struct memory *m, uint64_t address);
void heap_close(struct memory *m); /* memory_free calls it */

#endif

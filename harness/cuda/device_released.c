#include "cuda/device_released.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/alloc.h"

struct device_released {
	UT_hash_handle hh;
	struct released_key {
		uint64_t bytes, kind;
	} key;
	uint32_t *heap; /* numbers of buffers; none is below its children, 2i + 1 and 2i + 2 */
	uint32_t n, cap;
};

static struct device_released *find(struct device_released *r, enum wire_memory kind, uint64_t bytes)
{
	struct released_key key = {bytes, (uint64_t)kind};
	struct device_released *of;

	HASH_FIND(hh, r, &key, sizeof key, of);
	return of;
}

static struct device_released *add(struct device_released **r, enum wire_memory kind, uint64_t bytes)
{
	struct device_released *of = xcalloc(1, sizeof *of);

	of->key = (struct released_key){bytes, (uint64_t)kind};
	HASH_ADD(hh, *r, key, sizeof of->key, of);
	return of;
}

void device_released_put(struct device_released **r, enum wire_memory kind, uint64_t bytes, uint32_t buffer)
{
	struct device_released *of = find(*r, kind, bytes);
	uint32_t i;

	if (!of)
		of = add(r, kind, bytes);
	if (of->n == of->cap) {
		of->cap = of->cap ? 2 * of->cap : 4;
		of->heap = xrealloc(of->heap, of->cap * sizeof *of->heap);
	}
	for (i = of->n++; i && of->heap[(i - 1) / 2] < buffer; i = (i - 1) / 2)
		of->heap[i] = of->heap[(i - 1) / 2];
	of->heap[i] = buffer;
}

int64_t device_released_take(struct device_released *r, enum wire_memory kind, uint64_t bytes)
{
	struct device_released *of = find(r, kind, bytes);
	uint32_t top, last, i = 0;

	if (!of || !of->n)
		return -1;
	top = of->heap[0];
	last = of->heap[--of->n];
	for (uint32_t child; (child = 2 * i + 1) < of->n; i = child) {
		child += child + 1 < of->n && of->heap[child + 1] > of->heap[child];
		if (of->heap[child] <= last)
			break;
		of->heap[i] = of->heap[child];
	}
	of->heap[i] = last;
	return top;
}

void device_released_free(struct device_released **r)
{
	struct device_released *of, *next;

	HASH_ITER (hh, *r, of, next) {
		HASH_DEL(*r, of);
		free(of->heap);
		free(of);
	}
}

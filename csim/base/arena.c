#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/region.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { BLOCK_BYTES = 0 }; /* a block for each allocation, so that the sanitizer sees who leaves his */
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { BLOCK_BYTES = 64 * 1024 };
#endif
enum { BIG_ALIGN = 64, SMALL_ALIGN = 16 };
/* A large machine is more than a host's translation buffers reach in pages of 4 KB: an arena's blocks double, up to
 * what is worth pages of 2 MB. */
enum { HUGE_PAGE = 2 << 20, MOST_BLOCK_BYTES = 2 * HUGE_PAGE };

struct arena_block {
	struct arena_block *next;
	size_t used, size; /* bytes, of the data that begins BIG_ALIGN after the block's start */
	char pad[BIG_ALIGN - 3 * sizeof(size_t)];
	char data[];
};

static void *heap_alloc(size_t bytes)
{
	size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : BIG_ALIGN, whole = (bytes + align - 1) / align * align;
	void *p = whole < bytes ? NULL : aligned_alloc(align, whole);

	if (!p)
		out_of_memory();
	if (align == HUGE_PAGE)
		madvise(p, whole, MADV_HUGEPAGE); /* a wish */
	return p;
}

/* At least `size` bytes of data. */
static size_t block_size(const struct arena *a, size_t size)
{
	size_t wanted = BLOCK_BYTES;

	if (BLOCK_BYTES > 0 && a->head)
		wanted = a->head->size < MOST_BLOCK_BYTES / 2 ? 2 * a->head->size : MOST_BLOCK_BYTES;
	return size > wanted ? size : wanted;
}

static struct arena_block *block_new(const struct arena *a, size_t size)
{
	size_t bytes = (sizeof(struct arena_block) + size + BIG_ALIGN - 1) / BIG_ALIGN * BIG_ALIGN;
	struct arena_block *b;

	if (bytes < size)
		out_of_memory();
	b = a->region ? region_alloc(a->region, bytes) : heap_alloc(bytes);
	b->next = a->head;
	b->used = 0;
	b->size = size;
	if (!a->region) /* a region is read as a whole */
		ASAN_POISON_MEMORY_REGION(b->data + size, bytes - sizeof *b - size);
	return b;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	size_t align = bytes >= BIG_ALIGN ? BIG_ALIGN : SMALL_ALIGN;
	size_t at = a->head ? (a->head->used + align - 1) / align * align : 0;

	if (!a->head || at > a->head->size || bytes > a->head->size - at) {
		a->head = block_new(a, block_size(a, bytes));
		at = 0;
	}
	a->head->used = at + bytes;
	if (a->region)
		region_note(a->region, bytes);
	return memset(a->head->data + at, 0, bytes);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		out_of_memory();
	return arena_alloc(a, count * size);
}

char *arena_strdup(struct arena *a, const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(arena_alloc(a, n), s, n);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *text;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
	if (n > 0)
		vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	return text;
}

void arena_free(struct arena *a)
{
	while (a->head) {
		struct arena_block *next = a->head->next;

		if (!a->region)
			free(a->head);
		a->head = next;
	}
}

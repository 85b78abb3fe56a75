#include "base/region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"

enum { ALIGN = 64 };

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

int region_open(struct region *r, struct err *e)
{
	void *wanted = (void *)REGION_AT, *got;

	*r = (struct region){.at = NULL};
	got = mmap(wanted, REGION_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		   -1, 0);
	if (got != MAP_FAILED && got != wanted) {
		munmap(got, REGION_ROOM);
		errno = EEXIST;
		got = MAP_FAILED;
	}
	if (got == MAP_FAILED)
		return err_set(e, "no memory at the address that checkpoints have: %s", strerror(errno));
	r->at = got;
	return 0;
}

void region_close(struct region *r)
{
	if (r->at)
		munmap(r->at, REGION_ROOM);
	r->at = NULL;
	r->used = 0;
	r->sequence = 0;
}

void *region_alloc(struct region *r, size_t bytes)
{
	size_t n = (bytes + ALIGN - 1) / ALIGN * ALIGN, at;

	at = n < bytes || n > REGION_ROOM ? REGION_ROOM : atomic_fetch_add(&r->used, n);
	if (at > REGION_ROOM - n)
		out_of_memory();
	return r->at + at;
}

void *region_grow(struct region *r, void *p, size_t had, size_t bytes)
{
	void *more;

	if (!r)
		return xrealloc(p, bytes);
	more = region_alloc(r, bytes);
	if (had)
		memcpy(more, p, had);
	return more;
}

void region_drop(struct region *r, void *p)
{
	if (!r)
		free(p);
}

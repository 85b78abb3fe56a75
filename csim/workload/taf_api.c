#include "workload/taf_api.h"

#include <stdio.h>

#include "workload/program_impl.h"
#include "taf/taf.h"

/* "row", or "row+0x40" for an array that begins inside the buffer. */
static void name_of(struct host *h, uint64_t base, char *to, size_t room)
{
	int i = memory_find(&h->memory, base);
	const struct memory_buffer *b = i < 0 ? NULL : &h->memory.buffer[i];

	if (!b)
		snprintf(to, room, "0x%llx (no buffer)", (unsigned long long)base);
	else if (b->base == base)
		snprintf(to, room, "%s", b->name);
	else
		snprintf(to, room, "%s+0x%llx", b->name, (unsigned long long)(base - b->base));
}

static int in_time(struct host *h, const char *call, const char *array, struct err *e)
{
	return h->launches ? err_set(e, "%s: %s%scomes after the first launch", call, array, *array ? ": " : "") : 0;
}

int taf_paramSetup(struct host *h, struct host_dim block, struct host_dim grid, struct err *e)
{
	const uint32_t b[3] = {block.x, block.y, block.z}, g[3] = {grid.x, grid.y, grid.z};

	if (!h->taf)
		return 0;
	return in_time(h, "taf_paramSetup", "", e) || taf_setup(h->taf, b, g, e) ? -1 : 0;
}

/* Refuses the base of a primary array that is not registered, by the buffer's name. */
static int known(struct host *h, const struct taf_array *a, uint64_t primary, struct err *e)
{
	char name[64];

	if (a->type == TAF_TID_DEP || taf_is_registered(h->taf, primary))
		return 0;
	name_of(h, primary, name, sizeof name);
	return err_set(e, "taf_register: %s: its primary %s is not registered", a->name, name);
}

/* Fills in where the array is, and registers it. */
static int registered(struct host *h, struct taf_array *a, uint64_t base, uint64_t elements, uint32_t size, uint64_t start,
		      uint64_t end, struct err *e)
{
	uint64_t bytes;

	if (!h->taf)
		return 0;
	name_of(h, base, a->name, sizeof a->name);
	if (in_time(h, "taf_register", a->name, e) || known(h, a, start, e) || known(h, a, end, e))
		return -1;
	if (__builtin_mul_overflow(elements, size, &bytes) || !memory_at(&h->memory, base, bytes))
		return err_set(e, "taf_register: %s: %llu elements of %u bytes run past the buffer's end", a->name,
			       (unsigned long long)elements, size);
	a->base = base;
	a->limit = base + bytes;
	a->size = size;
	return taf_register(h->taf, a, start, end, e);
}

int taf_register_tid_dep(struct host *h, uint64_t base, uint64_t elements, uint32_t size, struct taf_tid relation, bool primary,
			 struct err *e)
{
	struct taf_array a = {.type = TAF_TID_DEP, .primary = primary, .c = relation.c, .ofs = relation.ofs, .n = relation.n};

	for (int d = 0; d < 6; d++)
		a.m[d] = relation.m[d];
	return registered(h, &a, base, elements, size, 0, 0, e);
}

int taf_tid_array(struct host *h, uint64_t base, uint64_t elements, uint32_t size, struct taf_tid relation, struct err *e)
{
	return taf_register_tid_dep(h, base, elements, size, relation, false, e) || taf_setRdy(h, base, e) ? -1 : 0;
}

int taf_register_indir(struct host *h, uint64_t base, uint64_t elements, uint32_t size, uint64_t p, uint32_t m, uint32_t c,
		       bool primary, struct err *e)
{
	struct taf_array a = {.type = TAF_INDIR, .primary = primary, .m = {m}, .c = c};

	return registered(h, &a, base, elements, size, p, p, e);
}

int taf_register_indir_range(struct host *h, uint64_t base, uint64_t elements, uint32_t size, uint64_t ps, uint32_t c_s,
			     uint64_t pe, uint32_t c_e, bool primary, struct err *e)
{
	struct taf_array a = {.type = TAF_INDIR_RANGE, .primary = primary, .c_s = c_s, .c_e = c_e};

	return registered(h, &a, base, elements, size, ps, pe, e);
}

int taf_setRdy(struct host *h, uint64_t base, struct err *e)
{
	char name[64];

	if (!h->taf)
		return 0;
	name_of(h, base, name, sizeof name);
	return in_time(h, "taf_setRdy", name, e) || taf_ready(h->taf, base, name, e) ? -1 : 0;
}

int taf_reset(struct host *h, uint64_t base, struct err *e)
{
	char name[64];

	if (!h->taf)
		return 0;
	name_of(h, base, name, sizeof name);
	return in_time(h, "taf_reset", name, e) || taf_reset_array(h->taf, base, name, e) ? -1 : 0;
}

/* ---- copies as stores ---- */

/* The lowest array with bytes in [at, end); entries of one array are alike. NULL: none. */
static const struct taf_array *next_array(const struct taf *t, uint64_t at, uint64_t end)
{
	const struct taf_array *found = NULL;

	for (unsigned i = 0; i < TAF_ARRAYS && at < end; i++) {
		const struct taf_array *a = &t->array[i];

		if (a->valid && a->limit > at && a->base < end && (!found || a->base < found->base))
			found = a;
	}
	return found;
}

bool taf_watches(const struct host *h, uint64_t addr, uint64_t bytes)
{
	return h->taf && !h->launches && next_array(h->taf, addr, addr + bytes);
}

static void store(struct host *h, uint64_t from, uint64_t to, uint32_t bytes)
{
	if (from < to)
		host_store_array(h, from, bytes, (to - from) / bytes, host_bytes(h, from, to - from));
}

/* [from, to) of an array: whole elements, and what is cut of one at either end. */
static void store_part(struct host *h, const struct taf_array *a, uint64_t from, uint64_t to)
{
	uint64_t first = from + (a->base - from) % a->size, last = to - (to - a->base) % a->size;

	if (first > last)
		first = last = to;
	store(h, from, first, 1);
	store(h, first, last, a->size);
	store(h, last, to, 1);
}

void taf_copied(struct host *h, uint64_t addr, uint64_t bytes)
{
	uint64_t end = addr + bytes, at = addr;

	while (taf_watches(h, at, end - at)) {
		const struct taf_array *a = next_array(h->taf, at, end);

		store_part(h, a, a->base > at ? a->base : at, a->limit < end ? a->limit : end);
		at = a->limit < end ? a->limit : end;
	}
}

int taf_stored(struct host *h, uint64_t addr, uint64_t n, struct err *e)
{
	const struct taf_array *a = h->taf ? next_array(h->taf, addr, addr + 1) : NULL;
	char name[64];

	if (!h->taf)
		return 0;
	name_of(h, addr, name, sizeof name);
	if (in_time(h, "taf_stored", name, e))
		return -1;
	if (!a)
		return err_set(e, "taf_stored: %s: no array is registered there", name);
	if (n > (a->limit - addr) / a->size)
		return err_set(e, "taf_stored: %s: %llu elements of %u bytes run past the array's end", name, (unsigned long long)n,
			       a->size);
	taf_copied(h, addr, n * a->size);
	return 0;
}

#include "support/taf_made.h"

#include <criterion/criterion.h>

struct taf taf_made(const uint32_t block[3], const uint32_t grid[3], struct taf_options o)
{
	struct taf t = {.o = o};
	struct err e = {""};

	cr_assert_eq(taf_setup(&t, block, grid, &e), 0, "%s", e.text);
	return t;
}

unsigned taf_made_add(struct taf *t, struct taf_array a, uint64_t base, uint32_t n, uint32_t size, uint64_t start, uint64_t end)
{
	struct err e = {""};

	a.base = base;
	a.limit = base + (uint64_t)n * size;
	a.size = size;
	cr_assert_eq(taf_register(t, &a, start, end, &e), 0, "%s", e.text);
	return t->call[t->n_calls - 1].entry;
}

void taf_made_ready(struct taf *t, uint64_t base)
{
	struct err e = {""};

	cr_assert_eq(taf_ready(t, base, "array", &e), 0, "%s", e.text);
}

void taf_made_expect(const struct taf_memory *m, const struct taf *t, unsigned entry, uint32_t set, struct taf_extent want,
		     const char *what)
{
	struct taf_extent got = taf_extent_get(m, t->array[entry].extents, set);

	cr_assert(got.valid == want.valid && (!want.valid || (got.min == want.min && got.max == want.max)),
		  "%s, set %u: %d (%u, %u), not %d (%u, %u)", what, set, got.valid, got.min, got.max, want.valid, want.min,
		  want.max);
}

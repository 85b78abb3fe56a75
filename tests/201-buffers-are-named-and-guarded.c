/* Device memory: buffers in ascending order, page-aligned, with guard space between them. */
#include <criterion/criterion.h>
#include <string.h>

#include "ptx/memory.h"

Test(memory, buffers_ascend_on_pages_with_a_guard_between)
{
	struct memory m = {0};
	struct err e = {0};

	cr_assert_eq(memory_add(&m, "a", 1, &e), 0);
	cr_assert_eq(memory_add(&m, "b", 4096, &e), 1);
	cr_assert_eq(memory_add(&m, "c", 5, &e), 2);
	cr_assert_eq(m.buffer[0].base, MEMORY_FIRST_BASE);
	/* 1 byte + 4096 of guard, rounded up to a page; then a whole page and a page of guard */
	cr_assert_eq(m.buffer[1].base, MEMORY_FIRST_BASE + 0x2000);
	cr_assert_eq(m.buffer[2].base, MEMORY_FIRST_BASE + 0x4000);
	memory_free(&m);
}

Test(memory, an_access_must_lie_inside_one_buffer)
{
	struct memory m = {0};
	struct err e = {0};
	uint64_t base;

	cr_assert_eq(memory_add(&m, "a", 10, &e), 0);
	base = m.buffer[0].base;
	cr_assert_not_null(memory_at(&m, base, 10));
	cr_assert_eq(memory_at(&m, base + 9, 1), (char *)memory_at(&m, base, 1) + 9);
	cr_assert_null(memory_at(&m, base, 11));
	cr_assert_null(memory_at(&m, base + 9, 2));
	cr_assert_null(memory_at(&m, base + 10, 1));
	cr_assert_null(memory_at(&m, base - 1, 1));
	cr_assert_null(memory_at(&m, base + 1, UINT64_MAX));
	cr_assert_eq(memory_find(&m, base + 9), 0);
	cr_assert_eq(memory_find(&m, base + 10), -1);
	cr_assert_eq(memory_find(&m, 0), -1);
	cr_assert_eq(memory_named(&m, "a"), 0);
	cr_assert_eq(memory_named(&m, "b"), -1);
	memory_free(&m);
}

Test(memory, a_buffer_starts_as_zeroes)
{
	struct memory m = {0};
	struct err e = {0};

	cr_assert_eq(memory_add(&m, "a", 1000, &e), 0);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(m.buffer[0].bytes[i], 0);
	memory_free(&m);
}

Test(memory, an_empty_or_huge_buffer_is_refused_by_name)
{
	struct memory m = {0};
	struct err e = {0};

	cr_assert_eq(memory_add(&m, "zero", 0, &e), -1);
	cr_assert(strstr(e.text, "zero"));
	e.text[0] = 0;
	cr_assert_eq(memory_add(&m, "huge", UINT64_MAX, &e), -1);
	cr_assert(strstr(e.text, "huge"));
	e.text[0] = 0;
	cr_assert_eq(memory_add(&m, "huge", (UINT64_C(1) << 40) + 1, &e), -1);
	memory_free(&m);
}

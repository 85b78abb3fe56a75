/* Device memory: buffers in ascending order, page-aligned, with guard space between them. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

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

/* What cudaFree leaves: no access finds it; when it comes back it has its address, and zeroes. */
Test(memory, a_released_buffer_is_gone_until_it_is_revived)
{
	struct memory m = {0};
	struct err e = {0};

	cr_assert_eq(memory_add(&m, "a", 10, &e), 0);
	cr_assert_eq(memory_add(&m, "a", 20, &e), 1);
	m.buffer[0].bytes[9] = 7;
	memory_release(&m, 0);
	cr_expect_null(memory_at(&m, m.buffer[0].base, 1));
	cr_expect_not_null(memory_at(&m, m.buffer[1].base, 20));
	memory_revive(&m, 0);
	cr_expect_eq(*(uint8_t *)memory_at(&m, m.buffer[0].base + 9, 1), 0);
	memory_free(&m);
}

/* Buffers in a mapping of the caller's: at their distance from the first base, zero after a release, never freed. */
Test(memory, buffers_may_be_in_a_window)
{
	uint8_t *window = mmap(NULL, MEMORY_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct memory m = {.window = window};
	struct err e = {0};

	cr_assert_neq(window, MAP_FAILED);
	cr_assert_eq(memory_add(&m, "a", 5000, &e), 0);
	cr_assert_eq(memory_add(&m, "b", 8, &e), 1);
	/* 5000 bytes, a page of guard, on a page */
	cr_expect_eq(memory_at(&m, m.buffer[1].base, 8), window + 3 * 4096);
	window[4999] = window[3 * 4096] = 9;
	memory_release(&m, 0);
	cr_expect_eq(window[4999], 0);
	cr_expect_eq(window[3 * 4096], 9);
	memory_free(&m);
	cr_expect_eq(munmap(window, MEMORY_WINDOW), 0);
}

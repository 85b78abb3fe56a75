/* 603: a warp that reads down a column of rows 4 KB apart falls into 32 sets from a multiple of 32 rows, into 16 to 32
 * from any other; the printed form loses spread for strides of 8 MiB and more; (tag, set) and line determine each
 * other. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "hw/twins/pric.h"

static struct pric made(uint32_t poly, uint32_t hashed)
{
	struct pric_params p = pric_params_of(poly, 32, 128, 0);
	struct pric s;

	p.addr_bits = hashed;
	pric_reset(&s, &p);
	return s;
}

/* Sets that 32 lanes fall into, `stride` bytes apart. */
static unsigned sets_used(const struct pric *s, uint64_t first, uint64_t stride)
{
	uint32_t used = 0;

	for (unsigned lane = 0; lane < 32; lane++) {
		struct pric_in in = {.addr = first + lane * stride};
		struct pric_out out;

		pric_eval(s, &in, &out);
		used |= 1u << out.set;
	}
	return (unsigned)__builtin_popcount(used);
}

/* All 2^20 first rows. The place in the row adds the same to all lanes' sets (the hash is linear in XOR), so a few
 * do. */
Test(pric_columns, rows_of_4_kb_from_a_multiple_of_32_use_32_sets_and_16_to_32_from_elsewhere)
{
	for (uint32_t hashed = 27; hashed <= 32; hashed += 5) {
		struct pric s = made(37, hashed);
		unsigned least = 32;

		for (uint64_t row = 0; row < 1u << 20; row++) {
			unsigned n = sets_used(&s, row * 4096 + row % 32 * 128, 4096);

			if (row % 32 == 0)
				cr_assert_eq(n, 32, "row %lu: %u sets", row, n);
			cr_assert_geq(n, 16, "row %lu: %u sets", row, n);
			least = n < least ? n : least;
		}
		cr_assert_eq(least, 16, "the bound is met: a column from the middle of a block, %u", least);
	}
}

Test(pric_columns, the_linear_index_puts_the_same_column_into_one_set)
{
	uint32_t used = 0;

	for (unsigned lane = 0; lane < 32; lane++)
		used |= 1u << (lane * 4096 / 128 % 32);
	cr_assert_eq(used, 1);
}

Test(pric_columns, the_exact_form_spreads_every_power_of_two_stride_over_all_sets)
{
	static const uint32_t degree_5[] = {37, 41, 47, 55, 59, 61};

	for (unsigned i = 0; i < 6; i++) {
		struct pric s = made(degree_5[i], 32);

		for (unsigned shift = 7; shift <= 27; shift++)
			cr_assert_eq(sets_used(&s, 0, UINT64_C(1) << shift), 32, "P = %u, stride 2^%u", degree_5[i], shift);
	}
}

Test(pric_columns, the_printed_form_loses_a_bit_at_each_of_8_16_32_64_and_128_mib)
{
	struct pric s = made(37, 27);

	for (unsigned shift = 7; shift <= 22; shift++)
		cr_assert_eq(sets_used(&s, 0, UINT64_C(1) << shift), 32, "stride 2^%u", shift);
	cr_assert_eq(sets_used(&s, 0, UINT64_C(8) << 20), 16);
	cr_assert_eq(sets_used(&s, 0, UINT64_C(16) << 20), 8);
	cr_assert_eq(sets_used(&s, 0, UINT64_C(32) << 20), 4);
	cr_assert_eq(sets_used(&s, 0, UINT64_C(64) << 20), 2);
	cr_assert_eq(sets_used(&s, 0, UINT64_C(128) << 20), 1);
}

/* 2^25 lines, 2^25 pairs: one to one if no pair comes twice. */
Test(pric_columns, no_two_of_all_lines_share_tag_and_set)
{
	for (uint32_t hashed = 27; hashed <= 32; hashed += 5) {
		struct pric s = made(37, hashed);
		unsigned char *seen = calloc(1u << 22, 1);

		cr_assert_not_null(seen);
		for (uint32_t line = 0; line < 1u << 25; line++) {
			struct pric_in in = {.addr = (uint64_t)line * 128 + line % 128};
			struct pric_out out;
			uint64_t pair;

			pric_eval(&s, &in, &out);
			pair = out.tag * 32 + out.set;
			cr_assert(pair < 1u << 25 && !(seen[pair / 8] >> (pair % 8) & 1), "line %u", line);
			seen[pair / 8] |= (unsigned char)(1u << (pair % 8));
		}
		free(seen);
	}
}

Test(pric_columns, address_bits_beyond_the_port_do_not_exist)
{
	struct pric s = made(37, 32);
	struct pric_in low = {.addr = 0x12345680}, high = {.addr = 0xffff000012345680};
	struct pric_out a, b;

	pric_eval(&s, &low, &a);
	pric_eval(&s, &high, &b);
	cr_assert_eq(a.set, b.set);
	cr_assert_eq(a.tag, b.tag);
}

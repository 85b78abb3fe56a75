/* 412: bank conflicts: textbook cases, and any pattern against a recomputation over all banks and words. */
#include <criterion/criterion.h>

#include "sm/lsu/coalesce.h"
#include "support/random.h"

static uint32_t cycles(int32_t sx, int32_t sy, uint32_t shift, uint32_t mask, uint32_t width)
{
	struct trace_addr a = {0x40, sx, sy, TRACE_AFFINE, shift};

	return coalesce_bank_cycles(&a, NULL, mask, width, 32);
}

/* CUDA C Programming Guide, "Shared Memory", compute capability 2.x and its figure of strided accesses. */
Test(banks, textbook_strides)
{
	cr_assert_eq(cycles(4, 0, 5, UINT32_MAX, 4), 1, "stride of one word: no conflict");
	cr_assert_eq(cycles(8, 0, 5, UINT32_MAX, 4), 2, "stride of two words: two-way conflict");
	cr_assert_eq(cycles(12, 0, 5, UINT32_MAX, 4), 1, "stride of three words: no conflict");
	cr_assert_eq(cycles(128, 0, 5, UINT32_MAX, 4), 32, "down a column of a 32 x 32 tile");
	cr_assert_eq(cycles(132, 0, 5, UINT32_MAX, 4), 1, "padded by one word");
	cr_assert_eq(cycles(64, 0, 5, UINT32_MAX, 4), 16);
	cr_assert_eq(cycles(0, 0, 5, UINT32_MAX, 4), 1, "broadcast");
}

Test(banks, bytes_of_one_word_are_a_broadcast)
{
	cr_assert_eq(cycles(1, 0, 5, UINT32_MAX, 1), 1);
	cr_assert_eq(cycles(2, 0, 5, UINT32_MAX, 2), 1);
	cr_assert_eq(cycles(128, 0, 5, 0xff, 1), 8);
}

Test(banks, wide_accesses_go_as_half_and_quarter_warps)
{
	cr_assert_eq(cycles(8, 0, 5, UINT32_MAX, 8), 2);
	cr_assert_eq(cycles(16, 0, 5, UINT32_MAX, 16), 4);
	cr_assert_eq(cycles(16, 0, 5, UINT32_MAX, 8), 4, "every half has two words in each second pair of banks");
	cr_assert_eq(cycles(8, 0, 5, 0xffff, 8), 1, "no lane of the upper half is active");
	cr_assert_eq(cycles(16, 0, 5, 0xff00, 16), 1);
}

/* Tiled matrix multiplication with 16 x 16 threads: As[ty][k] is two words for the warp's two rows, 16 words apart;
 * Bs[k][tx] is 16 words, each for two lanes. */
Test(banks, tiles_of_sixteen_have_no_conflict)
{
	cr_assert_eq(cycles(0, 64, 4, UINT32_MAX, 4), 1);
	cr_assert_eq(cycles(4, 0, 4, UINT32_MAX, 4), 1);
	cr_assert_eq(cycles(4, 64, 4, UINT32_MAX, 4), 1);
	cr_assert_eq(cycles(4, 128, 4, UINT32_MAX, 4), 2, "rows of a tile that is 32 words wide");
	cr_assert_eq(cycles(4, 68, 4, UINT32_MAX, 4), 2, "rows of 17 words: one bank is in both");
	cr_assert_eq(cycles(4, 60, 4, UINT32_MAX, 4), 1, "rows that overlap in one word: 31 words in all");
	cr_assert_eq(cycles(0, 128, 4, UINT32_MAX, 4), 2, "two rows that are 32 words apart");
}

/* ---- any pattern ---- */

static uint32_t recomputed(const uint64_t addr[32], uint32_t mask, uint32_t width, uint32_t banks)
{
	uint32_t part = width == 16 ? 8 : width == 8 ? 16 : 32, sum = 0;

	for (uint32_t first = 0; first < 32; first += part) {
		uint32_t most = 0;

		for (uint32_t bank = 0; bank < banks; bank++) {
			uint64_t word[128];
			uint32_t n = 0;

			for (uint32_t l = first; l < first + part; l++) {
				for (uint64_t b = addr[l]; (mask >> l & 1) && b < addr[l] + width; b++) {
					uint32_t i = 0;

					if (b / 4 % banks != bank)
						continue;
					while (i < n && word[i] != b / 4)
						i++;
					if (i == n)
						word[n++] = b / 4;
				}
			}
			most = n > most ? n : most;
		}
		sum += most;
	}
	return sum;
}

Test(banks, any_affine_pattern_agrees_with_the_recomputation)
{
	uint64_t seed = 3, addr[32];

	for (unsigned k = 0; k < 60000; k++) {
		uint32_t w = UINT32_C(1) << random_u64(&seed) % 5,
			 banks = random_u64(&seed) % 8 ? 32 : (uint32_t)(1 + random_u64(&seed) % 64);
		int32_t unit = (int32_t)(random_u64(&seed) % 2 ? 4 : w);
		struct trace_addr a = {random_u64(&seed) % 4096, unit * (int32_t)(random_u64(&seed) % 70 - 2),
				       unit * (int32_t)(random_u64(&seed) % 70 - 2), TRACE_AFFINE,
				       (uint32_t)(random_u64(&seed) % 6)};
		uint32_t mask = random_u64(&seed) % 2 ? UINT32_MAX : (uint32_t)random_u64(&seed) | 1;

		a.sx = random_u64(&seed) % 4 ? a.sx : 0;
		a.sy = random_u64(&seed) % 4 ? a.sy : (int32_t)((uint32_t)a.sx << a.shift);
		if (random_u64(&seed) % 4 == 0 && w == 4) {
			a.sx = 4;
			a.shift = 4;
		}
		a.base = 0x10000 + (random_u64(&seed) % 4 ? a.base & ~(uint64_t)(w - 1) : a.base);
		for (uint32_t l = 0; l < 32; l++)
			addr[l] = a.base + (uint64_t)((int64_t)a.sx * (l % (1u << a.shift)) + (int64_t)a.sy * (l >> a.shift));
		cr_assert_eq(coalesce_bank_cycles(&a, NULL, mask, w, banks), recomputed(addr, mask, w, banks),
			     "base %lx sx %d sy %d shift %u mask %x width %u banks %u", a.base, a.sx, a.sy, a.shift, mask, w,
			     banks);
	}
}

Test(banks, any_list_agrees_with_the_recomputation)
{
	uint64_t seed = 4, addr[32], list[32];

	for (unsigned k = 0; k < 40000; k++) {
		uint32_t w = UINT32_C(1) << random_u64(&seed) % 5, n = 0, mask = (uint32_t)random_u64(&seed) | 1;
		struct trace_addr a = {.list = 0};

		for (uint32_t l = 0; l < 32; l++) {
			addr[l] = random_u64(&seed) % (UINT64_C(64) << random_u64(&seed) % 7);
			if (mask >> l & 1)
				list[n++] = addr[l];
		}
		cr_assert_eq(coalesce_bank_cycles(&a, list, mask, w, 32), recomputed(addr, mask, w, 32));
	}
}

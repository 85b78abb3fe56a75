/* 411: coalescing: cases that can be counted on paper, and any pattern against a byte-by-byte recomputation. */
#include <criterion/criterion.h>

#include "sm/lsu/coalesce.h"
#include "support/random.h"

static struct trace_addr affine(uint64_t base, int32_t sx, int32_t sy, uint32_t shift)
{
	return (struct trace_addr){base, sx, sy, TRACE_AFFINE, shift};
}

static uint32_t count(struct trace_addr a, uint32_t mask, uint32_t width)
{
	struct coalesce_tx tx[COALESCE_MAX];

	return coalesce_lines(&a, NULL, mask, width, 128, tx);
}

Test(coalesce, full_warps_in_a_row_touch_width_over_four_lines)
{
	cr_assert_eq(count(affine(0x1000, 1, 0, 5), UINT32_MAX, 1), 1);
	cr_assert_eq(count(affine(0x1000, 4, 0, 5), UINT32_MAX, 4), 1);
	cr_assert_eq(count(affine(0x1004, 4, 0, 5), UINT32_MAX, 4), 2, "4 bytes off a line");
	cr_assert_eq(count(affine(0x1000, 8, 0, 5), UINT32_MAX, 8), 2);
	cr_assert_eq(count(affine(0x1000, 16, 0, 5), UINT32_MAX, 16), 4);
	cr_assert_eq(count(affine(0x1008, 16, 0, 5), UINT32_MAX, 16), 5);
}

Test(coalesce, one_address_for_all_is_one_line_of_width_bytes)
{
	struct trace_addr a = affine(0x107c, 0, 0, 5);
	struct coalesce_tx tx[COALESCE_MAX];

	cr_assert_eq(coalesce_lines(&a, NULL, 0xf0f0, 4, 128, tx), 1);
	cr_assert_eq(tx[0].line, 0x1000);
	cr_assert_eq(tx[0].mask[0], 0);
	cr_assert_eq(tx[0].mask[1], UINT64_C(0xf) << 60);
	cr_assert_eq(tx[0].lanes, 0xf0f0);
	cr_assert_eq(coalesce_bytes(&tx[0]), 4);
}

Test(coalesce, a_warp_down_a_column_touches_a_line_a_lane)
{
	cr_assert_eq(count(affine(0x1000, 4096, 0, 5), UINT32_MAX, 4), 32);
	cr_assert_eq(count(affine(0x100000, -4096, 0, 5), UINT32_MAX, 4), 32);
	cr_assert_eq(count(affine(0x1000, 64, 0, 5), UINT32_MAX, 4), 16);
	cr_assert_eq(count(affine(0x1000, 4096, 0, 5), 0x80000101, 4), 3);
}

Test(coalesce, a_tile_of_two_rows_touches_a_line_a_row)
{
	struct trace_addr a = affine(0x1040, 4, 1024, 4);
	struct coalesce_tx tx[COALESCE_MAX];

	cr_assert_eq(coalesce_lines(&a, NULL, UINT32_MAX, 4, 128, tx), 2);
	cr_assert_eq(tx[0].line, 0x1000);
	cr_assert_eq(tx[0].mask[0], 0);
	cr_assert_eq(tx[0].mask[1], UINT64_MAX);
	cr_assert_eq(tx[0].lanes, 0xffff);
	cr_assert_eq(tx[1].line, 0x1400);
	cr_assert_eq(tx[1].lanes, 0xffff0000);
}

Test(coalesce, transactions_are_in_the_order_of_their_lowest_lane)
{
	const uint64_t lanes[] = {0x5000, 0x1000, 0x5004, 0x3000, 0x1010};
	struct trace_addr a = {.list = 0};
	struct coalesce_tx tx[COALESCE_MAX];

	cr_assert_eq(coalesce_lines(&a, lanes, 0x3c4, 4, 128, tx), 3);
	cr_assert_eq(tx[0].line, 0x5000);
	cr_assert_eq(tx[0].lanes, 0x084);
	cr_assert_eq(tx[1].line, 0x1000);
	cr_assert_eq(tx[1].lanes, 0x240);
	cr_assert_eq(tx[2].line, 0x3000);
	cr_assert_eq(tx[2].lanes, 0x100);
}

Test(coalesce, an_access_across_a_line_is_split)
{
	const uint64_t lanes[] = {0x107c};
	struct trace_addr a = {.list = 0};
	struct coalesce_tx tx[COALESCE_MAX];

	cr_assert_eq(coalesce_lines(&a, lanes, 1, 16, 128, tx), 2);
	cr_assert_eq(tx[0].line, 0x1000);
	cr_assert_eq(tx[0].mask[1], UINT64_C(0xf) << 60);
	cr_assert_eq(tx[1].line, 0x1080);
	cr_assert_eq(tx[1].mask[0], 0xfff);
}

/* ---- any pattern, byte by byte ---- */

static uint32_t byte_by_byte(const uint64_t addr[32], uint32_t mask, uint32_t width, uint32_t line,
			     struct coalesce_tx out[COALESCE_MAX])
{
	uint32_t n = 0;

	for (uint32_t l = 0; l < 32; l++) {
		for (uint64_t b = addr[l]; (mask >> l & 1) && b < addr[l] + width; b++) {
			uint32_t i = 0;

			while (i < n && out[i].line != b / line * line)
				i++;
			if (i == n)
				out[n++] = (struct coalesce_tx){.line = b / line * line};
			out[i].mask[b % line / 64] |= UINT64_C(1) << b % line % 64;
			out[i].lanes |= UINT32_C(1) << l;
		}
	}
	return n;
}

static void check(const struct trace_addr *a, const uint64_t *lanes, const uint64_t addr[32], uint32_t mask, uint32_t width,
		  uint32_t line)
{
	struct coalesce_tx got[COALESCE_MAX], want[COALESCE_MAX];
	uint32_t n = coalesce_lines(a, lanes, mask, width, line, got);

	cr_assert_eq(n, byte_by_byte(addr, mask, width, line, want), "base %lx sx %d sy %d shift %u mask %x width %u", a->base,
		     a->sx, a->sy, a->shift, mask, width);
	for (uint32_t i = 0; i < n; i++) {
		cr_assert_eq(got[i].line, want[i].line);
		cr_assert_eq(got[i].mask[0], want[i].mask[0], "got %u line %u base %lx sx %d sy %d shift %u mask %x width %u", n,
			     line, a->base, a->sx, a->sy, a->shift, mask, width);
		cr_assert_eq(got[i].mask[1], want[i].mask[1]);
		cr_assert_eq(got[i].lanes, want[i].lanes);
	}
}

Test(coalesce, any_affine_pattern_agrees_with_a_byte_by_byte_recomputation)
{
	const int32_t stride[] = {0, 1, 2, 4, 8, 16, 20, 32, 64, 128, 132, 4096};
	const uint32_t width[] = {1, 2, 4, 8, 16};
	uint64_t seed = 1, addr[32];

	for (unsigned k = 0; k < 200000; k++) {
		uint32_t w = width[random_u64(&seed) % 5], line = UINT32_C(32) << random_u64(&seed) % 3;
		struct trace_addr a = affine(0x100000 + random_u64(&seed) % 512, stride[random_u64(&seed) % 12],
					     stride[random_u64(&seed) % 12], (uint32_t)(random_u64(&seed) % 6));
		uint32_t mask = random_u64(&seed) % 2 ? UINT32_MAX : (uint32_t)random_u64(&seed);

		a.sx = random_u64(&seed) % 4 ? a.sx : -a.sx;
		a.sy = random_u64(&seed) % 4 ? a.sy : -a.sy;
		if (random_u64(&seed) % 2)
			a.base &= ~(uint64_t)(w - 1);
		for (uint32_t l = 0; l < 32; l++)
			addr[l] = a.base + (uint64_t)((int64_t)a.sx * (l % (1u << a.shift)) + (int64_t)a.sy * (l >> a.shift));
		check(&a, NULL, addr, mask ? mask : 1, w, line);
	}
}

Test(coalesce, any_list_agrees_with_a_byte_by_byte_recomputation)
{
	uint64_t seed = 2, addr[32], list[40];

	for (unsigned k = 0; k < 100000; k++) {
		uint32_t w = UINT32_C(1) << random_u64(&seed) % 5, n = 0, mask = (uint32_t)random_u64(&seed) | 1;
		uint64_t span = UINT64_C(1) << (7 + random_u64(&seed) % 8);
		struct trace_addr a = {.list = 3};

		for (uint32_t l = 0; l < 32; l++) {
			addr[l] = 0x200000 + random_u64(&seed) % span;
			if (mask >> l & 1)
				list[3 + n++] = addr[l];
		}
		check(&a, list, addr, mask, w, 128);
	}
}

/* 611: the address decoder's golden twin: the locations that the papers print, divisions worked out apart, and the
 * plain map of one stack. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bind/params.h"
#include "hw/twins/addr_decoder.h"
#include "support/random.h"

/* A decoder with the default parameters but for those that the text names: "stacks=2 channels=6". */
static struct addr_decoder made(const char *text)
{
	_Alignas(8) unsigned char p[BIND_PARAMS_MAX];
	struct err e = {""};
	struct addr_decoder s;

	cr_assert_eq(bind_params_read(&addr_decoder_block, p, text, &e), 0, "%s", e.text);
	addr_decoder_reset(&s, (const struct addr_decoder_params *)p);
	return s;
}

/* coda, section 4.2: with four stacks and pages of 4 KB, CGP is indexed by bits [13:12], FGP by bits [11:10]. */
Test(decoder, the_stack_bits_are_those_that_the_paper_prints)
{
	struct addr_decoder s = made("stacks=4");

	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t addr = UINT64_C(1) << bit;
		uint32_t fgp = bit == 10 ? 1 : bit == 11 ? 2 : 0, cgp = bit == 12 ? 1 : bit == 13 ? 2 : 0;

		cr_assert_eq(addr_decoder_location(&s, addr, MODE_FGP).stack, fgp, "FGP, bit %u", bit);
		cr_assert_eq(addr_decoder_location(&s, addr, MODE_CGP).stack, cgp, "CGP, bit %u", bit);
	}
	/* Section 7.2: 2 MB pages are localized by bits [22:21]. */
	s = made("page_bits=21 fgp_lsb=19");
	cr_assert_eq(addr_decoder_location(&s, 3 << 21, MODE_CGP).stack, 3);
	cr_assert_eq(addr_decoder_location(&s, ~(UINT64_C(3) << 21), MODE_CGP).stack, 0);
	/* Its evaluation interleaves 128 bytes: bits [8:7]. */
	s = made("fgp_lsb=7");
	cr_assert_eq(addr_decoder_location(&s, 3 << 7, MODE_FGP).stack, 3);
	cr_assert_eq(addr_decoder_location(&s, ~(UINT64_C(3) << 7), MODE_FGP).stack, 0);
}

/* ldesc, section 4.6 and Figure 13: four zones; bits 16 and 17 interleave 64 KB, bits 14 and 15 interleave 16 KB. */
Test(decoder, base_bits_interleave_the_granularity_of_figure_13)
{
	struct addr_decoder s = made("page_bits=16 fgp_lsb=7");

	for (uint64_t addr = 0; addr < 1 << 20; addr += 128) {
		cr_assert_eq(addr_decoder_location(&s, addr, MODE_BIT_16).stack, addr / 65536 % 4);
		cr_assert_eq(addr_decoder_location(&s, addr, 14).stack, addr / 16384 % 4);
		for (uint32_t b = MODE_BIT_7; b <= MODE_BIT_15; b++)
			cr_assert_eq(addr_decoder_location(&s, addr, b).stack, addr / (1u << b) % 4, "base bit %u", b);
	}
}

/* What is left is closed up: the stack-local address of the n-th granule of a stack is n granules. */
Test(decoder, the_stack_local_address_counts_the_stacks_own_granules)
{
	struct addr_decoder s = made("stacks=8 fgp_lsb=7");

	for (uint32_t mode = 0; mode < 16; mode++) {
		uint64_t granule = mode == MODE_CGP	 ? 4096
				   : mode == MODE_BIT_16 ? 65536
				   : mode == MODE_XOR	 ? 256
				   : mode >= 7		 ? 1u << mode
							 : 128;

		for (uint64_t addr = 0; addr < 4 << 20; addr += 100)
			cr_assert_eq(addr_decoder_location(&s, addr, mode).stack_local,
				     addr / (8 * granule) * granule + addr % granule, "mode %u, address %lu", mode, addr);
	}
}

/* ldesc, section 6.2, as docs/reference/hardware/decoder.md reads it: addr / 256 in base N, all digits XORed. */
static uint32_t xor_of_digits(uint64_t addr, uint32_t stacks)
{
	uint32_t x = 0;

	for (uint64_t left = addr / 256; left; left /= stacks)
		x ^= (uint32_t)(left % stacks);
	return x;
}

Test(decoder, the_xor_mode_is_the_xor_of_all_digits_above_256_bytes)
{
	static const uint32_t stacks[] = {2, 4, 8, 16, 32, 64};
	uint64_t x = 99;

	for (unsigned i = 0; i < 6; i++) {
		struct addr_decoder s;
		char text[48];

		snprintf(text, sizeof text, "stacks=%u page_bits=16 fgp_lsb=8", stacks[i]);
		s = made(text);
		for (unsigned n = 0; n < 5000; n++) {
			uint64_t addr = n < 2500 ? n * 64 : random_u64(&x);

			cr_assert_eq(addr_decoder_location(&s, addr, MODE_XOR).stack, xor_of_digits(addr, stacks[i]),
				     "%u stacks, address %#lx", stacks[i], addr);
		}
	}
}

/* Every place of 1 MB is met once; and four neighbours of any power-of-two distance from 256 bytes on, a power of four
 * of them, are in four stacks, where one base bit leaves them all in one. */
Test(decoder, the_xor_mode_is_one_to_one_and_spreads_strides)
{
	struct addr_decoder s = made("stacks=4");
	static uint8_t met[4][1024]; /* by stack and granule */

	for (uint64_t addr = 0; addr < 1 << 20; addr += 256) {
		struct addr_location at = addr_decoder_location(&s, addr, MODE_XOR);

		cr_assert_eq(at.stack_local % 256, 0);
		cr_assert_eq(met[at.stack][at.stack_local / 256]++, 0, "address %#lx", addr);
	}
	for (unsigned bit = 8; bit < 62; bit += 2) {
		uint32_t plain = 0, hashed = 0;

		for (uint64_t i = 0; i < 4; i++) {
			plain |= 1u << addr_decoder_location(&s, i << bit, 8).stack;
			hashed |= 1u << addr_decoder_location(&s, i << bit, MODE_XOR).stack;
		}
		cr_assert_eq(hashed, 15, "stride 2^%u", bit);
		cr_assert_eq(plain, bit == 8 ? 15 : 1);
	}
}

Test(decoder, reserved_modes_decode_as_fgp)
{
	struct addr_decoder s = made("stacks=4");
	uint64_t x = 7;

	for (uint32_t mode = 4; mode <= 6; mode++)
		for (unsigned i = 0; i < 100; i++) {
			uint64_t addr = random_u64(&x);
			struct addr_location a = addr_decoder_location(&s, addr, mode),
					     b = addr_decoder_location(&s, addr, MODE_FGP);

			cr_assert(a.stack == b.stack && a.stack_local == b.stack_local);
		}
}

/* Figure 6: four stacks, pages of 4 KB, blocks of 1 KB numbered in memory's order. FGP 0 (blocks 0 to 3) becomes a CGP,
 * the pages 1 to 3 stay FGP: "there are conflicts with block 4, 8 and 12". */
static unsigned conflicts(enum addr_mode first, enum addr_mode rest, unsigned upon[4])
{
	struct addr_decoder s = made("channels=1");
	unsigned n = 0;

	memset(upon, 0, 4 * sizeof *upon);
	for (unsigned block = 0; block < 4; block++)
		for (unsigned other = 4; other < 16; other++) {
			struct addr_location a = addr_decoder_location(&s, block * 1024, first);
			struct addr_location b = addr_decoder_location(&s, other * 1024, rest);

			if (a.stack == b.stack && a.stack_local == b.stack_local) {
				upon[block] = other;
				n++;
			}
		}
	return n;
}

Test(decoder, figure_6_has_conflicts_with_blocks_4_8_and_12_and_no_others)
{
	unsigned upon[4];

	cr_assert_eq(conflicts(MODE_CGP, MODE_FGP, upon), 3);
	cr_assert(upon[1] == 4 && upon[2] == 8 && upon[3] == 12, "%u %u %u", upon[1], upon[2], upon[3]);
	cr_assert_eq(conflicts(MODE_CGP, MODE_CGP, upon), 0, "Figure 6 (b): all four pages are CGP");
	cr_assert_eq(conflicts(MODE_FGP, MODE_FGP, upon), 0);
	/* The other way round, a FGP among CGPs: page 0's blocks are where the first KB of pages 0 to 3 would be. */
	cr_assert_eq(conflicts(MODE_FGP, MODE_CGP, upon), 3);
	cr_assert(upon[1] == 4 && upon[2] == 8 && upon[3] == 12);
}

/* The text of the map, in plain divisions; bits by a loop over the map's letters. */
static void check_location(const struct addr_decoder *s, uint64_t addr, uint32_t mode)
{
	struct addr_location at = addr_decoder_location(s, addr, mode);
	uint64_t block = at.stack_local / s->p.interleave, fold = 0, q = block / s->p.channels;
	uint64_t local = q * s->p.interleave + at.stack_local % s->p.interleave, row = local >> s->p.map_w;
	uint32_t bank = 0, column = 0, bank_bit = 0, column_bit = 0, power = 1;

	while (s->p.channels % (2 * power) == 0)
		power *= 2;
	for (uint64_t left = q; s->p.hash_channel && power > 1 && left; left /= power)
		fold ^= left % power;
	for (uint32_t bit = s->p.burst_w; bit < s->p.map_w; bit++)
		if (s->p.bank_mask >> bit & 1)
			bank |= (uint32_t)(local >> bit & 1) << bank_bit++;
		else
			column |= (uint32_t)(local >> bit & 1) << column_bit++;
	cr_assert_eq(at.channel, (block % s->p.channels) ^ fold, "address %#lx, mode %u", addr, mode);
	cr_assert_eq(at.channel_local, local, "address %#lx, mode %u", addr, mode);
	cr_assert_eq(at.bank, s->p.hash_bank ? bank ^ row % s->p.banks : bank, "address %#lx, mode %u", addr, mode);
	cr_assert_eq(at.column, column);
	cr_assert_eq(at.row, row);
}

Test(decoder, channel_bank_row_and_column_follow_the_text_for_every_channel_count)
{
	static const uint32_t counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,	 12,  13, 15,
					  16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 208, 240, 256};
	uint64_t x = 12345;

	for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
		for (unsigned hash = 0; hash < 4; hash++) {
			struct addr_decoder s;
			char text[80];

			snprintf(text, sizeof text, "channels=%u hash_channel=%u hash_bank=%u", counts[i], hash & 1, hash >> 1);
			s = made(text);
			for (unsigned n = 0; n < 2000; n++)
				check_location(&s, n < 1000 ? n * 64 : random_u64(&x), n % 16);
		}
}

/* A power-of-two stride that meets one channel goes over all of them with the hash. */
Test(decoder, hashing_spreads_strides_that_meet_one_channel)
{
	struct addr_decoder plain = made("stacks=1"), hashed = made("stacks=1 hash_channel=1");

	for (unsigned stride = 11; stride < 24; stride++) {
		uint32_t met = 0, met_hashed = 0;

		for (uint64_t i = 0; i < 64; i++) {
			met |= 1u << addr_decoder_location(&plain, i << stride, 0).channel;
			met_hashed |= 1u << addr_decoder_location(&hashed, i << stride, 0).channel;
		}
		cr_assert_eq(met, 1, "stride 2^%u", stride);
		cr_assert_eq(met_hashed, 0xff, "stride 2^%u: all three bits of the channel change among 64", stride);
	}
}

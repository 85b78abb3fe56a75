/* 501: where an address stands: known places worked by hand, and back again for every channel count and map. */
#include <criterion/criterion.h>
#include <string.h>

#include "mem/addrmap.h"
#include "support/machine.h"

static struct addrmap map_of(const char *const *set)
{
	struct machine m = machine_with(set);
	struct addrmap a;

	addrmap_init(&a, &m);
	return a;
}

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

Test(addrmap, blocks_of_256_bytes_go_round_six_channels)
{
	struct addrmap a = map_of(NULL);

	/* block = addr / 256, channel = block mod 6, local = (block / 6) * 256 + addr mod 256 */
	cr_assert_eq(addrmap_channel(&a, 0), 0);
	cr_assert_eq(addrmap_channel(&a, 255), 0);
	cr_assert_eq(addrmap_channel(&a, 256), 1);
	cr_assert_eq(addrmap_channel(&a, 5 * 256), 5);
	cr_assert_eq(addrmap_channel(&a, 6 * 256), 0);
	cr_assert_eq(addrmap_local(&a, 6 * 256 + 17), 256 + 17);
	/* 1 MiB = block 4096 = 6 * 682 + 4 */
	cr_assert_eq(addrmap_channel(&a, 1 << 20), 4);
	cr_assert_eq(addrmap_local(&a, 1 << 20), 682 * 256);
}

Test(addrmap, bits_below_the_row_are_named_by_the_map)
{
	struct addrmap a = map_of(NULL);
	/* BBBCCCCBCCSSSSSS: bits 15-13 and 8 are the bank, 12-9 and 7-6 the column, 5-0 the byte, 16 and up the row */
	struct addrmap_place p = addrmap_place(&a, 0x5a7e4d);

	/* 0x5a7e4d = 0101 1010 | 011 1 111 0 01 001101: row 0x5a; B 011 and bit 8 = 0 -> 0110; C 1111 and 01 -> 111101 */
	cr_assert_eq(p.row, 0x5a);
	cr_assert_eq(p.bank, 6);
	cr_assert_eq(p.group, 1, "the upper two of four bank bits");
	cr_assert_eq(p.column, 0x3d);
	cr_assert_eq(p.byte, 0x0d);
}

Test(addrmap, low_bank_bits_can_name_the_group)
{
	struct addrmap a = map_of((const char *const[]){"dram.group_bits=low", NULL});

	cr_assert_eq(addrmap_place(&a, 0x5a7e4d).group, 2, "the lower two bits of bank 6");
	cr_assert_eq(addrmap_place(&a, 0x100).group, 1, "bank 1");
}

Test(addrmap, slices_of_a_channel_take_its_lines_in_turn)
{
	struct addrmap a = map_of((const char *const[]){"l2.slices=2", NULL});

	cr_assert_eq(addrmap_slice(&a, 0x000), 0);
	cr_assert_eq(addrmap_slice(&a, 0x080), 1);
	cr_assert_eq(addrmap_slice(&a, 0x100), 0);
	cr_assert_eq(addrmap_slice_line(&a, 0x100), 1, "line 2 of the channel is line 1 of slice 0");
	cr_assert_eq(addrmap_line_local(&a, 1, 5), 11 * 128);
	cr_assert_eq(addrmap_destination(&a, 256 + 128, 0), 3, "channel 1, slice 1");
}

Test(addrmap, there_and_back_for_every_channel_count)
{
	const uint32_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};

	for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		char channels[32];
		struct addrmap a;

		snprintf(channels, sizeof channels, "dram.channels=%u", counts[i]);
		a = map_of((const char *const[]){channels, NULL});
		for (uint64_t k = 0; k < 20000; k++) {
			uint64_t addr = k < 10000 ? k * 64 : mix(k) >> 16;
			uint32_t channel = addrmap_channel(&a, addr);
			uint64_t local = addrmap_local(&a, addr);

			cr_assert_eq(channel, addr / 256 % counts[i]);
			cr_assert_eq(local, addr / (256 * counts[i]) * 256 + addr % 256);
			cr_assert_eq(addrmap_global(&a, channel, local), addr);
		}
	}
}

Test(addrmap, no_two_addresses_of_a_channel_share_a_place)
{
	static unsigned char seen[1 << 18];
	const char *const maps[] = {"dram.map=BBBCCCCBCCSSSSSS", "dram.map=CCCCBBBBCCSSSSSS", "dram.map=BCBCBCBCCCSSSSSS"};

	for (uint32_t i = 0; i < 3; i++) {
		struct addrmap a = map_of((const char *const[]){maps[i], NULL});

		memset(seen, 0, sizeof seen);
		for (uint64_t local = 0; local < sizeof seen; local++) {
			struct addrmap_place p = addrmap_place(&a, local);
			uint64_t flat;

			cr_assert(p.bank < 16 && p.column < 64 && p.byte < 64);
			flat = ((p.row * 16 + p.bank) * 64 + p.column) * 64 + p.byte;
			cr_assert(flat < sizeof seen && !seen[flat]++, "%s: local address %lu", maps[i], (unsigned long)local);
			cr_assert_eq(addrmap_place_local(&a, &p), local);
		}
	}
}

Test(addrmap, a_map_that_tears_a_line_over_banks_is_refused)
{
	struct machine m = machine_with(NULL);
	struct err e = {""};

	cr_assert_eq(machine_set(&m, "dram.map=BBBCCCCCCBSSSSSS", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), -1);
	cr_assert(strstr(e.text, "dram.map"), "%s", e.text);
}

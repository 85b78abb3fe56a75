/* 501: where an address is: known locations worked by hand, and back again for every channel count, map and number of
 * stacks. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/addr_decoder.h"
#include "machine/decoders.h"
#include "noc/route.h"
#include "support/machine.h"

/* The decoders and the route of a machine with those keys. */
struct map {
	struct arena arena;
	struct machine m;
	struct route route;
	struct addr_decoder_port channel;
};

static struct map map_of(const char *const *set)
{
	struct map a = {.m = machine_with(set)};
	struct hw_binder b = hw_golden_binder(&a.arena);
	struct err e = {""};

	cr_assert_eq(route_init(&a.route, &a.m, &b, "test", 0, &e), 0, "%s", e.text);
	b = hw_golden_binder(&a.arena);
	cr_assert_eq(route_bind_channel(&a.channel, &a.m, &b, "test", &e), 0, "%s", e.text);
	return a;
}

static struct addr_location location(const struct map *a, uint64_t addr)
{
	return route_location(&a->route, 0, addr, MODE_FGP);
}

static struct addr_location in_channel(const struct map *a, uint64_t local)
{
	return addr_decoder_port_location(&a->channel, 0, local, MODE_FGP);
}

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

Test(address_map, blocks_of_256_bytes_go_round_six_channels)
{
	struct map a = map_of(NULL);

	/* block = addr / 256, channel = block mod 6, local = (block / 6) * 256 + addr mod 256 */
	cr_assert_eq(location(&a, 0).channel, 0);
	cr_assert_eq(location(&a, 255).channel, 0);
	cr_assert_eq(location(&a, 256).channel, 1);
	cr_assert_eq(location(&a, 5 * 256).channel, 5);
	cr_assert_eq(location(&a, 6 * 256).channel, 0);
	cr_assert_eq(location(&a, 6 * 256 + 17).channel_local, 256 + 17);
	/* 1 MiB = block 4096 = 6 * 682 + 4 */
	cr_assert_eq(location(&a, 1 << 20).channel, 4);
	cr_assert_eq(location(&a, 1 << 20).channel_local, 682 * 256);
	arena_free(&a.arena);
}

Test(address_map, bits_below_the_row_are_named_by_the_map)
{
	struct map a = map_of(NULL);
	/* BBBCCCCBCCSSSSSS: bits 15-13 and 8 are the bank, 12-9 and 7-6 the column, 5-0 the byte, 16 and up the row */
	struct addr_location p = in_channel(&a, 0x5a7e4d);

	/* 0x5a7e4d = 0101 1010 | 011 1 111 0 01 001101: row 0x5a; B 011 and bit 8 = 0 -> 0110; C 1111 and 01 ->
	 * 111101 */
	cr_assert_eq(p.row, 0x5a);
	cr_assert_eq(p.bank, 6);
	cr_assert_eq(p.column, 0x3d);
	arena_free(&a.arena);
}

Test(address_map, slices_of_a_channel_take_its_lines_in_turn)
{
	struct map a = map_of((const char *const[]){"l2.slices=2", NULL});

	cr_assert_eq(route_slice(&a.route, 0x000), 0);
	cr_assert_eq(route_slice(&a.route, 0x080), 1);
	cr_assert_eq(route_slice(&a.route, 0x100), 0);
	cr_assert_eq(route_slice_line(&a.route, 0x100), 1, "line 2 of the channel is line 1 of slice 0");
	cr_assert_eq(route_line_local(&a.route, 1, 5), 11 * 128);
	cr_assert_eq(route_destination(&a.route, 0, 256 + 128, MODE_FGP), 3, "channel 1, slice 1");
	arena_free(&a.arena);
}

/* Four stacks of six channels of two slices: byte 0x1180 of a page with CGP is in stack 1, there at 0x180: channel 1,
 * line 1.
 */
Test(address_map, destinations_count_stacks_then_channels_then_slices)
{
	struct map a = map_of((const char *const[]){"l2.slices=2", "dram.stacks=4", NULL});

	cr_assert_eq(route_destination(&a.route, 0, 0x1180, MODE_CGP), (1 * 6 + 1) * 2 + 1);
	cr_assert_eq(route_destination(&a.route, 0, 0x1180, MODE_FGP), (0 * 6 + 5) * 2 + 1, "0x580 of stack 0: block 5");
	a.route.shared = 5;
	cr_assert_eq(route_destination(&a.route, 0, 0x1180, MODE_CGP), 0x23 % 5, "slices at the SMs go by physical lines");
	arena_free(&a.arena);
}

Test(address_map, there_and_back_for_every_channel_count)
{
	const uint32_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};

	for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		char channels[32];
		struct map a;

		snprintf(channels, sizeof channels, "dram.channels=%u", counts[i]);
		a = map_of((const char *const[]){channels, NULL});
		for (uint64_t k = 0; k < 20000; k++) {
			uint64_t addr = k < 10000 ? k * 64 : mix(k);
			struct addr_location at = location(&a, addr);

			cr_assert_eq(at.channel, addr / 256 % counts[i]);
			cr_assert_eq(at.channel_local, addr / (256 * counts[i]) * 256 + addr % 256);
			cr_assert_eq((at.channel_local / 256 * counts[i] + at.channel) * 256 + at.channel_local % 256, addr);
		}
		arena_free(&a.arena);
	}
}

Test(address_map, no_two_addresses_of_a_channel_share_a_location)
{
	static unsigned char seen[1 << 18];
	const char *const maps[] = {"dram.map=BBBCCCCBCCSSSSSS", "dram.map=CCCCBBBBCCSSSSSS", "dram.map=BCBCBCBCCCSSSSSS"};

	for (uint32_t i = 0; i < 6; i++) {
		struct map a = map_of((const char *const[]){maps[i / 2], i % 2 ? "map.hash_bank=true" : NULL, NULL});

		memset(seen, 0, sizeof seen);
		for (uint64_t local = 0; local < sizeof seen; local++) {
			struct addr_location p = in_channel(&a, local);
			uint64_t flat;

			cr_assert(p.bank < 16 && p.column < 64);
			flat = ((p.row * 16 + p.bank) * 64 + p.column) * 64 + local % 64;
			cr_assert(flat < sizeof seen && !seen[flat]++, "%s: local address %lu", maps[i / 2], (unsigned long)local);
		}
		arena_free(&a.arena);
	}
}

Test(address_map, a_map_that_tears_a_line_over_banks_is_refused)
{
	struct machine m = machine_with(NULL);
	struct err e = {""};

	cr_assert_eq(machine_set(&m, "dram.map=BBBCCCCCCBSSSSSS", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), -1);
	cr_assert(strstr(e.text, "dram.map"), "%s", e.text);
}

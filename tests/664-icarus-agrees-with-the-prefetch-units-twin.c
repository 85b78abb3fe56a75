/* 664: Icarus Verilog runs random cycles of the prefetch unit's golden twin through the RTL; illegal parameters stop
 * all tools and the twin. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/prefetch_unit.h"
#include "support/icarus.h"
#include "support/prefetch_stimulus.h"
#include "support/refusal.h"

#define SMALL "ENTRIES=2 TILES=2 TILE_W=4 DEPTH=2 " /* that the tools are done with soon */

enum { CYCLES = 4000 };

/* flip_in: the cycle whose expected `busy` is written wrong. */
static struct program through_icarus(struct prefetch_unit_params p, unsigned flip_in)
{
	static struct prefetch_unit u;
	struct prefetch_stimulus s;
	char path[4096], arguments[200];
	FILE *f = icarus_vectors(path);

	prefetch_unit_reset(&u, &p);
	prefetch_stimulus_init(&s, &p, p.entries + p.tiles);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct prefetch_unit_out out;
		struct prefetch_unit_in in;

		s.wild = n >= CYCLES / 4 * 3;
		in = prefetch_stimulus_next(&s);
		prefetch_unit_eval(&u, &in, &out);
		out.busy ^= n == flip_in;
		icarus_print_fields(f, &prefetch_unit_block, &p, HW_INPUT, &in);
		fputc(' ', f);
		icarus_print_fields(f, &prefetch_unit_block, &p, HW_OUTPUT, &out);
		fputc('\n', f);
		prefetch_unit_tick(&u, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments,
		 "ENTRIES=%u TILES=%u TILE_W=%u ADDR_W=%u DIST_W=%u LINE=%u DEPTH=%u SPARE_MSHRS=%u SPARE_QUEUE=%u", p.entries,
		 p.tiles, p.tile_w, p.addr_w, p.dist_w, p.line, p.depth, p.spare_mshrs, p.spare_queue);
	return icarus_simulate("prefetch_unit_tb", arguments, path,
			       "rtl/prefetch_unit/prefetch_unit_tb.v rtl/prefetch_unit/prefetch_unit.v");
}

Test(icarus_prefetch_unit, does_in_every_cycle_what_its_twin_does)
{
	static const struct prefetch_unit_params shape[] = {{16, 8, 32, 48, 32, 128, 8, 8, 2},
							    {2, 1, 1, 8, 1, 2, 1, 0, 0},
							    {5, 3, 4, 12, 12, 32, 3, 1023, 1023},
							    {3, 5, 7, 64, 32, 128, 16, 3, 4}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = through_icarus(shape[i], CYCLES);

		cr_assert_str_eq(p.out, "4000 cycles, 0 mismatches\n", "shape %u: %s%s", i, p.out, p.err);
		program_free(&p);
	}
}

Test(icarus_prefetch_unit, a_single_wrong_bit_among_the_cycles_is_seen)
{
	struct program p = through_icarus((struct prefetch_unit_params){2, 2, 3, 12, 8, 16, 2, 1, 1}, CYCLES / 2);

	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
}

Test(icarus_prefetch_unit, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"TILES=2 ENTRIES=1", "prefetch unit: 1 entries: 2 to 32 are possible"},
		{"TILES=2 ENTRIES=33", "33 entries"},
		{"ENTRIES=2 TILES=0", "prefetch unit: 0 tiles: 1 to 64 are possible"},
		{"ENTRIES=2 TILES=65", "65 tiles"},
		{"ENTRIES=2 TILES=2 TILE_W=0", "prefetch unit: 0 bits of a tile: 1 to 32 are possible"},
		{"ENTRIES=2 TILES=2 TILE_W=33", "33 bits of a tile"},
		{SMALL "ADDR_W=7 DIST_W=7", "prefetch unit: 7 bits of an address: 8 to 64 are possible"},
		{SMALL "ADDR_W=65", "65 bits of an address"},
		{SMALL "DIST_W=0", "prefetch unit: 0 bits of a distance: 1 to 32 are possible"},
		{SMALL "DIST_W=33", "33 bits of a distance"},
		{SMALL "ADDR_W=12 DIST_W=13", "prefetch unit: 13 bits of a distance: 1 to 12 are possible"},
		{SMALL "LINE=96", "prefetch unit: lines of 96 bytes: a power of two from 2 to 128 is needed"},
		{SMALL "LINE=1", "lines of 1 bytes"},
		{SMALL "LINE=256", "lines of 256 bytes"},
		{"ENTRIES=2 TILES=2 TILE_W=4 DEPTH=0", "prefetch unit: 0 slots of the queue: 1 to 16 are possible"},
		{"ENTRIES=2 TILES=2 TILE_W=4 DEPTH=17", "17 slots of the queue"},
		{SMALL "SPARE_MSHRS=1024", "prefetch unit: 1024 spare MSHR entries: 0 to 1023 are possible"},
		{SMALL "SPARE_QUEUE=1024", "prefetch unit: 1024 spare entries of the miss queue: 0 to 1023 are possible"},
	};

	refusals_hold(&prefetch_unit_block, refusal, sizeof refusal / sizeof refusal[0]);
}

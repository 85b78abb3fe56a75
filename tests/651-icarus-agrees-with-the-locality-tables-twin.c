/* 651: Icarus Verilog runs random cycles of the locality table's golden twin through the RTL; illegal parameters
 * stop all tools and the twin. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/locality_table.h"
#include "support/icarus.h"
#include "support/locality_stimulus.h"
#include "support/refusal.h"

enum { CYCLES = 5000 };

/* flip: the bits of the answer's index in the middle that are written wrong. */
static struct program through_icarus(struct locality_table_params p, uint32_t flip)
{
	char path[4096], arguments[200];
	uint64_t seed = p.entries + p.addr_w;
	struct locality_table t;
	FILE *f = icarus_vectors(path);

	locality_table_reset(&t, &p);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct locality_table_in in = locality_stimulus(&t, n, &seed);
		struct locality_table_out out;

		locality_table_eval(&t, &in, &out);
		out.ans_index ^= n == CYCLES / 2 ? flip : 0;
		icarus_print_fields(f, &locality_table_block, &p, HW_INPUT, &in);
		fputc(' ', f);
		icarus_print_fields(f, &locality_table_block, &p, HW_OUTPUT, &out);
		fputc('\n', f);
		locality_table_tick(&t, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "ENTRIES=%u ADDR_W=%u PRIO_W=%u DIST_W=%u", p.entries, p.addr_w, p.prio_w, p.dist_w);
	return icarus_simulate("locality_table_tb", arguments, path,
			       "rtl/locality_table/locality_table_tb.v rtl/locality_table/locality_table.v");
}

Test(icarus_locality_table, does_in_every_cycle_what_its_twin_does)
{
	static const struct locality_table_params shape[] = {{16, 48, 8, 32}, {2, 8, 1, 1}, {5, 12, 3, 7}, {32, 64, 8, 32}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = through_icarus(shape[i], 0);

		cr_assert_str_eq(p.out, "5000 cycles, 0 mismatches\n", "shape %u: %s", i, p.out);
		program_free(&p);
	}
}

Test(icarus_locality_table, a_single_wrong_bit_among_the_cycles_is_seen)
{
	struct program p = through_icarus((struct locality_table_params){5, 12, 3, 7}, 1);

	cr_assert_str_eq(p.out, "5000 cycles, 1 mismatches\n");
	program_free(&p);
}

Test(icarus_locality_table, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"ENTRIES=1", "locality table: 1 entries: 2 to 32 are possible"},
		{"ENTRIES=33", "locality table: 33 entries: 2 to 32 are possible"},
		{"ADDR_W=7", "locality table: addresses of 7 bits: 8 to 64 are possible"},
		{"ADDR_W=65", "locality table: addresses of 65 bits: 8 to 64 are possible"},
		{"PRIO_W=0", "locality table: priorities of 0 bits: 1 to 8 are possible"},
		{"PRIO_W=9", "locality table: priorities of 9 bits: 1 to 8 are possible"},
		{"DIST_W=0", "locality table: distances of 0 bits: 1 to 32 are possible"},
		{"DIST_W=33", "locality table: distances of 33 bits: 1 to 32 are possible"},
	};

	refusals_hold(&locality_table_block, refusal, sizeof refusal / sizeof refusal[0]);
}

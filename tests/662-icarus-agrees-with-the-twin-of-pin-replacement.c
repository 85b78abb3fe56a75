/* 662: Icarus Verilog runs the traffic of pin_replacement's golden twin through the RTL; illegal parameters stop all
 * tools and the twin. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/pin_replacement.h"
#include "support/icarus.h"
#include "support/pin_rule.h"
#include "support/refusal.h"

enum { CYCLES = 4000 };

/* flip_in: the cycle whose expected `busy` is written wrong. */
static struct program through_icarus(struct pin_replacement_params p, unsigned flip_in)
{
	static struct pin_replacement s;
	static struct pin_traffic t;
	char path[4096], arguments[100];
	FILE *f = icarus_vectors(path);

	pin_replacement_reset(&s, &p);
	pin_traffic_init(&t, &p, p.ways, 2);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct pin_replacement_out out, expected;

		pin_replacement_eval(&s, &t.in, &out);
		expected = out;
		expected.busy ^= n == flip_in;
		icarus_print_fields(f, &pin_replacement_block, &p, HW_INPUT, &t.in);
		fputc(' ', f);
		icarus_print_fields(f, &pin_replacement_block, &p, HW_OUTPUT, &expected);
		fputc('\n', f);
		pin_replacement_tick(&s, &t.in);
		pin_traffic_next(&t, &out);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "SETS=%u WAYS=%u TIMER=%u", p.sets, p.ways, p.timer);
	return icarus_simulate("pin_replacement_tb", arguments, path,
			       "rtl/pin_replacement/pin_replacement_tb.v rtl/pin_replacement/pin_replacement.v");
}

Test(icarus_pin_replacement, does_in_every_cycle_what_its_twin_does)
{
	static const struct pin_replacement_params shape[] = {{1, 1, 20},    {1, 2, 100}, {1, 4, 300},	   {1, 16, 400},
							      {32, 4, 1000}, {4, 3, 100}, {64, 6, 100000}, {2, 4, INT32_MAX}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = through_icarus(shape[i], CYCLES);

		cr_assert_str_eq(p.out, "4000 cycles, 0 mismatches\n", "%u x %u: %s", shape[i].sets, shape[i].ways, p.out);
		program_free(&p);
	}
}

Test(icarus_pin_replacement, a_single_wrong_bit_among_the_cycles_is_seen)
{
	struct program p = through_icarus((struct pin_replacement_params){2, 4, 100}, CYCLES / 2);

	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
}

Test(icarus_pin_replacement, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"SETS=0", "pin replacement: 0 sets: a power of two from 1 to 256 is needed"},
		{"SETS=24", "24 sets"},
		{"SETS=512", "512 sets"},
		{"WAYS=0", "pin replacement: 0 ways: 1 to 16 are possible"},
		{"WAYS=17", "17 ways"},
		{"TIMER=0", "pin replacement: a timer of 0 cycles: 1 to 2147483647 are possible"},
	};

	refusals_hold(&pin_replacement_block, refusal, sizeof refusal / sizeof refusal[0]);
}

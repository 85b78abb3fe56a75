/* 666: Icarus Verilog runs random cycles of the bypass monitor's golden twin through the RTL; illegal parameters stop
 * all tools and the twin. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/bypass_stimulus.h"
#include "support/icarus.h"
#include "support/refusal.h"

enum { CYCLES = 4000 };

/* flip_in: the cycle whose expected `busy` is written wrong. */
static struct program through_icarus(struct bypass_monitor_params p, unsigned flip_in)
{
	struct bypass_stimulus s;
	char path[4096], arguments[200];
	FILE *f = icarus_vectors(path);

	bypass_stimulus_init(&s, &p, p.rate + p.period);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct bypass_monitor before = s.u;
		struct bypass_monitor_out out;
		struct bypass_monitor_in in;

		s.wild = n >= CYCLES / 4 * 3;
		in = bypass_stimulus_next(&s);
		bypass_monitor_eval(&before, &in, &out);
		out.busy ^= n == flip_in;
		icarus_print_fields(f, &bypass_monitor_block, &p, HW_INPUT, &in);
		fputc(' ', f);
		icarus_print_fields(f, &bypass_monitor_block, &p, HW_OUTPUT, &out);
		fputc('\n', f);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "RATE=%u PERIOD=%u", p.rate, p.period);
	return icarus_simulate("bypass_monitor_tb", arguments, path,
			       "rtl/bypass_monitor/bypass_monitor_tb.v rtl/bypass_monitor/bypass_monitor.v");
}

Test(icarus_bypass_monitor, does_in_every_cycle_what_its_twin_does)
{
	static const struct bypass_monitor_params shape[] = {{90, 10000}, {1, 2}, {50, 64}, {99, 7}, {90, 1u << 30}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = through_icarus(shape[i], CYCLES);

		cr_assert_str_eq(p.out, "4000 cycles, 0 mismatches\n", "shape %u: %s%s", i, p.out, p.err);
		program_free(&p);
	}
}

Test(icarus_bypass_monitor, a_single_wrong_bit_among_the_cycles_is_seen)
{
	struct program p = through_icarus((struct bypass_monitor_params){50, 8}, CYCLES / 2);

	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
}

Test(icarus_bypass_monitor, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"RATE=0", "bypass monitor: a rate of 0 %: 1 to 99 are possible"},
		{"RATE=100", "a rate of 100 %"},
		{"PERIOD=1", "bypass monitor: periods of 1 cycles: 2 to 1073741824 are possible"},
		{"PERIOD=1073741825", "periods of 1073741825 cycles"},
	};

	refusals_hold(&bypass_monitor_block, refusal, sizeof refusal / sizeof refusal[0]);
}

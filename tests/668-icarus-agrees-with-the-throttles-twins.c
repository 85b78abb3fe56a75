/* 668: Icarus Verilog runs random cycles of the golden twins of DWT-CS's hardware through the RTL; illegal parameters
 * stop all tools and the twins. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/icarus.h"
#include "support/refusal.h"
#include "support/throttle_stimulus.h"

enum { CYCLES = 4000 };

/* flip_in: the cycle whose expected `busy` is written wrong. */
static struct program throttle_through_icarus(struct throttle_params p, unsigned flip_in)
{
	struct throttle_stimulus s;
	struct throttle t;
	char path[4096], arguments[200];
	FILE *f = icarus_vectors(path);

	throttle_reset(&t, &p);
	throttle_stimulus_init(&s, &p, p.kernels + p.period);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct throttle_out out;
		struct throttle_in in;

		s.wild = n >= CYCLES / 4 * 3;
		in = throttle_stimulus_next(&s);
		throttle_eval(&t, &in, &out);
		out.busy ^= n == flip_in;
		icarus_print_fields(f, &throttle_block, &p, HW_INPUT, &in);
		fputc(' ', f);
		icarus_print_fields(f, &throttle_block, &p, HW_OUTPUT, &out);
		fputc('\n', f);
		throttle_tick(&t, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "KERNELS=%u PERIOD=%u PERIODS=%u WATCHDOG=%u COUNT_W=%u COMMIT_W=%u MISS_W=%u",
		 p.kernels, p.period, p.periods, p.watchdog, p.count_w, p.commit_w, p.miss_w);
	return icarus_simulate("throttle_tb", arguments, path, "rtl/throttle/throttle_tb.v rtl/throttle/throttle.v");
}

static struct program coordinator_through_icarus(struct throttle_coordinator_params p, unsigned flip_in)
{
	struct throttle_coordinator c;
	struct coordinator_stimulus s;
	char path[4096], arguments[200];
	FILE *f = icarus_vectors(path);

	throttle_coordinator_reset(&c, &p);
	coordinator_stimulus_init(&s, &p, p.kernels + p.sms);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct throttle_coordinator_out out;
		struct throttle_coordinator_in in;

		s.wild = n >= CYCLES / 4 * 3;
		in = coordinator_stimulus_next(&s);
		throttle_coordinator_eval(&c, &in, &out);
		out.busy ^= n == flip_in;
		icarus_print_fields(f, &throttle_coordinator_block, &p, HW_INPUT, &in);
		fputc(' ', f);
		icarus_print_fields(f, &throttle_coordinator_block, &p, HW_OUTPUT, &out);
		fputc('\n', f);
		throttle_coordinator_tick(&c, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "SMS=%u KERNELS=%u N=%u THRESHOLD=%u PER_CYCLES=%u ANY=%u COUNT_W=%u", p.sms,
		 p.kernels, p.n, p.threshold, p.per_cycles, p.any, p.count_w);
	return icarus_simulate("throttle_coordinator_tb", arguments, path,
			       "rtl/throttle/throttle_coordinator_tb.v rtl/throttle/throttle_coordinator.v");
}

static void agrees(struct program p)
{
	cr_assert_str_eq(p.out, "4000 cycles, 0 mismatches\n", "%s%s", p.out, p.err);
	program_free(&p);
}

Test(icarus_throttle, does_in_every_cycle_what_its_twins_do)
{
	agrees(throttle_through_icarus((struct throttle_params){8, 10000, 4, 256, 32, 9, 2}, CYCLES));
	agrees(throttle_through_icarus((struct throttle_params){1, 2, 1, 0, 4, 1, 1}, CYCLES));
	agrees(throttle_through_icarus((struct throttle_params){5, 50, 3, 2, 9, 5, 3}, CYCLES));
	agrees(coordinator_through_icarus((struct throttle_coordinator_params){15, 8, 2, 10, 0, 0, 32}, CYCLES));
	agrees(coordinator_through_icarus((struct throttle_coordinator_params){2, 1, 1, 0, 0, 0, 4}, CYCLES));
	agrees(coordinator_through_icarus((struct throttle_coordinator_params){5, 3, 3, 100, 1000, 0, 9}, CYCLES));
	agrees(coordinator_through_icarus((struct throttle_coordinator_params){7, 5, 2, 30, 0, 1, 20}, CYCLES));
}

Test(icarus_throttle, a_single_wrong_bit_among_the_cycles_is_seen)
{
	struct program p = throttle_through_icarus((struct throttle_params){2, 50, 2, 2, 8, 3, 2}, CYCLES / 2);

	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
	p = coordinator_through_icarus((struct throttle_coordinator_params){3, 2, 1, 10, 0, 0, 8}, CYCLES / 2);
	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
}

Test(icarus_throttle, illegal_parameters_stop_all_tools_and_the_twins)
{
	static const struct refusal throttle[] = {
		{"KERNELS=0", "throttle: 0 kernels: 1 to 64 are possible"},
		{"KERNELS=65", "65 kernels"},
		{"PERIOD=1", "throttle: 1 cycles of a period: 2 to 1073741824 are possible"},
		{"PERIODS=0", "throttle: 0 periods of a sampling: 1 to 255 are possible"},
		{"PERIODS=256", "256 periods of a sampling"},
		{"WATCHDOG=65536", "throttle: 65536 periods of the watchdog: 0 to 65535 are possible"},
		{"COUNT_W=3 COMMIT_W=1", "throttle: 3 bits of a counter: 4 to 32 are possible"},
		{"COUNT_W=33", "33 bits of a counter"},
		{"COMMIT_W=0", "throttle: 0 bits of a cycle's commits: 1 to 12 are possible"},
		{"COMMIT_W=13", "13 bits of a cycle's commits"},
		{"COUNT_W=5 COMMIT_W=5", "throttle: 5 bits of a cycle's commits: 1 to 4 are possible"},
		{"MISS_W=0", "throttle: 0 bits of a cycle's misses: 1 to 6 are possible"},
		{"MISS_W=7", "7 bits of a cycle's misses"},
		{"COUNT_W=4 COMMIT_W=1 MISS_W=4", "throttle: 4 bits of a cycle's misses: 1 to 3 are possible"},
	};
	static const struct refusal coordinator[] = {
		{"SMS=1", "throttle coordinator: 1 SMs: 2 to 256 are possible"},
		{"SMS=257", "257 SMs"},
		{"KERNELS=0", "throttle coordinator: 0 kernels: 1 to 64 are possible"},
		{"KERNELS=65", "65 kernels"},
		{"N=0", "throttle coordinator: 0 periods before a sampling: 1 to 15 are possible"},
		{"N=16", "16 periods before a sampling"},
		{"THRESHOLD=65536", "throttle coordinator: 65536 misses per kilo: 0 to 65535 are possible"},
		{"ANY=2", "throttle coordinator: 2 as any: 0 to 1 are possible"},
		{"COUNT_W=3", "throttle coordinator: 3 bits of a counter: 4 to 32 are possible"},
		{"COUNT_W=33", "33 bits of a counter"},
	};

	refusals_hold(&throttle_block, throttle, sizeof throttle / sizeof throttle[0]);
	refusals_hold(&throttle_coordinator_block, coordinator, sizeof coordinator / sizeof coordinator[0]);
}

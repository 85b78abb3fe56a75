/* 605: Icarus Verilog, a second opinion beside Verilator, runs the golden twins' vectors through the RTL and finds no
 * difference.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "support/corner.h"
#include "support/icarus.h"
#include "support/random.h"

enum { PRIC_VECTORS = 2000 };

/* flip: the bits of the one expected set number in the middle that are changed. */
static struct program pric_through_icarus(struct pric_params params, uint32_t flip)
{
	char path[4096], arguments[512];
	uint64_t x = 0x2545f4914f6cdd1du, last = 0;
	struct pric s;
	FILE *f = icarus_vectors(path);

	pric_reset(&s, &params);
	for (unsigned n = 0; n < PRIC_VECTORS; n++) {
		struct pric_in in;
		struct pric_out out;

		in.addr = last = n < params.addr_w ? UINT64_C(1) << n : corner_value(&x, params.addr_w, last);
		pric_eval(&s, &in, &out);
		fprintf(f, "%lx %x %lx\n", in.addr, n == PRIC_VECTORS / 2 ? out.set ^ flip : out.set, out.tag);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "ADDR_W=%u ADDR_BITS=%u LINE_BYTES=%u SETS=%u POLY=%u", params.addr_w,
		 params.addr_bits, params.line, params.sets, params.poly);
	return icarus_simulate("pric_index_tb", arguments, path, "rtl/pric/pric_index_tb.v rtl/pric/pric_index.v");
}

Test(icarus, pric_gives_the_twins_sets_and_tags_in_every_shape)
{
	static const struct pric_params shape[] = {
		{32, 32, 128, 32, 37}, {32, 27, 128, 32, 37}, {32, 32, 128, 32, 61},	{64, 48, 128, 32, 59},
		{32, 32, 128, 64, 67}, {32, 32, 32, 2, 3},    {40, 40, 64, 1024, 1033}, {48, 30, 256, 65536, 65581},
	};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = pric_through_icarus(shape[i], 0);

		cr_assert_str_eq(p.out, "2000 vectors, 0 mismatches\n", "shape %u: %s", i, p.out);
		program_free(&p);
	}
}

Test(icarus, a_single_wrong_set_bit_among_the_vectors_is_seen)
{
	struct program p = pric_through_icarus(pric_params_of(37, 32, 128, 0), 4);

	cr_assert_str_eq(p.out, "2000 vectors, 1 mismatches\n");
	program_free(&p);
}

enum { MONITOR_CYCLES = 5000 };

static struct program monitor_through_icarus(struct set_monitor_params params, uint32_t flip)
{
	static const uint64_t tags[4] = {0, UINT64_MAX, 0x5555555555555555, 0x123456789abcdef0}; /* some come again */
	char path[4096], arguments[512];
	uint64_t x = 0x853c49e6748fea9bu;
	struct set_monitor s;
	FILE *f = icarus_vectors(path);

	set_monitor_reset(&s, &params);
	for (unsigned n = 0; n < MONITOR_CYCLES; n++) {
		uint64_t r = random_u64(&x),
			 tag = random_u64(&x) & 1 ? corner_value(&x, params.tag_w, s.acc_tag) : tags[r >> 60 & 3];
		struct set_monitor_in in = {
			.acc_valid = (r & 7) < 5,
			.acc_set = (uint32_t)(r >> 8) & (params.sets - 1),
			.acc_tag = tag & ((UINT64_C(1) << params.tag_w) - 1),
			.req_valid = (r >> 3 & 3) < 2,
			.req_set = (uint32_t)(r >> 24) & (params.sets - 1),
			.rsp_ready = n / 64 % 4 ? r >> 5 & 1 : 0, /* stretches of back-pressure */
		};
		struct set_monitor_out out;

		set_monitor_eval(&s, &in, &out);
		if (n == MONITOR_CYCLES / 2)
			out.rsp_count ^= flip;
		icarus_print_cycle(f, &set_monitor_block, &params, &in, &out);
		set_monitor_tick(&s, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "SETS=%u TAG_W=%u COUNT_W=%u", params.sets, params.tag_w, params.count_w);
	return icarus_simulate("set_monitor_tb", arguments, path, "rtl/set_monitor/set_monitor_tb.v rtl/set_monitor/set_monitor.v");
}

Test(icarus, set_monitor_does_in_every_cycle_what_its_twin_does)
{
	static const struct set_monitor_params shape[] = {{32, 20, 16}, {4, 2, 2}, {2, 1, 32}, {16, 57, 9}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		struct program p = monitor_through_icarus(shape[i], 0);

		cr_assert_str_eq(p.out, "5000 cycles, 0 mismatches\n", "shape %u: %s", i, p.out);
		program_free(&p);
	}
}

Test(icarus, a_single_wrong_response_bit_among_the_cycles_is_seen)
{
	struct program p = monitor_through_icarus((struct set_monitor_params){32, 20, 16}, 1);

	cr_assert_str_eq(p.out, "5000 cycles, 1 mismatches\n");
	program_free(&p);
}

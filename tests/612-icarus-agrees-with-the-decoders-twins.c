/* 612: Icarus Verilog runs the vectors of the address decoder's golden twins through the RTL; illegal parameters stop
 * all tools and the twin. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "support/corner.h"
#include "support/icarus.h"
#include "support/random.h"
#include "support/refusal.h"

static const struct addr_decoder_params defaults = {.addr_w = 64,
						    .ports = 1,
						    .stacks = 4,
						    .page_bits = 12,
						    .fgp_lsb = 10,
						    .channels = 8,
						    .interleave = 256,
						    .banks = 16,
						    .burst_w = 6,
						    .map_w = 16,
						    .bank_mask = 0xe100};

enum { ONE_HOT = 16 * 64, VECTORS = ONE_HOT + 4000 };

/* Every single address bit in every mode, then corners and neighbours of the address before; flip: of one expected
 * row, in the middle. */
static struct program decoder_through_icarus(struct addr_decoder_params p, uint64_t flip)
{
	char path[4096], arguments[512];
	uint64_t x = 0x9e3779b97f4a7c15u, last = 0;
	struct addr_decoder s;
	struct err e = {""};
	FILE *f = icarus_vectors(path);

	cr_assert_eq(addr_decoder_params_check(&p, &e), 0, "%s", e.text);
	addr_decoder_reset(&s, &p);
	for (unsigned n = 0; n < VECTORS; n++) {
		uint64_t addr = n < ONE_HOT ? UINT64_C(1) << n % 64 : corner_value(&x, 64, last);
		uint32_t mode = n < ONE_HOT ? n / 64 : random_u64(&x) % 16;
		struct addr_location at = addr_decoder_location(&s, addr & s.addr_mask, mode);

		last = addr;
		fprintf(f, "%lx %x %x %lx %x %lx %x %lx %x\n", addr & s.addr_mask, mode, at.stack, at.stack_local, at.channel,
			at.channel_local, at.bank, n == VECTORS / 2 ? at.row ^ flip : at.row, at.column);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments,
		 "ADDR_W=%u STACKS=%u PAGE_BITS=%u FGP_LSB=%u CHANNELS=%u INTERLEAVE=%u BANKS=%u BURST_W=%u MAP_W=%u BANK_MASK=%u "
		 "HASH_CHANNEL=%u HASH_BANK=%u",
		 p.addr_w, p.stacks, p.page_bits, p.fgp_lsb, p.channels, p.interleave, p.banks, p.burst_w, p.map_w, p.bank_mask,
		 p.hash_channel, p.hash_bank);
	return icarus_simulate("addr_decoder_tb", arguments, path,
			       "rtl/decoder/addr_decoder_tb.v rtl/decoder/addr_decoder.v rtl/decoder/div_const.v");
}

static void agrees(struct addr_decoder_params p)
{
	struct program out = decoder_through_icarus(p, 0);

	cr_assert_str_eq(out.out, "5024 vectors, 0 mismatches\n", "%u stacks, %u channels: %s", p.stacks, p.channels, out.out);
	program_free(&out);
}

Test(icarus_decoder, gives_the_twins_locations_in_every_shape)
{
	struct addr_decoder_params p = defaults;

	agrees(p);
	p.hash_channel = p.hash_bank = 1;
	agrees(p);
	p = defaults, p.stacks = 1, p.channels = 6;
	agrees(p);
	p.channels = 1, p.hash_bank = 1;
	agrees(p);
	p = defaults, p.stacks = 32, p.fgp_lsb = 7, p.channels = 3;
	agrees(p);
	p = defaults, p.addr_w = 48, p.page_bits = 21, p.fgp_lsb = 19, p.channels = 12;
	agrees(p);
	p = defaults, p.stacks = 1, p.channels = 40, p.hash_channel = 1;
	agrees(p);
	p.addr_w = 47, p.channels = 104, p.interleave = 4096;
	agrees(p);
	p = (struct addr_decoder_params){.addr_w = 24,
					 .ports = 1,
					 .stacks = 2,
					 .page_bits = 16,
					 .fgp_lsb = 7,
					 .channels = 2,
					 .interleave = 1024,
					 .banks = 1,
					 .burst_w = 4,
					 .map_w = 4,
					 .hash_channel = 1};
	agrees(p);
}

Test(icarus_decoder, a_single_wrong_row_bit_among_the_vectors_is_seen)
{
	struct program p = decoder_through_icarus(defaults, 4);

	cr_assert_str_eq(p.out, "5024 vectors, 1 mismatches\n");
	program_free(&p);
}

enum { CYCLES = 4000 };

static struct program pipe_through_icarus(uint32_t stacks, uint32_t channels, uint32_t flip)
{
	struct addr_decoder_pipe_params p;
	struct addr_decoder_params plain = defaults;
	char path[4096], arguments[128];
	uint64_t x = 0x853c49e6748fea9bu;
	struct addr_decoder_pipe s;
	FILE *f = icarus_vectors(path);

	plain.addr_w = 48, plain.ports = 2, plain.stacks = stacks, plain.channels = channels;
	memcpy(&p, &plain, sizeof p);
	addr_decoder_pipe_reset(&s, &p);
	for (unsigned n = 0; n < CYCLES; n++) {
		struct addr_decoder_pipe_in in = {0};
		struct addr_decoder_pipe_out out;

		for (unsigned i = 0; i < 2; i++) {
			uint64_t r = random_u64(&x);

			in.req_valid[i] = r % 4 != 0;
			in.req_addr[i] = corner_value(&x, 48, s.skid_addr[i]);
			in.req_mode[i] = r >> 8 & 15;
			in.rsp_ready[i] = n / 64 % 4 ? r >> 16 & 1 : i == n / 256 % 2; /* stretches in which one port
										        * stands
									      * still */
		}
		addr_decoder_pipe_eval(&s, &in, &out);
		if (n == CYCLES / 2)
			out.rsp_channel[1] ^= flip;
		icarus_print_cycle(f, &addr_decoder_pipe_block, &p, &in, &out);
		addr_decoder_pipe_tick(&s, &in);
	}
	fclose(f);
	snprintf(arguments, sizeof arguments, "ADDR_W=48 STACKS=%u CHANNELS=%u", stacks, channels);
	return icarus_simulate("addr_decoder_pipe_tb", arguments, path,
			       "rtl/decoder/addr_decoder_pipe_tb.v rtl/decoder/addr_decoder_pipe.v rtl/decoder/addr_decoder.v "
			       "rtl/decoder/div_const.v");
}

Test(icarus_decoder, pipe_does_in_every_cycle_what_its_twin_does)
{
	static const uint32_t shape[][2] = {{4, 6}, {1, 8}, {1, 40}};

	for (unsigned i = 0; i < 3; i++) {
		struct program p = pipe_through_icarus(shape[i][0], shape[i][1], 0);

		cr_assert_str_eq(p.out, "4000 cycles, 0 mismatches\n", "shape %u: %s", i, p.out);
		program_free(&p);
	}
}

Test(icarus_decoder, a_single_wrong_channel_bit_of_port_1_is_seen)
{
	struct program p = pipe_through_icarus(4, 6, 1);

	cr_assert_str_eq(p.out, "4000 cycles, 1 mismatches\n");
	program_free(&p);
}

/* ---- parameters ---- */

Test(icarus_decoder, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"ADDR_W=65", "65 bits"},
		{"ADDR_W=18", "19 to 64"},
		{"ADDR_W=21", "none for the row"},
		{"PORTS=0", "0 ports"},
		{"PORTS=17", "17 ports"},
		{"STACKS=0", "0 stacks"},
		{"STACKS=3", "3 stacks"},
		{"STACKS=128", "128 stacks"},
		{"PAGE_BITS=9 FGP_LSB=7", "2^9"},
		{"PAGE_BITS=25", "2^25"},
		{"FGP_LSB=4", "bit 4"},
		{"FGP_LSB=11", "in 5 to 11"},
		{"CHANNELS=0", "0 channels"},
		{"CHANNELS=17", "17 channels"},
		{"CHANNELS=34", "34 channels"},
		{"CHANNELS=384", "384 channels"},
		{"INTERLEAVE=300", "300 bytes"},
		{"INTERLEAVE=16", "16 bytes"},
		{"BANKS=12", "12 banks"},
		{"BANKS=8", "8 banks need 3"},
		{"BURST_W=1", "2^1"},
		{"MAP_W=27", "27 address bits"},
		{"MAP_W=15", "bank bits 0xe100"},
		{"BANK_MASK=57376", "bank bits 0xe020"},
		{"HASH_CHANNEL=2", "hash_channel 2"},
		{"HASH_BANK=2", "hash_bank 2"},
	};

	refusals_hold(&addr_decoder_block, refusal, sizeof refusal / sizeof refusal[0]);
}

/* 709: the address decoder and its pipe agree with their golden twins in lockstep: every address bit in every mode,
 * random addresses, random back-pressure. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "lockstep/cosim.h"
#include "support/corner.h"
#include "support/random.h"

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

static void params_of(const char *text, const struct hw_block *b, void *p, size_t size)
{
	unsigned char room[BIND_PARAMS_MAX];
	struct err e = {""};

	cr_assert_eq(bind_params_read(b, room, text, &e), 0, "%s", e.text);
	memcpy(p, room, size);
}

/* ---- the combinational block ---- */

enum { ONE_HOT = 16 * 64, STEPS = 20000 };

static uint64_t drive(const struct addr_decoder_port *port)
{
	uint64_t x = 99, hash = 0, addr = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		addr = i < ONE_HOT ? UINT64_C(1) << i % 64 : corner_value(&x, 64, addr);

		struct addr_location at = addr_decoder_port_location(port, i / 3, addr, i < ONE_HOT ? i / 64 : random_u64(&x) % 16);

		hash = (hash ^ at.stack ^ at.stack_local ^ at.channel << 7 ^ at.channel_local << 1 ^ at.row << 2 ^
			(uint64_t)at.bank << 50 ^ (uint64_t)at.column << 56) *
		       0x9e3779b97f4a7c15;
	}
	return hash;
}

static void three_modes(const char *text)
{
	struct addr_decoder_params p;
	uint64_t hash[3];

	params_of(text, &addr_decoder_block, &p, sizeof p);
	for (int mode = UNIT_GOLDEN; mode <= UNIT_LOCKSTEP; mode++) {
		struct cosim *c = new_cosim(mode);
		struct hw_binder b = cosim_binder(c);
		struct addr_decoder_port port;
		struct err e = {""};

		cr_assert_eq(addr_decoder_bind(&b, "sm0", &p, &port, &e), 0, "%s", e.text);
		hash[mode] = drive(&port);
		cr_assert_eq(cosim_finish(c, &e), 0, "%s: %s", text, e.text);
		cr_assert_eq(cosim_steps(c, &addr_decoder_block), mode == UNIT_GOLDEN ? 0 : STEPS);
		cosim_free(c);
	}
	cr_assert(hash[UNIT_RTL] == hash[UNIT_GOLDEN] && hash[UNIT_LOCKSTEP] == hash[UNIT_GOLDEN], "%s", text);
}

Test(decoder_lockstep, golden_rtl_and_both_give_the_model_the_same_locations)
{
	three_modes("stacks=1 channels=6");
	three_modes("stacks=4 channels=8 fgp_lsb=7");
	three_modes("stacks=4 channels=8 hash_channel=1 hash_bank=1");
	three_modes("stacks=32 channels=12 fgp_lsb=7 page_bits=16 hash_bank=1");
}

/* ---- the pipe ---- */

/* Requests are held until they are taken; each port's consumer is ready one time in `ready_in`, and every answer is
 * compared with the decoder itself, in order: nothing is lost, nothing is made. */
static void drive_pipe(const struct addr_decoder_pipe_port *port, const struct addr_decoder *golden, uint64_t seed,
		       unsigned ready_in)
{
	enum { KEEP = 4 };
	struct addr_decoder_pipe_in in = {0};
	struct addr_decoder_pipe_out out;
	uint64_t addr[ADDR_DECODER_MAX_PORTS][KEEP];
	uint8_t mode[ADDR_DECODER_MAX_PORTS][KEEP];
	unsigned taken[ADDR_DECODER_MAX_PORTS] = {0}, given[ADDR_DECODER_MAX_PORTS] = {0};

	for (unsigned step = 0; step < 4000; step++) {
		for (unsigned i = 0; i < port->params.ports; i++)
			in.rsp_ready[i] = random_u64(&seed) % ready_in == 0;
		addr_decoder_pipe_port_step(port, step, &in, &out);
		for (unsigned i = 0; i < port->params.ports; i++) {
			if (out.rsp_valid[i] && in.rsp_ready[i]) {
				struct addr_location at =
					addr_decoder_location(golden, addr[i][given[i] % KEEP], mode[i][given[i] % KEEP]);

				cr_assert_lt(given[i]++, taken[i]);
				cr_assert(at.stack == out.rsp_stack[i] && at.stack_local == out.rsp_stack_local[i] &&
					  at.channel == out.rsp_channel[i] && at.channel_local == out.rsp_channel_local[i] &&
					  at.row == out.rsp_row[i] && at.bank == out.rsp_bank[i] && at.column == out.rsp_column[i]);
			}
			if (in.req_valid[i] && out.req_ready[i]) {
				addr[i][taken[i] % KEEP] = in.req_addr[i];
				mode[i][taken[i]++ % KEEP] = in.req_mode[i];
				cr_assert_leq(taken[i] - given[i], 2);
			}
			if (!in.req_valid[i] || out.req_ready[i]) {
				in.req_valid[i] = random_u64(&seed) % 4 != 0;
				in.req_addr[i] = corner_value(&seed, port->params.addr_w, in.req_addr[i]);
				in.req_mode[i] = random_u64(&seed) % 16;
			}
		}
	}
	for (unsigned i = 0; i < port->params.ports; i++)
		cr_assert_gt(given[i], ready_in == 1 ? 2800 : 3000 / ready_in, "port %u answered %u", i, given[i]);
}

Test(decoder_lockstep, pipe_agrees_in_outputs_and_registers_whatever_the_back_pressure)
{
	const char *text = "addr_w=48 ports=3 stacks=4 channels=6 fgp_lsb=7";
	struct addr_decoder_pipe_params p;
	struct addr_decoder_params plain;
	struct addr_decoder golden;

	params_of(text, &addr_decoder_pipe_block, &p, sizeof p);
	params_of(text, &addr_decoder_block, &plain, sizeof plain);
	addr_decoder_reset(&golden, &plain);
	for (unsigned ready_in = 1; ready_in <= 5; ready_in++) {
		struct cosim *c = new_cosim(UNIT_LOCKSTEP);
		struct hw_binder b = cosim_binder(c);
		struct addr_decoder_pipe_port port;
		struct err e = {""};

		cr_assert_eq(addr_decoder_pipe_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
		drive_pipe(&port, &golden, 0x1234567 + ready_in, ready_in);
		cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
		cr_assert_eq(cosim_steps(c, &addr_decoder_pipe_block), 4001, "the reset and 4000 steps");
		cosim_free(c);
	}
}

/* With the consumer always ready an address goes in and an answer comes out in each cycle. */
Test(decoder_lockstep, pipe_decodes_an_address_a_cycle_and_answers_in_the_next)
{
	struct addr_decoder_pipe_params p;
	struct addr_decoder_pipe s;
	struct addr_decoder_pipe_in in = {.req_valid = {1}, .rsp_ready = {1}};
	struct addr_decoder_pipe_out out;

	params_of("", &addr_decoder_pipe_block, &p, sizeof p);
	addr_decoder_pipe_reset(&s, &p);
	for (unsigned i = 0; i < 100; i++) {
		in.req_addr[0] = i * 1024;
		addr_decoder_pipe_eval(&s, &in, &out);
		cr_assert(out.req_ready[0] && out.rsp_valid[0] == (i > 0), "cycle %u", i);
		cr_assert(i == 0 || out.rsp_stack[0] == (i - 1) % 4, "cycle %u", i);
		addr_decoder_pipe_tick(&s, &in);
	}
}

/* 708: the binding is made from port lists alone: a block that exists in this test only, with ports and registers of
 * more than 64 bits, a register in an instance below and a memory, runs in lockstep; a field that does not fit is
 * named. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lockstep/scenario.h"
#include "support/program.h"
#include "support/random.h"

/*                        type      name  in the RTL  default */
#define WIDE_PARAMS(PARAM) PARAM(uint32_t, width, WIDTH, 40)
#define WIDE_INPUTS(SCALAR, VECTOR)                                                                                                \
	VECTOR(uint64_t, data, 3, 3, p->width)                                                                                     \
	SCALAR(uint8_t, at, 2)
#define WIDE_OUTPUTS(SCALAR, VECTOR) VECTOR(uint64_t, last, 3, 3, p->width)
#define WIDE_REGS(SCALAR, VECTOR)                                                                                                  \
	VECTOR(uint64_t, last, 3, 3, p->width)                                                                                     \
	SCALAR(uint64_t, u_sum__total, p->width)                                                                                   \
	VECTOR(uint64_t, mem, 4, 4, p->width)

struct wide_params {
	WIDE_PARAMS(HW_MEMBER_PARAM)
};
struct wide_in {
	HW_STRUCT(WIDE_INPUTS)
};
struct wide_out {
	HW_STRUCT(WIDE_OUTPUTS)
};
struct wide {
	HW_STRUCT(WIDE_REGS)
	struct wide_params p;
};

HW_DESCRIBE(wide, WIDE_PARAMS, WIDE_INPUTS, WIDE_OUTPUTS, WIDE_REGS)

static int check(const void *params, struct err *e)
{
	(void)params;
	(void)e;
	return 0;
}

static void reset(void *state, const void *params)
{
	memset(state, 0, sizeof(struct wide));
	((struct wide *)state)->p = *(const struct wide_params *)params;
}

static void eval(const void *state, const void *in, void *out)
{
	(void)in;
	memcpy(out, ((const struct wide *)state)->last, sizeof(struct wide_out));
}

static void tick(void *state, const void *in)
{
	struct wide *s = state;
	const struct wide_in *x = in;

	s->u_sum__total = (s->u_sum__total + x->data[0] + x->data[2]) & ((UINT64_C(1) << s->p.width) - 1);
	s->mem[x->at] = x->data[1];
	memcpy(s->last, x->data, sizeof s->last);
}

static const struct hw_block wide_block = {
	.name = "wide",
	.module = "wide",
	.source = "none",
	.params_size = sizeof(struct wide_params),
	.state_size = sizeof(struct wide),
	.in_size = sizeof(struct wide_in),
	.out_size = sizeof(struct wide_out),
	.params = wide_param_table,
	.n_params = 1,
	.check = check,
	.fields = wide_fields,
	.reset = reset,
	.eval = eval,
	.tick = tick,
};

/* %s: what the adder adds beside its two inputs; the memory's declaration. */
static const char rtl[] = "module wide #(parameter WIDTH = 8) (\n"
			  "    input wire clk_i, input wire rst_i, input wire [3*WIDTH-1:0] data_i, input wire [1:0] at_i,\n"
			  "    output wire [3*WIDTH-1:0] last_o\n"
			  ");\n"
			  "    reg [3*WIDTH-1:0] last_q;\n"
			  "    %s\n"
			  "    integer i;\n"
			  "    adder #(.WIDTH(WIDTH)) u_sum (.clk_i(clk_i), .rst_i(rst_i), .a_i(data_i[WIDTH-1:0]), "
			  ".b_i(data_i[3*WIDTH-1:2*WIDTH]));\n"
			  "    always @(posedge clk_i)\n"
			  "        if (rst_i) begin last_q <= 0; for (i = 0; i < 4; i = i + 1) mem_q[i] <= 0; end\n"
			  "        else begin last_q <= data_i; mem_q[at_i] <= data_i[WIDTH +: WIDTH]; end\n"
			  "    assign last_o = last_q;\n"
			  "endmodule\n"
			  "module adder #(parameter WIDTH = 8) (input wire clk_i, input wire rst_i, input wire [WIDTH-1:0] a_i, "
			  "input wire [WIDTH-1:0] b_i);\n"
			  "    reg [WIDTH-1:0] total_q;\n"
			  "    always @(posedge clk_i) if (rst_i) total_q <= 0; else total_q <= total_q + a_i + b_i%s;\n"
			  "endmodule\n";

static void make_scenario(struct scenario *s, const char *memory, const char *wrong, unsigned width)
{
	struct wide_params p = {.width = width};
	uint64_t seed = 88172645463325252u, x = 0, words[8];
	struct wide_in in;
	FILE *f;

	scenario_init(s, &wide_block, &p);
	snprintf(s->rtl, sizeof s->rtl, "%s/wide.v", program_tmp());
	f = fopen(s->rtl, "w");
	cr_assert(f && fprintf(f, rtl, memory, wrong) > 0);
	fclose(f);
	for (unsigned i = 0; i < 3000; i++) {
		for (unsigned k = 0; k < 3; k++) {
			x = random_u64(&seed);
			in.data[k] = x & ((UINT64_C(1) << width) - 1);
		}
		in.at = x >> 62;
		bind_pack(&s->layout.side[HW_INPUT], &in, words);
		stim_append(&s->stim, i, i % 1000 == 0, words);
	}
}

static struct outcome run(const char *memory, const char *wrong, unsigned width)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	struct outcome o;

	make_scenario(&s, memory, wrong, width);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	cr_assert(lib.abi->same_state, "the registers are found, that of the instance and the memory too");
	o = scenario_run(&s, lib.abi, NULL);
	scenario_free(&s);
	bind_close(&lib);
	return o;
}

Test(any_block, wide_ports_instances_and_memories_agree)
{
	struct outcome o = run("reg [WIDTH-1:0] mem_q [0:3];", "", 40);

	cr_assert_not(o.failed);
	cr_assert_eq(o.steps, 3000);
	cr_assert_not(run("reg [WIDTH-1:0] mem_q [0:3];", "", 63).failed, "elements that cross words");
}

Test(any_block, a_fault_in_the_instance_below_is_found_there)
{
	struct outcome o = run("reg [WIDTH-1:0] mem_q [0:3];", " + (a_i[3:0] == 4'd5)", 40);

	cr_assert(o.failed);
	cr_assert_eq(o.m.side, HW_REG);
	cr_assert_eq(o.m.slot, 1, "u_sum__total");
	cr_assert_eq(o.m.rtl - o.m.golden, 1);
}

Test(any_block, a_state_is_taken_over_whole)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	struct checker c;
	struct stim_reader r;
	uint64_t image[64];
	unsigned words;

	make_scenario(&s, "reg [WIDTH-1:0] mem_q [0:3];", "", 40);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	scenario_start(&s, &c, lib.abi);
	stim_read(&r, &s.stim);
	for (unsigned i = 0; i < 500 && stim_next(&r, c.in_words); i++)
		if (!r.reset)
			cr_assert(checker_step_words(&c));
	words = s.layout.side[HW_REG].words;
	memcpy(image, c.reg_golden, words * sizeof *image);
	checker_free(&c);
	/* Another instance goes on from that state with the steps that follow. */
	scenario_start(&s, &c, lib.abi);
	checker_restore(&c, image);
	c.abi->get_regs(c.rtl, c.reg_rtl);
	cr_assert_arr_eq(c.reg_rtl, image, words * sizeof *image);
	for (unsigned i = 0; i < 400 && stim_next(&r, c.in_words); i++)
		cr_assert(checker_step_words(&c), "step %u after the state", i);
	checker_free(&c);
	scenario_free(&s);
	bind_close(&lib);
}

Test(any_block, a_register_of_another_width_is_another_register)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};

	/* A user's RTL may have registers of its own: its ports alone are compared then. */
	make_scenario(&s, "reg [WIDTH:0] mem_q [0:3];", "", 40);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	cr_assert_not(lib.abi->same_state);
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed);
	scenario_free(&s);
	bind_close(&lib);
}

/* 779: Icarus runs corner steps of the shape matrix (support/shape_matrix.h) through each block and finds the golden
 * twin's outputs in every cycle. Icarus has four states: a bit that the RTL leaves unknown is x there and differs,
 * while Verilator gives it a value that may be the twin's.
 *
 * The bench is written here, from the block's list of fields. `make test` has some of the shapes, `make shapes` all.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/params.h"
#include "hw/twins/blocks.h"
#include "support/corner_stimulus.h"
#include "support/icarus.h"
#include "support/shape_matrix.h"
#include "support/wrong_terms.h"

enum { STEPS = 4000 };

/* Ports of a side, each joined to its bits of `wires`. Returns their number. */
static unsigned print_ports(FILE *f, const struct hw_block *b, const void *params, enum hw_side side, const char *wires)
{
	struct hw_field field[HW_MAX_FIELDS];
	unsigned n = b->fields(params, side, field), at = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned bits = field[i].count * field[i].width;

		fprintf(f, "%s\n        .%s_%c(%s[%u:%u])", side == HW_INPUT && !i ? "" : ",", field[i].name,
			side == HW_INPUT ? 'i' : 'o', wires, at + bits - 1, at);
		at += bits;
	}
	return at;
}

/* A line of the vectors is "reset in out"; before the edge of a reset the outputs are not compared. */
static void print_bench(FILE *f, const struct hw_block *b, const void *params)
{
	char *ports;
	size_t size;
	FILE *list = open_memstream(&ports, &size);
	unsigned in = print_ports(list, b, params, HW_INPUT, "in"), out = print_ports(list, b, params, HW_OUTPUT, "out");

	fclose(list);
	fprintf(f,
		"`default_nettype none\n"
		"module bench;\n"
		"    reg clk, rst, reset;\n"
		"    reg [%u:0] in, given;\n"
		"    wire [%u:0] out;\n"
		"    reg [%u:0] want;\n"
		"    reg [8*256-1:0] path;\n"
		"    integer file, cycles, mismatches;\n"
		"    %s #(",
		in - 1, out - 1, out - 1, b->module);
	for (unsigned i = 0; i < b->n_params; i++)
		fprintf(f, "%s.%s(%lu)", i ? ", " : "", b->params[i].verilog,
			hw_get(params, b->params[i].offset, b->params[i].size));
	fprintf(f,
		") dut (%s%s\n    );\n"
		"    initial begin\n"
		"        cycles = 0; mismatches = 0; clk = 0;\n"
		"        if ($value$plusargs(\"vectors=%%s\", path) == 0) $finish;\n"
		"        file = $fopen(path, \"r\");\n"
		"        while ($fscanf(file, \"%%b %%h %%h\", reset, given, want) == 3) begin\n"
		"            in = given; rst = reset;\n"
		"            #1;\n"
		"            if (!reset && out !== want) begin\n"
		"                mismatches = mismatches + 1;\n"
		"                if (mismatches == 1) $display(\"cycle %%0d: %%h in the RTL, %%h in the twin\", cycles, out, "
		"want);\n"
		"            end\n"
		"            cycles = cycles + 1;\n"
		"            #1 clk = 1; #1 clk = 0;\n"
		"        end\n"
		"        $display(\"%%0d cycles, %%0d mismatches\", cycles, mismatches);\n"
		"        $finish;\n"
		"    end\n"
		"endmodule\n"
		"`default_nettype wire\n",
		b->tick ? ".clk_i(clk), .rst_i(rst)," : "", ports);
	free(ports);
}

static void print_vectors(FILE *f, const struct hw_block *b, const void *params)
{
	struct corner_stimulus s;

	corner_stimulus_init(&s, b, params, MATRIX_SEED);
	for (unsigned i = 0; i < STEPS; i++) {
		corner_stimulus_next(&s);
		fprintf(f, "%d ", s.reset && b->tick);
		icarus_print_cycle(f, b, params, s.in, s.out);
	}
	corner_stimulus_free(&s);
}

/* folder: of the Verilog. quiet: a warning of Icarus does not end the test. */
static struct program through_icarus(const struct hw_block *b, const char *shape, const char *folder, bool quiet)
{
	unsigned char params[BIND_PARAMS_MAX];
	char vectors[4096], bench[4200], sources[8400];
	struct err e = {""};
	FILE *f = icarus_vectors(vectors);

	cr_assert_eq(bind_params_read(b, params, shape, &e), 0, "%s", e.text);
	print_vectors(f, b, params);
	fclose(f);
	snprintf(bench, sizeof bench, "%s/bench.v", program_tmp());
	f = fopen(bench, "w");
	cr_assert_not_null(f);
	print_bench(f, b, params);
	fclose(f);
	snprintf(sources, sizeof sources, "-y %s %s", folder, bench);
	return quiet ? program_run("scripts/simulate bench '' %s %s", vectors, sources)
		     : icarus_simulate("bench", "", vectors, sources);
}

ParameterizedTestParameters(shape_matrix, icarus_agrees_under_corner_stimulus)
{
	static unsigned number[MATRIX_MOST];
	size_t n = 0;

	for (unsigned i = 0, all = matrix_size(); i < all; i++)
		if (matrix_has(matrix_shape(i)))
			number[n++] = i;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(unsigned *number, shape_matrix, icarus_agrees_under_corner_stimulus)
{
	const struct matrix_shape *shape = matrix_shape(*number);
	char *folder = strdup(shape->block->source);
	struct program p;

	*strrchr(folder, '/') = '\0';
	p = through_icarus(shape->block, shape->params, folder, false);
	cr_expect_str_eq(p.out, "4000 cycles, 0 mismatches\n", "%s %s: %s", shape->block->name, shape->params, p.out);
	program_free(&p);
	free(folder);
}

/* A number of warps, which has 7 bits, taken as an SM, which has 8: x in Icarus, 0 in Verilator. */
Test(shape_matrix_x, a_bit_beyond_the_end_of_a_wire_differs)
{
	char *text =
		wrong_terms_replace(program_text("rtl/throttle/throttle_coordinator.v"), "next_row[SM_W-1:0]", "number[SM_W-1:0]");
	const char *first;
	struct program p;

	program_file("throttle_coordinator.v", text);
	free(text);
	p = program_run("sed -i 's/limit.8:7., next_row/limit[8:7]/' %s/throttle_coordinator.v", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = through_icarus(hw_block_named("coordinator"), "sms=129 kernels=2 n=1 count_w=32", program_tmp(), true);
	first = strstr(p.out, "cycle ");
	cr_expect(first && strcspn(first, "xX") < strcspn(first, ","), "%s", p.out);
	program_free(&p);
}

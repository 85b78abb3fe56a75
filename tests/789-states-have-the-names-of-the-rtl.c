/* 789: the values of state registers are shown by the names that they have in the RTL: read from its localparam lists,
 * and written as filter files of GTKWave beside the save file. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"
#include "bind/params.h"
#include "bind/states.h"
#include "hw/tafe/tafe.h"
#include "hw/twins/paver.h"
#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"
#include "support/program.h"

static const char text[] = "module a;\n"
			   "    localparam [1:0] OFF = 2'd0, ON = 2'b10; // ON = 2'd3\n"
			   "    localparam [7:0] LIMIT = 8'd3, SUM = OFF + 1;\n"
			   "    localparam ALONE = 2'd1;\n"
			   "    reg [1:0] state_q; reg [3:0] two_q; reg same_q; reg [1:0] other_q; reg [1:0] from_q;\n"
			   "    always @(posedge clk_i) begin\n"
			   "        state_q <= ON; /* other_q <= ON; */\n"
			   "        two_q[2*k +: 2] <= go ? OFF : two_q[1:0];\n"
			   "        from_q <= state_q == ON ? LIMIT : ALONE;\n"
			   "        same_q <= state_q == OFF;\n"
			   "    end\n"
			   "endmodule\n"
			   "module b; reg [1:0] state_q; always @* state_q <= ON; endmodule\n";

static struct bind_var reg(const char *path, uint32_t width, const char *module, const char *name)
{
	return (struct bind_var){.kind = BIND_VAR_REG, .path = path, .shown = path, .width = width, .module = module, .name = name};
}

Test(states, belong_to_registers_that_are_assigned_one_of_the_list)
{
	struct bind_var var[] = {reg("state_q", 2, "a", "state_q"), reg("x.two_q", 4, "a", "two_q"),
				 reg("same_q", 1, "a", "same_q"),   reg("other_q", 2, "a", "other_q"),
				 reg("from_q", 2, "a", "from_q"),   reg("y.state_q", 2, "b", "state_q"),
				 reg("state_q3", 3, "a", "state_q")};
	struct bind_module m = {.n = sizeof var / sizeof var[0], .var = var};
	char path[256];
	const char *file = path;
	struct arena a = {0};

	program_file("states.v", text);
	snprintf(path, sizeof path, "%s/states.v", program_tmp());
	cr_assert_str_eq(bind_states(&m, &file, 1, &a), "state_q 2 0=OFF 2=ON\nx.two_q 2 0=OFF 2=ON\n");
	arena_free(&a);
}

/* What the library of the block's first ready shape says. */
static void expect(const struct hw_block *b, const char *states)
{
	struct bind_request q = {.block = b, .lanes = 1};
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_rtl rtl;
	struct err e = {""};

	cr_assert_eq(bind_params_read(b, params, b->ready->params, &e), 0, "%s", e.text);
	q.params = params;
	cr_assert_eq(bind_open(&rtl, &q, &e), 0, "%s", e.text);
	cr_assert_str_eq(rtl.abi->states, states, "%s", b->name);
	bind_close(&rtl);
}

/* The orders of the enumerations are those of the golden twins. */
Test(states, of_the_blocks_are_those_of_the_golden_twins)
{
	char line[256];

	snprintf(line, sizeof line, "steal.state_q 3 %d=IDLE %d=SCAN %d=DIVIDE %d=COUNT %d=APPLY\n", PAVER_IDLE, PAVER_SCAN,
		 PAVER_DIVIDE, PAVER_COUNT, PAVER_APPLY);
	expect(&paver_block, line);
	snprintf(line, sizeof line, "inv.state_q 3 %d=IDLE %d=REQUEST %d=WAIT %d=SPAN %d=SCAN\n", TAFE_IDLE, TAFE_REQUEST,
		 TAFE_WAIT, TAFE_SPAN, TAFE_SCAN);
	expect(&tafe_block, line);
	snprintf(line, sizeof line, "mode_q 2 %d=MONITOR %d=WATCH %d=SAMPLE %d=SETTLED\n", THROTTLE_MONITOR, THROTTLE_WATCH,
		 THROTTLE_SAMPLE, THROTTLE_SETTLED);
	expect(&throttle_block, line);
	snprintf(line, sizeof line,
		 "phase_q 2 %d=COLLECT %d=LATER %d=DECIDE %d=SEND\norder_q 2 %d=MONITOR %d=WATCH %d=SAMPLE %d=SETTLED\n",
		 THROTTLE_COLLECT, THROTTLE_LAST, THROTTLE_DECIDE, THROTTLE_SEND, THROTTLE_MONITOR, THROTTLE_WATCH, THROTTLE_SAMPLE,
		 THROTTLE_SETTLED);
	expect(&throttle_coordinator_block, line);
}

Test(states, are_filter_files_beside_the_save_file_for_both_sides)
{
	struct program p =
		program_run("cd %s && locus cosim syrk --size test --plan paver-kway --hw paver=lockstep --wave w.fst >/dev/null &&"
			    " cat w.steal.state_q.txt && grep -B2 -A2 '^.color. [34]$' w.gtkw | grep -A2 '^^1' | grep -v '^--' | "
			    "LC_ALL=C sort -u",
			    program_tmp());

	cr_assert_str_eq(
		p.out,
		"0 IDLE\n1 SCAN\n2 DIVIDE\n3 COUNT\n4 APPLY\n"
		"+golden:steal_state_q TOP.cosim.golden.steal_state_q[2:0]\n+rtl:steal/state_q TOP.cosim.rtl.steal.state_q[2:0]\n"
		"[color] 3\n[color] 4\n^1 w.steal.state_q.txt\n",
		"%s", p.err);
	program_free(&p);
}

/* An array of states: an element each, which the filter fits. */
Test(states, of_an_array_are_shown_element_by_element)
{
	struct program p =
		program_run("cd %s && locus cosim syrk --size test --throttle dwt-cs --hw throttle=lockstep --wave w.fst "
			    ">/dev/null && grep -B2 '^#{rtl:mode_q.7.} (0)TOP.cosim.rtl.mode_q.15:0. (1)' w.gtkw",
			    program_tmp());

	cr_assert(strstr(p.out, "^1 w.mode_q.txt\n[color] 4\n#{rtl:mode_q[7]}"), "%s%s", p.out, p.err);
	program_free(&p);
}

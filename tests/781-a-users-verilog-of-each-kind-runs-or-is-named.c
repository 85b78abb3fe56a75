/* 781: Verilog of each kind that a user brings in place of set_monitor runs as it is meant, or its fault is named:
 * registers that nothing resets, delays, arrays. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define RUN "locus cosim vectoradd --size test --set l1.monitor=true --rtl set_monitor="

/* my.v is Locus's set monitor without its claims and assertions, changed by a sed expression (extended). */
static void my_rtl(const char *sed)
{
	struct program p =
		program_run("sed '/^`ifdef ASSERTIONS/,/^endmodule/{/^endmodule/!d}' rtl/set_monitor/set_monitor.v >%s/own.v; cd %s; "
			    "sed -E '%s' own.v >my.v; ! cmp -s own.v my.v",
			    program_tmp(), program_tmp(), sed);

	cr_assert_eq(p.status, 0, "%s: changes nothing: %s", sed, p.err);
	program_free(&p);
}

/* Runs a command in the folder of my.v; locus is the built one. */
static struct program in_folder(const char *command)
{
	return program_run("cd %s && %s", program_tmp(), command);
}

static void expect(const char *command, int status, const char *text)
{
	struct program p = in_folder(command);

	cr_expect_eq(p.status, status, "%s: %d: %s", command, p.status, p.err);
	cr_expect(strstr(status == 2 ? p.err : p.out, text), "%s: no \"%s\" in %s%s", command, text, p.out, p.err);
	if (status == 2)
		cr_expect(program_is_clean_error(&p), "%s", p.err);
	program_free(&p);
}

static void agrees(const char *command)
{
	expect(command, 0, "  results                                     right");
}

/* ---- initial values ---- */

Test(users_verilog, a_register_without_reset_differs_in_the_first_step)
{
	my_rtl("/acc_tag_q   <= .TAG_W/d; /rsp_count_q <= .COUNT_W/d");
	expect(RUN "my.v", 1, "MISMATCH set_monitor of sm0.l1, cycle 0 (step 0): register acc_tag_q\n");
}

Test(users_verilog, an_unknown_value_in_reset_differs_in_the_first_step)
{
	my_rtl("s/rsp_count_q <= .COUNT_W.1.b0../rsp_count_q <= {COUNT_W{1'\"'\"'bx}}/");
	expect(RUN "my.v", 1, "MISMATCH set_monitor of sm0.l1, cycle 0 (step 0): register rsp_count_q\n");
}

/* The line of the report that has the RTL's value. */
static char *value_of(const char *command)
{
	struct program p = in_folder(command);
	char *at = strstr(p.out, "\n  rtl    "), *value;

	cr_assert(at, "%s: %s%s", command, p.out, p.err);
	value = strndup(at + 1, strcspn(at + 1, "\n"));
	program_free(&p);
	return value;
}

Test(users_verilog, initial_values_are_those_of_a_seed_that_the_report_names)
{
	char *first, *again, *other, *replayed;

	my_rtl("/acc_tag_q   <= .TAG_W/d");
	first = value_of(RUN "my.v --bundle a");
	again = value_of(RUN "my.v --bundle a");
	other = value_of(RUN "my.v --bundle b --x-init 2");
	replayed = value_of("locus replay b-set_monitor-0");
	cr_expect_str_eq(first, again);
	cr_expect_str_neq(first, other);
	cr_expect_str_eq(other, replayed);
	free(replayed);
	replayed = value_of("locus replay b-set_monitor-0 --x-init 1");
	cr_expect_str_eq(first, replayed);
	expect("locus replay b-set_monitor-0", 1, "  initial values: bits that nothing resets are those of --x-init 2\n");
	expect("locus replay b-set_monitor-0 --x-init 0", 0, "nothing differs");
	expect("locus replay b-set_monitor-0 --rtl own.v", 0, "nothing differs");
	free(first);
	free(again);
	free(other);
	free(replayed);
}

/* Ahead of the reset, when a register has any value, no assertion holds. */
Test(users_verilog, an_assertion_counts_from_the_reset_on)
{
	my_rtl("s/^endmodule/always @* assert (!rsp_valid_q || !seen_q[0] || busy_o); "
	       "always @* assert (acc_set_q == 0 || seen_q != 0 || busy_o);\\nendmodule/");
	agrees(RUN "my.v --x-init 3");
}

Test(users_verilog, initial_values_need_verilog_that_has_them)
{
	expect("locus cosim vectoradd --size test --x-init 3", 2, "--x-init: needs --rtl");
	expect(RUN "own.v --x-init 2147483647", 2, "--x-init: \"2147483647\" is not a whole number from 0 to 2147483646");
}

/* ---- ways to write it ---- */

Test(users_verilog, a_delay_is_left_out)
{
	my_rtl("s/assign rsp_count_o/assign #1 rsp_count_o/");
	agrees(RUN "my.v");
}

Test(users_verilog, tables_may_be_arrays_and_parameters_its_own)
{
	my_rtl("s/reg .SETS.COUNT_W-1:0. count_q;/reg [COUNT_W-1:0] count_q [0:SETS-1]; integer ii;/; "
	       "s/count_q\\[entry.COUNT_W \\+: COUNT_W\\]/count_q[entry]/; s/count_q\\[acc_set_q.COUNT_W \\+: COUNT_W\\]/"
	       "count_q[acc_set_q]/; s/count_q     <= .d0;/for (ii = 0; ii < SETS; ii = ii + 1) count_q[ii] <= 0;/; "
	       "s/parameter COUNT_W = 16/parameter DEPTH = 3, parameter [7:0] SEED = 90, &/");
	agrees(RUN "my.v");
}

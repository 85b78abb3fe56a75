/* 693: the test benches under Icarus fail on an assertion of the block too, whatever the vectors say. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/wrong_terms.h"

/* Of set_monitor with 2 sets, tags of 1 bit and counters of 2: a request of set 0, and then nobody takes the response.
 * Inputs {rsp_ready, req_set, req_valid, acc_tag, acc_set, acc_valid}; outputs {busy, rsp_count, rsp_valid, req_ready,
 * acc_ready}, as its header says. */
static const char vectors[] = "08 03\n"
			      "00 21\n"
			      "00 27\n"
			      "00 27\n"
			      "20 27\n"
			      "00 03\n";

static struct program simulate(char *text)
{
	program_file("set_monitor.v", text);
	program_file("vectors", vectors);
	free(text);
	return program_run("scripts/simulate set_monitor_tb 'SETS=2 TAG_W=1 COUNT_W=2' %s/vectors rtl/set_monitor/set_monitor_tb.v "
			   "%s/set_monitor.v",
			   program_tmp(), program_tmp());
}

Test(icarus_assertions, a_response_that_waits_is_fine)
{
	struct program p = simulate(program_text("rtl/set_monitor/set_monitor.v"));

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert_str_eq(p.out, "6 cycles, 0 mismatches\n");
	program_free(&p);
}

Test(icarus_assertions, a_response_that_goes_before_it_is_taken_is_an_error)
{
	struct program p = simulate(wrong_terms_replace(program_text("rtl/set_monitor/set_monitor.v"),
							"serve_request || (rsp_valid_q && !rsp_ready_i);", "serve_request;"));

	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "Scope: set_monitor_tb.dut.response_holds"), "%s", p.out);
	cr_assert(strstr(p.out, "/set_monitor.v:"), "%s", p.out);
	program_free(&p);
}

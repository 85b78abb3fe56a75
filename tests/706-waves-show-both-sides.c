/* 706: wave files hold golden and RTL signals side by side, in the window that was asked for, and a save file that
 * opens on them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/monitor_wave.h"
#include "support/program.h"
#include "support/vcd.h"

static void run(const char *wave, uint64_t from, uint64_t to, const char *rtl)
{
	monitor_wave(&(struct monitor_wave){.wave = wave, .rtl = rtl, .from = from, .to = to, .mode = UNIT_LOCKSTEP});
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

Test(waves, both_sides_have_scopes_of_their_own_with_the_same_values)
{
	char path[256], golden[8], rtl[8], change[300], *text;

	snprintf(path, sizeof path, "%s/all.fst", program_tmp());
	run(path, 0, UINT64_MAX, NULL);
	text = vcd_text(path);
	vcd_identifier(text, "golden", "acc_valid_q", golden);
	vcd_identifier(text, "rtl", "acc_valid_q", rtl);
	cr_assert_str_neq(golden, rtl, "two signals, not one under two names");
	/* The first access is taken at the edge of cycle 10: at 105 in units of a tenth of a cycle, on both sides. */
	snprintf(change, sizeof change, "#105\n");
	cr_assert(strstr(text, change));
	for (int side = 0; side < 2; side++) {
		const char *at = strstr(text, change), *next = strchr(at + 1, '#');

		snprintf(change + 100, 100, "\n1%s\n", side ? rtl : golden);
		cr_assert(strstr(at, change + 100) && strstr(at, change + 100) < next, "side %d", side);
	}
	free(text);
}

Test(waves, the_clock_stands_still_where_the_block_was_not_stepped)
{
	char path[256], clk[8], rise[16], *text;

	snprintf(path, sizeof path, "%s/gap.fst", program_tmp());
	run(path, 0, UINT64_MAX, NULL);
	text = vcd_text(path);
	vcd_identifier(text, "cosim", "clk_i", clk);
	snprintf(rise, sizeof rise, "\n1%s\n", clk);
	cr_assert_eq(count(text, rise), 40, "an edge for each of the 40 steps");
	cr_assert(strstr(text, "#300\n"), "the cycle after the last step shows idle inputs");
	cr_assert_null(strstr(text, "#305\n"));
	cr_assert_null(strstr(text, "#350\n"));
	cr_assert(strstr(text, "#400\n"));
	free(text);
}

Test(waves, the_window_is_kept_to_both_ends)
{
	char path[256], *text;

	snprintf(path, sizeof path, "%s/window.fst", program_tmp());
	run(path, 15, 20, NULL);
	text = vcd_text(path);
	cr_assert_null(strstr(text, "#145\n"));
	cr_assert(strstr(text, "#150\n"));
	cr_assert(strstr(text, "#205\n"));
	cr_assert_null(strstr(text, "#215\n"));
	free(text);
}

Test(waves, the_save_file_names_signals_of_both_sides_and_marks_the_first_difference)
{
	char path[256], fault[256], gtkw[256], bundle[256];
	struct program p = program_run("sed \"s/entry_count + 1'b1/entry_count + 2'd2/\" rtl/set_monitor/set_monitor.v >%s/f.v",
				       program_tmp());

	program_free(&p);
	snprintf(path, sizeof path, "%s/marked.fst", program_tmp());
	snprintf(gtkw, sizeof gtkw, "%s/marked.gtkw", program_tmp());
	snprintf(fault, sizeof fault, "%s/f.v", program_tmp());
	run(path, 0, UINT64_MAX, fault);
	/* Accesses of 10 and 11 have other tags; that of 11 is counted at the edge of cycle 12. */
	p = program_run("grep -E '^\\*-?[0-9.]+ 125 ' %s", gtkw);
	cr_assert_eq(p.status, 0, "the marker is at 125");
	program_free(&p);
	p = program_run("grep -c '^+golden:count_q TOP.cosim.golden.count_q\\[511:0\\]$\\|^+rtl:count_q "
			"TOP.cosim.rtl.count_q\\[511:0\\]$' %s",
			gtkw);
	cr_assert_str_eq(p.out, "2\n");
	program_free(&p);
	/* The bundle's window ends ten cycles after the mismatch: 22. */
	snprintf(bundle, sizeof bundle, "%s/mm-set_monitor-12/window.fst", program_tmp());
	p = program_run("fst2vcd %s | grep -E '^#(225|235)$'", bundle);
	cr_assert_str_eq(p.out, "#225\n");
	program_free(&p);
}

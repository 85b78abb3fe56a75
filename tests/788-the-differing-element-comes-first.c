/* 788: the save file of a wave begins with the element that differs first, golden above RTL, as a group of its bits; no
 * label has a dot, at which GTKWave would cut it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/monitor_wave.h"
#include "support/program.h"

/* count_q has 32 elements of 16 bits: element 3 is bits 63 to 48, which GTKWave counts from bit 511 on: 448 to 463. */
static void expect_element(const char *gtkw)
{
	static const struct {
		const char *label, *scope;
	} side[] = {{"golden:count_q[3]", "golden"}, {"rtl:count_q[3]", "rtl"}};
	char *text = program_text(gtkw);
	const char *at = strstr(text, "-first difference: golden, rtl\n"), *overview = strstr(text, "\n-inputs\n");

	cr_assert(at && overview && at < overview, "%s", text);
	for (int i = 0; i < 2; i++) {
		char line[2048];
		size_t n = (size_t)snprintf(line, sizeof line, "\n#{%s}", side[i].label);

		for (unsigned bit = 448; bit < 464; bit++)
			n += (size_t)snprintf(line + n, sizeof line - n, " (%u)TOP.cosim.%s.count_q[511:0]", bit, side[i].scope);
		snprintf(line + n, sizeof line - n, "\n");
		at = strstr(at, line);
		cr_assert(at && at < overview, "%s in: %s", line, text);
	}
	free(text);
}

/* An access counts two conflicts: first at the edge of cycle 12, as in 706. */
Test(first_difference, of_an_array_is_one_element_in_a_run_and_in_its_bundle)
{
	char path[256], fault[256];
	struct program p = program_run("sed \"s/entry_count + 1'b1/entry_count + 2'd2/\" rtl/set_monitor/set_monitor.v >%s/f.v",
				       program_tmp());

	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	snprintf(fault, sizeof fault, "%s/f.v", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .rtl = fault, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP});
	snprintf(path, sizeof path, "%s/w.gtkw", program_tmp());
	expect_element(path);
	snprintf(path, sizeof path, "%s/mm-set_monitor-12/window.gtkw", program_tmp());
	expect_element(path);
}

Test(first_difference, is_not_in_a_clean_wave)
{
	char path[256];
	struct program p;

	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP});
	p = program_run("grep -c 'first difference' %s/w.gtkw", program_tmp());
	cr_assert_str_eq(p.out, "0\n");
	program_free(&p);
}

/* PAVER's registers are in instances below its top: rtl:steal/turn_q of steal.turn_q. */
Test(labels, have_no_dots)
{
	struct program p =
		program_run("cd %s && locus cosim syrk --size test --plan paver-kway --hw paver=lockstep --wave w.fst >/dev/null &&"
			    " grep -c '^+[^ ]*[.]' w.gtkw; grep -c '^#{[^}]*[.]' w.gtkw; grep '^+rtl:steal/turn_q ' w.gtkw",
			    program_tmp());

	cr_assert_str_eq(p.out, "0\n0\n+rtl:steal/turn_q TOP.cosim.rtl.steal.turn_q[3:0]\n", "%s", p.err);
	program_free(&p);
}

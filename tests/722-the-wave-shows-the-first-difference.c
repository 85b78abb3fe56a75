/* 722: --wave FILE: the block of --rtl, or else the block that differs first, gets the name that was given, with the
 * owner and the cycle of its first difference. The report of the mismatch says which these are; fst2vcd reads the file.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/vcd.h"

#define MODEL "syrk --size test --l1-index pric --set l1.monitor=true "
/* Counts each conflict twice. The first access of no SM conflicts, and sm0's first conflict is not the first of all. */
#define FAULT  "sed \"s/entry_count + 1'b1/entry_count + 2'd2/\" rtl/set_monitor/set_monitor.v >%s/set_monitor.v; cd %s; "
#define FAULTY "--rtl set_monitor=set_monitor.v "

struct first {
	char owner[64];
	unsigned cycle;
};

/* "123", "26,265". */
static unsigned number(const char *text)
{
	unsigned n = 0;

	for (; (*text >= '0' && *text <= '9') || (*text == ',' && text[1] >= '0' && text[1] <= '9'); text++)
		n = *text == ',' ? n : 10 * n + (unsigned)(*text - '0');
	return n;
}

static struct first reported(const char *out)
{
	const char *at = strstr(out, "MISMATCH set_monitor of ");
	struct first f = {"", 0};

	cr_assert(at && sscanf(at, "MISMATCH set_monitor of %63[^,]", f.owner) == 1, "%s", out);
	at = strstr(at, ", cycle ");
	cr_assert(at, "%s", out);
	f.cycle = number(at + strlen(", cycle "));
	return f;
}

static char *wave(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	return vcd_text(path);
}

/* The first time at which the signal `differs` of the file is 1; 0: never. */
static unsigned first_difference(const char *name)
{
	char *text = wave(name), id[8], rise[16];
	const char *at, *hash = NULL;
	unsigned time = 0;

	vcd_identifier(text, "cosim", "differs", id);
	snprintf(rise, sizeof rise, "\n1%s\n", id);
	at = strstr(text, rise);
	for (const char *c = strchr(text, '#'); at && c && c < at; c = strchr(c + 1, '#'))
		hash = c;
	if (hash)
		time = (unsigned)strtoul(hash + 1, NULL, 10);
	free(text);
	return time;
}

Test(wave_of_a_difference, the_block_of_rtl_has_the_name_at_its_first_difference)
{
	struct program p = program_run(FAULT "locus cosim " MODEL FAULTY "--wave w.fst; s=$?; grep '^\\*' w.gtkw; grep dumpfile "
					     "w.gtkw; ls -A | grep '^[.]\\|^w'; exit $s",
				       program_tmp(), program_tmp());
	struct first f = reported(p.out);
	char start[100], marker[32];
	const char *line = strstr(p.out, "\nwaves: w.fst: set_monitor of ");

	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_expect_str_neq(f.owner, "sm0.l1", "another owner than the first one, or this test shows nothing");
	/* After the edge of the cycle, at 10 c + 5. */
	cr_expect_eq(first_difference("w.fst"), 10 * f.cycle + 5);
	cr_expect_eq(first_difference("w-pric.fst"), 0);
	cr_expect_eq(first_difference("w-decoder.fst"), 0);
	snprintf(marker, sizeof marker, " %u ", 10 * f.cycle + 5);
	snprintf(start, sizeof start, "%s", strstr(p.out, "\n*") ? strstr(p.out, "\n*") : "");
	cr_expect(strstr(start, marker), "the marker of the save file: %s", start);
	cr_expect(strstr(p.out, "\"w.fst\""), "%s", p.out);
	cr_expect(strstr(p.out, "\nw-decoder.fst\nw-decoder.gtkw\nw-pric.fst\nw-pric.gtkw\nw.fst\nw.gtkw\n"), "%s", p.out);
	cr_expect_null(strstr(p.out, "\n.locus"), "nothing else is left: %s", p.out);
	cr_assert(line, "%s", p.out);
	cr_expect(!strncmp(line + strlen("\nwaves: w.fst: set_monitor of "), f.owner, strlen(f.owner)), "%s", line);
	cr_expect(strstr(line, " steps differ, first in cycle ") < strchr(line + 1, '\n'), "%s", line);
	cr_expect(strstr(p.out, "\nwaves: w-pric.fst: pric of sm0.l1, no step differs (gtkwave -f w-pric.fst -a w-pric.gtkw)\n"),
		  "%s", p.out);
	program_free(&p);
}

/* A fault in Locus's own Verilog is played by two files of the user's, of which the first in the table is right. */
Test(wave_of_a_difference, of_two_files_the_one_that_differs_has_the_name)
{
	struct program p = program_run(FAULT "locus cosim " MODEL FAULTY "--rtl pric=$OLDPWD/rtl/pric/pric_index.v --wave w.fst",
				       program_tmp(), program_tmp());
	struct first f = reported(p.out);

	cr_expect_eq(first_difference("w.fst"), 10 * f.cycle + 5);
	cr_expect(strstr(p.out, "\nwaves: w-pric.fst: pric of sm0.l1, no step differs"), "%s", p.out);
	program_free(&p);
}

Test(wave_of_a_difference, moves_the_default_window)
{
	/* A fault that shows once a set has counted 320 conflicts. */
	struct program p =
		program_run("sed \"s/entry_count + 1'b1/entry_count + (entry_count[8:6] == 3'd5 ? 2'd2 : 2'd1)/\" "
			    "rtl/set_monitor/set_monitor.v "
			    ">%s/set_monitor.v; cd %s; locus cosim " MODEL "--hw set_monitor=lockstep " FAULTY "--wave w.fst",
			    program_tmp(), program_tmp());
	struct first f = reported(p.out);

	cr_assert_gt(f.cycle, 20000, "beyond the default window, or this test shows nothing");
	cr_expect_eq(first_difference("w.fst"), 10 * f.cycle + 5);
	program_free(&p);
}

Test(wave_of_a_difference, a_window_and_an_owner_that_are_named_are_kept)
{
	static const char *const named[] = {"--wave-window 0:50", "--wave-owner sm0.l1 --wave-window 0:50"};

	for (int i = 0; i < 2; i++) {
		struct program p =
			program_run(FAULT "locus cosim " MODEL FAULTY "--wave w.fst %s", program_tmp(), program_tmp(), named[i]);
		struct first f = reported(p.out);
		char elsewhere[200];

		cr_expect_eq(first_difference("w.fst"), 0);
		snprintf(elsewhere, sizeof elsewhere, "not in this wave: the block's first difference, in cycle %u of %s (",
			 f.cycle, f.owner);
		cr_expect(strstr(p.out, "\nwaves: w.fst: set_monitor of sm0.l1, "), "%s", p.out);
		cr_expect(strstr(p.out, elsewhere), "%s: %s", elsewhere, p.out);
		program_free(&p);
	}
}

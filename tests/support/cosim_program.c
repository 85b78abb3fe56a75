#include "support/cosim_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/vcd.h"

/* The block's line of an output ends with its mismatches: none of some steps. */
static void has_compared(const char *block, const char *out)
{
	unsigned long long instances, steps = 0, mismatches = 1;
	char mode[16] = "";

	cr_assert_eq(sscanf(out + strspn(out, " ") + strlen(block), " %15s %llu %llu %llu", mode, &instances, &steps, &mismatches),
		     4, "%s", out);
	cr_assert_str_eq(mode, "lockstep");
	cr_assert_gt(steps, 0);
	cr_assert_eq(mismatches, 0);
}

void cosim_program_agrees(const char *block, const char *model)
{
	struct program p = program_run(
		"cd %s && for m in golden rtl lockstep; do locus cosim %s --hw %s=$m --json $m.json >$m.out || exit 3; done && "
		"locus run %s --json run.json >run.out && locus cosim %s --no-skip --hw %s=lockstep --json all.json >all.out "
		"&& " PROGRAM_WITHOUT_BLOCKS "; for m in rtl lockstep run all; do cmp golden.json $m.json || exit 4; done; grep "
		"'%s .*lockstep' lockstep.out | tr "
		"-d ,",
		program_tmp(), model, block, model, model, block, block);

	cr_assert_eq(p.status, 0, "%s: %s%s", model, p.out, p.err);
	has_compared(block, p.out);
	program_free(&p);
}

void cosim_program_catches(const char *block, const char *model, const char *sed, const char *differs)
{
	char said[200];
	struct program p = program_run(
		"sed '%s' rtl/%s/%s.v >%s/%s.v; ! cmp -s rtl/%s/%s.v %s/%s.v || exit 3; cd %s; locus cosim %s --rtl %s=%s.v", sed,
		block, block, program_tmp(), block, block, block, program_tmp(), block, program_tmp(), model, block, block);

	cr_assert_eq(p.status, 1, "%s", p.err);
	snprintf(said, sizeof said, "MISMATCH %s of ", block);
	cr_assert(strstr(p.out, said), "%s", p.out);
	snprintf(said, sizeof said, ": %s\n", differs ? differs : "");
	cr_assert(!differs || strstr(p.out, said), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-%s-*", program_tmp(), block);
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
}

/* ---- waves ---- */

char *cosim_program_wave(const char *block, const char *model, const char *options)
{
	char path[4096];
	struct program p =
		program_run("cd %s && locus cosim %s --hw %s=lockstep --wave w.fst %s", program_tmp(), model, block, options);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	return vcd_text(path);
}

void cosim_program_same(const char *wave, const char *signal, unsigned least)
{
	char id[2][8], *change[2];
	unsigned n = 0;

	vcd_identifier(wave, "golden", signal, id[0]);
	vcd_identifier(wave, "rtl", signal, id[1]);
	cr_assert_str_neq(id[0], id[1], "%s: two signals, not one under two names", signal);
	for (int side = 0; side < 2; side++)
		change[side] = vcd_changes(wave, id[side]);
	cr_assert_str_eq(change[0], change[1], "%s", signal);
	for (const char *at = change[0]; (at = strchr(at, '\n')); at++)
		n++;
	cr_assert_geq(n, least, "%s changes %u times", signal, n);
	free(change[0]);
	free(change[1]);
}

static char *shown_first(void)
{
	char path[4096], *text, *from, *to;

	snprintf(path, sizeof path, "%s/w.gtkw", program_tmp());
	text = program_text(path);
	from = strstr(text, "\n-overview");
	cr_assert_not_null(from);
	to = strstr(from, "-inputs\n");
	cr_assert_not_null(to);
	*to = '\0';
	memmove(text, from, strlen(from) + 1);
	return text;
}

void cosim_program_shows(const char *const *names, unsigned n)
{
	char *shown = shown_first();

	for (unsigned i = 0; i < n; i++)
		cr_expect(strstr(shown, names[i]), "%s in: %s", names[i], shown);
	free(shown);
}

void cosim_program_hides(const char *name)
{
	char *shown = shown_first();

	cr_expect_null(strstr(shown, name), "%s in: %s", name, shown);
	free(shown);
}

/* 393: on every machine that comes with Locus, what a profile counts by instruction sums to what the parts of the
 * machine count. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* On the machines whose L2 has two halves both programs have lines that the far half holds: a read of such a line is
 * none of DRAM. */
static void expect_profiles(const char *machine)
{
	static const char *const commands[] = {
		"locus profile lud --size test --threads 1 --machine %s",
		"locus run libor --size test --threads 1 --report-data --json '%s/r.json' --machine %s"};

	for (unsigned i = 0; i < 2; i++) {
		struct program p = i ? program_run(commands[i], program_tmp(), machine) : program_run(commands[i], machine);

		cr_assert_eq(p.status, 0, "%s, %s: %s%s", machine, commands[i], p.out, p.err);
		program_free(&p);
	}
}

Test(profile, keeps_its_invariants_on_every_machine)
{
	struct program list = program_run("locus list machines");
	unsigned n = 0;
	char *save = NULL, name[128];

	cr_assert_eq(list.status, 0, "%s", list.err);
	for (char *line = strtok_r(list.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, "  ", 2) && sscanf(line, "%127s", name) == 1) {
			expect_profiles(name);
			n++;
		}
	cr_assert_geq(n, 18);
	program_free(&list);
}

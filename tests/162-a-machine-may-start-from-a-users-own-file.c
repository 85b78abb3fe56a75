/* 162: `base:` of a machine names one of the program's machines or a file, beside the one that names it; no chain ends
 * in itself.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "machine/machine.h"
#include "support/program.h"

static const char *in_tmp(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	return path;
}

static void refused(const char *name, const char *says)
{
	struct machine m;
	struct err e = {""};

	cr_assert_neq(machine_load(&m, in_tmp(name), "csim/machines", &e), 0, "%s is taken", name);
	cr_assert(strstr(e.text, says) && !strchr(e.text, '\n'), "%s: %s", name, e.text);
}

Test(machine_base, is_a_file_beside_the_one_that_names_it)
{
	struct machine m;
	struct err e = {""};

	program_file("grand.yaml", "base: gtx480\nl1: { latency: 33 }\nl2: { latency: 44 }\n");
	program_file("mother.yaml", "base: grand.yaml\nl2: { latency: 55 }\n");
	program_file("child.yaml", "base: ./mother.yaml\nname: child\n");
	cr_assert_eq(machine_load(&m, in_tmp("child.yaml"), "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(m.l1.latency, 33);
	cr_assert_eq(m.l2.latency, 55);
	cr_assert_str_eq(m.name, "child");
	cr_assert_eq(m.sm.warps, 48, "of gtx480");
}

Test(machine_base, is_refused_where_it_leads_back_to_itself)
{
	program_file("a.yaml", "base: b.yaml\n");
	program_file("b.yaml", "name: b\nbase: ./a.yaml\n");
	program_file("self.yaml", "base: self.yaml\n");
	refused("a.yaml", "b.yaml:2:7: base: \"./a.yaml\" leads back to itself");
	refused("self.yaml", "self.yaml:1:7: base: \"self.yaml\" leads back to itself");
}

Test(machine_base, is_refused_where_there_is_none)
{
	char name[32], text[32];

	program_file("lost.yaml", "base: nowhere/x.yaml\n");
	refused("lost.yaml", "lost.yaml:1:7: base: no file \"nowhere/x.yaml\"");
	program_file("lost.yaml", "base: gtx4800\n");
	refused("lost.yaml", "lost.yaml:1:7: base: no machine \"gtx4800\"");
	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof name, "%d.yaml", i);
		snprintf(text, sizeof text, "base: %d.yaml\n", i + 1);
		program_file(name, text);
	}
	refused("0.yaml", "base: more than 8 machines deep");
}

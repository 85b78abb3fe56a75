/* 929: `make rtl-package` makes of each block a folder that stands alone: its file list elaborates there, its core is
 * YAML that names the same files and the parameters that Yosys finds, its constraints leave no path out, and its README
 * has a row a parameter and port. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/yaml.h"
#include "support/program.h"

static const char *folder(void)
{
	return program_path("rtl-package");
}

static void pack(void)
{
	struct program p = program_run("unset MAKEFLAGS MAKELEVEL SAN; for f in $(make -s --no-print-directory -f - print <<'END'\n"
				       "include $(wildcard rtl/*/block.mk)\n"
				       "print: ; @echo $(sort $(foreach s,$(RTL_SYNTH),$(firstword $(subst :, ,$s))))\n"
				       "END\n"
				       "); do scripts/rtl-package %s rtl/$f.v || exit; done",
				       folder());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.err, "");
	program_free(&p);
}
TestSuite(rtl_package, .init = pack);

static void each(void (*check)(const char *top))
{
	DIR *d = opendir(folder());
	struct dirent *at;
	unsigned n = 0;

	cr_assert_not_null(d);
	while ((at = readdir(d)))
		if (at->d_name[0] != '.') {
			check(at->d_name);
			n++;
		}
	closedir(d);
	cr_assert_geq(n, 15, "%u", n);
}

/* ---- the file list ---- */

/* In the folder, moved elsewhere, without a word. */
static void elaborates(const char *top)
{
	struct program p = program_run("top=%s to=%s/alone && rm -rf $to && cp -r %s/$top $to && cd $to && "
				       "iverilog -g2005 -Wall -f $top.f -s $top -o /dev/null && verilator --lint-only -Wall -f "
				       "$top.f --top-module $top && "
				       "[ $(wc -l <$top.f) = $(ls *.v | wc -l) ]",
				       top, program_tmp(), folder());

	cr_expect_eq(p.status, 0, "%s: %s", top, p.err);
	cr_expect_str_eq(p.err, "", "%s", top);
	program_free(&p);
}

Test(rtl_package, elaborates_by_its_file_list)
{
	each(elaborates);
}

/* ---- the core ---- */

static struct fy_node *value_of(struct fy_node *map, const char *name)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	while (map && yaml_is_map(map) && yaml_next_pair(map, &iter, &key, &key_node, &value))
		if (!strcmp(key, name))
			return value;
	return NULL;
}

/* The module's parameters as Yosys has them. */
static json_t *parameters_of(const char *top)
{
	struct program p = program_run("yosys -q -p 'read_verilog %s/%s/%s.v; proc; write_json /dev/stdout'", folder(), top, top);
	json_t *all = json_loads(strstr(p.out, "{"), 0, NULL), *of;

	cr_assert_not_null(all, "%s: %s", top, p.err);
	of = json_incref(json_object_get(json_object_get(json_object_get(all, "modules"), top), "parameter_default_values"));
	json_decref(all);
	program_free(&p);
	return of;
}

static void core(const char *top)
{
	char path[4400], want[64 * 1024] = "", *list;
	struct fy_node *root, *files, *item, *parameter, *value;
	json_t *parameters = parameters_of(top);
	size_t n = 0;
	void *iter = NULL;
	const char *key;
	struct yaml *y;
	struct err e = {""};

	snprintf(path, sizeof path, "%s/%s/%s.core", folder(), top, top);
	y = yaml_open(path, &e);
	cr_assert_not_null(y, "%s", e.text);
	root = value_of(yaml_root(y), "name");
	snprintf(want, sizeof want, "locus:rtl:%s:", top);
	cr_expect(root && !strncmp(yaml_text(root), want, strlen(want)));
	files = value_of(value_of(value_of(yaml_root(y), "filesets"), "rtl"), "files");
	cr_assert(files && yaml_is_seq(files));
	want[0] = '\0';
	while ((item = yaml_next_item(files, &iter)))
		snprintf(want + strlen(want), sizeof want - strlen(want), "%s\n", yaml_text(item));
	snprintf(path, sizeof path, "%s/%s/%s.f", folder(), top, top);
	list = program_text(path);
	cr_expect_str_eq(list, want, "%s", top);
	free(list);
	iter = NULL;
	while (yaml_next_pair(value_of(yaml_root(y), "parameters"), &iter, &key, &parameter, &value)) {
		struct fy_node *def = value_of(value, "default");
		const char *bits = json_string_value(json_object_get(parameters, key));

		cr_assert_not_null(bits, "%s: %s", top, key);
		if (def)
			cr_expect_eq(strtoull(yaml_text(def), NULL, 10), strtoull(bits, NULL, 2), "%s: %s", top, key);
		n++;
	}
	cr_expect_eq(n, json_object_size(parameters), "%s", top);
	json_decref(parameters);
	yaml_close(y);
}

Test(rtl_package, has_a_core_of_these_files_and_parameters)
{
	each(core);
}

/* ---- the constraints ---- */

static void constrains(const char *top)
{
	struct program p =
		program_run("top=%s to=%s l=/usr/share/qflow/tech/osu018/osu018_stdcells.lib && cd %s/$top && "
			    "yosys -q -p \"read_verilog $(tr '\\n' ' ' <$top.f); synth -flatten -top $top; dfflibmap -liberty $l; "
			    "abc -liberty $l; "
			    "setundef -zero; splitnets -ports -format _; opt_clean -purge; write_verilog -noattr -noexpr -nohex "
			    "-nodec $to/n.v\" && "
			    "printf '%%s\\n' \"read_liberty $l\" \"read_verilog $to/n.v\" \"link_design $top\" \"source $top.sdc\" "
			    "'check_setup -verbose' 'report_checks -path_delay max' >$to/t.tcl && sta -no_splash -exit $to/t.tcl",
			    top, program_tmp(), folder());

	cr_expect_eq(p.status, 0, "%s: %s", top, p.err);
	cr_expect(strncmp(p.out, "Startpoint:", 11) == 0, "%s: nothing is said ahead of the longest path: %s", top, p.out);
	cr_expect(strstr(p.out, "data required time") && !strstr(p.out, "No paths"), "%s", top);
	program_free(&p);
}

/* A combinational and a clocked one. */
Test(rtl_package, has_constraints_that_leave_no_path_out)
{
	constrains("pric_index");
	constrains("bypass_monitor");
}

/* ---- the page ---- */

static void page(const char *top)
{
	json_t *parameters = parameters_of(top);
	const char *key;
	json_t *value;
	char path[4400], *text;
	struct program p =
		program_run("grep -oE '^ +(input|output) .*' %s/%s/%s.v | sed 's|//.*||' | grep -oE '[a-z_0-9]+_[io]\\b' | sort -u",
			    folder(), top, top);

	snprintf(path, sizeof path, "%s/%s/README.md", folder(), top);
	text = program_text(path);
	json_object_foreach(parameters, key, value)
	{
		char row[128];

		snprintf(row, sizeof row, "\n| `%s` | ", key);
		cr_expect(strstr(text, row), "%s: %s", top, key);
	}
	for (char *port = strtok(p.out, "\n"); port; port = strtok(NULL, "\n")) {
		char row[128];

		snprintf(row, sizeof row, "\n| `%s` | %s | ", port, port[strlen(port) - 1] == 'i' ? "input" : "output");
		cr_expect(strstr(text, row), "%s: %s", top, port);
	}
	free(text);
	json_decref(parameters);
	program_free(&p);
}

Test(rtl_package, has_a_page_of_parameters_and_ports)
{
	each(page);
}

Test(rtl_package, of_a_file_that_is_not_there_is_refused)
{
	struct program p = program_run("scripts/rtl-package %s rtl/none.v", folder());

	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "rtl-package: FOLDER and a Verilog file that can be read\n");
	program_free(&p);
}

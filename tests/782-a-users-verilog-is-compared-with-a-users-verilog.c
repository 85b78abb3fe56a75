/* 782: with --golden a user's Verilog takes the golden twin's place: it drives the model, and the Verilog of --rtl is
 * compared with it, whatever the twin would do. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define RUN "locus cosim vectoradd --size test --set l1.monitor=true --rtl set_monitor="

/* A copy of Locus's Verilog in a folder of its own, changed by a sed expression. */
static void copy(const char *from, const char *to, const char *sed)
{
	struct program p = program_run("mkdir -p %s/old %s/new && sed '%s' rtl/%s >%s/%s && ! cmp -s rtl/%s %s/%s", program_tmp(),
				       program_tmp(), sed, from, program_tmp(), to, from, program_tmp(), to);

	cr_assert_eq(p.status, 0, "%s: changes nothing", sed);
	program_free(&p);
}

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

/* Each counts a conflict twice, which the twin does not. */
#define TWICE	"s/entry_count + 1.b1/entry_count + 2'\"'\"'d2/"
#define TWICE_3 "s/entry_count + 1.b1/entry_count + 3'\"'\"'d2/"

Test(golden_verilog, is_what_the_other_one_is_compared_with)
{
	copy("set_monitor/set_monitor.v", "old/m.v", TWICE);
	copy("set_monitor/set_monitor.v", "new/m.v", TWICE_3);
	expect(RUN "new/m.v", 1, ": register count_q[");
	expect(RUN "new/m.v --golden old/m.v", 0, "    golden: old/m.v, XXH64 ");
	expect(RUN "new/m.v --golden old/m.v", 0, "    registers compared, of the block's that both files have: 10 of 10\n");
	expect(RUN "new/m.v --golden old/m.v --check-threads 1 --no-skip", 0, "old/m.v, XXH64 ");
	copy("set_monitor/set_monitor.v", "old/m.v", TWICE "; s/acc_tag_q/last_q/");
	expect(RUN "new/m.v --golden old/m.v", 0, "that both files have: 9 of 10\n");
}

/* In a register that the twin would have as the new file has it. */
Test(golden_verilog, shows_a_difference_that_its_bundle_replays_elsewhere)
{
	copy("set_monitor/set_monitor.v", "old/m.v", TWICE);
	copy("set_monitor/set_monitor.v", "new/m.v", "s/^endmodule/\\/\\/ as it was\\nendmodule/");
	expect(RUN "new/m.v --golden old/m.v --bundle g", 1,
	       "    golden m.v:106: count_q[acc_set_q*COUNT_W +: COUNT_W] <= entry_count + 2'd2;\n");
	expect("grep -h '^rtl \\|^golden ' g-*/stimulus.txt", 0, "rtl new/m.v\ngolden old/m.v\n");
	expect("rm -r old new; mkdir far; mv g-*[0-9] far/g; cd far && locus replay g --minimize", 1, "minimised: ");
	expect("cd far && locus replay g-min", 1, ": register count_q[");
	expect("cd far && locus replay g --rtl g/rtl/old/m.v", 0, "nothing differs");
	expect("cp far/g/rtl/old/m.v m.v; sed -i 's/^endmodule/initial $system(\"touch ran\");\\nendmodule/' far/g/rtl/old/m.v; cd "
	       "far && "
	       "locus replay g --rtl ../m.v",
	       2, "g/rtl/old/m.v:");
	expect("test ! -e far/ran && echo clean", 0, "clean");
	expect("sed -i 's/^golden .*/golden ..\\/..\\/m.v/' far/g/stimulus.txt; locus replay far/g", 2, "far/g/stimulus.txt:");
}

static json_t *stats_of(const char *name)
{
	json_t *j = json_load_file(program_path(name), 0, NULL), *stats = json_incref(json_object_get(j, "stats"));

	cr_assert(stats, "%s", name);
	json_decref(j);
	return stats;
}

/* In both files the index is that of a linear cache: the model runs with it, not with the twin's. */
Test(golden_verilog, drives_the_model_also_for_a_combinational_block)
{
#define INDEX "cosim syrk --size test --l1-index pric --rtl pric=new/i.v "
	json_t *golden, *rtl, *twin, *j;
	struct program p;

	copy("pric/pric_index.v", "old/i.v", "s/= ^(addr_i & ROW)/= addr_i[7 + g]/");
	copy("pric/pric_index.v", "new/i.v", "s/= ^(addr_i & ROW)/= |(addr_i \\& (128 << g))/");
	expect("locus " INDEX "--golden old/i.v --json g.json", 0, "  results                                     right");
	p = in_folder("locus " INDEX "--hw pric=rtl --json r.json; locus " INDEX "--json t.json");
	cr_expect_eq(p.status, 1, "%s", p.err);
	program_free(&p);
	golden = stats_of("g.json");
	rtl = stats_of("r.json");
	twin = stats_of("t.json");
	cr_expect(json_equal(golden, rtl));
	cr_expect(!json_equal(golden, twin));
	j = json_load_file(program_path("g.json"), 0, NULL);
	cr_expect_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(j, "blocks"), 0), "golden")), "old/i.v");
	json_decref(j);
	json_decref(golden);
	json_decref(rtl);
	json_decref(twin);
}

Test(golden_verilog, without_something_to_compare_is_refused)
{
	copy("set_monitor/set_monitor.v", "old/m.v", TWICE);
	expect("locus cosim vectoradd --size test --golden old/m.v", 2, "--golden: needs one --rtl");
	expect(RUN "old/m.v --golden old/m.v --hw all=rtl", 2, "--golden: the block of --rtl is not in lockstep");
	expect(RUN "old/m.v --golden old/m.v --compare transaction", 2, "--golden: cannot be combined with --compare transaction");
	expect(RUN "old/m.v --golden nowhere.v", 2, "nowhere.v: no such file");
}

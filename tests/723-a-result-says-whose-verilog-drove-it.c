/* 723: the title, the table, the JSON, locus diff and locus report say which Verilog drove the model or was compared:
 * block, mode, files, and the XXH64 of what they hold. Outputs that the model never reads are compared in mode rtl too;
 * a block of which no step was made does not count as checked. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "support/program.h"

#define MODEL "vectoradd --size test --l1-index pric "

/* Of the texts of the files, one after another: what `cat FILES | xxhsum -H64` prints. */
static const char *sum_of(const char *first, const char *second, char out[17])
{
	XXH64_state_t *h = XXH64_createState();

	XXH64_reset(h, 0);
	for (int i = 0; i < 2; i++) {
		const char *name = i ? second : first;
		char *text = name ? program_text(program_path(name)) : NULL;

		if (text)
			XXH64_update(h, text, strlen(text));
		free(text);
	}
	snprintf(out, 17, "%016llx", (unsigned long long)XXH64_digest(h));
	XXH64_freeState(h);
	return out;
}

static json_t *block_of(const json_t *result, const char *name)
{
	json_t *b;
	size_t i;

	json_array_foreach(json_object_get(result, "blocks"), i, b)
	{
		if (!strcmp(json_string_value(json_object_get(b, "block")), name))
			return b;
	}
	cr_assert_fail("no block %s in the result", name);
	return NULL;
}

static const char *string_of(const json_t *b, const char *key)
{
	return json_string_value(json_object_get(b, key));
}

/* Locus's index with an include in it. */
static void write_mine(void)
{
	struct program p =
		program_run("sed -e 's/assign tag_o/`include \"more.vh\"\\nassign tag_o/' rtl/pric/pric_index.v >%s/mine.v; "
			    "echo '// nothing' >%s/more.vh",
			    program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0);
	program_free(&p);
}

Test(whose_verilog, is_in_the_title_the_table_the_result_the_diff_and_the_report)
{
	struct program p;
	char sum[17], line[200];
	json_t *j, *b;

	write_mine();
	p = program_run("cd %s && locus cosim " MODEL "--hw pric=rtl --rtl pric=mine.v --json mine.json", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	sum_of("mine.v", "more.vh", sum);
	snprintf(line, sizeof line, "\n  pric: mine.v, XXH64 %s, mode rtl: it drives the model\n", sum);
	cr_expect(strstr(p.out, line), "%s: %s", line, p.out);
	snprintf(line, sizeof line, "  mine.v, XXH64 %s\n", sum);
	cr_expect(strstr(p.out, line), "%s: %s", line, p.out);
	program_free(&p);

	j = json_load_file(program_path("mine.json"), 0, NULL);
	b = block_of(j, "pric");
	cr_expect_str_eq(string_of(b, "rtl"), "mine.v");
	cr_expect_str_eq(string_of(b, "mode"), "rtl");
	cr_expect_str_eq(string_of(b, "xxh64"), sum);
	cr_expect(json_is_true(json_object_get(b, "drives")));
	cr_expect(json_is_false(json_object_get(b, "own")));
	json_decref(j);

	p = program_run("cd %s && locus run " MODEL
			"--json golden.json >/dev/null && locus diff golden.json mine.json && locus report "
			"mine.json -o page.html >/dev/null && grep -c %s page.html",
			program_tmp(), sum);
	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(line, sizeof line, "\n  mine: pric in Verilog, mode rtl: mine.v, XXH64 %s\n1\n", sum);
	cr_expect(strstr(p.out, line), "%s: %s", line, p.out);
	program_free(&p);
}

Test(whose_verilog, of_an_included_file_changes_the_sum)
{
	char before[17], after[17];
	struct program p;
	json_t *j;

	write_mine();
	sum_of("mine.v", "more.vh", before);
	program_file("more.vh", "// something\n");
	sum_of("mine.v", "more.vh", after);
	cr_assert_str_neq(before, after);
	p = program_run("cd %s && locus cosim " MODEL "--rtl pric=mine.v --json r.json", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	j = json_load_file(program_path("r.json"), 0, NULL);
	cr_expect_str_eq(string_of(block_of(j, "pric"), "xxh64"), after);
	cr_expect(json_is_false(json_object_get(block_of(j, "pric"), "drives")), "the golden twin does");
	cr_expect(json_is_true(json_object_get(block_of(j, "decoder"), "own")));
	cr_expect_str_eq(string_of(block_of(j, "decoder"), "rtl"), "rtl/decoder/addr_decoder.v");
	json_decref(j);
	program_free(&p);
}

/* The model takes the set from the RTL and the tag from the address: a wrong tag_o changes no figure. */
Test(unread_outputs, of_a_combinational_block_are_compared_in_mode_rtl)
{
	struct program p =
		program_run("sed 's/assign tag_o = addr_i/assign tag_o = 1 ^ addr_i/' rtl/pric/pric_index.v >%s/tag.v; cmp -s "
			    "rtl/pric/pric_index.v %s/tag.v && exit 9; cd %s; locus cosim " MODEL "--hw pric=rtl --rtl pric=tag.v "
			    "--json r.json",
			    program_tmp(), program_tmp(), program_tmp());
	json_t *j, *b;

	cr_assert_eq(p.status, 1, "%d: %s", p.status, p.err);
	cr_expect(strstr(p.out, "    tag_o, which the model does not read, differs in "), "%s", p.out);
	j = json_load_file(program_path("r.json"), 0, NULL);
	b = block_of(j, "pric");
	cr_expect_eq(json_integer_value(json_object_get(b, "unread_mismatches")), json_integer_value(json_object_get(b, "steps")),
		     "each step has the wrong bit");
	json_decref(j);
	program_free(&p);
}

Test(unread_outputs, of_a_clocked_block_are_named)
{
	struct program p = program_run("locus cosim " MODEL "--set l1.monitor=true --hw set_monitor=rtl");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "    neither compared nor read by the model: acc_ready_o\n"), "%s", p.out);
	program_free(&p);
}

/* A kernel without a memory access makes no step of the index. */
Test(idle_blocks, do_not_count_as_checked)
{
	static const struct {
		const char *options;
		int status;
	} cases[] = {{"--l1-index pric --hw pric=lockstep", 1},
		     {"--l1-index pric --hw pric=rtl", 1},
		     {"--l1-index pric", 1}, /* nothing at all was compared */
		     {"--l1-index pric --hw all=golden", 0}};

	program_file("k.ptx", ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n");
	program_file("k.yaml", "ptx: k.ptx\nlaunches:\n  - kernel: k\n    grid: 1\n    block: 32\n");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p = program_run("locus cosim %s %s", program_path("k.yaml"), cases[i].options);

		cr_expect_eq(p.status, cases[i].status, "%s: %d: %s", cases[i].options, p.status, p.err);
		cr_expect_eq(strstr(p.out, "NOT CHECKED: this run makes no step of the block") != NULL, cases[i].status == 1,
			     "%s: %s", cases[i].options, p.out);
		program_free(&p);
	}
}

/* The checksum is right; what is wrong is that there is nothing to run. */
Test(idle_blocks, are_not_replayed_from_a_bundle_without_steps)
{
	static const char steps[] = "locus-stimulus 1\nblock pric\nparams addr_w=32 addr_bits=32 line=128 sets=32 poly=37\n"
				    "rtl pric_index.v\ncompare cycle\nseed 0\nunique-x 0\ninputs addr:32\nstate reset\n"
				    "first-step 0\n";
	static const char *const few[] = {"steps 0\n", "steps 1\n5 1000\n"};

	for (int i = 0; i < 2; i++) {
		char text[1000], sum[17];
		struct program p;

		snprintf(text, sizeof text, "%s%s", steps, few[i]);
		program_file("body", text);
		snprintf(text + strlen(text), sizeof text - strlen(text), "end %s\n", sum_of("body", NULL, sum));
		program_file("stimulus.txt", text);
		p = program_run(
			"cd %s && mkdir -p b/rtl && cp $OLDPWD/rtl/pric/pric_index.v b/rtl && mv stimulus.txt b && locus replay b",
			program_tmp());
		cr_expect_eq(p.status, i ? 0 : 2, "%s: %d: %s", few[i], p.status, p.err);
		cr_expect(strstr(i ? p.out : p.err, i ? "1 steps, nothing differs" : "there are no steps"), "%s%s", p.out, p.err);
		program_free(&p);
	}
}

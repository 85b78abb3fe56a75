/* 715: a user's RTL may have other registers than the golden twin. What both have is compared all the same; what only
 * one has is listed, in the table, in the report and in the JSON, whatever it is called. A report shows the lines of
 * both sides that may be wrong, and says in a sentence what differs.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define RUN "cosim vectoradd --size test --set l1.monitor=true --rtl set_monitor=%s/my.v"

/* Copies of set_monitor.v with parts replaced, by pairs that end with NULL; writes my.v. */
static void my_rtl(const char *const *pairs)
{
	char *text = calloc(1, 1 << 20);
	FILE *f = fopen("rtl/set_monitor/set_monitor.v", "r");

	cr_assert(f && text && fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	for (; *pairs; pairs += 2) {
		char *out, *from = text, *at;
		size_t n;
		FILE *to = open_memstream(&out, &n);

		cr_assert_not_null(strstr(text, pairs[0]), "set_monitor.v has no \"%s\"", pairs[0]);
		for (; (at = strstr(from, pairs[0])); from = at + strlen(pairs[0]))
			fprintf(to, "%.*s%s", (int)(at - from), from, pairs[1]);
		fputs(from, to);
		fclose(to);
		free(text);
		text = out;
	}
	program_file("my.v", text);
	free(text);
}

/* One register renamed, one more that is not called _q, and both invisible from outside. */
#define RENAMED "acc_tag_q", "acc_tag"
#define MORE	"endmodule", "reg [2:0] last_set; always @(posedge clk_i) last_set[1] <= acc_set_i[0];\nendmodule"

static const char compared[] = "    registers compared, by name and width: 9 of 10; not compared:\n"
			       "      acc_tag_q (20 bits) is in the golden twin alone\n"
			       "      acc_tag (20 bits) is in the RTL alone\n"
			       "      last_set (3 bits) is in the RTL alone\n";

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

Test(other_registers, are_listed_and_the_rest_is_compared)
{
	struct program p;
	json_t *j, *b;
	char path[4200];

	my_rtl((const char *const[]){RENAMED, MORE, NULL});
	p = program_run("locus " RUN " --json %s/out.json", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, compared), "%s", p.out);
	snprintf(path, sizeof path, "%s/out.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	b = block_of(j, "set_monitor");
	cr_expect_eq(json_integer_value(json_object_get(b, "registers_compared")), 9);
	cr_expect_eq(json_array_size(json_object_get(b, "registers_not_compared")), 3);
	cr_expect_str_eq(json_string_value(json_array_get(json_object_get(b, "registers_not_compared"), 2)),
			 "last_set (3 bits) is in the RTL alone");
	json_decref(j);
	program_free(&p);
}

/* The fault shows in a register before any output; only the comparison of registers finds it in that cycle. */
Test(other_registers, do_not_hide_a_fault_in_a_common_one)
{
	struct program p;

	my_rtl((const char *const[]){RENAMED, MORE, "acc_set_q <= acc_set_i;", "acc_set_q <= ~acc_set_i;", NULL});
	p = program_run("cd %s && \"${LOCUS_BUILD:-$OLDPWD/build}/locus\" " RUN, program_tmp(), program_tmp());
	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_expect_not_null(strstr(p.out, ": register acc_set_q\n"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "either side may be wrong"));
	cr_expect_not_null(strstr(p.out, "    golden csim/hw/twins/set_monitor.c:"));
	cr_expect_not_null(strstr(p.out, ": s->acc_set = in->acc_set;\n"));
	cr_expect_not_null(strstr(p.out, "    rtl    my.v:"));
	cr_expect_not_null(strstr(p.out, ": acc_set_q <= ~acc_set_i;\n"));
	cr_expect_not_null(strstr(p.out, " after reset, register acc_set_q of set_monitor first differs, in cycle "));
	cr_expect_not_null(strstr(strstr(p.out, "MISMATCH"), compared), "the report lists them too");
	program_free(&p);
}

Test(rerun, falls_back_on_the_locus_of_the_path)
{
	struct program p;

	my_rtl((const char *const[]){"acc_set_q <= acc_set_i;", "acc_set_q <= ~acc_set_i;", NULL});
	p = program_run(
		"cd %s && mkdir -p bin && \"${LOCUS_BUILD:-$OLDPWD/build}/locus\" " RUN " >first; b=$(ls -d mismatch-*); "
		"sed -i \"s:^program=.*:program=/nowhere/locus:\" $b/rerun.sh; "
		"printf '#!/bin/sh\\necho installed \"$@\"\\n' >bin/locus; chmod +x bin/locus; PATH=$PWD/bin:$PATH $b/rerun.sh",
		program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "installed replay -- mismatch-set_monitor-"), "%s", p.out);
	program_free(&p);
}

/* 933: `locus list keys` shows every key of a machine with value, unit, legal values and meaning; what the docs and
 * --help set is among them. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* The line of a key: "  KEY  ". NULL if there is none. */
static const char *line_of(const char *table, const char *key)
{
	char start[80];
	const char *at;

	snprintf(start, sizeof start, "\n  %s ", key);
	at = strstr(table, start);
	return at ? at + 1 : NULL;
}

/* The text of column c (0: the key) of a line, by where the titles are. */
static void cell(const char *table, const char *line, const char *title, const char *next, char *out, size_t n)
{
	const char *end = strchr(line, '\n');
	size_t from = (size_t)(strstr(table, title) - table),
	       to = next ? (size_t)(strstr(table, next) - table) : (size_t)(end - line);

	cr_assert_lt(from, (size_t)(end - line), "%.*s", (int)(end - line), line);
	snprintf(out, n, "%.*s", (int)(to - from), line + from);
	for (size_t i = strlen(out); i && out[i - 1] == ' ';)
		out[--i] = '\0';
}

/* The resolved machine that `locus run --json` writes has all keys with their values: another way to the same
 * numbers. */
Test(keys, are_those_of_the_machine_that_a_run_writes)
{
	static const char *const machines[] = {"gtx480", "ndp4", "exascale25"};

	for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		struct program run = program_run(
				       "locus run vectoradd --size test --machine %s --json %s/r.json >/dev/null && cat %s/r.json",
				       machines[i], program_tmp(), program_tmp()),
			       list = program_run("locus list keys --machine %s", machines[i]);
		json_t *whole = json_loads(run.out, 0, NULL), *v;
		const char *key, *s = list.out;
		unsigned lines = 0;

		cr_assert(whole, "%s", run.err);
		json_object_foreach(json_object_get(whole, "machine"), key, v)
		{
			const char *line = line_of(list.out, key);
			char *want =
				json_is_string(v) ? strdup(json_string_value(v)) : json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
			char got[1100];

			cr_assert(line, "%s has no line", key);
			cell(list.out, line, machines[i], "unit", got, sizeof got);
			if (!json_is_array(v))
				cr_expect_str_eq(got, want, "%s", key);
			free(want);
			lines++;
		}
		cr_assert_geq(lines, 158);
		for (; *s; s++)
			lines -= *s == '\n';
		cr_expect_eq((int)lines, -1, "a line a key, and the titles");
		json_decref(whole);
		program_free(&run);
		program_free(&list);
	}
}

Test(keys, have_unit_legal_values_and_meaning)
{
	static const struct {
		const char *key, *unit, *legal, *meaning;
	} all[] = {
		{"clock.core", "MHz", "1..10000", "clock of the SMs"},
		{"sm.scheduler", "", "gto|lrr|gty", "warp scheduler: gto (greedy, then oldest)"},
		{"latency.int", "core cycles", "five of 1..4096", "latency of integer add, max, mul, mad, div"},
		{"l1.enabled", "", "true|false", "use the L1"},
		{"dram.rcd", "DRAM cycles", "1..1000", "tRCD: activate to read or write"},
		{"map.hash_bank", "", "true|false", "XOR the bank bits"},
	};
	struct program p = program_run("locus list keys");

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (const char *s = strchr(p.out, '\n') + 1; *s; s = strchr(s, '\n') + 1) {
		char meaning[300];

		cell(p.out, s, "meaning", NULL, meaning, sizeof meaning);
		cr_expect_gt(strlen(meaning), 8, "%.30s", s);
	}
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		const char *line = line_of(p.out, all[i].key);
		char text[300];

		cr_assert(line, "%s", all[i].key);
		cell(p.out, line, "unit", "legal", text, sizeof text);
		cr_expect_str_eq(text, all[i].unit);
		cell(p.out, line, "legal", "meaning", text, sizeof text);
		cr_expect_str_eq(text, all[i].legal);
		cell(p.out, line, "meaning", NULL, text, sizeof text);
		cr_expect_eq(strncmp(text, all[i].meaning, strlen(all[i].meaning)), 0, "%s", text);
	}
	program_free(&p);
}

/* Every `--set KEY=` of the pages, and every key that a table of docs/reference/machines.md begins a row with. */
Test(keys, that_the_docs_name_are_there)
{
	struct program docs = program_run("grep -rohE --include='*.md' -e '--set [a-z0-9_.]+=' README.md docs | "
					  "sed 's/--set //; s/=//' | grep -vx key | sort -u; "
					  "sed -n 's/^| `\\([a-z0-9_]*\\.[a-z0-9_.]*\\)`[, |].*/\\1/p' docs/reference/machines.md"),
		       list = program_run("locus list keys");
	unsigned n = 0;

	for (char *save, *key = strtok_r(docs.out, "\n", &save); key; key = strtok_r(NULL, "\n", &save), n++)
		cr_expect(line_of(list.out, key), "the docs name the key %s", key);
	cr_expect_gt(n, 20);
	program_free(&docs);
	program_free(&list);
}

Test(keys, of_a_file_of_the_users_own)
{
	struct program p;

	program_file("my.yaml", "name: mine\nbase: gtx480\nl1: { assoc: 8, bytes: 32K }\n");
	p = program_run("locus list keys -m %s/my.yaml", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(strncmp(p.out, "keys ", 5), 0);
	cr_expect_not_null(strstr(p.out, "mine"));
	cr_expect_not_null(strstr(line_of(p.out, "l1.bytes"), " 32768 "));
	program_free(&p);
}

Test(keys, of_no_machine_are_refused)
{
	struct program p = program_run("locus list keys --machine gtx840");

	cr_expect(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus list machines --machine gtx480");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus list: --machine: is an option of `locus list keys`\n");
	program_free(&p);
}

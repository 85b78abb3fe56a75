/* 340: locus run: what it prints and writes, and how it refuses what it cannot use. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static json_t *load(const char *path)
{
	json_error_t e;
	json_t *j = json_load_file(path, 0, &e);

	cr_assert_not_null(j, "%s: %s", path, e.text);
	return j;
}

Test(locus_run, prints_one_title_the_table_and_the_audit)
{
	struct program p = program_run("locus run vectoradd --size test --l1-index pric:47");
	const char *audit = strstr(p.out, "\n  audit ");
	unsigned hold = 0, invariants = 1;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.err, "", "no progress line but on a terminal");
	cr_assert_eq(strncmp(p.out, "vectoradd ", 10), 0);
	cr_assert(strstr(p.out, " on gtx480: 15 SMs, L1 16 KB 4-way, set index pric(47)\n\n"), "%s", p.out);
	cr_assert_not_null(audit);
	cr_assert_eq(sscanf(audit, " audit %u/%u invariants hold", &hold, &invariants), 2);
	cr_assert_eq(hold, invariants);
	cr_assert(strstr(p.out, "\n  results "));
	program_free(&p);
}

Test(locus_run, writes_the_same_json_each_time_in_a_fixed_order)
{
	static const char *const keys[] = {"locus", "workload", "trace_hash", "machine", "stats", "units", "launches", "audit"};
	const char *tmp = program_tmp();
	struct program p = program_run("locus run reduction --size test --json %s/1.json && locus run reduction --size test --json "
				       "%s/2.json && cmp %s/1.json %s/2.json",
				       tmp, tmp, tmp, tmp);
	char path[256];
	const char *key;
	json_t *j, *v;
	unsigned i = 0;

	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(path, sizeof path, "%s/1.json", program_tmp());
	j = load(path);
	json_object_foreach(j, key, v)
	{
		cr_assert_lt(i, 8);
		cr_assert_str_eq(key, keys[i++]);
	}
	cr_assert_eq(i, 8);
	v = json_object_get(j, "stats");
	cr_assert_gt(json_integer_value(json_object_get(v, "cycles")), 0);
	cr_assert_eq(json_integer_value(json_object_get(v, "l1.accesses")),
		     json_integer_value(json_object_get(v, "l1.hits")) +
			     json_integer_value(json_object_get(v, "l1.hits_reserved")) +
			     json_integer_value(json_object_get(v, "l1.misses")) +
			     json_integer_value(json_object_get(v, "l1.bypasses")) +
			     json_integer_value(json_object_get(v, "l1.writes")));
	cr_assert_eq(json_integer_value(json_object_get(json_object_get(j, "machine"), "l1.assoc")), 4);
	json_array_foreach(json_object_get(j, "audit"), i, v) cr_assert(json_is_true(json_object_get(v, "holds")));
	json_decref(j);
	program_free(&p);
}

/* The vectors of a test-size vectoradd are read and written once, whole lines: 3 x 4 n bytes are 3 n / 32 lines. */
Test(locus_run, counts_by_array_what_the_program_touches)
{
	struct program p = program_run("locus run vectoradd --arg n=65536 --json %s/v.json", program_tmp());
	static const char *const rows[] = {"buffer.a.l1.misses", "buffer.b.l1.misses", "buffer.c.l1.writes"};
	char path[256];
	json_t *j, *stats;

	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(path, sizeof path, "%s/v.json", program_tmp());
	j = load(path);
	stats = json_object_get(j, "stats");
	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(json_integer_value(json_object_get(stats, rows[i])), 65536 / 32, "%s", rows[i]);
	json_decref(j);
	program_free(&p);
}

/* The model sees a program through its trace alone. */
Test(locus_run, a_recorded_trace_gives_the_figures_of_the_program)
{
	const char *tmp = program_tmp();
	struct program p = program_run("locus record bfs --size test -o %s/b.ltrace >/dev/null && locus run bfs --size test --json "
				       "%s/program.json >/dev/null && locus run %s/b.ltrace --json %s/trace.json >/dev/null && cmp "
				       "%s/program.json %s/trace.json",
				       tmp, tmp, tmp, tmp, tmp, tmp);

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(locus_run, refuses_a_trace_that_is_cut_or_damaged)
{
	const char *tmp = program_tmp();
	struct program p = program_run("locus record vectoradd --size test -o %s/v.ltrace >/dev/null", tmp);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("head -c 3000 %s/v.ltrace >%s/cut.ltrace; locus run %s/cut.ltrace", tmp, tmp, tmp);
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	/* a byte of some CTA's frame: found only when that CTA is dispatched */
	p = program_run(
		"cd %s && cp v.ltrace bad.ltrace && printf X | dd of=bad.ltrace bs=1 seek=2000 conv=notrunc 2>/dev/null; cd "
		"- >/dev/null; locus run %s/bad.ltrace",
		tmp, tmp);
	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "bad.ltrace"), "%s", p.err);
	program_free(&p);
}

Test(locus_run, a_limit_cuts_the_run)
{
	struct program p = program_run("locus run vectoradd --size test --max-cycles 500");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "cut by the limit after 500 cycles"), "%s", p.out);
	program_free(&p);
}

Test(locus_run, refuses_in_one_line_what_it_cannot_use)
{
	static const struct {
		const char *args, *says;
	} bad[] = {
		{"nosuchworkload", "nosuchworkload"},
		{"missing.yaml", "missing.yaml"},
		{"missing.ltrace", "missing.ltrace"},
		{"vectoradd --machine nope", "nope"},
		{"vectoradd --set l1.asoc=8", "did you mean \"l1.assoc\""},
		{"vectoradd --set l1.assoc=three", "l1.assoc"},
		{"vectoradd --l1-index pric:0", "polynomial 0"},
		{"vectoradd --l1-index pric:33", "reducible"},
		{"vectoradd --l1-index xor", "linear or pric[:POLY]"},
		{"vectoradd --l2-index linear:5", "only pric takes a polynomial"},
		{"vectoradd --scheduler fifo", "fifo"},
		{"vectoradd --size huge", "huge"},
		{"vectoradd --arg q=3", "q=3"},
		{"vectoradd --json /no/such/folder/x.json", "/no/such/folder/x.json"},
		{"vectoradd --size test --set sm.threads=64", "a CTA needs 256 threads, an SM of gtx480 has 64"},
		{"matmul --size test --set sm.shared_bytes=1K", "bytes of shared memory, an SM of gtx480 has 1024"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus run %s", bad[i].args);

		cr_assert(program_is_clean_error(&p), "%s", bad[i].args);
		cr_assert(strstr(p.err, bad[i].says), "%s: %s", bad[i].args, p.err);
		program_free(&p);
	}
}

/* Pages spread over four modules in a ring: of the 3/4 of all bytes that leave their module a third goes over two
 * links, so that the links carry 4/3 of them. The bytes: docs/explanation/network.md. */
Test(locus_run, counts_bytes_once_for_each_link)
{
	char path[256];
	struct program p;
	json_t *j, *v;

	snprintf(path, sizeof path, "%s/r.json", program_tmp());
	p = program_run("locus run vectoradd --machine ndp4 --size test --set vm.tlb=false --set link.topology=ring --json %s",
			path);
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	j = load(path);
	v = json_object_get(j, "stats");
	cr_expect_eq(json_integer_value(json_object_get(v, "memory.remote_bytes")), 165888);
	cr_expect_eq(json_integer_value(json_object_get(v, "link.bytes")), 221184);
	json_decref(j);
}

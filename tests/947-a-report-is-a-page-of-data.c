/* 947: locus report: what a result says is data in the page, whatever it says; the page may load nothing; the same
 * input gives the same bytes; what is no result is refused. What the page draws of it: `make test-report`. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_bundle.h"
#include "report/report_page.h"
#include "support/program.h"

#define MARK   "<!--locus:data-->"
#define BUNDLE "harness/report/web/dist/report.html"

static char *page_of(const char *args)
{
	struct program p = program_run("locus report %s -o %s/page.html", args, program_tmp());
	char path[512];

	cr_assert_eq(p.status, 0, "%s: %s", args, p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/page.html", program_tmp());
	return program_text(path);
}

/* What stands in the place of the mark, as it is in the page. */
static char *data_of(const char *page)
{
	char *bundle = program_text(BUNDLE), *mark = strstr(bundle, MARK), *data;
	size_t head, tail, n = strlen(page);

	cr_assert_not_null(mark);
	head = (size_t)(mark - bundle);
	tail = strlen(mark) - strlen(MARK);
	cr_assert_gt(n, head + tail);
	cr_assert_eq(strncmp(page, bundle, head), 0);
	cr_assert_str_eq(page + n - tail, mark + strlen(MARK));
	data = strndup(page + head, n - head - tail);
	free(bundle);
	return data;
}

static json_t *read_page(const char *args)
{
	char *page = page_of(args), *text = data_of(page);
	json_t *data = json_loads(text, 0, NULL);

	cr_assert_not_null(data, "%s", text);
	free(page);
	free(text);
	return data;
}

static const char *path_in(const char *name, char path[512])
{
	snprintf(path, 512, "%s/%s", program_tmp(), name);
	return path;
}

/* All that ends a script block, begins a comment or a tag, or is a line's end to a script of old. */
#define HOSTILE                                                                                                                    \
	"</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & &lt; \xe2\x80\xa8\xe2\x80\xa9\xc3\xa4 ' \\\" `"

Test(report, has_whatever_a_result_says_as_data)
{
	char path[512], *page, *data;
	json_t *d, *run;

	program_file("h.json",
		     "{\"stats\": {\"cycles\": 7, \"<b>\": 1}, \"units\": {\"<b>\": \"</style>\"}, \"workload\": \"" HOSTILE "\"}");
	page = page_of(path_in("h.json", path));
	data = data_of(page);
	cr_expect_null(strpbrk(data, "<>&"), "%s", data);
	for (const char *c = data; *c; c++)
		cr_assert(*c >= ' ' && *c <= '~', "byte %d", *c);
	d = json_loads(data, 0, NULL);
	cr_assert_not_null(d);
	run = json_array_get(json_object_get(d, "runs"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(run, "workload")),
			 "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & &lt; "
			 "\xe2\x80\xa8\xe2\x80\xa9\xc3\xa4 ' \" `");
	cr_expect_str_eq(json_string_value(json_object_get(run, "label")), "h");
	cr_expect_eq(json_integer_value(json_object_get(json_object_get(run, "stats"), "cycles")), 7);
	json_decref(d);
	free(data);
	free(page);
}

Test(report, has_the_numbers_that_the_results_have)
{
	struct program p =
		program_run("locus run vectoradd --size test --report-data --json %s/a.json >/dev/null && locus run vectoradd "
			    "--size test --set l1.assoc=8 --json %s/b.json >/dev/null && echo %s/a.json %s/b.json",
			    program_tmp(), program_tmp(), program_tmp(), program_tmp());
	json_t *page, *runs;
	char path[512];

	cr_assert_eq(p.status, 0, "%s", p.err);
	p.out[strcspn(p.out, "\n")] = '\0';
	page = read_page(p.out);
	runs = json_object_get(page, "runs");
	cr_assert_eq(json_array_size(runs), 2);
	for (size_t i = 0; i < 2; i++) {
		json_t *from = json_load_file(path_in(i ? "b.json" : "a.json", path), 0, NULL), *run = json_array_get(runs, i);
		static const char *const keys[] = {"stats",	"units",   "machine", "audit",	 "launches",
						   "intervals", "profile", "l1_sets", "timeline"};

		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			cr_expect(json_equal(json_object_get(from, keys[k]), json_object_get(run, keys[k])) ||
					  (!json_object_get(from, keys[k]) && !json_object_get(run, keys[k])),
				  "%s of run %zu", keys[k], i);
		json_decref(from);
	}
	json_decref(page);
	program_free(&p);
}

/* A plan's name is the title; the table is what `locus sweep table` prints: cycles of the two runs. */
Test(report, of_a_sweep_has_the_plans_name_and_table)
{
	struct program p;
	json_t *page, *table, *row, *runs;
	char *text, *data, path[512];

	program_file("plan.yaml", "name: my-plan\naxes: {workload: vectoradd, l1.assoc: [4, 8]}\ncommon: {size: test}\n");
	p = program_run("cd %s && locus sweep plan.yaml >/dev/null && locus sweep report plan.yaml -o page.html", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	text = program_text(path_in("page.html", path));
	data = data_of(text);
	page = json_loads(data, 0, NULL);
	cr_assert_not_null(page);
	cr_expect_str_eq(json_string_value(json_object_get(page, "name")), "my-plan");
	table = json_object_get(page, "table");
	runs = json_object_get(page, "runs");
	row = json_array_get(json_object_get(table, "rows"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(row, "name")), "vectoradd");
	for (size_t i = 0; i < 2; i++) {
		json_t *stats = json_object_get(json_array_get(runs, i), "stats");

		cr_expect_str_eq(json_string_value(json_array_get(json_object_get(table, "columns"), i)), i ? "8" : "4");
		cr_expect_eq(json_number_value(json_array_get(json_object_get(row, "values"), i)),
			     json_number_value(json_object_get(stats, "cycles")));
	}
	json_decref(page);
	free(data);
	free(text);
}

Test(report, is_the_same_bytes_for_the_same_input)
{
	char path[512], args[1100], *a, *b;

	program_file("r.json", "{\"stats\": {\"cycles\": 7}, \"workload\": \"w\"}");
	snprintf(args, sizeof args, "%s %s", path_in("r.json", path), path);
	a = page_of(args);
	b = page_of(args);
	cr_expect_str_eq(a, b);
	free(a);
	free(b);
}

/* The policy is by the hash of the script, which openssl or sha256sum compute as the browser does. */
Test(report, may_load_nothing_and_run_its_own_script_alone)
{
	struct program p =
		program_run("awk '{ t = t $0 \"\\n\" } END { n = split(t, s, \"<script>\"); sub(/<\\/script>.*/, \"\", s[n]); "
			    "printf \"%%s\", s[n] }' " BUNDLE
			    " | sha256sum | cut -d' ' -f1 | tr -d '\\n' | sed 's/../\\\\x&/g' | xargs -0 printf '%%b' | "
			    "base64 -w0");
	char policy[512], *text = program_text(BUNDLE);

	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(policy, sizeof policy,
		 "content=\"default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; base-uri 'none'; form-action "
		 "'none'\"",
		 p.out);
	cr_expect(strstr(text, policy), "%s", policy);
	cr_expect_null(strstr(text, "<link"));
	cr_expect_null(strstr(text, " src="));
	free(text);
	program_free(&p);
}

Test(report, goes_into_a_folder_or_a_file)
{
	struct program p;

	program_file("r.json", "{\"stats\": {\"cycles\": 1}}");
	p = program_run(
		"cd %s && locus report r.json -o made && test -s made/index.html && locus report r.json -o made && locus report "
		"r.json -o one.html && cmp one.html made/index.html && locus report r.json -o - | cmp - one.html && locus report "
		"r.json && "
		"test -s report/index.html",
		program_tmp());
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(report, keeps_of_many_launches_the_first)
{
	json_t *whole = json_object(), *all = json_array(), *run;

	for (int i = 0; i < 3000; i++)
		json_array_append_new(all, json_pack("{s:i}", "index", i));
	json_object_set_new(whole, "launches", all);
	json_object_set_new(whole, "requests", json_string("not drawn"));
	json_object_set_new(whole, "plan", json_pack("{s:s, s:s}", "planner", "coda", "lists", "long"));
	run = report_page_run(whole, "x");
	cr_expect_eq(json_array_size(json_object_get(run, "launches")), 1024);
	cr_expect_eq(json_integer_value(json_object_get(run, "n_launches")), 3000);
	cr_expect_str_eq(json_string_value(json_object_get(run, "planner")), "coda");
	cr_expect_null(json_object_get(run, "requests"));
	cr_expect_null(json_object_get(run, "plan"));
	json_decref(run);
	json_decref(whole);
}

#define STEPS  "\"steps\": [{\"step\": 3, \"cycle\": 9, \"reset\": false}]"
#define PAIRS  "\"pairs\": [{\"name\": \"o\", \"golden\": [\"0x1\"], \"rtl\": [\"0x2\"]}]"
#define WINDOW "{\"step\": 3, " STEPS ", \"inputs\": [], " PAIRS "}"

Test(report, has_the_lines_of_a_mismatch)
{
	struct program p =
		program_run("cd %s && mkdir -p mismatch-pric-9/ && printf 'MISMATCH pric, cycle 9\\n  golden 0x1\\n\\033[2J<b>\\n' "
			    ">mismatch-pric-9/report.txt && echo '" WINDOW "' >mismatch-pric-9/window.json",
			    program_tmp());
	struct err e = {""};
	char path[512];
	json_t *b = report_bundle_read(path_in("mismatch-pric-9//", path), &e), *lines = json_object_get(b, "lines");

	cr_assert_not_null(b, "%s", e.text);
	cr_expect_str_eq(json_string_value(json_object_get(b, "name")), "mismatch-pric-9");
	cr_assert_eq(json_array_size(lines), 3);
	cr_expect_str_eq(json_string_value(json_array_get(lines, 1)), "  golden 0x1");
	cr_expect_str_eq(json_string_value(json_array_get(lines, 2)), "?[2J<b>");
	cr_expect_eq(json_array_size(json_object_get(json_object_get(b, "window"), "pairs")), 1);
	json_decref(b);
	program_free(&p);
}

Test(report, refuses_a_window_that_is_none)
{
	static const char *const windows[] = {
		"",
		"{",
		"[]",
		"{\"step\": 3}",
		"{\"step\": 3, \"steps\": [3], \"inputs\": [], " PAIRS "}",
		"{\"step\": \"3\", " STEPS ", \"inputs\": [], " PAIRS "}",
		"{\"step\": 3, " STEPS ", " PAIRS "}",
		"{\"step\": 3, " STEPS ", \"inputs\": [{\"name\": \"i\", \"values\": []}], " PAIRS "}",
		"{\"step\": 3, " STEPS ", \"inputs\": [{\"name\": \"i\", \"values\": [4]}], " PAIRS "}",
		"{\"step\": 3, " STEPS ", \"inputs\": [], \"pairs\": [{\"name\": \"o\", \"golden\": [\"1\"]}]}",
	};
	char path[512];

	for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
		struct program p =
			program_run("mkdir -p %s/b && cd %s/b && echo 'MISMATCH x' >report.txt && echo '%s' >window.json",
				    program_tmp(), program_tmp(), windows[i]);
		struct err e = {""};

		cr_assert_eq(p.status, 0);
		cr_expect_null(report_bundle_read(path_in("b", path), &e), "%s", windows[i]);
		cr_expect(strstr(e.text, "/b/window.json: not the window of a mismatch"), "%s: %s", windows[i], e.text);
		program_free(&p);
	}
}

Test(report, refuses_what_is_no_result)
{
	static const char *const commands[] = {
		"locus report",
		"locus report no-such.json",
		"locus report .",
		"locus report text.json",
		"locus report list.json",
		"locus report other.json",
		"locus report deep.json",
		"locus report /dev/zero",
		"locus report r.json -o text.json",
		"locus report r.json -o ''",
		"locus report r.json -o no/such/folder",
		"locus report r.json -o no/such/file.html",
		"locus report r.json --bundle no-such",
		"locus report r.json --bundle wrong",
		"locus report r.json --bundle long",
		"locus report r.json --bundle half",
		"locus report $(yes r.json | head -65)",
		"locus report r.json $(yes ' --bundle=ok' | head -17)",
	};
	struct program p;

	program_file("r.json", "{\"stats\": {}}");
	program_file("text.json", "not JSON");
	program_file("list.json", "[1, 2]");
	program_file("other.json", "{\"stats\": [1]}");
	p = program_run(
		"cd %s && mkdir wrong long half ok && echo 'MISMATCH x' >half/report.txt && echo hello >wrong/report.txt && echo "
		"'MISMATCH x' >ok/report.txt && (echo "
		"'MISMATCH x'; "
		"head -c 1100000 /dev/zero | tr '\\0' x) >long/report.txt && head -c 100000 /dev/zero | tr '\\0' '[' >deep.json",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
		p = program_run("cd %s && %s", program_tmp(), commands[i]);
		cr_expect_eq(p.status, 2, "%s", commands[i]);
		cr_expect(!strncmp(p.err, "locus", 5) && strchr(p.err, '\n') == p.err + strlen(p.err) - 1, "%s: %s", commands[i],
			  p.err);
		program_free(&p);
	}
	p = program_run("cd %s && ls -d report no 2>/dev/null; true", program_tmp());
	cr_expect_str_eq(p.out, "", "nothing is made for what is refused");
	program_free(&p);
}

/* Of a sweep: a run for each result that is kept, in the plan's order, called by what differs. */
Test(report, of_a_sweep_has_its_runs_by_their_axes)
{
	static const char *const labels[] = {"syrk 32", "syrk 64", "atax 32", "atax 64"};
	struct program p;
	json_t *page, *runs;
	char *html, *text;

	program_file("plan.yaml", "name: s\ncommon: {size: test, max-insts: 2K, machine: gtx480, report-data: true}\n"
				  "axes:\n  workload: [syrk, atax]\n  l1.mshr_entries: [32, 64]\n");
	p = program_run("cd %s && locus sweep plan.yaml >/dev/null && locus sweep report plan.yaml", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "sweep-s/report/index.html\n");
	program_free(&p);
	p = program_run("cat %s/sweep-s/report/index.html", program_tmp());
	html = p.out;
	text = data_of(html);
	page = json_loads(text, 0, NULL);
	runs = json_object_get(page, "runs");
	cr_assert_eq(json_array_size(runs), 4);
	for (size_t i = 0; i < 4; i++) {
		json_t *run = json_array_get(runs, i);

		cr_expect_str_eq(json_string_value(json_object_get(run, "label")), labels[i]);
		cr_expect(json_object_get(run, "profile"), "what the page draws beyond the metrics");
	}
	json_decref(page);
	free(text);
	program_free(&p);
}

Test(report, of_a_sweep_says_what_it_leaves_out)
{
	struct program p;

	program_file("plan.yaml", "name: s\naxes:\n  workload: [syrk]\n  seed: 1..70\n");
	p = program_run("cd %s && locus sweep report plan.yaml", program_tmp());
	cr_expect(program_is_clean_error(&p), "%s", p.err);
	cr_expect(strstr(p.err, "no run has a result"), "%s", p.err);
	program_free(&p);
	program_file("many.yaml",
		     "name: m\ncommon: {workload: vectoradd, size: test, max-insts: 100}\naxes:\n  pipe.depth: 1..66\n");
	p = program_run("cd %s && locus sweep many.yaml >/dev/null && locus sweep report many.yaml -o page.html", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.err, "locus: the page has the first 64 runs; 2 of the plan are left out\n");
	program_free(&p);
}

/* 352: `locus list metrics` names every row that runs write, those of SMs, schedulers and arrays, by their pattern. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

enum { MAX_PATTERNS = 1024 };

struct patterns {
	regex_t regex[MAX_PATTERNS];
	unsigned n;
};

/* Parts of a name in capitals stand for anything: N for a number, NAME for a name that may have points. */
static void add(struct patterns *p, const char *before, const char *name)
{
	char text[512] = "^", whole[256], *save = NULL;

	snprintf(whole, sizeof whole, "%s%s", before, name);
	for (char *part = strtok_r(whole, ".", &save); part; part = strtok_r(NULL, ".", &save)) {
		const char *any = !strcmp(part, "NAME") ? ".+" : strspn(part, "ABNSX") == strlen(part) ? "[^.]+" : part;

		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[1] ? "\\." : "", any);
	}
	snprintf(text + strlen(text), sizeof text - strlen(text), "$");
	cr_assert_lt(p->n, MAX_PATTERNS);
	cr_assert_eq(regcomp(&p->regex[p->n++], text, REG_EXTENDED | REG_NOSUB), 0, "%s", text);
}

static void read_list(struct patterns *p)
{
	struct program list = program_run("locus list metrics");
	char *save = NULL;

	cr_assert_eq(list.status, 0);
	for (char *line = strtok_r(list.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char name[128];

		if (line[0] != ' ' || sscanf(line, "%127s", name) != 1)
			continue;
		add(p, "", name);
		if (strstr(line, " each "))
			add(p, "sm.N.", name);
		if (strstr(line, " array "))
			add(p, "buffer.NAME.", name);
	}
	cr_assert_gt(p->n, 200);
	program_free(&list);
}

static bool is_listed(const struct patterns *p, const char *name)
{
	for (unsigned i = 0; i < p->n; i++)
		if (regexec(&p->regex[i], name, 0, NULL, 0) == 0)
			return true;
	return false;
}

Test(metrics, of_any_run_are_listed)
{
	static const char *const runs[] = {
		"run atax --size test --working-set",
		"run bfs --size test --machine mcm4 --set l1.monitor=true --l1-index pric --l1-pin buffers:edge --locality-classes",
		"run nw --size test --machine exascale25",
		"run atax --size test --machine ndp4 --plan coda",
		"run atax --size test --machine ndp4 --on cpu",
		"run matmul --size test --machine titanv --plan paver-rb",
		"run histo --size test --machine mcm4 --plan ldesc-cache,l2=bypass+ldesc-pref",
		"mix atax bfs --size test --machine mcm4",
	};
	static struct patterns p;

	read_list(&p);
	cr_assert_not(is_listed(&p, "l1.hit"));
	for (unsigned i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct program r =
			program_run("locus %s --json %s/r.json >/dev/null && cat %s/r.json", runs[i], program_tmp(), program_tmp());
		json_t *all = json_loads(r.out, 0, NULL), *value;
		const char *key;

		cr_assert_not_null(all, "%s: %s", runs[i], r.err);
		cr_expect_gt(json_object_size(json_object_get(all, "stats")), 50, "%s", runs[i]);
		json_object_foreach(json_object_get(all, "stats"), key, value)
			cr_expect(is_listed(&p, key), "%s: %s", runs[i], key);
		json_decref(all);
		program_free(&r);
	}
	for (unsigned i = 0; i < p.n; i++)
		regfree(&p.regex[i]);
}

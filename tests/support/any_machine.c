#include "hw/twins/pin_replacement.h"
#include "support/any_machine.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/made_up.h"

enum { LEAST_MACHINES = 8 };

void any_machine_each(any_machine_fn *check)
{
	DIR *d = opendir("csim/machines");
	const struct dirent *entry;
	unsigned n = 0;

	cr_assert(d);
	while ((entry = readdir(d))) {
		char name[64];
		size_t length = strlen(entry->d_name);

		if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml"))
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(length - 5), entry->d_name);
		check(name, n++);
	}
	closedir(d);
	cr_assert_geq(n, LEAST_MACHINES);
}

struct machine any_machine_with(const char *name, const char *const *set)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	for (; set && *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

bool any_machine_goes_by_lines(const char *name)
{
	struct machine m = any_machine_with(name, NULL);

	return machine_cache_sectors(&m.l1.c) == 1 && m.l1.allocate == L1_ALLOCATE_ON_MISS;
}

bool any_machine_can_pin(const char *name)
{
	return any_machine_with(name, NULL).l1.c.assoc <= PIN_REPLACEMENT_MAX_WAYS;
}

struct trace *any_machine_program(uint64_t seed, uint32_t length)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, length);
	made_up_narrow(&p, 34); /* four stacks of 4 GiB */
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

void any_machine_run(const struct gpu_config *c, struct gpu_result *r, const char *name)
{
	struct err e = {""};

	cr_assert_eq(gpu_run(c, r, &e), 0, "%s: %s", name, e.text);
	if (r->audit.failed)
		audit_print(&r->audit, stderr);
	cr_assert_eq(r->audit.failed, 0, "%s", name);
}

char *any_machine_metrics(const struct gpu_config *c, const char *name)
{
	struct gpu_result r;
	json_t *json;
	char *text;

	any_machine_run(c, &r, name);
	json = stats_json(&r.stats);
	text = json_dumps(json, JSON_INDENT(1));
	json_decref(json);
	gpu_result_free(&r);
	return text;
}

static void expect_same(const struct gpu_config *c, const char *text, const char *name, const char *how)
{
	char *other = any_machine_metrics(c, name);

	cr_assert_str_eq(text, other, "%s, %s", name, how);
	free(other);
}

char *any_machine_expect_order_free(const struct gpu_config *c, const char *name)
{
	struct gpu_config reverse = *c, busy = *c;
	char *text = any_machine_metrics(c, name);

	reverse.reverse = true;
	busy.no_skip = true;
	expect_same(&reverse, text, name, "in reverse");
	expect_same(&busy, text, name, "without skipping");
	return text;
}

void any_machine_expect_same_in_shares(const struct gpu_config *c, const char *metrics, const char *name)
{
	struct gpu_config shares = *c, threads = *c;

	shares.reverse = true;
	shares.shares = 5;
	threads.threads = 2;
	threads.always_threads = true;
	expect_same(&shares, metrics, name, "in shares, in reverse");
	expect_same(&threads, metrics, name, "by two threads");
}

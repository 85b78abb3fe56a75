/* 328: each machine of csim/machines runs made-up programs: every invariant holds, and stepping the components in
 * reverse, or every block in every cycle, gives the same bytes. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "support/made_up.h"

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 40);
	made_up_narrow(&p, 34); /* four stacks of 4 GiB */
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

static char *run(const struct gpu_config *c, const char *name)
{
	struct gpu_result r;
	struct err e = {""};
	json_t *json;
	char *text;

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%s: %s", name, e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0, "%s", name);
	json = stats_json(&r.stats);
	text = json_dumps(json, JSON_INDENT(1));
	json_decref(json);
	gpu_result_free(&r);
	return text;
}

/* Every policy that caches and SMs can have, with periods that end within the run. */
static void use_policies(struct machine *m)
{
	static const char *const keys[] = {"throttle.policy=swt", "throttle.warps=2",	   "l1.bypass.policy=streaming",
					   "l1.bypass.rate=10",	  "l1.bypass.period=200",  "l2.bypass.policy=streaming",
					   "l2.bypass.rate=30",	  "l2.bypass.period=500",  "l1.prefetch.policy=next-line",
					   "l1.prefetch.mshrs=4", "l1.pin.policy=buffers", "l1.pin.hard=A",
					   "l1.pin.soft=B",	  "l1.pin.timer=300"};
	struct err e = {""};

	for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
		cr_assert_eq(machine_set(m, keys[i], &e), 0, "%s", e.text);
}

static void check(const char *name, uint64_t seed, bool policies)
{
	struct machine m;
	struct err e = {""};
	struct trace *t = program(seed);

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	if (policies)
		use_policies(&m);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);

	struct gpu_config c = {.machine = &m, .trace = t}, reverse = c, busy = c;
	char *text = run(&c, name), *other;

	reverse.reverse = true;
	busy.no_skip = true;
	if (policies)
		cr_assert(strstr(text, "l1.bypass.loads") && !strstr(text, "\"l1.bypass.loads\": 0,"), "%s: %s", name, text);
	other = run(&reverse, name);
	cr_assert_str_eq(text, other, "%s, in reverse", name);
	free(other);
	other = run(&busy, name);
	cr_assert_str_eq(text, other, "%s, without skipping", name);
	free(other);
	free(text);
	trace_close(t);
}

Test(every_machine, runs_programs_in_any_order_of_stepping)
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
		for (uint64_t seed = 1; seed <= 2; seed++)
			check(name, seed, false);
		check(name, 3, true);
		n++;
	}
	closedir(d);
	cr_assert_geq(n, 8);
}

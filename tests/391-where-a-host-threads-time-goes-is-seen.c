/* 391: what is being stepped is told to one who looks (memsys/stepped.h): the parts of a machine, each by its name, and
 * nothing of the run changes. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cli/bench_parts.h"
#include "support/any_machine.h"

static bool is_part(const char *name)
{
	static const char *const parts[] = {"sm", "dispatch", "DRAM", "L2", "network", "loop"};

	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(name, parts[i]))
			return true;
	return false;
}

Test(stepped, shares_of_a_runs_time_are_those_of_its_parts)
{
	struct machine m = any_machine_with("gtx480", NULL);
	struct trace *t = any_machine_program(21, 60);
	struct bench_parts p = {0};
	struct err e = {""};
	double sum = 0;
	bool sms = false;

	cr_assert_eq(bench_parts_measure(&m, t, &p, &e), 0, "%s", e.text);
	cr_assert_leq(p.n, BENCH_PARTS_MAX);
	for (unsigned i = 0; i < p.n; i++) {
		cr_assert(is_part(p.part[i].name), "%s", p.part[i].name);
		sms |= !strcmp(p.part[i].name, "sm");
		sum += p.part[i].share;
	}
	cr_assert(sms);
	cr_assert_lt(fabs(sum - 1), 1e-9);
	trace_close(t);
}

Test(stepped, one_who_looks_changes_nothing)
{
	struct machine m = any_machine_with("gtx480", NULL);
	stepped_name now = NULL;
	struct gpu_config c = {.machine = &m, .trace = any_machine_program(22, 30), .threads = 1};
	struct gpu_result alone, seen;

	any_machine_run(&c, &alone, "alone");
	c.stepped = &now;
	any_machine_run(&c, &seen, "seen");
	cr_assert_null(now, "nothing is being stepped any more");
	cr_assert_eq(alone.stats.n, seen.stats.n);
	for (unsigned i = 0; i < alone.stats.n; i++)
		cr_assert_eq(alone.stats.row[i].count, seen.stats.row[i].count, "%s", alone.stats.row[i].name);
	gpu_result_free(&alone);
	gpu_result_free(&seen);
	trace_close(c.trace);
}

/* 966: locus run --at CYCLE --try KEY=VALUE: the run is as without tries; a try from cycle 0 on is, to the byte, the
 * run with that --set; each has files of its own; the table compares them; what cannot be tried is refused. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/program.h"

#define RUN "locus run vectoradd --size test --set sm.count=4 --threads 2 "

static struct program run(const char *options, const char *json)
{
	struct program p = program_run(RUN "%s --json %s", options, program_path(json));

	cr_assert_eq(p.status, 0, "%s", p.err);
	return p;
}

static void make(const char *options, const char *json)
{
	struct program p = run(options, json);

	program_free(&p);
}

/* Of a result, without what it says of itself as a try. */
static char *result_without_try(const char *json)
{
	json_t *o = json_load_file(program_path(json), 0, NULL);
	char *text;

	cr_assert(o, "%s", json);
	json_object_del(o, "try");
	text = json_dumps(o, JSON_SORT_KEYS);
	json_decref(o);
	return text;
}

static void expect_same(const char *one, const char *other)
{
	char *x = result_without_try(one), *y = result_without_try(other);

	cr_expect_str_eq(x, y, "%s and %s differ", one, other);
	free(x);
	free(y);
}

Test(tries, from_the_begin_on_are_the_runs_with_those_settings)
{
	make("--interval 500", "alone.json");
	make("--interval 500 --set l1.latency=90", "slow.json");
	make("--interval 500 --set dram.cl=40 --set throttle.policy=swt --set throttle.warps=1", "held.json");
	make("--interval 500 --at 0 --try l1.latency=90 --try dram.cl=40,throttle.policy=swt,throttle.warps=1", "run.json");
	expect_same("run.json", "alone.json");
	expect_same("run.try1.json", "slow.json");
	expect_same("run.try2.json", "held.json");
}

static json_t *load(const char *json)
{
	json_t *o = json_load_file(program_path(json), 0, NULL);

	cr_assert(o, "%s", json);
	return o;
}

Test(tries, have_files_of_their_own_and_a_column_each)
{
	char options[1200];
	struct program p;
	json_t *o, *t;

	snprintf(options, sizeof options,
		 "--interval 500 --interval-csv %s --at 700 --try latency.int=8,13,4,5,145,l1.latency=60 "
		 "--try dram.cl=40",
		 program_path("v.csv"));
	p = run(options, "a.b.json");
	cr_expect(strstr(p.out, "tries from cycle 700 on\n"), "%s", p.out);
	cr_expect(strstr(p.out, "  try 1  latency.int=8,13,4,5,145,l1.latency=60  in "), "%s", p.out);
	cr_expect(strstr(p.out, "/a.b.try2.json\n"), "%s", p.out);
	cr_expect(strstr(p.out, "speed-up"), "%s", p.out);
	cr_expect_null(strstr(strstr(p.out, "vectoradd") + 1, "vectoradd 4"), "tries print nothing of their own: %s", p.out);
	o = load("a.b.try1.json");
	t = json_object_get(o, "try");
	cr_expect_eq(json_integer_value(json_object_get(t, "at")), 700);
	cr_expect_str_eq(json_string_value(json_object_get(t, "set")), "latency.int=8,13,4,5,145,l1.latency=60");
	cr_expect_eq(json_integer_value(json_object_get(json_object_get(o, "machine"), "l1.latency")), 60);
	json_decref(o);
	cr_expect_eq(access(program_path("v.csv"), R_OK) | access(program_path("v.try1.csv"), R_OK) |
			     access(program_path("v.try2.csv"), R_OK),
		     0);
	program_free(&p);
}

Test(tries, without_a_file_are_compared_all_the_same)
{
	struct program p = program_run(RUN "--at 700 --try l1.latency=90");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "try 1  l1.latency=90\n"), "%s", p.out);
	cr_expect(strstr(p.out, "speed-up"), "%s", p.out);
	program_free(&p);
}

Test(tries, that_change_nothing_differ_in_nothing)
{
	struct program p = program_run(RUN "--at 700 --try dram.sched=frfcfs");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "no figure differs\n"), "%s", p.out);
	program_free(&p);
}

static void expect_refusal(const char *options, const char *text)
{
	struct program p = program_run(RUN "%s", options);

	cr_expect_eq(p.status, 2, "%s", options);
	cr_expect(strstr(p.err, text), "%s: %s", options, p.err);
	program_free(&p);
}

Test(tries, that_cannot_be_are_refused)
{
	expect_refusal("--at 5 --try l1.assoc=8", "--try l1.assoc=8: l1.assoc cannot change while a machine runs");
	expect_refusal("--at 5 --try l1.latency=0", "--try l1.latency=0: l1.latency");
	expect_refusal("--at 5 --try throttle.policy=ccws",
		       "--try throttle.policy=ccws: throttle.policy: while a machine runs it can change");
	expect_refusal("--at 5", "--at: needs --try");
	expect_refusal("--try l1.latency=5", "--try: needs --at CYCLE");
	expect_refusal("--at 5 --try l1.latency=5 --on cpu", "--try: needs a single run");
	expect_refusal("--at 999999999 --try l1.latency=5", "--at 999999999: the run ended before, after ");
}

/* 447: CCWS, PCAL and MRPB, each and all at once: programs' results are right and every invariant holds; stepping in
 * reverse, or in every cycle, gives the same bytes. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "support/made_up.h"
#include "support/program.h"

enum { MAX_KEYS = 8 };

static const char *const machines[][MAX_KEYS] = {
	{"throttle.policy=ccws", "throttle.k=1000", "l1.bytes=2K"},
	{"throttle.policy=ccws", "throttle.k=1000", "l1.bytes=2K", "l1.front.policy=mrpb", "l1.front.depth=1"},
	{"throttle.policy=pcal", "throttle.tokens=1"},
	{"throttle.policy=pcal", "throttle.tokens=1", "throttle.warps=2", "l1.front.policy=mrpb"},
	{"l1.front.policy=mrpb", "l1.front.bypass=false", "l1.prefetch.policy=next-line"},
	{"l1.front.policy=mrpb", "l1.front.depth=2", "l1.bypass.policy=streaming", "l1.bypass.rate=10", "l1.bypass.period=200",
	 "l1.replacement=pin", "l1.pin.hard=A"},
};

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 60);
	made_up_narrow(&p, 14); /* so few lines that loads meet again what they lost */
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

static char *run(const struct gpu_config *c, unsigned machine)
{
	struct gpu_result r;
	struct err e = {""};
	json_t *json;
	char *text;

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%u: %s", machine, e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0, "%u", machine);
	json = stats_json(&r.stats);
	text = json_dumps(json, JSON_INDENT(1));
	json_decref(json);
	gpu_result_free(&r);
	return text;
}

static bool counts(const char *text, const char *metric)
{
	const char *at = strstr(text, metric);

	return at && strtod(at + strlen(metric), NULL) > 0;
}

/* Each mechanism that the machine has does something. */
static bool is_at_work(const struct machine *m, const char *text)
{
	if (m->throttle.policy == THROTTLE_CCWS && !(counts(text, "\"ccws.lost\": ") && counts(text, "\"ccws.limited\": ")))
		return false;
	if (m->throttle.policy == THROTTLE_PCAL && !counts(text, "\"l1.bypass.loads\": "))
		return false;
	return !m->l1.front.policy || counts(text, "\"mrpb.reordered\": ");
}

/* Whether the machine's mechanisms were at work. */
static bool check(unsigned i, uint64_t seed)
{
	bool at_work;
	struct trace *t = program(seed);
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	for (unsigned k = 0; k < MAX_KEYS && machines[i][k]; k++)
		cr_assert_eq(machine_set(&m, machines[i][k], &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);

	struct gpu_config c = {.machine = &m, .trace = t}, reverse = c, busy = c, cut = c;
	char *text = run(&c, i), *other;

	at_work = is_at_work(&m, text);
	reverse.reverse = true;
	other = run(&reverse, i);
	cr_assert_str_eq(text, other, "%u, in reverse", i);
	free(other);
	busy.no_skip = true;
	other = run(&busy, i);
	cr_assert_str_eq(text, other, "%u, without skipping", i);
	free(other);
	for (cut.max_cycles = 50; cut.max_cycles < 3000; cut.max_cycles *= 3)
		free(run(&cut, i)); /* the invariants that hold at any moment */
	free(text);
	trace_close(t);
	return at_work;
}

Test(comparators, keep_the_invariants_in_any_order_of_stepping)
{
	for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		bool at_work = false;

		for (uint64_t seed = 1; seed <= 4; seed++)
			at_work = check(i, seed) || at_work;
		cr_assert(at_work, "%u", i);
	}
}

/* Divergent loads, barriers with shared memory, atomics. */
Test(comparators, change_no_result)
{
	static const char *const workloads[] = {"bfs", "pathfinder", "histo"};
	static const char *const options[] = {"--throttle ccws:k=64", "--throttle pcal:1", "--l1-front mrpb",
					      "--throttle ccws --l1-front mrpb:4"};

	for (unsigned w = 0; w < 3; w++)
		for (unsigned i = 0; i < 4; i++) {
			struct program p = program_run("locus run %s --size test %s", workloads[w], options[i]);

			cr_assert_eq(p.status, 0, "%s %s: %s%s", workloads[w], options[i], p.out, p.err);
			cr_assert(strstr(p.out, "right"), "%s %s", workloads[w], options[i]);
			program_free(&p);
		}
}

Test(comparators, are_refused_where_they_cannot_be)
{
	static const char *const bad[][2] = {
		{"--throttle ccws:victims=12", "throttle.ways: 8 do not divide throttle.victims (12)\n"},
		{"--throttle pcal", "locus: --throttle: pcal needs a number of warps or of CTAs: swt:N, cta:N, pcal:N\n"},
		{"--l1-front mrpb:0", "locus: --l1-front: l1.front.depth: 0 is not in 1..1024\n"},
		{"--l1-front fifo", "locus: --l1-front: l1.front.policy: \"fifo\" is not one of none | mrpb\n"},
		{"--l1-front mrpb --machine ndp4 --set vm.enabled=true",
		 "l1.front.policy: mrpb keeps physical addresses: not with vm.enabled\n"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus run vectoradd --size test %s", bad[i][0]);

		cr_assert_eq(p.status, 2, "%s", bad[i][0]);
		cr_assert(strstr(p.err, bad[i][1]), "%s: %s", bad[i][0], p.err);
		cr_assert_eq(strchr(p.err, '\n'), p.err + strlen(p.err) - 1, "one line: %s", p.err);
		program_free(&p);
	}
}

/* Found by soak-model, seed 145: loads that MRPB sends past full sets are no bypasses of the Locality Descriptor's. */
Test(comparators, mrpb_goes_with_descriptors_that_say_what_is_cached)
{
	struct program p = program_run("locus run syrk --size test --set l1.bytes=1K --set l1.assoc=1 --l1-front mrpb:depth=4 "
				       "--plan ldesc,source=profile");

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

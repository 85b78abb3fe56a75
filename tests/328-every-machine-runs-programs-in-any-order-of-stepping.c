/* 328: each machine of csim/machines runs made-up programs: every invariant holds, and stepping the components in
 * reverse, every block in every cycle, or the machine in shares by one thread or two, gives the same bytes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/any_machine.h"

/* Every policy that caches and SMs can have, with periods that end within the run. */
#define OF_ANY_L1                                                                                                                  \
	"throttle.policy=swt", "throttle.warps=2", "l2.bypass.policy=streaming", "l2.bypass.rate=30", "l2.bypass.period=500"
#define POLICIES                                                                                                                   \
	OF_ANY_L1, "l1.bypass.policy=streaming", "l1.bypass.rate=10", "l1.bypass.period=200", "l1.prefetch.policy=next-line",      \
		"l1.prefetch.mshrs=4"
static const char *const policies_of_any_l1[] = {OF_ANY_L1, NULL};
static const char *const policies[] = {POLICIES, "l1.replacement=pin", "l1.pin.hard=A", "l1.pin.soft=B", "l1.pin.timer=300", NULL};
static const char *const policies_without_pins[] = {POLICIES, NULL};

static char *run(const char *name, uint64_t seed, const char *const *set)
{
	struct machine m = any_machine_with(name, set);
	struct trace *t = any_machine_program(seed, 40);
	struct gpu_config c = {.machine = &m, .trace = t};
	char *text = any_machine_expect_order_free(&c, name);

	if (set) /* once, with all that is switched on: threads that share a core are slow */
		any_machine_expect_same_in_shares(&c, text, name);
	trace_close(t);
	return text;
}

/* The metric is there, and not 0. */
static void expect(const char *name, const char *text, const char *metric)
{
	char zero[64];

	snprintf(zero, sizeof zero, "\"%s\": 0,", metric);
	cr_assert(strstr(text, metric) && !strstr(text, zero), "%s: %s", name, text);
}

static void check(const char *name, unsigned number)
{
	bool lines = any_machine_goes_by_lines(name);
	char *text;

	(void)number;
	for (uint64_t seed = 1; seed <= 2; seed++)
		free(run(name, seed, NULL));
	text = run(name, 3, !lines ? policies_of_any_l1 : any_machine_can_pin(name) ? policies : policies_without_pins);
	expect(name, text, lines ? "l1.bypass.loads" : "l2.bypass.reads");
	free(text);
}

Test(every_machine, runs_programs_in_any_order_of_stepping)
{
	any_machine_each(check);
}

/* 328: each machine of csim/machines runs made-up programs: every invariant holds, and stepping the components in
 * reverse, or every block in every cycle, gives the same bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/any_machine.h"

/* Every policy that caches and SMs can have, with periods that end within the run. */
#define POLICIES                                                                                                                   \
	"throttle.policy=swt", "throttle.warps=2", "l1.bypass.policy=streaming", "l1.bypass.rate=10", "l1.bypass.period=200",      \
		"l2.bypass.policy=streaming", "l2.bypass.rate=30", "l2.bypass.period=500", "l1.prefetch.policy=next-line",         \
		"l1.prefetch.mshrs=4"
static const char *const policies[] = {POLICIES,	"l1.pin.policy=buffers", "l1.pin.hard=A",
				       "l1.pin.soft=B", "l1.pin.timer=300",	 NULL};
static const char *const policies_without_pins[] = {POLICIES, NULL};

static char *run(const char *name, uint64_t seed, const char *const *set)
{
	struct machine m = any_machine_with(name, set);
	struct trace *t = any_machine_program(seed, 40);
	char *text = any_machine_expect_order_free(&(struct gpu_config){.machine = &m, .trace = t}, name);

	trace_close(t);
	return text;
}

static void check(const char *name, unsigned number)
{
	char *text;

	(void)number;
	for (uint64_t seed = 1; seed <= 2; seed++)
		free(run(name, seed, NULL));
	text = run(name, 3, any_machine_can_pin(name) ? policies : policies_without_pins);
	cr_assert(strstr(text, "l1.bypass.loads") && !strstr(text, "\"l1.bypass.loads\": 0,"), "%s: %s", name, text);
	free(text);
}

Test(every_machine, runs_programs_in_any_order_of_stepping)
{
	any_machine_each(check);
}

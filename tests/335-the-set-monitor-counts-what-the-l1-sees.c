/* 335: the set monitor at the L1: its counts are those of a list of last tags, and of a chase whose conflicts are known
 * beforehand.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "cache/monitor.h"
#include "support/program.h"
#include "support/random.h"

enum { SETS = 32 };

Test(set_monitor, counts_equal_a_list_of_last_tags_with_gaps_between_the_lookups)
{
	struct arena a = {0};
	struct hw_binder golden = hw_golden_binder(&a);
	struct machine machine;
	struct monitor m = {0};
	struct err e = {""};
	uint64_t last[SETS], cycle = 0, rng = 7;
	uint32_t want[SETS] = {0};

	memset(last, 0xff, sizeof last);
	cr_assert_eq(machine_load(&machine, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(monitor_init(&m, &machine, "sm0.l1", &golden, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 20000; i++) {
		uint32_t set = (uint32_t)random_u64(&rng) % SETS;
		uint64_t tag = random_u64(&rng) % 3;

		cycle += 1 + (random_u64(&rng) % 4 ? 0 : random_u64(&rng) % 100);
		monitor_lookup(&m, cycle, set, tag);
		want[set] += last[set] != UINT64_MAX && last[set] != tag;
		last[set] = tag;
	}
	monitor_read(&m, cycle + 1);
	for (unsigned s = 0; s < SETS; s++)
		cr_assert_eq(m.conflicts[s], want[s], "set %u", s);
	arena_free(&a);
}

static json_int_t metric(const char *options, const char *name)
{
	struct program p = program_run("locus run chase --set l1.monitor=true --json %s/m.json %s >/dev/null && cat %s/m.json",
				       program_tmp(), options, program_tmp());
	json_t *o = json_loads(p.out, 0, NULL), *v = json_object_get(json_object_get(o, "stats"), name);
	json_int_t n = json_is_integer(v) ? json_integer_value(v) : -1;

	cr_assert_eq(p.status, 0, "%s", p.err);
	json_decref(o);
	program_free(&p);
	return n;
}

/* 4 KB apart, 64 lines: all in set 0 of the linear index, each lookup with another tag than the one before; more steps
 * differ by as many conflicts. Below the set count apart, each line has a set of its own: no conflict, ever. */
Test(set_monitor, a_chase_down_a_column_conflicts_in_every_step_and_along_a_row_in_none)
{
	json_int_t few = metric("--arg stride=4K --arg footprint=256K --arg steps=1K", "l1.index_conflicts");
	json_int_t many = metric("--arg stride=4K --arg footprint=256K --arg steps=3K", "l1.index_conflicts");

	cr_assert_eq(many - few, 2048, "%lld more", (long long)(many - few));
	cr_assert_eq(metric("--arg stride=4K --arg footprint=256K --arg steps=3K", "sm.0.l1.set.0.index_conflicts") -
			     metric("--arg stride=4K --arg footprint=256K --arg steps=1K", "sm.0.l1.set.0.index_conflicts"),
		     2048);
	few = metric("--arg stride=128 --arg footprint=2K --arg steps=1K", "l1.index_conflicts");
	many = metric("--arg stride=128 --arg footprint=2K --arg steps=3K", "l1.index_conflicts");
	cr_assert_eq(many, few);
}

Test(set_monitor, a_cache_that_the_block_cannot_watch_is_refused)
{
	struct program p = program_run("locus run chase --size test --set l1.monitor=true --set l1.assoc=128");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "l1.monitor"), "%s", p.err);
	program_free(&p);
}

/* 395: a program whose warps wait for one another (struct trace_sync): on every machine it ends, issues as many
 * instructions of its own, and gives the same metrics in whatever order its parts are stepped, by threads, and from a
 * checkpoint that was taken while warps wait. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/panic.h"
#include "base/region.h"
#include "run/checkpoint.h"
#include "run/pipelines.h"
#include "run/request_paths.h"
#include "support/any_machine.h"
#include "support/program.h"
#include "support/waits_rig.h"

static void check(const char *name, const char *const *set)
{
	struct machine m = any_machine_with(name, set);
	struct trace *t = waits_rig_program();
	struct gpu_config c = {.machine = &m, .trace = t};
	char *metrics = any_machine_expect_order_free(&c, name);

	cr_expect_eq(waits_rig_metric(metrics, "warp_insts"), (double)trace_launch(t, 0)->warp_insts, "%s", name);
	cr_expect_gt(waits_rig_metric(metrics, "wait.insts"), 0, "%s", name);
	any_machine_expect_same_in_shares(&c, metrics, name);
	free(metrics);
	trace_close(t);
}

static void check_machine(const char *name, unsigned number)
{
	(void)number;
	check(name, NULL);
}

Test(waits, are_the_same_in_any_order_on_any_machine)
{
	any_machine_each(check_machine);
}

Test(waits, are_the_same_with_any_way_to_memory)
{
	static const char *const set[][8] = {
		{"l1.enabled=false"},
		{"l2.enabled=false"},
		{"sm.count=2", "sm.scheduler=lrr"},
		{"sm.scheduler=gty", "sm.schedulers=1"},
		{"l1.mshr_entries=2", "l1.mshr_merges=1", "l1.miss_queue=1", "net.in_queue=1", "net.out_queue=1"},
		{"clock.core=1000", "clock.net=700", "clock.l2=650", "clock.dram=1111"},
		{"vm.enabled=true", "vm.placement=first-touch", "vm.l1_tlb.latency=3", "vm.walk_cache=2", "vm.page=64K"},
		{"vm.enabled=true", "vm.tlb=false", "vm.fault_latency=30"},
		{"module.count=3", "dram.stacks=2,1,1", "l2.side=sm", "sm.count=6", "vm.enabled=true", "vm.placement=pages"},
		{"module.count=4", "sm.count=2", "dram.channels=2"},
		{"l1.front.policy=mrpb"},
		{"sm.lsu_queue=4"},
		{"throttle.policy=ccws"},
		{"l2.coalescer=8"},
		{"fetch.width=2"},
		{"operands.banks=16", "operands.sp=4", "operands.sfu=4", "operands.mem=4", "pipe.depth=8"},
	};

	for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
		check("gtx480", set[i]);
}

/* Whatever looks at the SMs as well. */
Test(waits, keep_the_invariants_of_profiles_paths_and_pipelines)
{
	static const char *const machines[] = {"gtx480", "qv100", "titanv-gs4", "gtx480-gs4"};

	for (unsigned i = 0; i < 4; i++) {
		struct machine m = any_machine_with(machines[i], NULL);
		struct trace *t = waits_rig_program();
		struct arena a = {0};
		struct gpu_profile profile;
		struct pipelines pipelines;
		struct request_paths paths;
		struct err e = {""};
		struct gpu_config c = {.machine = &m, .trace = t, .profile = &profile, .pipelines = &pipelines, .paths = &paths};
		char *plain = any_machine_metrics(&(struct gpu_config){.machine = &m, .trace = t}, machines[i]), *seen;

		gpu_profile_init(&profile, &a, t);
		cr_assert_eq(pipelines_init(&pipelines, &a, &m, "sm=0-1", &e), 0, "%s", e.text);
		cr_assert_eq(request_paths_init(&paths, &a, t, &m, "all", &e), 0, "%s", e.text);
		seen = any_machine_metrics(&c, machines[i]);
		cr_expect_str_eq(plain, seen, "%s", machines[i]);
		free(plain);
		free(seen);
		trace_close(t);
		arena_free(&a);
	}
}

/* ---- checkpoints ---- */

static const char *path(void)
{
	static char out[512];

	snprintf(out, sizeof out, "%s/checkpoint", program_tmp());
	return out;
}

static char *run_kept(const struct gpu_config *config, uint64_t every, bool resumes, const char *name)
{
	struct gpu_config c = *config;
	struct checkpoint_file from;
	struct region region;
	struct err e = {""};
	char *text;

	cr_assert_eq(region_open(&region, &e), 0, "%s", e.text);
	if (resumes)
		cr_assert_eq(checkpoint_open(&from, path(), &e), 0, "%s", e.text);

	struct gpu_checkpoints k = {.region = &region, .every = every, .path = path(), .from = resumes ? &from : NULL};

	c.checkpoints = &k;
	text = any_machine_metrics(&c, name);
	cr_assert_str_empty(k.skipped.text, "%s", name);
	gpu_checkpoints_free(&k);
	if (resumes)
		checkpoint_close(&from);
	region_close(&region);
	return text;
}

/* A sanitizer's heap is where pairs of small numbers seem to point to. */
Test(waits, go_on_from_a_checkpoint, .disabled = CHECK_COSTLY)
{
	static const char *const machines[] = {"gtx480", "qv100", "gtx480-gs4"};

	for (unsigned i = 0; i < 3; i++) {
		struct machine m = any_machine_with(machines[i], NULL);
		struct trace *t = waits_rig_program();
		struct gpu_config c = {.machine = &m, .trace = t}, cut = c;
		char *all = any_machine_metrics(&c, machines[i]);
		uint64_t begin = m.launch.latency + m.launch.cta_latency,
			 cycles = (uint64_t)waits_rig_metric(all, "cycles") - begin;

		for (unsigned k = 1; k < 5; k++) {
			uint64_t at = begin + cycles * k / 5;
			char *begun, *resumed;

			cut.max_cycles = at + 1;
			begun = run_kept(&cut, at, false, machines[i]);
			cr_assert(k < 2 || waits_rig_metric(begun, "wait.insts") > 0, "%s, %lu: nothing waits yet", machines[i],
				  at);
			resumed = run_kept(&c, 0, true, machines[i]);
			cr_expect_str_eq(resumed, all, "%s, resumed at %lu", machines[i], at);
			free(begun);
			free(resumed);
		}
		free(all);
		trace_close(t);
	}
}

/* 358: the machine gtx480-sim3 has the numbers of GPGPU-Sim 3.2.1 and its GTX480 configuration; what its keys
 * refuse. */
#include <criterion/criterion.h>

#include "machine/machine.h"

static struct machine load(const char *name)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	return m;
}

static bool resolve(struct machine *m)
{
	struct err e = {""};

	return machine_resolve(m, &e) == 0;
}

Test(sim3, has_the_numbers_of_the_simulators_configuration)
{
	struct machine m = load("gtx480-sim3"), paper = load("gtx480");

	cr_assert(resolve(&m) && resolve(&paper));
	cr_expect_eq(m.sm.lsu_queue, 4, "ID_OC_MEM, two collector units, OC_EX_MEM");
	cr_expect_eq(m.l1.latency, 1);
	cr_expect_eq(m.l1.miss_room, 2);
	cr_expect(m.l1.store_needs_line);
	cr_expect_eq(m.l2.c.mshr_merges, 4, "A:32:4,4");
	cr_expect_eq(m.l2.c.miss_queue, 4);
	cr_expect_eq(m.dram.queue, 16);
	cr_expect_eq(m.l2.port_bytes, 0, "a port of 32 bytes comes with 3.2.2");
	cr_expect_eq(paper.sm.lsu_queue, 0);
	cr_expect_eq(paper.l1.miss_room, 0);
	cr_expect_not(paper.l1.store_needs_line);
	cr_expect_eq(paper.l2.port_bytes, 0);
}

static void refused(const char *const *set, const char *why)
{
	struct machine m = load("gtx480");
	struct err e = {""};

	for (; *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_neq(machine_resolve(&m, &e), 0);
	cr_expect_str_eq(e.text, why);
}

Test(sim3, what_cannot_be_together_is_refused)
{
	const char *const room[] = {"l1.miss_queue=4", "l1.miss_room=5", NULL};
	const char *const vm[] = {"sm.lsu_queue=4", "vm.enabled=true", NULL};

	refused(room, "--set l1.miss_room: 5 packets; must be at most l1.miss_queue (4)");
	refused(vm, "--set sm.lsu_queue: with vm.enabled the load/store unit takes an instruction when it is free");
}

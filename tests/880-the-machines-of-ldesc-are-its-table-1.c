/* 880: gtx480-ldesc and mcm4 have every number of ldesc's Table 1, and what it leaves open is gtx480's. */
#include <criterion/criterion.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/schema.h"

static struct machine load(const char *name)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

/* Keys with the values of the table; bytes in bytes. */
static void has(const struct machine *m, const char *const (*known)[2], unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char text[SCHEMA_TEXT_MAX];

		cr_expect_str_eq(schema_text(m, schema_find(known[i][0]), text), known[i][1], "%s: %s", m->name, known[i][0]);
	}
}

static const char *const both[][2] = {
	{"clock.core", "1400"},	      {"sm.scheduler", "gto"}, {"sm.schedulers", "2"}, {"sm.registers", "32768"},
	{"sm.shared_bytes", "49152"}, {"l1.bytes", "32768"},   {"l1.assoc", "4"},      {"dram.sched", "frfcfs"},
	{"dram.banks", "16"},	      {"l2.assoc", "16"},
};

Test(machines_of_ldesc, have_what_its_table_prints)
{
	struct machine one = load("gtx480-ldesc"), numa = load("mcm4");

	has(&one, both, sizeof both / sizeof both[0]);
	has(&numa, both, sizeof both / sizeof both[0]);
	cr_expect_eq(one.sm.count, 15);
	cr_expect_eq(one.module.count, 1);
	cr_expect_eq(one.dram.channels, 6);
	cr_expect_eq(one.dram.channels * one.l2.slices * one.l2.c.bytes, 768 << 10);
	cr_expect_eq(numa.module.count, 4);
	cr_expect_eq(numa.sm.count, 64);
	cr_expect_eq(numa.dram.stacks * numa.dram.channels, 32);
	cr_expect_eq(numa.dram.stacks * numa.dram.channels * numa.l2.slices * numa.l2.c.bytes, 4 << 20);
	cr_expect_eq(2 * numa.link.mbps, 192000, "both directions of a link");
	cr_expect_float_eq(32 * (double)numa.dram.burst_bytes / numa.dram.burst * numa.clock.mhz[CLOCK_DRAM] / 1000, 768, 1e-9);
}

/* configs/GTX480/gpgpusim.config of GPGPU-Sim 3.2.2: gpgpu_n_sub_partition_per_mchannel 2; gpgpu_cache:dl2
 * 64:128:8,L:B:m:W,A:32:4,4:0,32, with the ways of the table; gpgpu_frfcfs_dram_sched_queue_size 16;
 * gpgpu_clock_domains 700:700:700:924, SMs, network and L2 alike. */
static const char *const simulator[][2] = {
	{"l2.slices", "2"},
	{"l2.bytes", "65536"},
	{"l2.line", "128"},
	{"l2.mshr_entries", "32"},
	{"l2.mshr_merges", "4"},
	{"l2.miss_queue", "4"},
	{"l2.write_allocate", "fetch-always"},
	{"dram.queue", "16"},
	{"clock.net", "1400"},
	{"clock.l2", "1400"},
};

Test(machines_of_ldesc, have_what_their_simulator_has)
{
	struct machine one = load("gtx480-ldesc"), numa = load("mcm4");

	has(&one, simulator, sizeof simulator / sizeof simulator[0]);
	has(&numa, simulator, sizeof simulator / sizeof simulator[0]);
	cr_expect_eq(one.clock.mhz[CLOCK_DRAM], 924);
}

/* All else, but the name, the L1's size and the polynomial that goes with its sets. */
Test(machines_of_ldesc, are_gtx480_where_the_table_is_silent)
{
	static const char *const differ[] = {"name",	      "clock.core",	   "clock.l2",	 "l1.bytes",
					     "l1.poly",	      "l2.slices",	   "l2.bytes",	 "l2.mshr_merges",
					     "l2.miss_queue", "l2.write_allocate", "dram.queue", "dram.write_high",
					     "dram.write_low"};
	struct machine one = load("gtx480-ldesc"), base = load("gtx480");
	unsigned n = 0;

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		char a[SCHEMA_TEXT_MAX], b[SCHEMA_TEXT_MAX];
		bool known = false;

		if (!strcmp(schema_text(&one, k, a), schema_text(&base, k, b)))
			continue;
		for (unsigned i = 0; i < sizeof differ / sizeof differ[0]; i++)
			known |= !strcmp(k->name, differ[i]);
		cr_expect(known, "%s: %s, gtx480 %s", k->name, a, b);
		n++;
	}
	cr_expect_eq(n, sizeof differ / sizeof differ[0]);
}

/* 102: machine files: the schema's keys are read from YAML, changed by --set, checked together, and refused with their
 * place. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/schema.h"
#include "support/program.h"

static struct machine gtx480(void)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	return m;
}

/* Loads `text` as a machine based on gtx480 and returns the error's text. */
static const char *refusal(const char *text, struct err *e)
{
	struct machine m;
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/m.yaml", program_tmp());
	f = fopen(path, "w");
	cr_assert(f);
	fprintf(f, "base: gtx480\n%s", text);
	fclose(f);
	e->text[0] = '\0';
	if (machine_load(&m, path, "csim/machines", e) == 0)
		machine_resolve(&m, e);
	return e->text;
}

Test(machine, gtx480_is_table_1_of_the_paper)
{
	struct machine m = gtx480();

	cr_assert_eq(machine_list_at(&m.sm.of_module, 0), 15);
	cr_assert_eq(m.sm.warps * 32, m.sm.threads, "48 warps are 1536 threads");
	cr_assert_eq(machine_cache_sets(&m.l1.c), 32, "16 KB, 4 ways, 128 B");
	cr_assert_eq(machine_cache_sets(&m.l2.c) * m.l2.c.assoc * m.l2.c.line * m.dram.channels, 768 * 1024, "L2 is 768 KB");
	/* 924 MHz x 2 (data a command clock: 64 bytes in 2 cycles) x 6 channels = 177.4 GB/s; the paper rounds up to
	 * 179.2 */
	cr_assert_eq(m.dram.burst_bytes / m.dram.burst * m.clock.mhz[CLOCK_DRAM] * m.dram.channels, 177408);
}

/* Every number that the project's list of machine facts gives for the GTX480: dwt-pric Table 1, the instruction
 * latencies, the GDDR5 timings in cycles of 924 MHz. Typed in from there. */
Test(machine, gtx480_has_every_number_of_the_list)
{
	static const struct {
		const char *key, *value;
	} list[] = {
		{"clock.core", "700"},
		{"clock.net", "1400"},
		{"clock.dram", "924"},
		{"sm.count", "15"},
		{"sm.warps", "48"},
		{"sm.schedulers", "2"},
		{"sm.scheduler", "gto"},
		{"l1.bytes", "16384"},
		{"l1.assoc", "4"},
		{"l1.line", "128"},
		{"l1.mshr_entries", "32"},
		{"l1.mshr_merges", "8"},
		{"l1.miss_queue", "8"},
		{"l1.index", "linear"},
		{"l1.poly", "37"},
		{"l2.bytes", "131072"},
		{"l2.assoc", "16"},
		{"l2.line", "128"},
		{"l2.mshr_entries", "32"},
		{"l2.slices", "1"},
		{"const.bytes", "8192"},
		{"const.line", "64"},
		{"const.assoc", "2"},
		{"net.flit_bytes", "32"},
		{"dram.channels", "6"},
		{"dram.sched", "frfcfs"},
		{"dram.queue", "64"},
		{"l1.latency", "35"},
		{"shared.latency", "26"},
		{"shared.banks", "32"},
		{"l2.latency", "120"},
		{"dram.latency", "100"},
		{"dram.interleave", "256"},
		{"dram.map", "BBBCCCCBCCSSSSSS"},
		{"dram.cl", "12"},
		{"dram.rp", "12"},
		{"dram.rc", "40"},
		{"dram.ras", "28"},
		{"dram.rcd", "12"},
		{"dram.rrd", "6"},
		{"dram.ccd", "2"},
		{"dram.ccdl", "3"},
		{"dram.wl", "4"},
		{"dram.cdlr", "5"},
		{"dram.wr", "12"},
		{"dram.rtp", "2"},
		{"dram.burst", "2"},
		{"dram.burst_bytes", "64"},
		{"dram.banks", "16"},
		{"dram.groups", "4"},
		{"dram.faw", "0"},
		{"dram.refi", "3604"},
		{"dram.rfc", "102"},
		{"dram.refresh", "true"},
		{"latency.int", "4,13,4,5,145"},
		{"latency.int_interval", "1,2,2,1,8"},
		{"latency.fp32", "4,13,4,5,39"},
		{"latency.fp32_interval", "1,2,1,1,4"},
		{"latency.fp64", "8,19,8,8,330"},
		{"latency.fp64_interval", "8,16,8,8,130"},
	};
	struct machine m = gtx480();

	for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
		char text[SCHEMA_TEXT_MAX];

		cr_assert_str_eq(schema_text(&m, schema_find(list[i].key), text), list[i].value, "%s", list[i].key);
	}
}

Test(machine, clock_periods_are_exact_integer_ratios)
{
	struct machine m = gtx480();
	struct err e = {""};

	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	cr_assert_eq(m.clock.ticks_per_us, 46200, "lcm(700, 1400, 700, 924)");
	cr_assert_eq(m.clock.period[CLOCK_CORE], 66);
	cr_assert_eq(m.clock.period[CLOCK_NET], 33);
	cr_assert_eq(m.clock.period[CLOCK_DRAM], 50);
}

Test(machine, set_changes_any_key_and_names_the_nearest_one)
{
	struct machine m = gtx480();
	struct err e = {""};

	cr_assert_eq(machine_set(&m, "l1.bytes=48K", &e), 0);
	cr_assert_eq(m.l1.c.bytes, 49152);
	cr_assert_eq(machine_set(&m, "latency.int=1,2,3,4,5", &e), 0);
	cr_assert_eq(m.op.int32.latency[4], 5);
	cr_assert_neq(machine_set(&m, "l1.asoc=8", &e), 0);
	cr_assert_str_eq(e.text, "--set l1.asoc=8: unknown key \"l1.asoc\" (did you mean \"l1.assoc\"?)");
	e.text[0] = '\0';
	cr_assert_neq(machine_set(&m, "sm.scheduler=gta", &e), 0);
	cr_assert_str_eq(e.text, "--set sm.scheduler: \"gta\" is not one of gto | lrr | gty (did you mean \"gto\"?)");
	e.text[0] = '\0';
	cr_assert_neq(machine_set(&m, "latency.int=1,2,3", &e), 0);
	cr_assert(strstr(e.text, "five numbers"));
}

#define LIST(links) "module: { count: 4 }\nlink: { topology: list, list: " links " }"

Test(machine, a_file_that_cannot_work_is_refused_with_location_key_and_reason)
{
	static const struct {
		const char *text, *place, *reason;
	} bad[] = {
		{"sm: { cout: 3 }", "m.yaml:2:7: ", "unknown key \"sm.cout\" (did you mean \"sm.count\"?)"},
		{"sm: { count: 0 }", "m.yaml:2:14: ", "sm.count: 0 is not in 1..256"},
		{"l1:", "m.yaml:2:1: ", "l1: must be a mapping of keys to values, such as enabled"},
		{"l1: 5", "m.yaml:2:1: ", "l1: must be a mapping of keys to values, such as enabled"},
		{"l1:\n  enabled: yes", "m.yaml:3:12: ", "l1.enabled: \"yes\" is neither true nor false"},
		{"l1: { bytes: 17K }", "m.yaml:2:14: l1.bytes: ", "power of two of sets"},
		{"l1: { index: pric, poly: 33 }", "", "l1.poly: "},
		{"l1: { index: pric, poly: 0 }", "", "l1.poly: "},
		{"l1: { index: pric, poly: 67 }", "", "l1.poly: "},
		{"sm: { subcores: 4 }", "m.yaml:2:17: ", "sm.subcores: 4 do not divide sm.schedulers (2)"},
		{"sm: { subcores: 2 }\npipe: { sp: 3 }",
		 "m.yaml:3:13: ", "pipe.sp: 3 are neither fewer than sm.subcores (2) nor a multiple of them"},
		{"operands: { banks: 8 }\npipe: { depth: 4, int: 2 }", "m.yaml:2:20: operands.banks: ", "operand collectors"},
		{"dram: { channels: 34 }", "m.yaml:2:19: ", "dram.channels: 34 is not 2^k times an odd number up to 15"},
		{"dram: { map: BBBBCCCCCCSSSSS }", "", "dram.map: "},
		{"dram: { map: BBBSSSSSSCCCCBCC }", "", "dram.map: "},
		{"l2: { bytes: 512M }\ndram: { channels: 96 }", "", "l2.bytes: 96 caches"},
		{"l2: { mshr_entries: 1024, mshr_merges: 1024 }\ndram: { channels: 96 }", "", "MiB of the simulator's memory"},
		{"const: { bytes: 256M, line: 32 }", "", "const.bytes"},
		{"l1: { bytes: 256M, assoc: 1 }", "", "MiB of the simulator's memory"},
		{"dram: { latency: 4096 }\nclock: { core: 1, l2: 10000 }", "", "dram.latency: pipes of 40960000 L2 cycles"},
		{"dram: { refi: 200 }", "", "dram.refi: 200 cycles"},
		{"dram: { map: BBBCCCCCCBSSSSSS }", "", "dram.map: "},
		{"clock: { core: 701, net: 1399, dram: 997 }", "", "clock.*: "},
		/* several modules */
		{"module: { count: 0 }", "m.yaml:2:18: ", "module.count: 0 is not in 1..64"},
		{"module: { count: 3 }", "m.yaml:", "dram.stacks: 3 stacks in 3 modules are not a power of two"},
		{"module: { count: 3 }\ndram:\n  stacks: [2, 1, 2]", "m.yaml:4:12: ", "dram.stacks: 5 stacks in 3 modules"},
		{"dram: { stacks: [1, x] }", "m.yaml:2:17: ", "dram.stacks: \"x\" is not a whole number"},
		{"sm: { count: [256, 0] }", "m.yaml:2:14: ", "sm.count: 0 is not in 1..256"},
		{"sm: { count: 200 }\nmodule: { count: 8 }", "m.yaml:2:14: ", "sm.count: 1600 SMs in 8 modules are more than 1024"},
		{"link: { gbps: 0 }", "m.yaml:2:15: ", "link.gbps: 0 is not in"},
		{"link: { gbps: 1.2345 }",
		 "m.yaml:2:15: ", "link.gbps: \"1.2345\" is not a decimal number with at most three places"},
		{"link: { gbps: 1. }", "m.yaml:2:15: ", "link.gbps: \"1.\" is not a decimal number"},
		{"link: { gbps: 100000.001 }", "m.yaml:2:15: ", "link.gbps: 100000.001 is not in 0.01..100000"},
		{"link: { gbps: 0.009 }", "m.yaml:2:15: ", "link.gbps: 0.009 is not in 0.01..100000"},
		{"link: { gbps: 16K }", "m.yaml:2:15: ", "link.gbps: \"16K\" is not a decimal number"},
		{"link: { latency: 0 }", "m.yaml:2:18: ", "link.latency: 0 is not in"},
		{"module: { count: 2 }\nlink: { gbps: 90000 }", "m.yaml:3:15: ", "link.gbps: module 0: its links need 2009 ports"},
		{"link: { topology: star }", "m.yaml:2:19: ", "\"star\" is not one of tree | ring | full | p2p | list"},
		{"link: { list: [0-1] }", "m.yaml:2:16: ", "link.list: is for link.topology list"},
		{LIST("[]"), "m.yaml:3:31: ", "link.list: must have 1 to"},
		{LIST("[0-1, 2-3]"), "m.yaml:3:32: ", "link.list: no path from module 2 to module 0"},
		{LIST("[0-1, 1-2, 3-cpu]"), "m.yaml:3:32: ", "link.list: no path from module 3 to module 0"},
		{LIST("[0-1, 1-2, 2-3, s1-s0]"), "m.yaml:3:32: ", "link.list: no path from switch s0 to module 0"},
		{LIST("[0-1, 1-2, 2-cpu, cpu-3]"), "m.yaml:3:32: ", "link.list: no path from module 3 to module 0"},
		{LIST("[0-1, 1-2, 2-4]"), "m.yaml:3:32: ", "link.list: no node \"4\": modules are 0..3"},
		{LIST("[0-1, 1-2, 2-2]"), "m.yaml:3:32: ", "link.list: module 2 is linked to itself"},
		{LIST("[0-1, 1-2, 2-3, 1-0]"), "m.yaml:3:32: ", "link.list: module 1 and module 0 are linked twice"},
		{LIST("[0-1, 1-2, 2-3:0]"), "m.yaml:3:32: ", "link.list: 2-3:0: the bandwidth is not in 0.01..100000 GB/s"},
		{LIST("[0-1, 1-2, 2-3:5:0]"), "m.yaml:3:32: ", "link.list: 2-3:5:0: a latency of 0 core cycles"},
		{LIST("[0-1, 1-2, 23]"), "m.yaml:3:32: ", "link.list: \"23\" is not of the form A-B"},
		{LIST("[0-1, 1-2, 2-3:x]"), "m.yaml:3:32: ", "link.list: \"2-3:x\" is not of the form A-B"},
		{LIST("[0-1, 1-2, 2-3], cpu: 3"), "m.yaml:3:53: ", "link.cpu: with link.topology list"},
		{"module: { count: 4 }\nmap: { fgp_lsb: 6 }", "m.yaml:3:17: ", "map.fgp_lsb: the stack's bits 6..7 overlap"},
		{"module: { count: 4 }\nmap: { fgp_lsb: 11 }", "m.yaml:3:17: ", "map.fgp_lsb: the stack's bits 11..12 overlap"},
		{"module: { count: 64 }\nl2: { line: 128 }", "m.yaml:", "vm.page: a page of 2^12 bytes cannot be spread over 64"},
		{"module: { count: 2 }\ndram: { stacks: [1, 0] }\nl2: { side: sm }",
		 "m.yaml:4:13: ", "l2.side: module 1 has no stack"},
		{"sm: [1, 2", "m.yaml:", ""},
		{"base: nothing", "", ""},
	};
	struct err e = {""};

	cr_assert_str_eq(refusal(LIST("[0-1, 1-2, s0-2, s0-3:20:7, cpu-0]"), &e), "");
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char *got = refusal(bad[i].text, &e);

		cr_assert(*got && strstr(got, bad[i].place) && strstr(got, bad[i].reason), "%s: %s", bad[i].text, got);
		cr_assert_not(strchr(got, '\n'), "one line: %s", got);
	}
}

/* A list of numbers has one for each module, and the last holds for all further ones. */
Test(machine, a_list_ends_in_the_number_of_all_further_modules)
{
	struct machine m = gtx480();
	struct err e = {""};
	char text[SCHEMA_TEXT_MAX];

	cr_assert_eq(machine_set(&m, "module.count=5", &e), 0);
	cr_assert_eq(machine_set(&m, "sm.count=7,3,2", &e), 0);
	cr_assert_eq(machine_set(&m, "dram.stacks=4,1", &e), 0);
	cr_assert_str_eq(schema_text(&m, schema_find("sm.count"), text), "7,3,2");
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	cr_assert_eq(m.sm.count, 7 + 3 + 2 + 2 + 2);
	cr_assert_eq(m.dram.stacks, 4 + 4);
	cr_assert_eq(machine_module_of_sm(&m, 6), 0);
	cr_assert_eq(machine_module_of_sm(&m, 7), 1);
	cr_assert_eq(machine_module_of_sm(&m, 15), 4);
	cr_assert_eq(machine_set(&m, "link.gbps=1.333", &e), 0);
	cr_assert_str_eq(schema_text(&m, schema_find("link.gbps"), text), "1.333");
	cr_assert_eq(m.link.mbps, 1333);
	cr_assert_eq(machine_set(&m, "dram.stacks=3", &e), 0);
	cr_assert_eq(machine_resolve(&m, &e), -1);
	cr_assert_str_eq(e.text, "--set dram.stacks: 15 stacks in 5 modules are not a power of two up to 64");
}

/* What the papers' tables print of each machine; of gtx480-gs4 the half of its bus that its
 * simulator uses. */
Test(machine, each_machine_has_the_numbers_of_its_paper)
{
	static const struct {
		const char *name;
		uint32_t modules, sms, stacks, l1, l1_ways, l2_kib, core;
		double local, remote; /* GB/s: of a stack; of a link, 0: none */
	} known[] = {
		{"gtx480", 1, 15, 1, 16, 4, 768, 700, 177.4, 0},	 {"gtx480-gs4", 1, 15, 1, 16, 4, 768, 700, 88.7, 0},
		{"titanx", 1, 28, 1, 48, 6, 3072, 1000, 480, 0},	 {"titanv", 1, 80, 1, 32, 4, 4608, 1200, 652.8, 0},
		{"titanx-gs4", 1, 28, 1, 48, 96, 3072, 1417, 480, 0},	 {"titanv-gs4", 1, 80, 1, 32, 64, 4608, 1200, 652.8, 0},
		{"titanx-2020", 1, 56, 1, 24, 48, 3072, 1417, 480, 0},	 {"mcm4", 4, 64, 4, 32, 4, 4096, 1400, 192, 96},
		{"ndp4", 4, 16, 4, 32, 8, 4096, 2000, 256, 16},		 {"multichip8", 8, 64, 8, 16, 4, 8192, 1400, 160, 80},
		{"exascale25", 25, 64, 32, 16, 4, 32768, 1400, 160, 80}, {"gtx480-ldesc", 1, 15, 1, 32, 4, 768, 1400, 177.4, 0},
		{"qv100", 1, 80, 1, 32, 64, 6144, 1132, 870.4, 0},	 {"rtx2060", 1, 30, 1, 32, 64, 3072, 1365, 336, 0},
		{"rtx3070", 1, 46, 1, 28, 56, 4096, 1132, 448, 0},	 {"a100", 1, 108, 1, 28, 56, 40960, 1410, 2039, 0},
		{"h100", 1, 132, 1, 28, 56, 51200, 1980, 3353.6, 0},	 {"gh200", 1, 132, 1, 28, 56, 61440, 1980, 4024.3, 0},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct machine m;
		struct err e = {""};

		cr_assert_eq(machine_load(&m, known[i].name, "csim/machines", &e), 0, "%s", e.text);
		cr_assert_eq(machine_resolve(&m, &e), 0, "%s: %s", known[i].name, e.text);
		cr_assert_str_eq(m.name, known[i].name);
		cr_assert_eq(m.module.count, known[i].modules);
		cr_assert_eq(m.sm.count, known[i].sms);
		cr_assert_eq(m.dram.stacks, known[i].stacks);
		cr_assert_eq(m.l1.c.bytes, known[i].l1 << 10);
		cr_assert_eq(m.l1.c.assoc, known[i].l1_ways);
		cr_assert_eq(m.dram.stacks * m.dram.channels * m.l2.slices * (m.l2.c.bytes >> 10), known[i].l2_kib);
		cr_assert_eq(m.clock.mhz[CLOCK_CORE], known[i].core);
		cr_assert_float_eq(m.dram.channels * (double)m.dram.burst_bytes / m.dram.burst * m.clock.mhz[CLOCK_DRAM] / 1000,
				   known[i].local, 0.05, "%s", known[i].name);
		if (known[i].modules > 1)
			cr_assert_eq(m.link.mbps, 1000 * known[i].remote);
	}
}

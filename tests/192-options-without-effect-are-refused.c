/* 192: an option that a command never reads, or that its other options leave without effect, is refused in one line. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/schema.h"
#include "machine/unread.h"
#include "support/program.h"

/* Options of a command that its other options leave without effect. */
Test(options, without_effect_are_refused)
{
	static const char *const bad[][2] = {
		{"plan syrk --plan coda --machine ndp4 --max-cycles 5", "--max-cycles"},
		{"plan syrk --plan coda --machine ndp4 --threads 3", "--threads"},
		{"plan syrk --plan coda --machine ndp4 --scheduler lrr", "--scheduler"},
		{"plan syrk --plan coda --machine ndp4 --throttle swt:1", "--throttle"},
		{"run syrk --machine ndp4 --on cpu --scheduler lrr", "--scheduler: "},
		{"run syrk --machine ndp4 --on cpu --l1-index pric", "--l1-index: "},
		{"run syrk --machine ndp4 --on cpu --threads 2", "--threads: "},
		{"run traces/accelsim-sample/kernelslist.g --oob zero", "--oob"},
		{"run traces/accelsim-sample/kernelslist.g --printf", "--printf"},
		{"cuda --only-execute --scheduler lrr ./x", "--scheduler: "},
		{"cuda --check --json x ./x", "--json: "},
		{"cuda --hw all=rtl ./x", "--hw: needs --cosim"},
		{"cuda --only-execute --check ./x", "--only-execute: "},
		{"trace info x.ltrace --cta 1", "--cta: "},
		{"run syrk --size test --interval 100", "--interval: needs --json FILE"},
		{"run syrk --size test --report-data", "--report-data: needs --json FILE"},
		{"run syrk --size test --trace-requests all", "--trace-requests: needs --json FILE"},
		{"cosim syrk --size test --l1-index pric --interval 100", "--interval: needs --json FILE"},
		{"cosim syrk --hw all=rtl --hw all=golden", "--hw: all has two modes"},
		{"mix vectoradd,n=64,n=32 syrk --machine ndp4", "vectoradd,n=64,n=32: n is given twice"},
		{"dram x --window 8 --set dram.queue=4", "--set dram.queue: has no effect: --window takes its place"},
		{"dram x --no-refresh --set dram.refresh=true", "--set dram.refresh: has no effect: --no-refresh takes its place"},
		{"cuda --on cpu ./x", "--on: "}, /* not --only-execute */
		{"cosim syrk --rtl pric=a.v --rtl pric=b.v", "--rtl: pric has two files, \"a.v\" and \"b.v\""},
		{"cosim syrk --hw pric=rtl,decoder=rtl,pric=lockstep", "--hw: pric has two modes"},
		{"run syrk --size test --json a --timeline a", "two outputs cannot both be a"},
		{"graph syrk --size test --json a --metis a", "two outputs cannot both be a"},
		{"why syrk --size test --json a --konata a", "two outputs cannot both be a"},
		{"profile syrk --annotate --lines 3", "--lines: has no effect with --annotate"},
		{"profile syrk --source-dir no/such", "--source-dir: no/such: No such file or directory"},
		{"why syrk --source-dir /dev/null", "--source-dir: /dev/null: is no folder"},
		{"index --polys --poly 37", "--poly: "},
		{"index --polys 0x1000", "--polys lists polynomials and takes no address"},
		{"index - </dev/null", "standard input: holds no address"},
		{"decode - </dev/null", "standard input: holds no address"},
		{"cache - </dev/null", "standard input: holds no access"},
		{"dram /dev/null", "/dev/null: holds no request"},
		{"cache x.din --addr-bits 20", "--addr-bits: needs --index pric"},
		{"replay x --output y", "--output: needs --minimize"},
		{"replay x --rtl y.v --trust", "--trust: "},
		{"replay x --leave a", "--leave: needs --rtl"},
		{"blocks pric --tie a=0", "--tie: needs --rtl"},
		{"study cache --runs --jobs 2", "--jobs: "},
		{"sweep x.yaml --rows a", "--rows: "},
		{"sweep table x.yaml --jobs 2", "--jobs: "},
		{"sweep x.yaml --partition a", "--partition: needs --slurm"},
		{"sweep x.yaml --slurm --jobs 2", "--jobs: "},
		{"sweep x.yaml --runs --dir a", "--dir: "},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus %s", bad[i][0]);

		cr_expect_eq(p.status, 2, "%s", bad[i][0]);
		cr_expect(strchr(p.err, '\n') && !strchr(p.err, '\n')[1] && strstr(p.err, bad[i][1]), "%s: %s", bad[i][0], p.err);
		program_free(&p);
	}
}

/* Of an option that is given twice, only one value could count. */
Test(options, that_are_given_twice_are_refused)
{
	static const char *const bad[][2] = {
		{"run syrk --arg n=64 --arg m=3 --arg n=32", "locus run: --arg: n is given twice; only one value can count\n"},
		{"run syrk --set l1.assoc=4 -s l1.assoc=8",
		 "locus run: --set: l1.assoc is given twice; only one value can count\n"},
		{"run gaussian --sample error=3% --sample error=9%",
		 "locus run: --sample: given twice; only one value can count\n"},
		{"run syrk --konata k --konata-filter cta=1 --konata-filter cta=2",
		 "locus run: --konata-filter: given twice; only one value can count\n"},
		{"run syrk -m gtx480 --mach ndp4", "locus run: --machine: given twice; only one value can count\n"},
		{"cosim syrk --bundle a --bundle b", "locus cosim: --bundle: given twice; only one value can count\n"},
		{"cache x.din --size 4K --size 4K", "locus cache: --size: given twice; only one value can count\n"},
		{"sweep x.yaml --dir a --dir b", "locus sweep: --dir: given twice; only one value can count\n"},
	};
	static const char *const good[] = {
		"run vectoradd --size test --brief --brief --set l1.assoc=8 --set l1.bytes=32K --max-cycles 100",
		"cosim syrk --size test --l1-index pric --hw pric=rtl --hw decoder=golden",
	};
	struct program p;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		p = program_run("locus %s", bad[i][0]);
		cr_expect_eq(p.status, 2, "%s", bad[i][0]);
		cr_expect_str_eq(p.err, bad[i][1], "%s: %s", bad[i][0], p.err);
		program_free(&p);
	}
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		p = program_run("locus %s", good[i]);
		cr_expect_eq(p.status, 0, "%s: %s", good[i], p.err);
		program_free(&p);
	}
}

/* What a run does not have is known at its end. */
Test(options, that_select_nothing_of_a_run_say_so)
{
	static const char *const ask[][2] = {
		{"run vectoradd --size test --konata k --konata-filter cta=5000", "\nkonata: no instruction passed the filter\n"},
		{"cosim syrk --size test --l1-index pric --wave w.fst --wave-window 8000000:9000000",
		 "no step is in core cycles 8000000 to 9000000; "},
	};

	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
		struct program p = program_run("cd %s && locus %s", program_tmp(), ask[i][0]);

		cr_expect_eq(p.status, 0, "%s: %s", ask[i][0], p.err);
		cr_expect(strstr(p.out, ask[i][1]), "%s: %s", ask[i][0], p.out);
		program_free(&p);
	}
}

/* ---- keys of a unit that the machine does not have ---- */

Test(options, of_a_unit_that_is_left_out_are_refused)
{
	static const char *const bad[][2] = {
		{"--set throttle.k=4", "--set throttle.k=4: has no effect: throttle.policy is none"},
		{"--throttle swt:3 --set throttle.k=4", "--set throttle.k=4: has no effect: throttle.policy is swt"},
		{"--set l1.poly=41", "--set l1.poly=41: has no effect: l1.index is linear"},
		{"--set l1.enabled=false --l1-index pric", "--l1-index pric: has no effect: l1.enabled is false"},
		{"--set l1.enabled=false --l1-bypass streaming", "--l1-bypass streaming: has no effect: l1.enabled is false"},
		{"--set l1.index=pric --l1-index linear", "--set l1.index=pric: has no effect: --l1-index linear takes its place"},
		{"--set throttle.warps=5 --throttle swt:3",
		 "--set throttle.warps=5: has no effect: --throttle swt:3 takes its place"},
		{"--set link.gbps=8", "--set link.gbps=8: has no effect: module.count is 1"},
		{"--machine ndp4 --set vm.tlb=false --set vm.walks=1", "--set vm.walks=1: has no effect: vm.tlb is false"},
		{"--at 9 --try dram.cl=20,throttle.warps=3",
		 "--try dram.cl=20,throttle.warps=3: throttle.warps has no effect: throttle.policy is none"},
	};
	static const char *const good[] = {
		"--throttle ccws --set throttle.k=4",
		"--set l1.poly=41 --l1-index pric",
		"--set l1.enabled=false --l1-index linear --l1-bypass none --throttle none",
		"--at 9 --try throttle.policy=swt,throttle.warps=3",
	};
	struct program p;
	char line[200];

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		p = program_run("locus run vectoradd --size test %s", bad[i][0]);
		snprintf(line, sizeof line, "locus: %s\n", bad[i][1]);
		cr_expect_eq(p.status, 2, "%s", bad[i][0]);
		cr_expect_str_eq(p.err, line, "%s: %s", bad[i][0], p.err);
		program_free(&p);
	}
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		p = program_run("locus run vectoradd --size test %s", good[i]);
		cr_expect_eq(p.status, 0, "%s: %s", good[i], p.err);
		program_free(&p);
	}
}

/* ---- keys that the command does not read, whatever the machine has ---- */

Test(options, of_a_machine_that_the_command_does_not_read_are_refused)
{
#define NOTHING "nothing is simulated\n"
#define CUDA	"only CUDA programs read it (locus cuda)\n"
#define HOST	"nothing runs on the CPU's cores (--on cpu, --tracker)\n"
#define GROUPS	"the plan makes no groups of CTAs (--plan paver-kway or paver-rb does)\n"
	static const char *const bad[][2] = {
		{"run vectoradd --machine ndp4 --on cpu --set l1.assoc=8",
		 "--set l1.assoc=8: has no effect: no kernel runs on an SM (--on cpu)\n"},
		{"run vectoradd --machine ndp4 --on cpu --set latency.sfu=9",
		 "--set latency.sfu=9: has no effect: no kernel runs on an SM (--on cpu)\n"},
		{"footprint matmul --machine mcm4 --set l1.assoc=8", "--set l1.assoc=8: has no effect: " NOTHING},
		{"plan vectoradd --pages --set dram.cl=9", "--set dram.cl=9: has no effect: " NOTHING},
		{"cuda --only-execute --set l1.assoc=8 /bin/true", "--set l1.assoc=8: has no effect: " NOTHING},
		{"decode 0 --set l1.assoc=8", "--set l1.assoc=8: has no effect: only addresses are decoded\n"},
		{"dram x --set l1.assoc=8", "--set l1.assoc=8: has no effect: a single memory channel is simulated\n"},
		{"dram x --set dram.channels=3", "--set dram.channels=3: has no effect: a single memory channel is simulated\n"},
		{"run vectoradd --set pcie.gbps=9", "--set pcie.gbps=9: has no effect: " CUDA},
		{"run vectoradd --set device.memory_mib=9", "--set device.memory_mib=9: has no effect: " CUDA},
		{"run vectoradd --set group_dispatch.latency=9", "--set group_dispatch.latency=9: has no effect: " GROUPS},
		{"run vectoradd --machine ndp4 --set cpu.rob=9", "--set cpu.rob=9: has no effect: " HOST},
		{"run bfs --machine exascale25 --plan tafe --tracker none --set store_tracker.entries=4",
		 "--set store_tracker.entries=4: has no effect: " HOST},
		{"run vectoradd --set l1.pin.timer=9",
		 "--set l1.pin.timer=9: has no effect: l1.replacement is not pin, and no plan pins lines\n"},
		{"run vectoradd --plan ldesc-cache --set l1.prefetch.mshrs=9",
		 "--set l1.prefetch.mshrs=9: has no effect: l1.prefetch.policy is none, and no plan prefetches\n"},
		{"run vectoradd --plan paver-mst --set group_dispatch.latency=9",
		 "--set group_dispatch.latency=9: has no effect: " GROUPS},
	};
	/* A decoder reads neither rows nor bank groups; the machine cannot be without these values. */
	static const char *const good[] = {
		"decode 0 --set dram.row_bytes=8192 --set dram.map=BBBCCCCCBCCSSSSSS",
		"decode 0 --set dram.banks=2 --set dram.groups=2 --set dram.row_bytes=8192 --set dram.map=BCCCCCCCSSSSSS",
		"run vectoradd --size test --plan paver-rb --set group_dispatch.latency=9",
		"run vectoradd --size test --machine ndp4 --on cpu --set sm.count=2 --set dram.cl=20",
		"run bfs --size test --machine exascale25 --plan tafe --max-cycles 100 --set store_tracker.entries=4",
		"run histo --size test --plan ldesc-pref --set l1.prefetch.mshrs=9",
		"run histo --size test --plan ldesc-cache --set l1.pin.timer=9",
		"plan vectoradd --size test --grids --set l2.bytes=64K",
	};
	struct program p;
	char line[300];

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		p = program_run("locus %s", bad[i][0]);
		snprintf(line, sizeof line, "locus: %s", bad[i][1]);
		cr_expect_eq(p.status, 2, "%s", bad[i][0]);
		cr_expect_str_eq(p.err, line, "%s: %s", bad[i][0], p.err);
		program_free(&p);
	}
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		p = program_run("locus %s", good[i]);
		cr_expect_eq(p.status, 0, "%s: %s", good[i], p.err);
		program_free(&p);
	}
}

/* Another value of the key than it has; false: there is none, or the machine cannot be with it. */
static bool set_other(struct machine *m, const struct schema_key *k, char set[SCHEMA_TEXT_MAX])
{
	char now[SCHEMA_TEXT_MAX];
	struct machine other = *m;
	struct err e = {""};

	if (k->type == SCHEMA_TEXT)
		return false;
	schema_text(m, k, now);
	if (k->type == SCHEMA_CHOICE)
		snprintf(set, SCHEMA_TEXT_MAX, "%s", k->choices[!strcmp(now, k->choices[0])]);
	else if (k->type == SCHEMA_BOOL)
		snprintf(set, SCHEMA_TEXT_MAX, "%s", strcmp(now, "true") ? "true" : "false");
	else
		snprintf(set, SCHEMA_TEXT_MAX, "%u", k->min + (strtoul(now, NULL, 10) == k->min));
	if (schema_set(&other, k, set, &e) != 0 || machine_resolve_bare(&other, &e) != 0)
		return false;
	return schema_set(m, k, set, &e) == 0;
}

/* Writes that machine into a file, with another value of each key that it is said not to read, by that use of it (0: by
 * any); how many there are. */
static unsigned write_machine(const char *file, const char *base, unsigned uses)
{
	char text[8192], why[UNREAD_MAX], set[SCHEMA_TEXT_MAX];
	struct err e = {""};
	struct machine m, whole;
	unsigned n = 0;

	program_file(file, base);
	cr_assert_eq(machine_load(&m, program_path(file), "csim/machines", &e), 0, "%s", e.text);
	whole = m;
	snprintf(text, sizeof text, "%s", base);
	for (const struct schema_key *k = schema_keys; k->name; k++) {
		if (uses ? !machine_unread_by(&whole, uses, k->name, why) : !machine_unread(&whole, k->name, why))
			continue;
		if (!set_other(&m, k, set))
			continue;
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s: %s\n", k->name, set);
		n++;
	}
	program_file(file, text);
	return n;
}

static json_t *stats_of(const char *file)
{
	struct program p = program_run("locus run bfs --size test --max-insts 4K --machine %s --json -", program_path(file));
	json_t *whole = json_loads(p.out, 0, NULL), *stats = json_incref(json_object_get(whole, "stats"));

	cr_assert(stats, "%s%s", p.err, p.out);
	json_decref(whole);
	program_free(&p);
	return stats;
}

/* They are refused because no run changes with them. */
Test(options, of_a_unit_that_is_left_out_change_nothing)
{
	static const char *const base[] = {"base: gtx480\n", "base: gtx480\nl1.enabled: false\ndram.refresh: false\n",
					   "base: ndp4\nvm.tlb: false\nl2.enabled: false\nthrottle.policy: swt\n", "base: qv100\n",
					   "base: h100\n"};
	unsigned keys = 0;

	for (size_t i = 0; i < sizeof base / sizeof base[0]; i++) {
		json_t *plain, *changed;

		keys += write_machine("changed.yaml", base[i], 0);
		program_file("plain.yaml", base[i]);
		plain = stats_of("plain.yaml");
		changed = stats_of("changed.yaml");
		cr_expect(json_equal(plain, changed), "%s", base[i]);
		json_decref(plain);
		json_decref(changed);
	}
	cr_expect_gt(keys, 300, "%u", keys);
}

/* The same of keys that a command does not read. */
Test(options, of_a_machine_that_the_command_does_not_read_change_nothing)
{
	static const struct {
		unsigned uses, keys; /* so many at least */
		const char *command;
	} ask[] = {
		{MACHINE_WITHOUT_SMS | MACHINE_WITHOUT_CUDA, 100, "run bfs --size test --on cpu --machine"},
		{MACHINE_WITHOUT_CPU | MACHINE_WITHOUT_GROUPS | MACHINE_WITHOUT_PINS | MACHINE_WITHOUT_PREFETCHES, 25,
		 "run bfs --size test --max-insts 4K --machine"},
		{MACHINE_PLACED, 150, "plan bfs --size test --plan tafe,per=module --pages --grids --machine"},
		{MACHINE_PLACED, 150, "plan histo --size test --plan ldesc,source=profile --machine"},
		{MACHINE_PLACED, 150, "footprint bfs --size test --machine"},
		{MACHINE_DECODER, 150, "decode 0x123456789 77777 1234567 --mode cgp --machine"},
		{MACHINE_CHANNEL, 150, "dram x.txt --machine"},
	};

	program_file("x.txt", "0x0 R\n0x40 R\n0x10000 W\n0x20000 R\n");
	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
		struct program plain, changed;
		unsigned keys;

		program_file("of.yaml", "base: ndp4\n");
		plain = program_run("cd %s && locus %s of.yaml | sed '/simulator:/,$d'", program_tmp(), ask[i].command);
		keys = write_machine("of.yaml", "base: ndp4\n", ask[i].uses);
		changed = program_run("cd %s && locus %s of.yaml | sed '/simulator:/,$d'", program_tmp(), ask[i].command);
		cr_expect_geq(keys, ask[i].keys, "%s: %u", ask[i].command, keys);
		cr_expect_str_eq(plain.err, changed.err, "%s: %s", ask[i].command, changed.err);
		cr_expect_gt(strlen(plain.out), 100, "%s: %s", ask[i].command, plain.out);
		cr_expect_str_eq(plain.out, changed.out, "%s: %s\n%s", ask[i].command, plain.out, changed.out);
		program_free(&plain);
		program_free(&changed);
	}
}

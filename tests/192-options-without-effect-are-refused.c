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

/* Writes that machine into a file, with another value of each key that it is said not to read; how many there are. */
static unsigned write_machine(const char *file, const char *base)
{
	char text[8192], why[UNREAD_MAX], set[SCHEMA_TEXT_MAX], now[SCHEMA_TEXT_MAX];
	struct err e = {""};
	struct machine m;
	unsigned n = 0;

	program_file(file, base);
	cr_assert_eq(machine_load(&m, program_path(file), "csim/machines", &e), 0, "%s", e.text);
	snprintf(text, sizeof text, "%s", base);
	for (const struct schema_key *k = schema_keys; k->name; k++) {
		struct machine other = m;

		if (!machine_unread(&m, k->name, why) || k->type == SCHEMA_TEXT)
			continue;
		schema_text(&m, k, now);
		if (k->type == SCHEMA_CHOICE)
			snprintf(set, sizeof set, "%s", k->choices[!strcmp(now, k->choices[0])]);
		else if (k->type == SCHEMA_BOOL)
			snprintf(set, sizeof set, "%s", strcmp(now, "true") ? "true" : "false");
		else
			snprintf(set, sizeof set, "%u", k->min + (strtoul(now, NULL, 10) == k->min));
		if (schema_set(&other, k, set, &e) != 0 || machine_resolve_bare(&other, &e) != 0)
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

		keys += write_machine("changed.yaml", base[i]);
		program_file("plain.yaml", base[i]);
		plain = stats_of("plain.yaml");
		changed = stats_of("changed.yaml");
		cr_expect(json_equal(plain, changed), "%s", base[i]);
		json_decref(plain);
		json_decref(changed);
	}
	cr_expect_gt(keys, 300, "%u", keys);
}

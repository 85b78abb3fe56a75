/* 346: locus run --tracker: the tracking phase ahead of the launches, what it prints, what it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define BFS "bfs --size test --machine exascale25 --max-cycles 100 "

/* A row's value; fails the test if there is none. */
static double row(const char *out, const char *name)
{
	char opening[64], number[32], *to = number;
	const char *at;

	snprintf(opening, sizeof opening, "\n  %s ", name);
	at = strstr(out, opening);
	cr_assert_not_null(at, "no %s in:\n%s", name, out);
	for (at += strlen(opening); *at == ' ';)
		at++;
	for (; *at && *at != ' '; at++)
		if (*at != ',')
			*to++ = *at;
	*to = 0;
	return strtod(number, NULL);
}

/* bfs at its test size: 4097 + 65536 stores go to its two primary arrays, of which the last of `row` is no thread's. */
Test(locus_run_tracker, each_tracker_prints_its_figures_and_leaves_the_same_extents)
{
	static const char *const trackers[] = {"hw", "sw-cpu", "sw-gpu"};
	double plain = 0, stores = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct program p = program_run("locus run " BFS "--tracker %s", trackers[i]);

		cr_assert_eq(p.status, 0, "%s", p.err);
		cr_assert_eq(row(p.out, "store_tracker.extents_differ"), 0, "%s", trackers[i]);
		cr_assert_gt(row(p.out, "tracking.cycles"), row(p.out, "tracking.baseline_cycles"));
		if (i > 0) {
			cr_assert_eq(row(p.out, "tracking.baseline_cycles"), plain, "the tracker does not change the program");
			cr_assert_eq(row(p.out, "tracking.stores"), stores);
		}
		plain = row(p.out, "tracking.baseline_cycles");
		stores = row(p.out, "tracking.stores");
		cr_assert_eq(strstr(p.out, "\n  store_tracker.hit_rate ") != NULL, i == 0);
		cr_assert_eq(strstr(p.out, "\n  tafe.gpu_cycles ") != NULL, i == 2);
		cr_assert_eq(row(p.out, "store_tracker.arrays.hw") + row(p.out, "store_tracker.arrays.sw"), 2);
		if (i == 0)
			cr_assert_eq(row(p.out, "store_tracker.unmatched"), 1);
		program_free(&p);
	}
}

Test(locus_run_tracker, a_plan_that_wants_extents_tracks_by_hardware_and_none_leaves_the_phase_out)
{
	struct program by_default = program_run("locus run " BFS "--plan tafe"),
		       hw = program_run("locus run " BFS "--plan tafe --tracker hw");
	struct program none = program_run("locus run " BFS "--plan tafe --tracker none");

	cr_assert_eq(by_default.status, 0, "%s", by_default.err);
	cr_assert_gt(row(by_default.out, "store_tracker.stores"), 0);
	cr_assert_eq(row(by_default.out, "tracking.cycles"), row(hw.out, "tracking.cycles"));
	cr_assert_eq(none.status, 0, "%s", none.err);
	cr_assert_null(strstr(none.out, "tracking."));
	program_free(&by_default);
	program_free(&hw);
	program_free(&none);
}

/* By traces/bfs/host.c: 1,340 instructions make one of the 4,097 entries of `row`, 1,507 one of the 65,536 of
 * `edge`, none the rest. */
Test(locus_run_tracker, runs_the_instructions_that_the_program_states_for_its_values)
{
	struct program with = program_run("locus run " BFS "--tracker hw");
	struct program without = program_run("locus run " BFS "--tracker hw --set cpu.value_insts=false");

	cr_assert_eq(row(with.out, "tracking.insts") - row(without.out, "tracking.insts"), 4097 * 1340 + 65536 * 1507);
	program_free(&with);
	program_free(&without);
}

/* The stores are those of the tracking phase, each line fetched is written back; without a tracker nothing is tracked,
 * and the launches are what they are without the option. */
Test(locus_run_tracker, init_traffic_is_measured_with_pages_as_planned_and_leaves_the_launches_alone)
{
	static const char *const plans[] = {"cgp-only", "first-touch", "tafe"};

	for (unsigned i = 0; i < 3; i++) {
		struct program with = program_run("locus run " BFS "--plan %s --init-traffic", plans[i]);
		struct program without = program_run("locus run " BFS "--plan %s", plans[i]);

		cr_assert_eq(with.status, 0, "%s", with.err);
		cr_assert_eq(strstr(with.out, "\n  tracking.stores ") != NULL, i == 2);
		cr_assert_eq(row(with.out, "link.bytes"), row(without.out, "link.bytes"));
		cr_assert_eq(row(with.out, "init.stores"), 4097 + 65536 + 4 * 4096);
		cr_assert_eq(row(with.out, "init.fetches"), row(with.out, "init.write_backs"));
		cr_assert_eq(row(with.out, "init.link.bytes"), row(with.out, "init.fetches") * 2 * (8 + 8 + 64));
		cr_assert_null(strstr(without.out, "init."));
		program_free(&with);
		program_free(&without);
	}
}

Test(locus_run_tracker, refuses_with_one_line)
{
	static const struct {
		const char *args, *says;
	} wrong[] = {
		{"bfs --size test --tracker fpga", "--tracker: \"fpga\" is not hw, sw-cpu, sw-gpu or none"},
		{"syrk --size test --machine exascale25 --tracker hw", "makes no TAFE calls (taf_register)"},
		{"bfs --size test --tracker sw-cpu", "--tracker sw-cpu: machine gtx480 has no CPU cores (cpu.count is 0)"},
		{"bfs --size test --machine mcm4 --plan tafe",
		 "--tracker hw (none does without the CPU): machine mcm4 has no CPU cores (cpu.count is 0)"},
		{"bfs --size test --machine exascale25 --set store_tracker.entries=3", "store_tracker.entries: 3 is not 2, 4 or 8"},
		{"bfs --size test --machine exascale25 --set link.cpu=0 --tracker hw",
		 "machine exascale25 has no links to its CPU (link.cpu is 0)"},
		{"bfs --size test --machine exascale25 --tracker hw --set cpu.value_insts=60", "cpu.value_insts: \"60\""},
		{"syrk --size test --machine exascale25 --init-traffic",
		 "--init-traffic: syrk 64x64 makes no TAFE calls (taf_register), by which stores are recorded"},
		{"bfs --size test --init-traffic", "--init-traffic: machine gtx480 has no CPU cores (cpu.count is 0)"},
		{"bfs --size test --machine exascale25 --plan tafe,extents=2",
		 "the tracker keeps one extent a CTA: for groups, modules or more extents take --tracker sw-cpu"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run("locus run %s", wrong[i].args);

		cr_assert_eq(program_is_clean_error(&p), 1, "%s", wrong[i].args);
		cr_assert(strstr(p.err, wrong[i].says), "%s: %s", wrong[i].args, p.err);
		program_free(&p);
	}
}

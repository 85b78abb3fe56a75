/* 702: faults put into set_monitor's RTL are caught with the right block, field and cycle; their bundles replay and get
 * smaller. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw/twins/set_monitor.h"
#include "lockstep/bundle.h"
#include "lockstep/cosim.h"
#include "lockstep/minimize.h"
#include "support/program.h"
#include "support/random.h"

static const struct set_monitor_params params = {.sets = 32, .tag_w = 20, .count_w = 16};

/* Our RTL with one piece of text replaced by another, as a file of its own. */
static const char *faulty(const char *from, const char *to, char path[256])
{
	char *text = program_text("rtl/set_monitor/set_monitor.v"), *at = strstr(text, from);
	FILE *f;

	cr_assert(at, "the RTL has no \"%s\" to break", from);
	cr_assert_null(strstr(at + 1, from), "\"%s\" is there more than once", from);
	snprintf(path, 256, "%s/fault.v", program_tmp());
	f = fopen(path, "w");
	fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	fclose(f);
	free(text);
	return path;
}

struct bench {
	struct cosim_options o;
	struct cosim *c;
	struct set_monitor_port port;
	uint64_t cycle;
};

static void bench_open(struct bench *b, const char *rtl)
{
	static char prefix[128];
	struct hw_binder binder;
	struct err e = {""};

	memset(b, 0, sizeof *b);
	snprintf(prefix, sizeof prefix, "%s/mismatch", program_tmp());
	cosim_options_init(&b->o, UNIT_LOCKSTEP);
	b->o.rtl[1] = rtl;
	b->o.bundle_prefix = prefix;
	b->c = cosim_new(&b->o);
	binder = cosim_binder(b->c);
	cr_assert_eq(set_monitor_bind(&binder, "sm0.l1", &params, &b->port, &e), 0, "%s", e.text);
	b->cycle = 100;
}

static struct set_monitor_out step(struct bench *b, struct set_monitor_in in)
{
	struct set_monitor_out out;

	set_monitor_port_step(&b->port, b->cycle++, &in, &out);
	return out;
}

static struct set_monitor_in access_to(uint32_t set, uint64_t tag)
{
	return (struct set_monitor_in){.acc_valid = 1, .acc_set = set, .acc_tag = tag};
}

/* Three accesses to set 7 with tags 1 2 1: two conflicts. Then a response that has to wait for two cycles. */
static void directed(struct bench *b)
{
	static const struct set_monitor_in idle;

	for (int i = 0; i < 40; i++)
		step(b, access_to((uint32_t)i % 5, 9));
	step(b, access_to(7, 1)); /* cycle 140 */
	step(b, access_to(7, 2));
	step(b, access_to(7, 1));
	step(b, idle); /* 143: the conflict of 142's access is counted at this edge */
	step(b, (struct set_monitor_in){.req_valid = 1, .req_set = 7}); /* 144 */
	step(b, idle);							/* 145: the response is valid after this edge */
	step(b, idle);							/* 146: held */
	step(b, idle);							/* 147: held */
	step(b, (struct set_monitor_in){.rsp_ready = 1});		/* 148 */
	step(b, idle);
	for (int i = 0; i < 30; i++)
		step(b, idle);
}

static struct err finish(struct bench *b, char **said, int want)
{
	struct err e = {""};
	size_t size;
	FILE *f = open_memstream(said, &size);

	cr_assert_eq(cosim_finish(b->c, &e), want, "%s", e.text);
	cosim_print(b->c, f);
	fclose(f);
	cosim_free(b->c);
	return e;
}

/* Runs the directed stimulus on a faulty block. The report must open with those words; the bundle must replay with the
 * same text.
 */
static void expect_caught(const char *from, const char *to, const char *opening, const char *values, unsigned cycle)
{
	char path[256], folder[256], report[300], *said, *text;
	struct program p;
	struct bench b;

	bench_open(&b, faulty(from, to, path));
	directed(&b);
	finish(&b, &said, 1);
	cr_assert(strstr(said, opening), "expected \"%s\" in:\n%s", opening, said);
	cr_assert(strstr(said, values), "expected \"%s\" in:\n%s", values, said);
	snprintf(folder, sizeof folder, "%s/mismatch-set_monitor-%u", program_tmp(), cycle);
	snprintf(report, sizeof report, "%s/report.txt", folder);
	text = program_text(report);
	cr_assert(strstr(said, text), "the report is what was printed");
	p = program_run("locus replay %s", folder);
	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert_str_eq(p.out, text);
	program_free(&p);
	p = program_run("locus replay %s --rtl rtl/set_monitor/set_monitor.v", folder);
	cr_assert_eq(p.status, 0, "the whole RTL passes: %s%s", p.out, p.err);
	program_free(&p);
	free(text);
	free(said);
}

Test(faults, a_counter_that_counts_two_is_caught_when_it_counts)
{
	/* Tag 2 comes in cycle 141, is as the pending access in 142, and is counted at the edge of 142. */
	expect_caught("entry_count + 1'b1", "entry_count + 2'd2",
		      "MISMATCH set_monitor of sm0.l1, cycle 142 (step 43): register count_q[7]\n",
		      "  golden 0x0001\n  rtl    0x0002        differs in bits 1..0\n", 142);
}

Test(faults, a_response_that_does_not_wait_is_caught_when_it_is_lost)
{
	/* Valid after the edge of 145; nobody is ready in 146, so it must still be there after 146's edge. */
	expect_caught("serve_request || (rsp_valid_q && !rsp_ready_i)", "serve_request",
		      "MISMATCH set_monitor of sm0.l1, cycle 146 (step 47): register rsp_valid_q\n", "  golden 1\n  rtl    0 ",
		      146);
}

Test(faults, a_ready_that_is_high_too_long_is_caught_as_an_output)
{
	/* The request of 144 is served in 145: req_ready must be low there. */
	expect_caught("assign req_ready_o = !req_valid_q;", "assign req_ready_o = 1'b1;",
		      "MISMATCH set_monitor of sm0.l1, cycle 145 (step 46): output req_ready_o\n", "  golden 0\n  rtl    1 ", 145);
}

Test(faults, an_arbiter_with_the_wrong_favourite_is_caught)
{
	char path[256], *said;
	struct bench b;

	bench_open(&b, faulty("wire serve_request = req_valid_q && !rsp_valid_q;",
			      "wire serve_request = req_valid_q && !rsp_valid_q && !acc_valid_q;", path));
	step(&b, access_to(3, 1));
	step(&b, (struct set_monitor_in){.acc_valid = 1, .acc_set = 3, .acc_tag = 2, .req_valid = 1, .req_set = 3});
	step(&b, (struct set_monitor_in){0}); /* 102: access and request are both pending */
	finish(&b, &said, 1);
	cr_assert(strstr(said, "MISMATCH set_monitor of sm0.l1, cycle 102 (step 3): output acc_ready_o\n"), "%s", said);
	free(said);
}

/* ---- what no directed vector shows when everything starts at zero ---- */

static struct outcome reset_run(const char *rtl, uint64_t seed)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	struct outcome o;
	uint64_t in[16] = {0};

	scenario_init(&s, &set_monitor_block, &params);
	snprintf(s.rtl, sizeof s.rtl, "%s", rtl);
	s.seed = seed;
	s.unique_x = true;
	stim_append(&s.stim, 0, true, in);
	for (uint64_t i = 1; i < 20; i++)
		stim_append(&s.stim, i, i == 10, in);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	o = scenario_run(&s, lib.abi, NULL);
	scenario_free(&s);
	bind_close(&lib);
	return o;
}

Test(faults, a_register_that_the_reset_forgets_is_caught_from_random_bits)
{
	char path[256];
	const char *rtl = faulty("            rsp_valid_q <= 1'b0;\n", "", path);
	unsigned caught = 0;

	for (uint64_t seed = 1; seed <= 16; seed++) {
		struct outcome o = reset_run(rtl, seed);

		if (!o.failed)
			continue;
		caught++;
		cr_assert_eq(o.step, 0, "the reset itself");
		cr_assert_eq(o.m.side, HW_REG);
		cr_assert_str_eq(set_monitor_block.name, "set_monitor");
	}
	cr_assert(caught >= 4, "of 16 seeds, those whose bit is 1: %u", caught);
}

Test(faults, from_any_random_start_the_reset_brings_both_to_the_same_state)
{
	for (uint64_t seed = 1; seed <= 16; seed++)
		cr_assert_not(reset_run("rtl/set_monitor/set_monitor.v", seed).failed, "seed %llu", (unsigned long long)seed);
}

Test(faults, random_steps_with_resets_between_agree_from_any_random_start)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		uint64_t in[6], state = seed;
		struct scenario s;
		struct bind_rtl lib;
		struct err e = {""};

		scenario_init(&s, &set_monitor_block, &params);
		s.seed = seed;
		s.unique_x = true;
		for (uint64_t i = 0; i < 4000; i++) {
			uint64_t x = random_u64(&state);

			in[0] = x >> 63;	    /* acc_valid */
			in[1] = x >> 50 & 31;	    /* acc_set */
			in[2] = x >> 40 & 3;	    /* acc_tag */
			in[3] = (x >> 35 & 3) == 0; /* req_valid */
			in[4] = x >> 30 & 31;	    /* req_set */
			in[5] = (x >> 28 & 3) != 0; /* rsp_ready */
			stim_append(&s.stim, i, i % 1000 == 0, in);
		}
		cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %llu", (unsigned long long)seed);
		scenario_free(&s);
		bind_close(&lib);
	}
}

/* ---- the minimiser ---- */

Test(faults, a_bundle_gets_as_small_as_the_fault_allows)
{
	char path[256], folder[256], *said;
	struct scenario s, small;
	struct minimized m;
	struct bind_rtl lib;
	struct err e = {""};
	struct bench b;

	bench_open(&b, faulty("entry_count + 1'b1", "entry_count + 2'd2", path));
	directed(&b);
	finish(&b, &said, 1);
	free(said);
	snprintf(folder, sizeof folder, "%s/mismatch-set_monitor-142", program_tmp());
	cr_assert_eq(bundle_read(&s, folder, &e), 0, "%s", e.text);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	cr_assert_eq(scenario_minimize(&s, lib.abi, &small, &m), 0);
	/* A conflict takes two accesses to one set with tags that differ in one bit, and the step that counts it. */
	cr_assert_eq(small.stim.steps, 3);
	cr_assert_eq(m.bits_after, 3, "two valid bits and a tag bit, not %llu", (unsigned long long)m.bits_after);
	cr_assert(scenario_run(&small, lib.abi, NULL).failed);
	scenario_free(&small);
	scenario_free(&s);
	bind_close(&lib);
}

/* ---- long runs ---- */

/* A fault that shows in a chosen step: the counter of set 0, which gets a conflict in every step from step 2 on, goes
 * wrong at one value. Step n is cycle 99 + n; the access of step n is counted in step n + 1, the first conflict is that
 * of step 2. */
static void expect_late(unsigned step_number, unsigned long long first_step)
{
	static const struct set_monitor_params wide = {.sets = 2, .tag_w = 1, .count_w = 32};
	char path[256], fault[128], folder[256], said[400];
	struct set_monitor_in in = {.acc_valid = 1};
	struct set_monitor_out out;
	struct set_monitor_port port;
	struct cosim_options o;
	struct hw_binder binder;
	struct err e = {""};
	struct program p;
	struct cosim *c;
	char prefix[128];

	snprintf(fault, sizeof fault, "entry_count + 1'b1 + (entry_count == 32'd%u)", step_number - 3);
	snprintf(prefix, sizeof prefix, "%s/late", program_tmp());
	cosim_options_init(&o, UNIT_LOCKSTEP);
	o.rtl[1] = faulty("entry_count + 1'b1", fault, path);
	o.bundle_prefix = prefix;
	c = cosim_new(&o);
	binder = cosim_binder(c);
	cr_assert_eq(set_monitor_bind(&binder, "sm0.l1", &wide, &port, &e), 0, "%s", e.text);
	for (unsigned i = 1; i <= step_number + 20; i++) {
		in.acc_tag = i & 1;
		set_monitor_port_step(&port, 99 + i, &in, &out);
	}
	cr_assert_eq(cosim_finish(c, &e), 1, "%s", e.text);
	cosim_free(c);
	snprintf(folder, sizeof folder, "%s/late-set_monitor-%u", program_tmp(), 99 + step_number);
	p = program_run("grep -E '^(first-step %llu|state reset)$' %s/stimulus.txt; locus replay %s | grep -v bundle:", first_step,
			folder, folder);
	snprintf(said, sizeof said, "first-step %llu\nMISMATCH set_monitor of sm0.l1, cycle ", first_step);
	cr_assert(!strncmp(p.out, said, strlen(said)), "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, ": register count_q[0]\n"), "%s", p.out);
	program_free(&p);
}

Test(faults, a_late_mismatch_replays_from_the_last_common_state)
{
	/* States are taken when the log holds 2^20 steps, and count once 1024 more have passed. The reset is step 0. */
	expect_late((1 << 20) + 5000, 1 << 20);
	expect_late((2 << 20) + 5000, 2 << 20);
}

Test(faults, a_mismatch_soon_after_a_common_state_replays_from_the_one_before)
{
	expect_late((2 << 20) + 500, 1 << 20);
}

/* ---- bundles that are not whole ---- */

static void damage(const char *stimulus, const char *sed, const char *complaint)
{
	struct program p =
		program_run("cp -r %s %s/hurt && sed -i '%s' %s/hurt/stimulus.txt && locus replay %s/hurt; s=$?; rm -r %s/hurt; "
			    "exit $s",
			    stimulus, program_tmp(), sed, program_tmp(), program_tmp(), program_tmp());

	cr_assert(program_is_clean_error(&p), "%s", sed);
	cr_assert(strstr(p.err, complaint), "%s: %s", sed, p.err);
	program_free(&p);
}

Test(faults, a_damaged_bundle_gets_one_clear_line)
{
	char path[256], folder[256], *said;
	struct program p;
	struct bench b;

	bench_open(&b, faulty("entry_count + 1'b1", "entry_count + 2'd2", path));
	directed(&b);
	finish(&b, &said, 1);
	free(said);
	snprintf(folder, sizeof folder, "%s/mismatch-set_monitor-142", program_tmp());
	damage(folder, "1s/1/2/", "newer version");
	damage(folder, "1s/.*/hello/", "not a stimulus file");
	damage(folder, "/^block/s/set_monitor/nothing/", "no block \"nothing\"");
	damage(folder, "/^params/s/sets=32/sets=31/", "31 sets");
	damage(folder, "/^inputs/s/acc_tag:20/acc_tag:19/", "written for other inputs");
	damage(folder, "/^compare/s/cycle/weekly/", "neither by cycle nor by transaction");
	damage(folder, "/^120 /s/120/99/", "not a cycle after the one before");
	damage(folder, "/^120 /s/$/ 1/", "not the inputs of a step");
	damage(folder, "/^120 /s/ 9 / 8 /", "checksum");
	damage(folder, "/^120 /d", "");
	damage(folder, "$d", "ends too early");
	damage(folder, "/^steps/s/[0-9][0-9]*/99999999999999999999999/", "not a number");
	damage(folder, "/^steps/s/[0-9][0-9]*/9999999999999/", "");
	p = program_run("locus replay /nonexistent");
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

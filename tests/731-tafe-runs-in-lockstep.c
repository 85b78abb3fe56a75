/* 731: TAFE's Verilog agrees with its golden twin in every output and register, whatever memory does, and the tables
 * that it writes are those of the tracker in software; faults put into it are caught. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hw/tafe/tafe.h"
#include "hw/twins/blocks.h"
#include "lockstep/cosim.h"
#include "support/corner_scenario.h"
#include "support/program.h"
#include "support/tafe_host.h"

static const struct tafe_params standard = {.entries = 2, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};
static const struct tafe_params small = {.entries = 4, .addr_w = 20, .index_w = 10, .tb_w = 6, .block_w = 4};

static const struct tafe_params wide = {.entries = 8, .addr_w = 64, .index_w = 32, .tb_w = 31, .block_w = 16};

static unsigned tafe_index_in_blocks(void)
{
	unsigned i = 0;

	while (hw_blocks[i] != &tafe_block)
		i++;
	return i;
}

struct bench {
	struct cosim_options o;
	struct cosim *c;
	struct tafe_bench b;
};

static void bench_open(struct bench *x, enum unit_mode mode, const struct tafe_params *p, const char *rtl, uint64_t seed)
{
	static char prefix[200];
	struct tafe_port port;
	struct hw_binder binder;
	struct err e = {""};

	snprintf(prefix, sizeof prefix, "%s/mismatch", program_tmp());
	cosim_options_init(&x->o, mode);
	x->o.rtl[tafe_index_in_blocks()] = rtl;
	x->o.bundle_prefix = prefix;
	x->c = cosim_new(&x->o);
	binder = cosim_binder(x->c);
	cr_assert_eq(tafe_bind(&binder, "cpu", p, &port, &e), 0, "%s", e.text);
	tafe_bench_init(&x->b, port, seed);
}

static int bench_finish(struct bench *x, char **said)
{
	struct err e = {""};
	size_t size;
	int rc = cosim_finish(x->c, &e);
	FILE *f = open_memstream(said, &size);

	cr_assert_geq(rc, 0, "%s", e.text);
	cosim_print(x->c, f);
	fclose(f);
	cosim_free(x->c);
	tafe_bench_free(&x->b);
	return rc;
}

/* What came of a run of the same program; the three modes must give the same. */
struct sums {
	uint64_t cycle, tracked, missed, unmatched, saturated, reads, writes;
};

static struct sums run(enum unit_mode mode, const struct tafe_params *p, unsigned seed)
{
	struct bench x;
	struct tafe_host h;
	struct sums sums;
	char *said;

	bench_open(&x, mode, p, NULL, seed);
	tafe_host_memory(&x.b, seed);
	for (int k = 0; k < 4; k++) {
		tafe_host_make(&h, &x.b);
		tafe_host_run(&h, &x.b);
	}
	sums = (struct sums){x.b.cycle, x.b.tracked, x.b.missed, x.b.unmatched, x.b.saturated, x.b.reads, x.b.writes};
	cr_assert_gt(sums.tracked, 0);
	cr_assert_eq(bench_finish(&x, &said), 0, "%s", said);
	free(said);
	return sums;
}

Test(tafe_lockstep, tables_are_the_trackers_whatever_memory_does)
{
	for (unsigned seed = 1; seed <= 24; seed++)
		run(UNIT_LOCKSTEP, &standard, seed);
}

Test(tafe_lockstep, narrow_indices_and_four_entries_agree_too)
{
	for (unsigned seed = 1; seed <= 12; seed++)
		run(UNIT_LOCKSTEP, &small, seed);
}

Test(tafe_lockstep, addresses_of_64_bits_and_eight_entries_agree_too)
{
	for (unsigned seed = 1; seed <= 12; seed++)
		run(UNIT_LOCKSTEP, &wide, seed);
}

Test(tafe_lockstep, the_three_modes_give_the_model_the_same)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct sums golden = run(UNIT_GOLDEN, &standard, seed), rtl = run(UNIT_RTL, &standard, seed);

		cr_assert(memcmp(&golden, &rtl, sizeof golden) == 0, "seed %u", seed);
	}
}

/* ---- all inputs at random, in and out of the protocol ---- */

Test(tafe_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		corner_scenario_agrees_from_any_start(&tafe_block, &small, seed);
}

/* ---- faults ---- */

/* The four modules in a folder of their own, one piece of text of one of them replaced. */
static const char *faulty(const char *module, const char *from, const char *to, char path[300])
{
	static const char *const modules[] = {"tafe_top", "tafe_comparator", "tafe_inverse", "tafe_extent"};
	char folder[200];

	snprintf(folder, sizeof folder, "%s/fault", program_tmp());
	mkdir(folder, 0777);
	for (unsigned i = 0; i < 4; i++) {
		char *text, *at;
		FILE *f;

		snprintf(path, 300, "rtl/tafe/%s.v", modules[i]);
		text = program_text(path);
		at = strcmp(modules[i], module) == 0 ? strstr(text, from) : text;
		cr_assert(at, "%s has no \"%s\" to break", module, from);
		snprintf(path, 300, "%s/%s.v", folder, modules[i]);
		f = fopen(path, "w");
		cr_assert_not_null(f);
		if (at == text)
			fputs(text, f);
		else
			fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
		fclose(f);
		free(text);
	}
	snprintf(path, 300, "%s/tafe_top.v", folder);
	return path;
}

/* Stores in order into a line of 12 CTAs of 4 threads, slow memory. The report must name the register or output. */
static void expect_caught(const char *module, const char *from, const char *to, const char *field)
{
	struct tafe_array a = {
		.type = TAFE_TID_DEP, .base = 0x1000, .elements = 60, .size = 2, .extents = 0x80, .apd = 1, .m = {1, 0, 0, 4}};
	struct tafe_launch l = {.grid = {12, 1, 1}, .block = {4, 1, 1}};
	char path[300], *said, *at;
	struct bench x;

	bench_open(&x, UNIT_LOCKSTEP, &small, faulty(module, from, to, path), 2);
	x.b.latency = 6;
	x.b.stall_in = 2;
	tafe_array_init(&a);
	tafe_bench_setup(&x.b, &l);
	tafe_bench_register(&x.b, &a, 12);
	for (uint32_t i = 0; i < a.elements; i++)
		tafe_array_store(&x.b, &a, i, 500 + i * 5 % 17);
	tafe_bench_release(&x.b, &a, TAFE_READY);
	cr_assert_eq(tafe_bench_compare(&x.b, &l, &a), 0, "the golden twin drives");
	tafe_array_free(&a);
	cr_assert_eq(bench_finish(&x, &said), 1, "%s is not caught", from);
	at = strstr(said, "MISMATCH tafe of cpu");
	cr_assert(at, "%s", said);
	at[strcspn(at, "\n")] = '\0';
	cr_assert(strstr(at, field), "expected %s in: %s", field, at);
	free(said);
}

Test(tafe_lockstep, a_minimum_that_does_not_fall_is_caught)
{
	expect_caught("tafe_extent", "low < minimum", "low > minimum", "register ext.min_q[");
}

Test(tafe_lockstep, a_write_that_becomes_a_read_is_caught)
{
	expect_caught("tafe_extent", "req_write_o = dirty_q;", "req_write_o = dirty_q && !in_valid_q;", "output req_write_o");
}

Test(tafe_lockstep, a_range_one_too_long_is_caught)
{
	expect_caught("tafe_inverse", "<= span_q + reach;", "<= span_q + reach + 1'b1;", "register inv.span_q");
}

Test(tafe_lockstep, an_eighth_extent_in_a_line_is_caught)
{
	expect_caught("tafe_inverse", "slot_q == 3'd6 ? 3'd0 : slot_q + 3'd1", "slot_q + 3'd1", "register inv.slot_q");
}

Test(tafe_lockstep, a_round_that_leaves_out_a_cta_is_caught)
{
	/* The element goes, so the store behind it moves up: the first output that differs. */
	expect_caught("tafe_inverse", "round_q + 1'b1 == ctas_q", "round_q + 2'd2 == ctas_q", "output st_ready_o");
}

Test(tafe_lockstep, a_request_in_the_others_name_is_caught)
{
	expect_caught("tafe_top", "req_tag_o   = give_inv;", "req_tag_o   = 1'b0;", "output req_tag_o");
}

Test(tafe_lockstep, a_store_taken_while_a_command_waits_is_caught)
{
	expect_caught("tafe_comparator", "st_ready_o     = !drain_i && (", "st_ready_o = (", "output st_ready_o");
}

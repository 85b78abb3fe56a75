/* 732: a wrong term anywhere in TAFE's hardware is caught: 44 faults in the four files, one at a time, under host
 * programs that use all it can do. All faulty versions are one build: our RTL with an input fault_i that chooses the
 * wrong term. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hw/tafe/tafe.h"
#include "lockstep/report.h"
#include "support/program.h"
#include "support/tafe_host.h"

static const struct tafe_params params = {.entries = 2, .addr_w = 24, .index_w = 16, .tb_w = 8, .block_w = 4};

static const char *const module[] = {"tafe_top", "tafe_comparator", "tafe_inverse", "tafe_extent"};
enum { TOP, COMPARATOR, INVERSE, EXTENT, MODULES };

/* An expression that is there once in the module, and a wrong one in its place. */
static const struct fault {
	int module;
	const char *right, *wrong;
} fault[] = {
	{TOP, "drain_q && empty && !dirty", "drain_q && empty"},
	{TOP, "inv_req && !ext_req", "inv_req"},
	{TOP, "!give_inv && ext_write", "ext_write"},
	{TOP, "rsp_valid_i && rsp_tag_i", "rsp_valid_i"},
	{COMPARATOR, "first_addr_q >= base_q[i*ADDR_W +: ADDR_W]", "first_addr_q > base_q[i*ADDR_W +: ADDR_W]"},
	{COMPARATOR, "first_addr_q < limit_q[i*ADDR_W +: ADDR_W]", "first_addr_q <= limit_q[i*ADDR_W +: ADDR_W]"},
	{COMPARATOR, "element[INDEX_W-1:0] + {{INDEX_W-3{1'b0}}, part_q}", "element[INDEX_W-1:0]"},
	{COMPARATOR, "index + 1'b1 == elements[INDEX_W-1:0]", "1'b0"},
	{COMPARATOR, "second_size_q < size || above != 64'd0", "above != 64'd0"},
	{COMPARATOR, "second_size_q < size || above != 64'd0", "second_size_q < size"},
	{COMPARATOR, "!drain_i && (!first_valid_q || first_leaves)", "!first_valid_q || first_leaves"},
	{COMPARATOR, "second_data_q >> ({3'd0, part_q} << ({1'b0, size} + 3'd3))", "second_data_q"},
	{COMPARATOR, "part_q + 3'd1", "part_q + 3'd2"},
	{COMPARATOR, "inv_length >> inv_size", "inv_length"},
	{INVERSE, "hist_entry_q == el_entry_q", "1'b1"},
	{INVERSE, "hist_offset <= hist_span_q", "hist_offset < hist_span_q"},
	{INVERSE, "round_q + 1'b1 == ctas_q", "round_q + 2'd2 == ctas_q"},
	{INVERSE, "round_q == ctas_q", "round_q + 1'b1 == ctas_q"},
	{INVERSE, "own_valid_q && (at_end || seen[slot_q]) && lo < hi", "own_valid_q && (at_end || seen[slot_q])"},
	{INVERSE, "own_valid_q && (at_end || seen[slot_q]) && lo < hi", "own_valid_q && lo < hi"},
	{INVERSE, "own_valid_q && (at_end || seen[slot_q]) && lo < hi", "(at_end || seen[slot_q]) && lo < hi"},
	{INVERSE, "type_i ? c_s_i : off_q", "off_q"},
	{INVERSE, "minimum + c_e_i", "minimum"},
	{INVERSE, "distance <= span", "distance < span"},
	{INVERSE, "tries_q == last_iter", "1'b1"},
	{INVERSE, "x_q + 1'b1 == grid_x_q", "x_q + 2'd2 == grid_x_q"},
	{INVERSE, "y_q + 1'b1 == grid_y_q", "1'b0"},
	{INVERSE, "row_q + word_q[4*INDEX_W +: INDEX_W]", "start_q + word_q[4*INDEX_W +: INDEX_W]"},
	{INVERSE, "plane_q + word_q[5*INDEX_W +: INDEX_W]", "row_q + word_q[5*INDEX_W +: INDEX_W]"},
	{INVERSE, "(negative ? -m : m)", "m"},
	{INVERSE, "negative ? first - reach : first", "first"},
	{INVERSE, "held_q && entry_q == el_entry_q", "held_q"},
	{INVERSE, "slot_q == 3'd6 ? 3'd0 : slot_q + 3'd1", "slot_q + 3'd1"},
	{INVERSE, "line_q && slot_q != 3'd6", "line_q"},
	{INVERSE, "n == {INDEX_W{1'b0}} ? {INDEX_W{1'b0}} : n - 1'b1", "n - 1'b1"},
	{INVERSE, "type_i ? own_group_q : group_q", "group_q"},
	{INVERSE, "(own_valid_q || seen[slot_q])", "seen[slot_q]"},
	{EXTENT, "low < minimum", "low > minimum"},
	{EXTENT, "high > maximum", "high < maximum"},
	{EXTENT, "in_saturated_q ? {INDEX_W{1'b0}} : in_value_q", "in_value_q"},
	{EXTENT, "valid_q && line_q == line", "valid_q"},
	{EXTENT, "dirty_q ? line_q : line", "line"},
	{EXTENT, "fetch || (flush_i && dirty_q)", "fetch"},
	{EXTENT, "!in_valid_q || here", "1'b1"},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* Replaces `from` wherever it is; how many times. Frees the old text. */
static unsigned replace(char **text, const char *from, const char *to)
{
	char *out = calloc(1, 1 << 18), *at = *text, *found;
	unsigned times = 0;

	cr_assert_not_null(out);
	for (; (found = strstr(at, from)); at = found + strlen(from), times++)
		sprintf(out + strlen(out), "%.*s%s", (int)(found - at), at, to);
	strcat(out, at);
	free(*text);
	*text = out;
	return times;
}

static bool same_position(unsigned a, unsigned b)
{
	return fault[a].module == fault[b].module && !strcmp(fault[a].right, fault[b].right);
}

/* A place's expression becomes: fault_i == 5 ? (wrong) : fault_i == 6 ? (wrong) : (right). Faults count from 1. */
static void spoil(char **text, unsigned first)
{
	char all[1024] = "(";

	for (unsigned i = 0; i < first; i++)
		if (same_position(i, first))
			return;
	for (unsigned i = first; i < FAULTS; i++)
		if (same_position(i, first))
			snprintf(all + strlen(all), sizeof all - strlen(all), "fault_i == %u ? (%s) : ", i + 1, fault[i].wrong);
	snprintf(all + strlen(all), sizeof all - strlen(all), "(%s))", fault[first].right);
	cr_assert_eq(replace(text, fault[first].right, all), 1, "\"%s\" is not once in %s", fault[first].right,
		     module[fault[first].module]);
}

static const char *faulty_rtl(char path[300])
{
	for (int m = MODULES - 1; m >= 0; m--) {
		char *text, *end;
		FILE *f;

		snprintf(path, 300, "rtl/tafe/%s.v", module[m]);
		text = program_text(path);
		end = strstr(text, "`ifdef FORMAL"); /* the properties say some expressions again */
		if (end)
			strcpy(end, "endmodule\n");
		for (unsigned i = 0; i < FAULTS; i++)
			if (fault[i].module == m)
				spoil(&text, i);
		cr_assert_eq(replace(&text, "    input  wire                       clk_i,\n",
				     "    input  wire [5:0] fault_i,\n    input  wire clk_i,\n"),
			     1);
		cr_assert_eq(replace(&text, ".clk_i(clk_i)", ".fault_i(fault_i), .clk_i(clk_i)"), m == TOP ? 3 : 0);
		snprintf(path, 300, "%s/%s.v", program_tmp(), module[m]);
		f = fopen(path, "w");
		cr_assert(f && fputs(text, f) >= 0);
		fclose(f);
		free(text);
	}
	return path; /* of the top, the last one */
}

/* ---- what is run ---- */

static void record(void *ctx, const struct tafe_bench *b)
{
	struct scenario *s = ctx;
	uint64_t words[64];

	bind_pack(&s->layout.side[HW_INPUT], &b->in, words);
	stim_append(&s->stim, s->stim.steps, false, words);
}

/* Every element of an array, in order; beyond, a store of a part of an element, one of two, and one of nobody. */
static void fill(struct tafe_bench *b, const struct tafe_launch *l, struct tafe_array a)
{
	tafe_bench_setup(b, l);
	tafe_array_init(&a);
	tafe_bench_register(b, &a, tafe_launch_ctas(l));
	for (uint32_t i = 0; i < a.elements; i++)
		tafe_array_store(b, &a, i, tafe_bench_random(b) % 60000);
	tafe_bench_store(b, a.base + 4, 7, 1);
	tafe_bench_store(b, a.base + 8, tafe_bench_random(b), 3);
	tafe_bench_store(b, a.base + (a.elements - 1) / 2 * 8, 0x0000000900000004, 3);
	tafe_bench_store(b, a.base + 4 * a.elements, 3, 2);
	tafe_bench_store(b, a.base, UINT32_MAX, 2);
	tafe_bench_release(b, &a, TAFE_READY);
	tafe_array_free(&a);
}

/* Stores by turns into two arrays whose CTAs have the same indices. */
static void by_turns(struct tafe_bench *b, const struct tafe_launch *l, struct tafe_array a)
{
	struct tafe_array other = a;

	other.entry = 1, other.base += 0x4000, other.extents += 0x40, other.apd++, other.c = 3;
	tafe_array_init(&a);
	tafe_array_init(&other);
	tafe_bench_setup(b, l);
	tafe_bench_register(b, &a, tafe_launch_ctas(l));
	tafe_bench_register(b, &other, tafe_launch_ctas(l));
	for (uint32_t i = 0; i < a.elements; i++) {
		tafe_array_store(b, &a, i, i);
		tafe_array_store(b, &other, i, i + 100);
	}
	tafe_bench_release(b, &a, TAFE_RESET);
	tafe_bench_release(b, &other, TAFE_RESET);
	tafe_array_free(&a);
	tafe_array_free(&other);
}

/* Bounds of three CTAs of twelve are known, the first of them that of CTA 2. */
static void sparse(struct tafe_bench *b)
{
	static const struct tafe_launch l = {{12, 1, 1}, {2, 1, 1}};
	static const uint32_t known[] = {2, 6, 9}, bound[] = {30, 40, 50};
	struct tafe_array rows = {.base = 0x1000, .elements = 24, .size = 2, .extents = 0x200, .apd = 1, .m = {1, 0, 0, 2}};
	struct tafe_array columns = {.entry = 1,
				     .type = TAFE_INDIR_RANGE,
				     .base = 0x2000,
				     .elements = 60,
				     .size = 2,
				     .extents = 0x240,
				     .apd = 2,
				     .c_e = 35,
				     .nested = &rows};

	tafe_array_init(&rows);
	tafe_array_init(&columns);
	tafe_bench_setup(b, &l);
	tafe_bench_register(b, &rows, 12);
	for (unsigned i = 0; i < 3; i++)
		tafe_array_store(b, &rows, 2 * known[i], bound[i]);
	tafe_bench_release(b, &rows, TAFE_READY);
	tafe_bench_register(b, &columns, 12);
	for (uint32_t i = 0; i < 60; i++)
		tafe_array_store(b, &columns, (i + 20) % 60, i);
	tafe_bench_release(b, &columns, TAFE_READY);
	tafe_array_free(&rows);
	tafe_array_free(&columns);
}

static void host_programs(struct scenario *s)
{
	static const struct tafe_launch cube = {{4, 3, 2}, {4, 2, 2}}, line = {{10, 1, 1}, {8, 1, 1}};
	struct tafe_array a = {.base = 0x1000,
			       .elements = 387,
			       .size = 2,
			       .extents = 0x200,
			       .apd = 1,
			       .m = {1, -4, 8, 96, 32, 16},
			       .c = 4,
			       .n = 1};
	struct tafe golden;
	struct tafe_bench b;

	tafe_reset(&golden, &params);
	tafe_bench_init(&b, (struct tafe_port){.params = params, .golden = &golden}, 7);
	b.watch = record;
	b.watch_ctx = s;
	fill(&b, &cube, a);
	memcpy(a.m, (int32_t[6]){1, 0, 0, 8}, sizeof a.m);
	a.n = 4, a.ofs = 80, a.c = 0, a.elements = 323;
	fill(&b, &line, a);
	a.n = 0, a.elements = 83;
	sparse(&b);
	tafe_host_memory(&b, 3); /* slow */
	by_turns(&b, &line, a);
	for (unsigned k = 0; k < 40; k++) {
		struct tafe_host h;

		tafe_host_memory(&b, k);
		tafe_host_make(&h, &b);
		tafe_host_run(&h, &b);
	}
	tafe_bench_free(&b);
}

Test(tafe_faults, each_of_44_is_caught_and_without_one_nothing_differs)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[300];

	scenario_init(&s, &tafe_block, &params);
	snprintf(s.owner, sizeof s.owner, "cpu");
	snprintf(s.rtl, sizeof s.rtl, "%s", faulty_rtl(path));
	s.n_pokes = 1;
	snprintf(s.poke[0].port, sizeof s.poke[0].port, "fault_i");
	host_programs(&s);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	s.poke[0].value = 0;
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
	cr_assert_eq(FAULTS, 44);
	for (unsigned i = 0; i < FAULTS; i++) {
		s.poke[0].value = i + 1;
		cr_expect(scenario_run(&s, lib.abi, NULL).failed, "%s: \"%s\" for \"%s\"", module[fault[i].module], fault[i].wrong,
			  fault[i].right);
	}
	scenario_free(&s);
	bind_close(&lib);
}

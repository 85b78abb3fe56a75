/* 777: faults that only some shapes show, and only at corners, are caught by the random steps that go there: an
 * address, a tag or a constant cut by its highest bit, a number of SMs that needs a sixth bit or is a power of two, a
 * digit that only widths of whole groups have, a polynomial of more than 10 bits.
 *
 * Each is a build of its own; `make shapes` has all of them, `make test` those that are quick to build.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/addr_decoder.h"
#include "hw/twins/locality_table.h"
#include "hw/twins/pin_replacement.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "support/corner_scenario.h"
#include "support/paver_bench.h"
#include "support/program.h"
#include "support/shape_matrix.h"
#include "support/tafe_host.h"
#include "support/wrong_terms.h"

/* ---- steps ---- */

static void corners(struct scenario *s)
{
	corner_scenario_fill(s, MATRIX_SEED, MATRIX_STEPS);
}

static void append(struct scenario *s, const void *in)
{
	uint64_t words[256];

	bind_pack(&s->layout.side[HW_INPUT], in, words);
	stim_append(&s->stim, s->stim.steps, false, words);
}

static void append_tafe(void *ctx, const struct tafe_bench *b)
{
	append(ctx, &b->in);
}

static void append_paver(void *ctx, const struct paver_bench *b)
{
	append(ctx, &b->in);
}

/* Random programs in front of TAFE, as in 731. */
static void host_programs(struct scenario *s)
{
	struct tafe golden;
	struct tafe_bench b;

	tafe_reset(&golden, (const struct tafe_params *)s->params);
	tafe_bench_init(&b, (struct tafe_port){.params = golden.p, .golden = &golden}, MATRIX_SEED);
	b.watch = append_tafe;
	b.watch_ctx = s;
	for (unsigned k = 0; k < 40; k++) {
		struct tafe_host h;

		tafe_host_memory(&b, k);
		tafe_host_make(&h, &b);
		tafe_host_run(&h, &b);
	}
	tafe_bench_free(&b);
}

/* A launch of more groups than 12 bits count, and some in which an SM with a high number is stolen from. */
static void launches(struct scenario *s)
{
	enum { GROUPS = 4200 };
	static struct paver_launch l;
	static uint32_t size[GROUPS];
	struct paver golden;
	struct paver_bench b;

	paver_reset(&golden, (const struct paver_params *)s->params);
	paver_bench_init(&b, (struct paver_port){.params = golden.p, .golden = &golden}, MATRIX_SEED);
	b.watch = append_paver;
	b.watch_ctx = s;
	b.run_min = 1;
	for (uint32_t last = golden.p.sms / 2; last < golden.p.sms; last++) {
		for (uint32_t g = 0; g < last; g++)
			size[g] = 1;
		size[last] = 200;
		paver_launch_make(&l, last + 1, size, true);
		paver_bench_run(&b, &l);
	}
	memset(size, 0, sizeof size);
	paver_launch_make(&l, GROUPS, size, true);
	paver_bench_run(&b, &l);
	paver_bench_free(&b);
}

/* ---- faults ---- */

static const struct fault {
	const char *what;
	const struct hw_block *block;
	const char *params, *file; /* file: where `right` is there once */
	const char *right, *wrong;
	bool quick; /* to build */
	void (*fill)(struct scenario *s);
} fault[] = {
	{"a tag's highest bit is not compared", &set_monitor_block, "sets=8 tag_w=57", "rtl/set_monitor/set_monitor.v",
	 "tag_q[acc_set_q*TAG_W +: TAG_W] != acc_tag_q", "tag_q[acc_set_q*TAG_W +: TAG_W-1] != acc_tag_q[TAG_W-2:0]", true,
	 corners},
	{"a bound's highest bit is not compared", &locality_table_block, "entries=4 addr_w=64",
	 "rtl/locality_table/locality_table.v", "look_addr_i < bound_q[i*ADDR_W +: ADDR_W]",
	 "look_addr_i[ADDR_W-2:0] < bound_q[i*ADDR_W +: ADDR_W-1]", true, corners},
	{"columns of the H-matrix end at bit 10", &pric_block, "sets=2048 poly=2053 addr_w=48 addr_bits=48",
	 "rtl/pric/pric_index.v", "(column & SETS) != 0", "(column & SETS & 2047) != 0", true, corners},
	{"the top digit of a whole group is left out", &addr_decoder_block, "addr_w=48 stacks=1 channels=3",
	 "rtl/decoder/div_const.v", "= x[8*n +: 8]", "= n == N - 1 ? {2'd0, x[8*n +: 6]} : x[8*n +: 8]", true, corners},
	{"bases are compared without their highest bit", &tafe_block, "addr_w=64 entries=2", "rtl/tafe/tafe_comparator.v",
	 "first_addr_q >= base_q[i*ADDR_W +: ADDR_W]", "first_addr_q[ADDR_W-2:0] >= base_q[i*ADDR_W +: ADDR_W-1]", false,
	 host_programs},
	{"a constant has 31 bits", &tafe_block, "addr_w=48 entries=2", "rtl/tafe/tafe_comparator.v",
	 "c_s_q[inv_entry_i*INDEX_W +: INDEX_W]", "{1'b0, c_s_q[inv_entry_i*INDEX_W +: INDEX_W-1]}", false, host_programs},
	{"a block's dimension has 8 bits", &tafe_block, "addr_w=48 entries=2", "rtl/tafe/tafe_inverse.v",
	 "= block_q[dim_q*BLOCK_W +: BLOCK_W]", "= {{BLOCK_W-8{1'b0}}, block_q[dim_q*BLOCK_W +: 8]}", false, host_programs},
	{"16 SMs divide by 0", &paver_block, "sms=16 ptr_w=13", "rtl/paver/paver_steal.v", "part >= DIVISOR[SM_W:0]",
	 "part >= {1'b0, DIVISOR[SM_W-1:0]}", false, corners},
	{"an SM's number has 5 bits", &paver_block, "sms=40 ptr_w=16", "rtl/paver/paver_dispatch.v", "<< hold_sm_i",
	 "<< hold_sm_i[4:0]", false, launches},
	{"a group's number has 10 bits", &paver_block, "sms=16 ptr_w=13", "rtl/paver/paver_dispatch.v",
	 "group ? group_q :", "group ? {{PTR_W-10{1'b0}}, group_q[9:0]} :", false, launches},
	{"a carry is lost at bit 12", &paver_block, "sms=16 ptr_w=13", "rtl/paver/paver_dispatch.v",
	 "group_q + {{PTR_W-1{1'b0}}, group}", "{group_q[PTR_W-1:12], group_q[11:0] + {11'd0, group}}", false, launches},
	{"a pin's time has 31 bits", &pin_replacement_block, "sets=2 ways=2 timer=2147483647",
	 "rtl/pin_replacement/pin_replacement.v", "elapsed = now_i - start_q", "elapsed = {1'b0, now_i[30:0] - start_q[30:0]}",
	 true, corners},
};

/* The block's files in a folder of their own, the fault in one of them. */
static void write_faulty(const struct fault *f, char top[300])
{
	char pattern[100], path[300];
	glob_t files;

	snprintf(pattern, sizeof pattern, "%.*s/*.v", (int)(strrchr(f->file, '/') - f->file), f->file);
	cr_assert_eq(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *text = wrong_terms_text(files.gl_pathv[i]);

		if (!strcmp(files.gl_pathv[i], f->file))
			text = wrong_terms_replace(text, f->right, f->wrong);
		wrong_terms_write(strrchr(files.gl_pathv[i], '/') + 1, text, path);
	}
	globfree(&files);
	snprintf(top, 300, "%s%s", program_tmp(), strrchr(f->block->source, '/'));
}

ParameterizedTestParameters(shape_matrix, fault_is_caught)
{
	static unsigned number[sizeof fault / sizeof fault[0]];
	size_t n = 0;

	for (unsigned i = 0; i < sizeof fault / sizeof fault[0]; i++)
		if (fault[i].quick || matrix_is_whole())
			number[n++] = i;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(unsigned *number, shape_matrix, fault_is_caught)
{
	const struct fault *f = &fault[*number];
	unsigned char params[BIND_PARAMS_MAX];
	struct scenario s;
	struct bind_rtl lib;
	struct outcome o;
	struct err e = {""};

	cr_assert_eq(bind_params_read(f->block, params, f->params, &e), 0, "%s", e.text);
	scenario_init(&s, f->block, params);
	write_faulty(f, s.rtl);
	f->fill(&s);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s: %s", f->what, e.text);
	o = scenario_run(&s, lib.abi, NULL);
	cr_expect(o.failed, "not caught: %s", f->what);
	if (matrix_is_whole() && o.failed)
		fprintf(stderr, "%-15s %s: caught in step %u\n", f->block->name, f->what, (unsigned)o.step);
	scenario_free(&s);
	bind_close(&lib);
}

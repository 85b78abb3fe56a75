#include "support/all_ops.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { WARPS = 2, TIMES = 3, REGS = 16 };

static const struct trace_inst body[] = {
	{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .reg = {1, 0}},
	{.op = OP_INT_MAD, .ndst = 1, .nsrc = 2, .reg = {2, 1, 0}},
	{.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .reg = {0, 2}},
	{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .reg = {3, 0}},
	{.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .ndst = 1, .nsrc = 1, .reg = {4, 0}},
	{.op = OP_LOAD, .space = SPACE_CONST, .width = 4, .ndst = 1, .nsrc = 1, .reg = {5, 0}},
	{.op = OP_FP32_MAD, .ndst = 1, .nsrc = 2, .reg = {6, 4, 5}},
	{.op = OP_FP32_DIV, .ndst = 1, .nsrc = 1, .reg = {7, 6}},
	{.op = OP_FP32_DIV, .ndst = 1, .nsrc = 1, .reg = {8, 6}},
	{.op = OP_FP64_MUL, .ndst = 1, .nsrc = 2, .reg = {9, 7, 8}},
	{.op = OP_FP64_MUL, .ndst = 1, .nsrc = 1, .reg = {10, 9}},
	{.op = OP_SFU, .ndst = 1, .nsrc = 1, .reg = {11, 10}},
	{.op = OP_SFU, .ndst = 1, .nsrc = 1, .reg = {12, 10}},
	{.op = OP_TENSOR_F16, .width = 11, .ndst = 1, .nsrc = 2, .reg = {13, 11, 12}},
	{.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .ndst = 0, .nsrc = 2, .reg = {13, 0}},
	{.op = OP_BRANCH, .ndst = 0, .nsrc = 1, .reg = {3}},
	{.op = OP_BARRIER},
};
enum { BODY = sizeof body / sizeof *body };

static void put_addrs(struct trace_writer *w, uint32_t warp, const struct trace_inst *in, uint64_t *seed)
{
	uint64_t addr[TRACE_WARP_SIZE], lines = in->op == OP_STORE ? 1 << 12 : random_below(seed, 2) ? 1 << 14 : 64;
	uint64_t first = random_below(seed, lines) * 128;

	if (in->space != SPACE_GLOBAL)
		first %= 2048;
	else
		first += 1 << 20;
	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		addr[l] = first + 4 * l;
	trace_put_addrs(w, warp, UINT32_MAX, addr);
}

static void put_warp(struct trace_writer *w, uint32_t warp, uint64_t *seed)
{
	for (unsigned i = 0; i < TIMES; i++) {
		trace_put_run(w, warp, 0, BODY, UINT32_MAX);
		for (unsigned pc = 0; pc < BODY; pc++)
			if (body[pc].space != SPACE_NONE)
				put_addrs(w, warp, &body[pc], seed);
	}
}

static void put_launch(struct trace_writer *w, uint32_t kernel, uint32_t ctas, uint64_t *seed)
{
	const uint32_t grid[] = {ctas, 1, 1}, block[] = {TRACE_WARP_SIZE * WARPS, 1, 1};
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, kernel, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < ctas; c++) {
		trace_cta_begin(w, c);
		for (uint32_t i = 0; i < WARPS; i++)
			put_warp(w, i, seed);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

struct trace *all_ops_program(uint64_t seed, uint32_t ctas)
{
	struct trace_inst inst[BODY];
	char *names[] = {"op"};
	struct trace_kernel k = {.n_inst = BODY,
				 .inst = inst,
				 .n_names = 1,
				 .names = names,
				 .n_regs = REGS,
				 .regs_per_thread = REGS,
				 .shared_bytes = 2048};
	struct trace_writer *w;
	struct trace *t;
	struct err e = {""};

	for (unsigned i = 0; i < BODY; i++)
		inst[i] = body[i];
	w = trace_writer_new(&(struct trace_options){.name = "all ops"}, &e);
	cr_assert(w, "%s", e.text);
	cr_assert_eq(trace_add_buffer(w, "A", 1 << 20, 1 << 22, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 2; i++) {
		k.name = i ? "second" : "first";
		trace_add_kernel(w, &k);
	}
	trace_set_const_base(w, 1 << 23);
	for (uint32_t i = 0; i < 2; i++)
		put_launch(w, i, ctas, &seed);
	t = trace_writer_finish(w, &e);
	cr_assert(t, "%s", e.text);
	return t;
}

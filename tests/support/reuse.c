#include "support/reuse.h"

#include <criterion/criterion.h>

enum { LINE = 128, MAX_ADDS = 62 };

static const uint64_t BASE = UINT64_C(1) << 28;

static void add_kernels(const struct reuse *r, struct trace_writer *w)
{
	struct trace_inst inst[MAX_ADDS + 3] = {
		{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1}};
	char name[] = "a", *names[] = {name};
	struct trace_kernel k = {.name = name, .inst = inst, .n_names = 1, .names = names, .n_regs = 1, .regs_per_thread = 8};

	cr_assert_leq(r->adds, MAX_ADDS);
	for (k.n_inst = 1; k.n_inst <= r->adds; k.n_inst++)
		inst[k.n_inst] = (struct trace_inst){.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .line = 2};
	inst[k.n_inst++] = (struct trace_inst){.op = OP_EXIT, .line = 3};
	inst[k.n_inst++] = (struct trace_inst){.op = OP_BARRIER, .line = 4};
	for (unsigned i = 0; i < r->kernels; i++, name[0]++)
		trace_add_kernel(w, &k);
}

/* warp: its number in the launch. */
static void add_warp(const struct reuse *r, struct trace_writer *w, unsigned in_cta, uint64_t warp)
{
	for (unsigned i = 0; i < r->loads; i++) {
		uint64_t addr[TRACE_WARP_SIZE], line = BASE + (warp * r->lines + i % r->lines) * LINE;

		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = line + 4 * l;
		if (r->meet)
			trace_put_run(w, in_cta, 2 + r->adds, 1, UINT32_MAX);
		trace_put_run(w, in_cta, 0, 1 + r->adds, UINT32_MAX);
		trace_put_addrs(w, in_cta, UINT32_MAX, addr);
	}
	trace_put_run(w, in_cta, 1 + r->adds, 1, UINT32_MAX);
}

static void add_launch(const struct reuse *r, struct trace_writer *w, unsigned kernel)
{
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, kernel, (uint32_t[]){r->ctas, 1, 1}, (uint32_t[]){32 * r->warps, 1, 1}, 0, &e), 0, "%s",
		     e.text);
	for (unsigned c = 0; c < r->ctas; c++) {
		trace_cta_begin(w, c);
		for (unsigned i = 0; i < r->warps; i++)
			add_warp(r, w, i, c * r->warps + i);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

struct trace *reuse_record(const struct reuse *r)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "reuse"}, &e);
	struct trace *t;

	cr_assert_not_null(w, "%s", e.text);
	add_kernels(r, w);
	for (unsigned i = 0; i < r->launches; i++)
		add_launch(r, w, i % r->kernels);
	t = trace_writer_finish(w, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

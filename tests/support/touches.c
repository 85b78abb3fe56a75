#include "support/touches.h"

#include <criterion/criterion.h>

static void put_cta(struct trace_writer *w, const struct touches *c, unsigned cta)
{
	struct err e = {""};

	trace_cta_begin(w, cta);
	for (unsigned l = 0; l < TOUCHES_MOST && c->page[cta][l] != TOUCHES_END; l++) {
		uint64_t addr[TRACE_WARP_SIZE] = {TOUCHES_BASE + (uint64_t)c->page[cta][l] * TOUCHES_PAGE + 128 * cta};

		trace_put_run(w, 0, 0, 1, 1);
		trace_put_addrs(w, 0, 1, addr);
	}
	trace_put_run(w, 0, 1, 1, 1);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
}

struct trace *touches_trace(const struct touches *c)
{
	struct trace_inst inst[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1},
				     {.op = OP_EXIT, .nsrc = 1, .line = 2}};
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"touch",
				 .n_inst = 2,
				 .inst = inst,
				 .n_names = 1,
				 .names = &name,
				 .n_regs = 1,
				 .regs_per_thread = 2};
	struct trace_options o = {.name = "touch"};
	const uint32_t grid[3] = {TOUCHES_CTAS, 1, 1}, block[3] = {1, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_add_buffer(w, "x", TOUCHES_BASE, (uint64_t)c->pages * TOUCHES_PAGE, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < TOUCHES_CTAS; i++)
		put_cta(w, c, i);
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	return trace_writer_finish(w, &e);
}

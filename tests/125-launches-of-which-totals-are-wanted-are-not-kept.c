/* 125: where nobody asks what single launches did, a run keeps none of them: its metrics and invariants are the same,
 * and its memory does not grow with them. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "support/machine.h"
#include "support/peak_memory.h"

enum { FEW = 5, MANY = 4000 };

static struct trace *trace_of(uint32_t launches)
{
	struct trace_inst inst[2] = {
		{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1},
		{.op = OP_EXIT, .nsrc = 1, .line = 2},
	};
	char name[] = "load", *names[] = {name};
	struct trace_kernel k = {
		.name = name, .n_inst = 2, .inst = inst, .n_names = 1, .names = names, .n_regs = 1, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "loads"}, &e);
	uint64_t addr[TRACE_WARP_SIZE];

	trace_add_kernel(w, &k);
	for (uint32_t i = 0; i < launches; i++) {
		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = 0x10000000 + i % 64 * 128 + l * 4;
		cr_assert_eq(trace_launch_begin(w, 0, (uint32_t[]){1, 1, 1}, (uint32_t[]){32, 1, 1}, 0, &e), 0);
		trace_cta_begin(w, 0);
		trace_put_run(w, 0, 0, 2, UINT32_MAX);
		trace_put_addrs(w, 0, UINT32_MAX, addr);
		cr_assert_eq(trace_cta_end(w, &e), 0);
		cr_assert_eq(trace_launch_end(w, &e), 0);
	}
	return trace_writer_finish(w, &e);
}

static struct gpu_result run(struct trace *t, bool totals_only)
{
	struct machine m = machine_with(NULL);
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&(struct gpu_config){.machine = &m, .trace = t, .totals_only = totals_only}, &r, &e), 0, "%s", e.text);
	return r;
}

static char *text_of(const struct stats *s)
{
	json_t *o = stats_json(s);
	char *text = json_dumps(o, 0);

	json_decref(o);
	return text;
}

Test(totals, are_those_of_a_run_that_keeps_its_launches)
{
	struct trace *t = trace_of(FEW);
	struct gpu_result all = run(t, false), totals = run(t, true);
	char *a = text_of(&all.stats), *b = text_of(&totals.stats);

	cr_assert_str_eq(a, b);
	cr_assert(all.n_launches == FEW && totals.n_launches == 0 && !totals.launch);
	cr_assert(all.audit.n == totals.audit.n && !all.audit.failed && !totals.audit.failed);
	free(a);
	free(b);
	gpu_result_free(&all);
	gpu_result_free(&totals);
	trace_close(t);
}

/* The trace says of a launch, the first or the last, that it has an instruction more than it has. */
Test(totals, a_launch_that_did_other_work_is_found)
{
	for (uint32_t wrong = 0; wrong < FEW; wrong += FEW - 1) {
		struct trace *t = trace_of(FEW);
		struct gpu_result r;

		((struct trace_launch *)trace_launch(t, wrong))->warp_insts++;
		r = run(t, true);
		cr_assert_gt(r.audit.failed, 0, "launch %u", wrong);
		gpu_result_free(&r);
		trace_close(t);
	}
}

/* What is kept of a launch is 4 KB of counters, 16 MiB of 4,000, and its metrics. The first run takes what the machine
 * does. */
Test(totals, do_not_grow_with_launches)
{
	struct trace *few = trace_of(FEW), *many = trace_of(MANY);
	struct gpu_result r = run(few, true);
	double before = peak_mib();

	gpu_result_free(&r);
	r = run(many, true);
	peak_expect_at_most(4, before);
	gpu_result_free(&r);
	trace_close(few);
	trace_close(many);
}

/* 464: a launch's first CTA is sent launch.latency core cycles after it, and a CTA is launch.cta_latency core cycles on
 * its way (csim/dispatch/dispatch.h). */
#include <criterion/criterion.h>

#include "run/gpu.h"
#include "support/machine.h"

/* Launches of one warp that does nothing but end. */
static struct trace *launches(unsigned n)
{
	const struct trace_options o = {.name = "launches"};
	const uint32_t one[3] = {1, 1, 1}, warp[3] = {TRACE_WARP_SIZE, 1, 1};
	struct trace_inst exit = {.op = OP_EXIT, .line = 1};
	char *name = (char *)"exit";
	struct trace_kernel k = {.name = (char *)"k", .n_inst = 1, .inst = &exit, .n_names = 1, .names = &name, .n_regs = 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert(w, "%s", e.text);
	trace_add_kernel(w, &k);
	for (unsigned i = 0; i < n; i++) {
		cr_assert_eq(trace_launch_begin(w, 0, one, warp, 0, &e), 0, "%s", e.text);
		trace_cta_begin(w, 0);
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
		cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	}
	return trace_writer_finish(w, &e);
}

/* The CTA is on its way, its exit issues in the cycle in which it is there, and the dispatcher hears of it
 * a cycle later, in which the next launch begins. */
Test(launch, sends_its_first_cta_so_many_cycles_later)
{
	static const char *const set[][2] = {{"launch.latency=0"},	 {"launch.latency=1"},
					     {"launch.latency=5000"},	 {"launch.cta_latency=1"},
					     {"launch.cta_latency=300"}, {"launch.latency=40", "launch.cta_latency=300"}};
	static const uint64_t latency[] = {0, 1, 5000, 0, 0, 40}, on_its_way[] = {1, 1, 1, 1, 300, 300};

	for (unsigned i = 0; i < 6; i++)
		for (unsigned n = 1; n <= 3; n++) {
			struct machine m = machine_with((const char *const[]){set[i][0], set[i][1], NULL});
			struct trace *t = launches(n);
			struct gpu_config c = {.machine = &m, .trace = t};
			struct gpu_result r;
			struct err e = {""};

			cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
			cr_expect_eq(r.audit.failed, 0);
			cr_expect_eq(r.cycles, n * (latency[i] + on_its_way[i] + 1) + 1, "%u launches, %s: %lu cycles", n,
				     set[i][0], r.cycles);
			gpu_result_free(&r);
			trace_close(t);
		}
}

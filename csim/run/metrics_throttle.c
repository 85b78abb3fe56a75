/* Metrics and invariants of warp throttling by core sampling (csim/throttle/): rows "throttle.*". */
#include <stdio.h>

#include "run/gpu_impl.h"

struct throttle_counts { /* all words; of all programs and SMs */
	struct coordinator_counts coordinator;
	uint64_t messages, opened, limited_cycles, sm_cycles;
};

#define C(field) METRIC_OF(struct throttle_counts, field)

/* clang-format off */
static const struct metric rows[] = {
	{"throttle.periods", "", "sampling periods whose misses were compared with the threshold", METRIC_COUNT, OF_RUN, .a = C(coordinator.periods)},
	{"throttle.periods_above", "", "sampling periods with misses above the threshold", METRIC_COUNT, OF_RUN, .a = C(coordinator.above)},
	{"throttle.rounds", "", "sampling rounds started", METRIC_COUNT, OF_RUN, .a = C(coordinator.rounds)},
	{"throttle.winners", "", "sampling rounds that selected a number of warps", METRIC_COUNT, OF_RUN, .a = C(coordinator.winners)},
	{"throttle.reused", "", "times that a kernel reused its selected number of warps", METRIC_COUNT, OF_RUN, .a = C(coordinator.reused)},
	{"throttle.limited", "%", "SM cycles with a warp limit / all SM cycles", METRIC_PERCENT, OF_RUN, .a = C(limited_cycles), .b = C(sm_cycles)},
	{"throttle.opened", "", "times that the watchdog lifted an SM's limit for a period because no warp had ended", METRIC_COUNT, OF_RUN, .a = C(opened)},
	{"throttle.messages", "", "messages from SMs to throttle coordinators", METRIC_COUNT, OF_RUN_DETAIL, .a = C(messages)},
	{"throttle.orders", "", "messages from throttle coordinators to SMs", METRIC_COUNT, OF_RUN_DETAIL, .a = C(coordinator.orders)},
};
/* clang-format on */

const struct metric_table gpu_throttle_metrics = METRIC_TABLE(rows);

static struct throttle_counts total(const struct gpu *g)
{
	const struct gpu_throttle *t = &g->throttle;
	struct throttle_counts c = {.sm_cycles = g->cycles * g->m->sm.count};

	for (uint32_t p = 0; p < t->programs; p++)
		METRICS_ADD(&c.coordinator, &t->coordinator[p].count);
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		c.messages += t->sampler[s].messages;
		c.opened += t->sampler[s].opened;
		c.limited_cycles += sampler_limited_cycles(&t->sampler[s], g->cycles);
	}
	return c;
}

static void kernel_row(struct stats *to, unsigned flags, const char *kernel, const char *what, uint64_t value, const char *unit,
		       const char *meaning)
{
	char key[320];

	snprintf(key, sizeof key, "throttle.kernel.%.256s.%s", kernel, what);
	stats_count(to, flags, key, value, unit, meaning);
}

static void report_kernels(const struct gpu *g, uint32_t program, struct stats *to)
{
	const struct gpu_throttle *t = &g->throttle;
	uint32_t kernels = trace_n_kernels(g->trace);

	for (uint32_t k = 0; k < kernels; k++) {
		uint32_t slot = t->slot_of[program * kernels + k];
		const struct coordinator_kernel *of = slot == THROTTLE_NO_SLOT ? NULL : &t->coordinator[program].kernel[slot];
		const char *name = trace_kernel(g->trace, k)->name;

		if (!of || !of->rounds)
			continue;
		kernel_row(to, 0, name, "winner", of->winner, "warps", "warps per scheduler last selected; 0: none yet");
		kernel_row(to, STAT_DETAIL, name, "cycle", of->since, "core cycles", "");
		kernel_row(to, STAT_DETAIL, name, "rounds", of->rounds, "", "");
	}
}

void gpu_report_throttle(const struct gpu *g, struct stats *to)
{
	struct throttle_counts c;

	if (!g->throttle.on)
		return;
	c = total(g);
	metrics_rows(to, &gpu_throttle_metrics, &(struct metric_view){.prefix = "", .shown = OF_RUN | OF_RUN_DETAIL}, &c);
	for (uint32_t p = 0; p < g->throttle.programs; p++)
		report_kernels(g, p, to);
}

/* ---- invariants ---- */

/* Samplers of a program receive the same messages and count the same cycles, so their counts agree per kernel. */
static uint64_t samplers_that_differ(const struct gpu *g)
{
	const struct gpu_throttle *t = &g->throttle;
	uint64_t n = 0;

	for (uint32_t p = 0; p < t->programs; p++)
		for (uint32_t s = 0, first = UINT32_MAX; s < g->m->sm.count; s++) {
			if (t->sampler[s].c.slot_of != &t->slot_of[p * trace_n_kernels(g->trace)])
				continue;
			first = first == UINT32_MAX ? s : first;
			n += t->sampler[s].messages != t->sampler[first].messages;
		}
	return n;
}

void gpu_audit_throttle(const struct gpu *g, bool ended, struct audit *a)
{
	struct throttle_counts c;

	if (!g->throttle.on)
		return;
	c = total(g);
	audit_at_most(a, "throttle: cycles with a limit <= cycles of the SMs", c.limited_cycles, c.sm_cycles);
	audit_at_most(a, "throttle: periods above the threshold <= periods compared", c.coordinator.above, c.coordinator.periods);
	audit_at_most(a, "throttle: selections <= sampling rounds", c.coordinator.winners, c.coordinator.rounds);
	audit_at_most(a, "throttle: orders <= messages", c.coordinator.orders, c.messages);
	audit_equal(a, "throttle: SMs whose number of messages differs from that of their program's first SM",
		    samplers_that_differ(g), 0);
	if (ended)
		audit_equal(a, "throttle: messages = orders at the end of a complete run", c.messages, c.coordinator.orders);
}

/* Levels: what is so at a moment in SMs and in the memory system, for metrics over time. */
#include "run/gpu_impl.h"

#define LEVEL(name, unit, field, meaning)                                                                                          \
	{                                                                                                                          \
		name, unit, meaning, METRIC_LEVEL, OF_INTERVAL, .a = METRIC_OF(struct interval_levels, field)                      \
	}

/* clang-format off */
static const struct metric sm_rows[] = {
	LEVEL("warps.running", "warps", running, "resident warps that have not exited, at the end of the interval"),
	LEVEL("warps.allowed", "warps", allowed, "running warps that the throttle lets issue"),
	LEVEL("warps.ready", "warps", ready, "running warps whose next instruction has its operands"),
	LEVEL("warps.at_barrier", "warps", at_barrier, "running warps that wait at a barrier"),
	LEVEL("warps.wait_memory", "warps", wait_memory, "running warps that wait for memory data or a fence"),
	LEVEL("lsu.accesses", "", accesses, "loads in flight and stores not acknowledged"),
	LEVEL("l1.mshrs", "entries", mshrs, "L1 MSHR entries in use"),
	LEVEL("l1.miss_queue", "packets", miss_queue, "packets in L1 miss queues that wait for the network"),
	LEVEL("l1.bypassed", "", bypassed, "L1s that their policy bypasses entirely"),
};

static const struct metric memsys_rows[] = {
	LEVEL("net.request.queue", "packets", requests, "packets in the request network, waiting or in flight"),
	LEVEL("net.reply.queue", "packets", replies, "packets in the reply network, waiting or in flight"),
	LEVEL("l2.queue", "requests", in_slices, "requests accepted by L2 slices and not answered"),
};

static const struct metric channel_rows[] = {
	LEVEL("dram.queue", "requests", in_channels, "requests waiting in the DRAM controllers, at the end of the interval"),
};
/* clang-format on */

const struct metric_table gpu_sm_levels_metrics = METRIC_TABLE(sm_rows), gpu_memsys_levels_metrics = METRIC_TABLE(memsys_rows),
			  gpu_channel_levels_metrics = METRIC_TABLE(channel_rows);

static uint64_t count(uint64_t warps)
{
	return (unsigned)__builtin_popcountll(warps);
}

struct interval_levels gpu_sm_levels(const struct sm *sm)
{
	const struct load_policy *policy = &sm->lsu.l1.policy;
	uint64_t ready = 0;

	for (unsigned u = 0; u < UNIT_COUNT; u++)
		ready |= sm->ready[u];
	return (struct interval_levels){.running = count(sm->running),
					.allowed = count(sm->running & sm->throttle.active),
					.ready = count(ready),
					.at_barrier = count(sm->at_barrier),
					.wait_memory = count(sm->running & sm->waits_memory),
					.accesses = sm->lsu.in_flight,
					.mshrs = mshr_in_use(&sm->lsu.l1.mshr),
					.miss_queue = miss_queue_waiting(&sm->lsu.l1.queue),
					.bypassed = policy->ops->bypassed && policy->ops->bypassed(policy->state)};
}

static uint64_t in_net(const struct net *n)
{
	uint64_t packets = 0;

	for (uint32_t i = 0; i < n->p.inputs; i++)
		packets += queue_count(&n->in[i].q);
	for (uint32_t o = 0; o < n->p.outputs; o++)
		packets += queue_count(&n->out[o].q);
	return packets;
}

struct interval_levels gpu_memsys_levels(const struct memsys *s)
{
	struct interval_levels l = {0};

	for (uint32_t i = 0; i < s->pairs; i++) {
		l.requests += in_net(&s->pair[i].request);
		l.replies += in_net(&s->pair[i].reply);
	}
	for (uint32_t i = 0; i < s->slices; i++)
		l.in_slices += s->pipe[i]->stats.accepted - s->pipe[i]->stats.answered;
	for (uint32_t c = 0; c < s->channels; c++)
		l.in_channels += dram_waiting(&s->channel[c]);
	return l;
}

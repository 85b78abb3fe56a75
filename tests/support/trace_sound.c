#include "support/trace_sound.h"

#include <string.h>
#include <xxhash.h>

/* The records of one run, from *addr on. */
static const char *unsound_records(const struct trace_kernel *k, const struct trace_run *r, const struct trace_cta *c,
				   uint32_t *addr)
{
	uint32_t shape;

	for (uint32_t p = r->pc; r->mask && p < r->pc + r->len; p++) {
		if (k->inst[p].space == SPACE_NONE || k->inst[p].space == SPACE_PARAM)
			continue;
		if (*addr >= c->n_addrs)
			return "a memory instruction without a record";
		shape = c->addrs[*addr] & TRACE_LISTED;
		if (shape == TRACE_LISTED ? trace_addr_at(c, *addr).list + (uint64_t)__builtin_popcount(r->mask) > c->n_lanes
					  : shape >= c->n_shapes || c->shapes[shape].shift > 5)
			return "a record outside its bounds";
		++*addr;
	}
	return NULL;
}

static const char *unsound_warp(const struct trace_kernel *k, const struct trace_cta *c, const struct trace_warp *w, uint32_t exist,
				uint32_t *run, uint32_t *addr)
{
	uint64_t insts = 0;

	if (w->first_run != *run || w->first_addr != *addr || !w->n_runs)
		return "a warp that does not begin where the one before ends, or has no run";
	for (uint32_t i = 0; i < w->n_runs; i++, ++*run) {
		const struct trace_run *r = &c->runs[*run];
		const char *wrong;

		if (*run >= c->n_runs || !r->len || r->pc >= k->n_inst || r->len > k->n_inst - r->pc)
			return "a run outside the kernel";
		if (r->mask & ~exist)
			return "lanes that do not exist";
		insts += r->len;
		wrong = unsound_records(k, r, c, addr);
		if (wrong)
			return wrong;
	}
	return w->insts != insts || w->n_addrs != *addr - w->first_addr ? "wrong sums" : NULL;
}

const char *trace_unsound(const struct trace *t, uint32_t launch, const struct trace_cta *c)
{
	const struct trace_launch *l = trace_launch(t, launch);
	uint32_t threads = l->block[0] * l->block[1] * l->block[2], run = 0, addr = 0;
	const char *wrong = NULL;

	if (c->n_warps != l->warps_per_cta || c->n_warps > TRACE_MAX_WARPS)
		return "a wrong number of warps";
	for (uint32_t w = 0; w < c->n_warps && !wrong; w++) {
		uint32_t exist = threads - 32 * w >= 32 ? UINT32_MAX : (1u << (threads - 32 * w)) - 1;

		wrong = unsound_warp(trace_kernel(t, l->kernel), c, &c->warp[w], exist, &run, &addr);
	}
	return !wrong && (run != c->n_runs || addr != c->n_addrs) ? "runs or records of no warp" : wrong;
}

static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

static void set_u64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

void trace_seal(uint8_t *file)
{
	uint64_t at = u64_at(file + 16), content = u64_at(file + 24), storage = u64_at(file + 40);

	set_u64(file + 32, XXH64(file + at, content, 0));
	set_u64(file + 48, XXH64(file + at + content, storage, 0));
	set_u64(file + 56, XXH64(file, 56, 0));
}

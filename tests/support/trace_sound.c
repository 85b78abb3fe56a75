#include "support/trace_sound.h"

#include <string.h>
#include <xxhash.h>

#include "trace/walk.h"

/* The records of one run, from *addr on. */
static const char *unsound_records(const struct trace_kernel *k, const struct trace_run *r, const struct trace_cta *c,
				   uint32_t *addr)
{
	uint32_t shape;

	for (uint32_t p = r->pc; r->mask && p < r->pc + r->len; p++) {
		if (!trace_has_record(&k->inst[p]))
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

static const char *unsound_access(const struct trace_sync *s, const struct trace_sync_access *a, const struct trace_access *at,
				  const struct trace_cta *c)
{
	if (a->access != at->addr - c->warp[a->warp].first_addr)
		return "an ordering access without a record, or out of order";
	if (!a->n_items || a->first_item > s->n_items || a->n_items > s->n_items - a->first_item || a->first_tail > s->n_tails ||
	    a->n_tail > s->n_tails - a->first_tail)
		return "an ordering access without its items or runs";
	for (uint32_t i = 0; i < a->n_items && i < 100; i++) {
		const struct trace_sync_item *it = &s->item[a->first_item + i];
		const struct trace_sync_word *w = it->word < s->n_words ? &s->word[it->word] : NULL;

		if (!w || it->need > w->n || (uint64_t)it->first + it->n > w->n)
			return "an item outside its word";
		if (w->cta == TRACE_SYNC_GLOBAL ? at->inst->space != SPACE_GLOBAL
						: at->inst->space != SPACE_SHARED || w->cta != c->id)
			return "a word of other memory than its access";
	}
	return !a->insts != !a->records || a->records > a->insts || a->records > a->access + 1 ? "wrong counts of an attempt"
											       : NULL;
}

/* Each is met by a walk over the CTA, which is in the same order. */
static const char *unsound_sync(const struct trace_kernel *k, const struct trace_sync *s, const struct trace_cta *c)
{
	uint32_t next = s->first_access[c->id], end = s->first_access[c->id + 1];
	const char *wrong = NULL;
	struct trace_access at;

	for (uint32_t w = 0; w < c->n_warps && next < end && !wrong; w++)
		for (struct trace_cursor walk = trace_cursor_of(c, w); !wrong && trace_next_access(k, c, &walk, &at);)
			if (next < end && s->access[next].warp == w && s->access[next].access <= at.addr - c->warp[w].first_addr)
				wrong = unsound_access(s, &s->access[next++], &at, c);
	return wrong ? wrong : next < end ? "an ordering access that no warp has" : NULL;
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
	if (!wrong && trace_sync(t, launch))
		wrong = unsound_sync(trace_kernel(t, l->kernel), trace_sync(t, launch), c);
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

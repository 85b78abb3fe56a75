#include "trace/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define JOIN_ALIGN (UINT64_C(1) << 21)

static bool moves(const struct trace_inst *i)
{
	return i->space == SPACE_GLOBAL || i->space == SPACE_CONST || i->space == SPACE_TEX;
}

static void copy_run(struct trace_writer *w, const struct trace_cta *c, const struct trace_kernel *k, uint32_t warp,
		     const struct trace_run *run, uint32_t *next, uint64_t moved)
{
	uint64_t lane[TRACE_WARP_SIZE] = {0};

	trace_put_run(w, warp, run->pc, run->len, run->mask);
	for (uint32_t pc = run->pc; pc < run->pc + run->len && run->mask; pc++) {
		if (!trace_has_record(&k->inst[pc]))
			continue;
		trace_addr_expand(c, (*next)++, run->mask, lane);
		for (unsigned l = 0; l < TRACE_WARP_SIZE && moves(&k->inst[pc]); l++)
			lane[l] += run->mask >> l & 1 ? moved : 0;
		trace_put_addrs(w, warp, run->mask, lane);
	}
}

static int copy_cta(struct trace_writer *w, const struct trace_cta *c, const struct trace_kernel *k, uint64_t moved, struct err *e)
{
	trace_cta_begin(w, c->id);
	for (uint32_t i = 0; i < c->n_warps; i++) {
		uint32_t next = c->warp[i].first_addr;

		for (uint32_t r = c->warp[i].first_run; r < c->warp[i].first_run + c->warp[i].n_runs; r++)
			copy_run(w, c, k, i, &c->runs[r], &next, moved);
	}
	return trace_cta_end(w, e);
}

/* Each launch of a part waits for those before the part too. */
static void copy_waits(struct trace_writer *w, const struct trace_part *p, const struct trace_launch *l)
{
	uint32_t moved[TRACE_MAX_WAITS];

	for (uint32_t i = 0; i < l->n_waits; i++)
		moved[i] = p->first_launch + trace_waits(p->trace, l)[i];
	trace_set_waits(w, p->first_launch + l->below, l->n_waits, moved);
}

/* A word of global memory is moved like the addresses of the accesses. */
static void copy_sync(struct trace_writer *w, const struct trace_part *p, uint32_t launch)
{
	const struct trace_sync *from = trace_sync(p->trace, launch);
	struct trace_sync to;

	if (!from)
		return;
	to = *from;
	to.word = xcalloc((size_t)to.n_words + 1, sizeof *to.word);
	memcpy(to.word, from->word, to.n_words * sizeof *to.word);
	for (uint32_t i = 0; i < to.n_words; i++)
		if (to.word[i].cta == TRACE_SYNC_GLOBAL)
			to.word[i].addr += p->moved;
	trace_set_sync(w, &to);
	free(to.word);
}

static int copy_launch(struct trace_writer *w, const struct trace_part *p, uint32_t launch, uint32_t first_kernel, struct err *e)
{
	const struct trace_launch *l = trace_launch(p->trace, launch);
	const struct trace_kernel *k = trace_kernel(p->trace, l->kernel);
	struct trace_cta c = {0};
	int rc;

	copy_waits(w, p, l);
	rc = trace_launch_begin(w, first_kernel + l->kernel, l->grid, l->block, l->dynamic_shared_bytes, e);

	for (uint32_t i = 0; i < l->n_ctas && !rc; i++) {
		rc = trace_read_cta(p->trace, launch, i, &c, e);
		if (!rc)
			rc = copy_cta(w, &c, k, p->moved, e);
	}
	trace_cta_free(&c);
	if (rc)
		return rc;
	copy_sync(w, p, launch);
	return trace_launch_end(w, e);
}

static int copy_buffers(struct trace_writer *w, const struct trace_part *p, uint64_t *end, struct err *e)
{
	char name[512];

	for (uint32_t b = 0; b < trace_n_buffers(p->trace); b++) {
		const struct trace_buffer *from = trace_buffer(p->trace, b);

		snprintf(name, sizeof name, "%s.%s", p->name, from->name);
		if (trace_add_buffer(w, name, from->base + p->moved, from->size, e))
			return -1;
		if (*end < from->base + p->moved + from->size)
			*end = from->base + p->moved + from->size;
	}
	return 0;
}

/* Those before launch l, from number `next` on. */
static uint64_t copy_copies(struct trace_writer *w, const struct trace_part *p, uint64_t next, uint32_t l)
{
	for (; next < trace_n_copies(p->trace) && trace_copy(p->trace, next)->before_launch == l; next++) {
		struct trace_copy c = *trace_copy(p->trace, next);

		c.to += c.to ? p->moved : 0;
		c.from += c.from ? p->moved : 0;
		trace_add_copy(w, &c);
	}
	return next;
}

static int copy_launches(struct trace_writer *w, const struct trace_part *p, uint32_t first_kernel, struct err *e)
{
	uint64_t store = 0, copy = 0, n_stores = trace_n_stores(p->trace);

	for (uint32_t l = 0; l <= trace_n_launches(p->trace); l++) {
		for (; store < n_stores && trace_store(p->trace, store)->before_launch == l; store++) {
			const struct trace_store *s = trace_store(p->trace, store);

			trace_add_store(w, s->addr + p->moved, s->bytes, s->value);
		}
		copy = copy_copies(w, p, copy, l);
		if (l < trace_n_launches(p->trace) && copy_launch(w, p, l, first_kernel, e))
			return -1;
	}
	return 0;
}

static int join(struct trace_writer *w, struct trace_part *part, uint32_t n, struct err *e)
{
	uint32_t kernels = 0, launches = 0, buffers = 0, sms = 0;
	uint64_t end = 0, const_base = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct trace_part *p = &part[i];

		p->moved = (end + JOIN_ALIGN - 1) / JOIN_ALIGN * JOIN_ALIGN;
		p->first_launch = launches;
		p->first_buffer = buffers;
		if (const_base < trace_const_base(p->trace) + p->moved)
			const_base = trace_const_base(p->trace) + p->moved;
		if (end < const_base)
			end = const_base;
		if (sms && trace_check_machine(p->trace, sms, true, e))
			return -1;
		if (trace_independent_lanes(p->trace))
			trace_set_independent_lanes(w);
		sms = sms ? sms : trace_sms(p->trace);
		for (uint32_t k = 0; k < trace_n_kernels(p->trace); k++)
			trace_add_kernel(w, trace_kernel(p->trace, k));
		if (copy_buffers(w, p, &end, e) || copy_launches(w, p, kernels, e))
			return -1;
		kernels += trace_n_kernels(p->trace);
		launches += trace_n_launches(p->trace);
		buffers += trace_n_buffers(p->trace);
	}
	trace_set_const_base(w, const_base);
	trace_set_sms(w, sms);
	return 0;
}

struct trace *trace_join(struct trace_part *part, uint32_t n, const struct trace_options *o, struct err *e)
{
	struct trace_writer *w = trace_writer_new(o, e);

	if (!w)
		return NULL;
	if (join(w, part, n, e)) {
		trace_writer_drop(w);
		return NULL;
	}
	return trace_writer_finish(w, e);
}

#include "ptx/exec/sanitizer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/exec/findings.h"

/* The last access of a kind to a byte; clock 0: there was none. */
struct touch {
	uint32_t clock, pc;
	uint16_t thread;
	bool atomic;
};

struct sanitizer {
	struct order_of_warps order;
	uint32_t shared_bytes, n_warps, local_bytes;
	struct touch *written; /* by byte of shared memory */
	struct touch *read;    /* by byte and warp */
	uint8_t *is_written;   /* by byte of shared memory, then of local memory, thread by thread: in this CTA */
};

struct sanitizer *sanitizer_new(const struct exec *x)
{
	const struct findings *f = x->k->module->findings;
	struct sanitizer *c = f && f->what ? xcalloc(1, sizeof *c) : NULL;

	if (!c)
		return NULL;
	c->shared_bytes = x->shared_bytes;
	c->n_warps = x->n_warps;
	c->local_bytes = x->k->trace.local_bytes;
	if (f->what & FINDINGS_RACES) {
		c->written = xcalloc(c->shared_bytes + 1u, sizeof *c->written);
		c->read = xcalloc((size_t)c->shared_bytes * c->n_warps + 1, sizeof *c->read);
	}
	if (f->what & FINDINGS_UNWRITTEN)
		c->is_written = xcalloc(1, c->shared_bytes + (size_t)c->n_warps * LANES * c->local_bytes + 1);
	return c;
}

void sanitizer_free(struct sanitizer *c)
{
	if (!c)
		return;
	order_free(&c->order);
	free(c->written);
	free(c->read);
	free(c->is_written);
	free(c);
}

void sanitizer_begin(struct sanitizer *c, const struct exec *x)
{
	order_begin(&c->order, x->n_warps, (c->shared_bytes + 3) / 4);
	if (c->is_written)
		memset(c->is_written, 0, c->shared_bytes + (size_t)c->n_warps * LANES * c->local_bytes);
}

struct order_of_warps *sanitizer_order(struct sanitizer *c)
{
	return &c->order;
}

/* ---- what an access is ---- */

struct now {
	struct exec *x;
	const struct warp *w;
	const struct insn *i;
	enum trace_space space;
	bool writes, reads, atomic;
	uint32_t clock, bytes; /* bytes: of a lane */
};

static uint32_t thread_of(const struct now *n, unsigned lane)
{
	return n->w->id * LANES + lane;
}

static void found(const struct now *n, enum finding_kind kind, uint64_t offset, struct finding_at first, unsigned lane)
{
	const struct exec *x = n->x;
	const struct finding where = {.kind = kind,
				      .space = n->space,
				      .launch = x->k->module->findings->launch,
				      .cta = x->cta,
				      .cta_at = {x->cta_at[0], x->cta_at[1], x->cta_at[2]},
				      .offset = offset};

	findings_add(x->k->module->findings, x->k, &where, first, (struct finding_at){n->i->pc, thread_of(n, lane)});
}

void sanitizer_divergent(const struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask)
{
	struct findings *f = x->k->module->findings;
	const struct finding where = {
		.kind = FINDING_BARRIER, .launch = f->launch, .cta = x->cta, .cta_at = {x->cta_at[0], x->cta_at[1], x->cta_at[2]}};

	if (f->what & FINDINGS_RACES)
		findings_add(f, x->k, &where, (struct finding_at){0, 0},
			     (struct finding_at){i->pc, w->id * LANES + (unsigned)__builtin_ctz(mask)});
}

/* ---- races ---- */

/* A touch of another warp's that nothing puts in order with this one. */
static bool is_race(const struct now *n, const struct touch *t)
{
	return t->clock && !(t->atomic && n->atomic) &&
	       !order_is_before(&n->x->sanitizer->order, t->thread / LANES, t->clock, n->w->id);
}

static const struct touch *race_at(const struct now *n, uint64_t byte)
{
	const struct sanitizer *c = n->x->sanitizer;

	if (is_race(n, &c->written[byte]))
		return &c->written[byte];
	for (unsigned v = 0; n->writes && v < c->n_warps; v++)
		if (is_race(n, &c->read[byte * c->n_warps + v]))
			return &c->read[byte * c->n_warps + v];
	return NULL;
}

static void touch(const struct now *n, uint64_t byte, unsigned lane)
{
	struct sanitizer *c = n->x->sanitizer;
	const struct touch t = {n->clock, n->i->pc, (uint16_t)thread_of(n, lane), n->atomic};

	if (n->writes)
		c->written[byte] = t;
	else
		c->read[byte * c->n_warps + n->w->id] = t;
}

static void look_for_race(const struct now *n, uint64_t offset, unsigned lane)
{
	for (uint32_t b = 0; b < n->bytes; b++) {
		const struct touch *t = race_at(n, offset + b);

		if (t) {
			found(n, FINDING_RACE, offset + b, (struct finding_at){t->pc, t->thread}, lane);
			break; /* once an access */
		}
	}
	for (uint32_t b = 0; b < n->bytes; b++)
		touch(n, offset + b, lane);
}

/* Whether what two lanes store differs. */
static bool are_at_odds(const struct now *n, unsigned lane, unsigned other)
{
	const struct mem_op *m = &n->x->k->mems[n->i->aux];

	for (unsigned k = 0; k < m->n; k++) {
		const uint8_t *row = m->reg[k] == NO_CODE ? NULL : row_at(n->x, n->w, m->reg[k]);

		if (row && memcmp(row + (size_t)lane * m->reg_bytes, row + (size_t)other * m->reg_bytes, m->width) != 0)
			return true;
	}
	return false;
}

static void look_for_odds(const struct now *n, uint32_t mask, const uint64_t offset[LANES])
{
	for (unsigned l = 1; l < LANES; l++)
		for (unsigned k = 0; k < l; k++)
			if (mask >> l & mask >> k & 1 && offset[l] == offset[k] && are_at_odds(n, l, k)) {
				found(n, FINDING_STORE, offset[l], (struct finding_at){n->i->pc, thread_of(n, k)}, l);
				break;
			}
}

/* ---- what was never written ---- */

static void look_for_nothing(const struct now *n, uint64_t offset, unsigned lane)
{
	const struct sanitizer *c = n->x->sanitizer;
	uint8_t *is = n->space == SPACE_SHARED ? c->is_written
					       : c->is_written + c->shared_bytes + (size_t)thread_of(n, lane) * c->local_bytes;

	for (uint32_t b = 0; n->reads && b < n->bytes; b++)
		if (!is[offset + b]) {
			found(n, FINDING_UNWRITTEN, offset + b, (struct finding_at){0, 0}, lane);
			break;
		}
	if (n->writes)
		memset(is + offset, 1, n->bytes);
}

/* ---- an access ---- */

static struct now now_of(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	bool atomic = i->kind == INSN_ATOMIC || i->kind == INSN_MBARRIER;

	return (struct now){.x = x,
			    .w = w,
			    .i = i,
			    .space = space,
			    .atomic = atomic,
			    .writes = atomic || m->store,
			    .reads = i->kind == INSN_ATOMIC || (!atomic && !m->store),
			    .clock = order_now(&x->sanitizer->order, w->id),
			    .bytes = (uint32_t)m->width * m->n};
}

/* Offset of a lane's place; UINT64_MAX: it is outside, and the run goes on all the same. */
static uint64_t place_of(const struct now *n, const struct access *a, unsigned lane)
{
	const struct exec *x = n->x;
	uint64_t size = n->space == SPACE_SHARED ? x->shared_bytes : x->k->trace.local_bytes;

	if (a->scattered && a->lane_bytes[lane] == a->nowhere[lane])
		return UINT64_MAX;
	return a->address[lane] <= size - n->bytes ? a->address[lane] : UINT64_MAX;
}

void sanitizer_access(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
		      const struct access *a)
{
	struct now n = now_of(x, w, i, space);
	struct sanitizer *c = x->sanitizer;
	bool races = c->written && space == SPACE_SHARED;
	uint64_t offset[LANES];

	for (unsigned l = 0; l < LANES; l++) {
		if (!(mask >> l & 1) || (offset[l] = place_of(&n, a, l)) == UINT64_MAX) {
			mask &= ~(1u << l);
			continue;
		}
		if (races)
			look_for_race(&n, offset[l], l);
		if (c->is_written)
			look_for_nothing(&n, offset[l], l);
	}
	if (races && i->kind == INSN_MEMORY && n.writes)
		look_for_odds(&n, mask, offset);
	for (uint32_t rest = mask; n.atomic && space == SPACE_SHARED && rest; rest &= rest - 1)
		order_updates(&c->order, w->id, (uint32_t)offset[__builtin_ctz(rest)] / 4);
}

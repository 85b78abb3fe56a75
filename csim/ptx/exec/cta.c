/* One CTA: its warps run in turns, each until a barrier, its end, or until it is found to spin. */
#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "ptx/exec/sanitizer.h"
#include "ptx/exec/exec.h"

/* Where an instruction was written: `at` is "kernel.cu:12", or "kernel.ptx:34" if the source is not known;
 * `behind` is the PTX's place in brackets in the first case, else "". */
struct place {
	char at[600], behind[600];
};

static struct place place_of(const struct exec *x, const struct insn *i)
{
	const struct trace_lines *lines = x->k->trace.lines;
	const struct trace_place *p = &lines->at[i->pc];
	struct place is = {"", ""};

	if (!p->file || !p->line) {
		snprintf(is.at, sizeof is.at, "%s:%llu", x->k->module->name, (unsigned long long)p->text);
		return is;
	}
	snprintf(is.at, sizeof is.at, "%s:%u", lines->file[p->file - 1], p->line);
	snprintf(is.behind, sizeof is.behind, " (%s:%llu)", x->k->module->name, (unsigned long long)p->text);
	return is;
}

int exec_fail(struct exec *x, const struct warp *w, const struct insn *i, int lane, const char *fmt, ...)
{
	const struct trace_inst *t = &x->k->trace.inst[i->pc];
	struct place place = place_of(x, i);
	const uint32_t *block = x->launch->block;
	char what[768], who[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	snprintf(who, sizeof who, "warp %u", w->id);
	if (lane >= 0) {
		uint32_t thread = w->id * LANES + (uint32_t)lane;

		snprintf(who, sizeof who, "thread %u (%u,%u,%u)", thread, thread % block[0], thread / block[0] % block[1],
			 thread / block[0] / block[1]);
	}
	return err_set(x->e, "%s: kernel %s, %s%s, CTA %u (%u,%u,%u), %s: %s", place.at, x->k->func->name,
		       x->k->trace.names[t->name], place.behind, x->cta, x->cta_at[0], x->cta_at[1], x->cta_at[2], who, what);
}

/* ---- special registers ---- */

static uint32_t lane_mask(enum ptx_special s, unsigned l)
{
	uint32_t below = (1u << l) - 1, own = 1u << l;

	switch (s) {
	case SPECIAL_LANEMASK_LE:
		return below | own;
	case SPECIAL_LANEMASK_LT:
		return below;
	case SPECIAL_LANEMASK_GE:
		return ~below;
	case SPECIAL_LANEMASK_GT:
		return ~(below | own);
	default:
		return own;
	}
}

static uint32_t special_value(const struct exec *x, const struct warp *w, enum ptx_special s, unsigned l)
{
	const uint32_t *block = x->launch->block;
	uint32_t thread = w->id * LANES + l;

	switch (s) {
	case SPECIAL_TID_X:
		return thread % block[0];
	case SPECIAL_TID_Y:
		return thread / block[0] % block[1];
	case SPECIAL_TID_Z:
		return thread / block[0] / block[1];
	case SPECIAL_NTID_X:
	case SPECIAL_NTID_Y:
	case SPECIAL_NTID_Z:
		return block[s - SPECIAL_NTID_X];
	case SPECIAL_CTAID_X:
	case SPECIAL_CTAID_Y:
	case SPECIAL_CTAID_Z:
		return x->cta_at[s - SPECIAL_CTAID_X];
	case SPECIAL_NCTAID_X:
	case SPECIAL_NCTAID_Y:
	case SPECIAL_NCTAID_Z:
		return x->launch->grid[s - SPECIAL_NCTAID_X];
	case SPECIAL_LANEID:
		return l;
	case SPECIAL_WARPID:
		return w->id;
	case SPECIAL_NWARPID:
		return x->n_warps;
	case SPECIAL_DYNAMIC_SMEM:
		return x->launch->dynamic_shared_bytes;
	case SPECIAL_SMID:
		return x->cta % x->sms;
	case SPECIAL_NSMID:
		return x->sms;
	case SPECIAL_TOTAL_SMEM:
		return x->shared_bytes;
	default:
		return lane_mask(s, l);
	}
}

static void fill_special(struct exec *x, struct warp *w, enum ptx_special s)
{
	uint32_t row = x->k->special[s], row16 = x->k->special16[s];

	if ((s == SPECIAL_SMID || s == SPECIAL_NSMID) && (row != NO_CODE || row16 != NO_CODE))
		x->of_sms = true;
	for (unsigned l = 0; l < LANES && row != NO_CODE; l++)
		((lane_u32 *)row_at(x, w, row))[l] = special_value(x, w, s, l);
	for (unsigned l = 0; l < LANES && row16 != NO_CODE; l++)
		((lane_u16 *)row_at(x, w, row16))[l] = (uint16_t)special_value(x, w, s, l);
}

static void warp_begin(struct exec *x, struct warp *w)
{
	w->state = WARP_READY;
	w->alive = w->mask = w->exists;
	w->ip = 0;
	w->join = NO_CODE;
	w->n_stack = 0;
	w->n_kept = 0;
	w->spun = w->waits = false;
	w->issued = 0;
	if (x->k->stack_pointer != NO_CODE)
		EACH_LANE(l)((lane_u64 *)row_at(x, w, x->k->stack_pointer))[l] = x->k->stack_base;
	for (unsigned s = 0; s < SPECIAL_COUNT; s++) {
		/* the thread's position in the block is the same in every CTA */
		if (s <= SPECIAL_TID_Z && x->started)
			continue;
		fill_special(x, w, (enum ptx_special)s);
	}
}

/* ---- barriers ---- */

static bool waits_at(const struct warp *w, unsigned b)
{
	return w->state == WARP_AT_BARRIER && w->barrier == b;
}

/* What bar.red gives to the warps that wait at a complete barrier; those that only arrived have no say. */
static void reduce(struct exec *x, unsigned b)
{
	uint32_t votes = 0, threads = 0;

	for (unsigned i = 0; i < x->n_warps; i++) {
		struct warp *w = &x->warp[i];
		uint32_t p;

		if (!waits_at(w, b) || w->barrier_at->aux < BARRIER_POPC)
			continue;
		p = *(const lane_u32 *)row_at(x, w, w->barrier_at->c);
		votes += (uint32_t)__builtin_popcount((w->barrier_at->negated ? ~p : p) & w->mask);
		threads += (uint32_t)__builtin_popcount(w->mask);
	}
	for (unsigned i = 0; i < x->n_warps && threads; i++) {
		struct warp *w = &x->warp[i];
		uint32_t row[LANES], mode = w->barrier_at ? w->barrier_at->aux : BARRIER_SYNC;
		uint32_t answer = mode == BARRIER_POPC					 ? votes
				  : (mode == BARRIER_AND ? votes == threads : votes > 0) ? UINT32_MAX
											 : 0;

		if (!waits_at(w, b) || mode < BARRIER_POPC)
			continue;
		for (unsigned l = 0; l < LANES; l++)
			row[l] = answer;
		row_blend(row_at(x, w, w->barrier_at->d), row, w->mask, w->barrier_at->dst_size);
	}
}

/* Lets the warps go that wait at barriers which enough warps have reached; returns how many. A warp that has ended
 * counts as one that arrives. */
static unsigned release(struct exec *x)
{
	unsigned released = 0;

	for (unsigned b = 0; b < EXEC_BARRIERS; b++) {
		unsigned waiting = 0, done = 0, wanted = 0;

		for (unsigned i = 0; i < x->n_warps; i++) {
			const struct warp *w = &x->warp[i];

			done += w->state == WARP_DONE;
			if (!waits_at(w, b))
				continue;
			waiting++;
			wanted = w->barrier_warps;
		}
		if (!waiting || (wanted ? waiting + x->arrived[b] < wanted : waiting + x->arrived[b] + done < x->n_warps))
			continue;
		x->arrived[b] = 0;
		x->epoch += !wanted;
		reduce(x, b);
		for (unsigned i = 0; i < x->n_warps; i++) {
			struct warp *w = &x->warp[i];

			if (waits_at(w, b)) {
				w->state = WARP_READY;
				released++;
				if (x->sanitizer)
					order_goes_on(sanitizer_order(x->sanitizer), i, b, !wanted);
			}
		}
		if (x->sanitizer)
			order_barrier_done(sanitizer_order(x->sanitizer), b);
	}
	return released;
}

void exec_divergent_barrier(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask)
{
	struct ptx_module *m = x->k->module;

	if (m->findings) {
		sanitizer_divergent(x, w, i, mask);
		return;
	}
	if (m->warned_of_barrier)
		return;
	m->warned_of_barrier = true;
	exec_fail(x, w, i, -1,
		  "a divergent barrier: lanes 0x%08x have come to it, and others of the warp have not, which PTX leaves undefined; "
		  "%s",
		  mask,
		  m->independent_lanes ? "they are waited for"
				       : "the warp counts as if all had (sm.independent_lanes waits for them)");
	fprintf(stderr, "%s\n", utf8_clean(x->e->text));
	x->e->text[0] = 0;
}

static int at_barrier(struct exec *x, struct warp *w)
{
	const struct insn *i = w->barrier_at;

	if (w->barrier >= EXEC_BARRIERS)
		return exec_fail(x, w, i, -1, "there is no barrier %u, only 0 to %u", w->barrier, EXEC_BARRIERS - 1);
	if (x->sanitizer)
		order_arrives(sanitizer_order(x->sanitizer), w->id, w->barrier);
	if (i->aux == BARRIER_ARRIVE) {
		x->arrived[w->barrier]++;
		return 0;
	}
	w->state = WARP_AT_BARRIER;
	return 0;
}

/* ---- turns ---- */

int exec_log_is_full(struct exec *x, const struct warp *w, const struct insn *at)
{
	if (x->warp_insts && !x->cuts) {
		x->cuts = true;
		trace_set_log_limit(x->w, x->log_bytes);
		if (!trace_log_is_full(x->w))
			return 0;
	}
	return exec_fail(x, w, at, -1,
			 "no end after %llu warp instructions of the launch, and the log of this CTA has more than %llu MiB "
			 "(--max-cta-log allows more)",
			 (unsigned long long)x->insts, (unsigned long long)(x->log_bytes >> 20));
}

int exec_no_progress(struct exec *x, uint32_t together)
{
	const struct warp *at = NULL;

	for (unsigned i = 0; i < x->n_warps; i++)
		if (x->warp[i].state == WARP_READY)
			at = &x->warp[i];
	if (at)
		return exec_fail(
			x, at, &x->k->code[at->ip], -1,
			"no progress: this loop repeats with the same registers and memory indefinitely; %u CTAs can be on "
			"the machine together, and none of these can go on",
			together);
	for (unsigned i = 0; i < x->n_warps; i++)
		if (x->warp[i].state == WARP_AT_BARRIER)
			at = &x->warp[i];
	return exec_fail(x, at, at->barrier_at, -1,
			 "no progress: all warps of the CTA wait at barriers, and barrier %u lacks arrivals", at->barrier);
}

static void cut(struct exec *x, struct warp *w)
{
	w->state = WARP_CUT;
	x->was_cut = true;
}

/* Runs each warp that can. *moved: how many did not just spin. */
static int turn(struct exec *x, unsigned *moved, unsigned *done)
{
	for (unsigned i = 0; i < x->n_warps; i++) {
		struct warp *w = &x->warp[i];

		if (w->state != WARP_READY)
			continue;
		switch (exec_warp(x, w)) {
		case STOP_ERROR:
			return -1;
		case STOP_DONE:
			w->state = WARP_DONE;
			++*done;
			if (x->sanitizer)
				order_ends(sanitizer_order(x->sanitizer), w->id);
			break;
		case STOP_BARRIER:
			if (x->cuts && w->issued >= x->warp_insts)
				cut(x, w);
			else if (at_barrier(x, w) < 0)
				return -1;
			break;
		case STOP_SPIN:
			w->spun = true;
			continue;
		case STOP_TURN:
			break;
		case STOP_CUT:
			cut(x, w);
			break;
		}
		w->spun = false;
		++*moved;
	}
	return 0;
}

static void memory_begin(struct exec *x)
{
	size_t threads = (size_t)x->n_warps * LANES;

	if (x->shared_bytes)
		memset(x->shared, 0, x->shared_bytes);
	if (x->k->stack_pointer == NO_CODE && x->k->trace.local_bytes)
		memset(x->local, 0, threads * x->k->trace.local_bytes);
	for (size_t t = 0; x->k->stack_pointer != NO_CODE && t < threads; t++) /* the stack: as it is taken */
		memset(x->local + t * x->k->trace.local_bytes, 0, x->k->stack_base);
}

void exec_cta_begin(struct exec *x)
{
	memory_begin(x);
	memset(x->arrived, 0, sizeof x->arrived);
	x->counting = false;
	x->epoch = 0;
	if (x->global)
		x->of_cta = sync_log_new();
	if (x->sanitizer)
		sanitizer_begin(x->sanitizer, x);
	for (unsigned i = 0; i < x->n_warps; i++)
		warp_begin(x, &x->warp[i]);
	x->started = true;
}

static unsigned count_in(const struct exec *x, enum warp_state state)
{
	unsigned n = 0;

	for (unsigned i = 0; i < x->n_warps; i++)
		n += x->warp[i].state == state;
	return n;
}

/* No warp moves by itself. Warps that spin while another is cut go on until they are cut, too. True: the CTA is as far
 * as it gets. */
static bool waits(struct exec *x)
{
	if (!x->cuts || !count_in(x, WARP_CUT) || !count_in(x, WARP_READY))
		return true;
	x->no_spin = true;
	return false;
}

/* Loops that wait at a barrier have few backward branches in a turn. */
static int look_at_log(struct exec *x)
{
	return x->w && trace_log_is_full(x->w) ? exec_log_is_full(x, &x->warp[0], &x->k->code[x->warp[0].ip]) : 0;
}

enum cta_stop exec_cta(struct exec *x, bool *moved_at_all)
{
	unsigned done = count_in(x, WARP_DONE);

	x->ends_turn = false;
	for (unsigned i = 0; i < x->n_warps; i++)
		x->warp[i].took = false;
	while (done < x->n_warps) {
		bool counted = x->counting; /* from before this turn on */
		uint64_t changes = x->changes;
		unsigned moved = 0, released = 0;

		if (turn(x, &moved, &done) < 0 || look_at_log(x) < 0)
			return CTA_ERROR;
		if (done < x->n_warps)
			released = release(x);
		if (moved || released || x->changes != changes) {
			*moved_at_all = true;
			x->patient = false;
		}
		if (x->ends_turn)
			return CTA_WAITS;
		if (done < x->n_warps && !released && !moved && x->changes == changes && (counted || !x->counting) && waits(x))
			return x->cuts && count_in(x, WARP_CUT) ? CTA_DONE : CTA_WAITS;
	}
	return CTA_DONE;
}

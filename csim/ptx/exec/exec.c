/* One warp's way through the code. */
#include "ptx/exec/exec.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/panic.h"

/* What changes at every branch, kept in registers while a warp runs. */
struct run {
	const struct insn *code, *i;
	uint32_t mask, join;
	uint32_t from; /* trace pc at which the stretch that has not been written yet begins */
	bool full;     /* mask covers all lanes that are alive: results need no blending */
};

static void put_run(struct exec *x, struct warp *w, uint32_t pc, uint32_t len, uint32_t mask)
{
	x->insts += len;
	if (x->w && trace_put_run(x->w, w->id, pc, len, mask))
		x->spin_left = 1; /* the next backward branch looks at the limits */
	if (x->unfolded && mask) {
		w->issued += x->unfolded[pc + len] - x->unfolded[pc];
		if (x->cuts && w->issued >= x->warp_insts)
			x->spin_left = 1;
	}
}

/* Ends the stretch before trace pc `to`. */
static void flush(struct exec *x, struct warp *w, const struct run *r, uint32_t to)
{
	if (to != r->from)
		put_run(x, w, r->from, to - r->from, r->mask);
}

static void go(struct run *r, const struct warp *w, uint32_t ip, uint32_t mask, uint32_t join)
{
	r->i = r->code + ip;
	r->from = r->i->pc;
	r->mask = mask;
	r->join = join;
	r->full = mask == w->alive;
}

static void push(struct warp *w, uint32_t ip, uint32_t join, uint32_t mask)
{
	if (w->n_stack == w->cap_stack) {
		w->cap_stack = w->cap_stack ? 2 * w->cap_stack : 32;
		w->stack = xrealloc(w->stack, w->cap_stack * sizeof *w->stack);
	}
	w->stack[w->n_stack++] = (struct stack_entry){ip, join, mask, NO_CODE, NO_CODE, false};
}

/* The next waiting lanes; false if there are none. */
static bool pop(const struct exec *x, struct run *r, struct warp *w)
{
	while (w->n_stack) {
		const struct stack_entry *s = &w->stack[--w->n_stack];

		if (s->call != NO_CODE)
			exec_leave(x, w, s, s->mask & w->alive);
		if (s->mask & w->alive) {
			go(r, w, s->ip, s->mask & w->alive, s->join);
			return true;
		}
	}
	return false;
}

/* The lanes of `taken` go to the target, the others on. */
static void part(struct run *r, struct warp *w, uint32_t taken)
{
	const struct insn *i = r->i;
	uint32_t next = (uint32_t)(i - r->code) + 1, others = r->mask & ~taken;
	uint32_t join = i->join == NO_CODE ? r->join : i->join;

	if (join != r->join)
		push(w, join, r->join, r->mask);
	if (next == join && join != NO_CODE) {
		go(r, w, i->target, taken, join);
	} else if (i->target == join) {
		go(r, w, next, others, join);
	} else {
		push(w, i->target, join, taken);
		go(r, w, next, others, join);
	}
}

static void save(struct warp *w, const struct run *r, const struct insn *next)
{
	w->ip = (uint32_t)(next - r->code);
	w->mask = r->mask;
	w->join = r->join;
}

/* ---- the search for a warp that spins; see exec.h ---- */

static bool same_state(const struct exec *x, const struct warp *w, const struct run *r)
{
	size_t stack = w->n_stack * sizeof *w->stack;
	const uint8_t *file = x->spin_file, *below = file + x->k->file_bytes;

	return r->i == x->spin_at && r->mask == x->spin_mask && r->join == x->spin_join && w->alive == x->spin_alive &&
	       x->changes == x->spin_changes && w->n_stack == x->spin_stack && w->n_kept == x->spin_kept &&
	       !memcmp(file, w->file, x->k->file_bytes) && (!stack || !memcmp(below, w->stack, stack)) &&
	       (!w->n_kept || !memcmp(below + stack, w->kept, w->n_kept));
}

static void keep_state(struct exec *x, const struct warp *w, const struct run *r)
{
	size_t stack = w->n_stack * sizeof *w->stack;

	x->spin_file = xrealloc(x->spin_file, x->k->file_bytes + stack + w->n_kept);
	memcpy(x->spin_file, w->file, x->k->file_bytes);
	if (stack)
		memcpy(x->spin_file + x->k->file_bytes, w->stack, stack);
	if (w->n_kept)
		memcpy(x->spin_file + x->k->file_bytes + stack, w->kept, w->n_kept);
	x->spin_kept = w->n_kept;
	x->spin_at = r->i;
	x->spin_mask = r->mask;
	x->spin_join = r->join;
	x->spin_alive = w->alive;
	x->spin_stack = w->n_stack;
	x->spin_changes = x->changes;
}

/* At a backward branch that is about to be taken by the lanes of r->mask. True: the warp was here before, in this very
 * state. */
static bool spins(struct exec *x, const struct warp *w, const struct run *r)
{
	if (!x->spin_at) {
		x->counting = true;
		keep_state(x, w, r);
		x->spin_left = 1;
		return false;
	}
	if (same_state(x, w, r))
		return true;
	if (--x->spin_compares) {
		x->spin_left = 1;
		return false;
	}
	x->spin_at = NULL;
	x->spin_compares = x->spin_window;
	x->spin_left = x->spin_after;
	return false;
}

/* ---- lanes that take turns ---- */

/* The lanes of stack entries that could go on, from the top down to a call, which has to end first: the number-th of n
 * such entries, and its lanes. */
static struct stack_entry *other_lanes(struct warp *w, uint32_t running, uint32_t number, uint32_t *n, uint32_t *lanes)
{
	struct stack_entry *found = NULL;

	*n = 0;
	for (uint32_t i = w->n_stack, occupied = running; i-- > 0 && w->stack[i].call == NO_CODE; occupied |= w->stack[i].mask) {
		uint32_t there = w->stack[i].mask & w->alive & ~occupied;

		if (!there || w->stack[i].at_barrier)
			continue;
		if ((*n)++ == number) {
			found = &w->stack[i];
			*lanes = there;
		}
	}
	return found;
}

/* The warp waits, at r: others of its lanes go on in place of these. False: there are none, or all have waited. */
static bool change_lanes(struct exec *x, struct warp *w, struct run *r)
{
	struct stack_entry *e, next;
	uint32_t n, lanes;

	if (w->effects_of_lanes != x->effects)
		w->turns = 0;
	w->effects_of_lanes = x->effects;
	if (!other_lanes(w, r->mask, 0, &n, &lanes) || w->turns > n) {
		w->turns = 0;
		return false;
	}
	e = other_lanes(w, r->mask, w->turns++ % n, &n, &lanes);
	next = *e;
	e->mask &= ~lanes;
	push(w, (uint32_t)(r->i - r->code), r->join, r->mask);
	go(r, w, next.ip, lanes, next.join);
	exec_wait_leave(x, w);
	x->parted = true;
	return true;
}

/* ---- instructions that change where the warp is ---- */

static void branch(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;
	uint32_t taken = r->mask;

	if (i->guard != NO_CODE) {
		uint32_t p = *(const lane_u32 *)row_at(x, w, i->guard);

		taken &= i->negated ? ~p : p;
		if (!taken) {
			r->i++;
			return;
		}
	}
	flush(x, w, r, i->pc + 1);
	if (taken == r->mask)
		go(r, w, i->target, r->mask, r->join);
	else
		part(r, w, taken);
}

/* A call with a frame: the lanes whose target is that of the first of them go; the others come back to the call. -1
 * after an error. */
static int call(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;
	uint32_t at = (uint32_t)(i - r->code), next = at + 1, lanes = r->mask, together, frame;

	if (i->guard != NO_CODE) {
		uint32_t p = *(const lane_u32 *)row_at(x, w, i->guard);

		lanes &= i->negated ? ~p : p;
		if (!lanes) {
			r->i++;
			return 0;
		}
	}
	flush(x, w, r, i->pc + 1);
	if (exec_callee(x, w, i, lanes, &together, &frame) < 0)
		return -1;
	if (together != r->mask && next != r->join) {
		push(w, next, r->join, r->mask);
		r->join = next;
	}
	if (lanes != together)
		push(w, at, r->join, lanes & ~together);
	push(w, next, r->join, together);
	w->stack[w->n_stack - 1].frame = frame;
	w->stack[w->n_stack - 1].call = i->aux;
	if (exec_enter(x, w, i, frame, together) < 0)
		return -1;
	go(r, w, x->k->frames[frame].first, together, NO_CODE);
	return 0;
}

/* The lanes that are here have come to a function's end. */
static void leave(struct exec *x, struct warp *w, struct run *r)
{
	flush(x, w, r, r->i->pc + 1);
	if (!pop(x, r, w))
		panic("ptx", x->insts, "a return that nobody waits for, at line %" PRIu64, x->k->trace.lines->at[r->i->pc].text);
}

/* At a backward branch, now and then: whether the warp is to stop here, as STOP_SPIN, STOP_CUT or STOP_ERROR.
 * STOP_DONE: it goes on, but may wait where the branch goes. */
static enum exec_stop look(struct exec *x, struct warp *w, const struct run *r)
{
	if (x->w && trace_log_is_full(x->w) && exec_log_is_full(x, w, r->i) < 0)
		return STOP_ERROR;
	if (x->cuts && w->issued >= x->warp_insts)
		return STOP_CUT;
	if (x->wait.polled && x->wait.spin_left > 1) {
		x->spin_left = x->wait.spin_left - 1;
		x->wait.spin_left = 0;
		return STOP_DONE;
	}
	if (!x->no_spin)
		return spins(x, w, r) ? STOP_SPIN : STOP_DONE;
	x->spin_left = x->spin_after;
	return STOP_DONE;
}

/* A backward branch behind which the warp, having polled, may wait. */
static bool branch_and_wait(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *head = r->code + r->i->target;

	branch(x, w, r);
	if (r->i != head) { /* not taken: the next one looks */
		x->wait.spin_left = x->spin_left;
		x->spin_left = 1;
		return false;
	}
	if (!exec_waits(x, w, head, r->mask, r->join))
		return false;
	save(w, r, head);
	return true;
}

static bool is_backwards(const struct run *r)
{
	return r->i->target <= (uint32_t)(r->i - r->code);
}

static void exit_lanes(struct exec *x, struct warp *w, struct run *r)
{
	flush(x, w, r, r->i->pc + 1);
	w->alive &= ~r->mask;
}

/* The guarded instruction that follows; with no lane left it is traced and passed over. */
static void guard(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;
	uint32_t p = *(const lane_u32 *)row_at(x, w, i->guard), mask = r->mask & (i->negated ? ~p : p);

	flush(x, w, r, i->pc);
	if (!mask) {
		put_run(x, w, i->pc, 1, 0);
		r->i += 3;
		r->from = i->pc + 1;
		return;
	}
	w->outer = r->mask;
	r->i++;
	r->from = i->pc;
	r->mask = mask;
	r->full = mask == w->alive;
}

/* Back to the lanes that were there before the guarded instruction and have not ended in it; false if there are
 * none. */
static bool unguard(struct exec *x, struct warp *w, struct run *r)
{
	flush(x, w, r, r->i->pc);
	r->from = r->i->pc;
	r->mask = w->outer & w->alive;
	r->full = r->mask == w->alive;
	r->i++;
	return r->mask != 0 || pop(x, r, w);
}

/* These lanes have come to a barrier; others of the warp, which go on now, have not. False: there are none. */
static bool waits_for_lanes(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;
	struct stack_entry *e, next;
	uint32_t n, lanes;

	exec_divergent_barrier(x, w, i, r->mask);
	if (!x->k->module->independent_lanes || i->aux != BARRIER_SYNC)
		return false;
	x->parted = true;
	e = other_lanes(w, r->mask, 0, &n, &lanes);
	if (!e) { /* all have come */
		for (uint32_t s = 0; s < w->n_stack; s++) {
			w->stack[s].ip += w->stack[s].at_barrier;
			w->stack[s].at_barrier = false;
		}
		return false;
	}
	next = *e;
	e->mask &= ~lanes;
	flush(x, w, r, i->pc);
	put_run(x, w, i->pc, 1, 0); /* the warp arrives with its last lanes */
	push(w, (uint32_t)(i - r->code), r->join, r->mask);
	w->stack[w->n_stack - 1].at_barrier = true;
	go(r, w, next.ip, lanes, next.join);
	return true;
}

static enum exec_stop barrier(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;

	if (!r->full && waits_for_lanes(x, w, r))
		return STOP_DONE;
	flush(x, w, r, i->pc + 1);
	save(w, r, i + 1);
	w->barrier = *(const lane_u32 *)row_at(x, w, i->a);
	w->barrier_warps = (*(const lane_u32 *)row_at(x, w, i->b) + LANES - 1) / LANES;
	w->barrier_at = i;
	return STOP_BARRIER;
}

/* The log has all up to and with this instruction: what it sees of others is told together with where it is. */
static void flush_with(struct exec *x, struct warp *w, struct run *r)
{
	flush(x, w, r, r->i->pc + 1);
	r->from = r->i->pc + 1;
}

static int memory(struct exec *x, struct warp *w, struct run *r)
{
	const struct insn *i = r->i;

	if (x->k->mems[i->aux].space != SPACE_NONE || !exec_in_windows(x, w, i, r->mask)) {
		if (__builtin_expect(x->orders, 0))
			flush_with(x, w, r);
		return exec_memory(x, w, i, r->mask);
	}
	flush(x, w, r, i->pc);
	r->from = i->pc + 1;
	return exec_generic(x, w, i, r->mask);
}

static void alu(struct exec *x, struct warp *w, const struct run *r)
{
	const struct insn *i = r->i;
	_Alignas(64) uint8_t row[ROW_MAX_BYTES];

	i->fn(row, row_at(x, w, i->a), row_at(x, w, i->b), row_at(x, w, i->c), row_at(x, w, i->e));
	row_blend(row_at(x, w, i->d), row, r->mask, i->dst_size);
}

/* Of an atomic by which CTAs share work out. False: the turn ends ahead of it. */
static bool takes_turn(struct exec *x, struct warp *w, struct run *r)
{
	if (!w->took) {
		w->took = true;
		return true;
	}
	flush(x, w, r, r->i->pc);
	save(w, r, r->i);
	x->ends_turn = true;
	return false;
}

enum exec_stop exec_warp(struct exec *x, struct warp *w)
{
	struct run r = {.code = x->k->code};

	x->spin_at = NULL;
	x->spin_compares = x->spin_window;
	x->spin_left = w->spun ? x->spin_window : x->spin_after;
	go(&r, w, w->ip, w->mask, w->join);
	if (!exec_wait_begin(x, w, r.i, r.mask, r.join) && !(x->lanes_in_turn && change_lanes(x, w, &r)))
		return STOP_SPIN;
	for (;;) {
		const struct insn *i = r.i;
		enum exec_stop stop;

		switch ((enum insn_kind)i->kind) {
		case INSN_ALU:
			if (r.full)
				i->fn(row_at(x, w, i->d), row_at(x, w, i->a), row_at(x, w, i->b), row_at(x, w, i->c),
				      row_at(x, w, i->e));
			else
				alu(x, w, &r);
			break;
		case INSN_BRANCH:
			if (is_backwards(&r) && !--x->spin_left) {
				stop = look(x, w, &r);
				if (stop != STOP_DONE) {
					flush(x, w, &r, i->pc);
					save(w, &r, i);
					return stop;
				}
				if (x->wait.polled && !x->patient && !x->no_spin) {
					if (branch_and_wait(x, w, &r) && !(x->lanes_in_turn && change_lanes(x, w, &r)))
						return STOP_SPIN;
					continue;
				}
			}
			branch(x, w, &r);
			continue;
		case INSN_ATOMIC:
			if (__builtin_expect(x->takes != NULL, 0) && x->takes[i->aux] && !takes_turn(x, w, &r))
				return STOP_TURN;
			/* fall through */
		case INSN_MEMORY:
			if (memory(x, w, &r) < 0)
				return STOP_ERROR;
			break;
		case INSN_JOIN:
			if ((uint32_t)(i - r.code) == r.join) {
				flush(x, w, &r, i->pc);
				if (!pop(x, &r, w))
					panic("ptx", x->insts, "a join without lanes that wait, at line %" PRIu64,
					      x->k->trace.lines->at[i->pc].text);
				continue;
			}
			break;
		case INSN_EXIT:
			exit_lanes(x, w, &r);
			if (i[1].kind == INSN_UNGUARD) {
				r.from = i->pc + 1;
				break;
			}
			if (!pop(x, &r, w))
				return STOP_DONE;
			continue;
		case INSN_GUARD:
			guard(x, w, &r);
			continue;
		case INSN_UNGUARD:
			if (!unguard(x, w, &r))
				return STOP_DONE;
			continue;
		case INSN_CALL:
			if (call(x, w, &r) < 0)
				return STOP_ERROR;
			continue;
		case INSN_RETURN:
			leave(x, w, &r);
			continue;
		case INSN_BARRIER:
			stop = barrier(x, w, &r);
			if (stop != STOP_DONE)
				return stop;
			continue;
		case INSN_NOP:
			break;
		case INSN_COPY:
		case INSN_MATRIX_MEMORY:
			flush(x, w, &r, i->pc);
			r.from = i->pc + 1;
			x->effects++;
			if ((i->kind == INSN_COPY ? exec_copy : exec_matrix_memory)(x, w, i, r.mask) < 0)
				return STOP_ERROR;
			break;
		case INSN_CLOCK: /* what ran before it counts */
			flush(x, w, &r, i->pc);
			r.from = i->pc;
			exec_slow(x, w, i, r.mask);
			break;
		case INSN_MBARRIER:
		case INSN_SLEEP:
			flush_with(x, w, &r);
			/* fall through */
		default:
			if (exec_slow(x, w, i, r.mask) < 0)
				return STOP_ERROR;
			break;
		}
		r.i++;
	}
}

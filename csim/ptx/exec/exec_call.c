/* Calls with frames, and the stack in local memory.
 *
 * All calls of a function use the same rows and the same bytes of parameter space. So a call first keeps what they
 * hold, of all lanes, at the end of the warp's `kept`, and its end gives it back to the lanes that made the call; other
 * lanes may be in the function too, in their own depths, and are masked. The warp's stack of waiting lanes has an entry
 * for each call, for the lanes that go on behind it: see exec.c.
 */
#include "ptx/exec/exec.h"

#include "base/alloc.h"

static size_t row_bytes(unsigned size)
{
	return size == SIZE_PRED ? sizeof(uint32_t) : (size_t)LANES * size;
}

/* What it takes in `kept`, where rows of 64 bits are aligned. */
static size_t kept_row(unsigned size)
{
	return (row_bytes(size) + 7) / 8 * 8;
}

static uint8_t *params_of(const struct exec *x, const struct warp *w, unsigned lane)
{
	return x->frame + ((size_t)w->id * LANES + lane) * x->k->frame_bytes;
}

static lane_u64 *stack_pointer(const struct exec *x, const struct warp *w)
{
	return row_at(x, w, x->k->stack_pointer);
}

/* Bytes that a call keeps: registers, stack pointers, parameters, and room for a lane's results. */
static size_t kept_bytes(const struct call_frame *f)
{
	size_t n = row_bytes(8) + LANES * (size_t)f->param_bytes + f->result_bytes;

	for (unsigned i = 0; i < f->n_rows; i++)
		n += kept_row(f->rows[i].size);
	return (n + 7) / 8 * 8;
}

static uint32_t frame_at(const struct exec *x, uint64_t address)
{
	const struct ptx_kernel *k = x->k;

	for (uint32_t i = 0; i < k->n_frames; i++) {
		const struct ptx_func *f = k->frames[i].func;

		if (address == CODE_WINDOW + (uint64_t)CODE_STEP * (f->module->first_code + f->number))
			return i;
	}
	return NO_CODE;
}

static int check_shape(struct exec *x, const struct warp *w, const struct insn *i, const struct call_frame *f, int lane)
{
	const struct call_op *c = &x->k->calls[i->aux];

	for (unsigned p = 0; c->n_actuals == f->n_formals && p < f->n_formals; p++)
		if (c->actuals[p].bytes != f->formals[p].bytes)
			return exec_fail(x, w, i, lane, "calls %s with a parameter of %llu bytes in the place of one of %llu",
					 f->func->name, (unsigned long long)c->actuals[p].bytes,
					 (unsigned long long)f->formals[p].bytes);
	if (c->n_actuals != f->n_formals)
		return exec_fail(x, w, i, lane, "calls %s with %u parameters and results, which has %u", f->func->name,
				 c->n_actuals, f->n_formals);
	return 0;
}

int exec_callee(struct exec *x, const struct warp *w, const struct insn *i, uint32_t lanes, uint32_t *together, uint32_t *frame)
{
	const struct call_op *c = &x->k->calls[i->aux];
	int first = __builtin_ctz(lanes);
	const lane_u64 *target;

	*together = lanes;
	*frame = c->frame;
	if (c->frame == NO_CODE) {
		target = row_at(x, w, c->target);
		*frame = frame_at(x, target[first]);
		if (*frame == NO_CODE)
			return exec_fail(x, w, i, first, "calls 0x%llx, which is the address of no function that can be called",
					 (unsigned long long)target[first]);
		for (unsigned l = 0; l < LANES; l++)
			*together &= ~((uint32_t)(target[l] != target[first]) << l);
	}
	return check_shape(x, w, i, &x->k->frames[*frame], first);
}

static void keep(const struct exec *x, struct warp *w, const struct call_frame *f)
{
	size_t n = kept_bytes(f);
	uint8_t *to;

	if (w->n_kept + n > w->cap_kept) {
		w->cap_kept = 2 * (w->n_kept + n);
		w->kept = xrealloc(w->kept, w->cap_kept);
	}
	to = w->kept + w->n_kept;
	w->n_kept += n;
	memset(to, 0, n); /* it is compared as state */
	for (unsigned i = 0; i < f->n_rows; to += kept_row(f->rows[i++].size))
		memcpy(to, row_at(x, w, f->rows[i].row), row_bytes(f->rows[i].size));
	memcpy(to, stack_pointer(x, w), row_bytes(8));
	to += row_bytes(8);
	for (unsigned l = 0; l < LANES; l++, to += f->param_bytes)
		memcpy(to, params_of(x, w, l) + f->params_at, f->param_bytes);
}

static void pass(const struct exec *x, const struct warp *w, const struct call_op *c, const struct call_frame *f, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		uint8_t *params = params_of(x, w, (unsigned)__builtin_ctz(lanes));

		for (unsigned p = c->n_results; p < c->n_actuals; p++)
			memcpy(params + f->formals[p].offset, params + c->actuals[p].offset, f->formals[p].bytes);
	}
}

static uint64_t aligned(uint64_t v, uint64_t to)
{
	return (v + to - 1) & ~(to - 1);
}

/* The first byte of the stack that lane l's new bytes have; -1 after an error. */
static int take_stack(struct exec *x, const struct warp *w, const struct insn *i, unsigned l, uint64_t bytes, uint64_t align,
		      uint64_t *at)
{
	lane_u64 *sp = stack_pointer(x, w);
	uint64_t base = aligned(sp[l], align), end = x->k->trace.local_bytes;
	uint8_t *local = x->local + ((size_t)w->id * LANES + l) * end;

	if (base > end || bytes > end - base)
		return exec_fail(x, w, i, (int)l, "the stack of %u bytes a thread is full: %llu are taken, %llu more are wanted",
				 STACK_BYTES, (unsigned long long)(sp[l] - x->k->stack_base), (unsigned long long)bytes);
	memset(local + base, 0, bytes);
	*at = base;
	sp[l] = base + bytes;
	return 0;
}

static void set_address(void *row, unsigned size, unsigned l, uint64_t v)
{
	if (size == 8)
		((lane_u64 *)row)[l] = v;
	else
		((lane_u32 *)row)[l] = (uint32_t)v;
}

int exec_enter(struct exec *x, struct warp *w, const struct insn *i, uint32_t frame, uint32_t lanes)
{
	const struct call_frame *f = &x->k->frames[frame];

	keep(x, w, f);
	pass(x, w, &x->k->calls[i->aux], f, lanes);
	for (; lanes; lanes &= lanes - 1) {
		unsigned l = (unsigned)__builtin_ctz(lanes);
		uint64_t base = 0;

		if (take_stack(x, w, i, l, f->local_bytes + CALL_BYTES, STACK_ALIGN, &base) < 0)
			return -1;
		for (unsigned a = 0; a < f->n_addresses; a++)
			set_address(row_at(x, w, f->addresses[a].row), f->addresses[a].size, l, base + f->addresses[a].offset);
	}
	return 0;
}

/* The results leave the function's parameter space before that is what it was; they may go to a place in it. */
static void give_back_lane(uint8_t *params, const struct call_op *c, const struct call_frame *f, const uint8_t *kept,
			   uint8_t *results)
{
	uint8_t *r = results;

	for (unsigned p = 0; p < c->n_results; r += f->formals[p++].bytes)
		memcpy(r, params + f->formals[p].offset, f->formals[p].bytes);
	memcpy(params + f->params_at, kept, f->param_bytes);
	r = results;
	for (unsigned p = 0; p < c->n_results; r += f->formals[p++].bytes)
		memcpy(params + c->actuals[p].offset, r, f->formals[p].bytes);
}

void exec_leave(const struct exec *x, struct warp *w, const struct stack_entry *call, uint32_t lanes)
{
	const struct call_op *c = &x->k->calls[call->call];
	const struct call_frame *f = &x->k->frames[call->frame];
	uint8_t *from, *results;

	w->n_kept -= kept_bytes(f);
	from = w->kept + w->n_kept;
	for (unsigned i = 0; i < f->n_rows; from += kept_row(f->rows[i++].size))
		row_blend(row_at(x, w, f->rows[i].row), from, lanes, f->rows[i].size);
	row_blend(stack_pointer(x, w), from, lanes, 8);
	from += row_bytes(8);
	results = from + LANES * (size_t)f->param_bytes;
	for (; lanes; lanes &= lanes - 1) {
		unsigned l = (unsigned)__builtin_ctz(lanes);

		give_back_lane(params_of(x, w, l), c, f, from + l * (size_t)f->param_bytes, results);
	}
}

static uint64_t lane_of(const void *row, unsigned size, unsigned l)
{
	return size == 8 ? ((const lane_u64 *)row)[l] : ((const lane_u32 *)row)[l];
}

int exec_stack(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const void *a = i->aux == STACK_SAVE ? NULL : row_at(x, w, i->a);
	lane_u64 *sp = stack_pointer(x, w);

	for (; mask; mask &= mask - 1) {
		unsigned l = (unsigned)__builtin_ctz(mask);
		uint64_t at = sp[l];

		if (i->aux == STACK_ALLOCA && take_stack(x, w, i, l, lane_of(a, i->dst_size, l), i->e, &at) < 0)
			return -1;
		if (i->aux != STACK_RESTORE) {
			set_address(row_at(x, w, i->d), i->dst_size, l, at);
			continue;
		}
		at = lane_of(a, i->dst_size, l);
		if (at < x->k->stack_base || at > sp[l])
			return exec_fail(x, w, i, (int)l, "0x%llx is not an address of this stack", (unsigned long long)at);
		sp[l] = at;
	}
	return 0;
}

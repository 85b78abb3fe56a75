/* Which instruction it is; those that are neither arithmetic nor memory accesses. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/lower/lower.h"

uint32_t lower_complain(struct lower *w, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (w->complaint)
		return NO_CODE;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	w->complaint = arena_strdup(w->arena, text);
	return NO_CODE;
}

bool lower_has(const struct lower *w, const char *part)
{
	for (unsigned i = 1; i < w->n_parts; i++)
		if (!strcmp(w->part[i], part))
			return true;
	return false;
}

bool lower_operands(struct lower *w, unsigned least, unsigned most)
{
	unsigned n = w->f->s->n;

	if (n >= least && n <= most)
		return true;
	lower_complain(w, "it has %u operands, which is not what it takes", n);
	return false;
}

/* isspacep.space p, a: whether a is in the space's window; in global memory is what is outside of all, what is .const
 * included. */
static void lower_isspacep(struct lower *w)
{
	bool shared = lower_has(w, "shared") || lower_has(w, "shared::cta"), local = lower_has(w, "local");
	bool global = lower_has(w, "global");
	const struct ptx_operand *a;
	unsigned size;

	if (w->n_parts != 2 || (!shared && !local && !global)) {
		lower_complain(w, "addresses of this space cannot be told from others here");
		return;
	}
	if (!lower_operands(w, 2, 2))
		return;
	a = &w->f->s->opd[1];
	size = a->kind == OPD_REG && ptx_type_bytes(lower_type_of(w, a)) == 4 ? 4 : 8;
	w->i->kind = INSN_ALU;
	w->i->fn = alu_find(global	? size == 8 ? "isspacep.out.u64" : "isspacep.out.u32"
			    : size == 8 ? "isspacep.in.u64"
					: "isspacep.in.u32")
			   ->fn;
	w->i->dst_size = SIZE_PRED;
	w->i->a = lower_src(w, 1, size, PT_NONE);
	w->i->b = lower_const(w, local ? LOCAL_WINDOW : SHARED_WINDOW, size);
	w->i->c = lower_const(w, global ? LOCAL_WINDOW + WINDOW_BYTES - SHARED_WINDOW : WINDOW_BYTES, size);
	w->i->d = lower_dst(w, 0, SIZE_PRED);
	w->t->op = OP_INT_ADD;
}

/* cvta.space d, a and cvta.to.space d, a: an addition; nothing, for global and constant memory. */
static void lower_cvta(struct lower *w)
{
	unsigned size = lower_has(w, "u32") ? 4 : 8;
	uint64_t window = lower_has(w, "shared") || lower_has(w, "shared::cta") ? SHARED_WINDOW
			  : lower_has(w, "local")				? LOCAL_WINDOW
										: 0;

	if (!window && !lower_has(w, "global") && !lower_has(w, "const")) {
		lower_complain(w, "this space has no generic addresses here");
		return;
	}
	if (!lower_operands(w, 2, 2))
		return;
	w->i->kind = INSN_ALU;
	w->i->fn = alu_find(size == 8 ? "add.u64" : "add.u32")->fn;
	w->i->dst_size = (uint8_t)size;
	w->i->a = lower_src(w, 1, size, PT_NONE);
	w->i->b = lower_const(w, lower_has(w, "to") ? 0 - window : window, size);
	w->i->d = lower_dst(w, 0, size);
	w->t->op = OP_INT_ADD;
}

static void lower_branch(struct lower *w)
{
	const struct ptx_operand *o = w->f->s->opd;

	if (!lower_operands(w, 1, 1))
		return;
	if (o->kind != OPD_LABEL) {
		lower_complain(w, "its target is not a label");
		return;
	}
	w->i->kind = INSN_BRANCH;
	w->i->target = w->f->in->flat_of[o->reg]; /* a flat instruction's number until assembly */
	w->t->op = OP_BRANCH;
}

/* In the place of a call: nothing, or under a guard a branch of the other lanes over the function. */
static void lower_call(struct lower *w)
{
	const char *why;

	w->t->op = OP_BRANCH;
	if (lower_is_builtin(w->f->s)) {
		lower_builtin(w);
		return;
	}
	if (lower_call_how(w, w->f->in, w->f->s, &why) == CALL_FRAME) {
		lower_frame_call(w);
		return;
	}
	w->i->kind = INSN_NOP;
	if (w->f->s->guard < 0)
		return;
	w->i->kind = INSN_BRANCH;
	for (unsigned f = (unsigned)(w->f - w->flat) + 1; f < w->n_flat; f++) {
		if (w->flat[f].in->call == w->f->s && w->flat[f].in->up == w->f->in) {
			w->i->target = w->flat[f].in->back;
			return;
		}
	}
}

static void lower_return(struct lower *w)
{
	bool ends = !strcmp(w->part[0], "exit") || (!w->f->in->up && w->f->in->frame == NO_CODE);

	if (!ends && !w->f->in->up) {
		uint32_t last = w->k->frames[w->f->in->frame].last;

		w->i->target = last;
		w->i->kind = w->f == &w->flat[last] ? INSN_RETURN : INSN_BRANCH;
		w->t->op = OP_BRANCH;
		return;
	}
	w->i->kind = ends ? INSN_EXIT : INSN_BRANCH;
	w->t->op = ends ? OP_EXIT : OP_BRANCH;
	if (!ends)
		w->i->target = w->f->in->back;
}

/* bar.red.popc.u32 d, a{, b}, {!}p; .and.pred and .or.pred */
static void lower_barrier_red(struct lower *w)
{
	const struct ptx_operand *p = &w->f->s->opd[w->f->s->n - 1];
	enum barrier_mode mode = lower_has(w, "popc") ? BARRIER_POPC : lower_has(w, "and") ? BARRIER_AND : BARRIER_OR;

	if (!lower_has(w, mode == BARRIER_POPC ? "u32" : "pred") || (mode == BARRIER_OR && !lower_has(w, "or"))) {
		lower_complain(w, "no such reduction here");
		return;
	}
	if (!lower_operands(w, 3, 4))
		return;
	w->i->kind = INSN_BARRIER;
	w->i->aux = mode;
	w->i->a = lower_src(w, 1, 4, PT_U32);
	w->i->b = w->f->s->n > 3 ? lower_src(w, 2, 4, PT_U32) : lower_const(w, 0, 4);
	w->i->c = lower_src_of(w, p, SIZE_PRED, PT_PRED);
	w->i->negated = p->negated;
	w->i->dst_size = mode == BARRIER_POPC ? 4 : SIZE_PRED;
	w->i->d = lower_dst(w, 0, w->i->dst_size);
}

/* bar.sync a{, b}; barrier.sync; bar.arrive a, b; bar.red; bar.warp.sync */
static void lower_barrier(struct lower *w)
{
	bool sync = lower_has(w, "sync"), arrive = lower_has(w, "arrive");

	w->t->op = OP_BARRIER;
	if (lower_has(w, "warp")) { /* the lanes of a warp are never apart where this can be asked */
		w->i->kind = INSN_NOP;
		w->t->op = OP_MEMBAR;
		return;
	}
	if (lower_has(w, "red")) {
		lower_barrier_red(w);
		return;
	}
	if ((!sync && !arrive) || lower_has(w, "cluster")) {
		lower_complain(w, "of the barriers only .sync, .arrive and .red are supported");
		return;
	}
	if (!lower_operands(w, arrive ? 2 : 0, 2))
		return;
	w->i->kind = INSN_BARRIER;
	w->i->aux = arrive ? BARRIER_ARRIVE : BARRIER_SYNC;
	w->i->a = w->f->s->n > 0 ? lower_src(w, 0, 4, PT_U32) : lower_const(w, 0, 4);
	w->i->b = w->f->s->n > 1 ? lower_src(w, 1, 4, PT_U32) : lower_const(w, 0, 4);
}

/* shfl{.sync}.mode.b32 d{|p}, a, b, c{, members} */
static void lower_shfl(struct lower *w)
{
	static const char *const modes[] = {"up", "down", "bfly", "idx"};
	const struct ptx_operand *d = w->f->s->opd;
	unsigned n = lower_has(w, "sync") ? 5 : 4;

	w->i->aux = NO_CODE;
	for (unsigned m = 0; m < 4; m++)
		if (lower_has(w, modes[m]))
			w->i->aux = SHFL_UP + m;
	if (w->i->aux == NO_CODE || !lower_has(w, "b32")) {
		lower_complain(w, "no such shuffle here");
		return;
	}
	if (!lower_operands(w, n, n))
		return;
	w->i->kind = INSN_SHFL;
	w->i->a = lower_src(w, 1, 4, PT_B32);
	w->i->b = lower_src(w, 2, 4, PT_B32);
	w->i->c = lower_src(w, 3, 4, PT_B32);
	if (n == 5)
		lower_src(w, 4, 4, PT_B32); /* members: all that are here */
	w->i->target = NO_CODE;
	if (d->kind == OPD_PAIR && d->elem[1].kind != OPD_SINK)
		w->i->target = lower_dst_of(w, &d->elem[1], SIZE_PRED);
	w->i->d = lower_dst_of(w, d->kind == OPD_PAIR ? d->elem : d, 4);
	w->t->op = OP_INT_ADD;
}

/* vote{.sync}.mode.type d, {!}a{, members} */
static void lower_vote(struct lower *w)
{
	static const char *const modes[] = {"all", "any", "uni", "ballot"};
	unsigned n = lower_has(w, "sync") ? 3 : 2, size;

	w->i->aux = NO_CODE;
	for (unsigned m = 0; m < 4; m++)
		if (lower_has(w, modes[m]))
			w->i->aux = VOTE_ALL + m;
	size = w->i->aux == VOTE_BALLOT ? 4 : SIZE_PRED;
	if (w->i->aux == NO_CODE) {
		lower_complain(w, "no such vote here");
		return;
	}
	if (!lower_operands(w, n, n))
		return;
	w->i->kind = INSN_VOTE;
	w->i->negated = w->f->s->opd[1].negated;
	w->i->a = lower_src_of(w, &w->f->s->opd[1], SIZE_PRED, PT_PRED);
	w->i->e = n == 3 ? lower_src(w, 2, 4, PT_B32) : lower_const(w, UINT32_MAX, 4);
	w->i->dst_size = (uint8_t)size;
	w->i->d = lower_dst(w, 0, size);
	w->t->op = OP_INT_ADD;
}

static void lower_activemask(struct lower *w)
{
	if (!lower_operands(w, 1, 1))
		return;
	w->i->kind = INSN_ACTIVEMASK;
	w->i->dst_size = 4;
	w->i->d = lower_dst(w, 0, 4);
	w->t->op = OP_INT_ADD;
}

static void lower_fence(struct lower *w)
{
	w->i->kind = INSN_NOP;
	w->t->op = OP_MEMBAR;
}

static void lower_nothing(struct lower *w)
{
	w->i->kind = INSN_NOP;
	w->t->op = OP_NOP;
}

/* nanosleep.u32 t */
static void lower_sleep(struct lower *w)
{
	w->t->op = OP_NOP;
	if (!lower_operands(w, 1, 1))
		return;
	w->i->kind = INSN_SLEEP;
	w->i->a = lower_src(w, 0, 4, PT_U32);
	w->t->space = SPACE_SLEEP;
}

static void lower_trap(struct lower *w)
{
	w->i->kind = INSN_TRAP;
	w->t->op = OP_NOP;
}

static void lower_sum(struct lower *w)
{
	if (lower_has(w, "cc") || strlen(w->part[0]) == 4)
		lower_carry(w);
	else
		lower_alu(w);
}

void lower_inst(struct lower *w)
{
	static const struct {
		const char *name;
		void (*lower)(struct lower *w);
	} table[] = {
		{"mov", lower_mov},
		{"ld", lower_memory},
		{"ldu", lower_memory},
		{"st", lower_memory},
		{"atom", lower_atomic},
		{"red", lower_atomic},
		{"cvta", lower_cvta},
		{"isspacep", lower_isspacep},
		{"cvt", lower_cvt},
		{"setp", lower_setp},
		{"set", lower_setp},
		{"bra", lower_branch},
		{"call", lower_call},
		{"ret", lower_return},
		{"exit", lower_return},
		{"bar", lower_barrier},
		{"barrier", lower_barrier},
		{"membar", lower_fence},
		{"fence", lower_fence},
		{"shfl", lower_shfl},
		{"vote", lower_vote},
		{"activemask", lower_activemask},
		{"trap", lower_trap},
		{"nanosleep", lower_sleep},
		{"prefetch", lower_nothing},
		{"prefetchu", lower_nothing},
		{"tex", lower_texture},
		{"tld4", lower_gather},
		{"txq", lower_query},
		{"suq", lower_query},
		{"suld", lower_surface},
		{"sust", lower_surface},
		{"add", lower_sum},
		{"addc", lower_sum},
		{"sub", lower_sum},
		{"subc", lower_sum},
		{"mad", lower_sum},
		{"madc", lower_sum},
		{"match", lower_match},
		{"redux", lower_redux},
		{"elect", lower_elect},
		{"brkpt", lower_trap},
		{"cp", lower_cp},
		{"mbarrier", lower_mbarrier},
		{"applypriority", lower_nothing},
		{"discard", lower_nothing},
		{"mma", lower_mma},
		{"wmma", lower_wmma},
		{"ldmatrix", lower_ldmatrix},
		{"stmatrix", lower_ldmatrix},
		{"movmatrix", lower_movmatrix},
		{"alloca", lower_alloca},
		{"stacksave", lower_stack},
		{"stackrestore", lower_stack},
	};

	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (!strcmp(table[i].name, w->part[0])) {
			table[i].lower(w);
			return;
		}
	}
	(lower_is_video(w->part[0]) ? lower_video : lower_alu)(w);
}

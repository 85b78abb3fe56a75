/* match, redux and elect; special registers that change while a warp runs. */
#include <string.h>

#include "ptx/lower/lower.h"

static uint32_t second(struct lower *w, const struct ptx_operand *d)
{
	return d->kind == OPD_PAIR && d->elem[1].kind != OPD_SINK ? lower_dst_of(w, &d->elem[1], SIZE_PRED) : NO_CODE;
}

static uint32_t first(struct lower *w, const struct ptx_operand *d)
{
	const struct ptx_operand *o = d->kind == OPD_PAIR ? &d->elem[0] : d;

	return o->kind == OPD_SINK ? NO_CODE : lower_dst_of(w, o, 4);
}

static void group(struct lower *w, enum group_mode mode)
{
	w->i->kind = INSN_GROUP;
	w->i->aux = mode;
	w->i->dst_size = 4;
	w->i->target = NO_CODE;
	w->t->op = OP_INT_ADD;
}

/* match.any.sync.b32 d, a, members; match.all.sync.b64 d|p, a, members */
void lower_match(struct lower *w)
{
	const struct ptx_operand *d = w->f->s->opd;
	bool all = lower_has(w, "all");
	unsigned size = lower_has(w, "b64") ? 8 : 4;

	if (w->n_parts != 4 || (!all && !lower_has(w, "any")) || !lower_has(w, "sync") || (size == 4 && !lower_has(w, "b32"))) {
		lower_complain(w, "no such match here");
		return;
	}
	if (!lower_operands(w, 3, 3))
		return;
	group(w, all ? GROUP_ALL : GROUP_ANY);
	w->i->join = size;
	w->i->a = lower_src(w, 1, size, PT_NONE);
	w->i->e = lower_src(w, 2, 4, PT_B32);
	if (all)
		w->i->target = second(w, d);
	w->i->d = first(w, d);
}

/* redux.sync.min{.abs}{.NaN}.f32 d, a, members */
static void redux_of_floats(struct lower *w)
{
	bool max = w->n_parts > 2 && !strcmp(w->part[2], "max"), abs = lower_has(w, "abs"), nan = lower_has(w, "NaN");

	if (w->n_parts != 4u + abs + nan || strcmp(w->part[1], "sync") || (!max && strcmp(w->part[2], "min")) ||
	    (abs && strcmp(w->part[3], "abs")) || (nan && strcmp(w->part[3 + abs], "NaN"))) {
		lower_complain(w, "no such reduction here");
		return;
	}
	if (!lower_operands(w, 3, 3))
		return;
	group(w, max ? GROUP_MAX : GROUP_MIN);
	w->i->b = GROUP_FLOAT | (abs ? GROUP_ABS : 0) | (nan ? GROUP_NAN : 0);
	w->i->join = 4;
	w->i->a = lower_src(w, 1, 4, PT_F32);
	w->i->e = lower_src(w, 2, 4, PT_B32);
	w->i->d = lower_dst(w, 0, 4);
	w->t->op = OP_FP32_MAX;
}

/* redux.sync.add.u32 d, a, members */
static void redux_of_integers(struct lower *w)
{
	static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
	unsigned mode = 0;
	bool bits;

	while (mode < 6 && (w->n_parts != 4 || strcmp(names[mode], w->part[2])))
		mode++;
	bits = mode >= 3;
	if (mode == 6 || strcmp(w->part[1], "sync") ||
	    (bits ? strcmp(w->part[3], "b32") != 0 : strcmp(w->part[3], "u32") && strcmp(w->part[3], "s32"))) {
		lower_complain(w, "no such reduction here");
		return;
	}
	if (!lower_operands(w, 3, 3))
		return;
	group(w, (enum group_mode)(GROUP_ADD + mode));
	w->i->join = 4;
	w->i->negated = !strcmp(w->part[3], "s32");
	w->i->a = lower_src(w, 1, 4, PT_U32);
	w->i->e = lower_src(w, 2, 4, PT_B32);
	w->i->d = lower_dst(w, 0, 4);
}

void lower_redux(struct lower *w)
{
	if (!strcmp(w->part[w->n_parts - 1], "f32"))
		redux_of_floats(w);
	else
		redux_of_integers(w);
}

/* elect.sync d|p, members: the lowest one */
void lower_elect(struct lower *w)
{
	if (!lower_operands(w, 2, 2))
		return;
	group(w, GROUP_ELECT);
	w->i->e = w->i->a = lower_src(w, 1, 4, PT_B32);
	w->i->target = second(w, w->f->s->opd);
	w->i->d = first(w, w->f->s->opd);
}

bool lower_is_clock(const struct ptx_operand *o)
{
	return o->kind == OPD_SPECIAL && o->reg > SPECIAL_COUNT && o->reg < SPECIAL_GRID_SPACE_HI;
}

/* mov.u32 d, %clock; mov.u64 d, %clock64 */
void lower_clock(struct lower *w)
{
	enum ptx_type type = ptx_type_of(w->part[w->n_parts - 1], strlen(w->part[w->n_parts - 1]));
	uint32_t special = w->f->s->opd[1].reg;
	unsigned size = ptx_type_bytes(type);
	bool is_wide = special == SPECIAL_CLOCK64 || special == SPECIAL_TIMER;

	if (!lower_operands(w, 2, 2))
		return;
	if ((size != 4 && size != 8) || (is_wide && size != 8) || (!is_wide && special != SPECIAL_GRIDID && size != 4))
		lower_complain(w, "this special register is not of this type");
	w->i->kind = INSN_CLOCK;
	w->i->aux = special;
	w->i->dst_size = (uint8_t)size;
	w->i->d = lower_dst(w, 0, size);
	w->t->op = OP_INT_ADD;
}

#include "sm/kernel.h"

#include "base/panic.h"

static void arithmetic(struct core_inst *c, const struct machine *m, const struct machine_op *o, unsigned first)
{
	bool fp64 = first == OP_FP64_ADD, div = c->op == OP_INT_DIV || c->op == OP_FP32_DIV;

	c->latency = o->latency[c->op - first] + m->pipe.depth;
	c->interval = o->interval[c->op - first];
	c->unit = (fp64 && m->pipe.fp64 == PIPE_SFU) || (div && m->pipe.div == PIPE_SFU) ? UNIT_SFU : UNIT_SP;
	c->act = ACT_ALU;
}

static enum core_act memory_act(const struct trace_inst *t)
{
	switch (t->space) {
	case SPACE_PARAM:
		return ACT_PARAM;
	case SPACE_CONST:
		return ACT_CONST;
	case SPACE_SHARED:
		return ACT_SHARED;
	case SPACE_LOCAL:
		return ACT_LOCAL;
	default:
		return ACT_GLOBAL;
	}
}

static void control(struct core_inst *c, const struct machine *m)
{
	c->unit = UNIT_NONE;
	c->latency = 1;
	switch (c->op) {
	case OP_BRANCH:
		c->act = ACT_BRANCH;
		c->latency = m->op.branch;
		break;
	case OP_BARRIER:
		c->act = ACT_BARRIER;
		break;
	case OP_MEMBAR:
		c->act = ACT_MEMBAR;
		break;
	default: /* an exit needs no act: the warp ends where its stream ends */
		c->act = ACT_NOP;
	}
}

static void translate(struct core_inst *c, const struct machine *m, const struct trace_inst *t)
{
	c->op = t->op;
	c->width = t->width;
	c->flags = t->flags;
	if (t->op <= OP_INT_DIV) {
		arithmetic(c, m, &m->op.int32, OP_INT_ADD);
	} else if (t->op <= OP_FP32_DIV) {
		arithmetic(c, m, &m->op.fp32, OP_FP32_ADD);
	} else if (t->op <= OP_FP64_DIV) {
		arithmetic(c, m, &m->op.fp64, OP_FP64_ADD);
	} else if (t->op == OP_SFU) {
		c->unit = UNIT_SFU;
		c->act = ACT_ALU;
		c->latency = m->op.sfu + m->pipe.depth;
		c->interval = m->op.sfu_interval;
	} else if (t->op <= OP_ATOM) {
		c->unit = UNIT_LDST;
		c->act = (uint8_t)memory_act(t);
	} else {
		control(c, m);
	}
}

void core_kernel_init(struct core_kernel *k, struct arena *a, const struct machine *m, const struct trace_kernel *t)
{
	k->n_inst = t->n_inst;
	k->n_regs = t->n_regs;
	k->local_words = (t->local_bytes + 3) / 4;
	k->inst = arena_array(a, t->n_inst, sizeof *k->inst);
	for (uint32_t i = 0; i < t->n_inst; i++) {
		struct core_inst *c = &k->inst[i];
		unsigned n = 0;

		translate(c, m, &t->inst[i]);
		c->row = i;
		c->n_dst = t->inst[i].ndst;
		c->n_regs = (uint8_t)(t->inst[i].ndst + t->inst[i].nsrc);
		PANIC_UNLESS(c->n_regs <= TRACE_MAX_REGS, "core_kernel", i);
		for (; n < c->n_regs; n++)
			c->reg[n] = t->inst[i].reg[n];
		for (; n < CORE_REGS_FAST; n++)
			c->reg[n] = (uint16_t)t->n_regs;
	}
}

void core_kernel_number(struct core_kernel *k, uint32_t first_row)
{
	for (uint32_t i = 0; i < k->n_inst; i++)
		k->inst[i].row = first_row + i;
}

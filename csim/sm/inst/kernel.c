#include "sm/inst/kernel.h"

#include <string.h>

#include "base/panic.h"
#include "trace/folds.h"
#include "trace/trace.h"

static enum core_unit fp64_unit(const struct machine *m)
{
	if (m->pipe.dp)
		return UNIT_DP;
	return m->pipe.fp64 == PIPE_SFU ? UNIT_SFU : UNIT_SP;
}

static enum core_unit int_unit(const struct machine *m)
{
	return m->pipe.integer ? UNIT_INT : UNIT_SP;
}

static void arithmetic(struct core_inst *c, const struct machine *m, const struct machine_op *o, unsigned first)
{
	bool div = c->op == OP_INT_DIV || c->op == OP_FP32_DIV;

	c->latency = o->latency[c->op - first] + (m->sm.dependences == DEPENDENCES_FIXED ? 0 : m->pipe.depth);
	c->interval = o->interval[c->op - first];
	if (first == OP_FP64_ADD)
		c->unit = fp64_unit(m);
	else if (div && m->pipe.div == PIPE_SFU)
		c->unit = UNIT_SFU;
	else
		c->unit = first == OP_INT_ADD ? int_unit(m) : UNIT_SP;
	c->act = ACT_ALU;
}

/* What a product is without tensor units: this multiply-add, by all lanes, so often. */
static void multiply_add(struct core_inst *c, const struct machine *m)
{
	bool fp64 = c->op == OP_TENSOR_F64, bits = c->op == OP_TENSOR_8BIT || c->op == OP_TENSOR_4BIT;
	const struct machine_op *o = fp64 ? &m->op.fp64 : bits ? &m->op.int32 : &m->op.fp32;
	uint32_t n = (c->macs + TRACE_WARP_SIZE - 1) / TRACE_WARP_SIZE, mad = OP_INT_MAD - OP_INT_ADD;

	c->unit = fp64 ? fp64_unit(m) : bits ? int_unit(m) : UNIT_SP;
	c->interval = n * o->interval[mad];
	c->latency = c->interval - o->interval[mad] + o->latency[mad];
}

static void product(struct core_inst *c, const struct machine *m, unsigned log_macs)
{
	uint32_t rate = m->pipe.tensor ? m->pipe.tensor_rate[c->op - OP_TENSOR_F16] : 0;

	c->act = ACT_ALU;
	c->macs = UINT32_C(1) << log_macs;
	if (rate) {
		c->unit = UNIT_TENSOR;
		c->interval = (c->macs + rate - 1) / rate;
		c->latency = c->interval + m->op.tensor;
	} else {
		multiply_add(c, m);
	}
	c->latency += m->pipe.depth;
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

static void control(struct core_inst *c, const struct machine *m, const struct trace_inst *t)
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
	case OP_NOP:
		c->act = t->space == SPACE_SLEEP ? ACT_SLEEP : ACT_NOP;
		break;
	default: /* an exit needs no act: the warp ends where its stream ends */
		c->act = ACT_NOP;
	}
}

static void translate(struct core_inst *c, const struct machine *m, const struct trace_inst *t)
{
	c->op = t->op;
	c->width = t->space == SPACE_NONE ? 0 : t->width;
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
	} else if (trace_op_is_tensor(t->op)) {
		product(c, m, t->width);
	} else if (t->op <= OP_ATOM) {
		c->unit = UNIT_LDST;
		c->act = (uint8_t)memory_act(t);
	} else {
		control(c, m, t);
	}
}

/* From the next place in `more`, which is moved on, if they are many. */
static void set_regs(struct core_inst *c, const struct machine *m, const struct trace_inst *t, uint16_t spare, uint16_t **more)
{
	unsigned n = 0;

	c->n_dst = t->ndst;
	c->n_regs = (uint8_t)(t->ndst + t->nsrc);
	c->n_over = m->sm.dependences == DEPENDENCES_FIXED && core_unit_is_arithmetic(c->unit) ? t->ndst : 0;
	for (; n + c->n_over < c->n_regs && n < CORE_REGS_FAST; n++)
		c->fast[n] = t->reg[c->n_over + n];
	for (; n < CORE_REGS_FAST; n++)
		c->fast[n] = spare;
	c->reg = c->fast;
	if (c->n_regs > CORE_REGS_FAST || c->n_over) {
		c->reg = memcpy(*more, t->reg, c->n_regs * sizeof t->reg[0]);
		*more += c->n_regs;
	}
}

static uint64_t count_regs(const struct machine *m, const struct trace_inst *list, uint32_t n_inst)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < n_inst; i++) {
		unsigned n = list[i].ndst + list[i].nsrc;

		PANIC_UNLESS(n <= TRACE_MAX_REGS, "core_kernel", i);
		all += n > CORE_REGS_FAST || m->sm.dependences == DEPENDENCES_FIXED ? n : 0;
	}
	return all;
}

/* Its operands are those of what it is folded into. */
static void fold(struct core_inst *c, const struct trace_inst *t)
{
	c->unit = UNIT_NONE;
	c->act = ACT_FOLDED;
	c->records = trace_has_record(t);
	c->macs = 0;
}

static const struct trace_inst *list_of(const struct machine *m, const struct trace_kernel *t)
{
	return m->sm.fold && t->folds ? t->folds : t->inst;
}

static struct core_inst timed(const struct machine *m, const struct trace_inst *t)
{
	struct core_inst now = {.macs = 0};

	translate(&now, m, t);
	return now;
}

uint32_t core_kernel_product_on(const struct machine *m, const struct trace_kernel *t)
{
	const struct trace_inst *list = list_of(m, t);
	uint32_t longest = 0;

	for (uint32_t i = 0; i < t->n_inst; i++) {
		struct core_inst now = timed(m, &list[i]);

		if (now.macs && !trace_is_folded(&list[i]) && longest < now.latency)
			longest = now.latency;
	}
	return longest;
}

void core_kernel_time(struct core_kernel *k, const struct machine *m, const struct trace_kernel *t)
{
	const struct trace_inst *list = list_of(m, t);

	for (uint32_t i = 0; i < t->n_inst; i++) {
		struct core_inst now = timed(m, &list[i]);

		k->inst[i].latency = now.latency;
		k->inst[i].interval = now.interval;
	}
	k->product = core_kernel_product_on(m, t);
}

void core_kernel_init(struct core_kernel *k, struct arena *a, const struct machine *m, const struct trace_kernel *t)
{
	const struct trace_inst *list = list_of(m, t);
	uint16_t *more;

	k->n_inst = t->n_inst;
	k->n_regs = t->n_regs;
	k->product = k->folded = 0;
	k->local_words = (t->local_bytes + 3) / 4;
	k->inst = arena_array(a, t->n_inst, sizeof *k->inst);
	more = arena_array(a, count_regs(m, list, t->n_inst), sizeof *more);
	for (uint32_t i = 0; i < t->n_inst; i++) {
		struct core_inst *c = &k->inst[i];

		translate(c, m, &list[i]);
		c->place = i - k->folded;
		if (trace_is_folded(&list[i])) {
			fold(c, &list[i]);
			k->folded++;
		}
		if (c->macs && k->product < c->latency)
			k->product = c->latency;
		c->row = i;
		set_regs(c, m, &list[i], (uint16_t)t->n_regs, &more);
	}
}

uint32_t core_kernels_product(const struct core_kernel *k, uint32_t n)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < n; i++)
		if (longest < k[i].product)
			longest = k[i].product;
	return longest;
}

void core_kernel_number(struct core_kernel *k, uint32_t first_row)
{
	for (uint32_t i = 0; i < k->n_inst; i++)
		k->inst[i].row = first_row + i;
}

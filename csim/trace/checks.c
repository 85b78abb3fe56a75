/* What may be in a trace. The writer holds the executor to it, the reader holds files to it. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/folds.h"
#include "trace/trace_impl.h"

static bool has_its_space(const struct trace_inst *i)
{
	if (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOM)
		return i->space != SPACE_NONE && i->space != SPACE_SLEEP;
	return i->space == SPACE_NONE || (i->space == SPACE_SLEEP && i->op == OP_NOP);
}

static bool is_access_width(const struct trace_inst *i)
{
	return i->space == SPACE_NONE || i->space == SPACE_SLEEP ? i->width == 0
								 : i->width >= 1 && i->width <= 16 && !(i->width & (i->width - 1));
}

static const char *check_inst(const struct trace_kernel *k, const struct trace_inst *i)
{
	if (i->op >= OP_COUNT)
		return "an instruction has an unknown class";
	if (i->space >= SPACE_COUNT)
		return "an instruction has an unknown memory space";
	if (!has_its_space(i))
		return "an instruction's class and memory space disagree";
	if (trace_op_is_tensor(i->op) ? i->width > TRACE_MAX_LOG_MACS : !is_access_width(i))
		return "an instruction has a bad access width";
	if (i->flags & ~(TRACE_VOLATILE | TRACE_NC | TRACE_PREDICATED | TRACE_OPERATORS))
		return "an instruction has unknown flags";
	if (i->ndst + i->nsrc > TRACE_MAX_REGS)
		return "an instruction has too many registers";
	if (i->flags & TRACE_PREDICATED && !i->nsrc)
		return "a guarded instruction has no register for its guard";
	for (unsigned r = 0; r < (unsigned)i->ndst + i->nsrc; r++)
		if (i->reg[r] >= k->n_regs)
			return "an instruction names a register that the kernel does not have";
	if (i->name >= k->n_names)
		return "an instruction names an opcode that the kernel does not have";
	return NULL;
}

const char *trace_check_kernel(const struct trace_kernel *k)
{
	const char *bad = NULL;

	if (k->n_inst < 1)
		return "a kernel has no instructions";
	if (k->n_regs > TRACE_MAX_KERNEL_REGS)
		return "a kernel has more than 65535 registers";
	for (uint32_t i = 0; i < k->n_inst && !bad; i++)
		bad = check_inst(k, &k->inst[i]);
	for (uint32_t i = 0; k->folds && i < k->n_inst && !bad; i++)
		bad = trace_check_fold(k, i);
	return bad;
}

const char *trace_check_waits(const struct trace_launch *l, uint32_t launch, const uint32_t *waits)
{
	uint32_t least = l->below;

	if (l->below > launch || l->n_waits > TRACE_MAX_WAITS)
		return "a launch waits for ones that do not come before it, or for too many";
	for (uint32_t i = 0; i < l->n_waits; i++) {
		if (waits[i] < least || waits[i] >= launch)
			return "what a launch waits for is out of order";
		least = waits[i] + 1;
	}
	return NULL;
}

const char *trace_check_launch(const struct trace_launch *l, uint32_t n_kernels)
{
	uint64_t ctas = 1, threads = 1;

	if (l->kernel >= n_kernels)
		return "a launch names a kernel that is not there";
	for (int d = 0; d < 3; d++) {
		if (!l->grid[d] || !l->block[d])
			return "a grid or block has a dimension of 0";
		if (l->block[d] > TRACE_MAX_THREADS)
			return "a block has more than 1024 threads";
		ctas *= l->grid[d];
		threads *= l->block[d];
		if (ctas > UINT32_MAX)
			return "a grid has more than 2^32 - 1 CTAs";
	}
	return threads > TRACE_MAX_THREADS ? "a block has more than 1024 threads" : NULL;
}

const char *trace_check_store(const struct trace_store *s)
{
	if (s->bytes != 1 && s->bytes != 2 && s->bytes != 4 && s->bytes != 8)
		return "a store of the host program is not of 1, 2, 4 or 8 bytes";
	return s->bytes < 8 && s->value >> (8 * s->bytes) ? "the value of a store of the host program is wider than the store"
							  : NULL;
}

const char *trace_check_copy(const struct trace_copy *c)
{
	if (c->kind >= TRACE_COPY_KINDS)
		return "a copy of the host program is of an unknown kind";
	return !c->to == (c->kind == TRACE_TO_HOST) && !c->from == (c->kind == TRACE_TO_DEVICE || c->kind == TRACE_FILL)
		       ? NULL
		       : "a copy of the host program has an address on the wrong side";
}

uint32_t trace_warp_lanes(const struct trace_launch *l, uint32_t warp)
{
	uint32_t threads = l->block[0] * l->block[1] * l->block[2], left = threads - warp * TRACE_WARP_SIZE;

	return left >= TRACE_WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

void trace_launch_shape(struct trace_launch *l)
{
	uint32_t threads = l->block[0] * l->block[1] * l->block[2];

	l->n_ctas = l->grid[0] * l->grid[1] * l->grid[2];
	l->warps_per_cta = (threads + TRACE_WARP_SIZE - 1) / TRACE_WARP_SIZE;
}

int trace_insert_buffer(struct trace *t, char *name, uint64_t base, uint64_t size, struct err *e)
{
	uint32_t cap = t->cap_buffers, at = t->n_buffers;
	const struct trace_buffer *below, *above;

	while (at > 0 && t->buffer[t->by_base[at - 1]].base > base)
		at--;
	below = at > 0 ? &t->buffer[t->by_base[at - 1]] : NULL;
	above = at < t->n_buffers ? &t->buffer[t->by_base[at]] : NULL;
	if (size == 0 || base + (size - 1) < base)
		err_set(e, "buffer \"%s\" is empty or runs over the end of the address space", name);
	else if ((below && base - below->base < below->size) || (above && above->base - base < size))
		err_set(e, "buffer \"%s\" overlaps buffer \"%s\"", name,
			below && base - below->base < below->size ? below->name : above->name);
	else
		goto good;
	free(name);
	return -1;
good:
	t->by_base = trace_grow32(t->by_base, t->n_buffers, &cap, sizeof *t->by_base);
	t->buffer = trace_grow32(t->buffer, t->n_buffers, &t->cap_buffers, sizeof *t->buffer);
	memmove(t->by_base + at + 1, t->by_base + at, (t->n_buffers - at) * sizeof *t->by_base);
	t->by_base[at] = t->n_buffers;
	t->buffer[t->n_buffers++] = (struct trace_buffer){name, base, size};
	return 0;
}

void trace_insert_kernel(struct trace *t, struct trace_kernel k)
{
	uint32_t cap = t->cap_kernels, n = 0;
	uint32_t *before = xmalloc(((size_t)k.n_inst + 1) * sizeof *before);

	for (uint32_t i = 0; i < k.n_inst; i++) {
		before[i] = n;
		n += trace_has_record(&k.inst[i]);
	}
	before[k.n_inst] = n;
	t->index = trace_grow32(t->index, t->n_kernels, &cap, sizeof *t->index);
	t->kernel = trace_grow32(t->kernel, t->n_kernels, &t->cap_kernels, sizeof *t->kernel);
	t->index[t->n_kernels].mem_before = before;
	t->kernel[t->n_kernels++] = k;
}

#include "cpu/kernel_stream.h"

#include <string.h>

#include "base/panic.h"

enum { PAGE = 4096 };

/* ---- kernels ---- */

/* A product of matrices: the multiply-adds of a thread, one after the other. */
static uint32_t product_latency(const struct machine *m, const struct trace_inst *in)
{
	enum { MAD = OP_INT_MAD - OP_INT_ADD };
	bool bits = in->op == OP_TENSOR_8BIT || in->op == OP_TENSOR_4BIT;
	uint64_t n = ((UINT64_C(1) << in->width) + TRACE_WARP_SIZE - 1) / TRACE_WARP_SIZE;
	uint64_t latency = n * (bits ? m->cpu.int_latency : m->cpu.fp_latency)[MAD];

	return latency < UINT16_MAX ? (uint32_t)latency : UINT16_MAX;
}

static uint32_t latency_of(const struct machine *m, const struct trace_inst *in)
{
	enum trace_op op = in->op;

	if (trace_op_is_tensor(op))
		return product_latency(m, in);
	if (op <= OP_INT_DIV)
		return m->cpu.int_latency[op - OP_INT_ADD];
	if (op <= OP_FP32_DIV)
		return m->cpu.fp_latency[op - OP_FP32_ADD];
	if (op <= OP_FP64_DIV)
		return m->cpu.fp_latency[op - OP_FP64_ADD];
	return op == OP_SFU ? m->cpu.sfu_latency : 1;
}

static struct kernel_op translate(const struct machine *m, const struct trace_inst *in)
{
	struct kernel_op o = {.kind = CPU_COMPUTE, .space = in->space, .width = in->width, .n_dst = in->ndst, .n_src = in->nsrc};

	o.latency = (uint16_t)latency_of(m, in);
	memcpy(o.reg, in->reg, sizeof o.reg);
	if (in->space == SPACE_SLEEP) {
		o.act = KERNEL_ACT_SLEEP;
	} else if (trace_has_record(in)) {
		o.kind = in->op == OP_STORE ? CPU_STORE : CPU_LOAD;
		o.act = in->op == OP_ATOM ? KERNEL_ACT_ATOMIC : KERNEL_ACT_NONE;
	}
	if (in->op == OP_BARRIER)
		o.act = KERNEL_ACT_BARRIER;
	return o;
}

struct kernel_code *kernel_code_new(struct arena *a, const struct machine *m, const struct trace *t)
{
	uint32_t n = trace_n_kernels(t);
	struct kernel_code *code = arena_array(a, n, sizeof *code);

	for (uint32_t k = 0; k < n; k++) {
		const struct trace_kernel *from = trace_kernel(t, k);
		struct kernel_code *c = &code[k];

		*c = (struct kernel_code){.n_regs = from->n_regs, .local_bytes = (from->local_bytes + 15) / 16 * 16};
		c->op = arena_array(a, from->n_inst, sizeof *c->op);
		c->memory_before = arena_array(a, (size_t)from->n_inst + 1, sizeof *c->memory_before);
		for (uint32_t i = 0; i < from->n_inst; i++) {
			c->op[i] = translate(m, &from->inst[i]);
			c->memory_before[i + 1] = c->memory_before[i] + trace_has_record(&from->inst[i]);
		}
	}
	return code;
}

/* Shared memory of the largest CTA, in whole pages; local memory is above it. */
static uint64_t shared_bytes(const struct trace *t)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_launch *l = trace_launch(t, i);
		uint64_t bytes = (uint64_t)trace_kernel(t, l->kernel)->shared_bytes + l->dynamic_shared_bytes;

		most = bytes > most ? bytes : most;
	}
	return (most + PAGE - 1) / PAGE * PAGE;
}

uint64_t kernel_stream_scratch(const struct trace *t)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_launch *l = trace_launch(t, i);
		uint64_t bytes =
			(uint64_t)(trace_kernel(t, l->kernel)->local_bytes + 15) / 16 * 16 * l->warps_per_cta * TRACE_WARP_SIZE;

		most = bytes > most ? bytes : most;
	}
	return shared_bytes(t) + (most + PAGE - 1) / PAGE * PAGE;
}

/* ---- CTAs ---- */

static int begin(struct cpu_feed *f, uint32_t launch, uint32_t piece, struct err *e)
{
	struct kernel_stream *k = (struct kernel_stream *)f;

	if (trace_read_cta(k->trace, launch, piece, &k->cta, e) != 0)
		return -1;
	k->now = &k->code[trace_launch(k->trace, launch)->kernel];
	k->warps = k->cta.n_warps;
	memset(k->cursor, 0, (size_t)k->warps * k->groups * sizeof *k->cursor);
	k->turn = 0;
	k->more = false;
	k->group_began = k->number;
	k->stats.ctas++;
	return 0;
}

/* ---- the stream of a group ---- */

static uint32_t lanes_of(const struct kernel_stream *k)
{
	uint32_t first = k->turn % k->groups * k->simd;

	return k->simd == TRACE_WARP_SIZE ? UINT32_MAX : ((UINT32_C(1) << k->simd) - 1) << first;
}

/* The run in which the group has something to execute next; NULL at its stream's end. */
static const struct trace_run *next_run(const struct kernel_stream *k, struct kernel_cursor *c, uint32_t lanes)
{
	const struct trace_warp *w = &k->cta.warp[k->turn / k->groups];

	for (; c->run < w->n_runs; c->run++, c->done = 0) {
		const struct trace_run *r = &k->cta.runs[w->first_run + c->run];

		if (r->mask & lanes && c->done < r->len)
			return r;
		if (r->mask && c->done < r->len)
			c->addr += k->now->memory_before[r->pc + r->len] - k->now->memory_before[r->pc + c->done];
	}
	return NULL;
}

static void next_turn(struct kernel_stream *k)
{
	k->turn++;
	k->group_began = k->number;
	if (k->turn == k->warps * k->groups && k->more) {
		k->turn = 0;
		k->more = false;
	}
}

/* ---- instructions ---- */

static uint64_t address_of(const struct kernel_stream *k, const struct trace_addr *a, uint32_t mask, uint32_t lane)
{
	if (a->list != TRACE_AFFINE)
		return k->cta.lanes[a->list + (uint32_t)__builtin_popcount(mask & ((UINT32_C(1) << lane) - 1))];
	return a->base + (lane & ((1u << a->shift) - 1)) * (uint64_t)(int64_t)a->sx + (lane >> a->shift) * (uint64_t)(int64_t)a->sy;
}

static uint64_t location_of(const struct kernel_stream *k, const struct kernel_op *o, uint64_t addr, uint32_t lane)
{
	uint64_t thread = k->turn / k->groups * TRACE_WARP_SIZE + lane;

	if (o->space == SPACE_SHARED)
		return k->shared_base + addr;
	return o->space == SPACE_LOCAL ? k->local_base + thread * k->now->local_bytes + addr : addr;
}

static void touch(struct kernel_stream *k, struct cpu_inst *out, const struct kernel_op *o, uint32_t addr, uint32_t mask,
		  uint32_t lanes)
{
	struct trace_addr a = trace_addr_at(&k->cta, addr);

	for (uint32_t m = mask & lanes; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		cpu_inst_touch(out, location_of(k, o, address_of(k, &a, mask, lane), lane), o->width, k->line_shift);
	}
}

/* Distances to the writers of the registers that it reads, as far as this turn wrote them. */
static void depend(const struct kernel_stream *k, struct cpu_inst *out, const struct kernel_op *o)
{
	for (unsigned s = 0; s < o->n_src; s++) {
		uint64_t writer = k->writer[o->reg[o->n_dst + s]];

		if (writer > k->group_began)
			out->back[out->n_back++] = (uint32_t)(k->number - (writer - 1));
	}
}

/* An atomic's second half: stores where the first half loaded, once the load is there. */
static void keep_store(struct kernel_stream *k, const struct cpu_inst *load)
{
	k->store = *load;
	k->store.kind = CPU_STORE;
	k->store.n_back = 1;
	k->store.back[0] = 1;
	k->store_follows = true;
}

static void issue(struct kernel_stream *k, struct cpu_inst *out, const struct kernel_op *o, struct kernel_cursor *c, uint32_t mask,
		  uint32_t lanes)
{
	out->kind = o->kind;
	out->latency = o->latency;
	out->n_back = out->n_lines = 0;
	depend(k, out, o);
	if (o->kind != CPU_COMPUTE)
		touch(k, out, o, k->cta.warp[k->turn / k->groups].first_addr + c->addr++, mask, lanes);
	c->addr += o->act == KERNEL_ACT_SLEEP;
	for (unsigned d = 0; d < o->n_dst; d++)
		k->writer[o->reg[d]] = k->number + 1;
	k->number++;
	k->stats.thread_insts += (unsigned)__builtin_popcount(mask & lanes);
	if (o->act == KERNEL_ACT_ATOMIC)
		keep_store(k, out);
}

static bool next(struct cpu_feed *f, struct cpu_inst *out)
{
	struct kernel_stream *k = (struct kernel_stream *)f;

	if (k->store_follows) {
		*out = k->store;
		k->store_follows = false;
		k->number++;
		return true;
	}
	while (k->turn < k->warps * k->groups) {
		struct kernel_cursor *c = &k->cursor[k->turn];
		uint32_t lanes = lanes_of(k);
		const struct trace_run *r = next_run(k, c, lanes);
		const struct kernel_op *o;

		if (!r) {
			next_turn(k);
			continue;
		}
		o = &k->now->op[r->pc + c->done++];
		issue(k, out, o, c, r->mask, lanes);
		if (o->act == KERNEL_ACT_BARRIER) {
			k->more = true;
			next_turn(k);
		}
		return true;
	}
	return false;
}

void kernel_stream_init(struct kernel_stream *k, struct arena *a, const struct machine *m, struct trace *t,
			const struct kernel_code *code, uint64_t scratch)
{
	uint32_t regs = 0;

	*k = (struct kernel_stream){.feed = {begin, next}, .trace = t, .code = code, .simd = m->cpu.simd};
	k->line_shift = (uint32_t)__builtin_ctz(m->cpu.line);
	k->groups = TRACE_WARP_SIZE / m->cpu.simd;
	k->shared_base = scratch;
	k->local_base = scratch + shared_bytes(t);
	for (uint32_t i = 0; i < trace_n_kernels(t); i++)
		regs = code[i].n_regs > regs ? code[i].n_regs : regs;
	k->writer = arena_array(a, regs, sizeof *k->writer);
	k->cursor = arena_array(a, (size_t)TRACE_MAX_WARPS * k->groups, sizeof *k->cursor);
}

void kernel_stream_free(struct kernel_stream *k)
{
	trace_cta_free(&k->cta);
}

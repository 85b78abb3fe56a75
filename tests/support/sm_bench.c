#include "support/sm_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sm/sm_impl.h"
#include "support/at_tick.h"

struct bench *bench_new(void)
{
	struct bench *b = aligned_alloc(_Alignof(struct bench), sizeof *b); /* an SM wants whole lines */
	struct err e = {""};
	struct trace_options o = {.name = "bench"};

	cr_assert_not_null(b);
	memset(b, 0, sizeof *b);
	cr_assert_eq(machine_load(&b->m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&b->m, &e), 0, "%s", e.text);
	b->memory_ticks = 100 * (uint64_t)b->m.clock.period[CLOCK_CORE];
	b->w = trace_writer_new(&o, &e);
	cr_assert_not_null(b->w, "%s", e.text);
	b->kernel = (struct trace_kernel){.name = (char *)"bench", .inst = b->inst, .regs_per_thread = 16};
	return b;
}

void bench_free(struct bench *b)
{
	sm_free(&b->sm);
	trace_close(b->trace);
	arena_free(&b->arena);
	free(b);
}

static uint32_t append(struct bench *b, struct trace_inst in, int dst, int src0, int src1)
{
	const int reg[3] = {dst, src0, src1};

	cr_assert_lt(b->kernel.n_inst, BENCH_MAX_INSTS);
	for (unsigned i = 0; i < 3; i++) {
		if (reg[i] < 0)
			continue;
		in.reg[in.ndst + in.nsrc] = (uint16_t)reg[i];
		in.ndst += i == 0;
		in.nsrc += i != 0;
		if (b->kernel.n_regs <= (uint32_t)reg[i])
			b->kernel.n_regs = (uint32_t)reg[i] + 1;
	}
	in.line = b->kernel.n_inst + 1;
	b->inst[b->kernel.n_inst] = in;
	return b->kernel.n_inst++;
}

uint32_t bench_op(struct bench *b, enum trace_op op, int dst, int src0, int src1)
{
	return append(b, (struct trace_inst){.op = (uint8_t)op}, dst, src0, src1);
}

uint32_t bench_load(struct bench *b, enum trace_space space, unsigned width, int dst, int addr_reg)
{
	return append(b, (struct trace_inst){.op = OP_LOAD, .space = (uint8_t)space, .width = (uint8_t)width}, dst, addr_reg, -1);
}

uint32_t bench_store(struct bench *b, enum trace_space space, unsigned width, int value_reg, int addr_reg)
{
	return append(b, (struct trace_inst){.op = OP_STORE, .space = (uint8_t)space, .width = (uint8_t)width}, -1, value_reg,
		      addr_reg);
}

void bench_launch(struct bench *b, unsigned ctas, unsigned warps)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {warps * TRACE_WARP_SIZE, 1, 1};
	struct err e = {""};
	char *name = (char *)"op";

	b->n_ctas = ctas;
	b->kernel.n_names = 1;
	b->kernel.names = &name;
	trace_add_kernel(b->w, &b->kernel);
	cr_assert_eq(trace_launch_begin(b->w, 0, grid, block, 0, &e), 0, "%s", e.text);
}

static void end_cta(struct bench *b)
{
	struct err e = {""};

	if (b->n_begun > 0)
		cr_assert_eq(trace_cta_end(b->w, &e), 0, "%s", e.text);
}

void bench_cta(struct bench *b)
{
	end_cta(b);
	trace_cta_begin(b->w, b->n_begun++);
}

void bench_exec(struct bench *b, unsigned warp, uint32_t pc, uint32_t len, uint32_t mask)
{
	trace_put_run(b->w, warp, pc, len, mask);
}

void bench_addrs(struct bench *b, unsigned warp, uint64_t base, int64_t stride)
{
	uint64_t addr[TRACE_WARP_SIZE];

	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		addr[l] = base + (uint64_t)(stride * l);
	trace_put_addrs(b->w, warp, UINT32_MAX, addr);
}

static void note_issue(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc)
{
	struct bench *b = ctx;

	cr_assert_lt(b->n_issues, BENCH_MAX_ISSUES);
	b->issue[b->n_issues++] = (struct bench_issue){cycle, slot, pc, scheduler};
}

static void build(struct bench *b)
{
	struct err e = {""};
	const uint64_t period = b->m.clock.period[CLOCK_NET];
	struct sm_ports port = {.start = &b->start, .done = &b->done, .out = {&b->out, period, ticks_of(1, period)}, .in = &b->in};
	struct hw_binder golden = hw_golden_binder(&b->arena);

	end_cta(b);
	cr_assert_eq(trace_launch_end(b->w, &e), 0, "%s", e.text);
	b->trace = trace_writer_finish(b->w, &e);
	cr_assert_not_null(b->trace, "%s", e.text);
	cr_assert_eq(machine_resolve(&b->m, &e), 0, "%s", e.text);
	core_kernel_init(&b->core, &b->arena, &b->m, trace_kernel(b->trace, 0));
	queue_init(&b->start, &b->arena, BENCH_MAX_CTAS, at_tick(0));
	queue_init(&b->done, &b->arena, BENCH_MAX_CTAS, at_tick(0));
	queue_init(&b->out, &b->arena, 8, ticks_of(1, b->m.clock.period[CLOCK_CORE]));
	queue_init(&b->in, &b->arena, 4096, at_tick(0));
	cr_assert_eq(sm_init(&b->sm, &b->arena, &b->m, b->trace, &b->core, 0, UINT64_C(1) << 30, port, &golden, &e), 0, "%s",
		     e.text);
	if (b->throttle)
		sm_throttle_use(&b->sm, &b->arena, b->throttle);
	if (b->profiled)
		profile_use(&b->sm, &b->arena, b->kernel.n_inst);
	if (b->traced)
		path_use(&b->sm, &b->arena, b->traced, b->kernel.n_inst, PATH_MAX_REQUESTS);
	b->sm.watch = note_issue;
	b->sm.watch_ctx = b;
	if (b->piped) {
		pipeline_log_init(&b->pipeline, &b->arena, 0, BENCH_MAX_ISSUES / 64);
		pipeline_use(&b->sm, &b->arena, b->piped, &b->pipeline);
	}
}

/* The memory: takes what has left the SM and puts the reply on its way. */
static void serve(struct bench *b, struct ticks now)
{
	const uint64_t hop = b->m.clock.period[CLOCK_NET];
	const struct mem_req *r;

	while (ticks_by(ticks_of(b->closed_until, b->sm.period), now) && (r = queue_front(&b->out, now))) {
		struct ticks sent = at_tick(queue_next_arrival(&b->out).n - hop);
		struct mem_req *reply = queue_push(&b->in, ticks_add(b->closed_until ? now : sent, at_tick(b->memory_ticks)));

		cr_assert_lt(b->n_sent, 1024);
		*reply = *r;
		b->sent[b->n_sent] = *r;
		b->sent_at[b->n_sent++] = sent.n;
		queue_pop(&b->out, now);
	}
}

static void dispatch(struct bench *b, struct ticks now, unsigned *sent, unsigned limit)
{
	while (queue_front(&b->done, now)) {
		const struct cta_done *d = queue_front(&b->done, now);

		b->done_at[d->cta] = cycles_in(now, b->sm.period);
		b->n_done++;
		queue_pop(&b->done, now);
	}
	if (*sent < b->n_ctas && *sent - b->n_done < limit) {
		struct cta_start *s = queue_push(&b->start, now);

		*s = (struct cta_start){.cta = (*sent)++};
	}
}

void bench_play(struct bench *b, unsigned limit)
{
	unsigned sent = 0;
	struct ticks now;

	build(b);
	b->start.ring.consumer.wake = b->in.ring.consumer.wake = b->out.ring.producer.wake = &b->next;
	for (now = at_tick(0); b->n_done < b->n_ctas; now = ticks_after(now, 1, b->sm.period)) {
		cr_assert_lt(cycles_in(now, b->sm.period), 1000000, "the SM hangs");
		dispatch(b, now, &sent, limit);
		serve(b, now);
		if (ticks_by(b->next, now))
			b->next = sm_step(&b->sm, now);
		cr_assert(b->sm.error.text[0] == '\0', "%s", b->sm.error.text);
	}
	b->cycles = cycles_in(now, b->sm.period);
	sm_finish(&b->sm, b->cycles);
	pipeline_finish(&b->sm, b->cycles);
}

uint64_t bench_issued(const struct bench *b, unsigned slot, unsigned n)
{
	for (unsigned i = 0; i < b->n_issues; i++)
		if (b->issue[i].slot == slot && n-- == 0)
			return b->issue[i].cycle;
	cr_assert_fail("warp %u issued too little", slot);
	return 0;
}

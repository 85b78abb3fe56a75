/* 315: the instructions that a kernel's trace becomes on a CPU core: in which order the threads run, what a group of
 * lanes touches, which instruction waits for which; for small kernels by hand, and for made-up programs against the
 * arrays that they were made of. */
#include <criterion/criterion.h>
#include <string.h>

#include "cpu/kernel_stream.h"
#include "support/machine.h"
#include "support/made_up.h"

enum { SCRATCH_AT = 1 << 30, A = 0x10000000, B = 0x20000000, MAX = 1 << 15 };

struct stream { /* all instructions of CTA 0 of launch 0 */
	struct arena arena;
	struct machine m;
	struct trace *t;
	struct kernel_stream k;
	struct cpu_inst inst[MAX];
	uint32_t n;
};

static void open_stream(struct stream *s, struct trace *t, uint32_t simd)
{
	char text[32];
	const char *const set[] = {"cpu.count=1", "cpu.fp_latency=3,4,5,6,7", text, NULL};

	snprintf(text, sizeof text, "cpu.simd=%u", simd);
	s->arena = (struct arena){.head = NULL};
	s->m = machine_with(set);
	s->t = t;
	kernel_stream_init(&s->k, &s->arena, &s->m, t, kernel_code_new(&s->arena, &s->m, t), SCRATCH_AT);
}

static void close_stream(struct stream *s)
{
	kernel_stream_free(&s->k);
	arena_free(&s->arena);
}

static void collect(struct stream *s, uint32_t launch, uint32_t cta)
{
	struct err e = {""};

	cr_assert_eq(s->k.feed.begin(&s->k.feed, launch, cta, &e), 0, "%s", e.text);
	for (s->n = 0; s->k.feed.next(&s->k.feed, &s->inst[s->n]); s->n++)
		cr_assert_lt(s->n, MAX - 1);
}

/* ---- a kernel by hand ---- */

struct by_hand {
	struct trace_writer *w;
	struct trace_kernel k;
	struct trace_inst inst[16];
};

static void hand(struct by_hand *h)
{
	struct trace_options o = {.name = "by hand"};
	struct err e = {""};

	*h = (struct by_hand){.w = trace_writer_new(&o, &e)};
	cr_assert_not_null(h->w);
	h->k = (struct trace_kernel){.name = (char *)"k", .inst = h->inst, .n_regs = 8, .shared_bytes = 5000, .local_bytes = 20};
}

/* dst, src0, src1: registers, or -1. */
static void op(struct by_hand *h, enum trace_op op, enum trace_space space, int dst, int src0, int src1)
{
	struct trace_inst *in = &h->inst[h->k.n_inst++];

	*in = (struct trace_inst){.op = (uint8_t)op, .space = (uint8_t)space, .width = space ? 4 : 0};
	if (dst >= 0)
		in->reg[in->ndst++] = (uint16_t)dst;
	if (src0 >= 0)
		in->reg[in->ndst + in->nsrc++] = (uint16_t)src0;
	if (src1 >= 0)
		in->reg[in->ndst + in->nsrc++] = (uint16_t)src1;
}

static void begin(struct by_hand *h, uint32_t threads)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {threads, 1, 1};
	struct err e = {""};
	char *name = (char *)"op";

	h->k.n_names = 1;
	h->k.names = &name;
	trace_add_kernel(h->w, &h->k);
	cr_assert_eq(trace_add_buffer(h->w, "A", A, 4096, &e), 0);
	cr_assert_eq(trace_launch_begin(h->w, 0, grid, block, 0, &e), 0, "%s", e.text);
	trace_cta_begin(h->w, 0);
}

static void addrs(struct by_hand *h, uint32_t warp, uint32_t mask, uint64_t base, uint64_t stride)
{
	uint64_t addr[TRACE_WARP_SIZE];

	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		addr[l] = base + stride * l;
	trace_put_addrs(h->w, warp, mask, addr);
}

static struct trace *end(struct by_hand *h)
{
	struct err e = {""};
	struct trace *t;

	cr_assert_eq(trace_cta_end(h->w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(h->w, &e), 0, "%s", e.text);
	t = trace_writer_finish(h->w, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

/* r1 = load; barrier; store r1; exit: two warps. */
static struct trace *across_a_barrier(void)
{
	struct by_hand h;

	hand(&h);
	op(&h, OP_LOAD, SPACE_GLOBAL, 1, 0, -1);
	op(&h, OP_BARRIER, SPACE_NONE, -1, -1, -1);
	op(&h, OP_STORE, SPACE_GLOBAL, -1, 0, 1);
	op(&h, OP_EXIT, SPACE_NONE, -1, -1, -1);
	begin(&h, 64);
	for (uint32_t w = 0; w < 2; w++) {
		trace_put_run(h.w, w, 0, 4, UINT32_MAX);
		addrs(&h, w, UINT32_MAX, A + 4 * 32 * w, 4);
		addrs(&h, w, UINT32_MAX, B + 64 * 32 * w, 64);
	}
	return end(&h);
}

Test(cpu_kernel, threads_run_one_after_another_up_to_a_barrier)
{
	static struct stream s;

	open_stream(&s, across_a_barrier(), 1);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 64 * 4);
	for (uint32_t t = 0; t < 64; t++) {
		const struct cpu_inst *before = &s.inst[2 * t], *after = &s.inst[128 + 2 * t];

		cr_assert_eq(before[0].kind, CPU_LOAD, "thread %u", t);
		cr_assert_eq(before[0].line[0], (A + 4 * t) / 64);
		cr_assert_eq(before[1].kind, CPU_COMPUTE);
		cr_assert_eq(after[0].kind, CPU_STORE);
		cr_assert_eq(after[0].n_lines, 1);
		cr_assert_eq(after[0].line[0], (B + 64 * t) / 64);
		cr_assert_eq(after[0].n_back, 0, "the barrier keeps registers");
		cr_assert_eq(after[1].kind, CPU_COMPUTE);
	}
	cr_assert_eq(s.k.stats.thread_insts, 64 * 4);
	close_stream(&s);
	trace_close(s.t);
}

Test(cpu_kernel, lanes_of_a_group_run_as_one_instruction)
{
	static struct stream s;

	open_stream(&s, across_a_barrier(), 16);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 4 * 4);
	for (uint32_t g = 0; g < 4; g++) {
		cr_assert_eq(s.inst[2 * g].n_lines, 1);
		cr_assert_eq(s.inst[2 * g].line[0], A / 64 + g);
		cr_assert_eq(s.inst[8 + 2 * g].n_lines, 16);
		for (uint32_t l = 0; l < 16; l++)
			cr_assert_eq(s.inst[8 + 2 * g].line[l], B / 64 + 16 * g + l);
	}
	cr_assert_eq(s.k.stats.thread_insts, 64 * 4);
	close_stream(&s);
	trace_close(s.t);
}

/* Lanes 0-7 and the others go different ways; each has its own addresses. */
Test(cpu_kernel, a_group_sees_only_what_its_lanes_execute)
{
	static struct stream s;
	struct by_hand h;

	hand(&h);
	op(&h, OP_LOAD, SPACE_GLOBAL, 1, 0, -1);
	op(&h, OP_LOAD, SPACE_GLOBAL, 2, 0, -1);
	op(&h, OP_STORE, SPACE_GLOBAL, -1, 0, 2);
	begin(&h, 32);
	trace_put_run(h.w, 0, 0, 1, 0xff);
	trace_put_run(h.w, 0, 1, 1, 0xffffff00);
	trace_put_run(h.w, 0, 0, 2, 0); /* nobody: no addresses */
	trace_put_run(h.w, 0, 2, 1, UINT32_MAX);
	addrs(&h, 0, 0xff, A, 64);
	addrs(&h, 0, 0xffffff00, B, 1000);
	addrs(&h, 0, UINT32_MAX, A + 8192, 64);
	open_stream(&s, end(&h), 1);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 64);
	for (uint32_t t = 0; t < 32; t++) {
		cr_assert_eq(s.inst[2 * t].line[0], (t < 8 ? A + 64 * t : B + 1000 * t) / 64, "thread %u", t);
		cr_assert_eq(s.inst[2 * t + 1].line[0], (A + 8192 + 64 * t) / 64, "thread %u", t);
		/* It stores register 2, which threads 0-7 did not write. */
		cr_assert_eq(s.inst[2 * t + 1].n_back, t < 8 ? 0 : 1);
	}
	close_stream(&s);
	trace_close(s.t);
}

Test(cpu_kernel, an_instruction_waits_for_the_writers_of_what_it_reads)
{
	static struct stream s;
	struct by_hand h;

	hand(&h);
	op(&h, OP_LOAD, SPACE_GLOBAL, 1, 0, -1);
	op(&h, OP_FP32_MUL, SPACE_NONE, 2, 3, -1);
	op(&h, OP_FP64_DIV, SPACE_NONE, 4, 1, 2);
	op(&h, OP_INT_ADD, SPACE_NONE, 1, 1, -1);
	op(&h, OP_STORE, SPACE_GLOBAL, -1, 1, 4);
	begin(&h, 2);
	trace_put_run(h.w, 0, 0, 5, 3);
	addrs(&h, 0, 3, A, 4);
	addrs(&h, 0, 3, B, 4);
	open_stream(&s, end(&h), 1);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 10);
	for (uint32_t t = 0; t < 2; t++) {
		const struct cpu_inst *i = &s.inst[5 * t];

		cr_assert_eq(i[0].n_back + i[1].n_back, 0);
		cr_assert_eq(i[1].latency, 5);
		cr_assert_eq(i[2].n_back, 2);
		cr_assert_eq(i[2].back[0], 2);
		cr_assert_eq(i[2].back[1], 1);
		cr_assert_eq(i[2].latency, 7);
		cr_assert_eq(i[3].back[0], 3);
		cr_assert_eq(i[3].latency, 1);
		cr_assert_eq(i[4].back[0], 1);
		cr_assert_eq(i[4].back[1], 2);
	}
	close_stream(&s);
	trace_close(s.t);
}

Test(cpu_kernel, an_atomic_loads_and_stores_and_shared_and_local_memory_have_addresses)
{
	static struct stream s;
	struct by_hand h;

	hand(&h);
	op(&h, OP_ATOM, SPACE_GLOBAL, 1, 0, -1);
	op(&h, OP_LOAD, SPACE_SHARED, 2, 1, -1);
	op(&h, OP_STORE, SPACE_LOCAL, -1, 2, -1);
	op(&h, OP_LOAD, SPACE_PARAM, 2, -1, -1);
	begin(&h, 32);
	trace_put_run(h.w, 0, 0, 4, UINT32_MAX);
	addrs(&h, 0, UINT32_MAX, A, 128);
	addrs(&h, 0, UINT32_MAX, 256, 64);
	addrs(&h, 0, UINT32_MAX, 16, 0);
	open_stream(&s, end(&h), 1);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 32 * 5);
	for (uint32_t t = 0; t < 32; t++) {
		const struct cpu_inst *i = &s.inst[5 * t];

		cr_assert_eq(i[0].kind, CPU_LOAD);
		cr_assert_eq(i[1].kind, CPU_STORE);
		cr_assert_eq(i[0].line[0], (A + 128 * t) / 64);
		cr_assert_eq(i[1].line[0], i[0].line[0]);
		cr_assert_eq(i[1].n_back, 1);
		cr_assert_eq(i[1].back[0], 1);
		cr_assert_eq(i[2].line[0], (SCRATCH_AT + 256 + 64 * t) / 64);
		cr_assert_eq(i[2].back[0], 2, "the atomic's result comes with its load");
		/* 5000 bytes of shared memory are two pages; 20 of local memory take 32. */
		cr_assert_eq(i[3].line[0], (SCRATCH_AT + 8192 + 32 * t + 16) / 64);
		cr_assert_eq(i[4].kind, CPU_COMPUTE);
	}
	cr_assert_eq(kernel_stream_scratch(s.t), 8192 + 4096);
	cr_assert_eq(s.k.stats.thread_insts, 32 * 4);
	close_stream(&s);
	trace_close(s.t);
}

/* Its record is not the address of the load behind it. */
Test(cpu_kernel, a_sleep_takes_a_cycle)
{
	static struct stream s;
	struct by_hand h;

	hand(&h);
	op(&h, OP_NOP, SPACE_SLEEP, -1, -1, -1);
	h.inst[0].width = 0;
	op(&h, OP_LOAD, SPACE_GLOBAL, 1, 0, -1);
	begin(&h, 32);
	trace_put_run(h.w, 0, 0, 2, UINT32_MAX);
	addrs(&h, 0, UINT32_MAX, 1000, 0);
	addrs(&h, 0, UINT32_MAX, A, 128);
	open_stream(&s, end(&h), 1);
	collect(&s, 0, 0);
	cr_assert_eq(s.n, 32 * 2);
	for (uint32_t t = 0; t < 32; t++) {
		cr_expect_eq(s.inst[2 * t].kind, CPU_COMPUTE);
		cr_expect_eq(s.inst[2 * t].latency, 1);
		cr_expect_eq(s.inst[2 * t + 1].line[0], (A + 128 * t) / 64);
	}
	close_stream(&s);
	trace_close(s.t);
}

/* ---- made-up programs ---- */

static uint64_t place(const struct trace_kernel *k, const struct trace_inst *in, uint64_t addr, uint32_t thread, uint64_t shared)
{
	if (in->space == SPACE_SHARED)
		return SCRATCH_AT + addr;
	return in->space == SPACE_LOCAL ? SCRATCH_AT + shared + (uint64_t)thread * ((k->local_bytes + 15) / 16 * 16) + addr : addr;
}

/* One warp instruction by the lanes of a group: its lines, each once, in the order of the lanes. */
static void expect(struct stream *s, uint32_t *at, const struct trace_kernel *k, const struct trace_inst *in, const uint64_t *lane,
		   uint32_t lanes, uint32_t warp, uint64_t shared)
{
	const struct cpu_inst *got = &s->inst[(*at)++];
	uint64_t line[64];
	uint32_t n = 0;

	if (!lane) {
		cr_assert_eq(got->kind, CPU_COMPUTE);
		return;
	}
	for (uint32_t l = 0; l < 32; l++)
		for (uint32_t byte = 0; lanes >> l & 1 && byte < in->width; byte++) {
			uint64_t one = (place(k, in, lane[l], 32 * warp + l, shared) + byte) / 64;
			uint32_t i = 0;

			while (i < n && line[i] != one)
				i++;
			line[i] = one;
			n += i == n;
		}
	cr_assert_eq(got->kind, in->op == OP_STORE ? CPU_STORE : CPU_LOAD);
	cr_assert_eq(got->n_lines, n);
	cr_assert_eq(memcmp(got->line, line, n * sizeof *line), 0);
	if (in->op == OP_ATOM)
		cr_assert_eq(s->inst[(*at)++].kind, CPU_STORE);
}

static void expect_group(struct stream *s, uint32_t *at, const struct trace_kernel *k, const struct made_up_warp *w, uint32_t lanes,
			 uint32_t warp, uint64_t shared)
{
	const struct made_up_addrs *a = w->addrs;

	for (uint32_t r = 0; r < w->n_runs; r++)
		for (uint32_t pc = w->run[r].pc; pc < w->run[r].pc + w->run[r].len; pc++) {
			const struct trace_inst *in = &k->inst[pc];
			bool memory = w->run[r].mask && trace_has_record(in);

			if (w->run[r].mask & lanes)
				expect(s, at, k, in, memory ? a->lane : NULL, w->run[r].mask & lanes, warp, shared);
			a += memory;
		}
}

static void program(uint64_t seed, uint32_t simd)
{
	static struct stream s;
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	uint64_t shared = 0, want = 0;

	made_up_init(&p, seed, 6);
	open_stream(&s, made_up_record(&p, &o), simd);
	for (int i = 0; i < 3; i++)
		if (shared < p.kernel[p.launch[i].kernel].shared_bytes + p.launch[i].shared)
			shared = p.kernel[p.launch[i].kernel].shared_bytes + p.launch[i].shared;
	shared = (shared + 4095) / 4096 * 4096;
	for (uint32_t i = 0; i < 3; i++) {
		const struct made_up_launch *l = &p.launch[i];

		want += l->thread_insts;
		for (uint32_t c = 0; c < l->n_ctas && l->warps_per_cta <= 2; c++) {
			uint32_t at = 0;

			collect(&s, i, c);
			for (uint32_t g = 0; g < l->warps_per_cta * (32 / simd); g++)
				expect_group(&s, &at, &p.kernel[l->kernel], &l->warp[c * l->warps_per_cta + g / (32 / simd)],
					     (simd == 32 ? UINT32_MAX : (1u << simd) - 1) << g % (32 / simd) * simd,
					     g / (32 / simd), shared);
			cr_assert_eq(at, s.n, "seed %lu, launch %u, CTA %u", seed, i, c);
		}
		want -= l->warps_per_cta <= 2 ? 0 : l->thread_insts;
	}
	cr_assert_eq(s.k.stats.thread_insts, want);
	close_stream(&s);
	trace_close(s.t);
	made_up_free(&p);
}

Test(cpu_kernel, streams_of_made_up_programs_are_what_their_threads_did)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		for (uint32_t simd = 1; simd <= 32; simd *= 2)
			program(seed, simd);
}

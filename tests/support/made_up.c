#include "support/made_up.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/folds.h"
#include "trace/trace_impl.h"

static uint32_t below(uint64_t *s, uint32_t n)
{
	return (uint32_t)(random_u64(s) % n);
}

/* Some arithmetic and some loads go into what is behind them: instruction i of kernel `number`, so that nothing else of
 * a program depends on it. */
static void make_folds(struct trace_kernel *k, unsigned number)
{
	k->folds = xcalloc(k->n_inst, sizeof *k->folds);
	for (uint32_t i = 0; i < k->n_inst; i++) {
		k->folds[i] = k->inst[i];
		if ((i + number) % 5 == 0 && (k->inst[i].op <= OP_SFU || k->inst[i].op == OP_LOAD))
			k->folds[i].flags |= TRACE_FOLDED;
		else if ((i + number) % 7 == 0 && k->inst[i].op <= OP_SFU)
			k->folds[i].op = OP_FP32_MAD;
	}
}

static void make_kernel(struct trace_kernel *k, uint64_t *s, unsigned number)
{
	static const uint8_t width[] = {1, 2, 4, 8, 16};
	char name[32];

	snprintf(name, sizeof name, "made_up_%u", number);
	*k = (struct trace_kernel){xstrdup(name), 5 + below(s, 60), NULL, 3, NULL, 40, 17, 256, 64, NULL, NULL};
	k->names = xcalloc(3, sizeof *k->names);
	k->names[0] = xstrdup("add.s32");
	k->names[1] = xstrdup("ld.global.f32");
	k->names[2] = xstrdup("st.param.v4.u32");
	k->inst = xcalloc(k->n_inst, sizeof *k->inst);
	for (uint32_t i = 0; i < k->n_inst; i++) {
		struct trace_inst *in = &k->inst[i];

		in->line = 10 + i;
		in->ndst = (uint8_t)below(s, 3);
		in->nsrc = (uint8_t)below(s, 9);
		for (int r = 0; r < in->ndst + in->nsrc; r++)
			in->reg[r] = (uint16_t)below(s, 40);
		if (below(s, 3) == 0) {
			in->op = (uint8_t)(OP_LOAD + below(s, 3));
			in->space = (uint8_t)(SPACE_GLOBAL + below(s, SPACE_SLEEP - SPACE_GLOBAL));
			in->width = width[below(s, 5)];
			in->name = (uint16_t)(1 + below(s, 2));
			in->flags = below(s, 5) ? 0 : TRACE_VOLATILE;
		}
	}
	make_folds(k, number);
}

/* Addresses of many kinds: rows, uniform, random, huge, descending. */
static void make_addrs(struct made_up_addrs *a, uint64_t *s, uint32_t mask)
{
	uint64_t base = UINT64_C(0x10000000) + below(s, 1 << 20), sx = 0, sy = 0;
	uint32_t shift = below(s, 6);

	switch (below(s, 6)) {
	case 0:
		sx = 4;
		sy = 4 << shift;
		break;
	case 1:
		sx = (uint64_t)-8;
		sy = 4096;
		break;
	case 2:
		sx = below(s, 1 << 30);
		sy = (uint64_t)0 - below(s, 1 << 30);
		break;
	case 3: /* strides that the affine form cannot hold */
		sx = UINT64_C(1) << (31 + below(s, 30));
		break;
	default:
		break;
	}
	a->mask = mask;
	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		a->lane[l] = base + (l & ((1u << shift) - 1)) * sx + (l >> shift) * sy;
	if (below(s, 4) == 0) /* one lane out of step, perhaps an inactive one */
		a->lane[below(s, 32)] ^= random_u64(s);
	else if (below(s, 6) == 0)
		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			a->lane[l] = random_u64(s) >> below(s, 60);
}

static void make_warp(struct made_up_warp *w, const struct trace_kernel *k, uint64_t *s, uint32_t exist, uint32_t length,
		      struct made_up_launch *l)
{
	uint32_t cap = 0, mask = exist, end = 0;

	w->n_runs = 1 + below(s, length);
	w->run = xcalloc(w->n_runs, sizeof *w->run);
	for (uint32_t i = 0; i < w->n_runs; i++) {
		uint32_t pc = below(s, 4) ? below(s, k->n_inst) : 0, next = below(s, 3) ? mask : exist & (uint32_t)random_u64(s);

		if (i > 0 && next == mask && pc == end) /* would be joined */
			pc = (pc + 1) % k->n_inst;
		mask = next;
		w->run[i] = (struct trace_run){pc, 1 + below(s, k->n_inst - pc), mask};
		end = pc + w->run[i].len;
		l->warp_insts += w->run[i].len;
		l->thread_insts += w->run[i].len * (uint64_t)__builtin_popcount(mask);
		for (uint32_t p = pc; p < end; p++) {
			if (!mask || !trace_has_record(&k->inst[p]))
				continue;
			if (w->n_addrs == cap)
				w->addrs = xrealloc(w->addrs, (cap = cap * 2 + 8) * sizeof *w->addrs);
			make_addrs(&w->addrs[w->n_addrs++], s, mask);
		}
	}
}

static void make_launch(struct made_up *m, struct made_up_launch *l, uint64_t *s, uint32_t length)
{
	static const uint32_t block[][3] = {{32, 1, 1}, {16, 16, 1}, {8, 3, 2}, {100, 1, 1}, {1, 33, 1}, {4, 4, 4}, {1, 1, 1}};
	uint32_t threads;

	l->kernel = below(s, 2);
	for (int d = 0; d < 3; d++)
		l->grid[d] = 1 + below(s, 4);
	memcpy(l->block, block[below(s, 7)], sizeof l->block);
	l->shared = below(s, 1000);
	l->n_ctas = l->grid[0] * l->grid[1] * l->grid[2];
	threads = l->block[0] * l->block[1] * l->block[2];
	l->warps_per_cta = (threads + 31) / 32;
	l->warp = xcalloc((size_t)l->n_ctas * l->warps_per_cta, sizeof *l->warp);
	for (uint32_t i = 0; i < l->n_ctas * l->warps_per_cta; i++) {
		uint32_t left = threads - i % l->warps_per_cta * 32;

		make_warp(&l->warp[i], &m->kernel[l->kernel], s, left >= 32 ? UINT32_MAX : (1u << left) - 1, length, l);
	}
}

void made_up_init(struct made_up *m, uint64_t seed, uint32_t length)
{
	static const uint32_t bytes[] = {1, 2, 4, 8};
	uint32_t before = 0;

	*m = (struct made_up){0};
	for (unsigned i = 0; i < 2; i++)
		make_kernel(&m->kernel[i], &seed, i);
	for (int i = 0; i < 3; i++)
		make_launch(m, &m->launch[i], &seed, length);
	for (int i = 0; i < 5; i++) {
		uint32_t b = bytes[below(&seed, 4)];

		before += before < 3 && below(&seed, 2);
		m->store[i] = (struct trace_store){random_u64(&seed), random_u64(&seed) >> (64 - 8 * b), b, before};
	}
}

void made_up_copy(struct made_up *m)
{
	m->copy[0] = (struct trace_copy){0x10000000, 0, 100, TRACE_TO_DEVICE, 0};
	m->copy[1] = (struct trace_copy){0, 0x20000000, 4096, TRACE_TO_HOST, 1};
	m->copy[2] = (struct trace_copy){0x20000010, 0x10000000, 16, TRACE_ON_DEVICE, 1};
	m->copy[3] = (struct trace_copy){0x20000800, 0, 8, TRACE_FILL, 3};
	m->n_copies = 4;
}

void made_up_wait(struct made_up *m)
{
	m->waits = true;
}

void made_up_narrow(struct made_up *m, unsigned bits)
{
	for (int i = 0; i < 3; i++)
		for (uint32_t w = 0; w < m->launch[i].n_ctas * m->launch[i].warps_per_cta; w++)
			for (uint32_t a = 0; a < m->launch[i].warp[w].n_addrs; a++)
				for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
					m->launch[i].warp[w].addrs[a].lane[l] &= (UINT64_C(1) << bits) - 1;
}

void made_up_free(struct made_up *m)
{
	for (int i = 0; i < 2; i++) {
		for (int n = 0; n < 3; n++)
			free(m->kernel[i].names[n]);
		free(m->kernel[i].names);
		free(m->kernel[i].name);
		free(m->kernel[i].inst);
		free(m->kernel[i].folds);
	}
	for (int i = 0; i < 3; i++) {
		trace_sync_free(m->sync[i]);
		for (uint32_t w = 0; w < m->launch[i].n_ctas * m->launch[i].warps_per_cta; w++) {
			free(m->launch[i].warp[w].run);
			free(m->launch[i].warp[w].addrs);
		}
		free(m->launch[i].warp);
	}
}

static void record_warp(const struct made_up_warp *from, struct trace_writer *w, uint32_t warp)
{
	for (uint32_t r = 0; r < from->n_runs; r++) {
		uint32_t half = from->run[r].len / 2;

		/* In two parts, which the writer joins. */
		if (half)
			trace_put_run(w, warp, from->run[r].pc, half, from->run[r].mask);
		trace_put_run(w, warp, from->run[r].pc + half, from->run[r].len - half, from->run[r].mask);
	}
	for (uint32_t a = 0; a < from->n_addrs; a++)
		trace_put_addrs(w, warp, from->addrs[a].mask, from->addrs[a].lane);
}

/* What the host does before launch i, or behind the last. */
static void record_host(const struct made_up *m, uint32_t i, struct trace_writer *w)
{
	for (int s = 0; s < 5; s++)
		if (m->store[s].before_launch == i)
			trace_add_store(w, m->store[s].addr, m->store[s].bytes, m->store[s].value);
	for (uint32_t c = 0; c < m->n_copies; c++)
		if (m->copy[c].before_launch == i)
			trace_add_copy(w, &m->copy[c]);
}

static void record_launch(const struct made_up *m, int i, struct trace_writer *w, struct err *e)
{
	const struct made_up_launch *l = &m->launch[i];

	record_host(m, (uint32_t)i, w);
	if (m->waits)
		trace_set_waits(w, 0, i == 2, &(uint32_t){1});
	cr_assert_eq(trace_launch_begin(w, l->kernel, l->grid, l->block, l->shared, e), 0, "%s", e->text);
	for (uint32_t c = 0; c < l->n_ctas; c++) {
		trace_cta_begin(w, c);
		for (uint32_t p = 0; p < l->warps_per_cta; p++)
			record_warp(&l->warp[c * l->warps_per_cta + p], w, p);
		cr_assert_eq(trace_cta_end(w, e), 0, "%s", e->text);
	}
	if (m->sync[i])
		trace_set_sync(w, m->sync[i]);
	cr_assert_eq(trace_launch_end(w, e), 0);
}

struct trace *made_up_record(const struct made_up *m, const struct trace_options *o)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(o, &e);
	struct trace *t;

	cr_assert(w, "%s", e.text);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(trace_add_kernel(w, &m->kernel[i]), (uint32_t)i);
	cr_assert_eq(trace_add_buffer(w, "B", 0x20000000, 4096, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "A", 0x10000000, 100, &e), 0);
	trace_set_const_base(w, 0x7000);
	for (int i = 0; i < 3; i++)
		record_launch(m, i, w, &e);
	record_host(m, 3, w);
	t = trace_writer_finish(w, &e);
	cr_assert(t, "%s", e.text);
	return t;
}

static void expect_warp(const struct made_up_warp *want, const struct trace_cta *c, uint32_t warp, const struct trace_kernel *k)
{
	const struct trace_warp *w = &c->warp[warp];
	uint32_t insts = 0;

	cr_assert_eq(w->n_runs, want->n_runs);
	cr_assert_eq(memcmp(c->runs + w->first_run, want->run, want->n_runs * sizeof *want->run), 0, "%s", k->name);
	cr_assert_eq(w->n_addrs, want->n_addrs);
	for (uint32_t i = 0; i < want->n_runs; i++)
		insts += want->run[i].len;
	cr_assert_eq(w->insts, insts);
	for (uint32_t a = 0; a < want->n_addrs; a++) {
		uint64_t got[TRACE_WARP_SIZE];

		memset(got, 0x5a, sizeof got);
		trace_addr_expand(c, w->first_addr + a, want->addrs[a].mask, got);
		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			cr_assert_eq(got[l], want->addrs[a].mask >> l & 1 ? want->addrs[a].lane[l] : UINT64_C(0x5a5a5a5a5a5a5a5a),
				     "warp %u, record %u, lane %u", warp, a, l);
	}
}

void made_up_expect_cta(const struct made_up *m, struct trace *t, uint32_t launch, uint32_t cta, struct trace_cta *scratch)
{
	const struct made_up_launch *l = &m->launch[launch];
	struct err e = {""};

	cr_assert_eq(trace_read_cta(t, launch, cta, scratch, &e), 0, "%s", e.text);
	cr_assert_eq(scratch->id, cta);
	cr_assert_eq(scratch->n_warps, l->warps_per_cta);
	for (uint32_t p = 0; p < l->warps_per_cta; p++)
		expect_warp(&l->warp[cta * l->warps_per_cta + p], scratch, p, &m->kernel[l->kernel]);
}

static void expect_kernel(const struct trace_kernel *want, const struct trace_kernel *got)
{
	cr_assert_str_eq(got->name, want->name);
	cr_assert_eq(got->n_inst, want->n_inst);
	cr_assert_eq(memcmp(got->inst, want->inst, want->n_inst * sizeof *want->inst), 0);
	cr_assert_eq(got->n_names, want->n_names);
	for (uint32_t n = 0; n < want->n_names; n++)
		cr_assert_str_eq(got->names[n], want->names[n]);
	cr_assert(got->n_regs == want->n_regs && got->regs_per_thread == want->regs_per_thread);
	cr_assert(got->shared_bytes == want->shared_bytes && got->local_bytes == want->local_bytes);
}

static void expect_launch(const struct made_up_launch *want, const struct trace_launch *got)
{
	cr_assert_eq(got->kernel, want->kernel);
	cr_assert_eq(memcmp(got->grid, want->grid, sizeof want->grid), 0);
	cr_assert_eq(memcmp(got->block, want->block, sizeof want->block), 0);
	cr_assert_eq(got->dynamic_shared_bytes, want->shared);
	cr_assert(got->n_ctas == want->n_ctas && got->warps_per_cta == want->warps_per_cta);
	cr_assert(got->warp_insts == want->warp_insts && got->thread_insts == want->thread_insts);
}

void made_up_expect(const struct made_up *m, struct trace *t, uint64_t seed)
{
	struct trace_cta c = {0};

	cr_assert(trace_n_kernels(t) == 2 && trace_n_launches(t) == 3 && trace_n_buffers(t) == 2 && trace_n_stores(t) == 5);
	for (uint32_t i = 0; i < 2; i++)
		expect_kernel(&m->kernel[i], trace_kernel(t, i));
	cr_assert_str_eq(trace_buffer(t, 0)->name, "B");
	cr_assert(trace_buffer(t, 1)->base == 0x10000000 && trace_buffer(t, 1)->size == 100);
	cr_assert_eq(trace_const_base(t), 0x7000);
	for (uint64_t i = 0; i < 5; i++)
		cr_assert_eq(memcmp(trace_store(t, i), &m->store[i], sizeof m->store[i]), 0, "store %d", (int)i);
	cr_assert_eq(trace_n_copies(t), m->n_copies);
	for (uint32_t i = 0; i < m->n_copies; i++)
		cr_assert_eq(memcmp(trace_copy(t, i), &m->copy[i], sizeof m->copy[i]), 0, "copy %d", (int)i);
	for (uint32_t i = 0; i < 3; i++) {
		const struct trace_launch *l = trace_launch(t, i);

		cr_assert_eq(l->below, m->waits ? 0 : i);
		cr_assert_eq(l->n_waits, m->waits && i == 2);
		cr_assert(!l->n_waits || trace_waits(t, l)[0] == 1);
		made_up_expect_sync(m->sync[i], trace_sync(t, i), m->launch[i].n_ctas, 0);
	}
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t n = m->launch[i].n_ctas, at = below(&seed, n);

		expect_launch(&m->launch[i], trace_launch(t, i));
		for (uint32_t step = 0; step < n; step++, at = (at + 5) % n)
			made_up_expect_cta(m, t, i, at, &c);
		made_up_expect_cta(m, t, i, n - 1, &c);
	}
	trace_cta_free(&c);
}

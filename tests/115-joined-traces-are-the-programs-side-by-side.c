/* 115: traces joined into one: each program's kernels, launches, stores and CTAs as they were, its addresses moved by a
 * multiple of
 * 2 MB and in no other program's way. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/made_up.h"
#include "trace/join.h"

static struct trace *record(struct made_up *m, uint64_t seed)
{
	made_up_init(m, seed, 40);
	made_up_copy(m);
	made_up_wait(m);
	made_up_sync(m, seed);
	return made_up_record(m, &(struct trace_options){.name = "made up"});
}

static bool moves(uint8_t space)
{
	return space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_TEX;
}

static void expect_warp(const struct trace_kernel *k, const struct trace_cta *x, const struct trace_cta *y, uint32_t w,
			uint64_t moved)
{
	uint32_t ax = x->warp[w].first_addr, ay = y->warp[w].first_addr;

	cr_assert_eq(x->warp[w].n_runs, y->warp[w].n_runs);
	for (uint32_t r = 0; r < x->warp[w].n_runs; r++) {
		const struct trace_run *a = &x->runs[x->warp[w].first_run + r], *b = &y->runs[y->warp[w].first_run + r];

		cr_assert(a->pc == b->pc && a->len == b->len && a->mask == b->mask);
		for (uint32_t pc = a->pc; pc < a->pc + a->len && a->mask; pc++) {
			uint64_t from[TRACE_WARP_SIZE] = {0}, to[TRACE_WARP_SIZE] = {0};

			if (!trace_has_record(&k->inst[pc]))
				continue;
			trace_addr_expand(x, ax++, a->mask, from);
			trace_addr_expand(y, ay++, a->mask, to);
			for (int l = 0; l < TRACE_WARP_SIZE; l++)
				cr_assert_eq(to[l], from[l] + (a->mask >> l & 1 && moves(k->inst[pc].space) ? moved : 0));
		}
	}
}

static void expect_part(struct trace *t, const struct trace_part *p)
{
	struct trace_cta x = {0}, y = {0};
	struct err e = {""};

	for (uint32_t l = 0; l < trace_n_launches(p->trace); l++) {
		const struct trace_launch *a = trace_launch(p->trace, l), *b = trace_launch(t, p->first_launch + l);
		const struct trace_kernel *k = trace_kernel(p->trace, a->kernel);

		cr_assert_str_eq(k->name, trace_kernel(t, b->kernel)->name);
		cr_assert_eq(b->below, p->first_launch);
		cr_assert_eq(b->n_waits, l == 2);
		made_up_expect_sync(trace_sync(p->trace, l), trace_sync(t, p->first_launch + l), a->n_ctas, p->moved);
		cr_assert(l != 2 || trace_waits(t, b)[0] == p->first_launch + 1);
		cr_assert(a->n_ctas == b->n_ctas && a->warp_insts == b->warp_insts && a->thread_insts == b->thread_insts);
		for (uint32_t c = 0; c < a->n_ctas; c++) {
			cr_assert_eq(trace_read_cta(p->trace, l, c, &x, &e), 0, "%s", e.text);
			cr_assert_eq(trace_read_cta(t, p->first_launch + l, c, &y, &e), 0, "%s", e.text);
			cr_assert_eq(x.n_warps, y.n_warps);
			for (uint32_t w = 0; w < x.n_warps; w++)
				expect_warp(k, &x, &y, w, p->moved);
		}
	}
	trace_cta_free(&x);
	trace_cta_free(&y);
}

/* From number `first` of t on. */
static void expect_copies(const struct trace *t, const struct trace_part *p, uint64_t first)
{
	for (uint64_t c = 0; c < trace_n_copies(p->trace); c++) {
		const struct trace_copy *from = trace_copy(p->trace, c), *to = trace_copy(t, first + c);

		cr_expect_eq(to->to, from->to ? from->to + p->moved : 0);
		cr_expect_eq(to->from, from->from ? from->from + p->moved : 0);
		cr_expect_eq(to->before_launch, from->before_launch + p->first_launch);
		cr_expect(to->bytes == from->bytes && to->kind == from->kind);
	}
}

Test(join, keeps_what_each_program_does)
{
	struct made_up m[3];
	struct trace_part part[3] = {{.name = "one"}, {.name = "two"}, {.name = "three"}};
	struct err e = {""};
	struct trace *t;
	uint64_t store = 0;

	for (int i = 0; i < 3; i++)
		part[i].trace = record(&m[i], 11 + (uint64_t)i);
	t = trace_join(part, 3, &(struct trace_options){.name = "all"}, &e);
	cr_assert_not_null(t, "%s", e.text);
	cr_expect_str_eq(trace_name(t), "all");
	for (int i = 0; i < 3; i++) {
		expect_part(t, &part[i]);
		cr_expect_eq(part[i].moved % (2 << 20), 0);
		for (uint32_t b = 0; b < trace_n_buffers(part[i].trace); b++) {
			const struct trace_buffer *from = trace_buffer(part[i].trace, b),
						  *to = trace_buffer(t, part[i].first_buffer + b);

			cr_expect_eq(to->base, from->base + part[i].moved);
			cr_expect_eq(to->size, from->size);
			cr_expect(!strncmp(to->name, part[i].name, strlen(part[i].name)) &&
				  !strcmp(to->name + strlen(part[i].name) + 1, from->name));
		}
		for (uint64_t s = 0; s < trace_n_stores(part[i].trace); s++, store++) {
			const struct trace_store *from = trace_store(part[i].trace, s), *to = trace_store(t, store);

			cr_expect_eq(to->addr, from->addr + part[i].moved);
			cr_expect_eq(to->before_launch, from->before_launch + part[i].first_launch);
			cr_expect(to->value == from->value && to->bytes == from->bytes);
		}
		expect_copies(t, &part[i], (uint64_t)i * 4);
		trace_close(part[i].trace);
		made_up_free(&m[i]);
	}
	cr_expect_eq(trace_n_stores(t), store);
	cr_expect_eq(trace_n_copies(t), 12);
	trace_close(t);
}

/* Accesses of a made-up program that order its warps. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/made_up.h"
#include "support/random.h"
#include "trace/trace_impl.h"

static uint32_t below(uint64_t *s, uint32_t n)
{
	return (uint32_t)(random_u64(s) % n);
}

enum { GLOBAL_WORDS = 3 };

/* Three words of global memory, and one of each CTA. */
static void make_words(struct trace_sync *t, uint64_t *s, uint32_t n_ctas)
{
	t->n_words = GLOBAL_WORDS + n_ctas;
	t->word = xcalloc(t->n_words, sizeof *t->word);
	for (uint32_t i = 0; i < t->n_words; i++)
		t->word[i] = i < GLOBAL_WORDS ? (struct trace_sync_word){random_u64(s) >> 20, TRACE_SYNC_GLOBAL, below(s, 32)}
					      : (struct trace_sync_word){4 * below(s, 64), i - GLOBAL_WORDS, below(s, 32)};
}

static void add_item(struct trace_sync *t, uint64_t *s, uint32_t word)
{
	uint32_t n = t->word[word].n, first = below(s, n + 1);

	t->item = xgrow(t->item, t->n_items, sizeof *t->item);
	t->item[t->n_items++] = (struct trace_sync_item){word, below(s, n + 1), first, below(s, n - first + 1)};
}

/* Instructions that access memory have no lanes there. */
static void add_tail(struct trace_sync *t, uint64_t *s, const struct trace_kernel *k, uint32_t exist)
{
	uint32_t pc = below(s, k->n_inst);

	t->tail = xgrow(t->tail, t->n_tails, sizeof *t->tail);
	t->tail[t->n_tails++] = (struct trace_run){pc, 1, k->inst[pc].space == SPACE_NONE ? exist & (uint32_t)random_u64(s) : 0};
}

struct place { /* in a warp's execution */
	uint32_t cta, warp, exist, record, inst;
	const uint32_t *inst_of; /* each record's instruction */
};

static void add_access(struct trace_sync *t, uint64_t *s, const struct trace_kernel *k, const struct place *at, bool is_global)
{
	struct trace_sync_access a = {.warp = at->warp, .access = at->record, .first_item = t->n_items, .n_items = 1 + below(s, 3)};

	for (uint32_t i = 0; i < a.n_items; i++)
		add_item(t, s, is_global ? below(s, GLOBAL_WORDS) : GLOBAL_WORDS + at->cta);
	a.insts = below(s, 3) ? 1 + below(s, at->inst + 1) : 0;
	for (uint32_t i = 0; i <= at->record; i++)
		a.records += at->inst_of[i] + a.insts > at->inst;
	a.first_tail = t->n_tails;
	a.n_tail = a.insts ? below(s, 3) : 0;
	for (uint32_t i = 0; i < a.n_tail; i++)
		add_tail(t, s, k, at->exist);
	a.first_sleep = t->n_sleeps;
	a.n_sleeps = a.insts ? below(s, 4) : 0;
	for (uint32_t i = 0; i < a.n_sleeps; i++) {
		t->sleep = xgrow(t->sleep, t->n_sleeps, sizeof *t->sleep);
		t->sleep[t->n_sleeps++] = (uint32_t)random_u64(s);
	}
	t->access = xgrow(t->access, t->n_accesses, sizeof *t->access);
	t->access[t->n_accesses++] = a;
}

static void make_warp(struct trace_sync *t, uint64_t *s, const struct trace_kernel *k, const struct made_up_warp *w,
		      struct place at)
{
	uint32_t *inst_of = xcalloc((size_t)w->n_addrs + 1, sizeof *inst_of);

	at.inst_of = inst_of;
	for (uint32_t r = 0; r < w->n_runs; r++) {
		for (uint32_t p = w->run[r].pc; p < w->run[r].pc + w->run[r].len; p++, at.inst++) {
			enum trace_space space = k->inst[p].space;

			if (!w->run[r].mask || !trace_has_record(&k->inst[p]))
				continue;
			inst_of[at.record] = at.inst;
			if ((space == SPACE_GLOBAL || space == SPACE_SHARED) && !below(s, 4))
				add_access(t, s, k, &at, space == SPACE_GLOBAL);
			at.record++;
		}
	}
	free(inst_of);
}

static struct trace_sync *make_launch(const struct made_up_launch *l, const struct trace_kernel *k, uint64_t *s)
{
	const uint32_t threads = l->block[0] * l->block[1] * l->block[2];
	struct trace_sync *t = xcalloc(1, sizeof *t);

	make_words(t, s, l->n_ctas);
	t->first_access = xcalloc((size_t)l->n_ctas + 1, sizeof *t->first_access);
	for (uint32_t c = 0; c < l->n_ctas; c++) {
		for (uint32_t w = 0; w < l->warps_per_cta; w++) {
			uint32_t left = threads - w * 32, exist = left >= 32 ? UINT32_MAX : (1u << left) - 1;

			make_warp(t, s, k, &l->warp[c * l->warps_per_cta + w], (struct place){.cta = c, .warp = w, .exist = exist});
		}
		t->first_access[c + 1] = t->n_accesses;
	}
	if (t->n_accesses)
		return t;
	trace_sync_free(t);
	return NULL;
}

void made_up_sync(struct made_up *m, uint64_t seed)
{
	for (int i = 0; i < 3; i += 2)
		m->sync[i] = make_launch(&m->launch[i], &m->kernel[m->launch[i].kernel], &seed);
}

static void expect_same(const void *want, const void *got, size_t n, size_t size, const char *what)
{
	cr_assert(n == 0 || memcmp(want, got, n * size) == 0, "%s", what);
}

void made_up_expect_sync(const struct trace_sync *want, const struct trace_sync *got, uint32_t n_ctas, uint64_t moved)
{
	cr_assert_eq(!want, !got);
	if (!want)
		return;
	cr_assert(want->n_words == got->n_words && want->n_items == got->n_items && want->n_tails == got->n_tails &&
		  want->n_accesses == got->n_accesses);
	for (uint32_t i = 0; i < want->n_words; i++) {
		struct trace_sync_word w = want->word[i];

		w.addr += w.cta == TRACE_SYNC_GLOBAL ? moved : 0;
		expect_same(&w, &got->word[i], 1, sizeof w, "a word");
	}
	expect_same(want->item, got->item, want->n_items, sizeof *want->item, "items");
	cr_assert_eq(want->n_sleeps, got->n_sleeps);
	expect_same(want->sleep, got->sleep, want->n_sleeps, sizeof *want->sleep, "sleeps of failed attempts");
	expect_same(want->tail, got->tail, want->n_tails, sizeof *want->tail, "runs after failed attempts");
	expect_same(want->access, got->access, want->n_accesses, sizeof *want->access, "accesses");
	expect_same(want->first_access, got->first_access, (size_t)n_ctas + 1, sizeof *want->first_access, "accesses of CTAs");
}

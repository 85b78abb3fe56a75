/* The accesses that order a launch's warps: a table per launch, or none. Accesses may share items and runs, so these
 * are checked once each and not per access: the time of all checks is linear in the table's size, also in a hostile
 * file. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/trace_impl.h"

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n + 1, size); /* never an empty array */

	if (n)
		memcpy(to, from, n * size);
	return to;
}

struct trace_sync *trace_sync_copy(const struct trace_sync *s, uint32_t n_ctas)
{
	struct trace_sync *to = xmalloc(sizeof *to);

	*to = *s;
	to->word = copy_of(s->word, s->n_words, sizeof *s->word);
	to->item = copy_of(s->item, s->n_items, sizeof *s->item);
	to->tail = copy_of(s->tail, s->n_tails, sizeof *s->tail);
	to->sleep = copy_of(s->sleep, s->n_sleeps, sizeof *s->sleep);
	to->access = copy_of(s->access, s->n_accesses, sizeof *s->access);
	to->first_access = copy_of(s->first_access, (size_t)n_ctas + 1, sizeof *s->first_access);
	return to;
}

void trace_sync_free(struct trace_sync *s)
{
	if (!s)
		return;
	free(s->word);
	free(s->item);
	free(s->tail);
	free(s->sleep);
	free(s->access);
	free(s->first_access);
	free(s);
}

const struct trace_sync *trace_sync(const struct trace *t, uint32_t i)
{
	return t->sync[i];
}

/* ---- checks of a launch's table ---- */

/* An item is of at most a warp's lanes. Who replays the trace keeps something of each modification. */
static const char *check_words(const struct trace_sync *s, const struct trace_launch *l)
{
	uint64_t modifications = 0;

	for (uint32_t i = 0; i < s->n_words; i++) {
		if (s->word[i].cta != TRACE_SYNC_GLOBAL && s->word[i].cta >= l->n_ctas)
			return "a synchronisation word is of a CTA that its launch does not have";
		modifications += s->word[i].n;
	}
	if (modifications > TRACE_WARP_SIZE * ((uint64_t)s->n_words + s->n_items))
		return "synchronisation words have more modifications than there are accesses";
	return NULL;
}

static const char *check_items(const struct trace_sync *s)
{
	for (uint32_t i = 0; i < s->n_items; i++) {
		const struct trace_sync_item *it = &s->item[i];

		if (it->word >= s->n_words)
			return "an ordering access names a word that is not there";
		if (it->need > s->word[it->word].n)
			return "an ordering access needs more modifications than its word has";
		if (it->first > s->word[it->word].n || it->n > s->word[it->word].n - it->first)
			return "an ordering access makes modifications that its word does not have";
	}
	return NULL;
}

static const char *check_tails(const struct trace *t, const struct trace_launch *l, const struct trace_sync *s)
{
	const struct trace_kernel *k = &t->kernel[l->kernel];
	const uint32_t *mem_before = t->index[l->kernel].mem_before;

	for (uint32_t i = 0; i < s->n_tails; i++) {
		const struct trace_run *r = &s->tail[i];

		if (!r->len || r->pc >= k->n_inst || r->len > k->n_inst - r->pc)
			return "a run after a failed attempt is outside the kernel";
		if (r->mask && mem_before[r->pc] != mem_before[r->pc + r->len])
			return "a run after a failed attempt accesses memory";
	}
	return NULL;
}

/* For each item the first one from it on whose word is of other memory, and for each run the first one from it on that
 * has lanes which the CTA's last warp does not have: both are counts of all if there is none. */
struct bounds {
	uint32_t *items, *tails;
};

static struct bounds bounds_of(const struct trace_sync *s, uint32_t last_lanes)
{
	struct bounds b = {xcalloc((size_t)s->n_items + 1, sizeof *b.items), xcalloc((size_t)s->n_tails + 1, sizeof *b.tails)};

	b.items[s->n_items] = s->n_items;
	for (uint32_t i = s->n_items; i-- > 0;) {
		bool same = i + 1 < s->n_items && s->word[s->item[i].word].cta == s->word[s->item[i + 1].word].cta;

		b.items[i] = same ? b.items[i + 1] : i + 1;
	}
	b.tails[s->n_tails] = s->n_tails;
	for (uint32_t i = s->n_tails; i-- > 0;)
		b.tails[i] = s->tail[i].mask & ~last_lanes ? i : b.tails[i + 1];
	return b;
}

static const char *check_access(const struct trace_launch *l, const struct trace_sync *s, const struct bounds *b, uint32_t cta,
				const struct trace_sync_access *a)
{
	uint32_t of;

	if (a->warp >= l->warps_per_cta)
		return "an ordering access is of a warp that its CTA does not have";
	if (!a->n_items)
		return "an ordering access has no word";
	if (a->first_item > s->n_items || a->n_items > s->n_items - a->first_item)
		return "an ordering access has items that are not there";
	if (a->first_tail > s->n_tails || a->n_tail > s->n_tails - a->first_tail)
		return "an ordering access has runs after a failed attempt that are not there";
	if (a->first_sleep > s->n_sleeps || a->n_sleeps > s->n_sleeps - a->first_sleep)
		return "an ordering access has times of sleep that are not there";
	if (b->items[a->first_item] < a->first_item + a->n_items)
		return "an ordering access has words of different memories";
	of = s->word[s->item[a->first_item].word].cta;
	if (of != TRACE_SYNC_GLOBAL && of != cta)
		return "an ordering access has a word of another CTA's shared memory";
	if (a->warp == l->warps_per_cta - 1 && b->tails[a->first_tail] < a->first_tail + a->n_tail)
		return "a run after a failed attempt has lanes outside its warp";
	if (!a->insts != !a->records)
		return "an attempt has instructions and no record of addresses, or the reverse";
	if (a->records > a->insts)
		return "an attempt has more records of addresses than instructions";
	return NULL;
}

static bool is_after(const struct trace_sync_access *a, const struct trace_sync_access *b)
{
	return a->warp > b->warp || (a->warp == b->warp && a->access > b->access);
}

static const char *check_accesses(const struct trace_launch *l, const struct trace_sync *s, const struct bounds *b)
{
	const char *wrong = NULL;

	for (uint32_t c = 0; c < l->n_ctas && !wrong; c++) {
		for (uint32_t i = s->first_access[c]; i < s->first_access[c + 1] && !wrong; i++) {
			wrong = check_access(l, s, b, c, &s->access[i]);
			if (!wrong && i > s->first_access[c] && !is_after(&s->access[i], &s->access[i - 1]))
				wrong = "ordering accesses are out of order";
		}
	}
	return wrong;
}

static const char *check_first_access(const struct trace_launch *l, const struct trace_sync *s)
{
	uint32_t last = 0;

	for (uint64_t c = 0; c <= l->n_ctas; c++) {
		if (s->first_access[c] < last || s->first_access[c] > s->n_accesses || (!c && s->first_access[c]))
			return "the ordering accesses of CTAs do not follow one another";
		last = s->first_access[c];
	}
	return last == s->n_accesses ? NULL : "CTAs have fewer ordering accesses than their launch";
}

const char *trace_check_sync(const struct trace *t, const struct trace_launch *l, const struct trace_sync *s)
{
	const char *wrong = check_first_access(l, s);
	struct bounds b;

	if (!wrong)
		wrong = check_words(s, l);
	if (!wrong)
		wrong = check_items(s);
	if (!wrong)
		wrong = check_tails(t, l, s);
	if (wrong)
		return wrong;
	b = bounds_of(s, trace_warp_lanes(l, l->warps_per_cta - 1));
	wrong = check_accesses(l, s, &b);
	free(b.items);
	free(b.tails);
	return wrong;
}

/* ---- checks against a CTA's frame ---- */

static void sum_runs(const struct trace_cta *c, const struct trace_warp *w, const uint32_t *mem_before, struct run_sums *sums)
{
	struct run_sum sum = {0, 0};

	if (w->n_runs > sums->cap) {
		sums->cap = w->n_runs;
		sums->before = xrealloc(sums->before, sums->cap * sizeof *sums->before);
	}
	for (uint32_t i = 0; i < w->n_runs; i++) {
		const struct trace_run *r = &c->runs[w->first_run + i];

		sums->before[i] = sum;
		sum.insts += r->len;
		sum.records += r->mask ? mem_before[r->pc + r->len] - mem_before[r->pc] : 0;
	}
}

/* The run that has the warp's instruction or record number n: the last one that begins at or before it. */
static uint32_t run_with(const struct run_sum *before, uint32_t n_runs, uint32_t n, bool record)
{
	uint32_t lo = 0, hi = n_runs - 1;

	while (lo < hi) {
		uint32_t mid = hi - (hi - lo) / 2;

		if ((record ? before[mid].records : before[mid].insts) <= n)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* The memory instruction number n, of those from pc on. */
static uint32_t memory_inst(const uint32_t *mem_before, uint32_t pc, uint32_t len, uint32_t n)
{
	uint32_t lo = pc, hi = pc + len - 1, before = mem_before[pc];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (mem_before[mid + 1] - before > n)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Records that the warp's first n instructions own. */
static uint32_t records_of(const struct trace_cta *c, const struct trace_warp *w, const uint32_t *mem_before,
			   const struct run_sum *before, uint32_t n)
{
	uint32_t i = run_with(before, w->n_runs, n, false);
	const struct trace_run *r = &c->runs[w->first_run + i];

	return before[i].records + (r->mask ? mem_before[r->pc + (n - before[i].insts)] - mem_before[r->pc] : 0);
}

static const char *check_cta_access(const struct trace *t, uint32_t launch, const struct trace_cta *c, const struct run_sum *before,
				    const struct trace_sync_access *a)
{
	const struct trace_sync *s = t->sync[launch];
	const struct trace_warp *w = &c->warp[a->warp];
	const uint32_t kernel = t->launch[launch].kernel, *mem_before = t->index[kernel].mem_before;
	const bool is_global = s->word[s->item[a->first_item].word].cta == TRACE_SYNC_GLOBAL;
	const struct trace_run *r;
	enum trace_space space;
	uint32_t i, pc, inst;

	if (a->access >= w->n_addrs)
		return "an ordering access has no record of addresses";
	i = run_with(before, w->n_runs, a->access, true);
	r = &c->runs[w->first_run + i];
	pc = memory_inst(mem_before, r->pc, r->len, a->access - before[i].records);
	inst = before[i].insts + (pc - r->pc);
	space = t->kernel[kernel].inst[pc].space;
	if (space != SPACE_GLOBAL && space != SPACE_SHARED)
		return "an ordering access is neither of global nor of shared memory";
	if (is_global != (space == SPACE_GLOBAL))
		return "an ordering access and its words are of different memories";
	if (a->insts > inst + 1)
		return "an attempt begins before its warp does";
	if (a->insts && a->access + 1 - records_of(c, w, mem_before, before, inst + 1 - a->insts) != a->records)
		return "an attempt has another number of records of addresses than its instructions";
	return NULL;
}

const char *trace_check_cta_sync(const struct trace *t, uint32_t launch, const struct trace_cta *c, struct run_sums *scratch)
{
	const struct trace_sync *s = t->sync[launch];
	const uint32_t *mem_before = t->index[t->launch[launch].kernel].mem_before;
	const char *wrong = NULL;
	uint32_t warp = UINT32_MAX;

	for (uint32_t i = s ? s->first_access[c->id] : 0; s && i < s->first_access[c->id + 1] && !wrong; i++) {
		const struct trace_sync_access *a = &s->access[i];

		if (a->warp != warp)
			sum_runs(c, &c->warp[a->warp], mem_before, scratch);
		warp = a->warp;
		wrong = check_cta_access(t, launch, c, scratch->before, a);
	}
	return wrong;
}

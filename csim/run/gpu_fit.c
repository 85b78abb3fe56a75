/* Whether a launch whose CTAs wait for one another can end where CTAs come by their numbers, as many at a time as the
 * machine holds: found without time, ahead of the run.
 *
 * What an access needs stays performed once it is, so the order in which warps go on does not matter: each goes as far
 * as it can, and a CTA whose warps have all ended gives its place to the next one. Barriers, and SMs that other
 * launches take places of, are left out: they could only make it harder. What these hold up is found by gpu_waits.c,
 * during the run. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "dispatch/policy.h"
#include "run/gpu_impl.h"

#define NOBODY UINT32_MAX

struct stream {		     /* the accesses of a warp that order it */
	uint32_t first, end; /* by their numbers in the launch */
	uint32_t at;	     /* the one that comes next */
	uint32_t cta;
	uint32_t next; /* in the list of those that wait for the same word */
};

struct fit {
	const struct trace_sync *s;
	uint64_t *bit_of;    /* by word: its first bit in `performed`; */
	uint64_t *performed; /* by modification */
	uint32_t *prefix;    /* by word: modifications from the first on that have been performed */
	uint32_t *waiting;   /* by word: a stream, or NOBODY */
	struct stream *stream;
	uint32_t *ready; /* streams, a stack */
	uint32_t *live;	 /* by CTA: its streams that have not ended */
	uint32_t n_streams, n_ready, resident;
};

static bool test_bit(const uint64_t *bits, uint64_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

static void fit_init(struct fit *f, const struct trace_sync *s, uint32_t n_ctas)
{
	uint64_t bits = 0;

	*f = (struct fit){.s = s, .bit_of = xcalloc((size_t)s->n_words + 1, sizeof *f->bit_of)};
	f->prefix = xcalloc((size_t)s->n_words + 1, sizeof *f->prefix);
	f->waiting = xcalloc((size_t)s->n_words + 1, sizeof *f->waiting);
	for (uint32_t i = 0; i < s->n_words; i++) {
		f->bit_of[i] = bits;
		f->waiting[i] = NOBODY;
		bits += s->word[i].n;
	}
	f->performed = xcalloc(bits / 64 + 1, sizeof *f->performed);
	f->stream = xcalloc((size_t)s->n_accesses + 1, sizeof *f->stream);
	f->ready = xcalloc((size_t)s->n_accesses + 1, sizeof *f->ready);
	f->live = xcalloc(n_ctas, sizeof *f->live);
}

static void fit_free(struct fit *f)
{
	free(f->bit_of);
	free(f->performed);
	free(f->prefix);
	free(f->waiting);
	free(f->stream);
	free(f->ready);
	free(f->live);
}

static void wake(struct fit *f, uint32_t word)
{
	uint32_t i = f->waiting[word];

	f->waiting[word] = NOBODY;
	for (; i != NOBODY; i = f->stream[i].next)
		f->ready[f->n_ready++] = i;
}

static void perform(struct fit *f, const struct trace_sync_access *a)
{
	for (uint32_t i = a->first_item; i < a->first_item + a->n_items; i++) {
		const struct trace_sync_item *item = &f->s->item[i];
		uint64_t bit = f->bit_of[item->word];
		uint32_t *prefix = &f->prefix[item->word], before = *prefix;

		for (uint32_t m = item->first; m < item->first + item->n; m++)
			f->performed[(bit + m) / 64] |= UINT64_C(1) << ((bit + m) % 64);
		while (*prefix < f->s->word[item->word].n && test_bit(f->performed, bit + *prefix))
			++*prefix;
		if (*prefix > before)
			wake(f, item->word);
	}
}

/* What an attempt that the access decides still needs; NULL: nothing. The access itself, too, where it decides nothing:
 * that needs nothing then. */
static const struct trace_sync_item *missing(const struct fit *f, const struct stream *x)
{
	const struct trace_sync_access *last = &f->s->access[x->at];

	for (uint32_t a = x->at + 1; last->insts && a-- > x->first;) {
		const struct trace_sync_access *one = &f->s->access[a];

		if (one->access + last->records <= last->access)
			break;
		for (uint32_t i = one->first_item; i < one->first_item + one->n_items; i++)
			if (f->prefix[f->s->item[i].word] < f->s->item[i].need)
				return &f->s->item[i];
	}
	return NULL;
}

/* As far as it comes. */
static void go_on(struct fit *f, uint32_t number)
{
	struct stream *x = &f->stream[number];

	for (; x->at < x->end; x->at++) {
		const struct trace_sync_item *item = missing(f, x);

		if (item) {
			x->next = f->waiting[item->word];
			f->waiting[item->word] = number;
			return;
		}
		perform(f, &f->s->access[x->at]);
	}
	f->resident -= !--f->live[x->cta];
}

static void dispatch(struct fit *f, uint32_t cta)
{
	const struct trace_sync *s = f->s;
	uint32_t at = s->first_access[cta], end = s->first_access[cta + 1];

	f->resident += at < end;
	while (at < end) {
		uint32_t first = at;

		while (at < end && s->access[at].warp == s->access[first].warp)
			at++;
		f->stream[f->n_streams] = (struct stream){.first = first, .end = at, .at = first, .cta = cta};
		f->ready[f->n_ready++] = f->n_streams++;
		f->live[cta]++;
	}
}

/* Returns how many CTAs have been dispatched, when no more can be. */
static uint32_t play(struct fit *f, uint32_t n_ctas, uint64_t places)
{
	uint32_t cta = 0;

	for (;;) {
		while (f->n_ready)
			go_on(f, f->ready[--f->n_ready]);
		if (cta == n_ctas || f->resident == places)
			return cta;
		dispatch(f, cta++);
	}
}

/* ---- the line ---- */

/* The CTA that makes the first of those modifications which have not been performed. */
static uint32_t releaser(const struct fit *f, uint32_t word, uint32_t n_ctas, uint32_t *warp)
{
	for (uint32_t c = 0; c < n_ctas; c++)
		for (uint32_t a = f->s->first_access[c]; a < f->s->first_access[c + 1]; a++)
			for (uint32_t i = f->s->access[a].first_item; i < f->s->access[a].first_item + f->s->access[a].n_items; i++)
				if (f->s->item[i].word == word && f->prefix[word] - f->s->item[i].first < f->s->item[i].n) {
					*warp = f->s->access[a].warp;
					return c;
				}
	return NOBODY;
}

/* The first stream that waits for a CTA which has not been dispatched. */
static int explain(const struct gpu *g, const struct fit *f, uint32_t launch, uint32_t dispatched, uint64_t places, struct err *e)
{
	const struct trace_launch *l = trace_launch(g->trace, launch);

	for (uint32_t i = 0; i < f->n_streams; i++) {
		const struct stream *x = &f->stream[i];
		const struct trace_sync_item *item = x->at < x->end ? missing(f, x) : NULL;
		uint32_t warp = 0, by = item ? releaser(f, item->word, l->n_ctas, &warp) : NOBODY;

		if (by == NOBODY || by < dispatched)
			continue;
		return err_set(e,
			       "launch %" PRIu32 " (%s) cannot end on this machine: it holds %" PRIu64 " of the %" PRIu32
			       " CTAs at a time (%s), all of them wait, and warp %" PRIu32 " of CTA %" PRIu32
			       " waits for a value at 0x%" PRIx64 " that warp %" PRIu32 " of CTA %" PRIu32 " stores",
			       launch, trace_kernel(g->trace, l->kernel)->name, places, l->n_ctas,
			       occupancy_limit_names[g->limited_by[launch]], f->s->access[x->at].warp, x->cta,
			       f->s->word[item->word].addr, warp, by);
	}
	return 0;
}

static bool by_number(const struct gpu *g, uint32_t launch)
{
	const struct plan *p = g->config->plan;

	return !p || !p->launch || p->launch[launch].dispatch == DISPATCH_ROUND_ROBIN;
}

static int fits(const struct gpu *g, uint32_t launch, struct err *e)
{
	const struct trace_launch *l = trace_launch(g->trace, launch);
	uint64_t places = (uint64_t)g->limit[launch] * g->m->sm.count;
	struct fit f;
	uint32_t dispatched;
	int rc = 0;

	if (!g->sync->launch[launch].trace || places >= l->n_ctas || !by_number(g, launch) ||
	    (g->config->skipped && g->config->skipped[launch]))
		return 0;
	fit_init(&f, g->sync->launch[launch].trace, l->n_ctas);
	dispatched = play(&f, l->n_ctas, places);
	if (dispatched < l->n_ctas)
		rc = explain(g, &f, launch, dispatched, places, e);
	fit_free(&f);
	return rc;
}

int gpu_waits_fit(const struct gpu *g, struct err *e)
{
	for (uint32_t i = 0; g->sync && i < g->sync->launches; i++)
		if (fits(g, i, e) != 0)
			return -1;
	return 0;
}

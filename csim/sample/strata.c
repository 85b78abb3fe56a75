#include "sample/strata.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sample/windows.h"
#include "trace/walk.h"
#include "workload/random.h"

struct feature { /* of a launch */
	const struct trace_launch *l;
	uint32_t launch;
	bool is_first; /* of its kernel */
	int density;   /* lines that 1024 warp instructions access, as a power of two */
	struct strata_lines lines;
};

/* ---- what the trace says of a launch ---- */

struct lines {
	uint64_t *line; /* accessed, in any order, some of them several times */
	size_t n, cap;
};

struct looking { /* at some CTAs of a launch */
	const struct trace_cta *cta;
	uint64_t insts, accesses; /* warp instructions; lines that they access, each time */
	struct lines all, own;	  /* of all CTAs, of the present one */
};

static void add_line(struct lines *s, uint64_t line)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		s->line = xrealloc(s->line, s->cap * sizeof *s->line);
	}
	s->line[s->n++] = line;
}

static int by_number(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Leaves each line once. */
static size_t distinct(struct lines *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->line, s->n, sizeof *s->line, by_number);
	for (size_t i = 0; i < s->n; i++)
		if (!n || s->line[i] != s->line[n - 1])
			s->line[n++] = s->line[i];
	return s->n = n;
}

static void see(void *ctx, const struct trace_access *a)
{
	struct looking *k = ctx;
	uint64_t lane[TRACE_WARP_SIZE], last = UINT64_MAX;

	if (a->inst->space != SPACE_GLOBAL && a->inst->space != SPACE_TEX)
		return;
	trace_addr_expand(k->cta, a->addr, a->mask, lane);
	for (uint32_t m = a->mask; m; m &= m - 1) {
		uint64_t line = lane[__builtin_ctz(m)] / STRATA_LINE;

		if (line == last)
			continue;
		last = line;
		k->accesses++;
		add_line(&k->own, line);
	}
}

/* The lines of one CTA join those of all; returns how many it has. */
static size_t look_at_cta(struct looking *k, const struct trace_kernel *kernel)
{
	size_t n;

	k->own.n = 0;
	for (uint32_t w = 0; w < k->cta->n_warps; w++)
		k->insts += k->cta->warp[w].insts;
	trace_walk_cta(kernel, k->cta, see, k);
	n = distinct(&k->own);
	for (size_t i = 0; i < n; i++)
		add_line(&k->all, k->own.line[i]);
	return n;
}

/* Of the CTAs that were looked at each has `own` of its own, which it adds to those that all have. sum: of the lines of
 * each; all: of all together. */
static struct strata_lines lines_of(uint32_t looked_at, double sum, double all)
{
	return (struct strata_lines){looked_at, all, looked_at > 1 ? (all - sum / looked_at) / (looked_at - 1) : all};
}

uint64_t strata_bytes(const struct strata *s, uint32_t launch, uint32_t ctas)
{
	const struct strata_lines *l = &s->lines[launch];
	double more = (double)ctas - l->looked_at, lines = l->all + more * l->own;

	return lines > 0 ? (uint64_t)lines * STRATA_LINE : 0;
}

static int look_at(struct trace *t, struct feature *f, struct looking *k, struct trace_cta *cta, struct err *e)
{
	uint32_t n = f->l->n_ctas < STRATA_CTAS ? f->l->n_ctas : STRATA_CTAS;
	uint64_t density;
	size_t sum = 0;

	k->insts = k->accesses = k->all.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = (uint32_t)((uint64_t)f->l->n_ctas * (2 * i + 1) / (2 * n));

		if (trace_read_cta(t, f->launch, at, cta, e) != 0)
			return -1;
		sum += look_at_cta(k, trace_kernel(t, f->l->kernel));
	}
	density = k->insts ? 1024 * k->accesses / k->insts + 1 : 1;
	f->density = ilogb((double)density);
	f->lines = lines_of(n, (double)sum, (double)distinct(&k->all));
	return 0;
}

static int features_of(struct trace *t, struct arena *a, struct feature *f, struct err *e)
{
	bool *seen = arena_array(a, trace_n_kernels(t), sizeof *seen);
	struct trace_cta cta = {0};
	struct looking k = {.cta = &cta};
	int rc = 0;

	for (uint32_t i = 0; i < trace_n_launches(t) && !rc; i++) {
		const struct trace_launch *l = trace_launch(t, i);

		f[i] = (struct feature){.l = l, .launch = i, .is_first = !seen[l->kernel]};
		seen[l->kernel] = true;
		rc = look_at(t, &f[i], &k, &cta, e);
	}
	free(k.all.line);
	free(k.own.line);
	trace_cta_free(&cta);
	return rc;
}

/* ---- which launches are alike ---- */

#define COMPARE(a, b)                                                                                                              \
	if ((a) != (b))                                                                                                            \
	return (a) < (b) ? -1 : 1

/* By what all launches of a stratum have in common. */
static int in_kind(const struct feature *a, const struct feature *b)
{
	COMPARE(a->l->kernel, b->l->kernel);
	COMPARE(b->is_first, a->is_first);
	for (int i = 0; i < 3; i++)
		COMPARE(a->l->block[i], b->l->block[i]);
	COMPARE(a->l->dynamic_shared_bytes, b->l->dynamic_shared_bytes);
	COMPARE(a->density, b->density);
	return 0;
}

static int in_order(const void *x, const void *y)
{
	const struct feature *a = x, *b = y;
	int kind = in_kind(a, b);

	if (kind)
		return kind;
	COMPARE(a->l->warp_insts, b->l->warp_insts);
	COMPARE(a->l->n_ctas, b->l->n_ctas);
	COMPARE(a->launch, b->launch);
	return 0;
}

/* Whether f begins another stratum than the last one, whose first launch has the features of `first`. */
static bool begins(const struct stratum *last, const struct feature *first, const struct feature *f)
{
	if (in_kind(first, f))
		return true;
	return last->n >= STRATA_LEAST && (double)f->l->warp_insts > STRATA_SPAN * (double)last->least;
}

int strata_of(struct strata *s, struct arena *a, struct trace *t, struct err *e)
{
	uint32_t n = trace_n_launches(t);
	struct feature *f = arena_array(a, n, sizeof *f);
	struct stratum *last = NULL;

	*s = (struct strata){.stratum = arena_array(a, n, sizeof *s->stratum),
			     .unit = arena_array(a, n, sizeof *s->unit),
			     .n_units = n,
			     .lines = arena_array(a, n, sizeof *s->lines)};
	if (features_of(t, a, f, e) != 0)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		s->lines[i] = f[i].lines;
	qsort(f, n, sizeof *f, in_order);
	for (uint32_t i = 0; i < n; i++) {
		if (!last || begins(last, &f[last->first], &f[i])) {
			last = &s->stratum[s->n++];
			*last = (struct stratum){.kernel = f[i].l->kernel, .first = i, .least = f[i].l->warp_insts};
		}
		s->unit[i] = (struct sample_unit){f[i].launch, WINDOW_NONE};
		last->n++;
		last->most = f[i].l->warp_insts;
		last->warp_insts += f[i].l->warp_insts;
	}
	return 0;
}

uint32_t strata_first(const struct stratum *t)
{
	uint32_t n = (t->n + STRATA_ONE_OF - 1) / STRATA_ONE_OF;

	if (t->kind == STRATUM_ENDS)
		return t->n;
	if (t->kind == STRATUM_WINDOWS)
		return windows_first(t->n);
	n = n > STRATA_FIRST ? n : STRATA_FIRST;
	return n + 1 < t->n ? n : t->n;
}

void strata_shuffle(struct strata *s, uint64_t seed)
{
	struct host_random r = {seed};

	for (uint32_t h = 0; h < s->n; h++) {
		struct sample_unit *l = s->unit + s->stratum[h].first;

		for (uint32_t i = s->stratum[h].n; i > 1; i--) {
			uint32_t k = host_random_below(&r, i);
			struct sample_unit was = l[i - 1];

			l[i - 1] = l[k];
			l[k] = was;
		}
	}
}

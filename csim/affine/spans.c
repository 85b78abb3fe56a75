#include "affine/spans.h"

#include <stdlib.h>
#include <string.h>

#include "affine/affine_impl.h"
#include "base/alloc.h"

enum { DIMS = 3 + AFFINE_NEST, PREDS = AFFINE_GUARDS + AFFINE_NEST, SHAPE_MAX = 1 << 20 };

struct span {
	int64_t offset;
	uint64_t bytes;
};

struct dim { /* an index of the thread, or a loop */
	bool is_loop;
	uint32_t which;
	int64_t k; /* bytes from one to the next */
	uint64_t n;
	const struct affine_pred *stay; /* NULL: it runs n times */
};

/* A condition as it reads for one CTA: with the CTA's indices put in. */
struct cta_pred {
	struct affine_pred p;
	struct affine_form form[2 * AFFINE_ATOMS];
};

struct affine_spans {
	const struct affine_launch *l;
	const struct affine_access *x;
	struct dim dim[DIMS]; /* threads first, then the loops, the outermost first */
	uint32_t n_dims;
	uint32_t n_guards;
	const struct affine_pred *guard[AFFINE_GUARDS]; /* those that can be evaluated */
	uint32_t n_ends;
	int64_t end[2];
	uint32_t n_joined;
	int64_t *joined; /* offsets of the accesses that were taken in, the first one's 0 among them */

	/* The free dimensions' part, relative to where all of them are 0. */
	uint32_t shape_of; /* set of dimensions */
	bool has_shape;
	struct span *shape;
	uint64_t n_shape;

	/* Of the CTA at hand. */
	struct cta_pred cta_guard[AFFINE_GUARDS], cta_stay[DIMS];
	uint32_t n_cta_guards;
	uint32_t bound; /* dimensions that are gone through one by one */
	bool stays[DIMS];
	int64_t index[INDEX_COUNT];
	uint64_t *iteration; /* by loop */
	affine_span_visit *visit;
	void *ctx;
};

/* ---- what is known ---- */

static bool loop_is_around(const struct affine_access *x, uint32_t loop)
{
	for (uint32_t i = 0; i < x->n_loops; i++)
		if (x->loop[i] == loop)
			return true;
	return false;
}

static bool loops_are_counted(const struct affine_launch *l, const struct affine_access *x, const struct affine_form *f)
{
	for (uint32_t i = 0; i < f->n_loops; i++)
		if (!loop_is_around(x, f->loop[i].loop) || l->loop[f->loop[i].loop].trips == UINT64_MAX)
			return false;
	return true;
}

enum affine_certainty affine_certainty_of(const struct affine_launch *l, const struct affine_access *x)
{
	if (affine_is_exact(l, x))
		return AFFINE_EXACT;
	if (x->at.buffer < 0 || !loops_are_counted(l, x, &x->at) || (form_has_slack(&x->at) && !x->at.ends))
		return AFFINE_OPEN;
	return AFFINE_POSSIBLE;
}

static bool can_evaluate(const struct affine_launch *l, const struct affine_access *x, const struct affine_pred *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (!loops_are_counted(l, x, p->atom[i].a) || !loops_are_counted(l, x, p->atom[i].b))
			return false;
	return p->known;
}

/* ---- setting up ---- */

static int64_t loop_stride(const struct affine_form *f, uint32_t loop)
{
	for (uint32_t i = 0; i < f->n_loops; i++)
		if (f->loop[i].loop == loop)
			return f->loop[i].k;
	return 0;
}

struct affine_spans *affine_spans_new(const struct affine_launch *l, const struct affine_access *x)
{
	struct affine_spans *s = xcalloc(1, sizeof *s);

	s->l = l;
	s->x = x;
	s->iteration = xcalloc(l->n_loops + 1, sizeof *s->iteration);
	for (uint32_t d = 0; d < 3; d++)
		s->dim[s->n_dims++] = (struct dim){.which = d, .k = x->at.k[d], .n = l->block[d]};
	for (uint32_t i = 0; i < x->n_loops; i++) {
		const struct affine_loop *loop = &l->loop[x->loop[i]];

		if (loop->trips != UINT64_MAX)
			s->dim[s->n_dims++] =
				(struct dim){true, x->loop[i], loop_stride(&x->at, x->loop[i]), loop->trips,
					     loop->exact && loop->stay && can_evaluate(l, x, loop->stay) ? loop->stay : NULL};
	}
	for (uint32_t g = 0; g < x->n_guards; g++)
		if (can_evaluate(l, x, x->guard[g]))
			s->guard[s->n_guards++] = x->guard[g];
	s->end[s->n_ends++] = x->at.lo;
	if (x->at.hi != x->at.lo)
		s->end[s->n_ends++] = x->at.hi;
	s->joined = xcalloc(1, sizeof *s->joined);
	s->n_joined = 1;
	return s;
}

static bool is_under_same_conditions(const struct affine_access *x, const struct affine_access *y)
{
	if (x->n_loops != y->n_loops || x->n_guards != y->n_guards || x->complete != y->complete)
		return false;
	for (uint32_t i = 0; i < x->n_loops; i++)
		if (x->loop[i] != y->loop[i])
			return false;
	for (uint32_t g = 0; g < x->n_guards; g++)
		if (!pred_is_same(x->guard[g], y->guard[g]))
			return false;
	return true;
}

bool affine_spans_join(struct affine_spans *s, const struct affine_access *x)
{
	int64_t apart;

	if (x->width != s->x->width || x->at.lo != s->x->at.lo || x->at.hi != s->x->at.hi || s->has_shape ||
	    !form_differs_by_number(&s->x->at, &x->at, &apart) || !is_under_same_conditions(s->x, x))
		return false;
	s->joined = xgrow(s->joined, s->n_joined, sizeof *s->joined);
	s->joined[s->n_joined++] = apart;
	return true;
}

void affine_spans_free(struct affine_spans *s)
{
	if (!s)
		return;
	free(s->shape);
	free(s->joined);
	free(s->iteration);
	free(s);
}

/* ---- the shape of the free dimensions ---- */

static int by_stride(const void *x, const void *y)
{
	int64_t a = llabs(((const struct dim *)x)->k), b = llabs(((const struct dim *)y)->k);

	return a < b ? -1 : a > b;
}

/* n copies, k bytes apart. */
static void repeat(struct affine_spans *s, int64_t k, uint64_t n)
{
	if (s->n_shape == 1 && (uint64_t)llabs(k) <= s->shape[0].bytes) {
		s->shape[0].offset += k < 0 ? k * (int64_t)(n - 1) : 0;
		s->shape[0].bytes += (uint64_t)llabs(k) * (n - 1);
		return;
	}
	s->shape = xrealloc(s->shape, s->n_shape * n * sizeof *s->shape);
	for (uint64_t i = s->n_shape; i < s->n_shape * n; i++)
		s->shape[i] = (struct span){s->shape[i - s->n_shape].offset + k, s->shape[i % s->n_shape].bytes};
	s->n_shape *= n;
}

static int ascending(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? -1 : a > b;
}

/* What one thread touches in one iteration. */
static void start_shape(struct affine_spans *s)
{
	s->shape = xrealloc(s->shape, s->n_joined * sizeof *s->shape);
	s->n_shape = 0;
	qsort(s->joined, s->n_joined, sizeof *s->joined, ascending);
	for (uint32_t i = 0; i < s->n_joined; i++) {
		struct span *last = s->n_shape ? &s->shape[s->n_shape - 1] : NULL;
		int64_t end = s->joined[i] + (int64_t)s->x->width;

		if (last && s->joined[i] <= last->offset + (int64_t)last->bytes)
			last->bytes = (uint64_t)(end - last->offset);
		else
			s->shape[s->n_shape++] = (struct span){s->joined[i], s->x->width};
	}
}

/* Of the dimensions of the set `free_dims`. */
static void make_shape(struct affine_spans *s, uint32_t free_dims)
{
	struct dim dim[DIMS];
	uint32_t n = 0;

	if (s->has_shape && s->shape_of == free_dims)
		return;
	s->has_shape = true;
	s->shape_of = free_dims;
	start_shape(s);
	for (uint32_t d = 0; d < s->n_dims; d++)
		if (free_dims >> d & 1 && s->dim[d].k && s->dim[d].n > 1)
			dim[n++] = s->dim[d];
	qsort(dim, n, sizeof *dim, by_stride);
	for (uint32_t d = 0; d < n; d++)
		repeat(s, dim[d].k, dim[d].n);
}

/* Dimensions whose shape would have too many spans are bound, the widest strides first. */
static uint32_t not_too_many(const struct affine_spans *s, uint32_t free_dims)
{
	uint64_t n = 1;

	for (uint32_t d = 0; d < s->n_dims; d++) {
		if (!(free_dims >> d & 1) || !s->dim[d].k)
			continue;
		if (s->dim[d].n > SHAPE_MAX / n && (uint64_t)llabs(s->dim[d].k) > s->x->width)
			free_dims &= ~(1u << d);
		else if ((uint64_t)llabs(s->dim[d].k) > s->x->width)
			n *= s->dim[d].n ? s->dim[d].n : 1;
	}
	return free_dims;
}

/* ---- one CTA ---- */

static void put_cta(struct affine_form *to, const struct affine_form *f, const int64_t *index)
{
	uint64_t c = (uint64_t)f->c;

	*to = *f;
	for (int v = INDEX_CTA_X; v < INDEX_COUNT; v++) {
		c += (uint64_t)f->k[v] * (uint64_t)index[v];
		to->k[v] = 0;
	}
	to->c = (int64_t)c;
}

static void pred_of_cta(struct cta_pred *to, const struct affine_pred *p, const int64_t *index)
{
	to->p = *p;
	for (uint32_t i = 0; i < p->n; i++) {
		put_cta(&to->form[2 * i], p->atom[i].a, index);
		put_cta(&to->form[2 * i + 1], p->atom[i].b, index);
		to->p.atom[i].a = &to->form[2 * i];
		to->p.atom[i].b = &to->form[2 * i + 1];
	}
}

static bool form_names(const struct affine_form *f, const struct dim *d)
{
	return d->is_loop ? loop_stride(f, d->which) != 0 : f->k[d->which] != 0;
}

/* The dimensions that a condition depends on. */
static uint32_t dims_of(const struct affine_spans *s, const struct affine_pred *p)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t d = 0; d < s->n_dims; d++)
			if (form_names(p->atom[i].a, &s->dim[d]) || form_names(p->atom[i].b, &s->dim[d]))
				set |= 1u << d;
	return set;
}

/* Keeps the conditions that differ from thread to thread. False if one holds for none. */
static bool settle_guards(struct affine_spans *s)
{
	s->n_cta_guards = 0;
	for (uint32_t g = 0; g < s->n_guards; g++) {
		struct cta_pred *p = &s->cta_guard[s->n_cta_guards];
		int d;

		pred_of_cta(p, s->guard[g], s->index);
		d = pred_decide(s->l, &p->p);
		if (d == 0)
			return false;
		if (d < 0) {
			s->n_cta_guards++;
			s->bound |= dims_of(s, &p->p);
		}
	}
	return true;
}

static void settle_loops(struct affine_spans *s)
{
	for (uint32_t d = 0; d < s->n_dims; d++) {
		s->stays[d] = false;
		if (!s->dim[d].stay)
			continue;
		pred_of_cta(&s->cta_stay[d], s->dim[d].stay, s->index);
		s->stays[d] = pred_decide(s->l, &s->cta_stay[d].p) != 1;
		if (s->stays[d])
			s->bound |= dims_of(s, &s->cta_stay[d].p) | 1u << d;
	}
}

static void report(struct affine_spans *s)
{
	int64_t at;

	for (uint32_t g = 0; g < s->n_cta_guards; g++)
		if (!pred_holds(&s->cta_guard[g].p, s->index, s->iteration))
			return;
	at = form_at(&s->x->at, s->index, s->iteration);
	for (uint32_t e = 0; e < s->n_ends; e++)
		for (uint64_t i = 0; i < s->n_shape; i++)
			s->visit(s->ctx, at + s->end[e] + s->shape[i].offset, s->shape[i].bytes);
}

static void step_into(struct affine_spans *s, uint32_t d)
{
	const struct dim *dim = &s->dim[d];

	while (d < s->n_dims && !(s->bound >> d & 1))
		dim = &s->dim[++d];
	if (d == s->n_dims) {
		report(s);
		return;
	}
	for (uint64_t i = 0; i < dim->n; i++) {
		if (dim->is_loop)
			s->iteration[dim->which] = i;
		else
			s->index[dim->which] = (int64_t)i;
		step_into(s, d + 1);
		if (s->stays[d] && !pred_holds(&s->cta_stay[d].p, s->index, s->iteration))
			break;
	}
	if (dim->is_loop)
		s->iteration[dim->which] = 0;
	else
		s->index[dim->which] = 0;
}

void affine_spans_of_cta(struct affine_spans *s, const uint32_t cta[3], affine_span_visit *visit, void *ctx)
{
	uint32_t all = (1u << s->n_dims) - 1, free_dims;

	for (int d = 0; d < 3; d++)
		s->index[INDEX_CTA_X + d] = cta[d];
	for (uint32_t d = 0; d < s->n_dims; d++)
		if (!s->dim[d].n) /* a loop that is never entered */
			return;
	s->bound = 0;
	if (!settle_guards(s))
		return;
	settle_loops(s);
	free_dims = not_too_many(s, all & ~s->bound);
	s->bound = all & ~free_dims;
	make_shape(s, free_dims);
	s->visit = visit;
	s->ctx = ctx;
	step_into(s, 0);
}

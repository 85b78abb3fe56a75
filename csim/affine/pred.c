/* Conditions: conjunctions and disjunctions of comparisons of forms. */
#include "affine/affine_impl.h"

struct affine_pred pred_unknown(uint32_t deps)
{
	return (struct affine_pred){.deps = deps};
}

static enum affine_relation opposite(enum affine_relation r)
{
	static const enum affine_relation of[] = {REL_NE, REL_EQ, REL_GE, REL_GT, REL_LE, REL_LT};

	return of[r];
}

struct affine_pred pred_not(const struct affine_pred *p)
{
	struct affine_pred q = *p;

	q.any = !p->any;
	for (uint32_t i = 0; i < q.n; i++)
		q.atom[i].rel = opposite(q.atom[i].rel);
	if (q.n == 1)
		q.any = false;
	return q;
}

struct affine_pred pred_both(const struct affine_pred *p, const struct affine_pred *q, bool any)
{
	struct affine_pred r = *p;

	if (!p->known || !q->known || p->n + q->n > AFFINE_ATOMS || (p->n > 1 && p->any != any) || (q->n > 1 && q->any != any))
		return pred_unknown(p->deps | q->deps);
	if (!p->n || !q->n) { /* one is a constant */
		const struct affine_pred *fixed = p->n ? q : p, *other = p->n ? p : q;

		return fixed->any == any ? *other : *fixed; /* false or x, true and x; true or x, false and x */
	}
	for (uint32_t i = 0; i < q->n; i++)
		r.atom[r.n++] = q->atom[i];
	r.any = any;
	r.deps |= q->deps;
	return r;
}

struct affine_atom pred_atom(struct state *s, const struct affine_form *a, const struct affine_form *b, enum affine_relation rel,
			     bool is_signed, uint8_t bits)
{
	struct affine_form *kept = arena_array(s->tmp, 2, sizeof *kept);

	kept[0] = *a;
	kept[1] = *b;
	return (struct affine_atom){&kept[0], &kept[1], rel, is_signed, bits};
}

bool pred_is_same(const struct affine_pred *p, const struct affine_pred *q)
{
	if (p->known != q->known || p->n != q->n || p->any != q->any)
		return false;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct affine_atom *x = &p->atom[i], *y = &q->atom[i];

		if (x->rel != y->rel || x->is_signed != y->is_signed || x->bits != y->bits || !form_is_same(x->a, y->a) ||
		    !form_is_same(x->b, y->b))
			return false;
	}
	return true;
}

static bool names_loop(const struct affine_form *f, uint32_t loop)
{
	for (uint32_t i = 0; i < f->n_loops; i++)
		if (f->loop[i].loop == loop)
			return true;
	return false;
}

bool pred_names_loop(const struct affine_pred *p, uint32_t loop)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (names_loop(p->atom[i].a, loop) || names_loop(p->atom[i].b, loop))
			return true;
	return false;
}

/* ---- for all ---- */

static int decide_range(enum affine_relation rel, struct affine_range d)
{
	switch (rel) {
	case REL_EQ:
		return d.lo == 0 && d.hi == 0 ? 1 : d.lo > 0 || d.hi < 0 ? 0 : -1;
	case REL_NE:
		return d.lo == 0 && d.hi == 0 ? 0 : d.lo > 0 || d.hi < 0 ? 1 : -1;
	case REL_LT:
		return d.hi < 0 ? 1 : d.lo >= 0 ? 0 : -1;
	case REL_LE:
		return d.hi <= 0 ? 1 : d.lo > 0 ? 0 : -1;
	case REL_GT:
		return d.lo > 0 ? 1 : d.hi <= 0 ? 0 : -1;
	default:
		return d.lo >= 0 ? 1 : d.hi < 0 ? 0 : -1;
	}
}

/* Whether a form is what the comparison sees: it does not wrap in that many bits. */
static bool fits(const struct affine_launch *l, const struct affine_form *f, bool is_signed, unsigned bits)
{
	struct affine_range r = affine_range_of(l, f);
	int64_t lo = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
	int64_t hi = bits >= 62 ? AFFINE_INF - 1 : (INT64_C(1) << (bits - is_signed)) - 1;

	if (bits >= 62)
		lo = is_signed ? -AFFINE_INF + 1 : 0;
	return r.lo >= lo && r.hi <= hi;
}

static int decide_atom(const struct affine_launch *l, const struct affine_atom *x)
{
	struct affine_form d = form_add(x->a, x->b, -1, AFFINE_NONE);

	if (!fits(l, x->a, x->is_signed, x->bits) || !fits(l, x->b, x->is_signed, x->bits))
		return -1;
	return decide_range(x->rel, affine_range_of(l, &d));
}

int pred_decide(const struct affine_launch *l, const struct affine_pred *p)
{
	bool open = false;

	if (!p->known)
		return -1;
	for (uint32_t i = 0; i < p->n; i++) {
		int d = decide_atom(l, &p->atom[i]);

		if (d == (p->any ? 1 : 0))
			return d;
		open |= d < 0;
	}
	return open ? -1 : !p->any;
}

/* ---- for one thread ---- */

int64_t form_at(const struct affine_form *f, const int64_t index[INDEX_COUNT], const uint64_t *iteration)
{
	uint64_t x = (uint64_t)f->c; /* modulo 2^64, as the machine does */

	for (int v = 0; v < INDEX_COUNT; v++)
		x += (uint64_t)f->k[v] * (uint64_t)index[v];
	for (uint32_t i = 0; i < f->n_loops; i++)
		x += (uint64_t)f->loop[i].k * iteration[f->loop[i].loop];
	return (int64_t)x;
}

static bool atom_holds(const struct affine_atom *x, const int64_t *index, const uint64_t *iteration)
{
	uint64_t a = (uint64_t)form_at(x->a, index, iteration), b = (uint64_t)form_at(x->b, index, iteration);
	unsigned away = 64u - x->bits;
	bool less, equal;

	a <<= away; /* compares the low bits */
	b <<= away;
	less = x->is_signed ? (int64_t)a < (int64_t)b : a < b;
	equal = a == b;
	switch (x->rel) {
	case REL_EQ:
		return equal;
	case REL_NE:
		return !equal;
	case REL_LT:
		return less;
	case REL_LE:
		return less || equal;
	case REL_GT:
		return !less && !equal;
	default:
		return !less;
	}
}

bool pred_holds(const struct affine_pred *p, const int64_t index[INDEX_COUNT], const uint64_t *iteration)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (atom_holds(&p->atom[i], index, iteration) == p->any)
			return p->any;
	return !p->any;
}

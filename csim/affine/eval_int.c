/* Integers: what the operations do to forms. */
#include "affine/eval_int.h"

static struct affine_form unknown_of(const struct affine_form *a, const struct affine_form *b, uint32_t pc)
{
	return form_unknown(form_deps(a) | (b ? form_deps(b) : 0), pc);
}

bool int_within(const struct state *s, const struct affine_form *f, int64_t lo, int64_t hi)
{
	struct affine_range r = affine_range_of(s->out, f);

	return r.lo >= lo && r.hi <= hi;
}

struct affine_form int_as_type(const struct state *s, const struct affine_form *f, unsigned bits, bool is_signed, uint32_t pc)
{
	int64_t span = bits > 32 ? 0 : INT64_C(1) << bits, lo = is_signed ? -span / 2 : 0, hi = lo + span - 1;
	struct affine_range r;

	if (bits > 32 || f->buffer >= 0)
		return *f;
	r = affine_range_of(s->out, f);
	if (form_is_number(f)) {
		int64_t c = f->c & (span - 1);

		return form_number(is_signed && c > hi ? c - span : c);
	}
	if ((r.lo >= lo && r.hi <= hi) || form_has_slack(f))
		return *f;
	if (r.hi - r.lo < span && r.hi >= lo && r.lo <= hi)
		return *f;
	return form_between(lo, hi, form_deps(f), pc);
}

static bool divisible(const struct affine_form *f, int64_t d)
{
	bool all = f->c % d == 0 && !form_has_slack(f) && f->buffer < 0;

	for (int v = 0; v < INDEX_COUNT; v++)
		all &= f->k[v] % d == 0;
	for (uint32_t i = 0; i < f->n_loops; i++)
		all &= f->loop[i].k % d == 0;
	return all;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* f / d for d > 0 where f >= 0: exact if everything is divisible; the parts that are stay linear, the rest becomes
 * slack. */
static struct affine_form divide(const struct state *s, const struct affine_form *f, int64_t d, uint32_t pc)
{
	struct affine_form whole = form_number(0), rest = *f;
	struct affine_range r;

	if (f->buffer >= 0 || d <= 0)
		return unknown_of(f, NULL, pc);
	if (form_is_number(f))
		return form_number(floor_div(f->c, d));
	if (!int_within(s, f, 0, AFFINE_INF - 1))
		return unknown_of(f, NULL, pc);
	for (int v = 0; v < INDEX_COUNT; v++) {
		if (f->k[v] % d == 0) {
			whole.k[v] = f->k[v] / d;
			rest.k[v] = 0;
		}
	}
	for (uint32_t i = 0; i < f->n_loops; i++) {
		if (f->loop[i].k % d == 0) {
			form_add_loop(&whole, f->loop[i].loop, f->loop[i].k / d, pc);
			form_add_loop(&rest, f->loop[i].loop, -f->loop[i].k, pc);
		}
	}
	r = affine_range_of(s->out, &rest);
	if (r.lo == r.hi || floor_div(r.lo, d) == floor_div(r.hi, d)) {
		whole.c = floor_div(r.lo, d);
	} else {
		rest = form_between(floor_div(r.lo, d), floor_div(r.hi, d), form_deps(&rest), pc);
		whole = form_add(&whole, &rest, 1, pc);
	}
	return whole;
}

/* f mod d for d > 0 where f >= 0 */
static struct affine_form modulo(const struct state *s, const struct affine_form *f, int64_t d, uint32_t pc)
{
	struct affine_form q = divide(s, f, d, pc), n;

	if (d <= 0)
		return unknown_of(f, NULL, pc);
	if (!form_has_slack(&q)) {
		n = form_scale(&q, d, pc);
		return form_add(f, &n, -1, pc);
	}
	return form_between(0, d - 1, form_deps(f), pc);
}

/* a & m for a number m */
static struct affine_form mask(const struct state *s, const struct affine_form *a, int64_t m, unsigned bits, uint32_t pc)
{
	int64_t all = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1, low = ~m & all;

	if (form_is_number(a))
		return form_number(a->c & m);
	if (m >= 0 && m < AFFINE_INF && (m & (m + 1)) == 0) /* low bits */
		return int_within(s, a, 0, m) ? *a : modulo(s, a, m + 1, pc);
	if (bits < 64 && (low & (low + 1)) == 0) { /* all but low bits */
		struct affine_form n = modulo(s, a, low + 1, pc);

		return form_has_slack(&n) && divisible(a, low + 1) ? *a : form_add(a, &n, -1, pc);
	}
	if (m >= 0)
		return form_between(0, m, form_deps(a), pc);
	return unknown_of(a, NULL, pc);
}

/* a | m: a sum where the bits do not meet */
static struct affine_form unite(const struct state *s, const struct affine_form *a, const struct affine_form *b, uint32_t pc)
{
	const struct affine_form *pair[2] = {a, b};

	if (form_is_number(a) && form_is_number(b))
		return form_number(a->c | b->c);
	for (int i = 0; i < 2; i++) {
		struct affine_range r = affine_range_of(s->out, pair[!i]);
		int64_t unit = 1;

		while (unit <= r.hi && unit < AFFINE_INF / 2)
			unit *= 2;
		if (r.lo >= 0 && r.hi < AFFINE_INF && divisible(pair[i], unit))
			return form_add(a, b, 1, pc);
	}
	return unknown_of(a, b, pc);
}

static struct affine_form extreme(const struct state *s, const struct affine_form *a, const struct affine_form *b, bool greatest,
				  uint32_t pc)
{
	struct affine_form d = form_add(b, a, -1, pc);
	struct affine_range r = affine_range_of(s->out, &d);

	if (greatest ? r.hi <= 0 : r.lo >= 0)
		return *a;
	if (greatest ? r.lo >= 0 : r.hi <= 0)
		return *b;
	/* a clamp: what varies more is kept, and may be off by what the other cuts */
	if (form_is_number(a))
		return extreme(s, b, a, greatest, pc);
	d = greatest ? form_between(0, r.hi, form_deps(&d), pc) : form_between(r.lo, 0, form_deps(&d), pc);
	return form_add(a, &d, 1, pc);
}

static struct affine_form shift_left(const struct affine_form *a, const struct affine_form *b, unsigned bits, uint32_t pc)
{
	if (!form_is_number(b) || b->c < 0 || b->c >= (int64_t)bits || b->c > 61)
		return form_is_number(a) && !a->c ? form_number(0) : unknown_of(a, b, pc);
	return form_scale(a, INT64_C(1) << b->c, pc);
}

static struct affine_form shift_right(const struct state *s, const struct affine_form *a, const struct affine_form *b, uint32_t pc)
{
	struct affine_range r = affine_range_of(s->out, a);

	if (form_is_number(b) && b->c >= 0 && b->c < 62)
		return divide(s, a, INT64_C(1) << b->c, pc);
	return r.lo >= 0 ? form_between(0, r.hi, form_deps(a) | form_deps(b), pc) : unknown_of(a, b, pc);
}

/* The upper half of a product, with which compilers divide by a number: bounded if both sides are not negative. */
static struct affine_form high_product(const struct state *s, const struct op *o, const struct affine_form *a,
				       const struct affine_form *b, uint32_t pc)
{
	struct affine_form x = int_as_type(s, a, o->bits, false, pc), y = int_as_type(s, b, o->bits, false, pc);
	struct affine_range r = affine_range_of(s->out, &x), q = affine_range_of(s->out, &y);

	if (o->is_signed || o->bits != 32 || r.lo < 0 || q.lo < 0 || r.hi > UINT32_MAX || q.hi > UINT32_MAX)
		return unknown_of(a, b, pc);
	return form_between((int64_t)((uint64_t)r.lo * (uint64_t)q.lo >> 32), (int64_t)((uint64_t)r.hi * (uint64_t)q.hi >> 32),
			    form_deps(a) | form_deps(b), pc);
}

static struct affine_form product(const struct state *s, const struct op *o, struct affine_form a, struct affine_form b,
				  uint32_t pc)
{
	if (o->hi)
		return high_product(s, o, &a, &b, pc);
	if (o->wide) {
		a = int_as_type(s, &a, o->bits, o->is_signed, pc);
		b = int_as_type(s, &b, o->bits, o->is_signed, pc);
	}
	return form_multiply(s->out, &a, &b, pc);
}

bool int_operation(struct state *s, const struct op *o, const struct insn *i, const struct affine_form *x, struct affine_form *out)
{
	const struct affine_form *a = &x[0], *b = &x[1], *c = &x[2];
	struct affine_form u, v;

	if (op_is(o, "mov"))
		*out = *a;
	else if (op_is(o, "add") || op_is(o, "cvta"))
		*out = form_add(a, b, 1, i->pc);
	else if (op_is(o, "sub"))
		*out = form_add(a, b, -1, i->pc);
	else if (op_is(o, "neg"))
		*out = form_scale(a, -1, i->pc);
	else if (op_is(o, "mul"))
		*out = product(s, o, *a, *b, i->pc);
	else if (op_is(o, "mad")) {
		u = product(s, o, *a, *b, i->pc);
		*out = form_add(&u, c, 1, i->pc);
	} else if (op_is(o, "shl"))
		*out = shift_left(a, b, o->bits, i->pc);
	else if (op_is(o, "not")) {
		u = form_scale(a, -1, i->pc);
		v = form_number(-1);
		*out = form_add(&u, &v, 1, i->pc);
	} else if (op_is(o, "and"))
		*out = form_is_number(b)   ? mask(s, a, b->c, o->bits, i->pc)
		       : form_is_number(a) ? mask(s, b, a->c, o->bits, i->pc)
					   : unknown_of(a, b, i->pc);
	else if (op_is(o, "or"))
		*out = unite(s, a, b, i->pc);
	else if (op_is(o, "xor"))
		*out = form_is_number(a) && form_is_number(b) ? form_number(a->c ^ b->c) : unknown_of(a, b, i->pc);
	else if (op_is(o, "shr") || op_is(o, "div") || op_is(o, "rem") || op_is(o, "min") || op_is(o, "max")) {
		u = int_as_type(s, a, o->bits, o->is_signed, i->pc);
		v = int_as_type(s, b, o->bits, o->is_signed, i->pc);
		*out = op_is(o, "shr")	     ? shift_right(s, &u, b, i->pc)
		       : op_is(o, "min")     ? extreme(s, &u, &v, false, i->pc)
		       : op_is(o, "max")     ? extreme(s, &u, &v, true, i->pc)
		       : !form_is_number(&v) ? unknown_of(&u, &v, i->pc)
		       : op_is(o, "div")     ? divide(s, &u, v.c, i->pc)
					     : modulo(s, &u, v.c, i->pc);
	} else
		return false;
	return true;
}

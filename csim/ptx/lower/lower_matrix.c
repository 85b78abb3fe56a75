/* mma, wmma, ldmatrix, stmatrix, movmatrix.
 *
 * All registers of the fragments are named in the trace, destinations first.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/lower/lower.h"

static int element_of(const char *part)
{
	static const char *const names[] = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "s8", "u8", "s4", "u4", "s32"};

	for (int e = 0; e < ELEMENT_COUNT; e++)
		if (!strcmp(names[e], part))
			return e;
	return -1;
}

struct shape {
	unsigned m, n, k;
};

/* What the parts behind the name and its .sync.aligned say. */
struct parts {
	struct shape shape;
	unsigned n_layouts, n_elements;
	bool columns[2]; /* .col, of the first and the second layout */
	enum element element[4];
	bool satfinite;
	enum trace_space space;
};

/* "m16" and what follows */
static const char *take_extent(const char *part, char letter, unsigned *extent)
{
	char *end;

	if (!part || part[0] != letter || part[1] < '1' || part[1] > '9' || strlen(part) > sizeof "m16n16k16")
		return NULL;
	*extent = (unsigned)strtoul(part + 1, &end, 10);
	return *extent <= MATRIX_MAX_K ? end : NULL;
}

static bool take_shape(const char *part, struct shape *s)
{
	const char *end = take_extent(take_extent(take_extent(part, 'm', &s->m), 'n', &s->n), 'k', &s->k);

	return end && !*end;
}

static bool take_part(const char *part, struct parts *p)
{
	bool is_row = !strcmp(part, "row"), is_column = !strcmp(part, "col");

	if (take_shape(part, &p->shape))
		return true;
	if (is_row || is_column) {
		if (p->n_layouts == 2)
			return false;
		p->columns[p->n_layouts++] = is_column;
	} else if (element_of(part) >= 0) {
		if (p->n_elements == 4)
			return false;
		p->element[p->n_elements++] = (enum element)element_of(part);
	} else if (!strcmp(part, "satfinite")) {
		p->satfinite = true;
	} else if (lower_space(part) != SPACE_NONE) {
		p->space = lower_space(part);
	} else {
		return !strcmp(part, "sync") || !strcmp(part, "aligned") || !strcmp(part, "rn");
	}
	return true;
}

static bool take_parts(struct lower *w, unsigned from, struct parts *p)
{
	for (unsigned i = from; i < w->n_parts; i++) {
		if (!take_part(w->part[i], p)) {
			lower_complain(w, ".%s is not known", w->part[i]);
			return false;
		}
	}
	return true;
}

static bool is_integer(enum element e)
{
	return e >= ELEMENT_S8;
}

/* a's and b's elements go together, and with these shapes. */
static bool mma_fits(const struct parts *p, enum element a, enum element b)
{
	const struct shape *s = &p->shape;
	unsigned bits = element_bits(a), k = s->k * bits;
	bool signs = is_integer(a) && is_integer(b), bytes = bits == 8 && !is_integer(a) && !is_integer(b);

	if (bits != element_bits(b) || (a != b && !signs && !bytes) || s->n != 8 || (s->m != 8 && s->m != 16))
		return false;
	if (a == ELEMENT_F64)
		return s->m == 8 ? s->k == 4 : s->k == 4 || s->k == 8 || s->k == 16;
	if (s->m == 8)
		return is_integer(a) && k == 128;
	return a != ELEMENT_F32 && a != ELEMENT_S32 && (k == 128 || k == 256);
}

static bool wmma_fits(const struct parts *p, enum element e)
{
	const struct shape *s = &p->shape;

	if (e == ELEMENT_F64)
		return s->m == 8 && s->n == 8 && s->k == 4;
	if (e == ELEMENT_TF32)
		return s->m == 16 && s->n == 16 && s->k == 8;
	if (s->m == 16 && s->n == 16 && s->k == 8)
		return e == ELEMENT_F32; /* an accumulator of tf32 */
	return s->k == 16 && s->m * s->n == 256 && (s->m == 16 || s->m == 32 || s->m == 8) && element_bits(e) > 4;
}

/* An accumulator of d or c that goes with a's elements. */
static bool sum_fits(enum element a, enum element sum)
{
	if (a == ELEMENT_F64 || sum == ELEMENT_F64)
		return a == sum;
	if (is_integer(a) || sum == ELEMENT_S32)
		return is_integer(a) && sum == ELEMENT_S32;
	return sum == ELEMENT_F32 || (sum == ELEMENT_F16 && (a == ELEMENT_F16 || element_bits(a) == 8));
}

static struct fragment fragment_of(enum element e, enum fragment_layout layout, unsigned rows, unsigned cols)
{
	unsigned bits = element_bits(e), reg_bytes = bits == 64 ? 8 : 4;

	return (struct fragment){.element = e,
				 .layout = layout,
				 .bits = (uint8_t)bits,
				 .rows = (uint8_t)rows,
				 .cols = (uint8_t)cols,
				 .n = (uint8_t)(rows * cols * bits / 256 / reg_bytes),
				 .reg_bytes = (uint8_t)reg_bytes};
}

/* Register k of a fragment's operand; NULL, if it has fewer. */
static const struct ptx_operand *element_at(const struct ptx_operand *o, unsigned k)
{
	if (o->kind == OPD_VECTOR)
		return k < o->n_elem ? &o->elem[k] : NULL;
	return k ? NULL : o;
}

static void check_count(struct lower *w, const struct ptx_operand *o, const struct fragment *f)
{
	unsigned n = o->kind == OPD_VECTOR ? o->n_elem : 1;

	if (n != f->n)
		lower_complain(w, "a matrix of %u registers where %u are wanted", n, f->n);
}

static void destination(struct lower *w, const struct ptx_operand *o, struct fragment *f)
{
	check_count(w, o, f);
	for (unsigned k = 0; !w->complaint && k < f->n; k++)
		f->reg[k] = lower_dst_of(w, element_at(o, k), f->reg_bytes);
}

static void sources(struct lower *w, const struct ptx_operand *const *o, struct fragment *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		check_count(w, o[i], &f[i]);
		for (unsigned k = 0; !w->complaint && k < f[i].n; k++)
			f[i].reg[k] = lower_src_of(w, element_at(o[i], k), f[i].reg_bytes, f[i].reg_bytes == 8 ? PT_F64 : PT_B32);
	}
}

static void add(struct lower *w, const struct matrix_op *m)
{
	w->i->target = w->k->n_matrices;
	*(struct matrix_op *)APPEND(w, w->k->matrices, w->k->n_matrices) = *m;
}

static enum trace_op class_of(enum element e)
{
	switch (element_bits(e)) {
	case 4:
		return OP_TENSOR_4BIT;
	case 8:
		return OP_TENSOR_8BIT;
	case 16:
		return OP_TENSOR_F16;
	case 32:
		return OP_TENSOR_TF32;
	default:
		return OP_TENSOR_F64;
	}
}

static void multiply(struct lower *w, struct matrix_op *m)
{
	const struct ptx_operand *o = w->f->s->opd, *const from[] = {&o[1], &o[2], &o[3]};

	destination(w, &o[0], &m->f[0]);
	sources(w, from, &m->f[1], 3);
	w->i->kind = INSN_MATRIX;
	w->t->op = class_of(m->f[1].element);
	w->t->width = (uint8_t)__builtin_ctz((unsigned)m->f[1].rows * m->f[1].cols * m->f[2].cols);
	add(w, m);
}

/* mma.sync.aligned.m16n8k16.row.col{.satfinite}.f32.f16.f16.f32 d, a, b, c */
void lower_mma(struct lower *w)
{
	struct parts p = {.n_layouts = 0};
	const struct shape *s = &p.shape;
	struct matrix_op m = {.kind = MATRIX_MMA};
	const enum element *e = p.element;

	if (!take_parts(w, 1, &p) || !lower_operands(w, 4, 4))
		return;
	if (p.n_elements != 4 || p.n_layouts != 2 || p.columns[0] || !p.columns[1] || !mma_fits(&p, e[1], e[2]) ||
	    !sum_fits(e[1], e[0]) || !sum_fits(e[1], e[3])) {
		lower_complain(w, "no product of matrices of this shape and these types here");
		return;
	}
	m.satfinite = p.satfinite;
	m.f[0] = fragment_of(e[0], FRAGMENT_C, s->m, s->n);
	m.f[1] = fragment_of(e[1], FRAGMENT_A, s->m, s->k);
	m.f[2] = fragment_of(e[2], FRAGMENT_B, s->k, s->n);
	m.f[3] = fragment_of(e[3], FRAGMENT_C, s->m, s->n);
	multiply(w, &m);
}

/* The fragment of wmma's a, b, c or d: 16 elements of f16 a lane, however few there are of a or b. */
static struct fragment wmma_fragment(const struct shape *s, char which, enum element e, bool columns)
{
	struct fragment f =
		fragment_of(e, columns ? FRAGMENT_COLUMNS : FRAGMENT_ROWS, which == 'b' ? s->k : s->m, which == 'a' ? s->k : s->n);

	if (which == 'a' || which == 'b')
		f.n = e == ELEMENT_F16 ? FRAGMENT_REGS : f.n;
	else
		f.layout = FRAGMENT_ROWS;
	return f;
}

/* wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c (of f16), or with the types of all four */
static void wmma_mma(struct lower *w)
{
	struct parts p = {.n_layouts = 0};
	struct matrix_op m = {.kind = MATRIX_MMA};
	enum element e[4];

	if (!take_parts(w, 2, &p) || !lower_operands(w, 4, 4))
		return;
	memcpy(e, p.element, sizeof e);
	if (p.n_elements == 2) {
		e[3] = e[1];
		e[1] = e[2] = ELEMENT_F16;
	}
	if ((p.n_elements != 2 && p.n_elements != 4) || p.n_layouts != 2 || e[1] != e[2] || !wmma_fits(&p, e[1]) ||
	    !sum_fits(e[1], e[0]) || !sum_fits(e[1], e[3])) {
		lower_complain(w, "no product of matrices of this shape and these types here");
		return;
	}
	m.satfinite = p.satfinite;
	m.f[0] = wmma_fragment(&p.shape, 'd', e[0], false);
	m.f[1] = wmma_fragment(&p.shape, 'a', e[1], p.columns[0]);
	m.f[2] = wmma_fragment(&p.shape, 'b', e[2], p.columns[1]);
	m.f[3] = wmma_fragment(&p.shape, 'c', e[3], false);
	multiply(w, &m);
}

/* Bytes that an access moves, as a vector. */
static void set_access(struct mem_op *a, unsigned bytes)
{
	a->width = bytes > 8 ? 8 : (uint8_t)bytes;
	a->n = (uint8_t)(bytes / a->width);
}

static void finish_access(struct lower *w, const struct mem_op *a, const struct matrix_op *m)
{
	w->i->kind = INSN_MATRIX_MEMORY;
	w->i->aux = w->k->n_mems;
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = *a;
	add(w, m);
	w->t->op = a->store ? OP_STORE : OP_LOAD;
	w->t->space = a->space == SPACE_NONE ? SPACE_GLOBAL : a->space;
	w->t->width = (uint8_t)(a->width * a->n);
}

/* wmma.load.a.sync.aligned.row.m16n16k16{.space}.f16 r, [p]{, stride}; wmma.store.d... [p], r{, stride} */
static void wmma_memory(struct lower *w, bool store)
{
	char which = w->n_parts > 2 && strlen(w->part[2]) == 1 ? w->part[2][0] : '?';
	const struct ptx_operand *o = w->f->s->opd, *reg = &o[store ? 1 : 0];
	struct matrix_op m = {.kind = MATRIX_BLOCKS, .stride = NO_CODE};
	struct mem_op a = {.store = store, .reg = {NO_CODE}, .src = {NO_CODE, NO_CODE}};
	struct parts p = {.n_layouts = 0};
	bool same_order;

	if (!take_parts(w, 3, &p) || !lower_operands(w, 2, 3))
		return;
	if (!strchr(store ? "d" : "abc", which) || p.n_layouts != 1 || p.n_elements != 1 || !wmma_fits(&p, p.element[0])) {
		lower_complain(w, "no matrix of this shape and this type here");
		return;
	}
	m.transposed = p.columns[0];
	m.f[0] = wmma_fragment(&p.shape, which, p.element[0], m.transposed);
	same_order = (m.f[0].layout == FRAGMENT_COLUMNS) == m.transposed;
	m.elements = same_order ? fragment_slots(&m.f[0]) : 1;
	if (m.elements * m.f[0].bits > 128)
		m.elements = 128u / m.f[0].bits;
	set_access(&a, m.elements * m.f[0].bits / 8);
	a.space = p.space;
	if (store)
		sources(w, &reg, &m.f[0], 1);
	else
		destination(w, reg, &m.f[0]);
	lower_access(w, &o[store ? 0 : 1], &a);
	if (w->f->s->n > 2)
		m.stride = lower_src(w, 2, 4, PT_U32);
	finish_access(w, &a, &m);
}

void lower_wmma(struct lower *w)
{
	if (w->n_parts > 1 && !strcmp(w->part[1], "mma"))
		wmma_mma(w);
	else if (w->n_parts > 1 && (!strcmp(w->part[1], "load") || !strcmp(w->part[1], "store")))
		wmma_memory(w, w->part[1][0] == 's');
	else
		lower_complain(w, "no such operation here");
}

/* ldmatrix.sync.aligned.m8n8.x4{.trans}{.shared}.b16 r, [p]; stmatrix [p], r */
void lower_ldmatrix(struct lower *w)
{
	bool store = w->part[0][0] == 's';
	const struct ptx_operand *o = w->f->s->opd, *reg = &o[store ? 1 : 0];
	struct mem_op a = {.store = store, .reg = {NO_CODE}, .src = {NO_CODE, NO_CODE}};
	struct matrix_op m = {.kind = MATRIX_ROWS, .transposed = lower_has(w, "trans"), .stride = NO_CODE};

	if (!lower_has(w, "m8n8") || !lower_has(w, "b16")) {
		lower_complain(w, "only matrices of 8 x 8 elements of 16 bits are supported");
		return;
	}
	if (!lower_operands(w, 2, 2))
		return;
	m.f[0] = (struct fragment){.element = ELEMENT_F16, .layout = FRAGMENT_C, .bits = 16, .rows = 8, .cols = 8, .reg_bytes = 4};
	m.f[0].n = lower_has(w, "x4") ? 4 : lower_has(w, "x2") ? 2 : 1;
	m.window = !lower_has(w, "shared") && !lower_has(w, "shared::cta");
	a.space = SPACE_SHARED;
	set_access(&a, 16);
	if (store)
		sources(w, &reg, &m.f[0], 1);
	else
		destination(w, reg, &m.f[0]);
	lower_access(w, &o[store ? 0 : 1], &a);
	finish_access(w, &a, &m);
}

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a */
void lower_movmatrix(struct lower *w)
{
	const struct ptx_operand *o = w->f->s->opd, *const from[] = {&o[1]};
	struct matrix_op m = {.kind = MATRIX_MOVE};

	if (!lower_has(w, "m8n8") || !lower_has(w, "trans") || !lower_has(w, "b16")) {
		lower_complain(w, "no such operation here");
		return;
	}
	if (!lower_operands(w, 2, 2))
		return;
	m.f[0] = m.f[1] = fragment_of(ELEMENT_F16, FRAGMENT_C, 8, 8);
	destination(w, &o[0], &m.f[0]);
	sources(w, from, &m.f[1], 1);
	w->i->kind = INSN_MATRIX;
	w->t->op = OP_INT_ADD;
	add(w, &m);
}

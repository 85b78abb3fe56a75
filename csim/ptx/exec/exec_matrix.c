/* Matrices: products, and fragments from and to memory.
 *
 * A product is computed in double: c, then the products of a and b in ascending k, each of which is exact there (of
 * f64: fused, as fma is), and rounded once, to nearest, to d's type. Integers are exact, and wrap or, with .satfinite,
 * are clamped.
 */
#include <math.h>

#include "ptx/exec/exec.h"
#include "ptx/lower/matrix.h"

typedef double product_rows[MATRIX_MAX][MATRIX_MAX];

static int check_lanes(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask)
{
	if (mask == UINT32_MAX)
		return 0;
	return exec_fail(x, w, i, -1, "all 32 lanes of a warp hold a matrix together, and only %d are here",
			 __builtin_popcount(mask));
}

/* The bytes of a lane's fragment. */
static uint8_t *lane_reg(const struct exec *x, const struct warp *w, const struct fragment *f, unsigned reg, unsigned lane)
{
	return (uint8_t *)row_at(x, w, f->reg[reg]) + (size_t)lane * f->reg_bytes;
}

static uint64_t get_slot(const struct exec *x, const struct warp *w, const struct fragment *f, unsigned lane, unsigned slot)
{
	unsigned each = 8u * f->reg_bytes / f->bits;
	uint64_t v = 0;

	memcpy(&v, lane_reg(x, w, f, slot / each, lane), f->reg_bytes);
	return v >> f->bits * (slot % each);
}

static void set_slot(const struct exec *x, const struct warp *w, const struct fragment *f, unsigned lane, unsigned slot,
		     uint64_t bits)
{
	unsigned each = 8u * f->reg_bytes / f->bits;

	memcpy(lane_reg(x, w, f, slot / each, lane) + f->bits / 8 * (slot % each), &bits, f->bits / 8);
}

/* ---- products ---- */

static void gather(const struct exec *x, const struct warp *w, const struct fragment *f, double *to, unsigned cols)
{
	unsigned n = fragment_slots(f), row, col;

	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned s = 0; s < n; s++) {
			fragment_at(f, l, s, &row, &col);
			to[row * cols + col] = element_value(f->element, get_slot(x, w, f, l, s));
		}
	}
}

static uint64_t result_bits(const struct matrix_op *m, double v)
{
	if (m->satfinite && m->f[0].element == ELEMENT_S32)
		v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
	return element_round(m->f[0].element, v);
}

static void scatter(const struct exec *x, const struct warp *w, const struct matrix_op *m, product_rows d)
{
	const struct fragment *f = &m->f[0];
	unsigned n = fragment_slots(f), row, col;

	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned s = 0; s < n; s++) {
			fragment_at(f, l, s, &row, &col);
			set_slot(x, w, f, l, s, result_bits(m, d[row][col]));
		}
	}
}

static void multiply(const struct exec *x, const struct warp *w, const struct matrix_op *m)
{
	double a[MATRIX_MAX][MATRIX_MAX_K], b[MATRIX_MAX_K][MATRIX_MAX];
	unsigned rows = m->f[0].rows, cols = m->f[0].cols, depth = m->f[1].cols;
	bool fused = m->f[1].element == ELEMENT_F64;
	product_rows d;

	gather(x, w, &m->f[1], a[0], MATRIX_MAX_K);
	gather(x, w, &m->f[2], b[0], MATRIX_MAX);
	gather(x, w, &m->f[3], d[0], MATRIX_MAX);
	for (unsigned r = 0; r < rows; r++)
		for (unsigned k = 0; k < depth; k++)
			for (unsigned c = 0; c < cols; c++)
				d[r][c] = fused ? fma(a[r][k], b[k][c], d[r][c]) : d[r][c] + a[r][k] * b[k][c];
	scatter(x, w, m, d);
}

static void transpose(const struct exec *x, const struct warp *w, const struct matrix_op *m)
{
	uint64_t to[8][8];
	unsigned row, col;

	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned s = 0; s < 2; s++) {
			fragment_at(&m->f[1], l, s, &row, &col);
			to[col][row] = get_slot(x, w, &m->f[1], l, s);
		}
	}
	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned s = 0; s < 2; s++) {
			fragment_at(&m->f[0], l, s, &row, &col);
			set_slot(x, w, &m->f[0], l, s, to[row][col]);
		}
	}
}

int exec_matrix(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct matrix_op *m = &x->k->matrices[i->target];

	if (check_lanes(x, w, i, mask) < 0)
		return -1;
	(m->kind == MATRIX_MMA ? multiply : transpose)(x, w, m);
	return 0;
}

/* ---- memory ---- */

static uint8_t *bytes_of(const struct access *a, unsigned l)
{
	return a->scattered ? a->lane_bytes[l] : a->bytes + a->offset[l];
}

static int find_access(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t pc, uint32_t mask,
		       struct access *at)
{
	if (access_find(x, w, i, space, mask, at) < 0)
		return -1;
	x->insts++;
	x->changes += x->k->mems[i->aux].store;
	if (!x->w)
		return 0;
	trace_put_run(x->w, w->id, pc, 1, mask);
	trace_put_addrs(x->w, w->id, mask, at->address);
	return 0;
}

/* ldmatrix, stmatrix: lanes 8 m .. 8 m + 7 have the addresses of the rows of matrix m, whose elements are in register m
 * of all lanes. */
static int move_rows(struct exec *x, struct warp *w, const struct insn *i)
{
	const struct mem_op *a = &x->k->mems[i->aux];
	const struct matrix_op *m = &x->k->matrices[i->target];
	uint32_t mask = m->f[0].n == 4 ? UINT32_MAX : (1u << 8 * m->f[0].n) - 1;
	unsigned row, col;
	struct access at;

	exec_addresses(x, w, a, at.address);
	for (unsigned l = 0; m->window && l < LANES; l++)
		at.address[l] -= SHARED_WINDOW;
	if (find_access(x, w, i, SPACE_SHARED, i->pc, mask, &at) < 0)
		return -1;
	for (unsigned reg = 0; reg < m->f[0].n; reg++) {
		for (unsigned e = 0; e < 2 * LANES; e++) {
			uint8_t *in, *half = lane_reg(x, w, &m->f[0], reg, e / 2) + e % 2 * 2;

			fragment_at(&m->f[0], e / 2, e % 2, &row, &col);
			in = bytes_of(&at, 8 * reg + (m->transposed ? col : row)) + (size_t)(m->transposed ? row : col) * 2;
			memcpy(a->store ? in : half, a->store ? half : in, 2);
		}
	}
	return 0;
}

struct block { /* where a fragment of wmma is in memory */
	uint64_t base[LANES];
	uint64_t stride[LANES]; /* bytes from one row or column to the next */
	enum trace_space space;
	uint32_t pc;
};

static void find_block(const struct exec *x, const struct warp *w, const struct insn *i, struct block *b)
{
	const struct mem_op *a = &x->k->mems[i->aux];
	const struct matrix_op *m = &x->k->matrices[i->target];
	const lane_u32 *stride = m->stride == NO_CODE ? NULL : row_at(x, w, m->stride);
	uint64_t window = 0, least = m->transposed ? m->f[0].rows : m->f[0].cols;

	exec_addresses(x, w, a, b->base);
	b->space = a->space == SPACE_NONE ? SPACE_GLOBAL : a->space;
	b->pc = i->pc;
	if (a->space == SPACE_NONE && b->base[0] - SHARED_WINDOW < WINDOW_BYTES) {
		window = SHARED_WINDOW;
		b->space = SPACE_SHARED;
		b->pc = a->pc_shared;
	} else if (a->space == SPACE_NONE && b->base[0] - LOCAL_WINDOW < WINDOW_BYTES) {
		window = LOCAL_WINDOW;
		b->space = SPACE_LOCAL;
		b->pc = a->pc_local;
	}
	for (unsigned l = 0; l < LANES; l++) {
		b->base[l] -= window;
		b->stride[l] = (stride ? stride[l] : least) * m->f[0].bits / 8;
	}
}

/* A part of each lane's fragment, elements `slot` and those that follow it in memory. */
static int move_part(struct exec *x, struct warp *w, const struct insn *i, const struct block *b, unsigned slot)
{
	const struct matrix_op *m = &x->k->matrices[i->target];
	const struct fragment *f = &m->f[0];
	bool store = x->k->mems[i->aux].store;
	unsigned row, col, bytes = f->bits / 8;
	struct access at;

	for (unsigned l = 0; l < LANES; l++) {
		fragment_at(f, l, slot, &row, &col);
		at.address[l] =
			b->base[l] + (m->transposed ? col : row) * b->stride[l] + (uint64_t)(m->transposed ? row : col) * bytes;
	}
	if (find_access(x, w, i, b->space, b->pc, UINT32_MAX, &at) < 0)
		return -1;
	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned e = 0; e < m->elements; e++) {
			uint8_t *in = bytes_of(&at, l) + (size_t)e * bytes;
			uint64_t bits = 0;

			if (store) {
				bits = get_slot(x, w, f, l, slot + e);
				memcpy(in, &bits, bytes);
			} else {
				memcpy(&bits, in, bytes);
				set_slot(x, w, f, l, slot + e, bits);
			}
		}
	}
	return 0;
}

/* Registers beyond those that hold the fragment hold it again. */
static void repeat(const struct exec *x, const struct warp *w, const struct fragment *f)
{
	unsigned regs = fragment_slots(f) * f->bits / 8 / f->reg_bytes;

	for (unsigned k = regs; k < f->n; k++)
		memcpy(row_at(x, w, f->reg[k]), row_at(x, w, f->reg[k - regs]), (size_t)LANES * f->reg_bytes);
}

int exec_matrix_memory(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct matrix_op *m = &x->k->matrices[i->target];
	struct block b;

	if (check_lanes(x, w, i, mask) < 0)
		return -1;
	if (m->kind == MATRIX_ROWS)
		return move_rows(x, w, i);
	find_block(x, w, i, &b);
	for (unsigned s = 0; s < fragment_slots(&m->f[0]); s += m->elements)
		if (move_part(x, w, i, &b, s) < 0)
			return -1;
	if (!x->k->mems[i->aux].store)
		repeat(x, w, &m->f[0]);
	return 0;
}

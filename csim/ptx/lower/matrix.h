/* Matrices that the lanes of a warp hold together, for mma, wmma and ldmatrix.
 *
 * A fragment is some registers of each lane, of which each holds one or more elements, the lowest bits first; slot s of
 * a lane is its element number s. Of mma, which lane holds which element is as the PTX ISA manual has it (9.0, section
 * 9.7.14.5); of wmma it is left open there: here a lane holds elements that follow one another in memory, in the
 * order of rows for accumulators, and of a and b in that of their own layouts. Registers that wmma has more than these
 * fill hold them again.
 */
#ifndef CSIM_PTX_LOWER_MATRIX_H
#define CSIM_PTX_LOWER_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum element {
	ELEMENT_F16,
	ELEMENT_BF16,
	ELEMENT_TF32, /* of 32 bits the lowest 13 are left out */
	ELEMENT_F32,
	ELEMENT_F64,
	ELEMENT_E4M3,
	ELEMENT_E5M2,
	ELEMENT_S8,
	ELEMENT_U8,
	ELEMENT_S4,
	ELEMENT_U4,
	ELEMENT_S32,
	ELEMENT_COUNT
};

enum fragment_layout { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C, FRAGMENT_ROWS, FRAGMENT_COLUMNS };

enum { MATRIX_MAX = 32, MATRIX_MAX_K = 64, FRAGMENT_REGS = 8 };

struct fragment {
	enum element element;
	enum fragment_layout layout;
	uint8_t bits; /* of an element */
	uint8_t rows, cols;
	uint8_t n, reg_bytes; /* registers a lane, bytes of each */
	uint32_t reg[FRAGMENT_REGS];
};

enum matrix_kind {
	MATRIX_MMA,   /* f[0] = f[1] * f[2] + f[3] */
	MATRIX_MOVE,  /* movmatrix: f[0] = f[1] transposed */
	MATRIX_ROWS,  /* ldmatrix, stmatrix: f[0], of which a lane's address is that of a row */
	MATRIX_BLOCKS /* wmma.load, wmma.store: f[0] */
};

struct matrix_op {
	enum matrix_kind kind;
	struct fragment f[4];
	bool satfinite;
	bool transposed;   /* ROWS: each matrix of 8 x 8. BLOCKS: columns follow one another in memory */
	bool window;	   /* ROWS: addresses are generic */
	uint32_t stride;   /* BLOCKS: row, in elements; NO_CODE: none is given */
	uint32_t elements; /* BLOCKS: that follow one another in memory and are accessed at once */
};

unsigned element_bits(enum element e);
double element_value(enum element e, uint64_t bits);
/* Rounded to nearest; a NaN is the one that GPUs make. E4M3, E5M2: at most the largest number. S32: an integer, of
 * which the low 32 bits count. */
uint64_t element_round(enum element e, double v);

/* Elements that a lane holds, each once. */
static inline unsigned fragment_slots(const struct fragment *f)
{
	return (unsigned)f->rows * f->cols / 32;
}

/* Where the element of a lane's slot is in the matrix. */
void fragment_at(const struct fragment *f, unsigned lane, unsigned slot, unsigned *row, unsigned *col);

#endif

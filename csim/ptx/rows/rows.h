/* Rows: what a register holds for the 32 lanes of a warp, and the functions that compute one row from others.
 *
 * A 64-bit register is a row of 32 x 8 bytes, a 32-bit one 32 x 4, a 16-bit (or 8-bit) one 32 x 2, each at a multiple
 * of 64 bytes. A predicate is one 32-bit mask, bit l for lane l. A row function computes all 32 lanes, whatever they
 * hold; the caller keeps the inactive ones. The destination may be one of the sources, never a part of one: that is
 * what EACH_LANE promises.
 */
#ifndef CSIM_PTX_ROWS_H
#define CSIM_PTX_ROWS_H

#include <stdint.h>

#include "trace/inst.h"

typedef uint8_t __attribute__((may_alias)) lane_u8;
typedef uint16_t __attribute__((may_alias)) lane_u16;
typedef uint32_t __attribute__((may_alias)) lane_u32;
typedef uint64_t __attribute__((may_alias)) lane_u64;
typedef int8_t __attribute__((may_alias)) lane_s8;
typedef int16_t __attribute__((may_alias)) lane_s16;
typedef int32_t __attribute__((may_alias)) lane_s32;
typedef int64_t __attribute__((may_alias)) lane_s64;
typedef float __attribute__((may_alias)) lane_f32;
typedef double __attribute__((may_alias)) lane_f64;

enum { LANES = 32, ROW_MAX_BYTES = LANES * 8 };

#ifdef __clang__
#define EACH_LANE(l) _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < LANES; l++)
#else
#define EACH_LANE(l) _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)
#endif

typedef void (*row_fn)(void *d, const void *a, const void *b, const void *c, const void *e);

/* An operation that is one row function. Sizes are bytes of a lane; SIZE_PRED: a predicate's mask; 0: no such
 * operand. */
enum { SIZE_PRED = 1 };
struct alu_def {
	const char *key; /* opcode without .ftz, rounding and .sat of floats: "fma.f32" */
	row_fn fn;
	enum trace_op op : 8;
	uint8_t dst, src[4];
};

/* Lists that end with a NULL key. */
extern const struct alu_def alu_int[], alu_bits[], alu_float[], alu_compare[], alu_convert[];

/* One of the lists' entries for a key; NULL if none. */
const struct alu_def *alu_find(const char *key);

#define ROW_FN(name)   static void name(void *dv, const void *av, const void *bv, const void *cv, const void *ev)
#define UNUSED_SOURCES ((void)av, (void)bv, (void)cv, (void)ev)
/* d[l] = expr of a[l], b[l], c[l]; D, A, B, C: their lane types. */
#define ROW1(name, D, A, expr)                                                                                                     \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		D *d = dv;                                                                                                         \
		const A *a = av;                                                                                                   \
		UNUSED_SOURCES;                                                                                                    \
		EACH_LANE(l) d[l] = (D)(expr);                                                                                     \
	}
#define ROW2(name, D, A, B, expr)                                                                                                  \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		D *d = dv;                                                                                                         \
		const A *a = av;                                                                                                   \
		const B *b = bv;                                                                                                   \
		UNUSED_SOURCES;                                                                                                    \
		EACH_LANE(l) d[l] = (D)(expr);                                                                                     \
	}
#define ROW3(name, D, A, B, C, expr)                                                                                               \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		D *d = dv;                                                                                                         \
		const A *a = av;                                                                                                   \
		const B *b = bv;                                                                                                   \
		const C *c = cv;                                                                                                   \
		UNUSED_SOURCES;                                                                                                    \
		EACH_LANE(l) d[l] = (D)(expr);                                                                                     \
	}
/* The mask of the lanes for which expr of a[l], b[l] holds. */
#define ROW_TEST(name, A, B, expr)                                                                                                 \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		const A *a = av;                                                                                                   \
		const B *b = bv;                                                                                                   \
		uint32_t bits = 0;                                                                                                 \
		UNUSED_SOURCES;                                                                                                    \
		for (unsigned l = 0; l < LANES; l++)                                                                               \
			bits |= (uint32_t)(expr) << l;                                                                             \
		*(lane_u32 *)dv = bits;                                                                                            \
	}

#endif

/* setp: the mask of the lanes for which a comparison holds; testp. */
#include <math.h>
#include <stdbool.h>

#include "ptx/rows/rows.h"

/* T signed (or the unsigned comparison's) type; ordered float comparisons are false for NaN, which C's != is not. */
#define ORDER(name, T)                                                                                                             \
	ROW_TEST(eq_##name, T, T, a[l] == b[l])                                                                                    \
	ROW_TEST(lt_##name, T, T, a[l] < b[l])                                                                                     \
	ROW_TEST(le_##name, T, T, a[l] <= b[l])                                                                                    \
	ROW_TEST(gt_##name, T, T, a[l] > b[l])                                                                                     \
	ROW_TEST(ge_##name, T, T, a[l] >= b[l])
#define ORDER_INT(name, T) ORDER(name, T) ROW_TEST(ne_##name, T, T, a[l] != b[l])
#define ORDER_FLOAT(name, T)                                                                                                       \
	ORDER(name, T)                                                                                                             \
	ROW_TEST(ne_##name, T, T, (a[l] < b[l]) | (a[l] > b[l]))                                                                   \
	ROW_TEST(equ_##name, T, T, !((a[l] < b[l]) | (a[l] > b[l])))                                                               \
	ROW_TEST(neu_##name, T, T, a[l] != b[l])                                                                                   \
	ROW_TEST(ltu_##name, T, T, !(a[l] >= b[l]))                                                                                \
	ROW_TEST(leu_##name, T, T, !(a[l] > b[l]))                                                                                 \
	ROW_TEST(gtu_##name, T, T, !(a[l] <= b[l]))                                                                                \
	ROW_TEST(geu_##name, T, T, !(a[l] < b[l]))                                                                                 \
	ROW_TEST(num_##name, T, T, (a[l] == a[l]) & (b[l] == b[l]))                                                                \
	ROW_TEST(nan_##name, T, T, (a[l] != a[l]) | (b[l] != b[l]))

ORDER_INT(s16, lane_s16)
ORDER_INT(u16, lane_u16)
ORDER_INT(s32, lane_s32)
ORDER_INT(u32, lane_u32)
ORDER_INT(s64, lane_s64)
ORDER_INT(u64, lane_u64)
ORDER_FLOAT(f32, lane_f32)
ORDER_FLOAT(f64, lane_f64)

/* isspacep: whether a is one of the c addresses from b on. */
#define WITHIN(name, T, is)                                                                                                        \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		const T *a = av, *b = bv, *c = cv;                                                                                 \
		uint32_t bits = 0;                                                                                                 \
		UNUSED_SOURCES;                                                                                                    \
		for (unsigned l = 0; l < LANES; l++)                                                                               \
			bits |= (uint32_t)((T)(a[l] - b[l]) < c[l]) << l;                                                          \
		*(lane_u32 *)dv = is ? bits : ~bits;                                                                               \
	}
WITHIN(within_u32, lane_u32, true)
WITHIN(within_u64, lane_u64, true)
WITHIN(outside_u32, lane_u32, false)
WITHIN(outside_u64, lane_u64, false)

#define TESTP(name, T)                                                                                                             \
	ROW_TEST(finite_##name, T, T, ((void)b, isfinite(a[l]) != 0))                                                              \
	ROW_TEST(infinite_##name, T, T, ((void)b, isinf(a[l]) != 0))                                                               \
	ROW_TEST(number_##name, T, T, ((void)b, a[l] == a[l]))                                                                     \
	ROW_TEST(notanumber_##name, T, T, ((void)b, a[l] != a[l]))                                                                 \
	ROW_TEST(normal_##name, T, T, ((void)b, isnormal(a[l]) != 0))                                                              \
	ROW_TEST(subnormal_##name, T, T, ((void)b, fpclassify(a[l]) == FP_SUBNORMAL))
TESTP(f32, lane_f32)
TESTP(f64, lane_f64)

/* clang-format off */
#define DEF(op, type, fn, class, n) {"setp." #op "." #type, op##_##fn, class, SIZE_PRED, {n, n}}
#define SIX(type, fn, class, n)                                                                                                    \
	DEF(eq, type, fn, class, n), DEF(ne, type, fn, class, n), DEF(lt, type, fn, class, n), DEF(le, type, fn, class, n),        \
	DEF(gt, type, fn, class, n), DEF(ge, type, fn, class, n)
/* lo ls hi hs: unsigned lt le gt ge */
#define UNSIGNED_NAMES(type, n)                                                                                                    \
	{"setp.lo." #type, lt_##type, OP_INT_ADD, SIZE_PRED, {n, n}}, {"setp.ls." #type, le_##type, OP_INT_ADD, SIZE_PRED, {n, n}},\
	{"setp.hi." #type, gt_##type, OP_INT_ADD, SIZE_PRED, {n, n}}, {"setp.hs." #type, ge_##type, OP_INT_ADD, SIZE_PRED, {n, n}}
#define BITS(bits, n)                                                                                                              \
	DEF(eq, b##bits, u##bits, OP_INT_ADD, n), DEF(ne, b##bits, u##bits, OP_INT_ADD, n),                                        \
	SIX(s##bits, s##bits, OP_INT_ADD, n), SIX(u##bits, u##bits, OP_INT_ADD, n), UNSIGNED_NAMES(u##bits, n)
#define UNORDERED(type, class, n)                                                                                                  \
	DEF(equ, type, type, class, n), DEF(neu, type, type, class, n), DEF(ltu, type, type, class, n),                            \
	DEF(leu, type, type, class, n), DEF(gtu, type, type, class, n), DEF(geu, type, type, class, n),                            \
	DEF(num, type, type, class, n), DEF(nan, type, type, class, n)
#define TESTP_DEF(op, type, class, n) {"testp." #op "." #type, op##_##type, class, SIZE_PRED, {n}}
#define TESTP_DEFS(type, class, n)                                                                                                 \
	TESTP_DEF(finite, type, class, n), TESTP_DEF(infinite, type, class, n), TESTP_DEF(number, type, class, n),                 \
	TESTP_DEF(notanumber, type, class, n), TESTP_DEF(normal, type, class, n), TESTP_DEF(subnormal, type, class, n)

const struct alu_def alu_compare[] = {
	BITS(16, 2), BITS(32, 4), BITS(64, 8),
	SIX(f32, f32, OP_FP32_ADD, 4), UNORDERED(f32, OP_FP32_ADD, 4),
	SIX(f64, f64, OP_FP64_ADD, 8), UNORDERED(f64, OP_FP64_ADD, 8),
	TESTP_DEFS(f32, OP_FP32_ADD, 4), TESTP_DEFS(f64, OP_FP64_ADD, 8),
	{"isspacep.in.u32", within_u32, OP_INT_ADD, SIZE_PRED, {4, 4, 4}}, {"isspacep.in.u64", within_u64, OP_INT_ADD, SIZE_PRED, {8, 8, 8}},
	{"isspacep.out.u32", outside_u32, OP_INT_ADD, SIZE_PRED, {4, 4, 4}}, {"isspacep.out.u64", outside_u64, OP_INT_ADD, SIZE_PRED, {8, 8, 8}},
	{0},
};

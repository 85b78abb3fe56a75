/* Integer arithmetic. Sums and products wrap; what PTX leaves open at a division by zero is as NVIDIA's hardware does
 * it. */
#include "ptx/rows/rows.h"

__extension__ typedef __int128 wide_s;
__extension__ typedef unsigned __int128 wide_u;

/* A quotient by zero has all bits set, the remainder is the dividend; MIN / -1 is MIN, remainder 0. */
#define DIVISIONS(S, U, bits)                                                                                                      \
	static inline S quotient_s##bits(S a, S b)                                                                                 \
	{                                                                                                                          \
		return !b ? (S)-1 : b == -1 ? (S)(0 - (U)a) : (S)(a / b);                                                          \
	}                                                                                                                          \
	static inline S remainder_s##bits(S a, S b)                                                                                \
	{                                                                                                                          \
		return !b ? a : b == -1 ? (S)0 : (S)(a % b);                                                                       \
	}                                                                                                                          \
	static inline U quotient_u##bits(U a, U b)                                                                                 \
	{                                                                                                                          \
		return b ? (U)(a / b) : (U)-1;                                                                                     \
	}                                                                                                                          \
	static inline U remainder_u##bits(U a, U b)                                                                                \
	{                                                                                                                          \
		return b ? (U)(a % b) : a;                                                                                         \
	}
DIVISIONS(int16_t, uint16_t, 16)
DIVISIONS(int32_t, uint32_t, 32)
DIVISIONS(int64_t, uint64_t, 64)

/* S, U: lane types of one width; P: unsigned type for products that wrap; WS, WU: of at least twice the width. */
#define COMMON(bits, S, U, P, WS, WU)                                                                                              \
	ROW2(add_##bits, U, U, U, a[l] + b[l])                                                                                     \
	ROW2(sub_##bits, U, U, U, a[l] - b[l])                                                                                     \
	ROW2(mul_lo_##bits, U, U, U, (P)a[l] * b[l])                                                                               \
	ROW2(mul_hi_s##bits, S, S, S, ((WS)a[l] * (WS)b[l]) >> bits)                                                               \
	ROW2(mul_hi_u##bits, U, U, U, ((WU)a[l] * (WU)b[l]) >> bits)                                                               \
	ROW3(mad_lo_##bits, U, U, U, U, (P)a[l] * b[l] + c[l])                                                                     \
	ROW3(mad_hi_s##bits, U, S, S, U, (U)(((WS)a[l] * (WS)b[l]) >> bits) + c[l])                                                \
	ROW3(mad_hi_u##bits, U, U, U, U, (U)(((WU)a[l] * (WU)b[l]) >> bits) + c[l])                                                \
	ROW2(div_s##bits, S, S, S, quotient_s##bits(a[l], b[l]))                                                                   \
	ROW2(div_u##bits, U, U, U, quotient_u##bits(a[l], b[l]))                                                                   \
	ROW2(rem_s##bits, S, S, S, remainder_s##bits(a[l], b[l]))                                                                  \
	ROW2(rem_u##bits, U, U, U, remainder_u##bits(a[l], b[l]))                                                                  \
	ROW1(neg_##bits, U, U, 0 - a[l])                                                                                           \
	ROW1(abs_##bits, U, S, a[l] < 0 ? 0 - (U)a[l] : (U)a[l])                                                                   \
	ROW2(min_s##bits, S, S, S, a[l] < b[l] ? a[l] : b[l])                                                                      \
	ROW2(max_s##bits, S, S, S, a[l] > b[l] ? a[l] : b[l])                                                                      \
	ROW2(min_u##bits, U, U, U, a[l] < b[l] ? a[l] : b[l])                                                                      \
	ROW2(max_u##bits, U, U, U, a[l] > b[l] ? a[l] : b[l])                                                                      \
	ROW3(sad_s##bits, U, S, S, U, c[l] + (a[l] < b[l] ? (U)b[l] - (U)a[l] : (U)a[l] - (U)b[l]))                                \
	ROW3(sad_u##bits, U, U, U, U, c[l] + (a[l] < b[l] ? b[l] - a[l] : a[l] - b[l]))

COMMON(16, lane_s16, lane_u16, uint32_t, int32_t, uint32_t)
COMMON(32, lane_s32, lane_u32, uint32_t, int64_t, uint64_t)
COMMON(64, lane_s64, lane_u64, uint64_t, wide_s, wide_u)

ROW2(mul_wide_s16, lane_s32, lane_s16, lane_s16, (int32_t)a[l] * b[l])
ROW2(mul_wide_u16, lane_u32, lane_u16, lane_u16, (uint32_t)a[l] * b[l])
ROW2(mul_wide_s32, lane_s64, lane_s32, lane_s32, (int64_t)a[l] * b[l])
ROW2(mul_wide_u32, lane_u64, lane_u32, lane_u32, (uint64_t)a[l] * b[l])
ROW3(mad_wide_s16, lane_u32, lane_s16, lane_s16, lane_u32, (uint32_t)((int32_t)a[l] * b[l]) + c[l])
ROW3(mad_wide_u16, lane_u32, lane_u16, lane_u16, lane_u32, (uint32_t)a[l] * b[l] + c[l])
ROW3(mad_wide_s32, lane_u64, lane_s32, lane_s32, lane_u64, (uint64_t)((int64_t)a[l] * b[l]) + c[l])
ROW3(mad_wide_u32, lane_u64, lane_u32, lane_u32, lane_u64, (uint64_t)a[l] * b[l] + c[l])

#define LOW24_S(v) ((int64_t)((int32_t)((uint32_t)(v) << 8) >> 8))
#define LOW24_U(v) ((uint64_t)((v)&0xffffffu))
ROW2(mul24_lo_s, lane_u32, lane_u32, lane_u32, (uint64_t)(LOW24_S(a[l]) * LOW24_S(b[l])))
ROW2(mul24_lo_u, lane_u32, lane_u32, lane_u32, LOW24_U(a[l]) * LOW24_U(b[l]))
ROW2(mul24_hi_s, lane_u32, lane_u32, lane_u32, (uint64_t)(LOW24_S(a[l]) * LOW24_S(b[l])) >> 16)
ROW2(mul24_hi_u, lane_u32, lane_u32, lane_u32, LOW24_U(a[l]) * LOW24_U(b[l]) >> 16)
ROW3(mad24_lo_s, lane_u32, lane_u32, lane_u32, lane_u32, (uint64_t)(LOW24_S(a[l]) * LOW24_S(b[l])) + c[l])
ROW3(mad24_lo_u, lane_u32, lane_u32, lane_u32, lane_u32, LOW24_U(a[l]) * LOW24_U(b[l]) + c[l])

static inline int64_t clamp_s32(int64_t v)
{
	return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
}
ROW2(add_sat_s32, lane_s32, lane_s32, lane_s32, clamp_s32((int64_t)a[l] + b[l]))
ROW2(sub_sat_s32, lane_s32, lane_s32, lane_s32, clamp_s32((int64_t)a[l] - b[l]))
ROW3(mad_hi_sat_s32, lane_s32, lane_s32, lane_s32, lane_s32, clamp_s32((((int64_t)a[l] * b[l]) >> 32) + c[l]))

/* Four products of bytes, or two of a half and a byte each, and c. */
#define BYTE_U(v, k) ((v) >> 8 * (k)&255)
#define BYTE_S(v, k) ((uint32_t)(int32_t)(int8_t)((v) >> 8 * (k)))
#define HALF_U(v, k) ((v) >> 16 * (k)&65535)
#define HALF_S(v, k) ((uint32_t)(int32_t)(int16_t)((v) >> 16 * (k)))
#define DOT(s, t, S, T)                                                                                                            \
	ROW3(dp4a_##s##t, lane_u32, lane_u32, lane_u32, lane_u32,                                                                  \
	     c[l] + BYTE_##S(a[l], 0) * BYTE_##T(b[l], 0) + BYTE_##S(a[l], 1) * BYTE_##T(b[l], 1) +                                \
		     BYTE_##S(a[l], 2) * BYTE_##T(b[l], 2) + BYTE_##S(a[l], 3) * BYTE_##T(b[l], 3))                                \
	ROW3(dp2a_lo_##s##t, lane_u32, lane_u32, lane_u32, lane_u32,                                                               \
	     c[l] + HALF_##S(a[l], 0) * BYTE_##T(b[l], 0) + HALF_##S(a[l], 1) * BYTE_##T(b[l], 1))                                 \
	ROW3(dp2a_hi_##s##t, lane_u32, lane_u32, lane_u32, lane_u32,                                                               \
	     c[l] + HALF_##S(a[l], 0) * BYTE_##T(b[l], 2) + HALF_##S(a[l], 1) * BYTE_##T(b[l], 3))
DOT(u, u, U, U)
DOT(u, s, U, S)
DOT(s, u, S, U)
DOT(s, s, S, S)

#define PAIR(name, expr_low, expr_high) ROW2(name, lane_u32, lane_u32, lane_u32, ((expr_low)&65535) | (uint32_t)(expr_high) << 16)
#define LESS(S, k)			(HALF_##S(a[l], k) < HALF_##S(b[l], k))
#define SIGNED(k)			((int16_t)HALF_U(a[l], k) < (int16_t)HALF_U(b[l], k))
#define PICK(less, k)			((less) ? HALF_U(a[l], k) : HALF_U(b[l], k))
PAIR(add_pair, a[l] + b[l], HALF_U(a[l], 1) + HALF_U(b[l], 1))
PAIR(min_u_pair, PICK(LESS(U, 0), 0), PICK(LESS(U, 1), 1))
PAIR(max_u_pair, PICK(!LESS(U, 0), 0), PICK(!LESS(U, 1), 1))
PAIR(min_s_pair, PICK(SIGNED(0), 0), PICK(SIGNED(1), 1))
PAIR(max_s_pair, PICK(!SIGNED(0), 0), PICK(!SIGNED(1), 1))

/* .relu: what is below zero is zero. */
#define RELU_16(h) ((int16_t)(h) < 0 ? 0 : (h))
#define RELU_32(v) ((v) < 0 ? 0 : (v))
PAIR(min_relu_pair, RELU_16(PICK(SIGNED(0), 0)), RELU_16(PICK(SIGNED(1), 1)))
PAIR(max_relu_pair, RELU_16(PICK(!SIGNED(0), 0)), RELU_16(PICK(!SIGNED(1), 1)))
ROW2(min_relu_s32, lane_s32, lane_s32, lane_s32, RELU_32(a[l] < b[l] ? a[l] : b[l]))
ROW2(max_relu_s32, lane_s32, lane_s32, lane_s32, RELU_32(a[l] > b[l] ? a[l] : b[l]))

/* clang-format off */
#define S3(n) n, {n, n, n, 0}
#define COMMON_DEFS(bits, n)                                                                                                       \
	{"add.s" #bits, add_##bits, OP_INT_ADD, n, {n, n}}, {"add.u" #bits, add_##bits, OP_INT_ADD, n, {n, n}},                    \
	{"sub.s" #bits, sub_##bits, OP_INT_ADD, n, {n, n}}, {"sub.u" #bits, sub_##bits, OP_INT_ADD, n, {n, n}},                    \
	{"mul.lo.s" #bits, mul_lo_##bits, OP_INT_MUL, n, {n, n}}, {"mul.lo.u" #bits, mul_lo_##bits, OP_INT_MUL, n, {n, n}},        \
	{"mul.hi.s" #bits, mul_hi_s##bits, OP_INT_MUL, n, {n, n}}, {"mul.hi.u" #bits, mul_hi_u##bits, OP_INT_MUL, n, {n, n}},      \
	{"mad.lo.s" #bits, mad_lo_##bits, OP_INT_MAD, S3(n)}, {"mad.lo.u" #bits, mad_lo_##bits, OP_INT_MAD, S3(n)},                \
	{"mad.hi.s" #bits, mad_hi_s##bits, OP_INT_MAD, S3(n)}, {"mad.hi.u" #bits, mad_hi_u##bits, OP_INT_MAD, S3(n)},              \
	{"div.s" #bits, div_s##bits, OP_INT_DIV, n, {n, n}}, {"div.u" #bits, div_u##bits, OP_INT_DIV, n, {n, n}},                  \
	{"rem.s" #bits, rem_s##bits, OP_INT_DIV, n, {n, n}}, {"rem.u" #bits, rem_u##bits, OP_INT_DIV, n, {n, n}},                  \
	{"neg.s" #bits, neg_##bits, OP_INT_ADD, n, {n}}, {"abs.s" #bits, abs_##bits, OP_INT_MAX, n, {n}},                          \
	{"min.s" #bits, min_s##bits, OP_INT_MAX, n, {n, n}}, {"max.s" #bits, max_s##bits, OP_INT_MAX, n, {n, n}},                  \
	{"min.u" #bits, min_u##bits, OP_INT_MAX, n, {n, n}}, {"max.u" #bits, max_u##bits, OP_INT_MAX, n, {n, n}},                  \
	{"sad.s" #bits, sad_s##bits, OP_INT_MAD, S3(n)}, {"sad.u" #bits, sad_u##bits, OP_INT_MAD, S3(n)}

const struct alu_def alu_int[] = {
	COMMON_DEFS(16, 2), COMMON_DEFS(32, 4), COMMON_DEFS(64, 8),
	{"mul.wide.s16", mul_wide_s16, OP_INT_MUL, 4, {2, 2}}, {"mul.wide.u16", mul_wide_u16, OP_INT_MUL, 4, {2, 2}},
	{"mul.wide.s32", mul_wide_s32, OP_INT_MUL, 8, {4, 4}}, {"mul.wide.u32", mul_wide_u32, OP_INT_MUL, 8, {4, 4}},
	{"mad.wide.s16", mad_wide_s16, OP_INT_MAD, 4, {2, 2, 4}}, {"mad.wide.u16", mad_wide_u16, OP_INT_MAD, 4, {2, 2, 4}},
	{"mad.wide.s32", mad_wide_s32, OP_INT_MAD, 8, {4, 4, 8}}, {"mad.wide.u32", mad_wide_u32, OP_INT_MAD, 8, {4, 4, 8}},
	{"mul24.lo.s32", mul24_lo_s, OP_INT_MUL, 4, {4, 4}}, {"mul24.lo.u32", mul24_lo_u, OP_INT_MUL, 4, {4, 4}},
	{"mul24.hi.s32", mul24_hi_s, OP_INT_MUL, 4, {4, 4}}, {"mul24.hi.u32", mul24_hi_u, OP_INT_MUL, 4, {4, 4}},
	{"mad24.lo.s32", mad24_lo_s, OP_INT_MAD, S3(4)}, {"mad24.lo.u32", mad24_lo_u, OP_INT_MAD, S3(4)},
	{"add.sat.s32", add_sat_s32, OP_INT_ADD, 4, {4, 4}}, {"sub.sat.s32", sub_sat_s32, OP_INT_ADD, 4, {4, 4}},
	{"add.u16x2", add_pair, OP_INT_ADD, 4, {4, 4}}, {"add.s16x2", add_pair, OP_INT_ADD, 4, {4, 4}},
	{"min.u16x2", min_u_pair, OP_INT_MAX, 4, {4, 4}}, {"max.u16x2", max_u_pair, OP_INT_MAX, 4, {4, 4}},
	{"min.s16x2", min_s_pair, OP_INT_MAX, 4, {4, 4}}, {"max.s16x2", max_s_pair, OP_INT_MAX, 4, {4, 4}},
	{"min.s16x2.relu", min_relu_pair, OP_INT_MAX, 4, {4, 4}}, {"max.s16x2.relu", max_relu_pair, OP_INT_MAX, 4, {4, 4}},
	{"min.relu.s16x2", min_relu_pair, OP_INT_MAX, 4, {4, 4}}, {"max.relu.s16x2", max_relu_pair, OP_INT_MAX, 4, {4, 4}},
	{"min.s32.relu", min_relu_s32, OP_INT_MAX, 4, {4, 4}}, {"max.s32.relu", max_relu_s32, OP_INT_MAX, 4, {4, 4}},
	{"min.relu.s32", min_relu_s32, OP_INT_MAX, 4, {4, 4}}, {"max.relu.s32", max_relu_s32, OP_INT_MAX, 4, {4, 4}},
	{"mad.hi.sat.s32", mad_hi_sat_s32, OP_INT_MAD, S3(4)},
#define DOTS(s, t)                                                                                                                 \
	{"dp4a." #s "32." #t "32", dp4a_##s##t, OP_INT_MAD, 4, {4, 4, 4}},                                                         \
	{"dp2a.lo." #s "32." #t "32", dp2a_lo_##s##t, OP_INT_MAD, 4, {4, 4, 4}},                                                   \
	{"dp2a.hi." #s "32." #t "32", dp2a_hi_##s##t, OP_INT_MAD, 4, {4, 4, 4}}
	DOTS(u, u), DOTS(u, s), DOTS(s, u), DOTS(s, s),
	{0},
};

/* Logic, shifts, bit fields, selection and moves. */
#include "ptx/rows/rows.h"

/* A shift by the width or more gives 0, or copies of the sign. */
#define SHIFTS(bits, S, U)                                                                                                         \
	ROW2(shl_##bits, U, U, lane_u32, b[l] < bits ? (U)(a[l] << (b[l] & (bits - 1))) : (U)0)                                    \
	ROW2(shr_u##bits, U, U, lane_u32, b[l] < bits ? (U)(a[l] >> (b[l] & (bits - 1))) : (U)0)                                   \
	ROW2(shr_s##bits, S, S, lane_u32, a[l] >> (b[l] < bits ? b[l] : bits - 1))
SHIFTS(16, lane_s16, lane_u16)
SHIFTS(32, lane_s32, lane_u32)
SHIFTS(64, lane_s64, lane_u64)

#define LOGIC(bits, U)                                                                                                             \
	ROW2(and_##bits, U, U, U, a[l] & b[l])                                                                                     \
	ROW2(or_##bits, U, U, U, a[l] | b[l])                                                                                      \
	ROW2(xor_##bits, U, U, U, a[l] ^ b[l])                                                                                     \
	ROW1(not_##bits, U, U, ~a[l])                                                                                              \
	ROW1(cnot_##bits, U, U, a[l] == 0)                                                                                         \
	ROW1(mov_##bits, U, U, a[l])                                                                                               \
	ROW_FN(selp_##bits)                                                                                                        \
	{                                                                                                                          \
		U *d = dv;                                                                                                         \
		const U *a = av, *b = bv;                                                                                          \
		uint32_t p = *(const lane_u32 *)cv;                                                                                \
		(void)ev;                                                                                                          \
		EACH_LANE(l) d[l] = (p >> l) & 1 ? a[l] : b[l];                                                                    \
	}
/* slct: a where c >= 0, else b; a NaN picks b */
#define SELECT(bits, U)                                                                                                            \
	ROW3(slct_##bits##_s, U, U, U, lane_s32, c[l] >= 0 ? a[l] : b[l])                                                          \
	ROW3(slct_##bits##_f, U, U, U, lane_f32, c[l] >= 0 ? a[l] : b[l])
SELECT(16, lane_u16)
SELECT(32, lane_u32)
SELECT(64, lane_u64)

LOGIC(16, lane_u16)
LOGIC(32, lane_u32)
LOGIC(64, lane_u64)

#define PRED_OP(name, expr)                                                                                                        \
	ROW_FN(name)                                                                                                               \
	{                                                                                                                          \
		uint32_t a = *(const lane_u32 *)av, b = *(const lane_u32 *)bv;                                                     \
		(void)cv;                                                                                                          \
		(void)ev;                                                                                                          \
		(void)b;                                                                                                           \
		*(lane_u32 *)dv = (expr);                                                                                          \
	}
PRED_OP(and_pred, a &b)
PRED_OP(or_pred, a | b)
PRED_OP(xor_pred, a ^ b)
ROW_FN(not_pred)
{
	(void)bv, (void)cv, (void)ev;
	*(lane_u32 *)dv = ~*(const lane_u32 *)av;
}
ROW_FN(mov_pred)
{
	(void)bv, (void)cv, (void)ev;
	*(lane_u32 *)dv = *(const lane_u32 *)av;
}

static inline uint32_t reverse32(uint32_t v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}
ROW1(brev_32, lane_u32, lane_u32, reverse32(a[l]))
ROW1(brev_64, lane_u64, lane_u64, (uint64_t)reverse32((uint32_t)a[l]) << 32 | reverse32((uint32_t)(a[l] >> 32)))
ROW1(popc_32, lane_u32, lane_u32, __builtin_popcount(a[l]))
ROW1(popc_64, lane_u32, lane_u64, __builtin_popcountll(a[l]))
ROW1(clz_32, lane_u32, lane_u32, a[l] ? (uint32_t)__builtin_clz(a[l]) : 32)
ROW1(clz_64, lane_u32, lane_u64, a[l] ? (uint32_t)__builtin_clzll(a[l]) : 64)

/* Position of the most significant bit that is not a sign; ~0 if there is none. */
static inline uint32_t find_msb(uint64_t v)
{
	return v ? 63 - (uint32_t)__builtin_clzll(v) : UINT32_MAX;
}
ROW1(bfind_u32, lane_u32, lane_u32, find_msb(a[l]))
ROW1(bfind_u64, lane_u32, lane_u64, find_msb(a[l]))
ROW1(bfind_s32, lane_u32, lane_s32, find_msb((uint32_t)(a[l] < 0 ? ~a[l] : a[l])))
ROW1(bfind_s64, lane_u32, lane_s64, find_msb((uint64_t)(a[l] < 0 ? ~a[l] : a[l])))
/* .shiftamt: how far to shift left to bring that bit to the top */
#define SHIFT_AMOUNT(v, top) ((v) == UINT32_MAX ? (v) : (top) - (v))
ROW1(bfind_sh_u32, lane_u32, lane_u32, SHIFT_AMOUNT(find_msb(a[l]), 31))
ROW1(bfind_sh_u64, lane_u32, lane_u64, SHIFT_AMOUNT(find_msb(a[l]), 63))
ROW1(bfind_sh_s32, lane_u32, lane_s32, SHIFT_AMOUNT(find_msb((uint32_t)(a[l] < 0 ? ~a[l] : a[l])), 31))
ROW1(bfind_sh_s64, lane_u32, lane_s64, SHIFT_AMOUNT(find_msb((uint64_t)(a[l] < 0 ? ~a[l] : a[l])), 63))

/* Bit fields: position and length are the low 8 bits of their operands. Bits of the field above the operand's top are
 * its sign if signed (as is the field's own top bit, extended), else 0. */
static inline uint64_t low_bits(unsigned n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}
static inline uint64_t field_u(uint64_t v, unsigned pos, unsigned len)
{
	return pos >= 64 ? 0 : v >> pos & low_bits(len);
}
static inline uint64_t field_s(uint64_t v, unsigned pos, unsigned len, unsigned width)
{
	unsigned top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
	uint64_t field = field_u(v, pos, len);

	if (!len)
		return 0;
	return (v >> top & 1) ? field | ~low_bits(top >= pos ? top - pos + 1 : 0) : field;
}
ROW3(bfe_u32, lane_u32, lane_u32, lane_u32, lane_u32, field_u(a[l], b[l] & 255, c[l] & 255))
ROW3(bfe_u64, lane_u64, lane_u64, lane_u32, lane_u32, field_u(a[l], b[l] & 255, c[l] & 255))
ROW3(bfe_s32, lane_u32, lane_u32, lane_u32, lane_u32, field_s(a[l], b[l] & 255, c[l] & 255, 32))
ROW3(bfe_s64, lane_u64, lane_u64, lane_u32, lane_u32, field_s(a[l], b[l] & 255, c[l] & 255, 64))

static inline uint64_t insert(uint64_t field, uint64_t into, unsigned pos, unsigned len)
{
	uint64_t where = pos >= 64 ? 0 : low_bits(len) << pos;

	return (into & ~where) | (pos >= 64 ? 0 : field << pos & where);
}
#define BFI(bits, U)                                                                                                               \
	ROW_FN(bfi_##bits)                                                                                                         \
	{                                                                                                                          \
		U *d = dv;                                                                                                         \
		const U *a = av, *b = bv;                                                                                          \
		const lane_u32 *c = cv, *e = ev;                                                                                   \
		EACH_LANE(l) d[l] = (U)insert(a[l], b[l], c[l] & 255, e[l] & 255);                                                 \
	}
BFI(32, lane_u32)
BFI(64, lane_u64)

/* prmt: each of four selectors picks one of the eight bytes of b:a, or copies of its sign. */
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t out = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint32_t s = selectors >> 4 * i & 15, byte = (uint32_t)(bytes >> 8 * (s & 7)) & 255;

		out |= (s & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
	}
	return out;
}
/* The selector of byte i in prmt's named modes, from the low two bits of c. */
static inline uint32_t prmt_mode(const char *mode, uint32_t c)
{
	uint32_t at = (c & 3) * 4;

	return (uint32_t)mode[at] | (uint32_t)mode[at + 1] << 4 | (uint32_t)mode[at + 2] << 8 | (uint32_t)mode[at + 3] << 12;
}
ROW3(prmt_32, lane_u32, lane_u32, lane_u32, lane_u32, permute(a[l], b[l], c[l]))
#define PRMT_MODE(name, ...)                                                                                                       \
	static const char name##_bytes[16] = {__VA_ARGS__};                                                                        \
	ROW3(name, lane_u32, lane_u32, lane_u32, lane_u32, permute(a[l], b[l], prmt_mode(name##_bytes, c[l])))
PRMT_MODE(prmt_f4e, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6)
PRMT_MODE(prmt_b4e, 0, 7, 6, 5, 1, 0, 7, 6, 2, 1, 0, 7, 3, 2, 1, 0)
PRMT_MODE(prmt_rc8, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
PRMT_MODE(prmt_ecl, 0, 1, 2, 3, 1, 1, 2, 3, 2, 2, 2, 3, 3, 3, 3, 3)
PRMT_MODE(prmt_ecr, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 2, 2, 0, 1, 2, 3)
PRMT_MODE(prmt_rc16, 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3)

/* lop3: bit i of the table answers for a, b, c bits that spell i. */
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
	uint32_t out = 0;

	for (unsigned i = 0; i < 8; i++)
		if (table >> i & 1)
			out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return out;
}
ROW_FN(lop3_32)
{
	lane_u32 *d = dv;
	const lane_u32 *a = av, *b = bv, *c = cv, *e = ev;

	for (unsigned l = 0; l < LANES; l++)
		d[l] = lop3(a[l], b[l], c[l], e[l]);
}

/* Funnel shifts of b:a. */
#define FUNNEL(a, b) ((uint64_t)(b) << 32 | (a))
#define CLAMP32(c)   ((c) < 32 ? (c) : 32)
ROW3(shf_l_wrap, lane_u32, lane_u32, lane_u32, lane_u32, FUNNEL(a[l], b[l]) << (c[l] & 31) >> 32)
ROW3(shf_r_wrap, lane_u32, lane_u32, lane_u32, lane_u32, FUNNEL(a[l], b[l]) >> (c[l] & 31))
ROW3(shf_l_clamp, lane_u32, lane_u32, lane_u32, lane_u32, FUNNEL(a[l], b[l]) << CLAMP32(c[l]) >> 32)
ROW3(shf_r_clamp, lane_u32, lane_u32, lane_u32, lane_u32, FUNNEL(a[l], b[l]) >> CLAMP32(c[l]))

/* bmsk: b ones from bit a on. szext: the low b bits, extended. .clamp takes what is beyond 32 as 32 (of bmsk's
 * position: as nothing), .wrap the lowest five bits. */
static inline uint32_t ones(uint64_t at, uint64_t n)
{
	return at >= 32 ? 0 : (uint32_t)(low_bits(n < 32 ? (unsigned)n : 32) << at);
}
static inline uint32_t extend(uint32_t v, uint32_t n, int is_signed)
{
	uint32_t low = n >= 32 ? v : v & (uint32_t)low_bits(n);

	return is_signed && n && n < 32 && (v >> (n - 1) & 1) ? low | ~(uint32_t)low_bits(n) : low;
}
ROW2(bmsk_clamp, lane_u32, lane_u32, lane_u32, ones(a[l], b[l]))
ROW2(bmsk_wrap, lane_u32, lane_u32, lane_u32, ones(a[l] & 31, b[l] & 31))
ROW2(szext_clamp_u, lane_u32, lane_u32, lane_u32, extend(a[l], b[l], 0))
ROW2(szext_clamp_s, lane_u32, lane_u32, lane_u32, extend(a[l], b[l], 1))
ROW2(szext_wrap_u, lane_u32, lane_u32, lane_u32, extend(a[l], b[l] & 31, 0))
ROW2(szext_wrap_s, lane_u32, lane_u32, lane_u32, extend(a[l], b[l] & 31, 1))

/* fns: where the n-th set bit of the mask is, seen upwards from the base (n > 0), downwards (n < 0), or at it. */
static inline uint32_t find_nth(uint32_t mask, uint32_t base, int32_t n)
{
	int step = n < 0 ? -1 : 1;
	int64_t left = n < 0 ? -(int64_t)n : n;

	if (base > 31)
		return UINT32_MAX;
	if (!n)
		return mask >> base & 1 ? base : UINT32_MAX;
	for (int at = (int)base; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && !--left)
			return (uint32_t)at;
	return UINT32_MAX;
}
ROW_FN(fns_32)
{
	lane_u32 *d = dv;
	const lane_u32 *a = av, *b = bv;
	const lane_s32 *c = cv;

	(void)ev;
	for (unsigned l = 0; l < LANES; l++)
		d[l] = find_nth(a[l], b[l], c[l]);
}

/* clang-format off */
#define SELECTS(t, bits, n)                                                                                                        \
	{"slct." #t #bits ".s32", slct_##bits##_s, OP_INT_ADD, n, {n, n, 4}},                                                      \
	{"slct." #t #bits ".f32", slct_##bits##_f, OP_FP32_ADD, n, {n, n, 4}}
#define SIZED(bits, n)                                                                                                             \
	{"and.b" #bits, and_##bits, OP_INT_ADD, n, {n, n}}, {"or.b" #bits, or_##bits, OP_INT_ADD, n, {n, n}},                      \
	{"xor.b" #bits, xor_##bits, OP_INT_ADD, n, {n, n}}, {"not.b" #bits, not_##bits, OP_INT_ADD, n, {n}},                       \
	{"cnot.b" #bits, cnot_##bits, OP_INT_ADD, n, {n}}, {"shl.b" #bits, shl_##bits, OP_INT_ADD, n, {n, 4}},                     \
	{"shr.b" #bits, shr_u##bits, OP_INT_ADD, n, {n, 4}}, {"shr.u" #bits, shr_u##bits, OP_INT_ADD, n, {n, 4}},                  \
	{"shr.s" #bits, shr_s##bits, OP_INT_ADD, n, {n, 4}},                                                                       \
	{"mov.b" #bits, mov_##bits, OP_INT_ADD, n, {n}}, {"mov.u" #bits, mov_##bits, OP_INT_ADD, n, {n}},                          \
	{"mov.s" #bits, mov_##bits, OP_INT_ADD, n, {n}}, {"mov.f" #bits, mov_##bits, OP_INT_ADD, n, {n}},                          \
	{"selp.b" #bits, selp_##bits, OP_INT_ADD, n, {n, n, SIZE_PRED}},                                                           \
	{"selp.u" #bits, selp_##bits, OP_INT_ADD, n, {n, n, SIZE_PRED}},                                                           \
	{"selp.s" #bits, selp_##bits, OP_INT_ADD, n, {n, n, SIZE_PRED}},                                                           \
	{"selp.f" #bits, selp_##bits, OP_INT_ADD, n, {n, n, SIZE_PRED}},                                                           \
	SELECTS(b, bits, n), SELECTS(u, bits, n), SELECTS(s, bits, n), SELECTS(f, bits, n)

const struct alu_def alu_bits[] = {
	SIZED(16, 2), SIZED(32, 4), SIZED(64, 8),
	{"and.pred", and_pred, OP_INT_ADD, SIZE_PRED, {SIZE_PRED, SIZE_PRED}},
	{"or.pred", or_pred, OP_INT_ADD, SIZE_PRED, {SIZE_PRED, SIZE_PRED}},
	{"xor.pred", xor_pred, OP_INT_ADD, SIZE_PRED, {SIZE_PRED, SIZE_PRED}},
	{"not.pred", not_pred, OP_INT_ADD, SIZE_PRED, {SIZE_PRED}},
	{"mov.pred", mov_pred, OP_INT_ADD, SIZE_PRED, {SIZE_PRED}},
	{"brev.b32", brev_32, OP_INT_ADD, 4, {4}}, {"brev.b64", brev_64, OP_INT_ADD, 8, {8}},
	{"popc.b32", popc_32, OP_INT_ADD, 4, {4}}, {"popc.b64", popc_64, OP_INT_ADD, 4, {8}},
	{"clz.b32", clz_32, OP_INT_ADD, 4, {4}}, {"clz.b64", clz_64, OP_INT_ADD, 4, {8}},
	{"bfind.u32", bfind_u32, OP_INT_ADD, 4, {4}}, {"bfind.u64", bfind_u64, OP_INT_ADD, 4, {8}},
	{"bfind.s32", bfind_s32, OP_INT_ADD, 4, {4}}, {"bfind.s64", bfind_s64, OP_INT_ADD, 4, {8}},
	{"bfind.shiftamt.u32", bfind_sh_u32, OP_INT_ADD, 4, {4}}, {"bfind.shiftamt.u64", bfind_sh_u64, OP_INT_ADD, 4, {8}},
	{"bfind.shiftamt.s32", bfind_sh_s32, OP_INT_ADD, 4, {4}}, {"bfind.shiftamt.s64", bfind_sh_s64, OP_INT_ADD, 4, {8}},
	{"bfe.u32", bfe_u32, OP_INT_ADD, 4, {4, 4, 4}}, {"bfe.u64", bfe_u64, OP_INT_ADD, 8, {8, 4, 4}},
	{"bfe.s32", bfe_s32, OP_INT_ADD, 4, {4, 4, 4}}, {"bfe.s64", bfe_s64, OP_INT_ADD, 8, {8, 4, 4}},
	{"bfi.b32", bfi_32, OP_INT_ADD, 4, {4, 4, 4, 4}}, {"bfi.b64", bfi_64, OP_INT_ADD, 8, {8, 8, 4, 4}},
	{"prmt.b32", prmt_32, OP_INT_ADD, 4, {4, 4, 4}},
	{"prmt.b32.f4e", prmt_f4e, OP_INT_ADD, 4, {4, 4, 4}}, {"prmt.b32.b4e", prmt_b4e, OP_INT_ADD, 4, {4, 4, 4}},
	{"prmt.b32.rc8", prmt_rc8, OP_INT_ADD, 4, {4, 4, 4}}, {"prmt.b32.ecl", prmt_ecl, OP_INT_ADD, 4, {4, 4, 4}},
	{"prmt.b32.ecr", prmt_ecr, OP_INT_ADD, 4, {4, 4, 4}}, {"prmt.b32.rc16", prmt_rc16, OP_INT_ADD, 4, {4, 4, 4}},
	{"lop3.b32", lop3_32, OP_INT_ADD, 4, {4, 4, 4, 4}},
	{"shf.l.wrap.b32", shf_l_wrap, OP_INT_ADD, 4, {4, 4, 4}}, {"shf.r.wrap.b32", shf_r_wrap, OP_INT_ADD, 4, {4, 4, 4}},
	{"shf.l.clamp.b32", shf_l_clamp, OP_INT_ADD, 4, {4, 4, 4}}, {"shf.r.clamp.b32", shf_r_clamp, OP_INT_ADD, 4, {4, 4, 4}},
	{"bmsk.clamp.b32", bmsk_clamp, OP_INT_ADD, 4, {4, 4}}, {"bmsk.wrap.b32", bmsk_wrap, OP_INT_ADD, 4, {4, 4}},
	{"szext.clamp.u32", szext_clamp_u, OP_INT_ADD, 4, {4, 4}}, {"szext.clamp.s32", szext_clamp_s, OP_INT_ADD, 4, {4, 4}},
	{"szext.wrap.u32", szext_wrap_u, OP_INT_ADD, 4, {4, 4}}, {"szext.wrap.s32", szext_wrap_s, OP_INT_ADD, 4, {4, 4}},
	{"fns.b32", fns_32, OP_INT_ADD, 4, {4, 4, 4}},
	{0},
};

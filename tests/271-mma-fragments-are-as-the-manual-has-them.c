/* mma: a product of small matrices, whose elements are put into registers by the tables of the PTX ISA manual (9.0,
 * section 9.7.14.5, "Matrix Fragments for mma.m16n8k16 ..."), each written out here; products and sums are small
 * integers, which are exact in all formats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

struct at {
	unsigned row, col;
};
typedef struct at (*place)(unsigned group, unsigned t, unsigned i); /* laneid >> 2, laneid % 4, element */

#define PLACE(name, r, c)                                                                                                          \
	static struct at name(unsigned g, unsigned t, unsigned i)                                                                  \
	{                                                                                                                          \
		(void)g, (void)t, (void)i;                                                                                         \
		return (struct at){r, c};                                                                                          \
	}
/* .f16, .bf16 */
PLACE(a_16x8_half, i < 2 ? g : g + 8, t * 2 + (i & 1))
PLACE(b_8x8_half, t * 2 + i, g)
PLACE(a_16x16_half, i < 2 || (4 <= i && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8)
PLACE(b_16x8_half, i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g)
/* .tf32 and .f64 */
PLACE(a_16x4_word, i == 0 ? g : g + 8, t)
PLACE(b_4x8_word, t, g)
PLACE(a_16x8_word, i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4)
PLACE(b_8x8_word, i == 0 ? t : t + 4, g)
PLACE(a_16x16_f64, i % 2 == 0 ? g : g + 8, i / 2 * 4 + t)
PLACE(b_16x8_f64, i * 4 + t, g)
PLACE(a_8x4_f64, g, t)
/* .u8, .s8 and the floats of 8 bits */
PLACE(a_8x16_byte, g, t * 4 + i)
PLACE(b_16x8_byte, t * 4 + i, g)
PLACE(a_16x16_byte, i < 4 ? g : g + 8, t * 4 + (i & 3))
PLACE(a_16x32_byte, i < 4 || (i >= 8 && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16)
PLACE(b_32x8_byte, i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g)
/* .u4, .s4 */
PLACE(a_8x32_nibble, g, t * 8 + (i & 7))
PLACE(b_32x8_nibble, t * 8 + (i & 7), g)
PLACE(a_16x64_nibble, i < 8 || (16 <= i && i < 24) ? g : g + 8, i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32)
PLACE(b_64x8_nibble, i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32, g)
/* accumulators */
PLACE(c_16x8, i < 2 ? g : g + 8, t * 2 + (i & 1))
PLACE(c_8x8, g, t * 2 + i)

enum format { F16, BF16, F32, F64, E4M3, S8, U8, S4, U4, S32 };

/* An integer below 2048 as f16: sign, exponent from -15, 10 bits of 1.x */
static uint16_t half_of(int v)
{
	unsigned size = v < 0 ? (unsigned)-v : (unsigned)v, top = 31 - (unsigned)__builtin_clz(size | 1);

	return size ? (uint16_t)((v < 0 ? 0x8000 : 0) | (top + 15) << 10 | ((size << 10 >> top) & 1023)) : 0;
}

static uint64_t encode(enum format f, int v)
{
	static const uint8_t e4m3[] = {0, 0x38, 0x40, 0x44, 0x48}; /* 0 to 4: sign, exponent from -7, 3 bits */
	float single = (float)v;
	double d = v;
	uint32_t s;
	uint64_t bits;

	memcpy(&s, &single, sizeof s);
	memcpy(&bits, &d, sizeof bits);
	switch (f) {
	case F16:
		return half_of(v);
	case BF16:
		return s >> 16;
	case F32:
		return s;
	case F64:
		return bits;
	case E4M3:
		return e4m3[v < 0 ? -v : v] | (v < 0 ? 0x80u : 0);
	case S8:
	case U8:
		return (uint8_t)v;
	case S4:
	case U4:
		return v & 15;
	default:
		return (uint32_t)v;
	}
}

static unsigned width(enum format f)
{
	static const unsigned bits[] = {16, 16, 32, 64, 8, 8, 8, 4, 4, 32};

	return bits[f];
}

struct product {
	const char *opcode;
	unsigned m, k; /* n is 8 */
	enum format a, b, c;
	place at_a, at_b, at_c;
	unsigned n_a, n_b, n_c; /* registers */
};

static const struct product products[] = {
	{"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, F16, F16, F32, a_16x8_half, b_8x8_half, c_16x8, 2, 1, 4},
	{"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, F16, F16, F16, a_16x8_half, b_8x8_half, c_16x8, 2, 1, 2},
	{"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, F16, F16, F32, a_16x16_half, b_16x8_half, c_16x8, 4, 2, 4},
	{"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, F16, F16, F16, a_16x16_half, b_16x8_half, c_16x8, 4, 2, 2},
	{"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, BF16, BF16, F32, a_16x8_half, b_8x8_half, c_16x8, 2, 1, 4},
	{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, BF16, BF16, F32, a_16x16_half, b_16x8_half, c_16x8, 4, 2, 4},
	{"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, F32, F32, F32, a_16x4_word, b_4x8_word, c_16x8, 2, 1, 4},
	{"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, F32, F32, F32, a_16x8_word, b_8x8_word, c_16x8, 4, 2, 4},
	{"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, S8, S8, S32, a_8x16_byte, b_16x8_byte, c_8x8, 1, 1, 2},
	{"m16n8k16.row.col.s32.u8.s8.s32", 16, 16, U8, S8, S32, a_16x16_byte, b_16x8_byte, c_16x8, 2, 1, 4},
	{"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, S8, S8, S32, a_16x32_byte, b_32x8_byte, c_16x8, 4, 2, 4},
	{"m16n8k32.row.col.satfinite.s32.u8.u8.s32", 16, 32, U8, U8, S32, a_16x32_byte, b_32x8_byte, c_16x8, 4, 2, 4},
	{"m8n8k32.row.col.s32.s4.s4.s32", 8, 32, S4, S4, S32, a_8x32_nibble, b_32x8_nibble, c_8x8, 1, 1, 2},
	{"m16n8k64.row.col.s32.s4.u4.s32", 16, 64, S4, U4, S32, a_16x64_nibble, b_64x8_nibble, c_16x8, 4, 2, 4},
	{"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, E4M3, E4M3, F32, a_16x32_byte, b_32x8_byte, c_16x8, 4, 2, 4},
	{"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, F64, F64, F64, a_8x4_f64, b_4x8_word, c_8x8, 1, 1, 2},
	{"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, F64, F64, F64, a_16x8_word, b_8x8_word, c_16x8, 4, 2, 4},
	{"m16n8k16.row.col.f64.f64.f64.f64", 16, 16, F64, F64, F64, a_16x16_f64, b_16x8_f64, c_16x8, 8, 4, 4},
};

static int a_value(const struct product *p, unsigned row, unsigned col)
{
	int v = (int)((row * 7 + col * 3) % 9);

	return p->a == U8 || p->a == U4 ? v : v - 4;
}

static int b_value(const struct product *p, unsigned row, unsigned col)
{
	int v = (int)((row * 5 + col * 11) % 7);

	return p->b == U8 || p->b == U4 ? v : v - 3;
}

static int c_value(unsigned row, unsigned col)
{
	return (int)(row * 10 + col) - 60;
}

enum { SLOT = 8, LANE_WORDS = 4 * SLOT * 2 /* a, b, c of up to 8 registers of 64 bits */ };

static void put(uint32_t *words, enum format f, unsigned element, int v)
{
	uint64_t bits = encode(f, v);
	unsigned at = element * width(f);

	words[at / 32] |= (uint32_t)bits << at % 32;
	if (width(f) == 64)
		words[at / 32 + 1] = (uint32_t)(bits >> 32);
}

static void fill(const struct product *p, uint32_t in[32][LANE_WORDS])
{
	unsigned each_a = (p->a == F64 ? 64 : 32) / width(p->a), each_c = (p->c == F64 ? 64 : 32) / width(p->c);

	for (unsigned l = 0; l < 32; l++) {
		for (unsigned i = 0; i < p->n_a * each_a; i++) {
			struct at at = p->at_a(l / 4, l % 4, i);

			put(&in[l][0], p->a, i, a_value(p, at.row, at.col));
		}
		for (unsigned i = 0; i < p->n_b * each_a; i++) {
			struct at at = p->at_b(l / 4, l % 4, i);

			put(&in[l][2 * SLOT], p->b, i, b_value(p, at.row, at.col));
		}
		for (unsigned i = 0; i < p->n_c * each_c; i++) {
			struct at at = p->at_c(l / 4, l % 4, i);

			put(&in[l][4 * SLOT], p->c, i, c_value(at.row, at.col));
		}
	}
}

static size_t list(char *to, char name, unsigned n)
{
	size_t at = (size_t)sprintf(to, "{");

	for (unsigned k = 0; k < n; k++)
		at += (size_t)sprintf(to + at, "%s%%%c%u", k ? ", " : "", name, k);
	return at + (size_t)sprintf(to + at, "}");
}

/* Lanes take a, b and c from `in`, multiply, and put d at out + 64 * lane. */
static void write_body(const struct product *p, char *to)
{
	const char *type = p->a == F64 ? "f64" : "b32";
	unsigned bytes = p->a == F64 ? 8 : 4;
	const struct {
		char name;
		unsigned n, at;
	} part[] = {{'a', p->n_a, 0}, {'b', p->n_b, 2 * SLOT}, {'c', p->n_c, 4 * SLOT}};

	to += sprintf(to, ".reg .%s %%a<8>, %%b<8>, %%c<8>, %%d<8>;\nld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\n",
		      type);
	to += sprintf(to, "mov.u32 %%r1, %%laneid;\nmad.wide.u32 %%rd1, %%r1, %d, %%rd1;\nmad.wide.u32 %%rd2, %%r1, 64, %%rd2;\n",
		      LANE_WORDS * 4);
	for (int i = 0; i < 3; i++)
		for (unsigned k = 0; k < part[i].n; k++)
			to += sprintf(to, "ld.global.%s %%%c%u, [%%rd1+%u];\n", type, part[i].name, k, part[i].at * 4 + k * bytes);
	to += sprintf(to, "mma.sync.aligned.%s ", p->opcode);
	for (int i = 0; i < 4; i++) {
		to += list(
			to, "dabc" [i], (unsigned[]) { p->n_c, p->n_a, p->n_b, p->n_c }[i]);
		to += sprintf(to, i < 3 ? ", " : ";\n");
	}
	for (unsigned k = 0; k < p->n_c; k++)
		to += sprintf(to, "st.global.%s [%%rd2+%u], %%d%u;\n", type, k * bytes, k);
}

static uint64_t got(const struct product *p, const uint32_t *words, unsigned i)
{
	unsigned at = i * width(p->c);
	uint64_t v = words[at / 32] >> at % 32;

	if (width(p->c) == 64)
		return v | (uint64_t)words[at / 32 + 1] << 32;
	return width(p->c) == 16 ? v & 0xffff : v;
}

static void check(const struct product *p)
{
	static uint32_t in[32][LANE_WORDS];
	const uint32_t one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
	char body[4096];
	struct ptx_try t;

	memset(in, 0, sizeof in);
	fill(p, in);
	write_body(p, body);
	ptx_try_run(&t, "", body, one, block, in, sizeof in / 4, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned l = 0; l < 32; l++) {
		for (unsigned i = 0; i < p->n_c * (p->c == F64 ? 64 : 32) / width(p->c); i++) {
			struct at at = p->at_c(l / 4, l % 4, i);
			int want = c_value(at.row, at.col);

			for (unsigned k = 0; k < p->k; k++)
				want += a_value(p, at.row, k) * b_value(p, k, at.col);
			cr_assert_eq(got(p, ptx_try_out(&t) + l * 16, i), encode(p->c, want),
				     "%s: lane %u, element %u: %llx, want %d", p->opcode, l, i,
				     (unsigned long long)got(p, ptx_try_out(&t) + l * 16, i), want);
		}
	}
	ptx_try_free(&t);
}

Test(ptx_mma, each_shape_and_type_has_its_tables)
{
	for (unsigned i = 0; i < sizeof products / sizeof products[0]; i++)
		check(&products[i]);
}

/* One lane's a, b and c of m16n8k8 with f16 and of m8n8k16 with s8: the rest is zero. */
static uint32_t corner(const char *opcode, const char *values)
{
	char body[1024];
	struct ptx_try t;
	uint32_t d;

	snprintf(body, sizeof body,
		 "ld.param.u64 %%rd2, [out];\nmov.u32 %%r1, %%laneid;\nsetp.eq.u32 %%p1, %%r1, 0;\n%s"
		 "mma.sync.aligned.%s;\n@%%p1 st.global.b32 [%%rd2], %%r10;\n",
		 values, opcode);
	ptx_try_threads(&t, body, 32, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	d = ptx_try_out(&t)[0];
	ptx_try_free(&t);
	return d;
}

/* c = 2^24 and two products of 1: one by one they would be lost in a float; the sum is rounded once. And 2^24 + 1 is
 * a tie, which goes to the even 2^24. */
Test(ptx_mma, a_sum_is_rounded_once)
{
	static const char opcode[] =
		"m16n8k8.row.col.f32.f16.f16.f32 {%r10, %r11, %r12, %r13}, {%r2, %r3}, {%r4}, {%r5, %r6, %r6, %r6}";
	static const char zero[] = "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\nmov.u32 %r5, 0;\nmov.u32 %r6, 0;\n"
				   "@%p1 mov.b32 %r5, 0x4b800000;\n@%p1 mov.b32 %r4, 0x3c003c00;\n";
	char text[512];

	snprintf(text, sizeof text, "%s@%%p1 mov.b32 %%r2, 0x3c003c00;\n", zero);
	cr_assert_eq(corner(opcode, text), 0x4b800001); /* 2^24 + 2 */
	snprintf(text, sizeof text, "%s@%%p1 mov.b32 %%r2, 0x3c00;\n", zero);
	cr_assert_eq(corner(opcode, text), 0x4b800000);
}

/* 2^31 - 1 + 16 wraps, or stops with .satfinite. */
Test(ptx_mma, integers_wrap_or_saturate)
{
	static const char values[] = "mov.u32 %r2, 0x04040404;\nmov.u32 %r3, 0x01010101;\nmov.u32 %r5, 0x7fffffff;\n";

	cr_assert_eq(corner("m8n8k16.row.col.s32.s8.s8.s32 {%r10, %r11}, {%r2}, {%r3}, {%r5, %r5}", values), 0x7fffffff + 64u);
	cr_assert_eq(corner("m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%r10, %r11}, {%r2}, {%r3}, {%r5, %r5}", values), 0x7fffffff);
}

Test(ptx_mma, what_there_is_not_is_refused)
{
	static const char *const bodies[] = {
		"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r1,%r2}, {%r1,%r2}, "
		"{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8};\n",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2}, {%r1,%r2,%r3,%r4};\n",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, "
		"{%r1,%r2,%r3,%r4};\n",
		"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];\n"};

	for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct ptx_try t;

		ptx_try_threads(&t, bodies[i], 32, NULL, 0);
		cr_assert_eq(t.result, -1);
		cr_assert(strstr(t.e.text, "test.ptx:") && strstr(t.e.text, "is not supported"), "%s", t.e.text);
		ptx_try_free(&t);
	}
}

Test(ptx_mma, all_lanes_of_the_warp_take_part)
{
	struct ptx_try t;

	ptx_try_threads(&t, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};\n", 31, NULL, 0);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "all 32 lanes of a warp hold a matrix together, and only 31 are here"), "%s", t.e.text);
	ptx_try_free(&t);
}

/* ldmatrix, stmatrix and movmatrix by the manual's layout; wmma from memory to memory, against three loops. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

/* ---- 8 x 8 ---- */

/* Shared memory holds halves 0, 1, 2 ...; row r of matrix m is at 16 * (8 m + r). Lane l gets elements (l / 4,
 * 2 (l % 4)) and the next, or with .trans those of the transposed matrix (PTX ISA 9.0, section 9.7.14.5.15). */
#define FILL_SHARED                                                                                                                \
	".shared .align 16 .b8 s[512];\nmov.u32 %r1, %laneid;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 4;\nadd.u32 %r3, %r3, %r2;\n"    \
	"shl.b32 %r4, %r1, 3;\nmov.u32 %r5, 0;\nL: add.u32 %r6, %r4, %r5;\ncvt.u16.u32 %h1, %r6;\nshl.b32 %r7, %r5, 1;\n"          \
	"add.u32 %r7, %r7, %r3;\nst.shared.u16 [%r7], %h1;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 8;\n@%p1 bra L;\n"         \
	"bar.sync 0;\nld.param.u64 %rd2, [out];\nmad.wide.u32 %rd2, %r1, 16, %rd2;\n"

static void check_ldmatrix(const char *parts, const char *address, unsigned n, bool transposed)
{
	static const char *const regs[] = {"", "{%r10}", "{%r10, %r11}", "", "{%r10, %r11, %r12, %r13}"};
	char body[2048];
	struct ptx_try t;

	snprintf(body, sizeof body,
		 "%scvt.u64.u32 %%rd3, %%r3;\ncvta.shared.u64 %%rd4, %%rd3;\nldmatrix.sync.aligned.m8n8.%s %s, [%s];\n"
		 "st.global.v4.u32 [%%rd2], {%%r10, %%r11, %%r12, %%r13};\n",
		 FILL_SHARED, parts, regs[n], address);
	ptx_try_run(&t, "", body, one, warp, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned l = 0; l < 32; l++) {
		for (unsigned m = 0; m < n; m++) {
			unsigned row = l / 4, col = l % 4 * 2, first = m * 64 + row * 8 + col, next = first + 1;

			if (transposed) {
				first = m * 64 + col * 8 + row;
				next = m * 64 + (col + 1) * 8 + row;
			}
			cr_assert_eq(ptx_try_out(&t)[l * 4 + m], first | next << 16, "%s: lane %u matrix %u", parts, l, m);
		}
	}
	ptx_try_free(&t);
}

Test(ptx_matrix, ldmatrix_deals_rows_out)
{
	check_ldmatrix("x1.shared.b16", "%r3", 1, false);
	check_ldmatrix("x2.shared.b16", "%r3", 2, false);
	check_ldmatrix("x4.shared.b16", "%r3", 4, false);
	check_ldmatrix("x1.trans.shared.b16", "%r3", 1, true);
	check_ldmatrix("x4.trans.shared::cta.b16", "%r3", 4, true);
	check_ldmatrix("x4.b16", "%rd4", 4, false); /* generic */
}

/* Transposed on the way in and on the way out, or in registers, a matrix is what it was. */
Test(ptx_matrix, stmatrix_and_movmatrix_undo_it)
{
	static const char body[] = FILL_SHARED
		"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r3];\n"
		"movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r10;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r10};\n"
		"add.u32 %r14, %r3, 128;\nstmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r14], {%r11, %r12};\n"
		"bar.sync 0;\nld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r3];\n"
		"st.global.v4.u32 [%rd2], {%r10, %r11, %r12, %r13};\n";
	struct ptx_try t;

	ptx_try_run(&t, "", body, one, warp, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned i = 0; i < 128; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 2 * i | (2 * i + 1) << 16, "word %u", i);
	ptx_try_free(&t);
}

/* ---- wmma ---- */

enum format { F16, BF16, F32, F64, S8, U8, S32 };
static const unsigned bytes_of[] = {2, 2, 4, 8, 1, 1, 4};

/* An integer below 2048 as f16: sign, exponent from -15, 10 bits of 1.x */
static uint16_t half_of(int v)
{
	unsigned size = v < 0 ? (unsigned)-v : (unsigned)v, top = 31 - (unsigned)__builtin_clz(size | 1);

	return size ? (uint16_t)((v < 0 ? 0x8000 : 0) | (top + 15) << 10 | ((size << 10 >> top) & 1023)) : 0;
}

static int int_of(uint16_t half)
{
	int size = half & 0x7fff ? (int)ldexp(1024 + (half & 1023), (half >> 10 & 31) - 25) : 0;

	return half & 0x8000 ? -size : size;
}

static void put(uint8_t *to, enum format f, int v)
{
	uint16_t half = half_of(v);
	float single = (float)v;
	double d = v;
	uint32_t bits;

	memcpy(&bits, &single, sizeof bits);
	bits >>= 16;
	if (f == F16)
		memcpy(to, &half, 2);
	else if (f == BF16)
		memcpy(to, &bits, 2);
	else if (f == F32)
		memcpy(to, &single, 4);
	else if (f == F64)
		memcpy(to, &d, 8);
	else
		memcpy(to, &v, bytes_of[f]);
}

static int get(const uint8_t *from, enum format f)
{
	uint16_t half;
	float single;
	double d;
	int v;

	memcpy(&half, from, 2);
	memcpy(&single, from, 4);
	memcpy(&d, from, 8);
	memcpy(&v, from, 4);
	return f == F16 ? int_of(half) : f == F32 ? (int)single : f == F64 ? (int)d : v;
}

struct wmma {
	unsigned m, n, k;
	const char *a_type, *c_type; /* of loads */
	const char *mma;	     /* the types of wmma.mma */
	enum format a, c;
	unsigned n_a, n_b, n_c; /* registers */
};

static const struct wmma wmmas[] = {
	{16, 16, 16, "f16", "f32", "f32.f32", F16, F32, 8, 8, 8},
	{16, 16, 16, "f16", "f16", "f16.f16", F16, F16, 8, 8, 4},
	{32, 8, 16, "f16", "f32", "f32.f32", F16, F32, 8, 8, 8},
	{8, 32, 16, "f16", "f32", "f32.f32", F16, F32, 8, 8, 8},
	{16, 16, 16, "bf16", "f32", "f32.bf16.bf16.f32", BF16, F32, 4, 4, 8},
	{32, 8, 16, "bf16", "f32", "f32.bf16.bf16.f32", BF16, F32, 8, 2, 8},
	{8, 32, 16, "bf16", "f32", "f32.bf16.bf16.f32", BF16, F32, 2, 8, 8},
	{16, 16, 16, "s8", "s32", "s32.s8.s8.s32", S8, S32, 2, 2, 8},
	{32, 8, 16, "u8", "s32", "s32.u8.u8.s32", U8, S32, 4, 1, 8},
	{8, 32, 16, "s8", "s32", "s32.s8.s8.s32", S8, S32, 1, 4, 8},
	{16, 16, 8, "tf32", "f32", "f32.tf32.tf32.f32", F32, F32, 4, 4, 8},
	{8, 8, 4, "f64", "f64", "f64.f64.f64.f64", F64, F64, 1, 1, 2},
};

static size_t list(char *to, char name, unsigned n)
{
	size_t at = (size_t)sprintf(to, "{");

	for (unsigned k = 0; k < n; k++)
		at += (size_t)sprintf(to + at, "%s%%%c%u", k ? ", " : "", name, k);
	return at + (size_t)sprintf(to + at, "}");
}

/* a, b and c are at 0, 4096 and 8192 of `in`, with 16 elements between a row's or column's end and the next one. */
enum { B_AT = 4096, C_AT = 8192, GAP = 16 };

static unsigned stride(unsigned rows, unsigned cols, bool columns)
{
	return (columns ? rows : cols) + GAP;
}

static unsigned at(unsigned row, unsigned col, unsigned rows, unsigned cols, bool columns)
{
	return (columns ? col : row) * stride(rows, cols, columns) + (columns ? row : col);
}

static int element(char which, unsigned row, unsigned col, enum format f)
{
	int v = which == 'a'   ? (int)((row * 7 + col * 3) % 9)
		: which == 'b' ? (int)((row * 5 + col * 11) % 7)
			       : (int)(row + col * 9);

	return f == U8 ? v : v - 3;
}

static size_t write_load(const struct wmma *w, char *to, char which, bool columns, unsigned offset, const char *space)
{
	unsigned rows = which == 'b' ? w->k : w->m, cols = which == 'a' ? w->k : w->n;
	unsigned n = which == 'a' ? w->n_a : which == 'b' ? w->n_b : w->n_c;
	size_t p = (size_t)sprintf(to, "add.u64 %%rd5, %%rd1, %u;\nmov.u32 %%r2, %u;\nwmma.load.%c.sync.aligned.%s.m%un%uk%u%s.%s ",
				   offset, stride(rows, cols, columns), which, columns ? "col" : "row", w->m, w->n, w->k, space,
				   which == 'c' ? w->c_type : w->a_type);

	p += list(to + p, which, n);
	return p + (size_t)sprintf(to + p, ", [%%rd5], %%r2;\n");
}

static void write_body(const struct wmma *w, char *to, bool a_cols, bool b_cols, bool c_cols, const char *space)
{
	const char *sum = w->c == F64 ? "f64" : w->c == F32 ? "f32" : "b32";

	to += sprintf(to,
		      ".reg .%s %%a<8>, %%b<8>;\n.reg .%s %%c<8>, %%d<8>;\nld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\n",
		      w->a == F64 ? "f64" : "b32", sum);
	to += write_load(w, to, 'a', a_cols, 0, space);
	to += write_load(w, to, 'b', b_cols, B_AT, space);
	to += write_load(w, to, 'c', c_cols, C_AT, space);
	to += sprintf(to, "wmma.mma.sync.aligned.%s.%s.m%un%uk%u.%s ", a_cols ? "col" : "row", b_cols ? "col" : "row", w->m, w->n,
		      w->k, w->mma);
	for (int i = 0; i < 4; i++) {
		to += list(
			to, "dabc" [i], (unsigned[]) { w->n_c, w->n_a, w->n_b, w->n_c }[i]);
		to += sprintf(to, i < 3 ? ", " : ";\n");
	}
	to += sprintf(to, "wmma.store.d.sync.aligned.%s.m%un%uk%u%s.%s [%%rd2], ", c_cols ? "col" : "row", w->m, w->n, w->k, space,
		      w->c_type);
	to += list(to, 'd', w->n_c);
	sprintf(to, ", %u;\n", stride(w->m, w->n, c_cols));
}

static void fill(const struct wmma *w, uint8_t *in, bool a_cols, bool b_cols, bool c_cols)
{
	memset(in, 0xee, PTX_TRY_WORDS * 4);
	for (unsigned r = 0; r < w->m; r++)
		for (unsigned k = 0; k < w->k; k++)
			put(in + at(r, k, w->m, w->k, a_cols) * bytes_of[w->a], w->a, element('a', r, k, w->a));
	for (unsigned k = 0; k < w->k; k++)
		for (unsigned c = 0; c < w->n; c++)
			put(in + B_AT + at(k, c, w->k, w->n, b_cols) * bytes_of[w->a], w->a, element('b', k, c, w->a));
	for (unsigned r = 0; r < w->m; r++)
		for (unsigned c = 0; c < w->n; c++)
			put(in + C_AT + at(r, c, w->m, w->n, c_cols) * bytes_of[w->c], w->c, element('c', r, c, w->c));
}

static void check_wmma(const struct wmma *w, bool a_cols, bool b_cols, bool c_cols, const char *space)
{
	static uint32_t in[PTX_TRY_WORDS];
	char body[4096];
	struct ptx_try t;

	fill(w, (uint8_t *)in, a_cols, b_cols, c_cols);
	write_body(w, body, a_cols, b_cols, c_cols, space);
	ptx_try_run(&t, "", body, one, warp, in, PTX_TRY_WORDS, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned r = 0; r < w->m; r++) {
		for (unsigned c = 0; c < w->n; c++) {
			const uint8_t *d = (const uint8_t *)ptx_try_out(&t) + at(r, c, w->m, w->n, c_cols) * bytes_of[w->c];
			int want = element('c', r, c, w->c);

			for (unsigned k = 0; k < w->k; k++)
				want += element('a', r, k, w->a) * element('b', k, c, w->a);
			cr_assert_eq(get(d, w->c), want, "m%un%uk%u %s, %d%d%d: (%u, %u)", w->m, w->n, w->k, w->mma, a_cols, b_cols,
				     c_cols, r, c);
		}
	}
	ptx_try_free(&t);
}

Test(ptx_matrix, wmma_multiplies_all_shapes_types_and_layouts)
{
	for (unsigned i = 0; i < sizeof wmmas / sizeof wmmas[0]; i++)
		for (int layouts = 0; layouts < 8; layouts++)
			check_wmma(&wmmas[i], layouts & 1, layouts & 2, layouts & 4, layouts & 4 ? "" : ".global");
}

/* Elementwise work on a fragment is on all of it, whatever the layout: 2 (A) B = 2 (A B). */
Test(ptx_matrix, a_fragment_may_be_worked_on_register_by_register)
{
	static const char body[] =
		".shared .align 32 .b8 s[1024];\nmov.u32 %r1, %laneid;\nmov.u64 %rd1, s;\nmul.wide.u32 %rd2, %r1, 32;\n"
		"add.u64 %rd2, %rd2, %rd1;\nst.shared.v4.u32 [%rd2], {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};\n"
		"st.shared.v4.u32 [%rd2+16], {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};\nbar.sync 0;\n"
		"ld.param.u64 %rd3, [out];\n.reg .b32 %a<8>;\n.reg .f32 %c<8>;\nmov.f32 %f1, 0f00000000;\n"
		"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%rd1];\n"
		"add.rn.f16x2 %a0, %a0, %a0;\nadd.rn.f16x2 %a1, %a1, %a1;\nadd.rn.f16x2 %a2, %a2, %a2;\nadd.rn.f16x2 %a3, %a3, "
		"%a3;\n"
		"add.rn.f16x2 %a4, %a4, %a4;\nadd.rn.f16x2 %a5, %a5, %a5;\nadd.rn.f16x2 %a6, %a6, %a6;\nadd.rn.f16x2 %a7, %a7, "
		"%a7;\n"
		"wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, "
		"{%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, {%f1,%f1,%f1,%f1,%f1,%f1,%f1,%f1};\n"
		"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd3], {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7};\n";
	struct ptx_try t;
	float d;

	ptx_try_run(&t, "", body, one, warp, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned i = 0; i < 256; i++) {
		memcpy(&d, &ptx_try_out(&t)[i], sizeof d);
		cr_assert_eq(d, 64); /* 16 products of 2 and 2 */
	}
	ptx_try_free(&t);
}

/* The trace has an access for each 16 bytes of a lane's rows, and one of shared memory for ldmatrix. */
Test(ptx_matrix, accesses_are_traced_lane_by_lane)
{
	static const char body[] = ".shared .align 16 .b8 s[512];\nmov.u32 %r1, %laneid;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, "
				   "4;\nadd.u32 %r3, %r3, %r2;\n"
				   "ld.param.u64 %rd1, [in];\nldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r3];\n"
				   "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%rd1];\n";
	static const struct trace_options options = {.name = "test"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&options, &e);
	struct trace_cta c = {0};
	struct ptx_try t;
	struct trace *tr;
	uint64_t addr[2][32];

	ptx_try_run(&t, "", body, one, warp, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	tr = trace_writer_finish(w, &e);
	cr_assert_not_null(tr, "%s", e.text);
	cr_assert_eq(trace_read_cta(tr, 0, 0, &c, &e), 0, "%s", e.text);
	cr_assert_eq(c.warp[0].insts, 9); /* as written, wmma.load twice, and the end */
	cr_assert_eq(c.n_addrs, 3);
	trace_addr_expand(&c, 0, 0xffff, addr[0]);
	for (unsigned l = 0; l < 16; l++)
		cr_assert_eq(addr[0][l], 16 * l);
	for (unsigned part = 0; part < 2; part++) {
		trace_addr_expand(&c, 1 + part, UINT32_MAX, addr[1]);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(addr[1][l], t.in + 32 * l + 16 * part);
	}
	trace_cta_free(&c);
	trace_close(tr);
	ptx_try_free(&t);
}

/* CUDA through clang-14 at -O0, -O1 and -O3: structures by value, calls, local arrays, switches, narrow integers; the
 * answers are those of the same C compiled for the CPU that runs the test. Skipped where clang-14 is not installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"
#include "support/random.h"

static const char cuda[] =
	"#define D __attribute__((device)) __attribute__((noinline))\n"
	"#define G extern \"C\" __attribute__((global))\n"
	"#define I (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())\n"
	"struct P { double x; float y[3]; int n; };\n"
	"struct B { P a; unsigned char c; };\n"
	"D float poly(P p, int i) { float s = 0; for (int k = 0; k < 3; k++) s = s * i + p.y[k]; return s + (float)p.x; }\n"
	"D P make(int i) { P p; p.x = i * 0.5; p.y[0] = i; p.y[1] = 2; p.y[2] = 3; p.n = i; return p; }\n"
	"D void store(float *q, float v) { *q = v; }\n"
	"G void structs(float *o, B b, int n) { int i = I; P p = (i & 1) ? b.a : make(i); float t[8];\n"
	"  for (int k = 0; k < 8; k++) t[k] = poly(p, k + i);\n"
	"  store(&t[i & 7], -1.0f); float s = 0; for (int k = 0; k < 8; k++) s += t[(k * 3 + n) & 7]; store(o + i, s + b.c); }\n"
	"G void choose(int *o, const int *in) { int i = I, r; switch (in[i] & 7) { case 0: r = 5; break; case 1: r = i * i; "
	"break;\n"
	"  case 2: r = -i; break; case 3: r = in[0]; break; case 4: r = ~i; break; case 5: r = 7; break; default: r = 1; } o[i] = "
	"r; }\n"
	"G void narrow(unsigned short *h, long long *q, short *s, signed char *c) { int i = I; s[i] = s[i] / 3 * 5 >> 1; c[i] = "
	"c[i] % 7;\n"
	"  q[i] = q[i] / (s[i] | 1) + (long long)((unsigned long long)q[i] << (i & 63));\n"
	"  h[i] += __builtin_popcountll(q[i]) + __builtin_clzll(q[i] | 1) + __builtin_bswap32(i); }\n";

enum { N = 256 };

struct p {
	double x;
	float y[3];
	int n;
};
struct b {
	struct p a;
	unsigned char c;
};

struct device {
	struct ptx_module *m;
	struct memory mem;
	struct err e;
};

static void *buffer(struct device *d, const char *name, uint64_t bytes, uint64_t *addr)
{
	int i = memory_add(&d->mem, name, bytes, &d->e);

	cr_assert_geq(i, 0, "%s", d->e.text);
	*addr = d->mem.buffer[i].base;
	return d->mem.buffer[i].bytes;
}

static void launch(struct device *d, const char *kernel, const void *params)
{
	struct ptx_launch l = {{N / 64, 1, 1}, {64, 1, 1}, 0, params};
	const struct ptx_kernel *k = ptx_kernel_named(d->m, kernel);

	cr_assert_not_null(k, "%s", kernel);
	cr_assert_eq(ptx_run(k, &l, &d->mem, NULL, 0, &d->e), 0, "%s", d->e.text);
}

static float poly(const struct p *p, int i)
{
	float s = 0;

	for (int k = 0; k < 3; k++)
		s = fmaf(s, (float)i, p->y[k]);
	return s + (float)p->x;
}

static void check_structs(struct device *d)
{
	struct {
		uint64_t o;
		struct b b;
		int n;
	} params = {0, {{2.5, {1, 2, 3}, 4}, 200}, 5};
	float *o = buffer(d, "o", N * 4, &params.o);

	launch(d, "structs", &params);
	for (int i = 0; i < N; i++) {
		struct p made = {i * 0.5, {(float)i, 2, 3}, i};
		float t[8], s = 0;

		for (int k = 0; k < 8; k++)
			t[k] = poly(i & 1 ? &params.b.a : &made, k + i);
		t[i & 7] = -1;
		for (int k = 0; k < 8; k++)
			s += t[(k * 3 + 5) & 7];
		cr_assert_eq(o[i], s + 200, "element %d", i);
	}
}

static void check_choose(struct device *d)
{
	struct {
		uint64_t o, in;
	} params;
	int *o = buffer(d, "chosen", N * 4, &params.o), *in = buffer(d, "choice", N * 4, &params.in);

	for (int i = 0; i < N; i++)
		in[i] = i * 2654435 >> 3;
	launch(d, "choose", &params);
	for (int i = 0; i < N; i++) {
		const int want[] = {5, i * i, -i, in[0], ~i, 7, 1, 1};

		cr_assert_eq(o[i], want[in[i] & 7], "element %d", i);
	}
}

static void check_narrow(struct device *d)
{
	struct {
		uint64_t h, q, s, c;
	} params;
	uint16_t *h = buffer(d, "h", N * 2, &params.h), h0[N];
	int64_t *q = buffer(d, "q", N * 8, &params.q), q0[N];
	int16_t *s = buffer(d, "s", N * 2, &params.s), s0[N];
	int8_t *c = buffer(d, "c", N, &params.c), c0[N];
	uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		uint64_t x = random_u64(&seed);

		h[i] = h0[i] = (uint16_t)(x >> 40);
		s[i] = s0[i] = (int16_t)(x >> 20);
		c[i] = c0[i] = (int8_t)(x >> 50);
		q[i] = q0[i] = (int64_t)(x * 31);
	}
	launch(d, "narrow", &params);
	for (int i = 0; i < N; i++) {
		int16_t ws = (int16_t)(s0[i] / 3 * 5 >> 1);
		int64_t wq = (int64_t)((uint64_t)(q0[i] / (ws | 1)) + ((uint64_t)q0[i] << (i & 63)));
		uint16_t wh = (uint16_t)(h0[i] + (unsigned)__builtin_popcountll((uint64_t)wq) +
					 (unsigned)__builtin_clzll((uint64_t)wq | 1) + __builtin_bswap32((uint32_t)i));

		cr_assert(s[i] == ws && c[i] == c0[i] % 7 && q[i] == wq && h[i] == wh, "element %d", i);
	}
}

Test(ptx_clang, its_output_gives_the_answers_of_native_code)
{
	const char *dir = program_tmp();
	char path[4200], command[9000];
	FILE *f;

	if (system("clang-14 --version >/dev/null 2>&1") != 0)
		cr_skip_test("clang-14 is not installed");
	snprintf(path, sizeof path, "%s/k.cu", dir);
	f = fopen(path, "w");
	fputs(cuda, f);
	fclose(f);
	for (int run = 0; run < 6; run++) {
		static const int levels[] = {0, 1, 3};
		int level = levels[run / 2];
		struct device d = {0};

		snprintf(command, sizeof command,
			 "clang-14 -x cuda --cuda-gpu-arch=sm_60 --cuda-device-only -nocudainc -nocudalib -O%d -ffp-contract=fast "
			 "-S %s -o "
			 "%s/k.ptx 2>/dev/null",
			 level, path, dir);
		cr_assert_eq(system(command), 0, "%s", command);
		snprintf(command, sizeof command, "%s/k.ptx", dir);
		d.m = ptx_open_in(run % 2 ? PTX_ASSEMBLER_ORDER : PTX_TEXT_ORDER, command, &d.e);
		cr_assert_not_null(d.m, "%s", d.e.text);
		cr_assert_eq(ptx_bind(d.m, &d.mem, &d.e), 0);
		check_structs(&d);
		check_choose(&d);
		check_narrow(&d);
		ptx_close(d.m);
		memory_free(&d.mem);
	}
}

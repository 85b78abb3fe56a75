/* 292: the functions of the CUDA Math API, as `locus nvcc` compiles them and the executor runs them, against long
 * double.
 *
 * The bounds are those of the CUDA C++ Programming Guide, "Mathematical Functions": the largest difference, in units in
 * the last place, between a function's result and the correctly rounded one. References have 64 bits; where a reference
 * is conditioned badly, it is corrected to first order. Arguments are all exponents, the neighbourhood of the
 * functions' own corners, and what C and CUDA say of zeros, infinities and NaN. LOCUS_ULPS=FILE writes the table of
 * docs/reference/nvcc.md.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/random.h"
#include "workload/program.h"

typedef long double real;
enum { N = 1 << 14 };

/* ---- references that libm lacks ---- */

static const real half_root = 0.707106781186547524400844362104849039L;

static real rsqrt_of(real x)
{
	return 1 / sqrtl(x);
}
static real rcbrt_of(real x)
{
	return 1 / cbrtl(x);
}
/* Of an argument that is reduced exactly. */
static real sinpi_of(real x)
{
	real r = remainderl(x, 2), a = fabsl(r);

	if (a > 0.5L)
		a = 1 - a;
	return copysignl(a <= 0.25L ? sinl((real)M_PIl * a) : cosl((real)M_PIl * (0.5L - a)), r == 0 ? x : r);
}
static real cospi_of(real x)
{
	real a = fabsl(remainderl(x, 2));

	return a <= 0.25L ? cosl((real)M_PIl * a) : a >= 0.75L ? -cosl((real)M_PIl * (1 - a)) : sinl((real)M_PIl * (0.5L - a));
}
/* erfc at x + low, which is exact to first order. */
static real erfc_at(real x, real low)
{
	return erfcl(x) - low * 2 / sqrtl((real)M_PIl) * expl(-x * x);
}
static real normcdf_of(real x)
{
	real y = -x * half_root;

	return isfinite(x) ? erfc_at(y, fmal(-x, half_root, -y)) / 2 : erfcl(y) / 2;
}
/* exp(x^2) erfc(x): the product, with the rounding error of x^2, or the continued fraction. */
static real erfcx_of(real x)
{
	real y = x, square = x * x;

	if (x < 9)
		return square > 11000 ? INFINITY : expl(square) * (1 + fmal(x, x, -square)) * erfcl(x);
	for (int k = 200; k > 0; k--)
		y = x + 0.5L * k / y;
	return 1 / sqrtl((real)M_PIl) / y;
}
/* The x of which erfc(x) = p for p <= 1, by Newton's steps on log(erfc(x)). */
static real erfcinv_small(real p)
{
	real x = p > 0.5L ? 0 : sqrtl(-logl(p));

	for (int i = 0; i < 60; i++) {
		real y = erfcl(x);

		x += y * logl(y / p) / (2 / sqrtl((real)M_PIl) * expl(-x * x));
	}
	return x;
}
static real erfcinv_of(real p)
{
	if (!(p >= 0 && p <= 2))
		return NAN;
	if (p == 0 || p == 2)
		return p == 0 ? INFINITY : -INFINITY;
	return p <= 1 ? erfcinv_small(p) : -erfcinv_small(2 - p);
}
/* The x of which erf(x) = p: near zero erf, elsewhere erfc is the better conditioned. */
static real erfinv_of(real p)
{
	real a = fabsl(p), x = a * sqrtl((real)M_PIl) / 2;

	if (!(a <= 1) || a == 1)
		return a == 1 ? copysignl(INFINITY, p) : NAN;
	if (a > 0.5L)
		return copysignl(erfcinv_small(1 - a), p);
	for (int i = 0; i < 30 && a > 0x1p-60L; i++)
		x -= (erfl(x) - a) / (2 / sqrtl((real)M_PIl) * expl(-x * x));
	return copysignl(x, p);
}
static real normcdfinv_of(real p)
{
	if (!(p >= 0 && p <= 1))
		return NAN;
	return p <= 0.5L ? -erfcinv_of(2 * p) / half_root : erfcinv_of(2 * (1 - p)) / half_root;
}
static real norm_of(const real *a, int n)
{
	real sum = 0;

	for (int i = 0; i < n; i++) {
		if (isinf(a[i]))
			return INFINITY;
		sum += a[i] * a[i];
	}
	return sqrtl(sum);
}
static real norm3d_of(const real *a)
{
	return norm_of(a, 3);
}
static real rnorm3d_of(const real *a)
{
	return 1 / norm_of(a, 3);
}
static real norm4d_of(const real *a)
{
	return norm_of(a, 4);
}
static real rnorm4d_of(const real *a)
{
	return 1 / norm_of(a, 4);
}
static real rhypot_of(const real *a)
{
	return 1 / norm_of(a, 2);
}
static real ldexp_of(real x, real n)
{
	return ldexpl(x, (int)fminl(fmaxl(n, -3000), 3000));
}

/* ---- the functions and their bounds ---- */

/* Bounds -1: CUDA states none for that type. */
struct function {
	const char *name;
	int arguments;
	real (*one)(real);
	real (*two)(real, real);
	real (*more)(const real *);
	int float_bound, double_bound;
};

/* clang-format off */
static const struct function functions[] = {
	{"acos", 1, acosl, 0, 0, 2, 2},
	{"acosh", 1, acoshl, 0, 0, 4, 3},
	{"asin", 1, asinl, 0, 0, 2, 2},
	{"asinh", 1, asinhl, 0, 0, 3, 3},
	{"atan", 1, atanl, 0, 0, 2, 2},
	{"atanh", 1, atanhl, 0, 0, 3, 2},
	{"cbrt", 1, cbrtl, 0, 0, 1, 1},
	{"ceil", 1, ceill, 0, 0, 0, 0},
	{"cos", 1, cosl, 0, 0, 2, 2},
	{"cosh", 1, coshl, 0, 0, 2, 1},
	{"cospi", 1, cospi_of, 0, 0, 2, 2},
	{"erf", 1, erfl, 0, 0, 2, 2},
	{"erfc", 1, erfcl, 0, 0, 4, 5},
	{"erfcinv", 1, erfcinv_of, 0, 0, 2, 6},
	{"erfcx", 1, erfcx_of, 0, 0, 4, 4},
	{"erfinv", 1, erfinv_of, 0, 0, 2, 5},
	{"exp", 1, expl, 0, 0, 2, 1},
	{"exp10", 1, exp10l, 0, 0, 2, 1},
	{"exp2", 1, exp2l, 0, 0, 2, 1},
	{"expm1", 1, expm1l, 0, 0, 1, 1},
	{"fabs", 1, fabsl, 0, 0, 0, 0},
	{"floor", 1, floorl, 0, 0, 0, 0},
	{"lgamma", 1, lgammal, 0, 0, 6, 4},
	{"log", 1, logl, 0, 0, 1, 1},
	{"log10", 1, log10l, 0, 0, 2, 1},
	{"log1p", 1, log1pl, 0, 0, 1, 1},
	{"log2", 1, log2l, 0, 0, 1, 1},
	{"logb", 1, logbl, 0, 0, 0, 0},
	{"normcdf", 1, normcdf_of, 0, 0, 5, 5},
	{"normcdfinv", 1, normcdfinv_of, 0, 0, 5, 8},
	{"rcbrt", 1, rcbrt_of, 0, 0, 1, 1},
	{"rint", 1, rintl, 0, 0, 0, 0},
	{"round", 1, roundl, 0, 0, 0, 0},
	{"rsqrt", 1, rsqrt_of, 0, 0, 2, 1},
	{"sin", 1, sinl, 0, 0, 2, 2},
	{"sinh", 1, sinhl, 0, 0, 3, 2},
	{"sinpi", 1, sinpi_of, 0, 0, 2, 2},
	{"sqrt", 1, sqrtl, 0, 0, 0, 0},
	{"tan", 1, tanl, 0, 0, 4, 2},
	{"tanh", 1, tanhl, 0, 0, 2, 1},
	{"tgamma", 1, tgammal, 0, 0, 11, 8},
	{"trunc", 1, truncl, 0, 0, 0, 0},
	{"atan2", 2, 0, atan2l, 0, 3, 2},
	{"copysign", 2, 0, copysignl, 0, 0, 0},
	{"fdim", 2, 0, fdiml, 0, 0, 0},
	{"fmax", 2, 0, fmaxl, 0, 0, 0},
	{"fmin", 2, 0, fminl, 0, 0, 0},
	{"fmod", 2, 0, fmodl, 0, 0, 0},
	{"hypot", 2, 0, hypotl, 0, 3, 2},
	{"ldexp", 2, 0, ldexp_of, 0, 0, 0},
	{"pow", 2, 0, powl, 0, 8, 2},
	{"remainder", 2, 0, remainderl, 0, 0, 0},
	{"rhypot", 2, 0, 0, rhypot_of, 2, 1},
	{"norm3d", 3, 0, 0, norm3d_of, 3, 2},
	{"rnorm3d", 3, 0, 0, rnorm3d_of, 2, 1},
	{"norm4d", 4, 0, 0, norm4d_of, 3, 2},
	{"rnorm4d", 4, 0, 0, rnorm4d_of, 2, 1},
	{"__frsqrt_rn", 1, rsqrt_of, 0, 0, 0, -1},
};
/* clang-format on */
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

static real reference(const struct function *f, const real *a)
{
	return f->one ? f->one(a[0]) : f->two ? f->two(a[0], a[1]) : f->more(a);
}

/* ---- numbers of both types ---- */

struct kind {
	bool wide;
	unsigned bytes, exponents, mantissa;
};
static const struct kind of_float = {false, 4, 255, 23}, of_double = {true, 8, 2047, 52};

static real number_at(const struct kind *k, const void *p, unsigned i)
{
	return k->wide ? (real)((const double *)p)[i] : (real)((const float *)p)[i];
}

/* The bits, in the order of the numbers that they are. */
static int64_t order(const struct kind *k, real x)
{
	double d = (double)x;
	float f = (float)x;
	int64_t b;
	int32_t s;

	memcpy(&b, &d, sizeof b);
	memcpy(&s, &f, sizeof s);
	if (!k->wide)
		b = (int64_t)s;
	return b >= 0 ? b : (k->wide ? INT64_MIN : (int64_t)INT32_MIN) - b;
}

/* Between the result and the correctly rounded reference; 1e9: one of them is no number. */
static real ulps(const struct kind *k, real got, real want)
{
	real rounded = k->wide ? (real)(double)want : (real)(float)want;

	if (isnan(got) || isnan(rounded))
		return isnan(got) && isnan(rounded) ? 0 : 1e9;
	return fabsl((real)order(k, got) - (real)order(k, rounded));
}

static void put(const struct kind *k, void *p, unsigned i, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;

	if (k->wide)
		memcpy((double *)p + i, &bits, sizeof bits);
	else
		memcpy((float *)p + i, &low, sizeof low);
}

/* Pairs of special values, then numbers about as large as those that programs use, between them every exponent with
 * random mantissas. */
static void fill(const struct kind *k, void *p, unsigned argument)
{
	static const double special[] = {0.0,	    -0.0,     INFINITY, -INFINITY, NAN,	 1.0,	 -1.0,	0.5,	-0.5,  2.0,
					 -2.0,	    3.0,      -3.0,	0.25,	   1.5,	 2.5,	 -2.5,	1e-300, 1e-40, 0x1p-149,
					 -0x1p-149, 0x1p-126, 3.4e38,	-3.4e38,   88.7, -103.9, 709.7, -745.1, 128,   -149};
	static const double width[] = {2, 8, 60, 1500};
	enum { N_SPECIAL = sizeof special / sizeof special[0] };
	uint64_t state = 292 + argument;

	for (unsigned i = 0; i < N; i++) {
		uint64_t x = random_u64(&state), sign = x & 1, mantissa = x >> 3 & ((UINT64_C(1) << k->mantissa) - 1);
		double usual = ((double)(x >> 11) * 0x1p-53 - 0.5) * width[i / 2 % 4];
		double v = i < N_SPECIAL * N_SPECIAL ? special[argument % 2 ? i % N_SPECIAL : i / N_SPECIAL] : usual;
		float narrow = (float)v;
		uint64_t bits = 0;

		if (k->wide)
			memcpy(&bits, &v, sizeof v);
		else
			memcpy(&bits, &narrow, sizeof narrow);
		if (i >= N_SPECIAL * N_SPECIAL && i % 2)
			bits = sign << (8 * k->bytes - 1) | (uint64_t)((i / 2 + argument * 7) % k->exponents) << k->mantissa |
			       mantissa;
		put(k, p, i, bits);
	}
}

/* ---- the test ---- */

static struct host *h;
static uint64_t in, out;

/* "no bound is given" where the result is near a zero of the function. */
static bool excepted(const struct kind *k, const struct function *f, real x)
{
	return !strcmp(f->name, "lgamma") && (k->wide ? x > -23.0001L && x < -2.2637L : x > -10.001L && x < -2.264L);
}

static void launch(const struct kind *k, const struct function *f)
{
	char kernel[40];
	struct err e = {""};
	const struct host_arg args[] = {host_u64(out), host_u64(in), host_u32(N)};
	bool exact_name = f->name[0] == '_';

	snprintf(kernel, sizeof kernel, "k_%s%s", f->name, k->wide || exact_name ? "" : "f");
	cr_assert_eq(host_launch(h, kernel, (struct host_dim){N / 256, 1, 1}, (struct host_dim){256, 1, 1}, 0, 3, args, &e), 0,
		     "%s", e.text);
}

struct worst {
	real ulps, a[4], got, want;
};

static struct worst measure(const struct kind *k, const struct function *f)
{
	struct worst w = {-1, {0}, 0, 0};
	const void *given, *made;

	launch(k, f);
	given = host_bytes(h, in, 4ULL * N * k->bytes);
	made = host_bytes(h, out, (uint64_t)N * k->bytes);
	for (unsigned i = 0; i < N; i++) {
		real a[4], want, got = number_at(k, made, i);
		real d;

		for (unsigned j = 0; j < 4; j++)
			a[j] = number_at(k, given, j * N + i);
		want = reference(f, a);
		d = ulps(k, got, want);
		if (d > w.ulps && !excepted(k, f, a[0]))
			w = (struct worst){d, {a[0], a[1], a[2], a[3]}, got, want};
	}
	return w;
}

static void judge(const struct kind *k, FILE *table)
{
	in = host_alloc(h, "in", 4ULL * N * k->bytes, NULL);
	out = host_alloc(h, "out", (uint64_t)N * k->bytes, NULL);
	for (unsigned j = 0; j < 4; j++)
		fill(k, (char *)host_bytes(h, in, 4ULL * N * k->bytes) + (size_t)j * N * k->bytes, j);
	for (unsigned i = 0; i < N_FUNCTIONS; i++) {
		const struct function *f = &functions[i];
		int bound = k->wide ? f->double_bound : f->float_bound;
		struct worst w;

		if (bound < 0)
			continue;
		w = measure(k, f);
		cr_expect(w.ulps <= bound, "%s%s: %Lg ulps, the bound is %d: of %.20Lg %.20Lg: %.20Lg, and not %.20Lg", f->name,
			  k->wide ? "" : "f", w.ulps, bound, w.a[0], w.a[1], w.got, w.want);
		if (table)
			fprintf(table, "%s %s %Lg %d\n", f->name, k->wide ? "double" : "float", w.ulps, bound);
	}
}

static void begin(void)
{
	struct program p = program_run("locus nvcc -arch=sm_80 -ptx tests/cuda/math.cu -o %s/math.ptx", program_tmp());
	struct host_options o = {0};
	struct err e = {""};
	char path[4200];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/math.ptx", program_tmp());
	o.ptx_path = path;
	h = host_new(&o, &e);
	cr_assert(h, "%s", e.text);
	cr_assert_eq(host_args_done(h, &e), 0);
}

Test(math_functions, floats_keep_their_bounds, .init = begin)
{
	const char *path = getenv("LOCUS_ULPS");
	FILE *table = path ? fopen(path, "a") : NULL;

	judge(&of_float, table);
	if (table)
		fclose(table);
	host_free(h);
}

Test(math_functions, doubles_keep_their_bounds, .init = begin)
{
	const char *path = getenv("LOCUS_ULPS");
	FILE *table = path ? fopen(path, "a") : NULL;

	judge(&of_double, table);
	if (table)
		fclose(table);
	host_free(h);
}

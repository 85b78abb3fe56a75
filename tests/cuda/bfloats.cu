/* cuda_bf16.h on both sides: conversions of all kinds, and arithmetic of one and of two, against numbers that the host
 * rounds to 8 bits another way, by scaling them to integers in long double. */
#include <climits>
#include <cmath>
#include <cuda_bf16.h>

#include "check.h"

enum { VALUES = 4096, OTHERS = 8, RESULTS = 7, MODES = 4 };
typedef __nv_bfloat16 bf;

static float other(int i)
{
	static const float are[OTHERS] = {1, -3, 0.328125f, 1e30f, -1e-30f, 0x1p-133f, 255, -0.0f};

	return are[i];
}

/* A value of 8 bits of significand: to nearest, towards 0, down, up. */
static float rounded(long double x, int mode)
{
	long double (*const to_integer[MODES])(long double) = {nearbyintl, truncl, floorl, ceill};
	int e;
	long double scaled, r;

	if (x == 0 || std::isnan(x) || std::isinf(x))
		return (float)x;
	frexpl(x, &e);
	e = e < -125 ? -125 : e;
	scaled = to_integer[mode](ldexpl(x, 8 - e));
	r = ldexpl(scaled, e - 8);
	if (fabsl(r) > 0x1.fep127L)
		return mode == 0 || (mode == 2 && x < 0) || (mode == 3 && x > 0) ? copysignf(INFINITY, (float)x)
										 : copysignf(0x1.fep127f, (float)x);
	return (float)r;
}

static bool same(float a, float b)
{
	return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/* a + b; what does not fit long double leaves a trace in its last place, so that a tie is none. */
static long double sum(long double a, long double b)
{
	long double s = a + b, large = fabsl(a) > fabsl(b) ? a : b, rest = (fabsl(a) > fabsl(b) ? b : a) - (s - large);

	return rest > 0 ? nextafterl(s, INFINITY) : rest < 0 ? nextafterl(s, -INFINITY) : s;
}

/* ---- arithmetic ---- */

__host__ __device__ void of_one(bf a, bf b, bf *out)
{
	out[0] = a + b;
	out[1] = a - b;
	out[2] = a * b;
	out[3] = a / b;
	out[4] = __hmin(a, b);
	out[5] = __hmax(a, b);
	out[6] = __hfma(a, b, b);
}
__host__ __device__ void of_two(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 *out)
{
	out[0] = __hadd2(a, b);
	out[1] = __hsub2(a, b);
	out[2] = __hmul2(a, b);
	out[3] = __h2div(a, b);
	out[4] = __hmin2(a, b);
	out[5] = __hmax2(a, b);
	out[6] = __hfma2(a, b, b);
}
__global__ void arithmetic(const bf *a, const bf *b, bf *one, __nv_bfloat162 *two)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	of_one(a[i], b[i], one + i * RESULTS);
	of_two(__halves2bfloat162(a[i], b[i]), __bfloat162bfloat162(b[i]), two + i * RESULTS);
}

static long is_wrong(const bf *got, float a, float b)
{
	long double wa = a, wb = b;
	float low = std::isnan(a) ? b : std::isnan(b) ? a : a < b || (a == b && std::signbit(a)) ? a : b;
	float high = std::isnan(a) ? b : std::isnan(b) ? a : low == a && std::signbit(low) == std::signbit(a) ? b : a;
	float want[RESULTS] = {
		rounded(sum(wa, wb), 0),     rounded(sum(wa, -wb), 0), rounded(wa * wb, 0), rounded(wa / wb, 0), low, high,
		rounded(sum(wa * wb, wb), 0)};
	long wrong = 0;

	for (int i = 0; i < RESULTS; i++)
		wrong += !same(got[i], want[i]);
	return wrong;
}

static long try_arithmetic()
{
	bf *a, *b, *one, here[RESULTS];
	__nv_bfloat162 *two;
	long wrong = 0;

	CHECK(cudaMallocManaged(&a, VALUES * sizeof *a));
	CHECK(cudaMallocManaged(&b, VALUES * sizeof *b));
	CHECK(cudaMallocManaged(&one, VALUES * RESULTS * sizeof *one));
	CHECK(cudaMallocManaged(&two, VALUES * RESULTS * sizeof *two));
	for (int i = 0; i < VALUES; i++) {
		a[i] = __ushort_as_bfloat16((unsigned short)(i * 40503u >> 1));
		b[i] = other(i % OTHERS);
	}
	arithmetic<<<VALUES / 128, 128>>>(a, b, one, two);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < VALUES; i++) {
		bf low[RESULTS];

		of_one(a[i], b[i], here);
		for (int r = 0; r < RESULTS; r++)
			low[r] = two[i * RESULTS + r].x;
		wrong += is_wrong(here, a[i], b[i]) + is_wrong(one + i * RESULTS, a[i], b[i]) + is_wrong(low, a[i], b[i]);
	}
	return wrong;
}

/* ---- conversions ---- */

__host__ __device__ void convert(double d, bf *out)
{
	float f = (float)d;

	out[0] = __float2bfloat16(f);
	out[1] = __float2bfloat16_rz(f);
	out[2] = __float2bfloat16_rd(f);
	out[3] = __float2bfloat16_ru(f);
	out[4] = __double2bfloat16(d);
}
__host__ __device__ void convert(long long v, bf *out)
{
	out[0] = __ll2bfloat16_rn(v);
	out[1] = __ll2bfloat16_rz(v);
	out[2] = __ll2bfloat16_rd(v);
	out[3] = __ll2bfloat16_ru(v);
	out[4] = __int2bfloat16_rn((int)v);
}
template <class T> __global__ void conversions(const T *from, bf *to)
{
	convert(from[threadIdx.x], to + threadIdx.x * (MODES + 1));
}
__global__ void to_integers(const bf *from, int *to)
{
	to[0] = __bfloat162int_rn(from[0]);
	to[1] = __bfloat162int_rz(from[0]);
	to[2] = __bfloat162int_rd(from[0]);
	to[3] = __bfloat162int_ru(from[0]);
	to[4] = __hgt(from[0], from[1]) + 2 * __hisnan(from[0]) + 4 * (from[0] == from[0]);
	to[5] = (int)__bfloat162float(hexp2(from[1]));
}

static const double floats[] = {0.1,	     -0.1,     1 + 0x1p-8,  1 + 3 * 0x1p-8, 1 + 0x1p-8 + 0x1p-23, 0x1.fffffep127,
				-0x1.ffp127, 0x1p-134, -0x1.8p-134, 0x1p-149,	    0x1p-126 - 0x1p-140,  INFINITY,
				NAN,	     -0.0,     1e-300,	    0x1.ff8p-127};
static const long long integers[] = {0,
				     1,
				     -257,
				     258,
				     259,
				     -65535,
				     16777217,
				     INT_MAX,
				     -1,
				     12345,
				     1LL << 62,
				     LLONG_MAX,
				     LLONG_MIN,
				     (0x81LL << 55) + 1,
				     0x81LL << 55,
				     -((0x101LL << 54) + 1)};

/* last: what the fifth conversion is of. */
static long is_wrong(const bf *got, long double x, long double last)
{
	long wrong = 0;

	for (int mode = 0; mode < MODES; mode++)
		wrong += !same(got[mode], rounded(x, mode));
	return wrong + !same(got[MODES], rounded(last, 0));
}
static long is_wrong(const bf *got, double d)
{
	return is_wrong(got, (long double)(float)d, (long double)d);
}
static long is_wrong(const bf *got, long long v)
{
	return is_wrong(got, (long double)v, (long double)(int)v);
}

template <class T, int n> static long try_conversions(const T (&from)[n])
{
	T *on_device;
	bf *to, here[MODES + 1];
	long wrong = 0;

	CHECK(cudaMallocManaged(&on_device, sizeof from));
	CHECK(cudaMallocManaged(&to, n * (MODES + 1) * sizeof *to));
	CHECK(cudaMemcpy(on_device, from, sizeof from, cudaMemcpyHostToDevice));
	conversions<<<1, n>>>(on_device, to);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		convert(from[i], here);
		wrong += is_wrong(here, from[i]) + is_wrong(to + i * (MODES + 1), from[i]);
	}
	return wrong;
}

static long try_integers()
{
	bf *from;
	int *to;

	CHECK(cudaMallocManaged(&from, 2 * sizeof *from));
	CHECK(cudaMallocManaged(&to, 6 * sizeof *to));
	from[0] = -2.5f;
	from[1] = 10.0f;
	to_integers<<<1, 1>>>(from, to);
	CHECK(cudaDeviceSynchronize());
	return (to[0] != -2) + (to[1] != -2) + (to[2] != -3) + (to[3] != -2) + (to[4] != 4) + (to[5] != 1024);
}

/* 259 = 7 * 37 and 261 = 9 * 29 are ties, of which the even neighbours are 260; the least addend decides otherwise,
 * though it is beyond the bits of a double. */
__host__ __device__ void tie(bf *out)
{
	bf least = __ushort_as_bfloat16(1), minus = __ushort_as_bfloat16(0x8001);

	out[0] = __hfma(bf(7), bf(37), bf(0));
	out[1] = __hfma(bf(7), bf(37), minus);
	out[2] = __hfma(bf(9), bf(29), bf(0));
	out[3] = __hfma(bf(9), bf(29), least);
	out[4] = __hfma_sat(bf(9), bf(29), least);
	out[5] = __hfma_relu(bf(-9), bf(29), least);
}
__global__ void ties(bf *out)
{
	tie(out);
}
static long try_ties()
{
	static const float want[] = {260, 258, 260, 262, 1, 0};
	bf here[6], *out;
	long wrong = 0;

	CHECK(cudaMallocManaged(&out, sizeof here));
	ties<<<1, 1>>>(out);
	CHECK(cudaDeviceSynchronize());
	tie(here);
	for (int i = 0; i < 6; i++)
		wrong += ((float)here[i] != want[i]) + ((float)out[i] != want[i]);
	return wrong;
}

int main()
{
	return verdict("bfloats",
		       try_arithmetic() + try_conversions(floats) + try_conversions(integers) + try_integers() + try_ties());
}

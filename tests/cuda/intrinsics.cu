/* Intrinsics of each kind, a result each; tests/294 says what the programming guide and the Math API give. */
#include <cassert>
#include <climits>
#include <cuda_fp16.h>

__constant__ unsigned table[4] = {10, 20, 30, 40};
__device__ int counter = 5;

extern "C" __global__ void bits(unsigned *o)
{
	unsigned a = table[0] - 10; /* 0, which the compiler does not know */

	*o++ = __popc(a + 0xf0f0u);
	*o++ = __popcll(a + 0xffff0000ffffull);
	*o++ = __clz(a + 1);
	*o++ = __clz(a);
	*o++ = __clzll(a + 1ll);
	*o++ = __ffs(a + 0x100);
	*o++ = __ffs(a);
	*o++ = __ffsll(a + (1ll << 40));
	*o++ = __brev(a + 1);
	*o++ = (unsigned)(__brevll(a + 1) >> 32);
	*o++ = __byte_perm(a + 0x33221100, 0x77665544, 0x0246);
	*o++ = __funnelshift_l(a + 0x80000001, 2, 4);
	*o++ = __funnelshift_r(a + 0x80000001, 2, 4);
	*o++ = __umulhi(a + 0x80000000u, 6);
	*o++ = (unsigned)__mulhi((int)a - 2, 3);
	*o++ = (unsigned)(__umul64hi(a + (1ull << 63), 6));
	*o++ = __umul24(a + 0x1000003, 5);
	*o++ = (unsigned)__mul24((int)a - 3, 5);
	*o++ = __usad(a + 3, 10, 100);
	*o++ = (unsigned)__sad((int)a - 3, 10, 100);
	*o++ = (unsigned)__hadd((int)a - 3, -4);
	*o++ = (unsigned)__rhadd((int)a - 3, -4);
	*o++ = __uhadd(a + UINT_MAX, UINT_MAX - 2);
	*o++ = __vadd4(a + 0x01ff7f80, 0x01010101);
	*o++ = __vabsdiffu4(a + 0x01ff7f80, 0x0201807f);
	*o++ = __vmaxs2(a + 0xffff0001, 0x0000fff0);
}

extern "C" __global__ void floats(float *o)
{
	float z = (float)(table[0] - 10);

	*o++ = __fadd_rn(z + 1.0f, 0x1p-24f);
	*o++ = __fadd_ru(z + 1.0f, 0x1p-24f);
	*o++ = __fadd_rd(z - 1.0f, -0x1p-24f);
	*o++ = __fadd_rz(z - 1.0f, -0x1p-24f);
	*o++ = __fmul_ru(z + 0x1.000002p0f, 0x1.000002p0f);
	*o++ = __fdiv_rd(z + 1.0f, 3.0f);
	*o++ = __fdiv_ru(z + 1.0f, 3.0f);
	*o++ = __fsqrt_rd(z + 2.0f);
	*o++ = __frcp_ru(z + 3.0f);
	*o++ = __fmaf_rn(z + 0x1.000002p0f, 0x1.000002p0f, -1.0f);
	*o++ = __saturatef(z + 1.5f);
	*o++ = __saturatef(z - 1.5f);
	*o++ = (float)__float2int_rn(z + 2.5f);
	*o++ = (float)__float2int_rz(z - 2.5f);
	*o++ = (float)__float2int_ru(z - 2.5f);
	*o++ = (float)__float2int_rd(z - 2.5f);
	*o++ = (float)__float2uint_rn(z + 3.5f);
	*o++ = (float)__double2int_rn((double)z - 0.5);
	*o++ = __int2float_rz((int)z + 0x1000003);
	*o++ = __int2float_ru((int)z + 0x1000001);
	*o++ = __int_as_float((int)z + 0x40490fdb);
	*o++ = (float)__hiloint2double((int)z + 0x40080000, 0);
	*o++ = (float)__double2hiint((double)z + 3.0);
	*o++ = fmaxf(z + NAN, 2.0f);
	*o++ = (float)llrintf(z + 2.5f);
	*o++ = (float)lroundf(z + 2.5f);
	*o++ = truncf(z - 2.7f);
	*o++ = fdividef(z + 1.0f, 4.0f);
	*o++ = (float)signbit(z - 0.5f);
	*o++ = (float)isnan(z / z);
	*o++ = __half2float(__hadd(__float2half(z + 1.0f), __float2half(0x1p-11f)));
	*o++ = __half2float(__float2half_ru(z + 1.0f + 0x1p-20f));
	*o++ = __low2float(__hmul2(__floats2half2_rn(z + 3.0f, 5.0f), __float2half2_rn(0.5f)));
	*o++ = __half2float(__float2half(z + 65520.0f));
	int n;
	*o++ = frexpf(z + 12.0f, &n);
	*o++ = (float)n;
	float whole;
	*o++ = modff(z - 3.25f, &whole);
	*o++ = whole;
	*o++ = remquof(z + 29.0f, 3.0f, &n);
	*o++ = (float)(n & 7);
	float s, c;
	sincospif(z + 0.5f, &s, &c);
	*o++ = s;
	*o++ = c;
	*o++ = std::max(z, 4.0f) + std::sqrt(z + 16.0f) + std::abs(z - 2.0f) + std::pow(z + 2.0f, 3.0f);
	*o++ = (float)ilogbf(z + 10.0f);
	*o++ = (float)max(table[1], 7u) + (float)min((long long)table[1], 7ll);
}

/* 64 threads: two warps. */
extern "C" __global__ void warps(unsigned *o)
{
	__shared__ unsigned shared[64];
	unsigned i = threadIdx.x, lane = i & 31;

	o[i] = __ballot_sync(~0u, i % 3 == 0);
	o[64 + i] = __shfl_up_sync(~0u, i, 2) * 1000 + __shfl_down_sync(~0u, i, 4, 8);
	o[128 + i] = __any_sync(~0u, i == 40) * 2 + __all_sync(~0u, i < 32);
	o[192 + i] = __match_any_sync(~0u, i / 8);
	o[256 + i] = __reduce_add_sync(~0u, i) + __reduce_max_sync(~0u, lane);
	o[320 + i] = (unsigned)__syncthreads_count(i % 5 == 0) + 100 * (unsigned)(__syncthreads_or(i == 63) != 0);
	shared[63 - i] = i;
	__syncthreads();
	o[384 + i] = shared[i] + (unsigned)__shfl_sync(~0u, (double)i, 3);
	if (lane < 5)
		o[448 + i] = __activemask();
	assert(i < 64);
}

extern "C" __global__ void atomics(unsigned *o, unsigned long long *l, float *f, double *d)
{
	unsigned i = threadIdx.x;
	unsigned short *h = (unsigned short *)(o + 10);

	atomicAdd(&o[0], i);
	atomicSub(&o[1], 1u);
	atomicMax(&o[2], i);
	atomicMin((int *)&o[3], -(int)i);
	atomicInc(&o[4], 9);
	atomicDec(&o[5], 9);
	atomicOr(&o[6], 1u << (i & 31));
	atomicXor(&o[7], i);
	atomicAnd_block(&o[8], ~i);
	for (unsigned old = o[9], seen; (seen = atomicCAS(&o[9], old, old + 2)) != old; old = seen)
		;
	for (unsigned short old = h[1], seen; (seen = atomicCAS(&h[1], old, (unsigned short)(old + 1))) != old; old = seen)
		;
	atomicAdd(&l[0], 1ull << 32);
	atomicMax((long long *)&l[1], (long long)i - 100);
	atomicExch(&l[2], 77ull);
	atomicAdd(&f[0], 0.5f);
	atomicAdd_system(&d[0], 0.25);
	atomicAdd(&counter, 1);
	if (i == 63)
		o[11] = (unsigned)counter;
}

/* What C++ calls of floats, each once: the differences to the functions with an f. new and delete. */
extern "C" __global__ void overloads(float *o)
{
	float a = (float)table[0] / 16, d = 0, *room = new float[2]; /* 0.625 */
	int n;

	d += acosh(a + 1) - acoshf(a + 1) + asinh(a) - asinhf(a) + atanh(a) - atanhf(a) + cbrt(a) - cbrtf(a) + erf(a) - erff(a);
	d += erfc(a) - erfcf(a) + exp2(a) - exp2f(a) + expm1(a) - expm1f(a) + lgamma(a) - lgammaf(a) + log1p(a) - log1pf(a);
	d += log2(a) - log2f(a) + logb(a) - logbf(a) + nearbyint(a) - 1 + rint(a) - 1 + round(a) - 1 + tgamma(a) - tgammaf(a);
	d += trunc(a) + copysign(a, -1.0f) + a + fdim(a, 1.0f) + fmax(a, 0.5f) - a + fmin(a, 0.5f) - 0.5f + hypot(a, a) -
	     hypotf(a, a);
	d += nextafter(a, 1.0f) - nextafterf(a, 1) + remainder(a, 0.5f) - 0.125f + fma(a, a, a) - fmaf(a, a, a) + (float)ilogb(a) +
	     1;
	d += (float)(lrint(a) - 1 + lround(a) - 1 + llrint(a) - 1 + llround(a) - 1) + scalbn(a, 1) - 2 * a + scalbln(a, 1l) - 2 * a;
	d += std::log2(a) - log2f(a) + std::round(a) - 1 + std::hypot(a, a) - hypotf(a, a) + std::tgamma(a) - tgammaf(a);
	d += acos(a) - acosf(a) + exp(a) - expf(a) + pow(a, 2.0f) - powf(a, 2) + sin(a) - sinf(a) + sqrt(a) - sqrtf(a) + tanh(a) -
	     tanhf(a);
	d += frexp(a, &n) - a + floor(a) + ceil(a) - 1 + fabs(-a) - a + abs(-a) - a + fmod(a, 0.5f) - 0.125f + ldexp(a, 1) - 2 * a;
	room[1] = d;
	o[0] = room[1];
	delete[] room;
}

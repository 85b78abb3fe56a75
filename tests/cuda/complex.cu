/* cuComplex.h on both sides, against C++'s complex numbers of the host in long double. */
#include <complex>
#include <cuComplex.h>

#include "check.h"

typedef std::complex<long double> wide;

enum { PAIRS = 64, RESULTS = 6 };

__host__ __device__ void all(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex *out)
{
	out[0] = cuCadd(a, b);
	out[1] = cuCsub(a, cuConj(b));
	out[2] = cuCmul(a, b);
	out[3] = cuCdiv(a, b);
	out[4] = cuCfma(a, b, a);
	out[5] = make_cuDoubleComplex(cuCabs(a), cuCreal(b) + cuCimag(b));
}
__host__ __device__ void all(cuComplex a, cuComplex b, cuComplex *out)
{
	out[0] = cuCaddf(a, b);
	out[1] = cuCsubf(a, cuConjf(b));
	out[2] = cuCmulf(a, b);
	out[3] = cuCdivf(a, b);
	out[4] = cuCfmaf(a, b, a);
	out[5] = make_cuComplex(cuCabsf(a), cuCrealf(b) + cuCimagf(b));
}

template <class C> __global__ void on_device(const C *a, const C *b, C *out)
{
	all(a[threadIdx.x], b[threadIdx.x], out + threadIdx.x * RESULTS);
}

static void reference(wide a, wide b, wide *out)
{
	out[0] = a + b;
	out[1] = a - std::conj(b);
	out[2] = a * b;
	out[3] = a / b;
	out[4] = a * b + a;
	out[5] = wide(std::abs(a), b.real() + b.imag());
}

/* Each part within a few roundings of the numbers that went into it; e: one rounding's. */
template <class C> static long differ(const C *got, wide a, wide b, long double e)
{
	wide want[RESULTS];
	long wrong = 0;

	reference(a, b, want);
	for (int i = 0; i < RESULTS; i++) {
		long double size = i == 3 ? std::abs(want[3]) : std::abs(a) * (1 + std::abs(b)) + std::abs(b);

		wrong += !(std::abs(wide(got[i].x, got[i].y) - want[i]) <= 8 * e * size);
	}
	return wrong;
}

template <class C, class R> static long try_all(long double e)
{
	C *a, *b, *out, here[RESULTS];
	long wrong = 0;

	CHECK(cudaMallocManaged(&a, PAIRS * sizeof *a));
	CHECK(cudaMallocManaged(&b, PAIRS * sizeof *b));
	CHECK(cudaMallocManaged(&out, PAIRS * RESULTS * sizeof *out));
	for (int i = 0; i < PAIRS; i++) {
		a[i].x = R(i * 37 % 64 - 20) / 3;
		a[i].y = R(i * 11 % 64 - 40) / 7;
		b[i].x = R(i * 23 % 64 - 30) / 5;
		b[i].y = R(i * 53 % 64 + 1) / 11;
	}
	on_device<<<1, PAIRS>>>(a, b, out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < PAIRS; i++) {
		all(a[i], b[i], here);
		wrong += differ(here, wide(a[i].x, a[i].y), wide(b[i].x, b[i].y), e);
		wrong += differ(out + i * RESULTS, wide(a[i].x, a[i].y), wide(b[i].x, b[i].y), e);
	}
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(out));
	return wrong;
}

/* 3-4-5 triangles near the ends of the range: parts' squares are beyond it, moduli and quotients are not. */
static long ends()
{
	cuComplex large = make_cuComplex(0x1.8p126f, 0x1p127f), small = make_cuComplex(0x3p-100f, 0x4p-100f);
	cuComplex q = cuCdivf(large, large), p = cuCdivf(small, small);
	cuDoubleComplex d = cuComplexFloatToDouble(make_cuFloatComplex(0.5f, -2));

	return !(cuCabsf(small) == 0x5p-100f) + !(q.x == 1 && q.y == 0 && p.x == 1 && p.y == 0) +
	       !(cuCabs(make_cuDoubleComplex(3e300, 4e300)) == 5e300) + !(d.x == 0.5 && cuComplexDoubleToFloat(d).y == -2);
}

int main()
{
	return verdict("complex", try_all<cuComplex, float>(0x1p-24L) + try_all<cuDoubleComplex, double>(0x1p-53L) + ends());
}

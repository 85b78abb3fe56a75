/* Random numbers of both generators: moments of uniform and normal ones, and Philox's published answer. */
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <curand_kernel.h>

/* Sums of x, x^2 of uniform, of normal numbers. */
template <class State> __global__ void moments(double *sums, int per_thread)
{
	State s;
	double u = 0, uu = 0, z = 0, zz = 0;

	curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &s);
	for (int i = 0; i < per_thread; i++) {
		double x = curand_uniform(&s), y = curand_normal(&s);

		u += x;
		uu += x * x;
		z += y;
		zz += y * y;
	}
	atomicAdd(&sums[0], u);
	atomicAdd(&sums[1], uu);
	atomicAdd(&sums[2], z);
	atomicAdd(&sums[3], zz);
}
/* Counter and key are 0: the first known answer of the authors' Random123 library. */
__global__ void known(unsigned *out)
{
	curandStatePhilox4_32_10_t s;

	curand_init(0, 0, 0, &s);
	for (int i = 0; i < 4; i++)
		out[i] = curand(&s);
	curand_init(0, 0, 2, &s);
	out[4] = curand(&s);
}
__global__ void halves(__half2 *h, float *f)
{
	__half2 a = __floats2half2_rn(1.5f, -2.0f);

	h[0] = __hfma2(a, a, __float2half2_rn(0.25f));
	*f = __half2float(h[0].x * __half(2.0f)) + (__hlt(a.y, a.x) ? 100.0f : 0.0f);
}

/* Means of n numbers within five standard errors: of 1/2, 1/3, 0, 1. */
static bool likely(const double *sums, double n)
{
	double e = 5 / std::sqrt(n);

	return std::fabs(sums[0] / n - 0.5) < e * 0.289 && std::fabs(sums[1] / n - 1.0 / 3) < e * 0.298 &&
	       std::fabs(sums[2] / n) < e && std::fabs(sums[3] / n - 1) < e * 1.415;
}

int main()
{
	double *sums;
	unsigned *out;
	__half2 *h;
	float *f;
	bool ok;

	cudaMallocManaged(&sums, 8 * sizeof *sums);
	cudaMallocManaged(&out, 5 * sizeof *out);
	cudaMallocManaged(&h, sizeof *h);
	cudaMallocManaged(&f, sizeof *f);
	cudaMemset(sums, 0, 8 * sizeof *sums);
	moments<curandState><<<4, 64>>>(sums, 50);
	moments<curandStatePhilox4_32_10_t><<<4, 64>>>(sums + 4, 50);
	known<<<1, 1>>>(out);
	halves<<<1, 1>>>(h, f);
	cudaDeviceSynchronize();
	ok = likely(sums, 12800) && likely(sums + 4, 12800);
	ok &= out[0] == 0x6627e8d5 && out[1] == 0xe169c58d && out[2] == 0xbc57ac4c && out[3] == 0x9b00dbd8 && out[4] == out[2];
	ok &= __half2float(h->x) == 2.5f && __half2float(h->y) == 4.25f && *f == 105.0f;
	puts(ok && !cudaGetLastError() ? "random: ok" : "random: wrong");
	return 0;
}

// lavamd: forces between particles in boxes, in double precision. A CTA has a box: it stages its own particles and then
// those of each neighbouring box, itself included, in shared memory, and a thread a particle adds up what these do to
// its own.
#include "device.h"

enum : uint32_t { PARTICLES = 100, NEIGHBOURS = 27, NONE = 0xffffffff };

struct particle {
	double v, x, y, z; // v: half the square of the distance from the box's origin
};

// 2^n for -1022 <= n <= 1023.
static __device__ __forceinline__ double power_of_two(int32_t n)
{
	return __builtin_bit_cast(double, (uint64_t)(uint32_t)(n + 1023) << 52);
}

// e^x for -700 < x <= 0: x = n ln 2 + r, and Taylor's series for r, which is at most ln 2 / 2, so that its twelfth term
// is below 2^-53.
static __device__ __forceinline__ double exponential(double x)
{
	int32_t n = (int32_t)(x * 1.4426950408889634 - 0.5);
	double r = x - n * 0.69314718055994531, sum = 1 / 479001600.0;

	sum = sum * r + 1 / 39916800.0;
	sum = sum * r + 1 / 3628800.0;
	sum = sum * r + 1 / 362880.0;
	sum = sum * r + 1 / 40320.0;
	sum = sum * r + 1 / 5040.0;
	sum = sum * r + 1 / 720.0;
	sum = sum * r + 1 / 120.0;
	sum = sum * r + 1 / 24.0;
	sum = sum * r + 1 / 6.0;
	sum = sum * r + 0.5;
	sum = sum * r + 1;
	sum = sum * r + 1;
	return sum * power_of_two(n);
}

// neighbour: NEIGHBOURS numbers of boxes a box, NONE beyond the rim; each box has `n` particles, at most PARTICLES.
extern "C" __global__ void lavamd(const uint32_t *neighbour, const particle *at, const double *charge, particle *force, double alpha,
				  uint32_t n)
{
	__shared__ particle home[PARTICLES], other[PARTICLES];
	__shared__ double others_charge[PARTICLES];
	uint32_t t = threadIdx.x, box = blockIdx.x;
	double a2 = 2 * alpha * alpha;
	particle sum = {0, 0, 0, 0};

	if (t < n)
		home[t] = at[box * n + t];
	__syncthreads();
#pragma unroll 1
	for (uint32_t k = 0; k < NEIGHBOURS; k++) {
		uint32_t from = neighbour[box * NEIGHBOURS + k];

		if (from == NONE)
			continue;
		if (t < n) {
			other[t] = at[from * n + t];
			others_charge[t] = charge[from * n + t];
		}
		__syncthreads();
		if (t < n) {
			particle mine = home[t];

#pragma unroll 1
			for (uint32_t j = 0; j < n; j++) {
				double dot = mine.x * other[j].x + mine.y * other[j].y + mine.z * other[j].z;
				double potential = exponential(-a2 * (mine.v + other[j].v - dot)), push = 2 * potential;

				sum.v += others_charge[j] * potential;
				sum.x += others_charge[j] * push * (mine.x - other[j].x);
				sum.y += others_charge[j] * push * (mine.y - other[j].y);
				sum.z += others_charge[j] * push * (mine.z - other[j].z);
			}
		}
		__syncthreads();
	}
	if (t < n)
		force[box * n + t] = sum;
}

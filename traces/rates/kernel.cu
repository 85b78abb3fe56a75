// rates: chains of dependent operations, one kind a kernel. One warp shows the operation's latency, many show how often
// it can be issued; of the products of doubles there are kernels of two, four and eight chains a thread, too.
//
// Sixty-four operations stand in a row, in PTX, so that no compiler folds a chain into a formula; the loop's own three
// instructions are what else is issued.
#include "device.h"

enum { ROW = 64 };

#define TWICE(text) text text
#define TIMES_8(text)  TWICE(TWICE(TWICE(text)))
#define TIMES_16(text) TWICE(TIMES_8(text))
#define TIMES_32(text) TWICE(TIMES_16(text))
#define TIMES_64(text) TWICE(TIMES_32(text))

#define LANE (threadIdx.x & 31)

#define ROWS(n)                                                                                                                    \
	_Pragma("unroll 1") for (uint32_t i = 0; i < (n); i += ROW)

extern "C" __global__ void add_u32(uint32_t *out, uint32_t links)
{
	uint32_t t = LANE;

	ROWS(links) asm volatile(TIMES_64("add.u32 %0, %0, %1;\n\t") : "+r"(t) : "r"(links));
	out[threadIdx.x] = t;
}

extern "C" __global__ void mad_u32(uint32_t *out, uint32_t links)
{
	uint32_t t = LANE;

	ROWS(links) asm volatile(TIMES_64("mad.lo.u32 %0, %0, %1, %1;\n\t") : "+r"(t) : "r"(links));
	out[threadIdx.x] = t;
}

extern "C" __global__ void fma_f32(float *out, uint32_t links)
{
	float t = LANE;

	ROWS(links) asm volatile(TIMES_64("fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;\n\t") : "+f"(t));
	out[threadIdx.x] = t;
}

extern "C" __global__ void rsqrt_f32(float *out, uint32_t links)
{
	float t = LANE + 1;

	ROWS(links) asm volatile(TIMES_64("rsqrt.approx.ftz.f32 %0, %0;\n\t") : "+f"(t));
	out[threadIdx.x] = t;
}

// t/2 + 1 in each of `chains` variables.
#define FMA(n) "fma.rn.f64 %" #n ", %" #n ", 0d3FE0000000000000, 0d3FF0000000000000;\n\t"

extern "C" __global__ void fma_f64(double *out, uint32_t links)
{
	double t = LANE;

	ROWS(links) asm volatile(TIMES_64(FMA(0)) : "+d"(t));
	out[threadIdx.x] = t;
}

extern "C" __global__ void fma_f64_2(double *out, uint32_t links)
{
	double t = LANE, u = LANE + 1;

	ROWS(links) asm volatile(TIMES_32(FMA(0) FMA(1)) : "+d"(t), "+d"(u));
	out[threadIdx.x] = t + u;
}

extern "C" __global__ void fma_f64_4(double *out, uint32_t links)
{
	double t = LANE, u = LANE + 1, v = LANE + 2, w = LANE + 3;

	ROWS(links) asm volatile(TIMES_16(FMA(0) FMA(1) FMA(2) FMA(3)) : "+d"(t), "+d"(u), "+d"(v), "+d"(w));
	out[threadIdx.x] = (t + u) + (v + w);
}

extern "C" __global__ void fma_f64_8(double *out, uint32_t links)
{
	double t = LANE, u = LANE + 1, v = LANE + 2, w = LANE + 3, t4 = LANE + 4, u4 = LANE + 5, v4 = LANE + 6, w4 = LANE + 7;

	ROWS(links)
	asm volatile(TIMES_8(FMA(0) FMA(1) FMA(2) FMA(3) FMA(4) FMA(5) FMA(6) FMA(7))
		     : "+d"(t), "+d"(u), "+d"(v), "+d"(w), "+d"(t4), "+d"(u4), "+d"(v4), "+d"(w4));
	out[threadIdx.x] = ((t + u) + (v + w)) + ((t4 + u4) + (v4 + w4));
}

// 1/2 over t + 1/4.
extern "C" __global__ void div_f64(double *out, uint32_t links)
{
	double t = LANE;

	ROWS(links)
	asm volatile(TIMES_64("add.rn.f64 %0, %0, 0d3FD0000000000000;\n\tdiv.rn.f64 %0, 0d3FE0000000000000, %0;\n\t") : "+d"(t));
	out[threadIdx.x] = t;
}

// The root of t + 1/4.
extern "C" __global__ void sqrt_f64(double *out, uint32_t links)
{
	double t = LANE;

	ROWS(links) asm volatile(TIMES_64("add.rn.f64 %0, %0, 0d3FD0000000000000;\n\tsqrt.rn.f64 %0, %0;\n\t") : "+d"(t));
	out[threadIdx.x] = t;
}

// A cell holds its own address. Lanes' cells are `stride` words apart.
extern __shared__ uint32_t rates_cell[];

extern "C" __global__ void ld_shared(uint32_t *out, uint32_t links, uint32_t stride)
{
	uint32_t t = 4 * LANE * stride;

	rates_cell[t / 4] = t;
	__syncthreads();
	ROWS(links) asm volatile(TIMES_64("ld.shared.u32 %0, [%0];\n\t") : "+r"(t)::"memory");
	out[threadIdx.x] = t;
}

// A maximum that leaves the word as it is. Threads' words are `stride` words apart; 0: all have one.
extern "C" __global__ void atom_max(uint32_t *out, uint32_t links, uint32_t stride, uint32_t *word)
{
	uint32_t *p = word + (blockIdx.x * blockDim.x + threadIdx.x) * stride, t = 0;

	ROWS(links) asm volatile(TIMES_64("atom.global.max.u32 %0, [%1], %0;\n\t") : "+r"(t) : "l"(p) : "memory");
	out[threadIdx.x] = t;
}

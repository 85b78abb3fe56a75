// histo: a histogram whose bins do not fit in shared memory at once, of values that crowd around some of them; counts
// end at 255.
//
// histo_prescan finds the least and the greatest value; from these the host knows how many parts of 6,144 bins there
// are. histo_intermediates turns values into their part and place in it. In histo_main a CTA (x, y) goes through the
// x-th share of these and counts those of part y in shared memory: all CTAs of a column read the same words.
// histo_final cuts the counts off.
#include "device.h"

enum : uint32_t { PRESCAN = 512, PART = 6144, PLACES = 8192, LIMIT = 255 };

// 512 threads; range[0] and range[1]: the least and the greatest.
extern "C" __global__ void histo_prescan(const uint32_t *value, uint32_t *range, uint32_t n)
{
	__shared__ uint32_t least[PRESCAN], greatest[PRESCAN];
	uint32_t t = threadIdx.x, low = 0xffffffff, high = 0;

	for (uint32_t i = blockIdx.x * PRESCAN + t; i < n; i += gridDim.x * PRESCAN) {
		low = min(low, value[i]);
		high = max(high, value[i]);
	}
	least[t] = low;
	greatest[t] = high;
#pragma unroll 1
	for (uint32_t half = PRESCAN / 2; half > 0; half /= 2) {
		__syncthreads();
		if (t < half) {
			least[t] = min(least[t], least[t + half]);
			greatest[t] = max(greatest[t], greatest[t + half]);
		}
	}
	if (t == 0) {
		atomicMin(&range[0], least[0]);
		atomicMax(&range[1], greatest[0]);
	}
}

// first: the part in which the least value lies counts as part 0.
extern "C" __global__ void histo_intermediates(const uint32_t *value, uint32_t *mapping, uint32_t first, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		mapping[i] = (value[i] / PART - first) * PLACES + value[i] % PART;
}

extern "C" __global__ void histo_main(const uint32_t *mapping, uint32_t *bin, uint32_t n)
{
	__shared__ uint32_t count[PART];

	for (uint32_t i = threadIdx.x; i < PART; i += blockDim.x)
		count[i] = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		uint32_t m = mapping[i];

		if (m / PLACES == blockIdx.y)
			atomicAdd(&count[m % PLACES], 1u);
	}
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < PART; i += blockDim.x)
		if (count[i])
			atomicAdd(&bin[blockIdx.y * PART + i], count[i]);
}

// Four bins a word of the result.
extern "C" __global__ void histo_final(const uint32_t *bin, uint32_t *result, uint32_t words)
{
	for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
		result[i] = min(bin[4 * i], (uint32_t)LIMIT) | min(bin[4 * i + 1], (uint32_t)LIMIT) << 8 |
			    min(bin[4 * i + 2], (uint32_t)LIMIT) << 16 | min(bin[4 * i + 3], (uint32_t)LIMIT) << 24;
}

/* The barrier over a grid: a word in the space that a cooperative launch has for it (%envreg1 and 2, its address), to
 * which each CTA adds 1, and the first one what is lacking to 2^31. The top bit turns when all have come. */
#ifndef LOCUS_CUDA_GRID_H
#define LOCUS_CUDA_GRID_H

LOCUS_DEVICE unsigned *locus_grid_word()
{
	unsigned high, low;

	__asm__("mov.u32 %0, %%envreg1;" : "=r"(high));
	__asm__("mov.u32 %0, %%envreg2;" : "=r"(low));
	return (unsigned *)((unsigned long long)high << 32 | low) + 1;
}

LOCUS_DEVICE void locus_grid_sync()
{
	unsigned all = gridDim.x * gridDim.y * gridDim.z;
	bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;

	__syncthreads();
	if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
		unsigned *word = locus_grid_word(), before, now;

		__threadfence();
		before = atomicAdd(word, first ? 0x80000000u - (all - 1) : 1u);
		do
			__asm__ volatile("ld.volatile.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
		while (!((before ^ now) >> 31));
		__threadfence();
	}
	__syncthreads();
}

#endif

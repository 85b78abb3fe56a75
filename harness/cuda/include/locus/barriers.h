/* Barriers and fences that the compiler keeps memory's order at.
 *
 * clang-14 takes its barriers for functions that cannot write a __shared__ variable whose address nobody takes, since
 * no caller in sight writes it: it reads such a variable before the barrier that the reader waits at. Assembly that may
 * write anything stands on either side of each, so that what other threads wrote is read again.
 */
#ifndef LOCUS_CUDA_BARRIERS_H
#define LOCUS_CUDA_BARRIERS_H

LOCUS_DEVICE void locus_memory_may_change(void)
{
	__asm__ volatile("" ::: "memory");
}
LOCUS_DEVICE void locus_syncthreads(void)
{
	locus_memory_may_change();
	__syncthreads();
	locus_memory_may_change();
}
LOCUS_DEVICE void locus_syncwarp(unsigned mask = 0xffffffff)
{
	locus_memory_may_change();
	__syncwarp(mask);
	locus_memory_may_change();
}
#define LOCUS_VOTE(name)                                                                                                           \
	LOCUS_DEVICE int locus_##name(int predicate)                                                                               \
	{                                                                                                                          \
		locus_memory_may_change();                                                                                         \
		int r = __##name(predicate);                                                                                       \
		locus_memory_may_change();                                                                                         \
		return r;                                                                                                          \
	}
LOCUS_VOTE(syncthreads_count)
LOCUS_VOTE(syncthreads_and)
LOCUS_VOTE(syncthreads_or)
#undef LOCUS_VOTE
#define LOCUS_FENCE(name)                                                                                                          \
	LOCUS_DEVICE void locus_##name(void)                                                                                       \
	{                                                                                                                          \
		locus_memory_may_change();                                                                                         \
		__##name();                                                                                                        \
		locus_memory_may_change();                                                                                         \
	}
LOCUS_FENCE(threadfence)
LOCUS_FENCE(threadfence_block)
LOCUS_FENCE(threadfence_system)
#undef LOCUS_FENCE

#define __syncthreads()		 locus_syncthreads()
#define __syncwarp(...)		 locus_syncwarp(__VA_ARGS__)
#define __syncthreads_count(...) locus_syncthreads_count(__VA_ARGS__)
#define __syncthreads_and(...)	 locus_syncthreads_and(__VA_ARGS__)
#define __syncthreads_or(...)	 locus_syncthreads_or(__VA_ARGS__)
#define __threadfence()		 locus_threadfence()
#define __threadfence_block()	 locus_threadfence_block()
#define __threadfence_system()	 locus_threadfence_system()

#endif

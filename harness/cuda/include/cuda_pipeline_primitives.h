/* __pipeline_memcpy_async and its kin (programming guide, "Pipeline Primitives Interface"), on cp.async of sm_80. */
#ifndef LOCUS_CUDA_PIPELINE_PRIMITIVES_H
#define LOCUS_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

/* bytes: 4, 8 or 16, of which the last `zeros` are not read and become 0. */
LOCUS_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0)
{
	locus_copy_async(shared, global, bytes, bytes - zeros);
}
LOCUS_DEVICE void __pipeline_commit()
{
	__asm__ volatile("cp.async.commit_group;" ::: "memory");
}
/* All but the last `prior` groups: the instruction has the number in it. */
LOCUS_DEVICE void __pipeline_wait_prior(size_t prior)
{
	if (prior == 0)
		__asm__ volatile("cp.async.wait_group 0;" ::: "memory");
	else if (prior == 1)
		__asm__ volatile("cp.async.wait_group 1;" ::: "memory");
	else if (prior == 2)
		__asm__ volatile("cp.async.wait_group 2;" ::: "memory");
	else
		__asm__ volatile("cp.async.wait_group 3;" ::: "memory");
}

#endif

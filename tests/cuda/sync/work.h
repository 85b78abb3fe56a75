/* Of the programs in this folder, whose warps wait for one another. */
#ifndef WORK_H
#define WORK_H

#include "../check.h"

/* n multiply-adds, each of which needs the one before. x + n, if one is 1, which the compiler does not know, and all
 * values are whole numbers below 2^24. */
__device__ inline float work(float x, int n, float one)
{
	for (int i = 0; i < n; i++)
		x = fmaf(x, one, one);
	return x;
}

__global__ void empty()
{
}

/* The argument with this number, or `otherwise`. */
static inline int argument(int argc, char **argv, int number, int otherwise)
{
	return argc > number ? atoi(argv[number]) : otherwise;
}

/* Ends a run with an empty launch if `asked`: what a launch takes without any work. */
static inline void end_empty(bool asked)
{
	if (!asked)
		return;
	empty<<<1, 32>>>();
	CHECK(cudaDeviceSynchronize());
	exit(verdict("empty", 0));
}

#endif

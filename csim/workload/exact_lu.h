/* A matrix whose LU decomposition is known and exact in floats, for the workloads that eliminate.
 *
 * L has a unit diagonal and 0 or 1 below it, U a unit diagonal and -1, 0 or 1 above it. All pivots are 1, and every
 * number that occurs on the way is whole and at most n: elimination makes no rounding error, so the reference is L and
 * U themselves and no second elimination.
 */
#ifndef CSIM_WORKLOAD_EXACT_LU_H
#define CSIM_WORKLOAD_EXACT_LU_H

#include "workload/program.h"
#include "workload/random.h"

/* lu: L below the diagonal, U on and above it; a: their product. Both n x n, n below 2^24. */
static inline void exact_lu(struct host *h, uint32_t n, uint64_t seed, float *lu, float *a)
{
	struct host_random r = {seed};
	double *sum = host_scratch(h, n, sizeof *sum);

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t j = 0; j < n; j++)
			lu[i * n + j] = i == j ? 1 : j < i ? (float)host_random_below(&r, 2) : (float)host_random_below(&r, 3) - 1;
	for (uint64_t i = 0; i < n; i++) {
		for (uint64_t j = 0; j < n; j++)
			sum[j] = j >= i ? lu[i * n + j] : 0;
		for (uint64_t k = 0; k < i; k++)
			for (uint64_t j = k; j < n; j++)
				sum[j] += (double)lu[i * n + k] * lu[k * n + j];
		for (uint64_t j = 0; j < n; j++)
			a[i * n + j] = (float)sum[j];
	}
}

#endif

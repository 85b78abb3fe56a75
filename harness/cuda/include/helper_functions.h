/* The samples' helpers together, and their comparisons of results. Written anew from how the samples call it. */
#ifndef LOCUS_CUDA_HELPER_FUNCTIONS_H
#define LOCUS_CUDA_HELPER_FUNCTIONS_H

#include <cmath>

#include "helper_string.h"
#include "helper_timer.h"

/* The root of the summed squares of the differences, over that of the reference. */
static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon)
{
	double error = 0, sum = 0;

	for (unsigned int i = 0; i < n; i++) {
		error += ((double)reference[i] - data[i]) * ((double)reference[i] - data[i]);
		sum += (double)reference[i] * reference[i];
	}
	return sum > 0 && std::sqrt(error / sum) < epsilon;
}
/* At most a share `threshold` of the elements may differ by more than epsilon. */
template <class T, class S> inline bool compareData(const T *reference, const T *data, unsigned int n, S epsilon, float threshold)
{
	unsigned int differ = 0;

	for (unsigned int i = 0; i < n; i++)
		differ += !(std::fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
	return threshold == 0.0f ? differ == 0 : differ <= (double)n * threshold;
}

#endif

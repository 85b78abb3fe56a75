/* Thrust, and CUB under it, against the host's own algorithms. */
#include <algorithm>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <vector>

#include "check.h"

int main()
{
	const int n = 3000;
	std::vector<int> expected(n), got(n);
	thrust::device_vector<int> numbers;
	long wrong = 0;

	for (int i = 0; i < n; i++)
		expected[i] = i * 7919 % 1009 - 500;
	numbers.assign(expected.begin(), expected.end());
	wrong += thrust::reduce(numbers.begin(), numbers.end()) != std::accumulate(expected.begin(), expected.end(), 0);
	thrust::sort(numbers.begin(), numbers.end());
	thrust::inclusive_scan(numbers.begin(), numbers.end(), numbers.begin());
	std::sort(expected.begin(), expected.end());
	std::partial_sum(expected.begin(), expected.end(), expected.begin());
	thrust::copy(numbers.begin(), numbers.end(), got.begin());
	return verdict("thrust", wrong + (got != expected));
}

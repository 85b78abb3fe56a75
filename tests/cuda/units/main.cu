/* Separate compilation (nvcc -rdc=true): variables and a function that one unit defines are used by another's kernels
 * and named by its host code. Static variables of the same name stay apart. Expected values are worked out by hand. */
#include "../check.h"
#include "state.h"

static __device__ int secret = 5;
namespace
{
__device__ int unnamed = 50;
}

__global__ void step_through(int x)
{
	for (int step = 0; step < STEPS; step++)
		total += scaled(step, x);
	visits[0] += 10;
	deep::last = total + secret + unnamed;
}

int main()
{
	const int factors[STEPS] = {1, 10, 100, 1000};
	int all = 0, mine = 0, two = 2;
	long last = 0, wrong = 0;

	CHECK(cudaMemcpyToSymbol(factor, factors, sizeof factors));
	CHECK(cudaMemcpyToSymbol(secret, &two, sizeof two));
	visits[1] = 5;
	step_through<<<1, 1>>>(3);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpyFromSymbol(&all, total, sizeof all));
	CHECK(cudaMemcpyFromSymbol(&last, deep::last, sizeof last));
	CHECK(cudaMemcpyFromSymbol(&mine, secret, sizeof mine));
	wrong += all != 1000 + 3333;
	wrong += last != 1000 + 3333 + 2 + 50;
	wrong += visits[0] != 11 || visits[1] != 6 || visits[2] != 1;
	wrong += mine != 2;
	wrong += read_secret() != (7 + 70 + 700) * 10 + 7;
	return verdict("units", wrong);
}

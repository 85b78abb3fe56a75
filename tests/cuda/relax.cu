/* Heat in a plate, relaxed sweep by sweep in one cooperative launch: the grid meets between sweeps. The plate is in
 * managed memory, which host and device use by the same pointer. */
#include <cooperative_groups.h>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

enum { SIDE = 34, SWEEPS = 6 };

__global__ void relax(float *a, float *b, float *most, int *sweeps_done)
{
	cg::grid_group grid = cg::this_grid();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
	float change = 0;

	for (int s = 0; s < SWEEPS; s++) {
		for (int i = (int)grid.thread_rank(); i < SIDE * SIDE; i += (int)grid.size()) {
			int x = i % SIDE, y = i / SIDE;
			bool inside = x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1;

			b[i] = inside ? 0.25f * ((a[i - 1] + a[i + 1]) + (a[i - SIDE] + a[i + SIDE])) : a[i];
			change = fmaxf(change, fabsf(b[i] - a[i]));
		}
		grid.sync();
		float *other = a;
		a = b;
		b = other;
	}
	for (int distance = warp.size() / 2; distance; distance /= 2)
		change = fmaxf(change, warp.shfl_down(change, distance));
	if (warp.thread_rank() == 0) /* floats from 0 on are in the order of their bits */
		atomicMax((int *)most, __float_as_int(change));
	if (grid.thread_rank() == 0)
		*sweeps_done = SWEEPS;
}

int main()
{
	std::vector<float> a(SIDE * SIDE), b;
	float *d_a, *d_b, *most, expected = 0;
	int *sweeps_done;
	void *args[] = {&d_a, &d_b, &most, &sweeps_done};
	long wrong = 0;

	CHECK(cudaMallocManaged(&d_a, SIDE * SIDE * sizeof(float)));
	CHECK(cudaMallocManaged(&d_b, SIDE * SIDE * sizeof(float)));
	CHECK(cudaMallocManaged(&most, sizeof(float)));
	CHECK(cudaMallocManaged(&sweeps_done, sizeof(int)));
	for (int i = 0; i < SIDE * SIDE; i++)
		d_a[i] = a[i] = (float)(i % 13 * (i < SIDE ? 100 : 1));
	*most = 0;
	CHECK(cudaLaunchCooperativeKernel(relax, dim3(8), dim3(64), args, 0, 0));
	CHECK(cudaDeviceSynchronize());
	b = a;
	for (int s = 0; s < SWEEPS; s++, a.swap(b))
		for (int y = 1; y < SIDE - 1; y++)
			for (int x = 1; x < SIDE - 1; x++) {
				int i = y * SIDE + x;

				b[i] = 0.25f * ((a[i - 1] + a[i + 1]) + (a[i - SIDE] + a[i + SIDE]));
				expected = fmaxf(expected, fabsf(b[i] - a[i]));
			}
	for (int i = 0; i < SIDE * SIDE; i++) /* SWEEPS is even: the last went to d_a */
		wrong += d_a[i] != a[i];
	wrong += *most != expected || *sweeps_done != SWEEPS;
	CHECK(cudaFree(d_a));
	CHECK(cudaFree(d_b));
	CHECK(cudaFree(most));
	CHECK(cudaFree(sweeps_done));
	return verdict("relax", wrong);
}

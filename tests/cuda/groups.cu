/* Cooperative groups: tiles, active threads, reductions and scans, and a barrier over the grid. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;
enum { RESULTS = 9 };

__device__ int sum_of(cg::thread_group g, int *room, int v)
{
	int rank = g.thread_rank();

	for (int i = g.size() / 2; i > 0; i /= 2) {
		room[rank] = v;
		g.sync();
		if (rank < i)
			v += room[rank + i];
		g.sync();
	}
	return v;
}

__global__ void groups(int *out, int n)
{
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	auto eight = cg::tiled_partition<8>(warp);
	cg::grid_group grid = cg::this_grid();
	__shared__ int room[128];
	int i = (int)grid.thread_rank(), *o = out + RESULTS * i, total;

	o[0] = cg::reduce(warp, i, cg::plus<int>());
	o[1] = eight.shfl_xor(i, 1) * 100 + (int)eight.meta_group_rank();
	o[2] = cg::inclusive_scan(eight, i);
	o[3] = (int)eight.ballot(i % 8 > 5);
	o[4] = -1;
	o[5] = -1;
	if (i % 3 == 0) {
		cg::coalesced_group active = cg::coalesced_threads();

		o[4] = (int)(active.size() * 100 + active.thread_rank());
		o[5] = cg::reduce(active, i, cg::greater<int>()) * 1000 + active.shfl(i, 2);
	}
	total = sum_of(block, room, i);
	o[6] = block.thread_rank() ? 0 : total;
	o[7] = (int)cg::labeled_partition(warp, i % 5).size();
	grid.sync();
	o[8] = out[RESULTS * ((i + 128) % n)];
}

/* What a warp that begins at b has, counted. */
static bool right(const int *out, int i, int n)
{
	const int *o = out + RESULTS * i, b = i / 32 * 32, next = (i + 128) % n / 32 * 32;
	int threes = 0, rank = 0, highest = 0, third = 0, fives = 0, scan = 0, total = 0;

	for (int j = b; j < b + 32; j++) {
		if (j % 3 == 0) {
			third = threes == 2 ? j : third;
			rank += j < i;
			threes++;
			highest = j;
		}
		fives += j % 5 == i % 5;
	}
	for (int j = i / 8 * 8; j <= i; j++)
		scan += j;
	for (int j = i / 128 * 128; j < i / 128 * 128 + 128; j++)
		total += j;
	return o[0] == 32 * b + 496 && o[1] == (i ^ 1) * 100 + i % 32 / 8 && o[2] == scan && o[3] == 0xc0 &&
	       o[4] == (i % 3 ? -1 : threes * 100 + rank) && o[5] == (i % 3 ? -1 : highest * 1000 + third) &&
	       o[6] == (i % 128 ? 0 : total) && o[7] == fives && o[8] == 32 * next + 496;
}

int main()
{
	static int out[RESULTS * 512];
	int *d_out, n = 512, wrong = 0;
	void *args[] = {&d_out, &n};

	cudaMalloc(&d_out, sizeof out);
	cudaLaunchCooperativeKernel(groups, dim3(n / 128), dim3(128), args);
	cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		wrong += !right(out, i, n);
	printf("groups: %s\n", wrong || cudaGetLastError() ? "wrong" : "ok");
	return 0;
}

/* out = in', in tiles of 16x16: each CTA has one of either matrix, which is what the Locality Descriptor's calls say.
 * The matrices are in managed memory, which the program fills itself. */
#include <locus_annotate.h>

#include "check.h"

enum { TILE = 16 };

extern "C" __global__ void transpose_naive(const float *in, float *out, unsigned n)
{
	unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	out[x * n + y] = in[y * n + x];
}

/* A CTA reads a tile and writes the one at the mirrored place: tiles are traversed by columns. */
static void describe(const float *in, const float *out, unsigned n)
{
	const ldesc_matrix all = {4, n, n, n};
	ldesc tiles = ldesc_tiles(&all, TILE, TILE);

	tiles.priority = 1;
	ldesc_describe(transpose_naive, in, &tiles);
	tiles.rank[0] = 2;
	tiles.rank[1] = 1;
	tiles.priority = 2;
	ldesc_describe(transpose_naive, out, &tiles);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) / TILE * TILE : 128;
	float *in, *out;
	long wrong = 0;

	CHECK(cudaMallocManaged(&in, (size_t)n * n * sizeof *in));
	CHECK(cudaMallocManaged(&out, (size_t)n * n * sizeof *out));
	for (unsigned i = 0; i < n * n; i++)
		in[i] = (float)i;
	describe(in, out, n);
	transpose_naive<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	for (unsigned y = 0; y < n; y++)
		for (unsigned x = 0; x < n; x++)
			wrong += out[x * n + y] != in[y * n + x];
	return verdict("transpose", wrong);
}

/* A scan in a single pass, by decoupled look-back: lookback TILES, or lookback TILES 1 to sum each tile by itself. Each
 * tile publishes its sum, then adds up those of the tiles before it, back to one that knows the sum of all up to it. */
#include "work.h"

enum { TILE = 128, NOTHING = 0, OWN = 1, ALL = 2 };

__device__ unsigned drawn;

__device__ void publish(volatile unsigned long long *to, unsigned status, unsigned sum)
{
	*to = (unsigned long long)status << 32 | sum;
}

/* The sum of all tiles before `tile`, by a warp, 32 tiles at a time. */
__device__ unsigned look_back(volatile unsigned long long *state, int tile)
{
	int lane = (int)threadIdx.x;
	unsigned sum = 0;

	for (int last = tile - 1;; last -= 32) {
		unsigned long long s;
		unsigned known, v;

		do
			s = last - lane >= 0 ? state[last - lane] : (unsigned long long)ALL << 32;
		while (__any_sync(~0u, s >> 32 == NOTHING));
		known = __ballot_sync(~0u, s >> 32 == ALL);
		v = !known || lane < __ffs((int)known) ? (unsigned)s : 0;
		for (int i = 16; i; i /= 2)
			v += __shfl_xor_sync(~0u, v, i);
		sum += v;
		if (known)
			return sum;
	}
}

template <bool look> __global__ void scan(const unsigned *in, unsigned *out, volatile unsigned long long *state)
{
	__shared__ unsigned tile, before, sum[TILE / 32];
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, v, total = 0;

	if (threadIdx.x == 0) {
		tile = atomicAdd(&drawn, 1);
		before = 0;
	}
	__syncthreads();
	v = in[tile * TILE + threadIdx.x];
	for (unsigned i = 1; i < 32; i *= 2) {
		unsigned left = __shfl_up_sync(~0u, v, i);

		v += lane >= i ? left : 0;
	}
	if (lane == 31)
		sum[warp] = v;
	__syncthreads();
	for (unsigned i = 0; i < TILE / 32; i++) {
		v += i < warp ? sum[i] : 0;
		total += sum[i];
	}
	if (look && warp == 0) {
		unsigned all = 0;

		if (tile > 0 && lane == 0)
			publish(&state[tile], OWN, total);
		if (tile > 0)
			all = look_back(state, (int)tile);
		if (lane == 0) {
			publish(&state[tile], ALL, all + total);
			before = all;
		}
	}
	__syncthreads();
	out[tile * TILE + threadIdx.x] = before + v;
}

int main(int argc, char **argv)
{
	int tiles = argument(argc, argv, 1, 80), n = tiles * TILE;
	bool alone = argument(argc, argv, 2, 0);
	unsigned *in = (unsigned *)malloc((size_t)n * 4), *out = (unsigned *)malloc((size_t)n * 4), *d_in, *d_out, sum = 0;
	unsigned long long *state;
	long wrong = 0;

	CHECK(cudaMalloc(&d_in, (size_t)n * 4));
	CHECK(cudaMalloc(&d_out, (size_t)n * 4));
	CHECK(cudaMalloc(&state, (size_t)tiles * 8));
	CHECK(cudaMemset(state, 0, (size_t)tiles * 8));
	for (int i = 0; i < n; i++)
		in[i] = (unsigned)i * 2654435761u >> 7;
	CHECK(cudaMemcpy(d_in, in, (size_t)n * 4, cudaMemcpyHostToDevice));
	if (alone)
		scan<false><<<tiles, TILE>>>(d_in, d_out, state);
	else
		scan<true><<<tiles, TILE>>>(d_in, d_out, state);
	CHECK(cudaMemcpy(out, d_out, (size_t)n * 4, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		sum = (alone && i % TILE == 0 ? 0 : sum) + in[i];
		wrong += out[i] != sum;
	}
	return verdict("lookback", wrong);
}

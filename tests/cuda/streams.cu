/* A long vector in pieces, each on a stream of its own: copied in, worked on, copied out, from and to pinned memory.
 * A last stream waits for the others by their events. */
#include "check.h"

enum { STREAMS = 4, PIECE = 2048, N = STREAMS * PIECE };

__global__ void square(const float *from, float *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = from[i] * from[i];
}

__global__ void sum_pieces(const float *v, float *sum)
{
	float s = 0;

	for (int p = 0; p < STREAMS; p++)
		s += v[p * PIECE + threadIdx.x];
	sum[threadIdx.x] = s;
}

static void CUDART_CB count(void *counter)
{
	++*(int *)counter;
}

int main()
{
	float *in, *out, *d_in, *d_out, *d_sum, sum[64];
	cudaStream_t stream[STREAMS], last;
	cudaEvent_t done[STREAMS];
	int calls = 0;
	long wrong = 0;

	CHECK(cudaMallocHost(&in, N * sizeof(float)));
	CHECK(cudaHostAlloc(&out, N * sizeof(float), cudaHostAllocDefault));
	CHECK(cudaMalloc(&d_in, N * sizeof(float)));
	CHECK(cudaMalloc(&d_out, N * sizeof(float)));
	CHECK(cudaMalloc(&d_sum, sizeof sum));
	CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
	for (int i = 0; i < N; i++)
		in[i] = (float)(i % 100);
	for (int s = 0; s < STREAMS; s++) {
		int at = s * PIECE;

		CHECK(cudaStreamCreate(&stream[s]));
		CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
		CHECK(cudaMemcpyAsync(d_in + at, in + at, PIECE * sizeof(float), cudaMemcpyHostToDevice, stream[s]));
		square<<<PIECE / 256, 256, 0, stream[s]>>>(d_in + at, d_out + at, PIECE);
		CHECK(cudaEventRecord(done[s], stream[s]));
		CHECK(cudaStreamWaitEvent(last, done[s], 0));
		CHECK(cudaMemcpyAsync(out + at, d_out + at, PIECE * sizeof(float), cudaMemcpyDeviceToHost, stream[s]));
		CHECK(cudaLaunchHostFunc(stream[s], count, &calls));
	}
	sum_pieces<<<1, 64, 0, last>>>(d_out, d_sum);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost, last));
	CHECK(cudaStreamSynchronize(last));
	for (int s = 0; s < STREAMS; s++) {
		CHECK(cudaStreamSynchronize(stream[s]));
		CHECK(cudaStreamQuery(stream[s]));
	}
	wrong += calls != STREAMS;
	for (int i = 0; i < N; i++)
		wrong += out[i] != (float)(i % 100 * (i % 100));
	for (int i = 0; i < 64; i++) {
		float expected = 0;

		for (int s = 0; s < STREAMS; s++)
			expected += (float)((s * PIECE + i) % 100 * ((s * PIECE + i) % 100));
		wrong += sum[i] != expected;
	}
	for (int s = 0; s < STREAMS; s++) {
		CHECK(cudaStreamDestroy(stream[s]));
		CHECK(cudaEventDestroy(done[s]));
	}
	CHECK(cudaStreamDestroy(last));
	CHECK(cudaFreeHost(in));
	CHECK(cudaFreeHost(out));
	CHECK(cudaFree(d_in));
	CHECK(cudaFree(d_out));
	CHECK(cudaFree(d_sum));
	return verdict("streams", wrong);
}

/* Texture references, which CUDA had up to version 11: one over linear memory, one over an array that filters. */
#include <cmath>
#include <vector>

#include "check.h"

enum { N = 512, SIDE = 16 };

texture<float, cudaTextureType1D, cudaReadModeElementType> weights;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;

__global__ void gather(const int *index, float *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i] = tex1Dfetch(weights, index[i]);
}

/* The middle of four texels: the mean of them. */
__global__ void halve(float *to)
{
	int x = threadIdx.x, y = threadIdx.y;

	to[y * (SIDE / 2) + x] = tex2D(image, 2 * x + 1, 2 * y + 1);
}

static long try_gather()
{
	std::vector<float> w(N), result(N);
	std::vector<int> index(N);
	float *d_w, *to;
	int *d_index;
	long wrong = 0;

	for (int i = 0; i < N; i++) {
		w[i] = i * 0.5f;
		index[i] = i * 7 % N;
	}
	CHECK(cudaMalloc(&d_w, N * sizeof(float)));
	CHECK(cudaMalloc(&to, N * sizeof(float)));
	CHECK(cudaMalloc(&d_index, N * sizeof(int)));
	CHECK(cudaMemcpy(d_w, w.data(), N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_index, index.data(), N * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaBindTexture(nullptr, weights, d_w, N * sizeof(float)));
	gather<<<N / 128, 128>>>(d_index, to);
	CHECK(cudaGetLastError());
	CHECK(cudaUnbindTexture(weights));
	CHECK(cudaMemcpy(result.data(), to, N * sizeof(float), cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		wrong += result[i] != w[index[i]];
	CHECK(cudaFree(d_w));
	CHECK(cudaFree(to));
	CHECK(cudaFree(d_index));
	return wrong;
}

static long try_halve()
{
	std::vector<unsigned char> pixel(SIDE * SIDE);
	std::vector<float> result(SIDE * SIDE / 4);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
	cudaArray *array;
	float *to;
	long wrong = 0;

	for (int i = 0; i < SIDE * SIDE; i++)
		pixel[i] = (unsigned char)(i * 11);
	CHECK(cudaMallocArray(&array, &format, SIDE, SIDE));
	CHECK(cudaMemcpyToArray(array, 0, 0, pixel.data(), SIDE * SIDE, cudaMemcpyHostToDevice));
	CHECK(cudaMalloc(&to, SIDE * SIDE / 4 * sizeof(float)));
	image.filterMode = cudaFilterModeLinear;
	image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
	CHECK(cudaBindTextureToArray(image, array, format));
	halve<<<1, dim3(SIDE / 2, SIDE / 2)>>>(to);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), to, SIDE * SIDE / 4 * sizeof(float), cudaMemcpyDeviceToHost));
	for (int i = 0; i < SIDE * SIDE / 4; i++) {
		const unsigned char *p = &pixel[i / (SIDE / 2) * 2 * SIDE + i % (SIDE / 2) * 2];

		wrong += !(std::fabs(result[i] - (p[0] + p[1] + p[SIDE] + p[SIDE + 1]) / (4 * 255.0)) < 1e-6);
	}
	CHECK(cudaFreeArray(array));
	CHECK(cudaFree(to));
	return wrong;
}

int main()
{
	return verdict("texref", try_gather() + try_halve());
}

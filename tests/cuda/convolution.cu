/* A 5 x 5 convolution of an image in pitched memory, whose filter is in constant memory. Counts the pixels that it
 * clips in a variable of the device's. Integers throughout. */
#include <vector>

#include "check.h"

enum { WIDTH = 77, HEIGHT = 45, RADIUS = 2, SIDE = 2 * RADIUS + 1 };

__constant__ int filter[SIDE][SIDE];
__device__ int clipped;
__device__ int brightest[2] = {255, -1}; /* the limit; what was met */

__global__ void convolve(const unsigned char *from, size_t from_pitch, unsigned char *to, size_t to_pitch)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;

	if (x >= WIDTH || y >= HEIGHT)
		return;
	for (int j = -RADIUS; j <= RADIUS; j++)
		for (int i = -RADIUS; i <= RADIUS; i++)
			if (x + i >= 0 && x + i < WIDTH && y + j >= 0 && y + j < HEIGHT)
				sum += filter[j + RADIUS][i + RADIUS] * from[(y + j) * from_pitch + x + i];
	atomicMax(&brightest[1], sum);
	if (sum > brightest[0])
		atomicAdd(&clipped, 1);
	to[y * to_pitch + x] = (unsigned char)min(max(sum, 0), brightest[0]);
}

static int pixel_on_host(const std::vector<unsigned char> &image, const int f[SIDE][SIDE], int x, int y)
{
	int sum = 0;

	for (int j = -RADIUS; j <= RADIUS; j++)
		for (int i = -RADIUS; i <= RADIUS; i++)
			if (x + i >= 0 && x + i < WIDTH && y + j >= 0 && y + j < HEIGHT)
				sum += f[j + RADIUS][i + RADIUS] * image[(y + j) * WIDTH + x + i];
	return sum;
}

int main()
{
	std::vector<unsigned char> image(WIDTH * HEIGHT), result(WIDTH * HEIGHT, 7);
	int f[SIDE][SIDE], zero = 0, n_clipped, met, most = -1, expected_clipped = 0;
	unsigned char *from, *to;
	size_t from_pitch, to_pitch, size;
	dim3 block(16, 8), grid((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
	long wrong = 0;
	void *at;

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		image[i] = (unsigned char)(i * 7 % 41);
	for (int i = 0; i < SIDE * SIDE; i++)
		f[i / SIDE][i % SIDE] = i % 3 - (i % 4 == 1);
	CHECK(cudaMallocPitch(&from, &from_pitch, WIDTH, HEIGHT));
	CHECK(cudaMallocPitch(&to, &to_pitch, WIDTH, HEIGHT));
	CHECK(cudaMemcpy2D(from, from_pitch, image.data(), WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
	CHECK(cudaMemset2D(to, to_pitch, 0xee, WIDTH, HEIGHT));
	CHECK(cudaGetSymbolSize(&size, filter));
	wrong += size != sizeof f;
	CHECK(cudaMemcpyToSymbol(filter, f, sizeof f));
	CHECK(cudaGetSymbolAddress(&at, clipped));
	CHECK(cudaMemcpy(at, &zero, sizeof zero, cudaMemcpyHostToDevice));
	convolve<<<grid, block>>>(from, from_pitch, to, to_pitch);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy2D(result.data(), WIDTH, to, to_pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromSymbol(&n_clipped, clipped, sizeof n_clipped));
	CHECK(cudaMemcpyFromSymbol(&met, brightest, sizeof met, sizeof met));
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			int sum = pixel_on_host(image, f, x, y);

			wrong += result[y * WIDTH + x] != (sum < 0 ? 0 : sum > 255 ? 255 : sum);
			expected_clipped += sum > 255;
			most = sum > most ? sum : most;
		}
	wrong += n_clipped != expected_clipped || !n_clipped || met != most;
	CHECK(cudaFree(from));
	CHECK(cudaFree(to));
	return verdict("convolution", wrong);
}

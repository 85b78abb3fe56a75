/* Turns an image by way of a texture: linear filtering, coordinates from 0 to 1 that wrap around. The reference is the
 * formula of the CUDA C++ Programming Guide ("Texture Fetching"), whose weights have eight bits behind the point. */
#include <cmath>
#include <vector>

#include "check.h"

enum { WIDTH = 48, HEIGHT = 32 };

__global__ void rotate(float *to, cudaTextureObject_t image, float c, float s)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = (x + 0.5f) / WIDTH - 0.5f, v = (y + 0.5f) / HEIGHT - 0.5f;

	to[y * WIDTH + x] = tex2D<float>(image, u * c - v * s + 0.5f, u * s + v * c + 0.5f);
}

static int wrapped(int i, int n)
{
	return (i % n + n) % n;
}

static double pixel_on_host(const std::vector<float> &image, double u, double v)
{
	double x = (u - floor(u)) * WIDTH - 0.5, y = (v - floor(v)) * HEIGHT - 0.5;
	int i = (int)floor(x), j = (int)floor(y);
	double a = x - i, b = y - j;
	const float *row = &image[wrapped(j, HEIGHT) * WIDTH], *next = &image[wrapped(j + 1, HEIGHT) * WIDTH];

	return (1 - b) * ((1 - a) * row[wrapped(i, WIDTH)] + a * row[wrapped(i + 1, WIDTH)]) +
	       b * ((1 - a) * next[wrapped(i, WIDTH)] + a * next[wrapped(i + 1, WIDTH)]);
}

int main()
{
	std::vector<float> image(WIDTH * HEIGHT), result(WIDTH * HEIGHT);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t texture;
	cudaArray_t array;
	float *to, c = std::cos(0.5f), s = std::sin(0.5f);
	long wrong = 0;

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		image[i] = (float)(i * 37 % 101) / 100;
	CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
	CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), WIDTH * sizeof(float), WIDTH * sizeof(float), HEIGHT,
				  cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
	how.filterMode = cudaFilterModeLinear;
	how.readMode = cudaReadModeElementType;
	how.normalizedCoords = 1;
	CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
	CHECK(cudaMalloc(&to, WIDTH * HEIGHT * sizeof(float)));
	rotate<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(to, texture, c, s);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), to, WIDTH * HEIGHT * sizeof(float), cudaMemcpyDeviceToHost));
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			double u = (x + 0.5) / WIDTH - 0.5, v = (y + 0.5) / HEIGHT - 0.5;
			/* Half a weight's last bit in x and in y. */
			double is = pixel_on_host(image, u * c - v * s + 0.5, u * s + v * c + 0.5);

			wrong += !(std::fabs(result[y * WIDTH + x] - is) < 1.0 / 256);
		}
	CHECK(cudaDestroyTextureObject(texture));
	CHECK(cudaFreeArray(array));
	CHECK(cudaFree(to));
	return verdict("rotate", wrong);
}

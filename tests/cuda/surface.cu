/* Conway's game of life on two surfaces in turn. What is beyond the edge is dead: such reads give zero. */
#include <vector>

#include "check.h"

enum { WIDTH = 32, HEIGHT = 24, STEPS = 5 };

__global__ void step(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, neighbours = 0;
	uchar1 cell;

	for (int j = -1; j <= 1; j++)
		for (int i = -1; i <= 1; i++) {
			surf2Dread(&cell, from, x + i, y + j, cudaBoundaryModeZero); /* x in bytes: a cell is one */
			neighbours += i || j ? cell.x : 0;
		}
	surf2Dread(&cell, from, x, y);
	cell.x = neighbours == 3 || (cell.x && neighbours == 2);
	surf2Dwrite(cell, to, x, y);
}

static std::vector<unsigned char> step_on_host(const std::vector<unsigned char> &from)
{
	std::vector<unsigned char> to(from.size());

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			int neighbours = -from[y * WIDTH + x];

			for (int j = y - 1; j <= y + 1; j++)
				for (int i = x - 1; i <= x + 1; i++)
					neighbours += i >= 0 && i < WIDTH && j >= 0 && j < HEIGHT ? from[j * WIDTH + i] : 0;
			to[y * WIDTH + x] = neighbours == 3 || (from[y * WIDTH + x] && neighbours == 2);
		}
	return to;
}

int main()
{
	std::vector<unsigned char> world(WIDTH * HEIGHT), result(WIDTH * HEIGHT);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar1>();
	cudaSurfaceObject_t surface[2];
	cudaArray_t array[2];
	long wrong = 0, alive = 0;

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		world[i] = (unsigned char)(i * 2654435761u >> 30 == 0);
	for (int i = 0; i < 2; i++) {
		cudaResourceDesc resource = {};

		CHECK(cudaMallocArray(&array[i], &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
		resource.resType = cudaResourceTypeArray;
		resource.res.array.array = array[i];
		CHECK(cudaCreateSurfaceObject(&surface[i], &resource));
	}
	CHECK(cudaMemcpy2DToArray(array[0], 0, 0, world.data(), WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
	for (int s = 0; s < STEPS; s++) {
		step<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(surface[s % 2], surface[(s + 1) % 2]);
		world = step_on_host(world);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy2DFromArray(result.data(), WIDTH, array[STEPS % 2], 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		wrong += result[i] != world[i];
		alive += world[i];
	}
	for (int i = 0; i < 2; i++) {
		CHECK(cudaDestroySurfaceObject(surface[i]));
		CHECK(cudaFreeArray(array[i]));
	}
	return verdict("surface", wrong + !alive);
}

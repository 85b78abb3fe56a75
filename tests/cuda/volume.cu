/* A stencil of seven points over a volume in pitched memory, of which a box is copied back. */
#include <vector>

#include "check.h"

enum { X = 21, Y = 14, Z = 9 };

__global__ void stencil(cudaPitchedPtr from, cudaPitchedPtr to)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y, z = blockIdx.z;
	size_t slice = from.pitch * Y;
	const char *row = (const char *)from.ptr + z * slice + y * from.pitch;

	if (x < 1 || y < 1 || z < 1 || x >= X - 1 || y >= Y - 1 || z >= Z - 1)
		return;
	int sum = ((const int *)row)[x - 1] + ((const int *)row)[x + 1] + ((const int *)(row - from.pitch))[x] +
		  ((const int *)(row + from.pitch))[x] + ((const int *)(row - slice))[x] + ((const int *)(row + slice))[x];
	((int *)((char *)to.ptr + z * slice + y * to.pitch))[x] = sum - 6 * ((const int *)row)[x];
}

static int value(int x, int y, int z)
{
	return x * x + 3 * y * z + (x ^ z);
}

static int stencil_on_host(int x, int y, int z)
{
	return value(x - 1, y, z) + value(x + 1, y, z) + value(x, y - 1, z) + value(x, y + 1, z) + value(x, y, z - 1) +
	       value(x, y, z + 1) - 6 * value(x, y, z);
}

int main()
{
	std::vector<int> volume(X * Y * Z), box(5 * 4 * 3, -1);
	cudaExtent all = make_cudaExtent(X * sizeof(int), Y, Z);
	cudaPitchedPtr from, to;
	cudaMemcpy3DParms in = {}, out = {};
	long wrong = 0;

	for (int i = 0; i < X * Y * Z; i++)
		volume[i] = value(i % X, i / X % Y, i / X / Y);
	CHECK(cudaMalloc3D(&from, all));
	CHECK(cudaMalloc3D(&to, all));
	CHECK(cudaMemset3D(to, 0, all));
	in.srcPtr = make_cudaPitchedPtr(volume.data(), X * sizeof(int), X, Y);
	in.dstPtr = from;
	in.extent = all;
	in.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&in));
	stencil<<<dim3(2, 1, Z), dim3(16, Y)>>>(from, to);
	CHECK(cudaGetLastError());
	out.srcPtr = to;
	out.srcPos = make_cudaPos(2 * sizeof(int), 3, 4); /* bytes, rows, slices */
	out.dstPtr = make_cudaPitchedPtr(box.data(), 5 * sizeof(int), 5, 4);
	out.extent = make_cudaExtent(5 * sizeof(int), 4, 3);
	out.kind = cudaMemcpyDeviceToHost;
	CHECK(cudaMemcpy3D(&out));
	for (int i = 0; i < 5 * 4 * 3; i++)
		wrong += box[i] != stencil_on_host(2 + i % 5, 3 + i / 5 % 4, 4 + i / 20);
	CHECK(cudaFree(from.ptr));
	CHECK(cudaFree(to.ptr));
	return verdict("volume", wrong);
}

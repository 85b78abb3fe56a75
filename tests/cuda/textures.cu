/* A transposition through a texture reference over pitched memory, and a gather through an object over linear memory.
 * */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

texture<float, cudaTextureType2D, cudaReadModeElementType> image;

__global__ void transpose(float *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < w && y < h)
		out[x * h + y] = tex2D(image, x + 0.5f, y + 0.5f);
}
__global__ void gather(int *out, cudaTextureObject_t table, const int *index, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		int2 pair = tex1Dfetch<int2>(table, index[i]);

		out[i] = pair.x + 1000 * pair.y;
	}
}

int main()
{
	const int w = 50, h = 20, n = 64;
	float in[h][w], out[w][h], *d_in, *d_out;
	int2 pairs[n], *d_pairs;
	int index[n], sums[n], *d_index, *d_sums;
	size_t pitch;
	cudaTextureObject_t object;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc how;
	bool ok = true;

	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			in[y][x] = (float)(100 * y + x);
	cudaMallocPitch(&d_in, &pitch, w * sizeof(float), h);
	cudaMalloc(&d_out, sizeof out);
	cudaMemcpy2D(d_in, pitch, in, sizeof in[0], w * sizeof(float), h, cudaMemcpyHostToDevice);
	image.addressMode[0] = cudaAddressModeClamp;
	cudaBindTexture2D(nullptr, image, d_in, w, h, pitch);
	transpose<<<dim3(4, 2), dim3(16, 16)>>>(d_out, w, h);
	cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
	cudaUnbindTexture(image);
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			ok &= out[x][y] == in[y][x];

	for (int i = 0; i < n; i++) {
		pairs[i] = make_int2(i, 2 * i);
		index[i] = i * 5 % n;
	}
	cudaMalloc(&d_pairs, sizeof pairs);
	cudaMalloc(&d_index, sizeof index);
	cudaMalloc(&d_sums, sizeof sums);
	cudaMemcpy(d_pairs, pairs, sizeof pairs, cudaMemcpyHostToDevice);
	cudaMemcpy(d_index, index, sizeof index, cudaMemcpyHostToDevice);
	memset(&resource, 0, sizeof resource);
	memset(&how, 0, sizeof how);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = d_pairs;
	resource.res.linear.desc = cudaCreateChannelDesc<int2>();
	resource.res.linear.sizeInBytes = sizeof pairs;
	how.addressMode[0] = cudaAddressModeClamp;
	how.readMode = cudaReadModeElementType;
	cudaCreateTextureObject(&object, &resource, &how, nullptr);
	gather<<<1, n>>>(d_sums, object, d_index, n);
	cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
	cudaDestroyTextureObject(object);
	for (int i = 0; i < n; i++)
		ok &= sums[i] == index[i] * 2001;
	puts(ok && !cudaGetLastError() ? "textures: ok" : "textures: wrong");
	return 0;
}

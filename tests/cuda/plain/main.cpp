/* A host program in C++ alone: the runtime's C interface, without <<<>>>. */
#include <cstring>
#include <cuda_runtime_api.h>
#include <vector>

#include "../check.h"
#include "device.h"

extern "C" const void *scale_kernel();

int main()
{
	std::vector<float> v(1000);
	Device device = pick_device();
	float by = 1.5f, *d;
	int n = (int)v.size();
	void *args[] = {&d, &n, &by};
	cudaPointerAttributes where;
	long wrong = device.sms < 1 || device.bytes < 1 << 20;

	for (int i = 0; i < n; i++)
		v[i] = (float)i;
	CHECK(cudaMalloc((void **)&d, n * sizeof(float)));
	CHECK(cudaPointerGetAttributes(&where, d));
	wrong += where.type != cudaMemoryTypeDevice || where.devicePointer != d;
	CHECK(cudaPointerGetAttributes(&where, v.data()));
	wrong += where.type != cudaMemoryTypeUnregistered;
	CHECK(cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaLaunchKernel(scale_kernel(), dim3((n + 127) / 128), dim3(128), args, 0, nullptr));
	CHECK(cudaMemcpy(v.data(), d, n * sizeof(float), cudaMemcpyDefault));
	for (int i = 0; i < n; i++)
		wrong += v[i] != 1.5f * i;
	CHECK(cudaFree(d));
	wrong += strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
	return verdict("plain", wrong);
}

#include "device.h"

#include "../check.h"

Device pick_device()
{
	int count = 0, warp = 0;
	cudaDeviceProp prop;

	CHECK(cudaGetDeviceCount(&count));
	CHECK(cudaSetDevice(0));
	CHECK(cudaGetDeviceProperties(&prop, 0));
	CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
	if (warp != prop.warpSize || count < 1) {
		printf("plain: a device of warps of %d and of %d\n", warp, prop.warpSize);
		exit(1);
	}
	return {prop.multiProcessorCount, prop.totalGlobalMem};
}

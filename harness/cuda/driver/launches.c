/* Launches, and what functions are. */
#include <stddef.h>

#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/registration.h"

static dim3 shape(unsigned int x, unsigned int y, unsigned int z)
{
	return (dim3){x, y, z};
}

/* "extra": pairs of a tag and a value, the parameter block and where its size is. False: it has no block. */
static bool find_block(void **extra, const void **block, size_t *bytes)
{
	*block = NULL;
	*bytes = 0;
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			*block = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			*bytes = *(const size_t *)extra[1];
		else
			return false;
	}
	return *block != NULL;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
			unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **params,
			void **extra)
{
	dim3 grid = shape(grid_x, grid_y, grid_z), block = shape(block_x, block_y, block_z);
	const void *bytes;
	size_t n;

	if (!f || (params && extra))
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (!extra)
		return driver_result(ORDER_ON(stream, launch_args(f, grid, block, params, shared, false)));
	if (!find_block(extra, &bytes, &n))
		return CUDA_ERROR_INVALID_VALUE;
	return driver_result(ORDER_ON(stream, launch_block(f, grid, block, bytes, n, shared)));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
				   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
				   CUstream stream, void **params)
{
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	return driver_result(ORDER_ON(
		stream, launch_args(f, shape(grid_x, grid_y, grid_z), shape(block_x, block_y, block_z), params, shared, true)));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f)
{
	struct cudaFuncAttributes a;
	cudaError_t error = value && f ? cudaFuncGetAttributes(&a, f) : cudaErrorInvalidValue;

	if (error)
		return driver_result(error);
	switch (attribute) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = a.maxThreadsPerBlock;
		break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)a.sharedSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
		*value = (int)a.constSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value = (int)a.localSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*value = a.numRegs;
		break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*value = a.ptxVersion;
		break;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = a.maxDynamicSharedSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
	case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
		*value = 0;
		break;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value)
{
	return f ? driver_result(cudaFuncSetAttribute(f, (enum cudaFuncAttribute)attribute, value)) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config)
{
	(void)config;
	return f ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, CUfunction f, int threads, size_t shared)
{
	return f ? driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(ctas, f, threads, shared))
		 : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, CUfunction f, int threads, size_t shared,
							      unsigned int flags)
{
	(void)flags;
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(ctas, f, threads, shared);
}

/* The most threads of an SM, of blocks of whole warps; of several sizes the largest. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of, size_t shared,
					  int most)
{
	int threads = 0, best = 0, sms = 0, limit = 0;
	CUresult r = grid && block && f ? cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f)
					: CUDA_ERROR_INVALID_VALUE;

	if (r)
		return r;
	for (int n = most > 0 && most < limit ? most : limit; n > 0; n = n % 32 ? n - n % 32 : n - 32) {
		int ctas = 0;

		r = cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, f, n, shared_of ? shared_of(n) : shared);
		if (r)
			return r;
		if (ctas * n > threads) {
			threads = ctas * n;
			best = n;
		}
	}
	r = cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	*block = best;
	*grid = best ? threads / best * sms : 0;
	return r;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra)
{
	bool cooperative = false;

	if (!c || (c->numAttrs && !c->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < c->numAttrs; i++) {
		const CUlaunchAttribute *a = &c->attrs[i];

		if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			cooperative = a->value.cooperative != 0;
		if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
		    a->value.clusterDim.x * a->value.clusterDim.y * a->value.clusterDim.z > 1)
			return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (cooperative)
		return extra ? CUDA_ERROR_INVALID_VALUE
			     : cuLaunchCooperativeKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY,
							 c->blockDimZ, c->sharedMemBytes, c->hStream, params);
	return cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes,
			      c->hStream, params, extra);
}

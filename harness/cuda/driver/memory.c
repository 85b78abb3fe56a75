/* Memory, copies, fills. */
#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/copies.h"

static CUresult take(CUdeviceptr *p, void *at, cudaError_t error)
{
	if (!error)
		*p = (uintptr_t)at;
	return driver_result(error);
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
	return driver_result(cudaMemGetInfo(available, total));
}

CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes)
{
	void *at = NULL;

	return p && bytes ? take(p, at, cudaMalloc(&at, bytes)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned int element)
{
	void *at = NULL;

	if (!p || !pitch || (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	return take(p, at, cudaMallocPitch(&at, pitch, width, height));
}

CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned int flags)
{
	void *at = NULL;

	return p ? take(p, at, cudaMallocManaged(&at, bytes, flags)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFree_v2(CUdeviceptr p)
{
	return p ? driver_result(cudaFree(driver_pointer(p))) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream)
{
	return DRIVER_ON(stream, cuMemAlloc_v2(p, bytes));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
	return DRIVER_ON(stream, cuMemFree_v2(p));
}

CUresult cuMemAllocHost_v2(void **p, size_t bytes)
{
	return driver_result(cudaMallocHost(p, bytes));
}

CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned int flags)
{
	return driver_result(cudaHostAlloc(p, bytes, flags));
}

CUresult cuMemFreeHost(void *p)
{
	return driver_result(cudaFreeHost(p));
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned int flags)
{
	void *at = NULL;

	return device ? take(device, at, cudaHostGetDevicePointer(&at, host, flags)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
	return driver_result(cudaHostGetFlags(flags, host));
}

CUresult cuMemHostRegister_v2(void *p, size_t bytes, unsigned int flags)
{
	return driver_result(cudaHostRegister(p, bytes, flags));
}

CUresult cuMemHostUnregister(void *p)
{
	return driver_result(cudaHostUnregister(p));
}

/* ---- copies ---- */

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return driver_result(cudaMemcpy(driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpy(to, from, bytes));
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
	return driver_result(cudaMemcpy(driver_pointer(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
	return driver_result(cudaMemcpy(to, driver_pointer(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return driver_result(cudaMemcpy(driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpyHtoD_v2(to, from, bytes));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpyDtoH_v2(to, from, bytes));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpyDtoD_v2(to, from, bytes));
}

/* ---- fills ---- */

CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char value, size_t n)
{
	return driver_result(cudaMemset(driver_pointer(p), value, n));
}

/* n elements of 2 or 4 bytes. */
static CUresult fill(CUdeviceptr p, uint32_t value, unsigned element, size_t n)
{
	struct copy_side to = {.at = driver_pointer(p)};

	if (p % element || n > SIZE_MAX / element)
		return CUDA_ERROR_INVALID_VALUE;
	return driver_result(copy_fill(to, value, element, (struct copy_box){element * n, 1, 1}));
}

CUresult cuMemsetD16_v2(CUdeviceptr p, unsigned short value, size_t n)
{
	return fill(p, value, 2, n);
}

CUresult cuMemsetD32_v2(CUdeviceptr p, unsigned int value, size_t n)
{
	return fill(p, value, 4, n);
}

CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream stream)
{
	return DRIVER_ON(stream, cuMemsetD8_v2(p, value, n));
}

CUresult cuMemsetD32Async(CUdeviceptr p, unsigned int value, size_t n, CUstream stream)
{
	return DRIVER_ON(stream, cuMemsetD32_v2(p, value, n));
}

CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t n, CUstream stream)
{
	return DRIVER_ON(stream, cuMemsetD16_v2(p, value, n));
}

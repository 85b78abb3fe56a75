/* What is at an address. */
#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"

/* kind, base, bytes. */
static bool look_up(CUdeviceptr p, struct wire_answer *at)
{
	return connection_is_device(driver_pointer(p)) &&
	       connection_call(WIRE_POINTER, 1, (uint64_t[]){p}, NULL, at) == cudaSuccess;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
	struct wire_answer at;

	if (!look_up(p, &at))
		return CUDA_ERROR_NOT_FOUND;
	if (base)
		*base = at.r[1];
	if (bytes)
		*bytes = at.r[2];
	return CUDA_SUCCESS;
}

static CUresult host_pointer(void **to, CUdeviceptr p, uint64_t kind)
{
	*to = kind == WIRE_DEVICE || kind == WIRE_VARIABLE_MEMORY ? NULL : driver_pointer(p);
	return *to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr p)
{
	struct wire_answer at;
	bool managed;

	if (!value || !look_up(p, &at))
		return CUDA_ERROR_INVALID_VALUE;
	managed = at.r[0] == WIRE_MANAGED || at.r[0] == WIRE_MANAGED_VARIABLE;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		return cuCtxGetCurrent(value);
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(CUmemorytype *)value = at.r[0] == WIRE_HOST ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)value = p;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		return host_pointer(value, p, at.r[0]);
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned int *)value = managed;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)value = 0;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		*(CUdeviceptr *)value = at.r[1];
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		*(size_t *)value = at.r[2];
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		*(unsigned int *)value = 1;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

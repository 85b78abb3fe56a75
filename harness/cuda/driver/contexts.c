/* Devices and contexts. There is one context, whoever makes it. */
#include <stdio.h>
#include <string.h>

#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/properties.h"

struct CUctx_st {
	char is;
};

static CUcontext the_context(void)
{
	static struct CUctx_st context;

	return &context;
}

CUresult driver_result(cudaError_t error)
{
	switch (error) {
	case cudaErrorInvalidConfiguration:
	case cudaErrorInvalidPitchValue:
	case cudaErrorInvalidMemcpyDirection:
	case cudaErrorInvalidChannelDescriptor:
	case cudaErrorInvalidTexture:
	case cudaErrorInvalidTextureBinding:
	case cudaErrorInvalidSurface:
	case cudaErrorInvalidFilterSetting:
	case cudaErrorInvalidNormSetting:
		return CUDA_ERROR_INVALID_VALUE;
	case cudaErrorInvalidSymbol:
	case cudaErrorInvalidDeviceFunction:
		return CUDA_ERROR_NOT_FOUND;
	default:
		return (CUresult)error;
	}
}

CUresult cuInit(unsigned int flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	return connection_device() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *version)
{
	return driver_result(cudaDriverGetVersion(version));
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = cudaGetErrorName((cudaError_t)error);
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = cudaGetErrorString((cudaError_t)error);
	return CUDA_SUCCESS;
}

static CUresult check_device(const void *out, CUdevice device)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!connection_device())
		return CUDA_ERROR_NOT_INITIALIZED;
	return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult r = check_device(device, ordinal);

	if (!r)
		*device = 0;
	return r;
}

CUresult cuDeviceGetCount(int *count)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = connection_device() != NULL;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
	CUresult r = room > 0 ? check_device(name, device) : CUDA_ERROR_INVALID_VALUE;

	if (!r)
		snprintf(name, (size_t)room, "%s", connection_device()->name);
	return r;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	CUresult r = check_device(bytes, device);

	if (!r)
		*bytes = connection_device()->memory_bytes;
	return r;
}

/* Attributes have the runtime's numbers. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	CUresult r = check_device(value, device);

	if (!r)
		*value = properties_attribute(connection_device(), (enum cudaDeviceAttr)attribute);
	return r;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult r = minor ? check_device(major, device) : CUDA_ERROR_INVALID_VALUE;

	if (r)
		return r;
	*major = (int)connection_device()->capability / 10;
	*minor = (int)connection_device()->capability % 10;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	CUresult r = check_device(context, device);

	if (!r)
		*context = the_context();
	return r;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	return check_device(&device, device);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
	(void)flags;
	return cuDevicePrimaryCtxRetain(context, device);
}

/* CUDA 13's, and 12's beside it: what their parameters ask for is not there. */
CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned int flags, CUdevice device)
{
	return params ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
	return context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	return !context || context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	return cuDevicePrimaryCtxRetain(context, 0);
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
	return cuCtxDestroy_v2(context);
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
	return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	return cuDeviceGet(device, 0);
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = 3020; /* what contexts have told since CUDA 3.2 */
	return cuCtxSetCurrent(context);
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	return driver_result(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	return driver_result(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	enum cudaFuncCache is = cudaFuncCachePreferNone;
	cudaError_t error = config ? cudaDeviceGetCacheConfig(&is) : cudaErrorInvalidValue;

	if (!error)
		*config = (CUfunc_cache)is;
	return driver_result(error);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	return driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	(void)peer;
	return driver_result(cudaDeviceEnablePeerAccess(0, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
	(void)peer;
	return driver_result(cudaDeviceDisablePeerAccess(0));
}

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device)
{
	return driver_result(cudaDeviceGetPCIBusId(id, room, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
	return driver_result(cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuProfilerStart(void)
{
	return driver_result(cudaProfilerStart());
}

CUresult cuProfilerStop(void)
{
	return driver_result(cudaProfilerStop());
}

CUresult cuCtxSynchronize(void)
{
	return driver_result(cudaDeviceSynchronize());
}

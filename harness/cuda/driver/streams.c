/* Streams and events are the runtime's. */
#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return driver_result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	return driver_result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	return driver_result(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	return driver_result(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags)
{
	CUresult done = driver_result(order_pass(stream));

	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (done == CUDA_ERROR_INVALID_HANDLE)
		return done;
	callback(stream, done, data);
	return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
	return driver_result(cudaLaunchHostFunc(stream, fn, data));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned int flags)
{
	return driver_result(cudaStreamAttachMemAsync(stream, driver_pointer(p), bytes, flags));
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	return driver_result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
	return driver_result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
	return driver_result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	return driver_result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	return driver_result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy_v2(CUevent event)
{
	return driver_result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	return driver_result(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event)
{
	return driver_result(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event)
{
	return driver_result(cudaEventQuery(event));
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to);
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to)
{
	return driver_result(cudaEventElapsedTime(milliseconds, from, to));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
	return driver_result(cudaEventElapsedTime(milliseconds, from, to));
}

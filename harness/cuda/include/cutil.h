/* What programs for CUDA 4 and before called from the SDK's cutil library. Written anew from how they call it. */
#ifndef LOCUS_CUDA_CUTIL_H
#define LOCUS_CUDA_CUTIL_H

#include "helper_cuda.h"
#include "helper_functions.h"

typedef int CUTBoolean;
#define CUTFalse 0
#define CUTTrue	 1

#define CUDA_SAFE_CALL(call)	       checkCudaErrors(call)
#define CUDA_SAFE_CALL_NO_SYNC(call)   checkCudaErrors(call)
#define cutilSafeCall(call)	       checkCudaErrors(call)
#define cutilSafeCallNoSync(call)      checkCudaErrors(call)
#define CUT_CHECK_ERROR(message)       getLastCudaError(message)
#define cutilCheckMsg(message)	       getLastCudaError(message)
#define cutilCheckError(call)	       ((void)(call))
#define CUT_SAFE_CALL(call)	       ((void)(call))
#define CUT_DEVICE_INIT(argc, argv)    gpuDeviceInit(0)
#define cutilDeviceInit(argc, argv)    gpuDeviceInit(0)
#define CUT_EXIT(argc, argv)	       exit(EXIT_SUCCESS)
#define cutilExit(argc, argv)	       exit(EXIT_SUCCESS)
#define cutilThreadSynchronize()       cudaDeviceSynchronize()
#define cutGetMaxGflopsDeviceId()      gpuGetMaxGflopsDeviceId()
#define CUT_BANK_CHECKER(array, index) array[index]

/* Timers by number: the address of a stop watch does not fit, so that they are kept in a table. */
static inline StopWatchInterface *locus_timer(unsigned int i, unsigned int *made = nullptr)
{
	static StopWatchInterface timers[64];
	static unsigned int n;

	if (made)
		*made = n++ % 64;
	return &timers[made ? *made : i % 64];
}
static inline CUTBoolean cutCreateTimer(unsigned int *t)
{
	locus_timer(0, t)->reset();
	return CUTTrue;
}
static inline CUTBoolean cutDeleteTimer(unsigned int)
{
	return CUTTrue;
}
static inline CUTBoolean cutStartTimer(unsigned int t)
{
	locus_timer(t)->start();
	return CUTTrue;
}
static inline CUTBoolean cutStopTimer(unsigned int t)
{
	locus_timer(t)->stop();
	return CUTTrue;
}
static inline CUTBoolean cutResetTimer(unsigned int t)
{
	locus_timer(t)->reset();
	return CUTTrue;
}
static inline float cutGetTimerValue(unsigned int t)
{
	return locus_timer(t)->getTime();
}
static inline CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
	return checkCmdLineFlag(argc, argv, name);
}
static inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
	return getCmdLineArgumentValue(argc, argv, name, value);
}
static inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name, float *value)
{
	return getCmdLineArgumentValue(argc, argv, name, value);
}
static inline CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int n, float epsilon)
{
	return compareData(reference, data, n, epsilon, 0.0f);
}
static inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon)
{
	return sdkCompareL2fe(reference, data, n, epsilon);
}

#endif

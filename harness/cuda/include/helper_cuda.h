/* What the CUDA samples check and choose by. Written anew from how the samples call it. */
#ifndef LOCUS_CUDA_HELPER_CUDA_H
#define LOCUS_CUDA_HELPER_CUDA_H

#include "cuda_runtime.h"
#include "helper_string.h"

template <class T> inline void check(T result, const char *what, const char *file, int line)
{
	if (result) {
		fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result,
			cudaGetErrorName((cudaError_t)result), what);
		exit(EXIT_FAILURE);
	}
}
static inline void __getLastCudaError(const char *message, const char *file, int line)
{
	cudaError_t e = cudaGetLastError();

	if (e) {
		fprintf(stderr, "%s(%d): %s: (%d) %s\n", file, line, message, (int)e, cudaGetErrorString(e));
		exit(EXIT_FAILURE);
	}
}
#define checkCudaErrors(call)	    check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message)   __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
static inline const char *_cudaGetErrorEnum(cudaError_t e)
{
	return cudaGetErrorName(e);
}
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* FP32 lanes of an SM (programming guide, "Arithmetic Instructions", throughput of 32-bit additions). */
static inline int _ConvertSMVer2Cores(int major, int minor)
{
	switch (major * 10 + minor) {
	case 30:
	case 32:
	case 35:
	case 37:
		return 192;
	case 60:
	case 70:
	case 72:
	case 75:
	case 80:
		return 64;
	default:
		return 128;
	}
}

/* There is one device. */
static inline int gpuDeviceInit(int device)
{
	checkCudaErrors(cudaSetDevice(device));
	return device;
}
static inline int gpuGetMaxGflopsDeviceId()
{
	return 0;
}
static inline int findCudaDevice(int argc, const char **argv)
{
	int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
	struct cudaDeviceProp p;

	gpuDeviceInit(device);
	checkCudaErrors(cudaGetDeviceProperties(&p, device));
	printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, p.name, p.major, p.minor);
	return device;
}
static inline int findIntegratedGPU()
{
	return -1;
}
static inline bool checkCudaCapabilities(int major, int minor)
{
	struct cudaDeviceProp p;
	int device = 0;

	checkCudaErrors(cudaGetDevice(&device));
	checkCudaErrors(cudaGetDeviceProperties(&p, device));
	return p.major > major || (p.major == major && p.minor >= minor);
}

#endif

#include "cuda/runtime/errors.h"

#include "cuda/include/cuda_runtime_api.h"

static cudaError_t *last(void)
{
	static _Thread_local cudaError_t error = cudaSuccess;

	return &error;
}

cudaError_t errors_note(cudaError_t error)
{
	if (error != cudaSuccess && error != cudaErrorNotReady)
		*last() = error;
	return error;
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t was = *last();

	*last() = cudaSuccess;
	return was;
}

cudaError_t cudaPeekAtLastError(void)
{
	return *last();
}

static const struct {
	cudaError_t error;
	const char *name, *text;
} errors[] = {
#define ERROR(name, text)                                                                                                          \
	{                                                                                                                          \
		name, #name, text                                                                                                  \
	}
	ERROR(cudaSuccess, "no error"),
	ERROR(cudaErrorInvalidValue, "invalid argument"),
	ERROR(cudaErrorMemoryAllocation, "out of memory"),
	ERROR(cudaErrorInitializationError, "initialization error"),
	ERROR(cudaErrorCudartUnloading, "driver shutting down"),
	ERROR(cudaErrorProfilerDisabled, "profiler disabled"),
	ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
	ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
	ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
	ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
	ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
	ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
	ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
	ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
	ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
	ERROR(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
	ERROR(cudaErrorInvalidNormSetting, "read as normalized float not supported for 32-bit non float type"),
	ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
	ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
	ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
	ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
	ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
	ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
	ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
	ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
	ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
	ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
	ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
	ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
	ERROR(cudaErrorFileNotFound, "file not found"),
	ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
	ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
	ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
	ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
	ERROR(cudaErrorNotReady, "device not ready"),
	ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
	ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
	ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
	ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
	ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
	ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
	ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
	ERROR(cudaErrorAssert, "device-side assert triggered"),
	ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
	ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
	ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
	ERROR(cudaErrorMisalignedAddress, "misaligned address"),
	ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
	ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
	ERROR(cudaErrorNotPermitted, "operation not permitted"),
	ERROR(cudaErrorNotSupported, "operation not supported"),
	ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
	ERROR(cudaErrorUnknown, "unknown error"),
#undef ERROR
};
enum { N_ERRORS = sizeof errors / sizeof errors[0] };

const char *cudaGetErrorName(cudaError_t error)
{
	for (unsigned i = 0; i < N_ERRORS; i++)
		if (errors[i].error == error)
			return errors[i].name;
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	for (unsigned i = 0; i < N_ERRORS; i++)
		if (errors[i].error == error)
			return errors[i].text;
	return "unrecognized error code";
}

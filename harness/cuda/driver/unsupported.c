/* Calls of the driver interface that are not there, but that programs and libraries ask for: each says so once, on
 * stderr. */
#include <stdatomic.h>
#include <stdio.h>

#include "cuda/driver/driver.h"

static CUresult refuse(const char *name, atomic_flag *told)
{
	if (!atomic_flag_test_and_set(told))
		fprintf(stderr, "locus: %s is not supported\n", name);
	return CUDA_ERROR_NOT_SUPPORTED;
}

#define NONE(name)                                                                                                                 \
	CUresult name(void);                                                                                                       \
	CUresult name(void)                                                                                                        \
	{                                                                                                                          \
		static atomic_flag told = ATOMIC_FLAG_INIT;                                                                        \
                                                                                                                                   \
		return refuse(#name, &told);                                                                                       \
	}

/* clang-format off */
	NONE(cuGetExportTable) NONE(cuLaunchKernelEx) NONE(cuLinkCreate_v2) NONE(cuLinkAddData_v2)
	NONE(cuLinkAddFile_v2) NONE(cuLinkComplete) NONE(cuLinkDestroy) NONE(cuArrayCreate_v2)
	NONE(cuArray3DCreate_v2) NONE(cuArrayDestroy) NONE(cuMemsetD2D16_v2) NONE(cuTexObjectCreate)
	NONE(cuTexObjectDestroy) NONE(cuSurfObjectCreate) NONE(cuSurfObjectDestroy) NONE(cuModuleGetTexRef)
	NONE(cuModuleGetSurfRef) NONE(cuTexRefSetArray) NONE(cuTexRefSetAddress_v2) NONE(cuTexRefSetFormat)
	NONE(cuTexRefSetFlags) NONE(cuTexRefSetFilterMode) NONE(cuTexRefSetAddressMode) NONE(cuParamSetSize)
	NONE(cuParamSetTexRef) NONE(cuLibraryLoadData) NONE(cuLibraryGetKernel) NONE(cuKernelGetFunction)
	NONE(cuMemAddressReserve) NONE(cuMemCreate) NONE(cuMemMap) NONE(cuMemSetAccess) NONE(cuPointerGetAttribute)
	NONE(cuPointerGetAttributes) NONE(cuStreamAddCallback) NONE(cuLaunchHostFunc) NONE(cuGraphCreate)
	NONE(cuStreamBeginCapture_v2) NONE(cuCtxGetLimit) NONE(cuCtxSetLimit) NONE(cuDeviceGetUuid_v2)
	NONE(cuMemHostRegister_v2)
	/* clang-format on */

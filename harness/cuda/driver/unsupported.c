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

/* Only CUDA's own runtime asks for these tables, of which nothing is published. */
CUresult cuGetExportTable(void);
CUresult cuGetExportTable(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		fputs("locus: the program has CUDA's own runtime built in: build it again with nvcc -cudart shared, or locus "
		      "nvcc\n",
		      stderr);
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* clang-format off */
	NONE(cuParamSetSize) NONE(cuParamSeti) NONE(cuParamSetf) NONE(cuParamSetv)
	NONE(cuFuncSetBlockShape) NONE(cuFuncSetSharedSize) NONE(cuLaunchGrid) NONE(cuMipmappedArrayCreate)
	NONE(cuMipmappedArrayGetLevel) NONE(cuMipmappedArrayDestroy) NONE(cuTexRefSetMipmappedArray)
	NONE(cuTexRefCreate) NONE(cuTexRefDestroy) NONE(cuLibraryLoadData) NONE(cuLibraryGetKernel)
	NONE(cuKernelGetFunction) NONE(cuMemAddressReserve) NONE(cuMemAddressFree) NONE(cuMemCreate) NONE(cuMemRelease)
	NONE(cuMemMap) NONE(cuMemUnmap) NONE(cuMemSetAccess) NONE(cuMemGetAllocationGranularity)
	NONE(cuPointerGetAttributes) NONE(cuGraphCreate) NONE(cuStreamBeginCapture_v2) NONE(cuDeviceGetUuid_v2)
	/* clang-format on */

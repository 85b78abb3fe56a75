#include "cuda/runtime/properties.h"

#include <stddef.h>
#include <string.h>

#include "cuda/include/cuda_runtime_api.h"

enum { SHARED_A_CTA = 48 << 10, WARP = 32, CONSTANT_BYTES = 64 << 10, TEXTURE_ALIGN = 512, PITCH_ALIGN = 32, GRID_Y = 65535 };

/* cudaDeviceProp of CUDA 13. */
struct device_prop_13 {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment, texturePitchAlignment;
	int multiProcessorCount, integrated, canMapHostMemory;
	int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
	int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
	int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
	int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
	int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
	int globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
	int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
	int cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
	int accessPolicyMaxWindowSize;
	size_t reservedSharedMemPerBlock;
	int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
	int memoryPoolsSupported, gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
	unsigned int memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, deviceNumaConfig;
	int deviceNumaId, mpsEnabled, hostNumaId;
	unsigned int gpuPciDeviceID, gpuPciSubsystemID;
	int hostNumaMultinodeIpcSupported, reserved[56];
};

static void two(int to[2], int x, int y)
{
	to[0] = x;
	to[1] = y;
}

static void three(int to[3], int x, int y, int z)
{
	two(to, x, y);
	to[2] = z;
}

/* The members that both structures have. Sizes of textures and surfaces: those of compute capability 5.0 to 9.0. */
#define FILL(p, d)                                                                                                                 \
	do {                                                                                                                       \
		memset(p, 0, sizeof *(p));                                                                                         \
		memcpy((p)->name, (d)->name, sizeof(p)->name - 1);                                                                 \
		memcpy((p)->uuid.bytes, "LOCUS-THE-DEVICE", 16);                                                                   \
		(p)->totalGlobalMem = (d)->memory_bytes;                                                                           \
		(p)->sharedMemPerBlock = (d)->shared_bytes < SHARED_A_CTA ? (d)->shared_bytes : SHARED_A_CTA;                      \
		(p)->regsPerBlock = (p)->regsPerMultiprocessor = (int)(d)->registers;                                              \
		(p)->warpSize = WARP;                                                                                              \
		(p)->memPitch = 0x7fffffff;                                                                                        \
		(p)->maxThreadsPerBlock = 1024;                                                                                    \
		three((p)->maxThreadsDim, 1024, 1024, 64);                                                                         \
		three((p)->maxGridSize, 0x7fffffff, GRID_Y, GRID_Y);                                                               \
		(p)->totalConstMem = CONSTANT_BYTES;                                                                               \
		(p)->major = (int)(d)->capability / 10;                                                                            \
		(p)->minor = (int)(d)->capability % 10;                                                                            \
		(p)->textureAlignment = (p)->surfaceAlignment = TEXTURE_ALIGN;                                                     \
		(p)->texturePitchAlignment = PITCH_ALIGN;                                                                          \
		(p)->multiProcessorCount = (int)(d)->sms;                                                                          \
		(p)->canMapHostMemory = (p)->unifiedAddressing = (p)->managedMemory = (p)->concurrentKernels = 1;                  \
		(p)->maxTexture1D = (p)->maxSurface1D = 131072;                                                                    \
		two((p)->maxTexture2D, 131072, 65536);                                                                             \
		three((p)->maxTexture2DLinear, 131072, 65000, 2097120);                                                            \
		two((p)->maxTexture2DGather, 32768, 32768);                                                                        \
		three((p)->maxTexture3D, 16384, 16384, 16384);                                                                     \
		three((p)->maxTexture3DAlt, 8192, 8192, 32768);                                                                    \
		(p)->maxTextureCubemap = (p)->maxSurfaceCubemap = 32768;                                                           \
		two((p)->maxTexture1DLayered, 32768, 2048);                                                                        \
		three((p)->maxTexture2DLayered, 32768, 32768, 2048);                                                               \
		two((p)->maxTextureCubemapLayered, 32768, 2046);                                                                   \
		two((p)->maxSurface2D, 131072, 65536);                                                                             \
		three((p)->maxSurface3D, 16384, 16384, 16384);                                                                     \
		two((p)->maxSurface1DLayered, 32768, 2048);                                                                        \
		three((p)->maxSurface2DLayered, 32768, 32768, 2048);                                                               \
		two((p)->maxSurfaceCubemapLayered, 32768, 2046);                                                                   \
		(p)->pciBusID = (p)->asyncEngineCount = 1;                                                                         \
		(p)->memoryBusWidth = (int)(d)->bus_bits;                                                                          \
		(p)->l2CacheSize = (int)(d)->l2_bytes;                                                                             \
		(p)->maxThreadsPerMultiProcessor = (int)(d)->threads;                                                              \
		(p)->maxBlocksPerMultiProcessor = (int)(d)->ctas;                                                                  \
		(p)->streamPrioritiesSupported = (p)->cooperativeLaunch = (p)->hostRegisterSupported = 1;                          \
		(p)->globalL1CacheSupported = (p)->localL1CacheSupported = (int)(d)->l1_enabled;                                   \
		(p)->sharedMemPerMultiprocessor = (p)->sharedMemPerBlockOptin = (d)->shared_bytes;                                 \
	} while (0)

void properties_of_12(struct cudaDeviceProp *p, const struct wire_device *d)
{
	FILL(p, d);
	p->clockRate = (int)d->core_khz;
	p->memoryClockRate = (int)d->memory_khz;
	p->deviceOverlap = 1;
	p->maxTexture1DLinear = 268435456;
	p->singleToDoublePrecisionPerfRatio = 2;
}

void properties_of_11(void *prop, const struct wire_device *d)
{
	struct cudaDeviceProp p;

	properties_of_12(&p, d);
	memcpy(prop, &p, offsetof(struct cudaDeviceProp, hostRegisterSupported));
}

void properties_of_13(void *prop, const struct wire_device *d)
{
	struct device_prop_13 *p = prop;

	FILL(p, d);
}

int properties_attribute(const struct wire_device *d, enum cudaDeviceAttr attr)
{
	struct cudaDeviceProp p;

	properties_of_12(&p, d);
	switch (attr) {
	case cudaDevAttrMaxThreadsPerBlock:
	case cudaDevAttrMaxBlockDimX:
	case cudaDevAttrMaxBlockDimY:
		return p.maxThreadsPerBlock;
	case cudaDevAttrMaxBlockDimZ:
		return p.maxThreadsDim[2];
	case cudaDevAttrMaxGridDimX:
		return p.maxGridSize[0];
	case cudaDevAttrMaxGridDimY:
	case cudaDevAttrMaxGridDimZ:
		return p.maxGridSize[1];
	case cudaDevAttrMaxSharedMemoryPerBlock:
		return (int)p.sharedMemPerBlock;
	case cudaDevAttrTotalConstantMemory:
		return (int)p.totalConstMem;
	case cudaDevAttrWarpSize:
		return p.warpSize;
	case cudaDevAttrMaxPitch:
		return (int)p.memPitch;
	case cudaDevAttrMaxRegistersPerBlock:
	case cudaDevAttrMaxRegistersPerMultiprocessor:
		return p.regsPerBlock;
	case cudaDevAttrClockRate:
		return p.clockRate;
	case cudaDevAttrTextureAlignment:
		return (int)p.textureAlignment;
	case cudaDevAttrTexturePitchAlignment:
		return (int)p.texturePitchAlignment;
	case cudaDevAttrMultiProcessorCount:
		return p.multiProcessorCount;
	case cudaDevAttrGpuOverlap:
	case cudaDevAttrCanMapHostMemory:
	case cudaDevAttrConcurrentKernels:
	case cudaDevAttrPciBusId:
	case cudaDevAttrAsyncEngineCount:
	case cudaDevAttrUnifiedAddressing:
	case cudaDevAttrManagedMemory:
	case cudaDevAttrStreamPrioritiesSupported:
	case cudaDevAttrCooperativeLaunch:
	case cudaDevAttrHostRegisterSupported:
		return 1;
	case cudaDevAttrMemoryClockRate:
		return p.memoryClockRate;
	case cudaDevAttrGlobalMemoryBusWidth:
		return p.memoryBusWidth;
	case cudaDevAttrL2CacheSize:
		return p.l2CacheSize;
	case cudaDevAttrMaxThreadsPerMultiProcessor:
		return p.maxThreadsPerMultiProcessor;
	case cudaDevAttrMaxBlocksPerMultiprocessor:
		return p.maxBlocksPerMultiProcessor;
	case cudaDevAttrComputeCapabilityMajor:
		return p.major;
	case cudaDevAttrComputeCapabilityMinor:
		return p.minor;
	case cudaDevAttrGlobalL1CacheSupported:
	case cudaDevAttrLocalL1CacheSupported:
		return p.globalL1CacheSupported;
	case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
	case cudaDevAttrMaxSharedMemoryPerBlockOptin:
		return (int)p.sharedMemPerMultiprocessor;
	case cudaDevAttrSingleToDoublePrecisionPerfRatio:
		return p.singleToDoublePrecisionPerfRatio;
	default:
		return 0;
	}
}

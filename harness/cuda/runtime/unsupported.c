/* Calls of CUDA's runtime interface that are not there: each says so once, on stderr, and returns
 * cudaErrorNotSupported. A program that can do without goes on. Arguments are of no matter, which the calling
 * convention allows. */
#include <stdatomic.h>
#include <stdio.h>

#include "cuda/runtime/errors.h"

static cudaError_t refuse(const char *name, atomic_flag *told)
{
	if (!atomic_flag_test_and_set(told))
		fprintf(stderr, "locus: %s is not supported\n", name);
	return errors_note(cudaErrorNotSupported);
}

#define NONE(name)                                                                                                                 \
	cudaError_t name(void);                                                                                                    \
	cudaError_t name(void)                                                                                                     \
	{                                                                                                                          \
		static atomic_flag told = ATOMIC_FLAG_INIT;                                                                        \
                                                                                                                                   \
		return refuse(#name, &told);                                                                                       \
	}

/* clang-format off */
	NONE(cudaArrayGetMemoryRequirements) NONE(cudaArrayGetPlane) NONE(cudaArrayGetSparseProperties)
	NONE(cudaCtxResetPersistingL2Cache) NONE(cudaDestroyExternalMemory) NONE(cudaDestroyExternalSemaphore)
	NONE(cudaDeviceFlushGPUDirectRDMAWrites) NONE(cudaDeviceGetDefaultMemPool)
	NONE(cudaDeviceGetGraphMemAttribute) NONE(cudaDeviceGetHostAtomicCapabilities) NONE(cudaDeviceGetMemPool)
	NONE(cudaDeviceGetNvSciSyncAttributes) NONE(cudaDeviceGetP2PAtomicCapabilities)
	NONE(cudaDeviceGetP2PAttribute) NONE(cudaDeviceGetTexture1DLinearMaxWidth) NONE(cudaDeviceGraphMemTrim)
	NONE(cudaDeviceRegisterAsyncNotification) NONE(cudaDeviceSetGraphMemAttribute) NONE(cudaDeviceSetMemPool)
	NONE(cudaDeviceUnregisterAsyncNotification) NONE(cudaEGLStreamConsumerAcquireFrame)
	NONE(cudaEGLStreamConsumerConnect) NONE(cudaEGLStreamConsumerConnectWithFlags)
	NONE(cudaEGLStreamConsumerDisconnect) NONE(cudaEGLStreamConsumerReleaseFrame)
	NONE(cudaEGLStreamProducerConnect) NONE(cudaEGLStreamProducerDisconnect)
	NONE(cudaEGLStreamProducerPresentFrame) NONE(cudaEGLStreamProducerReturnFrame)
	NONE(cudaEventCreateFromEGLSync) NONE(cudaExternalMemoryGetMappedBuffer)
	NONE(cudaExternalMemoryGetMappedMipmappedArray) NONE(cudaFreeMipmappedArray) NONE(cudaFuncGetName)
	NONE(cudaFuncGetParamInfo) NONE(cudaGLGetDevices) NONE(cudaGLMapBufferObject)
	NONE(cudaGLMapBufferObjectAsync) NONE(cudaGLRegisterBufferObject) NONE(cudaGLSetBufferObjectMapFlags)
	NONE(cudaGLSetGLDevice) NONE(cudaGLUnmapBufferObject) NONE(cudaGLUnmapBufferObjectAsync)
	NONE(cudaGLUnregisterBufferObject)
	NONE(cudaGetExportTable) NONE(cudaGetFuncBySymbol) NONE(cudaGetKernel) NONE(cudaGetMipmappedArrayLevel)
	NONE(cudaGetSurfaceObjectResourceDesc) NONE(cudaGetTextureObjectResourceDesc)
	NONE(cudaGetTextureObjectResourceViewDesc) NONE(cudaGetTextureObjectTextureDesc)
	NONE(cudaGraphAddChildGraphNode) NONE(cudaGraphAddDependencies) NONE(cudaGraphAddEmptyNode)
	NONE(cudaGraphAddEventRecordNode) NONE(cudaGraphAddEventWaitNode)
	NONE(cudaGraphAddExternalSemaphoresSignalNode) NONE(cudaGraphAddExternalSemaphoresWaitNode)
	NONE(cudaGraphAddHostNode) NONE(cudaGraphAddKernelNode) NONE(cudaGraphAddMemAllocNode)
	NONE(cudaGraphAddMemFreeNode) NONE(cudaGraphAddMemcpyNode) NONE(cudaGraphAddMemcpyNode1D)
	NONE(cudaGraphAddMemcpyNodeFromSymbol) NONE(cudaGraphAddMemcpyNodeToSymbol) NONE(cudaGraphAddMemsetNode)
	NONE(cudaGraphAddNode) NONE(cudaGraphChildGraphNodeGetGraph) NONE(cudaGraphClone)
	NONE(cudaGraphConditionalHandleCreate) NONE(cudaGraphCreate) NONE(cudaGraphDebugDotPrint)
	NONE(cudaGraphDestroy) NONE(cudaGraphDestroyNode) NONE(cudaGraphEventRecordNodeGetEvent)
	NONE(cudaGraphEventRecordNodeSetEvent) NONE(cudaGraphEventWaitNodeGetEvent)
	NONE(cudaGraphEventWaitNodeSetEvent) NONE(cudaGraphExecChildGraphNodeSetParams) NONE(cudaGraphExecDestroy)
	NONE(cudaGraphExecEventRecordNodeSetEvent) NONE(cudaGraphExecEventWaitNodeSetEvent)
	NONE(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
	NONE(cudaGraphExecExternalSemaphoresWaitNodeSetParams) NONE(cudaGraphExecGetFlags)
	NONE(cudaGraphExecHostNodeSetParams) NONE(cudaGraphExecKernelNodeSetParams)
	NONE(cudaGraphExecMemcpyNodeSetParams) NONE(cudaGraphExecMemcpyNodeSetParams1D)
	NONE(cudaGraphExecMemcpyNodeSetParamsFromSymbol) NONE(cudaGraphExecMemcpyNodeSetParamsToSymbol)
	NONE(cudaGraphExecMemsetNodeSetParams) NONE(cudaGraphExecNodeSetParams) NONE(cudaGraphExecUpdate)
	NONE(cudaGraphExternalSemaphoresSignalNodeGetParams) NONE(cudaGraphExternalSemaphoresSignalNodeSetParams)
	NONE(cudaGraphExternalSemaphoresWaitNodeGetParams) NONE(cudaGraphExternalSemaphoresWaitNodeSetParams)
	NONE(cudaGraphGetEdges) NONE(cudaGraphGetNodes) NONE(cudaGraphGetRootNodes) NONE(cudaGraphHostNodeGetParams)
	NONE(cudaGraphHostNodeSetParams) NONE(cudaGraphInstantiate) NONE(cudaGraphInstantiateWithFlags)
	NONE(cudaGraphInstantiateWithParams) NONE(cudaGraphKernelNodeCopyAttributes)
	NONE(cudaGraphKernelNodeGetAttribute) NONE(cudaGraphKernelNodeGetParams)
	NONE(cudaGraphKernelNodeSetAttribute) NONE(cudaGraphKernelNodeSetParams) NONE(cudaGraphLaunch)
	NONE(cudaGraphMemAllocNodeGetParams) NONE(cudaGraphMemFreeNodeGetParams) NONE(cudaGraphMemcpyNodeGetParams)
	NONE(cudaGraphMemcpyNodeSetParams) NONE(cudaGraphMemcpyNodeSetParams1D)
	NONE(cudaGraphMemcpyNodeSetParamsFromSymbol) NONE(cudaGraphMemcpyNodeSetParamsToSymbol)
	NONE(cudaGraphMemsetNodeGetParams) NONE(cudaGraphMemsetNodeSetParams) NONE(cudaGraphNodeFindInClone)
	NONE(cudaGraphNodeGetDependencies) NONE(cudaGraphNodeGetDependentNodes) NONE(cudaGraphNodeGetEnabled)
	NONE(cudaGraphNodeGetType) NONE(cudaGraphNodeSetEnabled) NONE(cudaGraphNodeSetParams)
	NONE(cudaGraphReleaseUserObject) NONE(cudaGraphRemoveDependencies) NONE(cudaGraphRetainUserObject)
	NONE(cudaGraphUpload) NONE(cudaGraphicsEGLRegisterImage) NONE(cudaGraphicsGLRegisterBuffer)
	NONE(cudaGraphicsGLRegisterImage) NONE(cudaGraphicsMapResources) NONE(cudaGraphicsResourceGetMappedEglFrame)
	NONE(cudaGraphicsResourceGetMappedMipmappedArray) NONE(cudaGraphicsResourceGetMappedPointer)
	NONE(cudaGraphicsResourceSetMapFlags) NONE(cudaGraphicsSubResourceGetMappedArray)
	NONE(cudaGraphicsUnmapResources) NONE(cudaGraphicsUnregisterResource)
	NONE(cudaGraphicsVDPAURegisterOutputSurface) NONE(cudaGraphicsVDPAURegisterVideoSurface)
	NONE(cudaImportExternalMemory) NONE(cudaImportExternalSemaphore) NONE(cudaIpcCloseMemHandle)
	NONE(cudaIpcGetEventHandle) NONE(cudaIpcGetMemHandle) NONE(cudaIpcOpenEventHandle) NONE(cudaIpcOpenMemHandle)
	NONE(cudaKernelSetAttributeForDevice) NONE(cudaLaunchCooperativeKernelMultiDevice)
	NONE(cudaLibraryEnumerateKernels) NONE(cudaLibraryGetGlobal) NONE(cudaLibraryGetKernel)
	NONE(cudaLibraryGetKernelCount) NONE(cudaLibraryGetManaged) NONE(cudaLibraryGetUnifiedFunction)
	NONE(cudaLibraryLoadData) NONE(cudaLibraryLoadFromFile) NONE(cudaLibraryUnload) NONE(cudaLogsCurrent)
	NONE(cudaLogsDumpToFile) NONE(cudaLogsDumpToMemory) NONE(cudaLogsRegisterCallback)
	NONE(cudaLogsUnregisterCallback) NONE(cudaMallocFromPoolAsync) NONE(cudaMallocMipmappedArray)
	NONE(cudaMemDiscardAndPrefetchBatchAsync) NONE(cudaMemDiscardBatchAsync) NONE(cudaMemGetDefaultMemPool)
	NONE(cudaMemGetMemPool) NONE(cudaMemPoolCreate) NONE(cudaMemPoolDestroy) NONE(cudaMemPoolExportPointer)
	NONE(cudaMemPoolExportToShareableHandle) NONE(cudaMemPoolGetAccess) NONE(cudaMemPoolGetAttribute)
	NONE(cudaMemPoolImportFromShareableHandle) NONE(cudaMemPoolImportPointer) NONE(cudaMemPoolSetAccess)
	NONE(cudaMemPoolSetAttribute) NONE(cudaMemPoolTrimTo) NONE(cudaMemPrefetchBatchAsync)
	NONE(cudaMemRangeGetAttribute) NONE(cudaMemRangeGetAttributes) NONE(cudaMemSetMemPool)
	NONE(cudaMemcpy3DBatchAsync) NONE(cudaMemcpy3DPeer) NONE(cudaMemcpy3DPeerAsync) NONE(cudaMemcpyArrayToArray)
	NONE(cudaMemcpyBatchAsync) NONE(cudaMipmappedArrayGetMemoryRequirements)
	NONE(cudaMipmappedArrayGetSparseProperties) NONE(cudaOccupancyMaxActiveClusters)
	NONE(cudaOccupancyMaxPotentialClusterSize) NONE(cudaSignalExternalSemaphoresAsync)
	NONE(cudaStreamBeginCapture) NONE(cudaStreamBeginCaptureToGraph) NONE(cudaStreamCopyAttributes)
	NONE(cudaStreamEndCapture) NONE(cudaStreamGetAttribute) NONE(cudaStreamGetCaptureInfo)
	NONE(cudaStreamGetDevice) NONE(cudaStreamGetId) NONE(cudaStreamSetAttribute)
	NONE(cudaStreamUpdateCaptureDependencies) NONE(cudaThreadExchangeStreamCaptureMode)
	NONE(cudaUserObjectCreate) NONE(cudaUserObjectRelease) NONE(cudaUserObjectRetain) NONE(cudaVDPAUGetDevice)
	NONE(cudaVDPAUSetVDPAUDevice) NONE(cudaWaitExternalSemaphoresAsync)
	/* clang-format on */

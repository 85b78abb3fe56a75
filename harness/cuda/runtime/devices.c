/* The one device: what the machine is that `locus cuda` runs. Streams and copies overlap nothing in the model, which is
 * no matter of right results. */
#include <stdio.h>
#include <string.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/properties.h"

enum { CUDA_VERSION_OFFERED = 13000, DEVICE_ATTRIBUTES = 148 /* CUDA 13: numbers below it */ };

static cudaError_t check_device(int device)
{
	if (!connection_device())
		return cudaErrorNoDevice;
	return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	if (!count)
		return errors_note(cudaErrorInvalidValue);
	*count = connection_device() != NULL;
	return errors_note(*count ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *device)
{
	if (!device)
		return errors_note(cudaErrorInvalidValue);
	*device = 0;
	return errors_note(check_device(0));
}

cudaError_t cudaSetDevice(int device)
{
	return errors_note(check_device(device));
}

cudaError_t cudaSetValidDevices(int *device, int n)
{
	(void)device;
	return errors_note(n < 0 ? cudaErrorInvalidValue : check_device(0));
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
	(void)device_flags;
	(void)flags;
	return errors_note(check_device(device));
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
	(void)flags;
	return errors_note(check_device(0));
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
	if (!flags)
		return errors_note(cudaErrorInvalidValue);
	*flags = cudaDeviceMapHost;
	return errors_note(check_device(0));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
	(void)prop;
	return cudaGetDevice(device);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int room, int device)
{
	if (!id || room < 13)
		return errors_note(cudaErrorInvalidValue);
	snprintf(id, (size_t)room, "0000:01:00.0");
	return errors_note(check_device(device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	if (!device || !id)
		return errors_note(cudaErrorInvalidValue);
	if (!strstr(id, "01:00.0"))
		return errors_note(cudaErrorInvalidDevice);
	return cudaGetDevice(device);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	(void)device;
	(void)peer;
	if (!can)
		return errors_note(cudaErrorInvalidValue);
	*can = 0;
	return errors_note(check_device(0));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	(void)flags;
	return errors_note(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	(void)peer;
	return errors_note(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceSynchronize(void)
{
	return errors_note(connection_call(WIRE_ORDER, 1, (uint64_t[]){WIRE_SYNC}, NULL, NULL));
}

cudaError_t cudaDeviceReset(void)
{
	return cudaDeviceSynchronize();
}

cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceSynchronize();
}

cudaError_t cudaProfilerStart(void)
{
	return errors_note(check_device(0));
}

cudaError_t cudaProfilerStop(void)
{
	return errors_note(check_device(0));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	if (!config)
		return errors_note(cudaErrorInvalidValue);
	*config = cudaFuncCachePreferNone;
	return errors_note(check_device(0));
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	(void)config;
	return errors_note(check_device(0));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	if (!config)
		return errors_note(cudaErrorInvalidValue);
	*config = cudaSharedMemBankSizeFourByte;
	return errors_note(check_device(0));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	(void)config;
	return errors_note(check_device(0));
}

static cudaError_t heap(uint64_t bytes, size_t *has)
{
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_HEAP, 1, (uint64_t[]){bytes}, NULL, &answer);

	*has = answer.r[0];
	return error;
}

/* Limits are told as CUDA has them at first. Kernels' malloc gets what a program asks for; the others are taken as they
 * come: nothing here runs out before they would. */
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	static const size_t is[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

	if (!value)
		return errors_note(cudaErrorInvalidValue);
	if ((unsigned)limit >= sizeof is / sizeof is[0])
		return errors_note(cudaErrorUnsupportedLimit);
	*value = is[limit];
	return errors_note(limit == cudaLimitMallocHeapSize ? heap(0, value) : check_device(0));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
		return errors_note(cudaErrorUnsupportedLimit);
	return errors_note(limit == cudaLimitMallocHeapSize ? heap(value, &value) : check_device(0));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return errors_note(check_device(0));
}

cudaError_t cudaDriverGetVersion(int *version)
{
	if (!version)
		return errors_note(cudaErrorInvalidValue);
	*version = CUDA_VERSION_OFFERED;
	return cudaSuccess;
}

/* Functions whose answer or structure differs by version: each library has one under the name without a number
 * (cuda.mk). */

static cudaError_t runtime_version(int *version, int is)
{
	if (!version)
		return errors_note(cudaErrorInvalidValue);
	*version = is;
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion_11(int *version);
cudaError_t cudaRuntimeGetVersion_11(int *version)
{
	return runtime_version(version, 11080);
}

cudaError_t cudaRuntimeGetVersion_12(int *version);
cudaError_t cudaRuntimeGetVersion_12(int *version)
{
	return runtime_version(version, CUDART_VERSION);
}

/* `prop` has the size of the version's structure. */
cudaError_t cudaGetDeviceProperties_11(void *prop, int device);
cudaError_t cudaGetDeviceProperties_11(void *prop, int device)
{
	cudaError_t error = prop ? check_device(device) : cudaErrorInvalidValue;

	if (!error)
		properties_of_11(prop, connection_device());
	return errors_note(error);
}

cudaError_t cudaGetDeviceProperties_13(void *prop, int device);
cudaError_t cudaGetDeviceProperties_13(void *prop, int device)
{
	cudaError_t error = prop ? check_device(device) : cudaErrorInvalidValue;

	if (!error)
		properties_of_13(prop, connection_device());
	return errors_note(error);
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
	cudaError_t error = prop ? check_device(device) : cudaErrorInvalidValue;

	if (!error)
		properties_of_12(prop, connection_device());
	return errors_note(error);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
	bool is_one = attr >= cudaDevAttrMaxThreadsPerBlock && (int)attr < DEVICE_ATTRIBUTES;
	cudaError_t error = value && is_one ? check_device(device) : cudaErrorInvalidValue;

	if (!error)
		*value = properties_attribute(connection_device(), attr);
	return errors_note(error);
}

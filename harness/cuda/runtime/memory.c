/* Allocations. cudaMalloc's memory is the device's alone: the host that touches it is stopped by its own memory
 * protection. Managed memory and pinned memory are device memory too, which the host may use at the same address. */
#include <stdint.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/order.h"
#include "cuda/runtime/host_ranges.h"

enum { PITCH = 512 };

static cudaError_t allocate(void **p, size_t bytes, enum wire_memory kind)
{
	struct order order = order_now();
	struct wire_answer answer;
	cudaError_t error;

	if (!p)
		return cudaErrorInvalidValue;
	*p = NULL;
	if (!bytes)
		return connection_device() ? cudaSuccess : cudaErrorNoDevice;
	error = connection_call(WIRE_ALLOC, 4, (uint64_t[]){bytes, (uint64_t)kind, order.stream, order.async}, NULL, &answer);
	if (error)
		return error;
	*p = (void *)(uintptr_t)answer.r[0];
	if (kind != WIRE_DEVICE && connection_open_to_host(*p, bytes, true) != 0)
		return cudaErrorOperatingSystem;
	return cudaSuccess;
}

static cudaError_t release(void *p, enum wire_memory kind)
{
	struct order order = order_now();
	struct wire_answer answer;
	cudaError_t error;

	if (!p)
		return cudaSuccess;
	error = connection_call(WIRE_FREE, 4, (uint64_t[]){(uintptr_t)p, (uint64_t)kind, order.stream, order.async}, NULL, &answer);
	if (!error && answer.r[0])
		connection_open_to_host(p, answer.r[0], false);
	return error;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
	return errors_note(allocate(p, bytes, WIRE_DEVICE));
}

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMalloc(p, bytes));
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned int flags)
{
	const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;

	return errors_note(flags & ~known ? cudaErrorInvalidValue : allocate(p, bytes, WIRE_HOST));
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
	return cudaHostAlloc(p, bytes, cudaHostAllocDefault);
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned int flags)
{
	bool is_one = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;

	return errors_note(bytes && is_one ? allocate(p, bytes, WIRE_MANAGED) : cudaErrorInvalidValue);
}

/* Rows of whole pitches; 0 rows or bytes give no memory. */
static cudaError_t allocate_rows(void **p, size_t *pitch, size_t width, size_t rows)
{
	if (!p || !pitch || width > SIZE_MAX - PITCH)
		return cudaErrorInvalidValue;
	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	if (rows && *pitch > SIZE_MAX / rows)
		return cudaErrorMemoryAllocation;
	return allocate(p, *pitch * rows, WIRE_DEVICE);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
	return errors_note(allocate_rows(p, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
	if (!p || (extent.depth && extent.height > SIZE_MAX / extent.depth))
		return errors_note(cudaErrorInvalidValue);
	p->xsize = extent.width;
	p->ysize = extent.height;
	return errors_note(allocate_rows(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth));
}

cudaError_t cudaFree(void *p)
{
	return errors_note(release(p, WIRE_DEVICE));
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaFree(p));
}

cudaError_t cudaFreeHost(void *p)
{
	return errors_note(release(p, WIRE_HOST));
}

/* What is at an address: kind, base, bytes. */
static cudaError_t look_up(const void *p, struct wire_answer *answer)
{
	if (!connection_is_device(p))
		return cudaErrorInvalidValue;
	return connection_call(WIRE_POINTER, 1, (uint64_t[]){(uintptr_t)p}, NULL, answer);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	struct wire_answer at;

	(void)flags;
	if (!device || look_up(host, &at) != cudaSuccess || at.r[0] != WIRE_HOST)
		return errors_note(cudaErrorInvalidValue);
	*device = host;
	return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
	struct wire_answer at;

	if (!flags || look_up(host, &at) != cudaSuccess || at.r[0] != WIRE_HOST)
		return errors_note(cudaErrorInvalidValue);
	*flags = cudaHostAllocMapped;
	return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	struct wire_device now;
	struct message m = {.in = &now, .in_room = sizeof now};
	cudaError_t error = connection_device() ? cudaSuccess : cudaErrorNoDevice;

	if (!error)
		error = connection_call(WIRE_HELLO, 1, (uint64_t[]){WIRE_VERSION}, &m, NULL);
	if (!error && available)
		*available = now.memory_free;
	if (!error && total)
		*total = now.memory_bytes;
	return errors_note(error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
	struct wire_answer at = {0};
	bool known;

	if (!a)
		return errors_note(cudaErrorInvalidValue);
	known = look_up(p, &at) == cudaSuccess;
	*a = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = (void *)(uintptr_t)p};
	if (!known && host_ranges_hold(p)) {
		a->type = cudaMemoryTypeHost;
		a->device = 0;
	}
	if (!known)
		return cudaSuccess;
	a->device = 0;
	a->devicePointer = (void *)(uintptr_t)p;
	a->type = at.r[0] == WIRE_HOST						? cudaMemoryTypeHost
		  : at.r[0] == WIRE_MANAGED || at.r[0] == WIRE_MANAGED_VARIABLE ? cudaMemoryTypeManaged
										: cudaMemoryTypeDevice;
	if (a->type == cudaMemoryTypeDevice)
		a->hostPointer = NULL;
	return cudaSuccess;
}

/* Advice on where managed memory should be: it is where it is. */
cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
	(void)bytes;
	(void)advice;
	(void)device;
	return errors_note(connection_is_device(p) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream)
{
	(void)bytes;
	(void)device;
	(void)stream;
	return errors_note(connection_is_device(p) ? cudaSuccess : cudaErrorInvalidValue);
}

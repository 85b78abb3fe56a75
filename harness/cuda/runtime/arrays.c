#include "cuda/runtime/arrays.h"

#include <stdint.h>
#include <stdlib.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/order.h"

enum { PITCH = 512, ARRAY_MAX = 1 << 27 };

size_t arrays_element(const struct cudaChannelFormatDesc *d)
{
	int bits = d->x + d->y + d->z + d->w;
	int channels = (d->x > 0) + (d->y > 0) + (d->z > 0) + (d->w > 0);

	if ((d->x != 8 && d->x != 16 && d->x != 32) || bits != channels * d->x || channels == 3)
		return 0;
	return (size_t)bits / 8;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static size_t or_one(size_t n)
{
	return n ? n : 1;
}

static cudaError_t make(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent e, unsigned int flags)
{
	size_t element = desc ? arrays_element(desc) : 0, pitch, rows = or_one(e.height), slices = or_one(e.depth);
	struct cudaArray *a;
	cudaError_t error;

	if (!array || !desc || !e.width || e.width > ARRAY_MAX || rows > ARRAY_MAX || slices > ARRAY_MAX)
		return cudaErrorInvalidValue;
	if (!element)
		return cudaErrorInvalidChannelDescriptor;
	pitch = (e.width * element + PITCH - 1) / PITCH * PITCH;
	if (rows > SIZE_MAX / pitch || slices > SIZE_MAX / (pitch * rows))
		return cudaErrorMemoryAllocation;
	a = calloc(1, sizeof *a);
	if (!a)
		return cudaErrorMemoryAllocation;
	*a = (struct cudaArray){
		.desc = *desc, .extent = e, .flags = flags, .element = element, .pitch = pitch, .slice = pitch * rows};
	error = cudaMalloc(&a->bytes, a->slice * slices);
	if (error)
		free(a);
	else
		*array = a;
	return error;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
			    unsigned int flags)
{
	return errors_note(make(array, desc, (struct cudaExtent){width, height, 0}, flags));
}

/* Layers are slices, also of a one-dimensional array, whose height is 0. */
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			      unsigned int flags)
{
	return errors_note(make(array, desc, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
	cudaError_t error = array ? cudaFree(array->bytes) : cudaSuccess;

	free(array);
	return errors_note(error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags, cudaArray_t array)
{
	if (!array)
		return errors_note(cudaErrorInvalidResourceHandle);
	if (desc)
		*desc = array->desc;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	return desc ? cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array) : errors_note(cudaErrorInvalidValue);
}

/* ---- copies; x in bytes, y in rows, z in slices ---- */

static struct copy_side side(cudaArray_const_t a, size_t x, size_t y, size_t z)
{
	return (struct copy_side){
		.at = (const char *)a->bytes + z * a->slice + y * a->pitch + x, .pitch = a->pitch, .slice = a->slice};
}

static bool holds(cudaArray_const_t a, size_t x, size_t y, size_t z, struct copy_box box)
{
	size_t width = a->extent.width * a->element, rows = or_one(a->extent.height), slices = or_one(a->extent.depth);

	return x <= width && box.width <= width - x && y <= rows && box.rows <= rows - y && z <= slices && box.slices <= slices - z;
}

bool arrays_side(cudaArray_const_t a, struct copy_at at, struct copy_box box, struct copy_side *s)
{
	*s = side(a, at.x, at.y, at.z);
	return holds(a, at.x, at.y, at.z, box);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
				enum cudaMemcpyKind kind)
{
	struct copy_box box = {width, height, 1};

	if (!to || !holds(to, x, y, 0, box))
		return errors_note(cudaErrorInvalidValue);
	if (width > pitch)
		return errors_note(cudaErrorInvalidPitchValue);
	return errors_note(copy_bytes(side(to, x, y, 0), (struct copy_side){.at = from, .pitch = pitch}, box, kind));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
				  enum cudaMemcpyKind kind)
{
	struct copy_box box = {width, height, 1};

	if (!from || !holds(from, x, y, 0, box))
		return errors_note(cudaErrorInvalidValue);
	if (width > pitch)
		return errors_note(cudaErrorInvalidPitchValue);
	return errors_note(copy_bytes((struct copy_side){.at = to, .pitch = pitch}, side(from, x, y, 0), box, kind));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
				     size_t width, size_t height, enum cudaMemcpyKind kind)
{
	struct copy_box box = {width, height, 1};

	if (!to || !from || !holds(to, to_x, to_y, 0, box) || !holds(from, from_x, from_y, 0, box))
		return errors_note(cudaErrorInvalidValue);
	return errors_note(copy_bytes(side(to, to_x, to_y, 0), side(from, from_x, from_y, 0), box, kind));
}

/* Bytes in the order of rows, from (x, y) on: the rest of a row, whole rows, the beginning of one. */
static cudaError_t copy_run(cudaArray_t a, size_t x, size_t y, char *host, size_t bytes, enum cudaMemcpyKind kind, bool to_array)
{
	cudaError_t error = cudaSuccess;
	size_t width;

	if (!a || (!host && bytes))
		return cudaErrorInvalidValue;
	width = a->extent.width * a->element;
	while (bytes && !error) {
		size_t n = x < width ? width - x : 0;

		n = n < bytes ? n : bytes;
		error = !n	   ? cudaErrorInvalidValue
			: to_array ? cudaMemcpy2DToArray(a, x, y, host, n, n, 1, kind)
				   : cudaMemcpy2DFromArray(host, n, a, x, y, n, 1, kind);
		host += n;
		bytes -= n;
		x = 0;
		y++;
	}
	return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return errors_note(copy_run(to, x, y, (char *)(uintptr_t)from, bytes, kind, true));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind)
{
	return errors_note(copy_run((cudaArray_t)(uintptr_t)from, x, y, to, bytes, kind, false));
}

/* A side of cudaMemcpy3D; with an array, positions and extents count its elements. False: it is none, or both. */
static bool side_of(cudaArray_t array, struct cudaPos pos, struct cudaPitchedPtr ptr, size_t unit, struct copy_box box,
		    struct copy_side *s)
{
	if ((array != NULL) == (ptr.ptr != NULL))
		return false;
	if (array)
		return arrays_side(array, (struct copy_at){pos.x * array->element, pos.y, pos.z}, box, s);
	*s = (struct copy_side){.pitch = ptr.pitch, .slice = ptr.pitch * ptr.ysize};
	s->at = (const char *)ptr.ptr + pos.z * s->slice + pos.y * s->pitch + pos.x * unit;
	return true;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	struct copy_side to, from;
	struct copy_box box;
	cudaArray_t array;
	size_t unit;

	if (!p)
		return errors_note(cudaErrorInvalidValue);
	array = p->dstArray ? p->dstArray : p->srcArray;
	unit = array ? array->element : 1;
	if (p->extent.width > ARRAY_MAX || (p->srcArray && p->dstArray && p->srcArray->element != p->dstArray->element))
		return errors_note(cudaErrorInvalidValue);
	box = (struct copy_box){p->extent.width * unit, or_one(p->extent.height), or_one(p->extent.depth)};
	/* The position in memory that is no array counts bytes only where no array takes part. */
	if (!side_of(p->dstArray, p->dstPos, p->dstPtr, unit, box, &to) ||
	    !side_of(p->srcArray, p->srcPos, p->srcPtr, unit, box, &from))
		return errors_note(cudaErrorInvalidValue);
	return errors_note(copy_bytes(to, from, box, p->kind));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpy3D(p));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
				     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
				       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind,
				   cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpyToArray(to, x, y, from, bytes, kind));
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
				     cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpyFromArray(to, from, x, y, bytes, kind));
}

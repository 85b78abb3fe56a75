/* Texture and surface objects, and the references of CUDA up to 11, as views of arrays and of memory. */
#include <string.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/registration.h"
#include "ptx/texture.h"

/* ---- what is viewed ---- */

static int format_of(const struct cudaChannelFormatDesc *d)
{
	switch (d->f) {
	case cudaChannelFormatKindUnsigned:
		return d->x == 8 ? TEXTURE_U8 : d->x == 16 ? TEXTURE_U16 : TEXTURE_U32;
	case cudaChannelFormatKindSigned:
		return d->x == 8 ? TEXTURE_S8 : d->x == 16 ? TEXTURE_S16 : TEXTURE_S32;
	case cudaChannelFormatKindFloat:
		return d->x == 16 ? TEXTURE_F16 : d->x == 32 ? TEXTURE_F32 : -1;
	default:
		return -1;
	}
}

static cudaError_t set_format(struct wire_view *v, const struct cudaChannelFormatDesc *d)
{
	size_t bytes = arrays_element(d);
	int format = bytes ? format_of(d) : -1;

	if (format < 0)
		return cudaErrorInvalidChannelDescriptor;
	v->format = (uint32_t)format;
	v->channels = (uint32_t)(bytes / ((size_t)d->x / 8));
	return cudaSuccess;
}

static uint32_t shape_of(const struct cudaArray *a)
{
	bool layers = a->flags & cudaArrayLayered, cube = a->flags & cudaArrayCubemap;

	if (cube)
		return layers ? TEXTURE_ACUBE : TEXTURE_CUBE;
	if (layers)
		return a->extent.height ? TEXTURE_A2D : TEXTURE_A1D;
	return a->extent.depth ? TEXTURE_3D : TEXTURE_2D;
}

static cudaError_t view_array(struct wire_view *v, const struct cudaArray *a)
{
	if (!a)
		return cudaErrorInvalidResourceHandle;
	v->address = (uintptr_t)a->bytes;
	v->width = (uint32_t)a->extent.width;
	v->height = a->extent.height ? (uint32_t)a->extent.height : 1;
	v->depth = (uint32_t)a->extent.depth;
	v->shape = shape_of(a);
	v->pitch = a->pitch;
	v->slice_pitch = a->slice;
	return set_format(v, &a->desc);
}

static cudaError_t view_linear(struct wire_view *v, const void *p, const struct cudaChannelFormatDesc *d, size_t bytes)
{
	cudaError_t error = set_format(v, d);

	if (error)
		return error;
	v->address = (uintptr_t)p;
	v->width = (uint32_t)(bytes / arrays_element(d));
	v->height = 1;
	v->shape = TEXTURE_LINEAR;
	return cudaSuccess;
}

static cudaError_t view_rows(struct wire_view *v, const void *p, const struct cudaChannelFormatDesc *d, size_t width, size_t height,
			     size_t pitch)
{
	v->address = (uintptr_t)p;
	v->width = (uint32_t)width;
	v->height = (uint32_t)height;
	v->pitch = pitch;
	v->shape = TEXTURE_2D;
	return set_format(v, d);
}

static cudaError_t view_resource(struct wire_view *v, const struct cudaResourceDesc *r)
{
	switch (r->resType) {
	case cudaResourceTypeArray:
		return view_array(v, r->res.array.array);
	case cudaResourceTypeLinear:
		return view_linear(v, r->res.linear.devPtr, &r->res.linear.desc, r->res.linear.sizeInBytes);
	case cudaResourceTypePitch2D:
		return view_rows(v, r->res.pitch2D.devPtr, &r->res.pitch2D.desc, r->res.pitch2D.width, r->res.pitch2D.height,
				 r->res.pitch2D.pitchInBytes);
	default:
		return cudaErrorNotSupported; /* mipmapped arrays */
	}
}

/* ---- how it is fetched ---- */

static uint32_t address_of(enum cudaTextureAddressMode m)
{
	static const uint32_t is[] = {TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER};

	return (unsigned)m < 4 ? is[m] : TEXTURE_ADDRESSES;
}

/* Integers that are read as they are cannot be filtered. */
static bool can_filter(const struct wire_view *v, enum cudaTextureReadMode mode)
{
	return v->format == TEXTURE_F32 || v->format == TEXTURE_F16 || mode == cudaReadModeNormalizedFloat;
}

static cudaError_t set_fetch(struct wire_view *v, const struct cudaTextureDesc *t)
{
	bool wide = v->format == TEXTURE_U32 || v->format == TEXTURE_S32;

	for (int i = 0; i < 3; i++)
		v->at[i] = address_of(t->addressMode[i]);
	v->linear = t->filterMode == cudaFilterModeLinear;
	v->normalized = t->normalizedCoords != 0;
	v->srgb = t->sRGB != 0;
	memcpy(v->border, t->borderColor, sizeof v->border);
	if (v->linear && !can_filter(v, t->readMode))
		return cudaErrorInvalidFilterSetting;
	return t->readMode == cudaReadModeNormalizedFloat && wide ? cudaErrorInvalidNormSetting : cudaSuccess;
}

/* Of a key, the reference is bound; without one, an object is made. */
static cudaError_t send(const void *key, bool surface, struct wire_view *v, uint64_t *handle)
{
	struct message m = {.out = v, .out_bytes = sizeof *v};
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_VIEW, 2, (uint64_t[]){(uintptr_t)key, surface}, &m, &answer);

	if (handle)
		*handle = answer.r[0];
	return error;
}

/* ---- objects ---- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
	struct wire_view v = {0};
	uint64_t handle = 0;
	cudaError_t error;

	if (!object || !resource || !texture)
		return errors_note(cudaErrorInvalidValue);
	if (view)
		return errors_note(cudaErrorNotSupported);
	error = view_resource(&v, resource);
	if (!error)
		error = set_fetch(&v, texture);
	if (!error)
		error = send(NULL, false, &v, &handle);
	*object = handle;
	return errors_note(error);
}

static cudaError_t destroy(uint64_t handle)
{
	return errors_note(handle ? connection_call(WIRE_DESTROY_VIEW, 1, (uint64_t[]){handle}, NULL, NULL) : cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	return destroy(object);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
	struct wire_view v = {0};
	uint64_t handle = 0;
	cudaError_t error;

	if (!object || !resource || resource->resType != cudaResourceTypeArray)
		return errors_note(cudaErrorInvalidValue);
	error = view_array(&v, resource->res.array.array);
	if (!error)
		error = send(NULL, true, &v, &handle);
	*object = handle;
	return errors_note(error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	return destroy(object);
}

/* ---- references ---- */

static struct cudaTextureDesc desc_of(const struct textureReference *r)
{
	struct cudaTextureDesc t = {
		.filterMode = r->filterMode, .readMode = r->readMode, .sRGB = r->sRGB, .normalizedCoords = r->normalized};

	memcpy(t.addressMode, r->addressMode, sizeof t.addressMode);
	return t;
}

static cudaError_t bind(const struct textureReference *ref, struct wire_view *v, cudaError_t error)
{
	struct cudaTextureDesc t = desc_of(ref);

	if (!error)
		error = set_fetch(v, &t);
	return errors_note(error ? error : send(ref, false, v, NULL));
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *ref, const void *p,
			    const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	struct wire_view v = {0};
	struct wire_answer at;

	if (!ref || !desc || !connection_is_device(p))
		return errors_note(cudaErrorInvalidValue);
	if (offset)
		*offset = 0;
	/* As a rule a program gives no size, and means all of what it allocated. */
	if (connection_call(WIRE_POINTER, 1, (uint64_t[]){(uintptr_t)p}, NULL, &at) != cudaSuccess)
		return errors_note(cudaErrorInvalidValue);
	if (bytes > at.r[1] + at.r[2] - (uintptr_t)p)
		bytes = at.r[1] + at.r[2] - (uintptr_t)p;
	return bind(ref, &v, view_linear(&v, p, desc, bytes));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *ref, const void *p,
			      const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
	struct wire_view v = {0};

	if (!ref || !desc)
		return errors_note(cudaErrorInvalidValue);
	if (offset)
		*offset = 0;
	return bind(ref, &v, view_rows(&v, p, desc, width, height, pitch));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *ref, cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *desc)
{
	struct wire_view v = {0};

	(void)desc;
	if (!ref)
		return errors_note(cudaErrorInvalidTexture);
	return bind(ref, &v, view_array(&v, array));
}

/* What it was bound to stays readable, as on a GPU, until it is bound anew. */
cudaError_t cudaUnbindTexture(const struct textureReference *ref)
{
	return errors_note(ref ? cudaSuccess : cudaErrorInvalidTexture);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *ref)
{
	if (!offset || !ref)
		return errors_note(cudaErrorInvalidTexture);
	*offset = 0;
	return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **ref, const void *symbol)
{
	if (!ref || !symbol)
		return errors_note(cudaErrorInvalidTexture);
	*ref = symbol;
	return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *ref, cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *desc)
{
	struct wire_view v = {0};
	cudaError_t error;

	(void)desc;
	if (!ref)
		return errors_note(cudaErrorInvalidSurface);
	error = view_array(&v, array);
	return errors_note(error ? error : send(ref, true, &v, NULL));
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name, int dims,
			   int normalized, int is_extern)
{
	(void)device;
	(void)dims;
	(void)normalized;
	(void)is_extern;
	registration_reference(handle, host, name, false);
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name, int dims,
			   int is_extern)
{
	(void)device;
	(void)dims;
	(void)is_extern;
	registration_reference(handle, host, name, true);
}

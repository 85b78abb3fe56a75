/* Texture and surface objects, and the references of modules, by those of the runtime. */
#include <stdlib.h>
#include <string.h>

#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/arrays.h"

/* Integers of 32 bits are read as they are, whatever the flags say. */
static enum cudaTextureReadMode read_mode(unsigned int flags, const struct cudaChannelFormatDesc *d)
{
	bool as_it_is = flags & CU_TRSF_READ_AS_INTEGER || d->f == cudaChannelFormatKindFloat || d->x == 32;

	return as_it_is ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
}

/* ---- objects ---- */

static CUresult resource_of(const CUDA_RESOURCE_DESC *r, struct cudaResourceDesc *to, struct cudaChannelFormatDesc *d)
{
	switch (r->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		to->resType = cudaResourceTypeArray;
		to->res.array.array = driver_array(r->res.array.hArray);
		return to->res.array.array && !cudaGetChannelDesc(d, to->res.array.array) ? CUDA_SUCCESS
											  : CUDA_ERROR_INVALID_HANDLE;
	case CU_RESOURCE_TYPE_LINEAR:
		if (!driver_channels(r->res.linear.format, r->res.linear.numChannels, d))
			return CUDA_ERROR_INVALID_VALUE;
		to->resType = cudaResourceTypeLinear;
		to->res.linear.devPtr = driver_pointer(r->res.linear.devPtr);
		to->res.linear.desc = *d;
		to->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_PITCH2D:
		if (!driver_channels(r->res.pitch2D.format, r->res.pitch2D.numChannels, d))
			return CUDA_ERROR_INVALID_VALUE;
		to->resType = cudaResourceTypePitch2D;
		to->res.pitch2D.devPtr = driver_pointer(r->res.pitch2D.devPtr);
		to->res.pitch2D.desc = *d;
		to->res.pitch2D.width = r->res.pitch2D.width;
		to->res.pitch2D.height = r->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_NOT_SUPPORTED; /* mipmapped arrays */
	}
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
			   const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct cudaResourceDesc from = {.resType = cudaResourceTypeArray};
	struct cudaChannelFormatDesc channels;
	struct cudaTextureDesc t = {.filterMode = cudaFilterModePoint};
	CUresult r;

	if (!object || !resource || !texture)
		return CUDA_ERROR_INVALID_VALUE;
	if (view)
		return CUDA_ERROR_NOT_SUPPORTED;
	r = resource_of(resource, &from, &channels);
	if (r)
		return r;
	for (int i = 0; i < 3; i++)
		t.addressMode[i] = (enum cudaTextureAddressMode)texture->addressMode[i];
	t.filterMode = (enum cudaTextureFilterMode)texture->filterMode;
	t.readMode = read_mode(texture->flags, &channels);
	t.normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	t.sRGB = (texture->flags & CU_TRSF_SRGB) != 0;
	memcpy(t.borderColor, texture->borderColor, sizeof t.borderColor);
	return driver_result(cudaCreateTextureObject(object, &from, &t, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
	return driver_result(cudaDestroyTextureObject(object));
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
	struct cudaResourceDesc from = {.resType = cudaResourceTypeArray};
	struct cudaChannelFormatDesc channels;
	CUresult r;

	if (!object || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	r = resource_of(resource, &from, &channels);
	return r ? r : driver_result(cudaCreateSurfaceObject(object, &from));
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
	return driver_result(cudaDestroySurfaceObject(object));
}

/* ---- references: what is set of one is sent to the device as soon as it is bound to memory ---- */

struct CUtexref_st {
	struct textureReference is;
	struct cudaChannelFormatDesc channels; /* of linear and pitched memory */
	unsigned int flags;
	enum { UNBOUND, ARRAY, LINEAR, ROWS } bound;
	cudaArray_t array;
	void *at;
	size_t bytes, width, height, pitch;
};

struct CUsurfref_st {
	struct surfaceReference is;
};

static CUresult rebind(CUtexref ref)
{
	if (ref->bound == ARRAY)
		cudaGetChannelDesc(&ref->channels, ref->array);
	ref->is.readMode = read_mode(ref->flags, &ref->channels);
	ref->is.normalized = (ref->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	ref->is.sRGB = (ref->flags & CU_TRSF_SRGB) != 0;
	switch (ref->bound) {
	case ARRAY:
		return driver_result(cudaBindTextureToArray(&ref->is, ref->array, &ref->channels));
	case LINEAR:
		return driver_result(cudaBindTexture(NULL, &ref->is, ref->at, &ref->channels, ref->bytes));
	case ROWS:
		return driver_result(
			cudaBindTexture2D(NULL, &ref->is, ref->at, &ref->channels, ref->width, ref->height, ref->pitch));
	default:
		return CUDA_SUCCESS;
	}
}

CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name)
{
	CUtexref made = ref && module && name ? calloc(1, sizeof *made) : NULL;
	CUresult r;

	if (!made)
		return CUDA_ERROR_INVALID_VALUE;
	for (int i = 0; i < 3; i++)
		made->is.addressMode[i] = cudaAddressModeClamp;
	made->channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	r = driver_reference(module, &made->is, name, false);
	if (r)
		free(made);
	else
		*ref = made;
	return r;
}

CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags)
{
	if (!ref || !array || flags & ~CU_TRSA_OVERRIDE_FORMAT)
		return CUDA_ERROR_INVALID_VALUE;
	ref->bound = ARRAY;
	ref->array = driver_array(array);
	return rebind(ref);
}

CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref ref, CUdeviceptr p, size_t bytes)
{
	if (!ref)
		return CUDA_ERROR_INVALID_VALUE;
	if (offset)
		*offset = 0;
	ref->bound = LINEAR;
	ref->at = driver_pointer(p);
	ref->bytes = bytes;
	return rebind(ref);
}

CUresult cuTexRefSetAddress2D_v3(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr p, size_t pitch)
{
	if (!ref || !d || !driver_channels(d->Format, d->NumChannels, &ref->channels))
		return CUDA_ERROR_INVALID_VALUE;
	ref->bound = ROWS;
	ref->at = driver_pointer(p);
	ref->width = d->Width;
	ref->height = d->Height;
	ref->pitch = pitch;
	return rebind(ref);
}

/* An array has the format that it was made with. */
CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels)
{
	struct cudaChannelFormatDesc d;

	if (!ref || channels < 0 || !driver_channels(format, (unsigned)channels, &d))
		return CUDA_ERROR_INVALID_VALUE;
	ref->channels = d;
	return rebind(ref);
}

CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags)
{
	if (!ref)
		return CUDA_ERROR_INVALID_VALUE;
	ref->flags = flags;
	return rebind(ref);
}

CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode)
{
	if (!ref)
		return CUDA_ERROR_INVALID_VALUE;
	ref->is.filterMode = (enum cudaTextureFilterMode)mode;
	return rebind(ref);
}

CUresult cuTexRefSetAddressMode(CUtexref ref, int dimension, CUaddress_mode mode)
{
	if (!ref || dimension < 0 || dimension > 2)
		return CUDA_ERROR_INVALID_VALUE;
	ref->is.addressMode[dimension] = (enum cudaTextureAddressMode)mode;
	return rebind(ref);
}

/* What a function fetches from, its PTX says. */
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref ref)
{
	return f && ref && unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name)
{
	CUsurfref made = ref && module && name ? calloc(1, sizeof *made) : NULL;
	CUresult r = made ? driver_reference(module, &made->is, name, true) : CUDA_ERROR_INVALID_VALUE;

	if (r)
		free(made);
	else
		*ref = made;
	return r;
}

CUresult cuSurfRefSetArray(CUsurfref ref, CUarray array, unsigned int flags)
{
	if (!ref || !array || flags)
		return CUDA_ERROR_INVALID_VALUE;
	return driver_result(cudaBindSurfaceToArray(&ref->is, driver_array(array), NULL));
}

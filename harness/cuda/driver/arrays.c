/* Arrays are the runtime's; a format and a number of channels stand for its channel descriptor. */
#include "cuda/runtime/arrays.h"

#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"

static const struct {
	CUarray_format format;
	int bits;
	enum cudaChannelFormatKind kind;
} formats[] = {
	{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
	{CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

bool driver_channels(CUarray_format format, unsigned int channels, struct cudaChannelFormatDesc *d)
{
	for (unsigned i = 0; i < FORMATS; i++) {
		int bits = formats[i].bits;

		if (formats[i].format != format)
			continue;
		*d = (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
						    formats[i].kind};
		return channels == 1 || channels == 2 || channels == 4;
	}
	return false;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *d)
{
	for (unsigned i = 0; i < FORMATS; i++)
		if (formats[i].bits == d->x && formats[i].kind == d->f)
			return formats[i].format;
	return (CUarray_format)0;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	struct cudaChannelFormatDesc desc;
	cudaArray_t made;
	cudaError_t error;

	if (!array || !d || !driver_channels(d->Format, d->NumChannels, &desc))
		return CUDA_ERROR_INVALID_VALUE;
	error = cudaMalloc3DArray(&made, &desc, (struct cudaExtent){d->Width, d->Height, d->Depth}, d->Flags);
	if (!error)
		*array = (CUarray)made;
	return driver_result(error);
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
	CUDA_ARRAY3D_DESCRIPTOR flat;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	flat = (CUDA_ARRAY3D_DESCRIPTOR){d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
	return cuArray3DCreate_v2(array, &flat);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
	const struct cudaArray *a = driver_array(array);

	if (!d || !a)
		return d ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*d = (CUDA_ARRAY3D_DESCRIPTOR){.Width = a->extent.width,
				       .Height = a->extent.height,
				       .Depth = a->extent.depth,
				       .Format = format_of(&a->desc),
				       .NumChannels = (unsigned)(a->element * 8) / (unsigned)a->desc.x,
				       .Flags = a->flags};
	return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR whole;
	CUresult r = d ? cuArray3DGetDescriptor_v2(&whole, array) : CUDA_ERROR_INVALID_VALUE;

	if (!r)
		*d = (CUDA_ARRAY_DESCRIPTOR){whole.Width, whole.Height, whole.Format, whole.NumChannels};
	return r;
}

CUresult cuArrayDestroy(CUarray array)
{
	return array ? driver_result(cudaFreeArray(driver_array(array))) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- copies: bytes of the rows, one after the other, from an offset on ---- */

static CUresult to_array(CUarray to, size_t offset, const void *from, size_t bytes)
{
	const struct cudaArray *a = driver_array(to);
	size_t width = a ? a->extent.width * a->element : 0;

	return a ? driver_result(
			   cudaMemcpyToArray(driver_array(to), offset % width, offset / width, from, bytes, cudaMemcpyDefault))
		 : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult from_array(void *to, CUarray from, size_t offset, size_t bytes)
{
	const struct cudaArray *a = driver_array(from);
	size_t width = a ? a->extent.width * a->element : 0;

	return a ? driver_result(cudaMemcpyFromArray(to, a, offset % width, offset / width, bytes, cudaMemcpyDefault))
		 : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes)
{
	return to_array(to, offset, from, bytes);
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes)
{
	return from_array(to, from, offset, bytes);
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
	return to_array(to, offset, driver_pointer(from), bytes);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
	return from_array(driver_pointer(to), from, offset, bytes);
}

/* Copies and fills of two and three dimensions, by the code of the runtime. */
#include "cuda/driver/driver.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/copies.h"

/* One side of a copy, as both structures have it. */
struct side {
	size_t x, y, z;
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	size_t pitch, height;
	CUarray array;
};

/* A pitch of 0 is the width, a height of 0 the box's. */
static CUresult place(const struct side *s, const struct copy_box *box, struct copy_side *to)
{
	size_t pitch = s->pitch ? s->pitch : s->x + box->width, slice = pitch * (s->height ? s->height : s->y + box->rows);
	const char *at = s->type == CU_MEMORYTYPE_HOST ? s->host : driver_pointer(s->device);

	if (s->type == CU_MEMORYTYPE_ARRAY)
		return s->array && arrays_side(driver_array(s->array), (struct copy_at){s->x, s->y, s->z}, *box, to)
			       ? CUDA_SUCCESS
			       : CUDA_ERROR_INVALID_VALUE;
	if (s->type != CU_MEMORYTYPE_HOST && s->type != CU_MEMORYTYPE_DEVICE && s->type != CU_MEMORYTYPE_UNIFIED)
		return CUDA_ERROR_INVALID_VALUE;
	*to = (struct copy_side){.at = at + s->x + s->y * pitch + s->z * slice, .pitch = pitch, .slice = slice};
	return CUDA_SUCCESS;
}

static CUresult copy(const struct side *to, const struct side *from, struct copy_box box)
{
	struct copy_side t, f;
	CUresult r = place(to, &box, &t);

	if (!r)
		r = place(from, &box, &f);
	return r ? r : driver_result(copy_bytes(t, f, box, cudaMemcpyDefault));
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c)
{
	struct side to, from;

	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	to = (struct side){c->dstXInBytes, c->dstY, 0, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, 0, c->dstArray};
	from = (struct side){c->srcXInBytes, c->srcY, 0, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, 0, c->srcArray};
	return copy(&to, &from, (struct copy_box){c->WidthInBytes, c->Height, 1});
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c)
{
	return cuMemcpy2D_v2(c);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpy2D_v2(c));
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *c)
{
	struct side to, from;

	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	to = (struct side){c->dstXInBytes, c->dstY,	c->dstZ,      c->dstMemoryType, c->dstHost,
			   c->dstDevice,   c->dstPitch, c->dstHeight, c->dstArray};
	from = (struct side){c->srcXInBytes, c->srcY,	  c->srcZ,	c->srcMemoryType, c->srcHost,
			     c->srcDevice,   c->srcPitch, c->srcHeight, c->srcArray};
	return copy(&to, &from, (struct copy_box){c->WidthInBytes, c->Height, c->Depth});
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream stream)
{
	return DRIVER_ON(stream, cuMemcpy3D_v2(c));
}

CUresult cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height)
{
	return driver_result(cudaMemset2D(driver_pointer(p), pitch, value, width, height));
}

/* Rows of elements of 2 or 4 bytes. */
static CUresult fill(CUdeviceptr p, size_t pitch, uint32_t value, unsigned element, size_t width, size_t height)
{
	struct copy_side to = {.at = driver_pointer(p), .pitch = pitch};

	if (p % element || (height > 1 && (pitch % element || pitch / element < width)) || width > SIZE_MAX / element)
		return CUDA_ERROR_INVALID_VALUE;
	return driver_result(copy_fill(to, value, element, (struct copy_box){element * width, height, 1}));
}

CUresult cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height)
{
	return fill(p, pitch, value, 2, width, height);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height)
{
	return fill(p, pitch, value, 4, width, height);
}

/* Of cuda.h: arrays, textures and surfaces, their objects, and the references of modules. Names, values and layouts are
 * those of the CUDA Driver API. Extents of arrays are in elements, of a resource's linear memory in bytes. */
#ifndef LOCUS_CUDA_DRIVER_ARRAYS_H
#define LOCUS_CUDA_DRIVER_ARRAYS_H

#define CU_TRSA_OVERRIDE_FORMAT	       1
#define CU_TRSF_READ_AS_INTEGER	       1
#define CU_TRSF_NORMALIZED_COORDINATES 2
#define CU_TRSF_SRGB		       0x10
#define CU_PARAM_TR_DEFAULT	       -1
#define CUDA_ARRAY3D_LAYERED	       0x01
#define CUDA_ARRAY3D_2DARRAY	       0x01
#define CUDA_ARRAY3D_SURFACE_LDST      0x02
#define CUDA_ARRAY3D_CUBEMAP	       0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER    0x08

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;

typedef enum CUarray_format_enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
	CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
	CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
	CU_AD_FORMAT_SIGNED_INT8 = 0x08,
	CU_AD_FORMAT_SIGNED_INT16 = 0x09,
	CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
	CU_AD_FORMAT_HALF = 0x10,
	CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;
typedef enum CUaddress_mode_enum {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;
typedef enum CUresourcetype_enum {
	CU_RESOURCE_TYPE_ARRAY = 0,
	CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
	CU_RESOURCE_TYPE_LINEAR = 2,
	CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
	size_t Width, Height; /* 0 high: one-dimensional */
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_RESOURCE_DESC_st {
	CUresourcetype resType;
	union {
		struct {
			CUarray hArray;
		} array;
		struct {
			CUmipmappedArray hMipmappedArray;
		} mipmap;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t width, height, pitchInBytes;
		} pitch2D;
		struct {
			int reserved[32];
		} reserved;
	} res;
	unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned int flags, maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st { /* views with another format than the array's are not offered */
	int format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
CUresult cuArrayDestroy(CUarray array);
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes);
CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes);
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes);

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
			   const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject object);
CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource);
CUresult cuSurfObjectDestroy(CUsurfObject object);

CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name);
CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name);
CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags);
CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref ref, CUdeviceptr p, size_t bytes);
CUresult cuTexRefSetAddress2D_v3(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr p, size_t pitch);
CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels);
CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags);
CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode);
CUresult cuTexRefSetAddressMode(CUtexref ref, int dimension, CUaddress_mode mode);
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref ref);
CUresult cuSurfRefSetArray(CUsurfref ref, CUarray array, unsigned int flags);

#ifdef __cplusplus
}
#endif

#define cuArrayCreate	       cuArrayCreate_v2
#define cuArray3DCreate	       cuArray3DCreate_v2
#define cuArrayGetDescriptor   cuArrayGetDescriptor_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemcpyHtoA	       cuMemcpyHtoA_v2
#define cuMemcpyAtoH	       cuMemcpyAtoH_v2
#define cuMemcpyDtoA	       cuMemcpyDtoA_v2
#define cuMemcpyAtoD	       cuMemcpyAtoD_v2
#define cuTexRefSetAddress     cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D   cuTexRefSetAddress2D_v3

#endif

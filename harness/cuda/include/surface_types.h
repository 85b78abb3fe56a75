/* What a surface access beyond the edge does (CUDA C++ Programming Guide, "Surface Functions"), and surfaceReference,
 * which programs for CUDA up to 11 use. */
#ifndef LOCUS_CUDA_SURFACE_TYPES_H
#define LOCUS_CUDA_SURFACE_TYPES_H

#include "driver_types.h"

#define cudaSurfaceType1D	      0x01
#define cudaSurfaceType2D	      0x02
#define cudaSurfaceType3D	      0x03
#define cudaSurfaceTypeCubemap	      0x0C
#define cudaSurfaceType1DLayered      0xF1
#define cudaSurfaceType2DLayered      0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

struct surfaceReference {
	struct cudaChannelFormatDesc channelDesc;
};

#endif

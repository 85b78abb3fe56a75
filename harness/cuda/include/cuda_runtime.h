/* What a .cu file includes without saying so, and what a host program that calls the runtime from C or C++ includes.
 *
 * The device side is clang's own headers for CUDA (of clang 14's resource folder) on functions of ours: the names of
 * the CUDA Math API, the intrinsics and the built-in variables come from there, what they do from locus/ and libclc.
 * What those headers leave to a CUDA toolkit is in locus/ too.
 */
#ifndef LOCUS_CUDA_RUNTIME_H
#define LOCUS_CUDA_RUNTIME_H
/* By this name programs ask whether the runtime is there, the CUDA samples' helper_cuda.h among them. */
#define __CUDA_RUNTIME_H__

#include "crt/host_defines.h"
#if defined(__CUDA__) && defined(__clang__)
#include "locus/device.h"
#endif
#include "cuda_runtime_api.h"
#include "cuda_device_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "locus/host_templates.h"
#endif
#ifdef LOCUS_CUDA_MANAGED
#include "locus/hip_names.h"
#endif
#if defined(__CUDA__) && defined(__clang__)
#include "locus/textures.h"
#include "locus/surfaces.h"
#endif

#endif

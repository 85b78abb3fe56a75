/* The device side of cuda_runtime.h: clang's headers in the order that they want, between the parts of ours that they
 * build on and those that build on them. */
#ifndef LOCUS_CUDA_DEVICE_H
#define LOCUS_CUDA_DEVICE_H

/* These declarations must come before <cmath>, whose constexpr functions would count as functions of the device. */
#include <__clang_cuda_math_forward_declares.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
/* <stdlib.h> says "using std::malloc": it must do so before malloc has a second function, the device's. */
#include <stdlib.h>

#include "driver_types.h"
#include "vector_types.h"

#include "locus/arithmetic.h"
#include "locus/elementary.h"
#include "locus/special.h"
#include <__clang_cuda_builtin_vars.h>

/* Which toolkit's interface clang's headers are to have: the last one before parts that only a toolkit can fill. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 10020
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "locus/system.h"
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#pragma pop_macro("CUDA_VERSION")
#include <new>

#include "locus/both_sides.h"
#include "locus/atomics.h"
#include "locus/memory.h"
#include "locus/barriers.h"
#include "locus/warp.h"

#endif

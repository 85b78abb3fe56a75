/* Complex numbers as CUDA has them, for C and C++ on both sides: a pair of the real and the imaginary part.
 * Numbers whose squares are out of range have moduli and quotients all the same.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUCOMPLEX_H
#define LOCUS_CUCOMPLEX_H

#ifdef __cplusplus
#include <cmath> /* C++'s <math.h> takes names of the program's for its own */
#else
#include <math.h>
#endif

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define LOCUS_BOTH static __inline__ __host__ __device__ __attribute__((unused))

/* complex, real: types; make, hypot, abs: functions; f: what ends a name of the type's. A quotient is scaled by the
 * larger part of the divisor (Smith, "Algorithm 116: Complex division", CACM 1962). */
#define LOCUS_COMPLEX(complex, real, make, hypot, abs, f)                                                                          \
	LOCUS_BOTH complex make(real r, real i)                                                                                    \
	{                                                                                                                          \
		complex c;                                                                                                         \
		c.x = r;                                                                                                           \
		c.y = i;                                                                                                           \
		return c;                                                                                                          \
	}                                                                                                                          \
	LOCUS_BOTH real cuCreal##f(complex c) { return c.x; }                                                                      \
	LOCUS_BOTH real cuCimag##f(complex c) { return c.y; }                                                                      \
	LOCUS_BOTH complex cuConj##f(complex c) { return make(c.x, -c.y); }                                                        \
	LOCUS_BOTH complex cuCadd##f(complex a, complex b) { return make(a.x + b.x, a.y + b.y); }                                  \
	LOCUS_BOTH complex cuCsub##f(complex a, complex b) { return make(a.x - b.x, a.y - b.y); }                                  \
	LOCUS_BOTH complex cuCmul##f(complex a, complex b)                                                                         \
	{                                                                                                                          \
		return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                         \
	}                                                                                                                          \
	LOCUS_BOTH complex cuCfma##f(complex a, complex b, complex c) { return cuCadd##f(cuCmul##f(a, b), c); }                    \
	LOCUS_BOTH complex cuCdiv##f(complex a, complex b)                                                                         \
	{                                                                                                                          \
		int swapped = abs(b.x) < abs(b.y);                                                                                 \
		real large = swapped ? b.y : b.x, small = swapped ? b.x : b.y, r = small / large, d = large + small * r;           \
		return swapped ? make((a.x * r + a.y) / d, (a.y * r - a.x) / d)                                                    \
			       : make((a.x + a.y * r) / d, (a.y - a.x * r) / d);                                                   \
	}                                                                                                                          \
	LOCUS_BOTH real cuCabs##f(complex c) { return hypot(c.x, c.y); }
LOCUS_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, hypotf, fabsf, f)
LOCUS_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, hypot, fabs, )
#undef LOCUS_COMPLEX

LOCUS_BOTH cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
LOCUS_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }
LOCUS_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) { return make_cuFloatComplex((float)c.x, (float)c.y); }

#undef LOCUS_BOTH

#endif

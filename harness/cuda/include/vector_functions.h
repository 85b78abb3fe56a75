/* make_int2(1, 2) and its like: vectors from their elements. */
#ifndef LOCUS_CUDA_VECTOR_FUNCTIONS_H
#define LOCUS_CUDA_VECTOR_FUNCTIONS_H

#include "crt/host_defines.h"
#include "vector_types.h"

#define LOCUS_MAKE static __inline__ __host__ __device__ __attribute__((unused))
#define LOCUS_VECTORS(name, type)                                                                                                  \
	LOCUS_MAKE struct name##1 make_##name##1(type x)                                                                           \
	{                                                                                                                          \
		struct name##1 v = {x};                                                                                            \
		return v;                                                                                                          \
	}                                                                                                                          \
	LOCUS_MAKE struct name##2 make_##name##2(type x, type y)                                                                   \
	{                                                                                                                          \
		struct name##2 v = {x, y};                                                                                         \
		return v;                                                                                                          \
	}                                                                                                                          \
	LOCUS_MAKE struct name##3 make_##name##3(type x, type y, type z)                                                           \
	{                                                                                                                          \
		struct name##3 v = {x, y, z};                                                                                      \
		return v;                                                                                                          \
	}                                                                                                                          \
	LOCUS_MAKE struct name##4 make_##name##4(type x, type y, type z, type w)                                                   \
	{                                                                                                                          \
		struct name##4 v = {x, y, z, w};                                                                                   \
		return v;                                                                                                          \
	}
LOCUS_VECTORS(char, signed char)
LOCUS_VECTORS(uchar, unsigned char)
LOCUS_VECTORS(short, short)
LOCUS_VECTORS(ushort, unsigned short)
LOCUS_VECTORS(int, int)
LOCUS_VECTORS(uint, unsigned int)
LOCUS_VECTORS(long, long)
LOCUS_VECTORS(ulong, unsigned long)
LOCUS_VECTORS(longlong, long long)
LOCUS_VECTORS(ulonglong, unsigned long long)
LOCUS_VECTORS(float, float)
LOCUS_VECTORS(double, double)
#undef LOCUS_VECTORS
#undef LOCUS_MAKE

#endif

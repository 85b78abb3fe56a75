/* CUDA's vector types and dim3, for C and C++, host and device.
 *
 * Vectors of two and four elements are aligned to their size, at most 16 bytes; those of one and three as an element is
 * (CUDA C++ Programming Guide, "Built-in Vector Types", table of alignments).
 */
#ifndef LOCUS_CUDA_VECTOR_TYPES_H
#define LOCUS_CUDA_VECTOR_TYPES_H

#define LOCUS_CUDA_VECTORS(type, name, align2, align4)                                                                             \
	struct name##1                                                                                                             \
	{                                                                                                                          \
		type x;                                                                                                            \
	};                                                                                                                         \
	struct __attribute__((aligned(align2))) name##2                                                                            \
	{                                                                                                                          \
		type x, y;                                                                                                         \
	};                                                                                                                         \
	struct name##3                                                                                                             \
	{                                                                                                                          \
		type x, y, z;                                                                                                      \
	};                                                                                                                         \
	struct __attribute__((aligned(align4))) name##4                                                                            \
	{                                                                                                                          \
		type x, y, z, w;                                                                                                   \
	};                                                                                                                         \
	typedef struct name##1 name##1;                                                                                            \
	typedef struct name##2 name##2;                                                                                            \
	typedef struct name##3 name##3;                                                                                            \
	typedef struct name##4 name##4

LOCUS_CUDA_VECTORS(signed char, char, 2, 4);
LOCUS_CUDA_VECTORS(unsigned char, uchar, 2, 4);
LOCUS_CUDA_VECTORS(short, short, 4, 8);
LOCUS_CUDA_VECTORS(unsigned short, ushort, 4, 8);
LOCUS_CUDA_VECTORS(int, int, 8, 16);
LOCUS_CUDA_VECTORS(unsigned int, uint, 8, 16);
LOCUS_CUDA_VECTORS(long, long, 16, 16);
LOCUS_CUDA_VECTORS(unsigned long, ulong, 16, 16);
LOCUS_CUDA_VECTORS(long long, longlong, 16, 16);
LOCUS_CUDA_VECTORS(unsigned long long, ulonglong, 16, 16);
LOCUS_CUDA_VECTORS(float, float, 8, 16);
LOCUS_CUDA_VECTORS(double, double, 16, 16);
#undef LOCUS_CUDA_VECTORS

/* Of a grid in CTAs, of a block in threads. */
struct dim3 {
	unsigned int x, y, z;
#if defined(__cplusplus) && defined(__CUDA__)
	__attribute__((host)) __attribute__((device)) constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
	    : x(vx), y(vy), z(vz)
	{
	}
	__attribute__((host)) __attribute__((device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__attribute__((host)) __attribute__((device)) constexpr operator uint3() const
	{
		return uint3{x, y, z};
	}
#elif defined(__cplusplus)
	constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
	{
	}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	constexpr operator uint3() const
	{
		return uint3{x, y, z};
	}
#endif
};
typedef struct dim3 dim3;

#endif

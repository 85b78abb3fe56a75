/* Arithmetic of vectors, as the samples' helper of this name has it. Written anew from how the samples call it. */
#ifndef LOCUS_CUDA_HELPER_MATH_H
#define LOCUS_CUDA_HELPER_MATH_H

#include <cmath>

#include "cuda_runtime.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define LOCUS_BOTH static inline __host__ __device__ __attribute__((unused))

#if !defined(__CUDACC__)
static inline int max(int a, int b)
{
	return a > b ? a : b;
}
static inline int min(int a, int b)
{
	return a < b ? a : b;
}
static inline float rsqrtf(float a)
{
	return 1.0f / sqrtf(a);
}
#endif

/* ---- from a scalar, from shorter and longer vectors, from vectors of another type ---- */

#define LOCUS_MAKE_FROM(vector, scalar)                                                                                            \
	LOCUS_BOTH vector##2 make_##vector##2(scalar s)                                                                            \
	{                                                                                                                          \
		return make_##vector##2(s, s);                                                                                     \
	}                                                                                                                          \
	LOCUS_BOTH vector##3 make_##vector##3(scalar s)                                                                            \
	{                                                                                                                          \
		return make_##vector##3(s, s, s);                                                                                  \
	}                                                                                                                          \
	LOCUS_BOTH vector##4 make_##vector##4(scalar s)                                                                            \
	{                                                                                                                          \
		return make_##vector##4(s, s, s, s);                                                                               \
	}                                                                                                                          \
	LOCUS_BOTH vector##2 make_##vector##2(vector##3 a)                                                                         \
	{                                                                                                                          \
		return make_##vector##2(a.x, a.y);                                                                                 \
	}                                                                                                                          \
	LOCUS_BOTH vector##3 make_##vector##3(vector##2 a, scalar s = 0)                                                           \
	{                                                                                                                          \
		return make_##vector##3(a.x, a.y, s);                                                                              \
	}                                                                                                                          \
	LOCUS_BOTH vector##3 make_##vector##3(vector##4 a)                                                                         \
	{                                                                                                                          \
		return make_##vector##3(a.x, a.y, a.z);                                                                            \
	}                                                                                                                          \
	LOCUS_BOTH vector##4 make_##vector##4(vector##3 a, scalar w = 0)                                                           \
	{                                                                                                                          \
		return make_##vector##4(a.x, a.y, a.z, w);                                                                         \
	}
LOCUS_MAKE_FROM(float, float)
LOCUS_MAKE_FROM(int, int)
LOCUS_MAKE_FROM(uint, uint)
#undef LOCUS_MAKE_FROM

#define LOCUS_CONVERT(to, from)                                                                                                    \
	LOCUS_BOTH to##2 make_##to##2(from##2 a)                                                                                   \
	{                                                                                                                          \
		return make_##to##2(a.x, a.y);                                                                                     \
	}                                                                                                                          \
	LOCUS_BOTH to##3 make_##to##3(from##3 a)                                                                                   \
	{                                                                                                                          \
		return make_##to##3(a.x, a.y, a.z);                                                                                \
	}                                                                                                                          \
	LOCUS_BOTH to##4 make_##to##4(from##4 a)                                                                                   \
	{                                                                                                                          \
		return make_##to##4(a.x, a.y, a.z, a.w);                                                                           \
	}
LOCUS_CONVERT(float, int)
LOCUS_CONVERT(float, uint)
LOCUS_CONVERT(int, float)
LOCUS_CONVERT(int, uint)
LOCUS_CONVERT(uint, int)
#undef LOCUS_CONVERT

/* ---- element by element: vector and vector, vector and scalar ---- */

#define LOCUS_OPERATOR(vector, n, scalar, op)                                                                                      \
	LOCUS_BOTH vector##n operator op(vector##n a, vector##n b)                                                                 \
	{                                                                                                                          \
		return LOCUS_BINARY_##n(vector, op);                                                                               \
	}                                                                                                                          \
	LOCUS_BOTH vector##n operator op(vector##n a, scalar s)                                                                    \
	{                                                                                                                          \
		return a op make_##vector##n(s);                                                                                   \
	}                                                                                                                          \
	LOCUS_BOTH vector##n operator op(scalar s, vector##n b)                                                                    \
	{                                                                                                                          \
		return make_##vector##n(s) op b;                                                                                   \
	}                                                                                                                          \
	LOCUS_BOTH void operator op##=(vector##n &a, vector##n b)                                                                  \
	{                                                                                                                          \
		a = a op b;                                                                                                        \
	}                                                                                                                          \
	LOCUS_BOTH void operator op##=(vector##n &a, scalar s)                                                                     \
	{                                                                                                                          \
		a = a op s;                                                                                                        \
	}
#define LOCUS_BINARY_2(vector, op) make_##vector##2(a.x op b.x, a.y op b.y)
#define LOCUS_BINARY_3(vector, op) make_##vector##3(a.x op b.x, a.y op b.y, a.z op b.z)
#define LOCUS_BINARY_4(vector, op) make_##vector##4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w)
#define LOCUS_OPERATORS(vector, scalar, op)                                                                                        \
	LOCUS_OPERATOR(vector, 2, scalar, op)                                                                                      \
	LOCUS_OPERATOR(vector, 3, scalar, op)                                                                                      \
	LOCUS_OPERATOR(vector, 4, scalar, op)
LOCUS_OPERATORS(float, float, +)
LOCUS_OPERATORS(float, float, -)
LOCUS_OPERATORS(float, float, *)
LOCUS_OPERATORS(float, float, /)
LOCUS_OPERATORS(int, int, +)
LOCUS_OPERATORS(int, int, -)
LOCUS_OPERATORS(int, int, *)
LOCUS_OPERATORS(uint, uint, +)
LOCUS_OPERATORS(uint, uint, -)
LOCUS_OPERATORS(uint, uint, *)
#undef LOCUS_OPERATORS
#undef LOCUS_OPERATOR

/* Functions by element: of one vector, of two; the scalar's function is found by its name. */
#define LOCUS_EACH(vector, name, function)                                                                                         \
	LOCUS_BOTH vector##2 name(vector##2 a)                                                                                     \
	{                                                                                                                          \
		return make_##vector##2(function(a.x), function(a.y));                                                             \
	}                                                                                                                          \
	LOCUS_BOTH vector##3 name(vector##3 a)                                                                                     \
	{                                                                                                                          \
		return make_##vector##3(function(a.x), function(a.y), function(a.z));                                              \
	}                                                                                                                          \
	LOCUS_BOTH vector##4 name(vector##4 a)                                                                                     \
	{                                                                                                                          \
		return make_##vector##4(function(a.x), function(a.y), function(a.z), function(a.w));                               \
	}
#define LOCUS_EACH_2(vector, name, function)                                                                                       \
	LOCUS_BOTH vector##2 name(vector##2 a, vector##2 b)                                                                        \
	{                                                                                                                          \
		return make_##vector##2(function(a.x, b.x), function(a.y, b.y));                                                   \
	}                                                                                                                          \
	LOCUS_BOTH vector##3 name(vector##3 a, vector##3 b)                                                                        \
	{                                                                                                                          \
		return make_##vector##3(function(a.x, b.x), function(a.y, b.y), function(a.z, b.z));                               \
	}                                                                                                                          \
	LOCUS_BOTH vector##4 name(vector##4 a, vector##4 b)                                                                        \
	{                                                                                                                          \
		return make_##vector##4(function(a.x, b.x), function(a.y, b.y), function(a.z, b.z), function(a.w, b.w));           \
	}
LOCUS_BOTH float fracf(float a)
{
	return a - floorf(a);
}
LOCUS_EACH(float, operator-, -)
LOCUS_EACH(int, operator-, -)
LOCUS_EACH(float, floorf, floorf)
LOCUS_EACH(float, fracf, fracf)
LOCUS_EACH(float, fabs, fabsf)
LOCUS_EACH(int, abs, abs)
LOCUS_EACH_2(float, fminf, fminf)
LOCUS_EACH_2(float, fmaxf, fmaxf)
LOCUS_EACH_2(float, fmodf, fmodf)
LOCUS_EACH_2(int, min, min)
LOCUS_EACH_2(int, max, max)
#undef LOCUS_EACH
#undef LOCUS_EACH_2

LOCUS_BOTH float clamp(float a, float low, float high)
{
	return fmaxf(low, fminf(a, high));
}
LOCUS_BOTH int clamp(int a, int low, int high)
{
	return max(low, min(a, high));
}
LOCUS_BOTH uint clamp(uint a, uint low, uint high)
{
	return a < low ? low : a > high ? high : a;
}
LOCUS_BOTH float lerp(float a, float b, float t)
{
	return a + t * (b - a);
}
LOCUS_BOTH float smoothstep(float a, float b, float x)
{
	float y = clamp((x - a) / (b - a), 0.0f, 1.0f);

	return y * y * (3.0f - 2.0f * y);
}

/* ---- geometry ---- */

LOCUS_BOTH float dot(float2 a, float2 b)
{
	return a.x * b.x + a.y * b.y;
}
LOCUS_BOTH float dot(float3 a, float3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}
LOCUS_BOTH float dot(float4 a, float4 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
LOCUS_BOTH int dot(int3 a, int3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}
#define LOCUS_GEOMETRY(vector)                                                                                                     \
	LOCUS_BOTH float length(vector a)                                                                                          \
	{                                                                                                                          \
		return sqrtf(dot(a, a));                                                                                           \
	}                                                                                                                          \
	LOCUS_BOTH vector normalize(vector a)                                                                                      \
	{                                                                                                                          \
		return a * rsqrtf(dot(a, a));                                                                                      \
	}                                                                                                                          \
	LOCUS_BOTH vector lerp(vector a, vector b, float t)                                                                        \
	{                                                                                                                          \
		return a + t * (b - a);                                                                                            \
	}                                                                                                                          \
	LOCUS_BOTH vector clamp(vector a, float low, float high)                                                                   \
	{                                                                                                                          \
		return fmaxf(make_##vector(low), fminf(a, make_##vector(high)));                                                   \
	}                                                                                                                          \
	LOCUS_BOTH vector clamp(vector a, vector low, vector high)                                                                 \
	{                                                                                                                          \
		return fmaxf(low, fminf(a, high));                                                                                 \
	}                                                                                                                          \
	LOCUS_BOTH vector reflect(vector a, vector normal)                                                                         \
	{                                                                                                                          \
		return a - 2.0f * normal * dot(normal, a);                                                                         \
	}
LOCUS_GEOMETRY(float2)
LOCUS_GEOMETRY(float3)
LOCUS_GEOMETRY(float4)
#undef LOCUS_GEOMETRY
LOCUS_BOTH float3 cross(float3 a, float3 b)
{
	return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef LOCUS_BOTH

#endif

/* Surface accesses (programming guide, "Surface Functions"): x in bytes, and what an access beyond the edge does. A
 * type is moved by its bytes, of which PTX has units of 1, 2 and 4, in vectors. */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_SURFACES_H
#define LOCUS_CUDA_SURFACES_H

template <class T, int dimensions = cudaSurfaceType1D> struct __attribute__((device_builtin_surface_type)) surface;
template <int dimensions> struct __attribute__((device_builtin_surface_type)) surface<void, dimensions> : public surfaceReference {
	__host__ surface() : surfaceReference() {}
};
template <int dims> static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaBindSurfaceToArray(const surface<void, dims> &s, cudaArray_const_t array, const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindSurfaceToArray((const struct surfaceReference *)&s, array, &desc);
}
template <int dims> static __inline__ __host__ __attribute__((unused)) cudaError_t cudaBindSurfaceToArray(const surface<void, dims> &s, cudaArray_const_t array)
{
	struct cudaChannelFormatDesc desc;
	cudaError_t e = ::cudaGetChannelDesc(&desc, array);

	return e ? e : ::cudaBindSurfaceToArray((const struct surfaceReference *)&s, array, &desc);
}
template <int dims> LOCUS_DEVICE cudaSurfaceObject_t locus_handle(surface<void, dims> s)
{
	cudaSurfaceObject_t handle;

	__asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(s));
	return handle;
}

#define LOCUS_IN(...) __VA_ARGS__
#define LOCUS_BY_MODE(MOVE)                                                                                                        \
	if (mode == cudaBoundaryModeClamp) { MOVE("clamp") } else if (mode == cudaBoundaryModeZero) { MOVE("zero") } else { MOVE("trap") }
/* Operands: %0 the object, %1 to %3 the coordinates; the unit or units behind. */
#define LOCUS_SURFACE(dims, geometry, at, parameters, arguments, operands)                                                         \
	template <class T> LOCUS_DEVICE void surf##dims##read(T *to, cudaSurfaceObject_t object, LOCUS_IN parameters,              \
							      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
	{                                                                                                                          \
		static_assert(sizeof(T) <= 16 && !(sizeof(T) & (sizeof(T) - 1)), "a texel has 1, 2, 4, 8 or 16 bytes");            \
		unsigned w[4] = {0, 0, 0, 0};                                                                                      \
		unsigned short h = 0;                                                                                              \
		if (sizeof(T) == 1) { LOCUS_BY_MODE(LOCUS_READ_1_##dims) w[0] = h; }                                               \
		else if (sizeof(T) == 2) { LOCUS_BY_MODE(LOCUS_READ_2_##dims) w[0] = h; }                                          \
		else if (sizeof(T) == 4) { LOCUS_BY_MODE(LOCUS_READ_4_##dims) }                                                    \
		else if (sizeof(T) == 8) { LOCUS_BY_MODE(LOCUS_READ_8_##dims) }                                                    \
		else { LOCUS_BY_MODE(LOCUS_READ_16_##dims) }                                                                       \
		__builtin_memcpy(to, w, sizeof(T));                                                                                \
	}                                                                                                                          \
	template <class T> LOCUS_DEVICE T surf##dims##read(cudaSurfaceObject_t object, LOCUS_IN parameters,                        \
							   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
	{                                                                                                                          \
		T texel;                                                                                                           \
		surf##dims##read(&texel, object, LOCUS_IN arguments, mode);                                                        \
		return texel;                                                                                                      \
	}                                                                                                                          \
	template <class T> LOCUS_DEVICE void surf##dims##write(T texel, cudaSurfaceObject_t object, LOCUS_IN parameters,           \
							       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)           \
	{                                                                                                                          \
		static_assert(sizeof(T) <= 16 && !(sizeof(T) & (sizeof(T) - 1)), "a texel has 1, 2, 4, 8 or 16 bytes");            \
		unsigned w[4] = {0, 0, 0, 0};                                                                                      \
		__builtin_memcpy(w, &texel, sizeof(T));                                                                            \
		unsigned short h = (unsigned short)w[0];                                                                           \
		if (sizeof(T) == 1) { LOCUS_BY_MODE(LOCUS_WRITE_1_##dims) }                                                        \
		else if (sizeof(T) == 2) { LOCUS_BY_MODE(LOCUS_WRITE_2_##dims) }                                                   \
		else if (sizeof(T) == 4) { LOCUS_BY_MODE(LOCUS_WRITE_4_##dims) }                                                   \
		else if (sizeof(T) == 8) { LOCUS_BY_MODE(LOCUS_WRITE_8_##dims) }                                                   \
		else { LOCUS_BY_MODE(LOCUS_WRITE_16_##dims) }                                                                      \
	}                                                                                                                          \
	template <class T, int d> LOCUS_DEVICE void surf##dims##read(T *to, surface<void, d> s, LOCUS_IN parameters,               \
								     enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
	{                                                                                                                          \
		surf##dims##read(to, locus_handle(s), LOCUS_IN arguments, mode);                                                   \
	}                                                                                                                          \
	template <class T, int d> LOCUS_DEVICE T surf##dims##read(surface<void, d> s, LOCUS_IN parameters,                         \
								  enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
	{                                                                                                                          \
		return surf##dims##read<T>(locus_handle(s), LOCUS_IN arguments, mode);                                             \
	}                                                                                                                          \
	template <class T, int d> LOCUS_DEVICE void surf##dims##write(T texel, surface<void, d> s, LOCUS_IN parameters,            \
								      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
	{                                                                                                                          \
		surf##dims##write(texel, locus_handle(s), LOCUS_IN arguments, mode);                                               \
	}

#define LOCUS_READ(op, mode, units, results, where, operands)                                                                      \
	__asm__ volatile("suld.b." op "." mode " " units ", [" where "];" : LOCUS_IN results : "l"(object), LOCUS_IN operands : "memory");
#define LOCUS_WRITE(op, mode, units, values, where, operands)                                                                      \
	__asm__ volatile("sust.b." op "." mode " [" where "], " units ";" : : "l"(object), LOCUS_IN operands, LOCUS_IN values : "memory");

#define LOCUS_READ_1_1D(mode)  LOCUS_READ("1d.b8", mode, "{%0}", ("=h"(h)), "%1, {%2}", ("r"(x)))
#define LOCUS_READ_2_1D(mode)  LOCUS_READ("1d.b16", mode, "{%0}", ("=h"(h)), "%1, {%2}", ("r"(x)))
#define LOCUS_READ_4_1D(mode)  LOCUS_READ("1d.b32", mode, "{%0}", ("=r"(w[0])), "%1, {%2}", ("r"(x)))
#define LOCUS_READ_8_1D(mode)  LOCUS_READ("1d.v2.b32", mode, "{%0, %1}", ("=r"(w[0]), "=r"(w[1])), "%2, {%3}", ("r"(x)))
#define LOCUS_READ_16_1D(mode) LOCUS_READ("1d.v4.b32", mode, "{%0, %1, %2, %3}", ("=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])), "%4, {%5}", ("r"(x)))
#define LOCUS_READ_1_2D(mode)  LOCUS_READ("2d.b8", mode, "{%0}", ("=h"(h)), "%1, {%2, %3}", ("r"(x), "r"(y)))
#define LOCUS_READ_2_2D(mode)  LOCUS_READ("2d.b16", mode, "{%0}", ("=h"(h)), "%1, {%2, %3}", ("r"(x), "r"(y)))
#define LOCUS_READ_4_2D(mode)  LOCUS_READ("2d.b32", mode, "{%0}", ("=r"(w[0])), "%1, {%2, %3}", ("r"(x), "r"(y)))
#define LOCUS_READ_8_2D(mode)  LOCUS_READ("2d.v2.b32", mode, "{%0, %1}", ("=r"(w[0]), "=r"(w[1])), "%2, {%3, %4}", ("r"(x), "r"(y)))
#define LOCUS_READ_16_2D(mode) LOCUS_READ("2d.v4.b32", mode, "{%0, %1, %2, %3}", ("=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])), "%4, {%5, %6}", ("r"(x), "r"(y)))
#define LOCUS_READ_1_3D(mode)  LOCUS_READ("3d.b8", mode, "{%0}", ("=h"(h)), "%1, {%2, %3, %4, %4}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_READ_2_3D(mode)  LOCUS_READ("3d.b16", mode, "{%0}", ("=h"(h)), "%1, {%2, %3, %4, %4}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_READ_4_3D(mode)  LOCUS_READ("3d.b32", mode, "{%0}", ("=r"(w[0])), "%1, {%2, %3, %4, %4}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_READ_8_3D(mode)  LOCUS_READ("3d.v2.b32", mode, "{%0, %1}", ("=r"(w[0]), "=r"(w[1])), "%2, {%3, %4, %5, %5}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_READ_16_3D(mode) LOCUS_READ("3d.v4.b32", mode, "{%0, %1, %2, %3}", ("=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])), "%4, {%5, %6, %7, %7}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_WRITE_1_1D(mode)  LOCUS_WRITE("1d.b8", mode, "{%2}", ("h"(h)), "%0, {%1}", ("r"(x)))
#define LOCUS_WRITE_2_1D(mode)  LOCUS_WRITE("1d.b16", mode, "{%2}", ("h"(h)), "%0, {%1}", ("r"(x)))
#define LOCUS_WRITE_4_1D(mode)  LOCUS_WRITE("1d.b32", mode, "{%2}", ("r"(w[0])), "%0, {%1}", ("r"(x)))
#define LOCUS_WRITE_8_1D(mode)  LOCUS_WRITE("1d.v2.b32", mode, "{%2, %3}", ("r"(w[0]), "r"(w[1])), "%0, {%1}", ("r"(x)))
#define LOCUS_WRITE_16_1D(mode) LOCUS_WRITE("1d.v4.b32", mode, "{%2, %3, %4, %5}", ("r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])), "%0, {%1}", ("r"(x)))
#define LOCUS_WRITE_1_2D(mode)  LOCUS_WRITE("2d.b8", mode, "{%3}", ("h"(h)), "%0, {%1, %2}", ("r"(x), "r"(y)))
#define LOCUS_WRITE_2_2D(mode)  LOCUS_WRITE("2d.b16", mode, "{%3}", ("h"(h)), "%0, {%1, %2}", ("r"(x), "r"(y)))
#define LOCUS_WRITE_4_2D(mode)  LOCUS_WRITE("2d.b32", mode, "{%3}", ("r"(w[0])), "%0, {%1, %2}", ("r"(x), "r"(y)))
#define LOCUS_WRITE_8_2D(mode)  LOCUS_WRITE("2d.v2.b32", mode, "{%3, %4}", ("r"(w[0]), "r"(w[1])), "%0, {%1, %2}", ("r"(x), "r"(y)))
#define LOCUS_WRITE_16_2D(mode) LOCUS_WRITE("2d.v4.b32", mode, "{%3, %4, %5, %6}", ("r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])), "%0, {%1, %2}", ("r"(x), "r"(y)))
#define LOCUS_WRITE_1_3D(mode)  LOCUS_WRITE("3d.b8", mode, "{%4}", ("h"(h)), "%0, {%1, %2, %3, %3}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_WRITE_2_3D(mode)  LOCUS_WRITE("3d.b16", mode, "{%4}", ("h"(h)), "%0, {%1, %2, %3, %3}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_WRITE_4_3D(mode)  LOCUS_WRITE("3d.b32", mode, "{%4}", ("r"(w[0])), "%0, {%1, %2, %3, %3}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_WRITE_8_3D(mode)  LOCUS_WRITE("3d.v2.b32", mode, "{%4, %5}", ("r"(w[0]), "r"(w[1])), "%0, {%1, %2, %3, %3}", ("r"(x), "r"(y), "r"(z)))
#define LOCUS_WRITE_16_3D(mode) LOCUS_WRITE("3d.v4.b32", mode, "{%4, %5, %6, %7}", ("r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])), "%0, {%1, %2, %3, %3}", ("r"(x), "r"(y), "r"(z)))

LOCUS_SURFACE(1D, "1d", "{%1}", (int x), (x), ("r"(x)))
LOCUS_SURFACE(2D, "2d", "{%1, %2}", (int x, int y), (x, y), ("r"(x), "r"(y)))
LOCUS_SURFACE(3D, "3d", "{%1, %2, %3, %3}", (int x, int y, int z), (x, y, z), ("r"(x), "r"(y), "r"(z)))
#undef LOCUS_SURFACE
#undef LOCUS_BY_MODE
#undef LOCUS_IN

#endif

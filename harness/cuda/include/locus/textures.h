/* Texture references and fetches (programming guide, "Texture Functions" and, for references, that of CUDA 11).
 *
 * A fetch gives four channels of float, int or unsigned, by what the texels are; the type that the program wants takes
 * as many as it has. A reference's handle is what an object is. PTX's names: a1d and a2d are layered, .level takes a
 * level.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_TEXTURES_H
#define LOCUS_CUDA_TEXTURES_H

/* ---- what a texel is ---- */

template <class T> struct locus_texel;
#define LOCUS_TEXEL(type, vector, fetch, kind)                                                                                     \
	template <> struct locus_texel<type> {                                                                                     \
		typedef fetch fetched;                                                                                             \
		typedef float normalized;                                                                                          \
		static const int bits = 8 * sizeof(type), channels = 1;                                                            \
		static const enum cudaChannelFormatKind format = kind;                                                             \
		static __device__ type of(const fetch *t) { return (type)t[0]; }                                                   \
		static __device__ float of_floats(const float *t) { return t[0]; }                                                 \
	};                                                                                                                         \
	template <> struct locus_texel<vector##1> {                                                                                \
		typedef fetch fetched;                                                                                             \
		typedef float1 normalized;                                                                                         \
		static const int bits = 8 * sizeof(type), channels = 1;                                                            \
		static const enum cudaChannelFormatKind format = kind;                                                             \
		static __device__ vector##1 of(const fetch *t) { return {(type)t[0]}; }                                            \
		static __device__ float1 of_floats(const float *t) { return {t[0]}; }                                              \
	};                                                                                                                         \
	template <> struct locus_texel<vector##2> {                                                                                \
		typedef fetch fetched;                                                                                             \
		typedef float2 normalized;                                                                                         \
		static const int bits = 8 * sizeof(type), channels = 2;                                                            \
		static const enum cudaChannelFormatKind format = kind;                                                             \
		static __device__ vector##2 of(const fetch *t) { return {(type)t[0], (type)t[1]}; }                                \
		static __device__ float2 of_floats(const float *t) { return {t[0], t[1]}; }                                        \
	};                                                                                                                         \
	template <> struct locus_texel<vector##4> {                                                                                \
		typedef fetch fetched;                                                                                             \
		typedef float4 normalized;                                                                                         \
		static const int bits = 8 * sizeof(type), channels = 4;                                                            \
		static const enum cudaChannelFormatKind format = kind;                                                             \
		static __device__ vector##4 of(const fetch *t) { return {(type)t[0], (type)t[1], (type)t[2], (type)t[3]}; }        \
		static __device__ float4 of_floats(const float *t) { return {t[0], t[1], t[2], t[3]}; }                            \
	};
LOCUS_TEXEL(signed char, char, int, cudaChannelFormatKindSigned)
LOCUS_TEXEL(unsigned char, uchar, unsigned, cudaChannelFormatKindUnsigned)
LOCUS_TEXEL(short, short, int, cudaChannelFormatKindSigned)
LOCUS_TEXEL(unsigned short, ushort, unsigned, cudaChannelFormatKindUnsigned)
LOCUS_TEXEL(int, int, int, cudaChannelFormatKindSigned)
LOCUS_TEXEL(unsigned, uint, unsigned, cudaChannelFormatKindUnsigned)
LOCUS_TEXEL(float, float, float, cudaChannelFormatKindFloat)
#undef LOCUS_TEXEL
template <> struct locus_texel<char> : locus_texel<signed char> {};

/* ---- references ---- */

template <class T, int dimensions = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
	__host__ texture(int normalized_coordinates = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
			 enum cudaTextureAddressMode address = cudaAddressModeClamp)
		: textureReference()
	{
		channelDesc = cudaCreateChannelDesc<T>();
		set(normalized_coordinates, filter, address);
	}
	__host__ texture(int normalized_coordinates, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
			 struct cudaChannelFormatDesc desc)
		: textureReference()
	{
		channelDesc = desc;
		set(normalized_coordinates, filter, address);
	}

      private:
	__host__ void set(int normalized_coordinates, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address)
	{
		normalized = normalized_coordinates;
		filterMode = filter;
		readMode = mode;
		for (int i = 0; i < 3; i++)
			addressMode[i] = address;
	}
};

#define LOCUS_TEXTURE template <class T, int dims, enum cudaTextureReadMode mode>
#define LOCUS_CALL    static __inline__ __host__ __attribute__((unused)) cudaError_t
LOCUS_TEXTURE LOCUS_CALL cudaBindTexture(size_t *offset, const texture<T, dims, mode> &t, const void *p, const struct cudaChannelFormatDesc &desc, size_t bytes = ~0u)
{
	return ::cudaBindTexture(offset, (const struct textureReference *)&t, p, &desc, bytes);
}
LOCUS_TEXTURE LOCUS_CALL cudaBindTexture(size_t *offset, const texture<T, dims, mode> &t, const void *p, size_t bytes = ~0u)
{
	return ::cudaBindTexture(offset, (const struct textureReference *)&t, p, &t.channelDesc, bytes);
}
LOCUS_TEXTURE LOCUS_CALL cudaBindTexture2D(size_t *offset, const texture<T, dims, mode> &t, const void *p, const struct cudaChannelFormatDesc &desc, size_t width,
					   size_t height, size_t pitch)
{
	return ::cudaBindTexture2D(offset, (const struct textureReference *)&t, p, &desc, width, height, pitch);
}
LOCUS_TEXTURE LOCUS_CALL cudaBindTexture2D(size_t *offset, const texture<T, dims, mode> &t, const void *p, size_t width, size_t height, size_t pitch)
{
	return ::cudaBindTexture2D(offset, (const struct textureReference *)&t, p, &t.channelDesc, width, height, pitch);
}
LOCUS_TEXTURE LOCUS_CALL cudaBindTextureToArray(const texture<T, dims, mode> &t, cudaArray_const_t array, const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindTextureToArray((const struct textureReference *)&t, array, &desc);
}
LOCUS_TEXTURE LOCUS_CALL cudaBindTextureToArray(const texture<T, dims, mode> &t, cudaArray_const_t array)
{
	struct cudaChannelFormatDesc desc;
	cudaError_t e = ::cudaGetChannelDesc(&desc, array);

	return e ? e : ::cudaBindTextureToArray((const struct textureReference *)&t, array, &desc);
}
LOCUS_TEXTURE LOCUS_CALL cudaUnbindTexture(const texture<T, dims, mode> &t) { return ::cudaUnbindTexture((const struct textureReference *)&t); }
LOCUS_TEXTURE LOCUS_CALL cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dims, mode> &t)
{
	return ::cudaGetTextureAlignmentOffset(offset, (const struct textureReference *)&t);
}
LOCUS_TEXTURE LOCUS_CALL cudaGetTextureReference(const struct textureReference **ref, const texture<T, dims, mode> &t)
{
	return ::cudaGetTextureReference(ref, (const void *)&t);
}
#undef LOCUS_TEXTURE
#undef LOCUS_CALL

/* clang passes a reference by its handle. */
template <class T, int dims, enum cudaTextureReadMode mode> LOCUS_DEVICE cudaTextureObject_t locus_handle(texture<T, dims, mode> t)
{
	cudaTextureObject_t handle;

	__asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(t));
	return handle;
}

/* ---- fetches ---- */

#define LOCUS_IN(...) __VA_ARGS__
/* The instruction for one type of channels. */
#define LOCUS_FETCH_OF(name, op, ptx, type, letter, coordinates, parameters, operands)                                             \
	LOCUS_DEVICE void locus_##name(type *t, cudaTextureObject_t object, LOCUS_IN parameters)                                   \
	{                                                                                                                          \
		__asm__ volatile(op " {%0, %1, %2, %3}, [%4, " coordinates ";"                                                     \
				 : "=" letter(t[0]), "=" letter(t[1]), "=" letter(t[2]), "=" letter(t[3])                          \
				 : "l"(object), LOCUS_IN operands);                                                                \
	}
/* name: CUDA's; arguments: the parameters' names; from: of the coordinates, "f32" or "s32". */
#define LOCUS_FETCH(name, op, from, coordinates, parameters, arguments, operands)                                                  \
	LOCUS_FETCH_OF(name, op ".v4.f32." from, "f32", float, "f", coordinates, parameters, operands)                             \
	LOCUS_FETCH_OF(name, op ".v4.s32." from, "s32", int, "r", coordinates, parameters, operands)                               \
	LOCUS_FETCH_OF(name, op ".v4.u32." from, "u32", unsigned, "r", coordinates, parameters, operands)                          \
	template <class T> LOCUS_DEVICE T name(cudaTextureObject_t object, LOCUS_IN parameters)                                    \
	{                                                                                                                          \
		typename locus_texel<T>::fetched t[4];                                                                             \
		locus_##name(t, object, LOCUS_IN arguments);                                                                       \
		return locus_texel<T>::of(t);                                                                                      \
	}                                                                                                                          \
	template <class T> LOCUS_DEVICE void name(T *texel, cudaTextureObject_t object, LOCUS_IN parameters)                       \
	{                                                                                                                          \
		*texel = name<T>(object, LOCUS_IN arguments);                                                                      \
	}                                                                                                                          \
	template <class T, int dims> LOCUS_DEVICE T name(texture<T, dims, cudaReadModeElementType> ref, LOCUS_IN parameters)       \
	{                                                                                                                          \
		return name<T>(locus_handle(ref), LOCUS_IN arguments);                                                             \
	}                                                                                                                          \
	template <class T, int dims>                                                                                               \
	LOCUS_DEVICE typename locus_texel<T>::normalized name(texture<T, dims, cudaReadModeNormalizedFloat> ref, LOCUS_IN parameters) \
	{                                                                                                                          \
		float t[4];                                                                                                        \
		locus_##name(t, locus_handle(ref), LOCUS_IN arguments);                                                            \
		return locus_texel<T>::of_floats(t);                                                                               \
	}
LOCUS_FETCH(tex1Dfetch, "tex.1d", "s32", "{%5}]", (int x), (x), ("r"(x)))
LOCUS_FETCH(tex1D, "tex.1d", "f32", "{%5}]", (float x), (x), ("f"(x)))
LOCUS_FETCH(tex2D, "tex.2d", "f32", "{%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
LOCUS_FETCH(tex3D, "tex.3d", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)))
LOCUS_FETCH(texCubemap, "tex.cube", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)))
LOCUS_FETCH(tex1DLayered, "tex.a1d", "f32", "{%5, %6}]", (float x, int layer), (x, layer), ("r"(layer), "f"(x)))
LOCUS_FETCH(tex2DLayered, "tex.a2d", "f32", "{%5, %6, %7, %7}]", (float x, float y, int layer), (x, y, layer), ("r"(layer), "f"(x), "f"(y)))
LOCUS_FETCH(texCubemapLayered, "tex.acube", "f32", "{%5, %6, %7, %8}]", (float x, float y, float z, int layer), (x, y, z, layer), ("r"(layer), "f"(x), "f"(y), "f"(z)))
LOCUS_FETCH(tex1DLod, "tex.level.1d", "f32", "{%5}], %6", (float x, float level), (x, level), ("f"(x), "f"(level)))
LOCUS_FETCH(tex2DLod, "tex.level.2d", "f32", "{%5, %6}], %7", (float x, float y, float level), (x, y, level), ("f"(x), "f"(y), "f"(level)))
LOCUS_FETCH(tex3DLod, "tex.level.3d", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level), (x, y, z, level), ("f"(x), "f"(y), "f"(z), "f"(level)))
LOCUS_FETCH(tex1DLayeredLod, "tex.level.a1d", "f32", "{%5, %6}], %7", (float x, int layer, float level), (x, layer, level), ("r"(layer), "f"(x), "f"(level)))
LOCUS_FETCH(tex2DLayeredLod, "tex.level.a2d", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, int layer, float level), (x, y, layer, level),
	    ("r"(layer), "f"(x), "f"(y), "f"(level)))
#undef LOCUS_FETCH
#undef LOCUS_FETCH_OF
#undef LOCUS_IN

#endif

/* The runtime's C functions as C++ has them: with typed pointers, with kernels and symbols for their addresses, with
 * default arguments. */
#ifndef LOCUS_CUDA_HOST_TEMPLATES_H
#define LOCUS_CUDA_HOST_TEMPLATES_H

#include "cuda_runtime_api.h"

#define LOCUS_CALL static __inline__ __host__ __attribute__((unused)) cudaError_t

/* ---- what an element of an array or a texture is ---- */

template <class T> static __inline__ __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc()
{
	return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define LOCUS_CHANNELS(type, x, y, z, w, kind)                                                                                     \
	template <> __inline__ __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                               \
		return ::cudaCreateChannelDesc(x, y, z, w, kind);                                                                  \
	}
#define LOCUS_CHANNELS_OF(type, vector, bits, kind)                                                                                \
	LOCUS_CHANNELS(type, bits, 0, 0, 0, kind)                                                                                  \
	LOCUS_CHANNELS(vector##1, bits, 0, 0, 0, kind)                                                                             \
	LOCUS_CHANNELS(vector##2, bits, bits, 0, 0, kind)                                                                          \
	LOCUS_CHANNELS(vector##4, bits, bits, bits, bits, kind)
LOCUS_CHANNELS_OF(signed char, char, 8, cudaChannelFormatKindSigned)
LOCUS_CHANNELS_OF(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
LOCUS_CHANNELS_OF(short, short, 16, cudaChannelFormatKindSigned)
LOCUS_CHANNELS_OF(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
LOCUS_CHANNELS_OF(int, int, 32, cudaChannelFormatKindSigned)
LOCUS_CHANNELS_OF(unsigned, uint, 32, cudaChannelFormatKindUnsigned)
LOCUS_CHANNELS_OF(float, float, 32, cudaChannelFormatKindFloat)
LOCUS_CHANNELS(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
#undef LOCUS_CHANNELS
#undef LOCUS_CHANNELS_OF

/* ---- memory ---- */

template <class T> LOCUS_CALL cudaMalloc(T **p, size_t bytes)
{
	return ::cudaMalloc((void **)p, bytes);
}
template <class T> LOCUS_CALL cudaMallocHost(T **p, size_t bytes, unsigned flags = 0)
{
	return ::cudaHostAlloc((void **)p, bytes, flags);
}
template <class T> LOCUS_CALL cudaHostAlloc(T **p, size_t bytes, unsigned flags)
{
	return ::cudaHostAlloc((void **)p, bytes, flags);
}
template <class T> LOCUS_CALL cudaHostGetDevicePointer(T **p, void *host, unsigned flags)
{
	return ::cudaHostGetDevicePointer((void **)p, host, flags);
}
template <class T> LOCUS_CALL cudaMallocManaged(T **p, size_t bytes, unsigned flags = 1 /* cudaMemAttachGlobal */)
{
	return ::cudaMallocManaged((void **)p, bytes, flags);
}
template <class T> LOCUS_CALL cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)p, pitch, width, height);
}

/* ---- symbols: a variable's shadow on the host has the address that it was registered by ---- */

template <class T>
LOCUS_CALL cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
			      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
LOCUS_CALL cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
				   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
LOCUS_CALL cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
				enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
LOCUS_CALL cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
				     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> LOCUS_CALL cudaGetSymbolAddress(void **p, const T &symbol)
{
	return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T> LOCUS_CALL cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* ---- kernels ---- */

template <class... P>
LOCUS_CALL cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <class... P>
LOCUS_CALL cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args, size_t shared = 0,
				       cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, stream);
}
/* An argument may have another type than the parameter that it initialises. */
template <class... P, class... A> LOCUS_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...args)
{
	return [&](P... values) {
		void *pointers[sizeof...(P) + 1] = {(void *)&values...};
		return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
	}((A &&) args...);
}
template <class... P> LOCUS_CALL cudaFuncSetAttribute(void (*kernel)(P...), enum cudaFuncAttribute attribute, int value)
{
	return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class... P> LOCUS_CALL cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, void (*kernel)(P...))
{
	return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... P> LOCUS_CALL cudaFuncSetCacheConfig(void (*kernel)(P...), enum cudaFuncCache config)
{
	return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class... P>
LOCUS_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int block, size_t shared)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block, shared);
}
template <class... P>
LOCUS_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(P...), int block, size_t shared,
								  unsigned flags)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block, shared, flags);
}

/* The block size, in whole warps, of which an SM holds the most threads, and how many blocks fill the device. */
template <class F, class S>
LOCUS_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F kernel, S shared_of, int limit = 0)
{
	struct cudaFuncAttributes attributes;
	struct cudaDeviceProp device;
	int ordinal, most = 0;
	cudaError_t e = ::cudaGetDevice(&ordinal);

	if (!e)
		e = ::cudaGetDeviceProperties(&device, ordinal);
	if (!e)
		e = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
	if (e)
		return e;
	if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
		limit = attributes.maxThreadsPerBlock;
	for (int threads = limit < 32 ? limit : limit / 32 * 32; threads > 0 && !e; threads -= 32) {
		int blocks;

		e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, threads, shared_of(threads));
		if (!e && blocks * threads > most) {
			most = blocks * threads;
			*block = threads;
			*grid = blocks * device.multiProcessorCount;
		}
	}
	return e;
}
template <class F> LOCUS_CALL cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F kernel, size_t shared = 0, int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		grid, block, kernel, [=](int) { return shared; }, limit);
}

#undef LOCUS_CALL

#endif

/* What host code calls that clang compiled as HIP, which `locus nvcc` has done for units with managed variables
 * (nvcc/compile.c): CUDA's calls under HIP's names. The parameters are CUDA's, but for those of managed variables. */
#include "cuda/include/cuda_runtime_api.h"

void **__hipRegisterFatBinary(void *wrapper);
void **__hipRegisterFatBinary(void *wrapper)
{
	return __cudaRegisterFatBinary(wrapper);
}

void __hipUnregisterFatBinary(void **handle);
void __hipUnregisterFatBinary(void **handle)
{
	__cudaUnregisterFatBinary(handle);
}

void __hipRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, uint3 *tid, uint3 *bid,
			   dim3 *block, dim3 *grid, int *warp_size);
void __hipRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, uint3 *tid, uint3 *bid,
			   dim3 *block, dim3 *grid, int *warp_size)
{
	__cudaRegisterFunction(handle, host, device, name, threads, tid, bid, block, grid, warp_size);
}

void __hipRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t bytes, int constant,
		      int global);
void __hipRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t bytes, int constant,
		      int global)
{
	__cudaRegisterVar(handle, host, device, name, is_extern, bytes, constant, global);
}

/* initial: a copy of the initial value, which the PTX has too. */
void __hipRegisterManagedVar(void **handle, void **host, void *initial, const char *name, size_t bytes, unsigned int align);
void __hipRegisterManagedVar(void **handle, void **host, void *initial, const char *name, size_t bytes, unsigned int align)
{
	(void)initial;
	(void)align;
	__cudaRegisterManagedVar(handle, host, NULL, name, 0, bytes, 0, 0);
}

void __hipRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name, int dims,
			  int normalized, int is_extern);
void __hipRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name, int dims,
			  int normalized, int is_extern)
{
	__cudaRegisterTexture(handle, host, device, name, dims, normalized, is_extern);
}

void __hipRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name, int dims,
			  int is_extern);
void __hipRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name, int dims,
			  int is_extern)
{
	__cudaRegisterSurface(handle, host, device, name, dims, is_extern);
}

unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
	return __cudaPushCallConfiguration(grid, block, shared, stream);
}

cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	return __cudaPopCallConfiguration(grid, block, shared, stream);
}

cudaError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
	return cudaLaunchKernel(function, grid, block, args, shared, stream);
}

/* What a kernel asks of the system below it (PTX Writer's Guide to Interoperability, "System Calls"), the built-in
 * variables as vectors, and the call by which <<<>>> hands over its configuration. */
#ifndef LOCUS_CUDA_SYSTEM_H
#define LOCUS_CUDA_SYSTEM_H

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t char_size);
/* glibc's assert() calls it. */
static __device__ __inline__ __attribute__((unused)) void __assert_fail(const char *message, const char *file, unsigned line,
									const char *function)
{
	__assertfail(message, file, line, function, sizeof(char));
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = nullptr);
}
namespace std
{
static __device__ __inline__ __attribute__((unused)) void *malloc(size_t bytes)
{
	return ::malloc(bytes);
}
static __device__ __inline__ __attribute__((unused)) void free(void *p)
{
	::free(p);
}
} // namespace std

#define LOCUS_BUILTIN(name)                                                                                                        \
	__device__ inline __cuda_builtin_##name##_t::operator dim3() const                                                         \
	{                                                                                                                          \
		return dim3(x, y, z);                                                                                              \
	}                                                                                                                          \
	__device__ inline __cuda_builtin_##name##_t::operator uint3() const                                                        \
	{                                                                                                                          \
		return {x, y, z};                                                                                                  \
	}
LOCUS_BUILTIN(threadIdx)
LOCUS_BUILTIN(blockIdx)
LOCUS_BUILTIN(blockDim)
LOCUS_BUILTIN(gridDim)
#undef LOCUS_BUILTIN

#endif

/* The calls that clang makes for <<<>>> where host code is compiled as HIP: for managed variables. */
#ifndef LOCUS_HIP_NAMES_H
#define LOCUS_HIP_NAMES_H

extern "C" {
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
}

#endif

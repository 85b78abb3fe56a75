/* The driver's functions by name. The driver interface is a library of its own, which a program that is linked to the
 * runtime alone gets by asking. */
#include <dlfcn.h>
#include <stdint.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/errors.h"

typedef int get_proc_address(const char *symbol, void **function, int version, uint64_t flags, int *status);

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version, unsigned long long flags,
					     enum cudaDriverEntryPointQueryResult *status)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
	get_proc_address *get = NULL;
	int found = 0, r;

	if (!symbol || !function)
		return errors_note(cudaErrorInvalidValue);
	if (driver)
		*(void **)&get = dlsym(driver, "cuGetProcAddress_v2");
	if (!get)
		return errors_note(cudaErrorInsufficientDriver);
	r = get(symbol, function, (int)version, flags, &found);
	if (status)
		*status = (enum cudaDriverEntryPointQueryResult)found;
	return r == cudaErrorSymbolNotFound ? cudaSuccess : errors_note((cudaError_t)r); /* the status says it */
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
				    enum cudaDriverEntryPointQueryResult *status)
{
	return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

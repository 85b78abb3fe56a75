/* Functions by name: cuGetProcAddress, by which programs that are not linked to the driver find it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda/driver/driver.h"

/* Functions whose name without a suffix stands for another one from some version on; the first that fits counts. All
 * others are the _v2 of their name, if there is one. */
static const struct {
	const char *name;
	int since;
	const char *is;
} versions[] = {{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
		{"cuGetProcAddress", 0, "cuGetProcAddress"},
		{"cuCtxCreate", 12050, "cuCtxCreate_v4"}};

static void *named(const char *name, const char *suffix)
{
	char whole[128];
	int n = snprintf(whole, sizeof whole, "%s%s", name, suffix);

	return n > 0 && (size_t)n < sizeof whole ? dlsym(RTLD_DEFAULT, whole) : NULL;
}

/* Itself is among what is open: it may have been opened for its own use alone. */
static void see_ourselves(void)
{
	Dl_info us;

	if (dladdr((void *)(uintptr_t)cuInit, &us))
		dlopen(us.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

static void *find(const char *name, int version)
{
	void *at;

	see_ourselves();
	for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; i++)
		if (version >= versions[i].since && !strcmp(name, versions[i].name))
			return named(versions[i].is, "");
	at = named(name, "_v2");
	return at ? at : named(name, "");
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
			     CUdriverProcAddressQueryResult *status)
{
	const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

	if (!symbol || !function || flags & ~known)
		return CUDA_ERROR_INVALID_VALUE;
	*function = !strncmp(symbol, "cu", 2) ? find(symbol, version) : NULL;
	if (status)
		*status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* As CUDA 11 had it. */
#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
	return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

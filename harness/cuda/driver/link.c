/* cuLink...: PTX of several inputs becomes one module. The device joins the modules of a program by their names
 * (docs/reference/ptx-support.md); what is linked here is which of them a program gets together. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda/driver/driver.h"

struct CUlinkState_st {
	struct driver_linked linked;
	struct jit jit;
};

CUresult cuLinkCreate_v2(unsigned int n, CUjit_option *options, void **values, CUlinkState *state)
{
	CUlinkState s = state ? calloc(1, sizeof *s) : NULL;

	if (!s)
		return state ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
	s->linked.magic = DRIVER_LINKED_MAGIC;
	s->linked.process = (uint64_t)getpid();
	s->jit = jit_of(n, options, values);
	jit_report(&s->jit, "");
	*state = s;
	return CUDA_SUCCESS;
}

static CUresult refuse(CUlinkState s, const char *name)
{
	char line[512];

	snprintf(line, sizeof line, "%.400s is machine code; PTX and fat binaries with PTX can be linked",
		 name ? name : "an input");
	fprintf(stderr, "locus: %s\n", line);
	jit_report(&s->jit, line);
	return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* As an assembler does, it says what is wrong with an input when that is added. */
CUresult cuLinkAddData_v2(CUlinkState s, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int n,
			  CUjit_option *options, void **values)
{
	char why[1024] = "";
	CUresult r;

	(void)n;
	(void)options;
	(void)values;
	if (!s || !data || !bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY)
		return refuse(s, name);
	if (s->linked.n == DRIVER_MOST_LINKED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = driver_open(&s->linked.module[s->linked.n], data, bytes, why, sizeof why);
	jit_report(&s->jit, why);
	s->linked.n += r == CUDA_SUCCESS;
	return r;
}

CUresult cuLinkAddFile_v2(CUlinkState s, CUjitInputType type, const char *path, unsigned int n, CUjit_option *options,
			  void **values)
{
	size_t bytes;
	char *data = s && path ? driver_read_file(path, &bytes) : NULL;
	CUresult r;

	if (!data)
		return s && path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
	r = cuLinkAddData_v2(s, type, data, bytes, path, n, options, values);
	free(data);
	return r;
}

CUresult cuLinkComplete(CUlinkState s, void **image, size_t *bytes)
{
	if (!s || !image || !s->linked.n)
		return CUDA_ERROR_INVALID_VALUE;
	*image = &s->linked;
	if (bytes)
		*bytes = sizeof s->linked;
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState s)
{
	free(s);
	return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Modules from files and from memory, their functions and variables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/infile.h"
#include "cuda/driver/driver.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/registration.h"

struct CUfunc_st {
	CUmodule module;
};

static bool is_fat(const void *image, size_t n)
{
	static const unsigned char magic[4] = {0x50, 0xed, 0x55, 0xba};

	return n >= sizeof magic && !memcmp(image, magic, sizeof magic);
}

CUresult driver_open(uint64_t *module, const void *bytes, size_t n, char *why, size_t room)
{
	struct message m = {.out = bytes, .out_bytes = n, .in = why, .in_room = room - 1};
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_MODULE, 0, NULL, &m, &answer);

	why[m.in_bytes] = '\0';
	*module = answer.r[0];
	return error == cudaErrorInvalidKernelImage && !is_fat(bytes, n) ? CUDA_ERROR_INVALID_PTX : driver_result(error);
}

char *driver_read_file(const char *path, size_t *n)
{
	return infile_text(path, WIRE_MAX_BYTES - 1, n, NULL);
}

static CUresult open_module(CUmodule *module, const void *bytes, size_t n, const struct jit *j)
{
	CUmodule m = calloc(1, sizeof *m);
	char why[1024] = "";
	CUresult r;

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->is.n = 1;
	r = driver_open(m->is.module, bytes, n, why, sizeof why);
	jit_report(j, why);
	if (r)
		free(m);
	else
		*module = m;
	return r;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	struct jit none = {NULL};
	size_t n = 0;
	char *bytes;
	CUresult r;

	if (!module || !path)
		return CUDA_ERROR_INVALID_VALUE;
	bytes = driver_read_file(path, &n);
	if (!bytes)
		return CUDA_ERROR_FILE_NOT_FOUND;
	r = open_module(module, bytes, n, &none);
	free(bytes);
	return r;
}

static CUresult load_linked(CUmodule *module, const void *image)
{
	CUmodule m = malloc(sizeof *m);

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(&m->is, image, sizeof m->is);
	if (m->is.process == (uint64_t)getpid() && m->is.n <= DRIVER_MOST_LINKED) {
		*module = m;
		return CUDA_SUCCESS;
	}
	free(m);
	return CUDA_ERROR_INVALID_IMAGE;
}

/* A fat binary says how long it is; text ends in a zero byte. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n_options, CUjit_option *options, void **values)
{
	static const uint64_t linked = DRIVER_LINKED_MAGIC;
	struct jit j = jit_of(n_options, options, values);
	uint64_t n;

	if (!module || !image)
		return CUDA_ERROR_INVALID_VALUE;
	jit_report(&j, "");
	if (!strncmp(image, (const char *)&linked, sizeof linked))
		return load_linked(module, image);
	if (!is_fat(image, strnlen(image, 4)))
		return open_module(module, image, strnlen(image, WIRE_MAX_BYTES), &j);
	memcpy(&n, (const char *)image + 8, sizeof n);
	return n > WIRE_MAX_BYTES - 16 ? CUDA_ERROR_INVALID_IMAGE : open_module(module, image, n + 16, &j);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadData(module, image);
}

/* Functions and what was recorded of them stay. */
CUresult cuModuleUnload(CUmodule module)
{
	free(module);
	return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The first of the modules that has the name. */
static cudaError_t name(enum wire_op op, CUmodule module, const void *key, const char *name, bool kind)
{
	struct message m = {.out = name, .out_bytes = strnlen(name, WIRE_MAX_NAME)};
	cudaError_t error = cudaErrorInvalidSymbol;

	for (uint32_t i = 0; i < module->is.n && error; i++)
		error = connection_call(op, 3, (uint64_t[]){module->is.module[i], (uintptr_t)key, kind}, &m, NULL);
	return error;
}

CUresult driver_reference(CUmodule module, const void *key, const char *text, bool surface)
{
	cudaError_t error = name(WIRE_REFERENCE, module, key, text, surface);

	return error == cudaErrorInvalidTexture || error == cudaErrorInvalidSurface ? CUDA_ERROR_NOT_FOUND : driver_result(error);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *text)
{
	cudaError_t error;

	if (!function || !module || !text)
		return CUDA_ERROR_INVALID_VALUE;
	*function = malloc(sizeof **function);
	if (!*function)
		return CUDA_ERROR_OUT_OF_MEMORY;
	(*function)->module = module;
	error = name(WIRE_FUNCTION, module, *function, text, false);
	if (error) {
		free(*function);
		*function = NULL;
	}
	return driver_result(error);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction f)
{
	if (!module || !f)
		return CUDA_ERROR_INVALID_VALUE;
	*module = f->module;
	return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *text)
{
	char key = 0; /* it is asked for at once */
	void *at;
	size_t size;
	cudaError_t error;

	if (!module || !text)
		return CUDA_ERROR_INVALID_VALUE;
	error = name(WIRE_VARIABLE, module, &key, text, false);
	if (!error)
		error = registration_symbol(&key, &at, &size);
	if (error)
		return driver_result(error);
	if (p)
		*p = (uintptr_t)at;
	if (bytes)
		*bytes = size;
	return CUDA_SUCCESS;
}

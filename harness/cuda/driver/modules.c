/* Modules from files and from memory, their functions and variables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/driver/driver.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/registration.h"

static CUresult open_module(CUmodule *module, const void *bytes, size_t n)
{
	struct message m = {.out = bytes, .out_bytes = n};
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_MODULE, 0, NULL, &m, &answer);

	if (error)
		return driver_result(error);
	*module = malloc(sizeof **module);
	if (!*module)
		return CUDA_ERROR_OUT_OF_MEMORY;
	(*module)->module = answer.r[0];
	return CUDA_SUCCESS;
}

static char *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL;
	long size;

	if (!f)
		return NULL;
	if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && size <= WIRE_MAX_BYTES - 1 && !fseek(f, 0, SEEK_SET) &&
	    (bytes = malloc((size_t)size + 1))) {
		*n = fread(bytes, 1, (size_t)size, f);
		bytes[*n] = '\0';
	}
	fclose(f);
	return bytes;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	size_t n = 0;
	char *bytes;
	CUresult r;

	if (!module || !path)
		return CUDA_ERROR_INVALID_VALUE;
	bytes = read_file(path, &n);
	if (!bytes)
		return CUDA_ERROR_FILE_NOT_FOUND;
	r = open_module(module, bytes, n);
	free(bytes);
	return r;
}

/* A fat binary says how long it is; text ends in a zero byte. */
CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	static const unsigned char fat[4] = {0x50, 0xed, 0x55, 0xba};
	uint64_t n;

	if (!module || !image)
		return CUDA_ERROR_INVALID_VALUE;
	if (memcmp(image, fat, sizeof fat) != 0)
		return open_module(module, image, strnlen(image, WIRE_MAX_BYTES));
	memcpy(&n, (const char *)image + 8, sizeof n);
	return n > WIRE_MAX_BYTES - 16 ? CUDA_ERROR_INVALID_IMAGE : open_module(module, image, n + 16);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *options, void **values)
{
	(void)n;
	(void)options;
	(void)values;
	return cuModuleLoadData(module, image);
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

static cudaError_t name(enum wire_op op, CUmodule module, const void *key, const char *name)
{
	struct message m = {.out = name, .out_bytes = strnlen(name, WIRE_MAX_NAME)};

	return connection_call(op, 2, (uint64_t[]){module->module, (uintptr_t)key}, &m, NULL);
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
	error = name(WIRE_FUNCTION, module, *function, text);
	if (error) {
		free(*function);
		*function = NULL;
	}
	return driver_result(error);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *text)
{
	char key; /* it is asked for at once */
	void *at;
	size_t size;
	cudaError_t error;

	if (!module || !text)
		return CUDA_ERROR_INVALID_VALUE;
	error = name(WIRE_VARIABLE, module, &key, text);
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

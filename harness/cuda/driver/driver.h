/* What the files of libcuda.so.1 share: the driver interface is the runtime's, under names of its own. A function's
 * handle is its key for the device (cuda/wire.h), as a host function's address is with the runtime; an array is the
 * runtime's. */
#ifndef HARNESS_CUDA_DRIVER_DRIVER_H
#define HARNESS_CUDA_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/include/cuda.h"
#include "cuda/include/driver_types.h"
#include "cuda/runtime/order.h"

/* The runtime's error as the driver has it: the same number, but for those that the runtime has alone. */
CUresult driver_result(cudaError_t error);

static inline void *driver_pointer(CUdeviceptr p)
{
	return (void *)(uintptr_t)p;
}

static inline cudaArray_t driver_array(CUarray a)
{
	return (cudaArray_t)a;
}

/* DRIVER_ON(stream, call): as ORDER_ON. */
#define DRIVER_ON(stream, call) (order_begin(stream) ? CUDA_ERROR_INVALID_HANDLE : driver_done(call))
static inline CUresult driver_done(CUresult r)
{
	order_end(cudaSuccess);
	return r;
}

/* False: elements of that format are none. */
bool driver_channels(CUarray_format format, unsigned int channels, struct cudaChannelFormatDesc *d);

/* What cuLinkComplete gives in the place of machine code: numbers of modules that the device has, good in the process
 * that made it. */
enum { DRIVER_MOST_LINKED = 256 };
#define DRIVER_LINKED_MAGIC UINT64_C(0x6b6e6c7375636f6c)
struct driver_linked {
	uint64_t magic, process;
	uint32_t n;
	uint64_t module[DRIVER_MOST_LINKED];
};

struct CUmod_st {
	struct driver_linked is;
};

/* modules.c. A module of the device from text or a fat binary; why: room for a line of what is wrong with it. */
CUresult driver_open(uint64_t *module, const void *bytes, size_t n, char *why, size_t room);
/* The .texref or .surfref of that name gets a key. */
CUresult driver_reference(CUmodule module, const void *key, const char *name, bool surface);
/* The bytes of a file, and a zero behind them; malloc's. NULL: it cannot be read, or is too large. */
char *driver_read_file(const char *path, size_t *bytes);

/* jit.c: options of cuModuleLoadDataEx and cuLinkCreate. Those that ask for something get it. */
struct jit {
	char *error, *info; /* where the program wants the logs; NULL: nowhere. There is nothing to inform it of. */
	size_t error_room, info_room;
	void **error_filled, **info_filled, **ms; /* which values tell how much there is, and the time; or NULL */
};
struct jit jit_of(unsigned n, const CUjit_option *options, void **values);
void jit_report(const struct jit *j, const char *error);

#endif

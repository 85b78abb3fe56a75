#include "cuda/runtime/registration.h"

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/order.h"

#define WRAPPER	    0x466243b1u
#define HIP_WRAPPER 0x48495046u /* of units that clang compiled as HIP: hip_names.c */
#define HEADER	    0xba55ed50u
enum { MAX_UNITS = 4096 };

struct wrapper { /* csim's reader of what it points to: cuda/fatbin.h */
	uint32_t magic, version;
	const void *data;
	const void *const *units; /* version 2: of each linked unit, ended by NULL */
};

/* ---- how many bytes may be read from an address ---- */

struct range {
	uintptr_t at, end;
};

static int look_in(struct dl_phdr_info *info, size_t size, void *range)
{
	struct range *r = range;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, n = info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type == PT_LOAD && r->at - from < n) {
			r->end = from + n;
			return 1;
		}
	}
	return 0;
}

/* To the end of the loaded segment that holds it; 0: it is in none. A fat binary's own word for its size is not
 * believed. */
static size_t readable(const void *p)
{
	struct range r = {.at = (uintptr_t)p};

	dl_iterate_phdr(look_in, &r);
	return r.end ? r.end - r.at : 0;
}

/* ---- modules ---- */

/* The handle's number and, in each element, a module's. A unit of nvcc's -rdc is a module of its own. */
struct handle {
	uint32_t n;
	uint64_t module[];
};

static size_t fat_bytes(const void *data)
{
	size_t most = readable(data), n;
	uint64_t said;
	uint32_t magic = 0;

	if (most >= 16) {
		memcpy(&magic, data, sizeof magic);
		memcpy(&said, (const char *)data + 8, sizeof said);
	}
	if (magic != HEADER) { /* text */
		n = strnlen(data, most);
		return n < WIRE_MAX_BYTES ? n : 0;
	}
	if (said < most - 16)
		most = said + 16;
	return most < WIRE_MAX_BYTES ? most : WIRE_MAX_BYTES;
}

static uint64_t open_module(const void *data)
{
	struct message m = {.out = data, .out_bytes = fat_bytes(data)};
	struct wire_answer answer;

	connection_call(WIRE_MODULE, 0, NULL, &m, &answer);
	return answer.r[0];
}

static bool is_wrapper(const struct wrapper *w)
{
	return readable(w) >= sizeof *w && (w->magic == WRAPPER || w->magic == HIP_WRAPPER);
}

static uint32_t count_units(const struct wrapper *w)
{
	uint32_t n = 0;

	if (w->version < 2 || !readable(w->units))
		return 0;
	while (n < MAX_UNITS && readable(w->units) >= (n + 1) * sizeof *w->units && w->units[n])
		n++;
	return n;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
	const struct wrapper *w = wrapper;
	bool is_one = is_wrapper(w);
	uint32_t units = is_one ? count_units(w) : 0;
	struct handle *h = calloc(1, sizeof *h + (units + 1) * sizeof h->module[0]);

	if (!h)
		abort();
	if (!is_one || !readable(w->data)) {
		fprintf(stderr, "locus: what this program registers is not a fat binary\n");
		return (void **)h;
	}
	for (uint32_t i = 0; i < units; i++)
		h->module[h->n++] = open_module(w->units[i]);
	if (!units)
		h->module[h->n++] = open_module(w->data);
	return (void **)h;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

/* The device keeps what was recorded; the process ends. */
void __cudaUnregisterFatBinary(void **handle)
{
	free(handle);
}

/* ---- names ---- */

/* Each module of the handle is asked; the device takes the name from the one that has it. kind: what the call's third
 * word says. */
static void register_name(enum wire_op op, void **handle, const void *key, const char *name, bool kind)
{
	const struct handle *h = (const void *)handle;
	struct message m = {.out = name, .out_bytes = strnlen(name, WIRE_MAX_NAME)};

	for (uint32_t i = 0; i < h->n; i++)
		if (connection_call(op, 3, (uint64_t[]){h->module[i], (uintptr_t)key, kind}, &m, NULL) == cudaSuccess)
			return;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, uint3 *tid, uint3 *bid,
			    dim3 *block, dim3 *grid, int *warp_size)
{
	(void)device;
	(void)threads;
	(void)tid;
	(void)bid;
	(void)block;
	(void)grid;
	(void)warp_size;
	register_name(WIRE_FUNCTION, handle, host, name, false);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t bytes, int constant,
		       int global)
{
	(void)device;
	(void)is_extern;
	(void)bytes;
	(void)constant;
	(void)global;
	register_name(WIRE_VARIABLE, handle, host, name, false);
}

/* The program reads and writes the variable through *host. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int is_extern, size_t bytes, int constant,
			      int global)
{
	void *at;
	size_t size;

	(void)device;
	(void)is_extern;
	(void)bytes;
	(void)constant;
	(void)global;
	register_name(WIRE_VARIABLE, handle, host, name, true);
	if (registration_symbol(host, &at, &size) == cudaSuccess && connection_open_to_host(at, size, true) == 0)
		*host = at;
}

void registration_reference(void **handle, const void *key, const char *name, bool surface)
{
	register_name(WIRE_REFERENCE, handle, key, name, surface);
}

/* What CUDA 13's compiler calls before a module's kernels are used: modules are complete when they are registered. */
char __cudaInitModule(void **handle);
char __cudaInitModule(void **handle)
{
	(void)handle;
	return 1;
}

/* ---- what is registered ---- */

struct kernels {
	pthread_mutex_t lock;
	struct registered_kernel *first;
};

static struct kernels *kernels(void)
{
	static struct kernels k = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &k;
}

static struct registered_kernel *ask(const void *key, cudaError_t *error)
{
	struct registered_kernel *k = calloc(1, sizeof *k);
	struct message m;

	if (!k) {
		*error = cudaErrorMemoryAllocation;
		return NULL;
	}
	m = (struct message){.in = &k->is, .in_room = sizeof k->is + sizeof k->param};
	k->key = (uintptr_t)key;
	*error = connection_call(WIRE_KERNEL, 1, (uint64_t[]){k->key}, &m, NULL);
	if (!*error)
		return k;
	free(k);
	return NULL;
}

const struct registered_kernel *registration_kernel(const void *key, cudaError_t *error)
{
	struct kernels *all = kernels();
	struct registered_kernel *k;

	*error = cudaSuccess;
	pthread_mutex_lock(&all->lock);
	for (k = all->first; k && k->key != (uintptr_t)key; k = k->next)
		;
	if (!k && (k = ask(key, error))) {
		k->next = all->first;
		all->first = k;
	}
	pthread_mutex_unlock(&all->lock);
	return k;
}

/* The host's address of a managed variable is the device's: it stands for the variable too. */
static cudaError_t managed_symbol(const void *p, void **at, size_t *bytes)
{
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_POINTER, 1, (uint64_t[]){(uintptr_t)p}, NULL, &answer);

	if (error || answer.r[0] != WIRE_MANAGED_VARIABLE || answer.r[1] != (uintptr_t)p)
		return cudaErrorInvalidSymbol;
	*at = (void *)(uintptr_t)p;
	*bytes = answer.r[2];
	return cudaSuccess;
}

cudaError_t registration_symbol(const void *key, void **at, size_t *bytes)
{
	struct wire_answer answer;
	cudaError_t error;

	if (connection_is_device(key))
		return managed_symbol(key, at, bytes);
	error = connection_call(WIRE_SYMBOL, 1, (uint64_t[]){(uintptr_t)key}, NULL, &answer);

	*at = (void *)(uintptr_t)answer.r[0];
	*bytes = answer.r[1];
	return error;
}

/* ---- symbols ---- */

/* One side is the device's: the other may be either's. */
static cudaError_t check_way(enum cudaMemcpyKind kind, enum cudaMemcpyKind between_host_and_symbol)
{
	return kind == between_host_and_symbol || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault
		       ? cudaSuccess
		       : cudaErrorInvalidMemcpyDirection;
}

/* `bytes` from `offset` on of a symbol. */
static cudaError_t part(const void *symbol, size_t bytes, size_t offset, void **at)
{
	size_t size;
	cudaError_t error = symbol ? registration_symbol(symbol, at, &size) : cudaErrorInvalidSymbol;

	if (error)
		return error;
	*at = (char *)*at + offset;
	return offset <= size && bytes <= size - offset ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	void *at;
	cudaError_t error = check_way(kind, cudaMemcpyHostToDevice);

	if (!error)
		error = part(symbol, bytes, offset, &at);
	return error ? errors_note(error) : cudaMemcpy(at, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	void *at;
	cudaError_t error = check_way(kind, cudaMemcpyDeviceToHost);

	if (!error)
		error = part(symbol, bytes, offset, &at);
	return error ? errors_note(error) : cudaMemcpy(to, at, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
				    cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpyToSymbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
				      cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
	return errors_note(p ? part(symbol, 0, 0, p) : cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
	void *at;

	return errors_note(!bytes   ? cudaErrorInvalidValue
			   : symbol ? registration_symbol(symbol, &at, bytes)
				    : cudaErrorInvalidSymbol);
}

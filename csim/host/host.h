/* The host program's side of a run: device buffers, stores, kernel launches; what cudaMalloc, cudaMemcpy and <<<>>> are.
 *
 * A workload (traces/NAME/host.c) is a function over this interface: it allocates and fills buffers, launches kernels of its
 * kernel.ptx, and compares the device's results with a reference computed by the host. Running it records the trace.
 */
#ifndef CSIM_HOST_HOST_H
#define CSIM_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "ptx/memory.h"
#include "trace/trace.h"

struct host;

struct host_options {
	const char *ptx_path;	/* the module that launches name kernels of; more can be opened with host_module */
	struct trace_writer *w; /* NULL: run only */
	unsigned n_args;	/* --arg key=value pairs of the command line */
	const char *const *args;
	const char *size; /* "test", "default" or "paper"; NULL: default */
};

struct host *host_new(const struct host_options *o, struct err *e);
void host_free(struct host *h);

/* Options of the workload, "--arg n=1024": the value given, else the default for the chosen size. After reading all of its options
 * a workload calls host_args_done, which refuses unknown keys. Numbers take K, M, G suffixes (1024-based). */
int host_arg_u32(struct host *h, const char *key, uint32_t test, uint32_t dflt, uint32_t paper, uint32_t min, uint32_t max,
		 uint32_t *out, struct err *e);
const char *host_arg_text(struct host *h, const char *key, const char *dflt);
int host_args_done(struct host *h, struct err *e);
/* What this run is, for the first line of the output: "syrk 1024x1024". */
void host_describe(struct host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *host_description(const struct host *h);

/* Device memory. host_alloc returns the device address (never 0 on success; 0 and e filled on failure). */
uint64_t host_alloc(struct host *h, const char *name, uint64_t bytes, struct err *e);
void *host_bytes(struct host *h, uint64_t addr, uint64_t bytes); /* panics outside a buffer: a workload's own defect */
struct memory *host_memory(struct host *h);
/* Stores by the host program that hardware watches (TAFE): they change memory and are recorded with address, size and value. */
void host_store(struct host *h, uint64_t addr, uint32_t bytes, uint64_t value);

/* Launches. args: one per kernel parameter, in order, by value and checked against the parameter's size. */
struct host_arg {
	uint32_t bytes;
	uint64_t bits;	    /* little endian */
	const void *by_ref; /* a struct by value: `bytes` bytes from here instead of bits */
};
struct host_arg host_u32(uint32_t v), host_u64(uint64_t v), host_f32(float v), host_f64(double v);
struct host_dim {
	uint32_t x, y, z;
};
int host_launch(struct host *h, const char *kernel, struct host_dim grid, struct host_dim block, uint32_t dynamic_shared_bytes,
		unsigned n_args, const struct host_arg *args, struct err *e);

/* Checks of results. A difference fills e: "syrk: C[17] is 3.5, the reference says 4.25 (and 12 more differ)". */
int host_check_f32(struct host *h, const char *what, uint64_t addr, const float *want, uint64_t n, float rel_tol, struct err *e);
int host_check_u32(struct host *h, const char *what, uint64_t addr, const uint32_t *want, uint64_t n, struct err *e);

uint64_t host_warp_insts(const struct host *h);

/* ---- a workload ---- */

struct workload_option {
	const char *key, *meaning, *defaults; /* "n", "rows of A", "64 / 512 / 1024" */
};
struct workload {
	const char *name, *suite, *pattern, *summary; /* pattern: streaming, conflict, thrashing, friendly */
	const struct workload_option *options;	      /* ends with a NULL key */
	int (*run)(struct host *h, struct err *e);    /* -1: e is filled; a wrong result is told through the host_check functions */
};
/* All of traces/, by name; NULL at the end. The table is generated from the folder's listing. */
extern const struct workload *const workloads[];
const struct workload *workload_find(const char *name);

/* true once a host_check has found a difference (exit status 1, not 2). */
bool host_differs(const struct host *h);

#endif

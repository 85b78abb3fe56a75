/* The host program's side of a run: device buffers, stores, kernel launches; what cudaMalloc, cudaMemcpy and <<<>>>
 * are.
 *
 * A workload (traces/NAME/host.c) is a function over this interface: it allocates and fills buffers, launches kernels
 * of its kernel.ptx, and compares the device's results with a reference computed by the host. Running it records the
 * trace.
 */
#ifndef CSIM_WORKLOAD_PROGRAM_H
#define CSIM_WORKLOAD_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "affine/affine.h"
#include "base/err.h"
#include "workload/element.h"
#include "ptx/memory.h"
#include "ptx/ptx.h"
#include "ptx/texture.h"
#include "trace/trace.h"

struct findings;
struct host;
struct taf;
struct wait_set;

/* How a program's files are made (a launch file's dumps), as whoever runs it wants it. A file appears when it is
 * whole. */
struct host_files {
	void *(*open)(const char *path, FILE **f, struct err *e); /* NULL on failure; `path` stays until keep or drop */
	int (*keep)(void *file, struct err *e);			  /* it is whole */
	void (*drop)(void *file);				  /* as if it had never been opened */
};

struct host_options {
	const char *ptx_path;	/* the module that launches name kernels of; NULL: none yet; more can be opened with
				 * host_module */
	struct trace_writer *w; /* NULL: run only */
	uint64_t max_unpacked;	/* bytes that a compressed input unpacks to at most; 0: INFILE_UNPACKED */
	unsigned n_args;	/* --arg key=value pairs of the command line */
	const char *const *args;
	FILE *print_to;			/* what kernels print (vprintf); NULL: nowhere */
	enum ptx_oob oob;		/* what accesses outside every buffer do */
	struct ptx_limits limits;	/* how far launches without an end are executed */
	enum ptx_order order;		/* of the instructions of modules */
	uint32_t sms;			/* of the machine, for ptx_set_sms(); 0: as ptx_run() has it */
	bool independent_lanes;		/* likewise, for ptx_set_independent_lanes() */
	struct findings *findings;	/* collected while kernels run (ptx/exec/findings.h); NULL: none are */
	const char *size;		/* "test", "default" or "paper"; NULL: default */
	struct arena *analyse;		/* every launch is analysed (affine/affine.h), and the result kept here; NULL:
					 * none is */
	const struct host_files *files; /* NULL: none are written */
	struct arena *descriptors;	/* keeps the locality descriptors of each launch (workload/ldesc_api.h); NULL:
					 * they are only checked */
	struct taf *taf;		/* takes the calls of workload/taf_api.h and the host's stores; NULL: they are
					 * not kept */
	uint32_t align;			/* buffers begin at its multiples (ptx/memory.h) */
	uint8_t *window;		/* where buffers' bytes are, as in ptx/memory.h; NULL: they have their own */
};

struct host *host_new(const struct host_options *o, struct err *e);
void host_free(struct host *h);

/* Opens one more module, whose .global and .const variables become buffers. A kernel's name is looked up in the order
 * of opening.
 */
int host_module(struct host *h, const char *ptx_path, struct err *e);
/* The same of n bytes of text, with a name for messages. Modules are numbered in the order of opening. */
int host_module_text(struct host *h, const char *text, size_t n, const char *name, struct err *e);
unsigned host_n_modules(const struct host *h);
/* Bytes that kernels' malloc has, of modules that are there and that come. Less than it has changes nothing. */
int host_set_heap(struct host *h, uint64_t bytes, struct err *e);
const struct ptx_module *host_ptx(const struct host *h, unsigned module);

enum host_size { SIZE_TEST, SIZE_DEFAULT, SIZE_PAPER };
enum host_size host_size(const struct host *h);

/* Options of the workload, "--arg n=1024": the user's value, else the default for the chosen size. After reading all of
 * its options a workload calls host_args_done, which refuses unknown keys. Numbers take K, M, G suffixes (1024-based).
 * Of a repeated key the last counts. An error names the option as typed: "--arg n=0: must be 1 to 64M". */
int host_arg_u32(struct host *h, const char *key, uint32_t test, uint32_t dflt, uint32_t paper, uint32_t min, uint32_t max,
		 uint32_t *out, struct err *e);
/* As host_arg_u32; the number must also be a multiple of `unit`. */
int host_arg_multiple(struct host *h, const char *key, uint32_t test, uint32_t dflt, uint32_t paper, uint32_t unit, uint32_t max,
		      uint32_t *out, struct err *e);
/* One of the words of `choices`, a list ended by NULL whose first is the default; *out is its index. */
int host_arg_choice(struct host *h, const char *key, const char *const *choices, unsigned *out, struct err *e);
const char *host_arg_text(struct host *h, const char *key, const char *dflt);
int host_args_done(struct host *h, struct err *e);
/* What this run is, for the first line of the output: "syrk 1024x1024". */
void host_describe(struct host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *host_description(const struct host *h);

/* Device memory. host_alloc returns the device address (never 0 on success; 0 and e filled on failure). */
uint64_t host_alloc(struct host *h, const char *name, uint64_t bytes, struct err *e);
void *host_bytes(struct host *h, uint64_t addr, uint64_t bytes); /* panics outside a buffer: a workload's own defect */
/* A buffer of n numbers, zero, and its bytes, which stay where they are as long as h lives; NULL on failure. */
float *host_alloc_f32(struct host *h, const char *name, uint64_t n, uint64_t *addr, struct err *e);
uint32_t *host_alloc_u32(struct host *h, const char *name, uint64_t n, uint64_t *addr, struct err *e);
/* A .global or .const variable of the PTX, as cudaMemcpyToSymbol reaches it: its bytes; NULL if there is none of
 * `bytes` bytes. */
void *host_variable(struct host *h, const char *name, uint64_t bytes, struct err *e);
/* Zeroed memory of the host program itself, for its reference results; lives as long as h. */
void *host_scratch(struct host *h, uint64_t count, uint64_t size);
struct memory *host_memory(struct host *h);
/* Stores by the host program that its hardware may watch (TAFE): they change memory; those ahead of the first launch
 * are kept in host_options.taf, if there is one. host_store_array: n elements of `bytes` each, from the first to the
 * last; `values` may be the buffer's own bytes. */
void host_store(struct host *h, uint64_t addr, uint32_t bytes, uint64_t value);
void host_store_array(struct host *h, uint64_t addr, uint32_t bytes, uint64_t n, const void *values);
/* From here on a stored element's value takes the host program `insts` instructions, beside those of the loop that
 * stores it (cpu.init_insts): what it parses, draws or computes for one. 0 at first: constants, copies, values at hand.
 * At most HOST_MAX_VALUE_INSTS, or -1 with e filled. What the papers' programs take: docs/studies/tafe.md. */
enum { HOST_MAX_VALUE_INSTS = 1 << 16 };
int host_value_insts(struct host *h, uint64_t insts, struct err *e);
/* A store between launches that the trace records. */
void host_store_traced(struct host *h, uint64_t addr, uint32_t bytes, uint64_t value);

/* A copy by the program's runtime that the trace records; nothing is copied here. */
void host_note_copy(struct host *h, const struct trace_copy *c);

/* Textures and surfaces over buffers (ptx/texture.h). host_bind_texture, host_bind_surface: to the .texref or .surfref
 * of this name in the PTX; again at any time between launches. host_texture, host_surface: the 64-bit object that a
 * kernel takes as a parameter; 0 on failure. host_destroy_view: of either; the object is none from then on. */
int host_bind_texture(struct host *h, const char *texref, const struct texture_view *v, struct err *e);
int host_bind_surface(struct host *h, const char *surfref, const struct texture_view *v, struct err *e);
uint64_t host_texture(struct host *h, const struct texture_view *v, struct err *e);
uint64_t host_surface(struct host *h, const struct texture_view *v, struct err *e);
int host_destroy_view(struct host *h, uint64_t handle, struct err *e);

/* Launches. args: one per kernel parameter, in order, by value and checked against the parameter's size. host_args_done
 * comes first. */
struct host_arg {
	uint32_t bytes;
	uint64_t bits;	    /* little endian */
	const void *by_ref; /* a struct by value: `bytes` bytes from here instead of bits */
};
struct host_arg host_u32(uint32_t v), host_u64(uint64_t v), host_f32(float v), host_f64(double v);
struct host_dim {
	uint32_t x, y, z;
};
/* Blocks of `per` threads for n threads. */
static inline uint32_t host_blocks(uint32_t n, uint32_t per)
{
	return n / per + (n % per != 0);
}
int host_launch(struct host *h, const char *kernel, struct host_dim grid, struct host_dim block, uint32_t dynamic_shared_bytes,
		unsigned n_args, const struct host_arg *args, struct err *e);

/* The same of a kernel of that module, with its parameter block laid out (ptx_param_at). The launch may be one that
 * cannot be: HOST_REFUSED, and nothing has happened; HOST_MISREPRESENTED, likewise, since what the program has said of
 * its arrays cannot be; -1: it was begun, and failed. */
enum { HOST_REFUSED = -2, HOST_MISREPRESENTED = -3 };
int host_launch_block(struct host *h, unsigned module, const struct ptx_kernel *k, const struct ptx_launch *l, struct err *e);

/* What the next launch waits for (workload/streams.h); else it comes after all before it. */
void host_wait_for(struct host *h, const struct wait_set *w);

/* Whether the launches from now on are recorded (and analysed), or only executed; as at first, they are. */
void host_record(struct host *h, bool on);

/* What the occupancy counts as the kernel's 32-bit registers a thread, instead of the estimate (the most that are live
 * at once). Ahead of its first launch; the kernel must be there. */
void host_set_registers(struct host *h, const char *kernel, uint32_t n);

/* Checks of results. A difference fills e: "syrk 64x64: C[17] is 3.5, the reference says 4.25 (and 12 more differ)". A
 * float may differ from the reference by rel_tol times the reference's magnitude; a NaN agrees with nothing. */
int host_check_f32(struct host *h, const char *what, uint64_t addr, const float *want, uint64_t n, float rel_tol, struct err *e);
/* A double may differ from the reference by abs_tol: for sums of both signs, whose terms have a known size. */
int host_check_f64(struct host *h, const char *what, uint64_t addr, const double *want, uint64_t n, double abs_tol, struct err *e);
int host_check_u32(struct host *h, const char *what, uint64_t addr, const uint32_t *want, uint64_t n, struct err *e);
/* Of any type; whole numbers are compared exactly, whatever rel_tol. */
int host_check_elements(struct host *h, const char *what, uint64_t addr, struct element t, const void *want, uint64_t n,
			double rel_tol, struct err *e);

/* A rel_tol for sums of n products of non-negative floats, computed in any order, with fma or without, against a
 * reference in double: n+1 roundings of at most 2^-24 each, plus one in turning the reference into a float (Higham,
 * Accuracy and Stability of Numerical Algorithms, section 3.1). */
float host_sum_tolerance(uint64_t n);

/* The launches that were recorded so far, to be read until the next; NULL: nothing is recorded, or an error. */
struct trace *host_trace_so_far(struct host *h, struct err *e);
uint64_t host_warp_insts(const struct host *h);
/* The last launch was cut by host_options.limits: it is in the trace, failed for the program, and no other can
 * follow. */
bool host_was_cut(const struct host *h);
uint32_t host_launches(const struct host *h);
/* What each launch reads and writes by its PTX; NULL unless asked for. In the arena of the options. */
const struct affine_launch *const *host_analyses(const struct host *h);
/* CPU seconds so far: of the host program before its first launch (it makes and fills its buffers), of executing and
 * recording the launches, of analysing their PTX. */
struct host_seconds {
	double before, launches, analysis;
};
struct host_seconds host_seconds(const struct host *h);

/* ---- a workload ---- */

struct workload_option {
	const char *key, *meaning, *defaults; /* "n", "rows of A", "64 / 512 / 1024" */
};
struct workload {
	const char *name, *summary, *suite;
	const char *original;		       /* the program that it stands for; NULL: our own */
	const char *grid;		       /* CTAs x threads, by the options' names */
	const char *access;		       /* how a warp's lanes and its CTAs go through memory */
	const char *differences;	       /* from the original, in what it computes or reads; NULL: none */
	const char *pattern;		       /* streaming, conflict, thrashing, friendly */
	const char *sharing;		       /* among CTAs: high, low or none (workloads.md) */
	const char *launches;		       /* "2", or at the three sizes "3 / 6 / 7", or in words */
	const char *sizes;		       /* at test, default and paper size, in the units of its input */
	const struct workload_option *options; /* ends with a NULL key */
	int (*run)(struct host *h,
		   struct err *e); /* -1: e is filled; a wrong result is reported through the host_check functions */
};
/* All of traces/, by name; NULL at the end. The table is generated from the folder's listing. */
extern const struct workload *const workloads[];
const struct workload *workload_find(const char *name);

/* true once a host_check has found a difference (exit status 1, not 2). */
bool host_differs(const struct host *h);

#endif

/* PTX: parsing a module and running a launch, functionally.
 *
 * A launch is run CTA by CTA, in ascending CTA id; in a CTA, warps run until a barrier or their end. What was executed
 * goes to a trace writer, if there is one; timing plays no part here.
 */
#ifndef CSIM_PTX_PTX_H
#define CSIM_PTX_PTX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "ptx/memory.h"
#include "trace/trace.h"

struct ptx_module;
struct ptx_kernel;

/* Parses a file (or text, with a name for messages). Errors: "kernel.ptx:12:5: ...". An instruction that parses but
 * cannot be executed is not an error here: see ptx_unsupported. Module-scope .global and .const variables become
 * buffers at ptx_bind. */
struct ptx_module *ptx_open(const char *path, struct err *e);
struct ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, struct err *e);
/* The same, with the instructions of a block in the order of the text, as above, or in that of an assembler, which has
 * loads early (ptx/lower/schedule.h). */
enum ptx_order { PTX_TEXT_ORDER, PTX_ASSEMBLER_ORDER };
struct ptx_module *ptx_open_in(enum ptx_order order, const char *path, struct err *e);
struct ptx_module *ptx_parse_in(enum ptx_order order, const char *text, size_t bytes, const char *name, struct err *e);
void ptx_close(struct ptx_module *m);

unsigned ptx_n_kernels(const struct ptx_module *m);
const struct ptx_kernel *ptx_kernel_at(const struct ptx_module *m, unsigned i);
/* The number that ptx_kernel_at() takes; -1 if none. */
int ptx_kernel_number(const struct ptx_module *m, const char *name);
const struct ptx_kernel *ptx_kernel_named(const struct ptx_module *m, const char *name); /* NULL if none */

/* Prints kernels, parameters, registers, shared and local bytes, and what of each kernel cannot be executed, with its
 * line. Returns the number of such things. */
unsigned ptx_print(const struct ptx_module *m, FILE *to);
/* Prints for each kernel how many instructions its text has, calls replaced, and how many are left when what an
 * assembler folds is taken out (trace/folds.h), by opcode. */
void ptx_print_counts(const struct ptx_module *m, FILE *to);

const char *ptx_kernel_name(const struct ptx_kernel *k);
unsigned ptx_n_params(const struct ptx_kernel *k);
struct ptx_param {
	const char *name;
	uint32_t bytes, align, offset; /* offset in the parameter block */
	char type[8];		       /* "u64", "f32", "b8" for a struct by value */
};
struct ptx_param ptx_param_at(const struct ptx_kernel *k, unsigned i);
uint32_t ptx_param_bytes(const struct ptx_kernel *k);
/* Whether it may call vprintf. */
bool ptx_prints(const struct ptx_kernel *k);
/* The timing side's view. Owned by the module. */
const struct trace_kernel *ptx_trace_kernel(const struct ptx_kernel *k);

/* What `to` declares .extern (functions, .global and .const variables) and `from` defines as .visible, .weak or .common
 * is what `from` defines, from now on; the first module that does wins. `from` must live as long as `to`. Before either
 * is bound, as a rule: of two that are, initial values that are such addresses stay 0. */
void ptx_link(struct ptx_module *to, struct ptx_module *from);

/* Bytes of the heap for the kernels' malloc, which the first module adds that is bound to a memory and has such a
 * kernel; 8 MiB, if this is not called before. */
void ptx_set_heap(struct ptx_module *m, uint64_t bytes);

/* Allocates and initialises the module's own .global and .const variables in `mem` ("name" of each: as in the PTX).
 * Once a module and memory. */
int ptx_bind(struct ptx_module *m, struct memory *mem, struct err *e);

/* A .global or .const variable of a bound module, by its name in the PTX; bytes: its size. Its device address, or 0. */
uint64_t ptx_variable(const struct ptx_module *m, const char *name, uint64_t *bytes);
/* After ptx_bind: the handle of a .texref or .surfref of this module (ptx/texture.h); 0: none is called that. */
uint64_t ptx_reference(const struct ptx_module *m, const char *name);

/* Where vprintf of this module's kernels goes; NULL, as at first: nowhere. */
void ptx_print_to(struct ptx_module *m, FILE *to);

/* SMs of the machine, which %nsmid tells and which bound how many CTAs can wait for one another; 80, if this is not
 * called. */
void ptx_set_sms(struct ptx_module *m, uint32_t sms);
/* Where a launch makes no progress otherwise, diverged lanes of a warp take turns, as on Volta and later. */
void ptx_set_independent_lanes(struct ptx_module *m, bool on);

/* Looks for races and the like in all launches from now on (ptx/exec/findings.h); NULL, as at first: does not. */
struct findings;
void ptx_set_findings(struct ptx_module *m, struct findings *f);

/* What an access outside every buffer does, and one beyond the end of shared, local or parameter memory: it ends the
 * run, as at first; or it reads zeroes and writes nothing, PTX_OOB_WARN with a line on stderr for each instruction of a
 * launch that does so. The trace has the nearest address that is inside. A misaligned access ends the run always. */
enum ptx_oob { PTX_OOB_STOP, PTX_OOB_WARN, PTX_OOB_ZERO };
void ptx_set_oob(struct ptx_module *m, enum ptx_oob what);
int ptx_oob_named(const char *name); /* "stop", "warn", "zero"; -1: none of them */

/* How far launches are executed, which may have no end: see ptx/exec/exec.h. */
struct ptx_limits {
	uint64_t log_bytes;  /* of one CTA's log, while it is executed; 0: PTX_LOG_BYTES */
	uint64_t warp_insts; /* the run that the trace is for stops before a warp issues as many; 0: not known */
};
#define PTX_LOG_LEAST	   (UINT64_C(1) << 20)
#define PTX_LOG_MOST	   (UINT64_C(1) << 40)
#define PTX_LOG_BYTES	   (UINT64_C(1) << 30)
#define PTX_LOG_BEFORE_CUT (UINT64_C(64) << 20)
void ptx_set_limits(struct ptx_module *m, struct ptx_limits l);
/* Whether limits.warp_insts cut a launch of the kernel's module. Memory is then not what the program would leave. */
bool ptx_was_cut(const struct ptx_kernel *k);

struct ptx_launch {
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared_bytes;
	const void *params; /* ptx_param_bytes() bytes, laid out by ptx_param_at().offset */
};

/* Threads that a block may have: 1024, or what the kernel's .maxntid or .reqntid says if that is less. */
uint32_t ptx_max_threads(const struct ptx_kernel *k);
/* Whether they allow this block of at most 1024 threads: if not, -1 and an error. */
int ptx_check_block(const struct ptx_kernel *k, const uint32_t block[3], struct err *e);

/* Whether a launch can be: -1 and an error for what ptx_run would refuse ahead of anything. */
int ptx_check(const struct ptx_kernel *k, const struct ptx_launch *l, struct err *e);

/* Runs a launch. w (or NULL) receives one trace launch whose kernel has index trace_kernel_index in w.
 * Errors (memory untouched beyond what ran before): unsupported instruction, out-of-bounds or misaligned access
 * (kernel, line, CTA, thread, address, the buffers around it), a CTA that makes no progress, a block over 1024 threads
 * or more than 227 KB of shared memory... */
int ptx_run(const struct ptx_kernel *k, const struct ptx_launch *l, struct memory *mem, struct trace_writer *w,
	    uint32_t trace_kernel_index, struct err *e);

/* Warp instructions executed by all ptx_run calls of this module. */
uint64_t ptx_warp_insts(const struct ptx_module *m);

#endif

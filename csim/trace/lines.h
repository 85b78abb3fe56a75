/* Where a kernel's instructions were written: the line of the PTX file, or the address in the SASS, and the line of the
 * source file that the compiler's debug information names (.loc, .file).
 *
 * It says nothing about what a program does, so that a trace's hash leaves it out: kernels that differ in it alone are
 * the same kernel.
 */
#ifndef CSIM_TRACE_LINES_H
#define CSIM_TRACE_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct trace_place {   /* of an instruction */
	uint64_t text; /* line of the PTX file, from 1; or byte address in the SASS */
	uint32_t file; /* of the source: its number in `file` plus 1; 0: not known */
	uint32_t line; /* of that file, from 1; 0: not known */
};

struct trace_lines {
	uint32_t n_files;
	char **file; /* names as the compiler wrote them, without control characters */
	char *ptx;   /* the file of the PTX, as it was opened; NULL: not known, or SASS */
	bool is_sass;
	struct trace_place at[]; /* by instruction */
};

/* A copy for a kernel of n instructions, with the files that these name; trace_lines_free is due. l may be NULL:
 * NULL. */
struct trace_lines *trace_lines_copy(const struct trace_lines *l, uint32_t n);
struct trace_lines *trace_lines_new(uint32_t n, uint32_t n_files); /* zeroed */
void trace_lines_free(struct trace_lines *l);

/* Whether an instruction has a line of the source. */
bool trace_lines_has_source(const struct trace_lines *l, uint32_t n);

#endif

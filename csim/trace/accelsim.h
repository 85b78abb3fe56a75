/* Import of Accel-Sim traces: what NVBit saw a GPU execute, SASS by SASS, as one of our traces.
 *
 * A kernelslist.g names one .traceg file (plain or .xz) per launch; a lone .traceg is a program of one launch. Each
 * file is read twice: once to learn its static instructions, sizes and touched addresses, once to write its CTAs. A
 * file with loops that may wait for another warp is read once more between the two (accelsim_waits.h). What is held in
 * memory grows with the static instructions, the CTAs and, up to a bound, these loops, never with what is executed.
 * What is read, what is refused and the format of opcode tables: docs/how-to/run-accelsim-traces.md.
 */
#ifndef CSIM_TRACE_ACCELSIM_H
#define CSIM_TRACE_ACCELSIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/trace.h"

struct accelsim_options {
	const char *opcode_map; /* file with more opcodes, or other classes for known ones; NULL: none */
	bool unknown_alu;	/* an opcode of no table is an integer addition instead of an error */
	bool memcpy;		/* the list's MemcpyHtoD lines become buffers */
	uint64_t max_unpacked;	/* bytes that an .xz file unpacks to at most; 0: INFILE_UNPACKED */
};

/* True for the names that accelsim_import takes: kernelslist.g, *.traceg, *.traceg.xz. */
bool accelsim_is_name(const char *path);
/* Of these, kernelslist.g, which names the others. */
bool accelsim_is_list(const char *path);

/* Writes the whole program into w. warp_insts: what was imported. An error names file and line. A line on stderr says
 * how many iterations of polling loops are as they were recorded. */
int accelsim_import(const char *path, const struct accelsim_options *o, struct trace_writer *w, uint64_t *warp_insts,
		    struct err *e);

#endif

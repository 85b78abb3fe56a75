/* What the files of the Accel-Sim importer share: text, opcodes, lines, statics, address ranges. */
#ifndef CSIM_TRACE_ACCELSIM_IMPL_H
#define CSIM_TRACE_ACCELSIM_IMPL_H

#include <stdio.h>

#include "trace/accelsim.h"

/* The constant window is where no device memory is handed out: below the first 2 MiB. */
enum { ACCELSIM_CONST_BASE = 64 << 10 };
/* Bytes of the windows of generic addresses onto shared and onto local memory. */
#define ACCELSIM_WINDOW (UINT64_C(1) << 24)

/* ---- accelsim_text.c: lines of a file, plain or .xz ---- */

enum { ACCELSIM_MAX_LINE = 16 << 10 };

struct text {
	char *path;
	FILE *f; /* an .xz is unpacked into a nameless file first: CTAs are read in the order of their ids */
	uint32_t line;
	uint64_t at; /* where the line begins */
	char buf[ACCELSIM_MAX_LINE];
};
/* max_unpacked: as in accelsim_options. */
int text_open(struct text *t, const char *path, uint64_t max_unpacked, struct err *e);
void text_close(struct text *t);
/* 1: buf holds the next line, without its end; 0: the file ended; -1: an error. */
int text_line(struct text *t, struct err *e);
int text_seek(struct text *t, uint64_t at, uint32_t line, struct err *e); /* the next line is number line + 1 */
int text_error(const struct text *t, struct err *e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- accelsim_ops.c: what an opcode is ---- */

enum { SPACE_GENERIC = SPACE_COUNT /* decided by the address */, ACCELSIM_MAX_OPCODE = 80, ACCELSIM_MAX_REGS = 10 };

struct opcode {
	enum trace_op op;
	uint8_t space; /* enum trace_space, or SPACE_GENERIC, which is none of its members */
	uint8_t width; /* bytes a lane, or 0: from the suffixes */
};
struct opcodes;

struct opcodes *opcodes_new(const struct accelsim_options *o, struct err *e);
void opcodes_free(struct opcodes *t);
/* By the longest dotted prefix that is in the table; false if not even the base is. */
bool opcodes_find(const struct opcodes *t, const char *name, struct opcode *out);
/* Whether it is one of the name's suffixes. */
bool opcode_has(const char *name, const char *suffix);
/* Bytes that a lane accesses, by the suffixes (.U8 .64 .F32 ...); 4 without one, 0 if wider than 16. */
unsigned opcode_width(const char *name);

/* ---- accelsim_line.c: header and instruction lines ---- */

struct header {
	char name[1024];
	uint32_t grid[3], block[3];
	uint32_t shared_bytes, registers, tracer, lineinfo;
	uint64_t shared_base, local_base; /* of the windows of generic addresses; 0: not stated */
	bool have_grid, have_block;
};
int header_line(const struct text *t, struct header *h, struct err *e);

struct sass {
	uint64_t pc;
	uint32_t mask, source_line;
	struct opcode code;
	uint8_t width; /* of an access; 0 if the instruction is none */
	uint8_t ndst, nsrc, flags;
	bool has_addr;
	uint16_t reg[ACCELSIM_MAX_REGS];
	char name[ACCELSIM_MAX_OPCODE];
	uint64_t addr[TRACE_WARP_SIZE];
};
/* cta, warp: where the line is, for the tracers that repeat it. The text's line is cut up. */
int sass_line(struct text *t, const struct header *h, const struct opcodes *ops, const uint32_t cta[3], uint32_t warp,
	      struct sass *out, struct err *e);
/* Whole numbers as the format has them; false if s is no such number. */
bool text_number(const char *s, int base, uint64_t max, uint64_t *out);
bool text_signed(const char *s, int64_t *out);

/* ---- accelsim_statics.c: the static instructions of a kernel ---- */

struct statics;
struct statics *statics_new(void);
void statics_free(struct statics *s);
/* Notes an instruction that goes to that space; -1 if there are too many. */
int statics_add(struct statics *s, const struct text *t, const struct sass *i, unsigned space, struct err *e);
/* After the last one: numbers in order of PC. k's arrays stay s's. */
void statics_number(struct statics *s, struct trace_kernel *k);
/* The number of a noted one; -1 if there is none. */
int64_t statics_find(const struct statics *s, const struct sass *i, unsigned space);

/* ---- accelsim_ranges.c: addresses as few ranges ---- */

struct range {
	uint64_t base, end;
};
struct ranges {
	struct range *r; /* ascending, apart by at least `gap` bytes */
	uint32_t n, cap;
	uint64_t gap;
};
/* Bounded: with too many ranges the gap doubles. */
void ranges_add(struct ranges *r, uint64_t base, uint64_t end);
/* Those of `touched` as buffers named by address, without what is in `copied`; those of `copied` too. */
int ranges_to_buffers(const struct ranges *touched, const struct ranges *copied, struct trace_writer *w, struct err *e);

/* ---- accelsim_kernel.c: one file ---- */

struct import {
	const struct opcodes *ops;
	uint64_t max_unpacked;
	struct trace_writer *w;
	struct ranges touched;
	uint64_t warp_insts;
	uint64_t kept, kept_loops; /* iterations and loops of waits that stay as recorded (accelsim_waits.h) */
};
int kernel_import(struct import *im, const char *path, struct err *e);

#endif

/* What an instruction of a kernel is called for a reader: by its text (PTX line or SASS address, and opcode), and by
 * the line of the source that it comes from. */
#ifndef HARNESS_PROFILE_INST_NAMES_H
#define HARNESS_PROFILE_INST_NAMES_H

#include "profile/source_text.h"
#include "trace/trace.h"

enum { INST_NAME = 300 };

/* A path without its folders. */
const char *inst_base_name(const char *path);

/* "kernel.ptx:41  ld.global.f32", "pc 0x0148  LDG.E". */
void inst_name(const struct trace_kernel *k, uint32_t inst, char out[INST_NAME]);

/* "kernel.cu:18"; where no line is known, inst_name. */
void inst_line_name(const struct trace_kernel *k, uint32_t inst, char out[INST_NAME]);

/* The text of that line, without blanks ahead of it, clean (source_text.h); empty if it cannot be had. Returns out. */
const char *inst_line_text(struct source_text *t, const struct trace_kernel *k, uint32_t inst, char *out, size_t room);

/* {"index", "ptx_line" or "pc", "opcode", "file", "line"}, as far as they are known. The caller owns the reference. */
struct json_t *inst_json(const struct trace_kernel *k, uint32_t inst);

#endif

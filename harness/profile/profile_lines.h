/* A profile by lines of the source: which instructions are a line's, and what they did together.
 *
 * A line is one of a kernel: two kernels that call one function have it twice. Instructions whose source line is not
 * known are a line each. Lines of a kernel are in the order in which their first instructions are in its text.
 */
#ifndef HARNESS_PROFILE_PROFILE_LINES_H
#define HARNESS_PROFILE_PROFILE_LINES_H

#include "base/arena.h"
#include "run/gpu.h"
#include "sm/profile.h"
#include "trace/trace.h"

struct profile_line {
	uint32_t kernel; /* of the trace */
	uint32_t file;	 /* of the kernel's trace_lines; 0: not known */
	uint32_t line;	 /* 0: not known */
	uint32_t first;	 /* instruction of the kernel ... */
	uint32_t n;	 /* ... and how many there are: each has its number in profile_lines.line_of */
	struct profile_row sum;
};

struct profile_lines {
	const struct trace *trace;
	const struct gpu_profile *profile;
	uint32_t n;
	struct profile_line *line;
	uint32_t *line_of; /* by row of the profile */
};

void profile_lines_make(struct profile_lines *l, struct arena *a, const struct trace *t, const struct gpu_profile *p);

/* Cycles of schedulers that an instruction or line took: it issued, or others waited for it. */
uint64_t profile_taken(const struct profile_row *r);
/* Cycles in which it was waited for; in which it waited. */
uint64_t profile_held(const struct profile_row *r);
uint64_t profile_waited(const struct profile_row *r);
/* The cause of most of the cycles in which it was waited for; STALL_IDLE: there are none. */
enum stalls profile_main_cause(const struct profile_row *r);

/* Numbers of the lines that took most, the most first, `most` of them at most, none that took nothing. Returns how
 * many. */
uint32_t profile_hottest(const struct profile_lines *l, uint32_t *out, uint32_t most);

#endif

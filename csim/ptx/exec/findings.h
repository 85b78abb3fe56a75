/* What checking finds while kernels run: races in shared memory, and reads of what nothing has written.
 *
 * A race is two accesses of a CTA's shared memory to the same byte by two of its warps, one of them a write, which no
 * barrier puts in order; or one store by two lanes of different values to the same byte. A read is of nothing if no
 * store of the CTA (of the thread, in local memory) has been to the byte. Global memory is not checked: of its buffers
 * nobody tells what the host has written.
 *
 * The order of warps is that of barriers, of all warps or of some, of mbarriers, and of atomics on the same word, which
 * may be a lock; it does not depend on the order in which the executor runs warps. Within a warp instructions are in
 * order, as before Volta. A cp.async counts as done where it stands.
 */
#ifndef CSIM_PTX_EXEC_FINDINGS_H
#define CSIM_PTX_EXEC_FINDINGS_H

#include <stdint.h>

#include "base/arena.h"
#include "trace/trace.h"

/* Divergent barriers are looked for with races: they put nothing in order. */
enum findings_what { FINDINGS_RACES = 1, FINDINGS_UNWRITTEN = 2, FINDINGS_ALL = 3 };
enum finding_kind {
	FINDING_RACE,	   /* first: the earlier one, of which one at least is a write */
	FINDING_STORE,	   /* lanes of a store that are at odds: first and second are the same instruction */
	FINDING_UNWRITTEN, /* second has read it; no first */
	FINDING_BARRIER	   /* second is a barrier to which lanes of a warp come without others; no first, no place */
};

/* One of two accesses. Strings are in the findings' arena. */
struct finding_access {
	const char *opcode;	  /* "st.shared.u32" */
	const char *ptx, *source; /* files; source: NULL if it is not known */
	uint32_t ptx_line, line;  /* from 1 */
	uint32_t thread;	  /* in the CTA, counted along x first */
};

struct finding { /* a pair of instructions of a kernel, at its first occurrence */
	enum finding_kind kind;
	enum trace_space space; /* SPACE_SHARED or SPACE_LOCAL; of a barrier SPACE_NONE */
	const char *kernel;
	uint32_t launch, cta, cta_at[3];
	uint64_t offset; /* bytes: in the CTA's shared memory, or the thread's local memory */
	struct finding_access first, second;
	uint64_t times; /* accesses of lanes */
};

struct findings {
	unsigned what;	 /* enum findings_what, that are looked for */
	uint32_t launch; /* that runs now, from 0: whoever runs it says so */
	struct arena arena;
	struct finding_entry *entry; /* by instructions, in the order in which they were found */
	uint64_t left_out;	     /* occurrences of further pairs, beyond FINDINGS_MOST */
};
enum { FINDINGS_MOST = 1000 };

/* Frees all but the struct. */
void findings_free(struct findings *f);
uint32_t findings_count(const struct findings *f);
/* In the order in which they were found; NULL behind the last one. */
const struct finding *findings_next(const struct findings *f, const struct finding *after);

/* ---- for the executor ---- */

struct ptx_kernel;
struct finding_at {
	uint32_t pc, thread; /* of the kernel's code; in the CTA */
};
/* Counts an occurrence. `where` has kind, space, launch, CTA and offset. */
void findings_add(struct findings *f, const struct ptx_kernel *k, const struct finding *where, struct finding_at first,
		  struct finding_at second);

#endif

/* Paths of a run's requests (sm/lsu/path_log.h): which are wanted, and the log of all SMs.
 *
 * A filter is a text, what it asks for with commas between: all of it has to be so.
 *
 *     KERNEL:LINE       loads of a line of the source. KERNEL is the kernel's name or the source file's, without
 *                       folders; LINE the line of the source as `locus profile` prints it; where that is not known, of
 *                       the PTX; of SASS the address, in hexadecimal
 *     load=KERNEL:LINE  likewise
 *     sm=A, sm=A-B      on these SMs
 *     addr=A, addr=A-B  a line is among these physical addresses, of bytes
 *     latency=N         of N core cycles at least
 *     every=N           every N-th of an SM's that are left
 *     all               whatever else is not said
 */
#ifndef CSIM_RUN_REQUEST_PATHS_H
#define CSIM_RUN_REQUEST_PATHS_H

#include "base/err.h"
#include "machine/machine.h"
#include "sm/lsu/path_log.h"
#include "trace/trace.h"

enum { REQUEST_PATHS_ROOM = 1 << 16 /* requests of the sample, of all SMs */ };

struct request_paths {
	/* wanted */
	struct path_filter filter;
	struct arena *arena;

	/* what has come out */
	struct path_log log; /* request_paths_free() is due */
	uint32_t *first;     /* by kernel of the trace: its first instruction's row; behind the last one their number */
};

/* Reads a filter; e names what it does not understand, or what the trace has not. */
int request_paths_init(struct request_paths *p, struct arena *a, const struct trace *t, const struct machine *m, const char *filter,
		       struct err *e);
void request_paths_free(struct request_paths *p);

/* Whose instruction a row is. */
struct request_place {
	uint32_t kernel, inst;
};
struct request_place request_paths_place(const struct request_paths *p, const struct trace *t, uint32_t row);

#endif

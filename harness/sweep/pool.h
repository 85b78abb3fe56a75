/* Runs the program again and again, several at a time, and hands each result on.
 *
 * A run is a process of its own, so that one that is killed or runs out of memory costs one result: `locus ARGS --json
 * FILE`, the same session that a user's command has (session/session.h), whose result is read by session/result.h.
 * Words of ARGS with blanks or quotes in them are between single quotes, each of their own twice
 * (sweep_pool_quoted). No shell sees them. Its output is not shown; of one that fails the first line of its complaint
 * is. A run ends with the process that waits for it, whatever ends that.
 */
#ifndef HARNESS_SWEEP_POOL_H
#define HARNESS_SWEEP_POOL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/files/scratch.h"

struct sweep_end {	/* of a run */
	unsigned index; /* among those that sweep_pool_run got */
	const char *args;
	double seconds;	  /* of a processor */
	const char *json; /* the result; NULL: it failed */
	const char *why;  /* it did, in a line */
	bool interrupted; /* by a signal of somebody who did not want to wait: that says nothing of the run */
};

struct sweep_pool {
	const char *program;		   /* path of locus */
	const char *dir;		   /* where results on their way have their folder */
	unsigned jobs;			   /* at a time, >= 1 */
	uint64_t memory;		   /* bytes of address space that a run can have; 0: any number */
	const volatile sig_atomic_t *stop; /* not 0: the runs are ended and sweep_pool_run fails; NULL: nobody stops
					    * it */

	/* Told of each run that ends; keeps the result. -1: it cannot, which ends the whole. */
	int (*ended)(void *ctx, const struct sweep_end *end, struct err *e);
	void *ctx;

	struct scratch work; /* the pool's own */
};

/* Does all n runs. Only what stops the whole (no process can be started, a result cannot be kept) returns -1. What
 * earlier pools left in the folder is the caller's to collect (scratch_collect). */
int sweep_pool_run(struct sweep_pool *p, const char *const *args, unsigned n, struct err *e);

/* A word of ARGS, whatever is in it. */
const char *sweep_pool_quoted(struct arena *a, const char *text);

#endif

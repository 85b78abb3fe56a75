/* Runs the program again and again, several at a time, and hands each result to the store.
 *
 * A run is a process of its own, so that one that is killed or runs out of memory costs one result: `locus ARGS --json
 * FILE`, the same session that a user's command has (session/session.h), whose result is read by session/result.h.
 * Words of ARGS with blanks or quotes in them are between single quotes, each of their own twice. Its output is not
 * shown; of one that fails the first line of its complaint is.
 */
#ifndef HARNESS_STUDY_POOL_H
#define HARNESS_STUDY_POOL_H

#include <signal.h>

#include "base/err.h"
#include "base/files/scratch.h"
#include "study/store.h"

struct study_pool {
	struct study_store *store;
	const char *program;		   /* path of locus */
	const char *dir;		   /* where results on their way have their folder */
	unsigned jobs;			   /* at a time, >= 1 */
	const volatile sig_atomic_t *stop; /* not 0: the runs are ended and study_pool_run fails; NULL: nobody stops
					    * it */

	/* Told of each run that ends. why: NULL, or why it failed. */
	void (*ended)(void *ctx, const char *args, const char *why);
	void *ctx;

	struct scratch work; /* the pool's own */
};

/* Does all n runs. Runs that fail are reported to `ended` and leave nothing in the store; only what stops the whole (no
 * process can be started, the store is full) returns -1. */
int study_pool_run(struct study_pool *p, const char *const *args, unsigned n, struct err *e);

#endif

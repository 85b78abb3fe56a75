/* Tries: what would become of a run if some keys of its machine were others from a cycle on.
 *
 * The run goes to that cycle once. There the process is forked for each try; the new one goes on with the keys changed
 * (machine/live.h), by one host thread, and ends as any session does, with results of its own. As many go on side by
 * side as the run may have host threads. When all have ended the run itself goes on, as if there had been none.
 *
 * Who has the options is told in the new process: there it has to turn its outputs to other files. What has to be known
 * of all tries in the end comes back through memory that all of them share: a result, and the exit status.
 */
#ifndef HARNESS_SESSION_TRIES_H
#define HARNESS_SESSION_TRIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "machine/machine.h"
#include "run/gpu.h"

enum { TRIES_MAX = 64 };

struct tries_options {
	uint64_t at;		     /* core cycle */
	unsigned n;		     /* 1 .. TRIES_MAX */
	const char *text[TRIES_MAX]; /* "KEY=VALUE,KEY=VALUE" */
	unsigned side_by_side;	     /* at most; 0: one */
	/* In the process of try i; fails as a step of the session does. */
	int (*begins)(void *ctx, unsigned i, struct err *e);
	void *ctx;
};

struct tries {
	const struct tries_options *options; /* NULL: there are none */
	struct machine *machine;	     /* the session's, and in a try what it became */
	struct machine *of;		     /* by try */
	int *status;			     /* likewise: of the process that has ended */
	FILE **result;			     /* likewise: nameless; a try writes its result there, the run reads it */
	unsigned mine;			     /* number + 1 of the try that this process is; 0: it is the run */
	bool paused;			     /* the run has come to the cycle */
};

/* Fails, with a line that names the try, if one is of no machine that could run, or of keys that cannot change. */
int tries_init(struct tries *t, const struct tries_options *o, struct machine *m, struct arena *a, struct err *e);
struct gpu_pause_hook tries_pause_hook(struct tries *t);
void tries_free(struct tries *t);

/* The name of try i's file where the run's is `path`: "a.json" is "a.try1.json" for try 0. NULL for NULL and "-". */
const char *tries_path(struct arena *a, const char *path, unsigned i);

#endif

/* The runs of a sweep: those that lack a result are made here, several at a time, and kept (store.h), or elsewhere
 * (shards.h, slurm.h).
 *
 * A result is kept as soon as it is there: whatever ends a sweep, the next one goes on from there, and one whose plan
 * has grown makes only what is new. A run that failed is kept with its reason, and made again only on request.
 */
#ifndef HARNESS_SWEEP_RUNS_H
#define HARNESS_SWEEP_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "sweep/plan.h"
#include "sweep/store.h"

struct sweep_options {
	const char *program; /* path of locus */
	const char *dir;     /* of runs.db */
	unsigned jobs;	     /* at a time */
	uint64_t memory;     /* bytes that a run can have; 0: any number */
	bool retry;	     /* runs that failed are made again */
	FILE *each;	     /* gets a line for each run that is kept; NULL: no lines */
};

/* Of the runs of a plan, each of which counts once however many points it is. */
struct sweep_tally {
	unsigned all, kept, failed, missing;
};

/* What is to be made; in the plan's arena. */
struct sweep_missing {
	const struct sweep_point **point;
	const char **args;
	unsigned n;
	struct sweep_tally before;
};

/* DIR/runs.db, with the folder, and what shards have left in it. */
int sweep_runs_open(struct sweep_store *s, const char *dir, struct err *e);

/* Runs without a result; retry: also those that failed. */
struct sweep_missing sweep_runs_missing(struct sweep_plan *p, struct sweep_store *s, bool retry);

/* Makes them. -1: it was stopped, or results cannot be kept; those that are there are kept then too. */
int sweep_runs_make(const struct sweep_missing *m, struct sweep_store *s, const struct sweep_options *o, struct err *e);

/* Prints on stderr why runs have failed, at most `most` of them. */
void sweep_runs_print_failures(struct sweep_plan *p, struct sweep_store *s, unsigned most);

#endif

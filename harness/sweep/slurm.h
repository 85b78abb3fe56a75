/* A sweep on a cluster: its missing runs as one array job of Slurm, a shard a task (shards.h), in a folder that all
 * nodes see. This process submits the job, waits, and merges what shards have made, as it comes.
 *
 * It may be killed at any time: the job goes on, and the next call finds it (DIR/shards/job) and waits for it instead
 * of submitting another. A shard that was killed has kept what it had made; the next call submits the rest.
 *
 * The job's script has no text of a user's in it: program and folder are its arguments.
 */
#ifndef HARNESS_SWEEP_SLURM_H
#define HARNESS_SWEEP_SLURM_H

#include "base/err.h"
#include "sweep/runs.h"

enum { SLURM_MAX_OPTIONS = 16, SLURM_MAX_SHARDS = 1000 /* of an array, as Slurm comes */ };

struct sweep_slurm {
	const char *partition, *time;	       /* as sbatch takes them; NULL: the cluster's own */
	unsigned shards;		       /* at most so many tasks */
	const char *option[SLURM_MAX_OPTIONS]; /* more options of sbatch, "--account=x" */
	unsigned n_options;
};

/* Makes the missing runs. -1: no job can be submitted, or this process was told to stop; e says whether a job goes on.
 * Runs that still have no result are those of shards that were killed: DIR/shards/slurm-*.log has what they said. */
int sweep_slurm_make(struct sweep_plan *p, struct sweep_store *s, const struct sweep_options *o, const struct sweep_slurm *with,
		     struct err *e);

#endif

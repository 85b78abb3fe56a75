/* Checkpoints: a run on the SMs that is kept in a file, and goes on from there in another process, to the byte as if it
 * had never been interrupted (docs/how-to/checkpoint-and-what-if.md).
 *
 * All memory of such a run is in one region (base/region.h), which has the same address in every process: what of it
 * points into it stays true. The run that resumes builds its machine of the same inputs first, as any run does; so it
 * has at the same places what points outside, to its own program, trace and plan. Then the file's image takes the
 * place of what was built, but for these words: each that could point outside when the run had been built is noted in
 * the file, and is the new process's own unless the run changed it. What the run made point outside since then is known
 * by name (visit() in gpu_checkpoint.c), and set anew. Any other word that could point outside is a defect, for which a
 * checkpoint is not written.
 *
 * So nothing is saved component by component, and none can be forgotten: state that is in no region is not allowed, and
 * what keeps any is refused (paths of requests, pipelines, Verilog).
 *
 * Limits: the very same program, machine, trace, plan and records as before; that is checked.
 */
#ifndef CSIM_RUN_CHECKPOINT_H
#define CSIM_RUN_CHECKPOINT_H

#include "base/region.h"
#include "run/checkpoint_file.h"

enum { CHECKPOINT_BESIDE = 4 };

struct gpu_checkpoints {
	struct region *region;	      /* open; what logs the run is in it too */
	uint64_t every;		      /* core cycles; 0: none is written */
	const char *path;	      /* the last one is kept there */
	struct checkpoint_file *from; /* to resume; NULL: from the begin */
	/* What belongs to the run outside the region, and points into it alone: saved too. */
	unsigned n_beside;
	struct checkpoint_part beside[CHECKPOINT_BESIDE];

	/* Found out by the run. */
	uint64_t program; /* hash */
	struct checkpoint_word *word;
	uint64_t words, built, built_hash;
	uint64_t resumed;   /* the cycle; 0: from the begin */
	struct err skipped; /* why one was not written, the first time; the run goes on */
};

/* What it found out; region and file are the caller's. */
void gpu_checkpoints_free(struct gpu_checkpoints *c);

#endif

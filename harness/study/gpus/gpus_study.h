/* What the files of the study of GPUs share: machines of GPUs that people own, held against what was measured on them.
 */
#ifndef HARNESS_STUDY_GPUS_GPUS_STUDY_H
#define HARNESS_STUDY_GPUS_GPUS_STUDY_H

#include "study/study.h"

/* A GPU that somebody measured, and its machine at the clocks that it had. */
struct gpus_gpu {
	const char *name, *machine;
	const char *clocks; /* options of the run */
	double mhz;	    /* of the SMs */
	unsigned sms;
};
extern const struct gpus_gpu gpus_v100, gpus_a100, gpus_gh200;

/* Cycles that one more of `key` takes, by a run with `most` and one with half as many: free of what a launch costs. */
double gpus_cycles_each(struct study_context *c, const struct gpus_gpu *g, const char *run, const char *key, uint64_t most);

/* Cycles of a dependent load in a random ring of so many lines of 128 bytes, once the caches are full of it. */
double gpus_load_cycles(struct study_context *c, const struct gpus_gpu *g, uint32_t lines);
/* Bytes a cycle that each SM reads when a CTA of 1,024 threads on each reads the same KiB, so many rounds. */
double gpus_read_bytes(struct study_context *c, const struct gpus_gpu *g, uint32_t kib, uint32_t rounds);

/* A row of a measured value, a published one (NAN: none) and their ratio. */
void gpus_row(struct sweep_table *t, const char *name, double measured, double published);
/* The table's three columns of it. */
void gpus_table(struct study_context *c, struct sweep_table *t, const struct gpus_gpu *g, const char *id, const char *title,
		const char *first, const char *unit);

study_make gpus_latency, gpus_latency_a100, gpus_latency_gh200, gpus_caches, gpus_stream, gpus_stream_gh200, gpus_doubles,
	gpus_classes, gpus_conflicts, gpus_unmeasured_latency, gpus_unmeasured_bandwidth;

#endif

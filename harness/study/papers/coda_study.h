/* What the files of the study of CODA share. */
#ifndef HARNESS_STUDY_PAPERS_CODA_STUDY_H
#define HARNESS_STUDY_PAPERS_CODA_STUDY_H

#include "study/study.h"

struct coda_benchmark {
	const char *workload, *category;
};
enum { N_BENCHMARKS = 20 };
extern const struct coda_benchmark coda_benchmarks[];

/* A row for the i-th of them, in its category's group. */
double *coda_benchmark_row(struct sweep_table *t, unsigned i);

study_make coda_migration;

#endif

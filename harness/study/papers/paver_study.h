/* What the figures of PAVER share: its benchmarks, architectures and policies, and runs of them. */
#ifndef HARNESS_STUDY_PAPERS_PAVER_STUDY_H
#define HARNESS_STUDY_PAPERS_PAVER_STUDY_H

#include "study/papers/paver_published.h"
#include "study/study.h"

/* Section 6.2's classes of locality between CTAs, in the order of its lists. */
enum { PAVER_CLASSES = 3 };
extern const char *const paver_classes[PAVER_CLASSES];

struct paver_benchmark {
	const char *workload;
	const char *more; /* options where the default size has fewer CTAs than an SM of titanv holds at a time, or than
			   * the paper by far */
	unsigned launch;  /* where Figure 5 has its picture from */
};
enum { PAVER_BENCHMARKS = 18 };
extern const struct paver_benchmark paver_benchmarks[PAVER_BENCHMARKS];
/* NULL: there is none. */
const struct paver_benchmark *paver_benchmark_find(const char *workload);

struct paver_architecture {
	const char *machine, *name;
	double mhz;	    /* of the SMs */
	unsigned published; /* the paper's, whose values stand beside it: PAVER_FERMI to PAVER_VOLTA */
};
/* The paper's simulator is GPGPU-Sim: PAVER_FERMI to PAVER_VOLTA are its machines of today, PAVER_PASCAL_2020 is its
 * Pascal while the paper was written. PAVER_OWN + each is our own of the same name, which has what the paper's Table 1
 * prints. */
enum {
	PAVER_FERMI,
	PAVER_PASCAL,
	PAVER_VOLTA,
	PAVER_ARCHITECTURES,
	PAVER_OWN = PAVER_ARCHITECTURES,
	PAVER_PASCAL_2020 = 2 * PAVER_ARCHITECTURES
};
extern const struct paver_architecture paver_architectures[PAVER_PASCAL_2020 + 1];

/* The graphs' reads come from the trace: the paper shows its gains for irregular programs too, whose reads do not
 * follow from the PTX. Groups are no larger than an even share: where all CTAs of a launch fit, RB does as well as
 * k-way in section 6.3, which full groups do not. */
#define PAVER_RB_PLAN	"paver-rb,source=trace,groups=even"
#define PAVER_RB_FULL	"paver-rb,source=trace" /* as Algorithm 1 is printed */
#define PAVER_RB_STATIC "paver-rb,source=static,groups=even"
#define PAVER_LRR	"lrr" /* what the policies are compared with */
struct paver_policy {
	const char *name, *plan;
};
enum { PAVER_BCS, PAVER_MST, PAVER_KWAY, PAVER_RB, PAVER_POLICIES };
extern const struct paver_policy paver_policies[PAVER_POLICIES];

/* The workload at the study's size: what a benchmark has of its own is for the default one. */
const char *paver_sized(struct study_context *c, const struct paver_benchmark *b);

/* A metric of a benchmark's run. more: further options with a space before each, or "". */
double paver_value(struct study_context *c, const char *what, const struct paver_benchmark *b, const char *machine,
		   const char *plan, const char *more);
double paver_cycles(struct study_context *c, const struct paver_benchmark *b, const char *machine, const char *plan,
		    const char *more);

/* The benchmark's row, in its class; a row of means for each class, and one over all. */
double *paver_row(struct sweep_table *t, const struct paver_benchmark *b);
void paver_means(struct sweep_table *t, enum sweep_mean how);
/* Rows of the paper's means, in the columns of MST-TS, k-way-TS and RB-TS; a negative column: not shown. */
void paver_add_averages(struct study_context *c, struct sweep_table *t, const struct paver_averages *p, int mst, int kway, int rb);

/* paver_waves.c: the gains with more CTAs than the SMs run at a time */
void paver_waves_on(struct study_context *c, struct sweep_table *t, unsigned architecture);
/* paver_more.c: what decides the gains */
study_make paver_stealing, paver_l1_size, paver_residency, paver_sources, paver_even_groups;
/* paver_misses.c: what caches lose, what groups keep, and the policy that fits CTAs into the L1 */
study_make paver_misses, paver_captured, paver_cache_fit;
/* PAVER beside the other papers' mechanisms */
study_make paver_beside_pric, paver_beside_coda, paver_beside_tafe;

#endif

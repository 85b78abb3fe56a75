/* Published properties of PAVER's benchmarks: Table 2, and the classes that section 2.2 reads off Figure 2.
 *
 * Total TB and SpScore of a row need not be of the same input. The "degree of sharing" is 17 / n in 13 rows, and
 * SpScore is then a whole number of CTA pairs over n^2: n is the size of the graph that was analysed. Mergesort's
 * SpScore is that of a chain of 32 CTAs.
 */
#ifndef HARNESS_STUDY_PAPERS_PAVER_PUBLISHED_H
#define HARNESS_STUDY_PAPERS_PAVER_PUBLISHED_H

#include <stdint.h>

struct paver_published {
	const char *workload, *benchmark; /* ours; the paper's abbreviation */
	double sp_score;		  /* with up to nine digits */
	uint32_t ctas;			  /* Total TB */
	uint32_t graph_ctas;		  /* CTAs of the graph that SpScore is of; 0: not known, as no CTAs share */
	double elements;		  /* "Total data references": the distinct elements read */
	uint32_t sharing;		  /* "Shared TB" */
	double degree;			  /* NAN: none printed */
	const char *sharing_class;
};

/* In the order of Table 2; ends with a NULL workload. */
extern const struct paver_published paver_published[];
/* NULL if the paper does not have it. */
const struct paver_published *paver_published_find(const char *workload);

/* Means in the text of section 6.3: of the classes high, low and none, then of all; for each MST-TS, k-way-TS and
 * RB-TS. NAN: not printed. */
struct paver_averages {
	double of[4][3];
};
/* By architecture: Fermi, Pascal, Volta. */
extern const struct paver_averages paver_speed_ups[3];	 /* Figure 11, over LRR */
extern const struct paver_averages paver_l2_accesses[3]; /* Figure 13, percent of LRR's */

#endif

/* What PAVER prints of its benchmarks: Table 2, and the classes that section 2.2 reads off Figure 2. */
#ifndef HARNESS_STUDY_PAPERS_PAVER_PUBLISHED_H
#define HARNESS_STUDY_PAPERS_PAVER_PUBLISHED_H

#include <stdint.h>

struct paver_published {
	const char *workload, *benchmark; /* ours; the paper's abbreviation */
	double sp_score;		  /* with up to nine digits */
	uint32_t ctas;
	double elements;  /* "Total data references": where we have the same kernel and size (hotspot, syrk, syr2k,
			   * blackscholes),
			     the  elements that are read */
	uint32_t sharing; /* "Shared TB" */
	double degree;	  /* NAN: none printed */
	const char *sharing_class;
};

/* In the order of Table 2; ends with a NULL workload. */
extern const struct paver_published paver_published[];
/* NULL if the paper does not have it. */
const struct paver_published *paver_published_find(const char *workload);

#endif

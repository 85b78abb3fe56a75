/* Which optimisations a descriptor gets: Figure 11 (ldesc, section 4.2). */
#ifndef CSIM_LDESC_LDESC_CHOICE_H
#define CSIM_LDESC_LDESC_CHOICE_H

#include "ldesc/ldesc.h"

enum ldesc_caching { LDESC_CACHE_AS_IS, LDESC_BYPASS, LDESC_SOFT_PIN, LDESC_HARD_PIN };
enum ldesc_prefetch { LDESC_NO_PREFETCH, LDESC_PREFETCH_STRIDE, LDESC_PREFETCH_NEXT_LINE };

struct ldesc_choice {
	bool ctas;  /* its C-tiles decide where CTAs run */
	bool pages; /* its D-tiles decide where data is */
	enum ldesc_caching caching;
	enum ldesc_prefetch prefetch;
};

/* numa: the machine has several modules. */
typedef struct ldesc_choice (*ldesc_choose_fn)(const struct ldesc *l, bool numa);
struct ldesc_choice ldesc_choose(const struct ldesc *l, bool numa);
/* What LDesc-Cache and LDesc-Pref do each alone (section 5.1): not Figure 11 with the rest left out. All INTER_THREAD
 * data gets a soft pin; all but NO_REUSE is prefetched, REGULAR accesses at their stride. */
struct ldesc_choice ldesc_choose_caching(const struct ldesc *l, bool numa);
struct ldesc_choice ldesc_choose_prefetch(const struct ldesc *l, bool numa);

#endif

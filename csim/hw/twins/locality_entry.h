/* What a locality table (hw/twins/locality_table.h) holds of a data structure, and answers for an address. */
#ifndef CSIM_HW_TWINS_LOCALITY_ENTRY_H
#define CSIM_HW_TWINS_LOCALITY_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/* What a cache does with the line of a load that missed; the numbers are the block's. */
enum locality_caching { LOCALITY_AS_IS, LOCALITY_BYPASS, LOCALITY_SOFT_PIN, LOCALITY_HARD_PIN, LOCALITY_CACHINGS };
/* Which line is fetched ahead when a load misses. */
enum locality_prefetch { LOCALITY_NO_PREFETCH, LOCALITY_NEXT_LINE, LOCALITY_STRIDE, LOCALITY_PREFETCHES };

struct locality_entry {
	uint64_t base, bound; /* virtual byte addresses: from base to below bound */
	uint32_t distance;    /* LOCALITY_STRIDE: bytes from the load that missed to the line that is fetched, if nobody
			       * counts the structure's active tiles (hw/twins/prefetch_unit.h) */
	uint8_t priority;     /* of the entries that match that of the lowest number answers, of equal ones the first */
	enum locality_caching caching : 8;
	enum locality_prefetch prefetch : 8;
};

/* What the table says of an address; all 0: no entry matches. */
struct locality_answer {
	uint64_t addr, bound; /* that was asked about; of the entry that matches */
	uint32_t distance;
	bool match;
	uint8_t entry; /* that matches */
	enum locality_caching caching : 8;
	enum locality_prefetch prefetch : 8;
};

#endif

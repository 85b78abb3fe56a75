/* Random cycles for a locality table: entries that are rewritten, addresses near their ends, stretches of
 * back-pressure. */
#ifndef TESTS_SUPPORT_LOCALITY_STIMULUS_H
#define TESTS_SUPPORT_LOCALITY_STIMULUS_H

#include "hw/twins/locality_table.h"

/* The inputs of cycle n. seed: kept from cycle to cycle. t: a table that is stepped with them, for its entries'
 * ends. */
struct locality_table_in locality_stimulus(const struct locality_table *t, uint64_t n, uint64_t *seed);

#endif

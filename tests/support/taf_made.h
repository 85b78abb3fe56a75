/* Arrays registered with TAFE's software side, without a host program. */
#ifndef TESTS_SUPPORT_TAF_MADE_H
#define TESTS_SUPPORT_TAF_MADE_H

#include "taf/taf_memory.h"

struct taf taf_made(const uint32_t block[3], const uint32_t grid[3], struct taf_options o);
/* Registers `a` at its base with n elements; returns its entry. start, end: the bases of its primaries. */
unsigned taf_made_add(struct taf *t, struct taf_array a, uint64_t base, uint32_t n, uint32_t size, uint64_t start, uint64_t end);
void taf_made_ready(struct taf *t, uint64_t base);
/* An extent that is not as wanted fails the test. what: for the message. */
void taf_made_expect(const struct taf_memory *m, const struct taf *t, unsigned entry, uint32_t i, struct taf_extent want,
		     const char *what);

#endif

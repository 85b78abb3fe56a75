/* Specification of the conflict counters by set (docs/how-to/add-a-hardware-block.md, after the conflicts of dwt-pric,
 * section 4.3), by accesses and answers: a conflict is an access to a set whose previous access had another tag.
 *
 * Requests are answered in their order. One may be answered after accesses that were accepted later than it, never
 * before one that was accepted earlier.
 */
#ifndef TESTS_SPEC_SET_MONITOR_H
#define TESTS_SPEC_SET_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

enum { SPEC_SETS = 256, SPEC_REQUESTS = 4 };

struct spec_sets {
	uint64_t largest; /* a count stays there */
	struct {
		bool accessed;
		uint64_t tag, conflicts;
	} set[SPEC_SETS];
	struct {
		unsigned set;
		uint64_t least;	   /* conflicts of the set when the request was accepted */
	} request[SPEC_REQUESTS];  /* without an answer that was taken, the oldest first */
	unsigned requests, waited; /* cycles since the oldest was at the head */
	bool answered;		   /* the oldest: its answer has been seen */
	uint64_t count;
};

struct spec_sets_cycle {
	bool access, request, answer, taken; /* accepted; accepted; offered by the block; and taken */
	unsigned access_set, request_set;
	uint64_t tag, count;
};

void spec_sets_reset(struct spec_sets *s, unsigned count_bits);

/* NULL, or how the block differs from the specification in this cycle. */
const char *spec_sets_cycle(struct spec_sets *s, const struct spec_sets_cycle *c);

#endif

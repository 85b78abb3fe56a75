/* Specification of TAFE's comparator and of its events (tafe, section 4.3, Figure 9, step 1; docs/studies/tafe.md), by
 * stores: a store yields the elements that its bytes cover of the array with the lowest entry that contains its
 * address. Each of them is passed on to a CTA that reads it or dropped, once. An element is saturated if and only if
 * the store is narrower than the element or the value does not fit.
 */
#ifndef TESTS_SPEC_TAFE_H
#define TESTS_SPEC_TAFE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPEC_TAFE_ENTRIES = 8 };

struct spec_tafe {
	unsigned index_bits; /* of a value */
	struct {
		bool used;
		uint64_t base, limit, read; /* bytes of the array; its first elements that a CTA reads */
		unsigned size;		    /* of an element: 1 << size bytes */
	} array[SPEC_TAFE_ENTRIES];
	uint64_t passed_on, dropped, saturated; /* elements; of those passed on */
};

void spec_tafe_reset(struct spec_tafe *s, unsigned index_bits);
void spec_tafe_register(struct spec_tafe *s, unsigned entry, uint64_t base, uint64_t elements, uint64_t read, unsigned size);
void spec_tafe_release(struct spec_tafe *s, unsigned entry);
void spec_tafe_store(struct spec_tafe *s, uint64_t address, uint64_t data, unsigned size);

/* With nothing in the pipeline: NULL, or how the block's numbers of events differ from the specification. */
const char *spec_tafe_events(const struct spec_tafe *s, uint64_t passed_on, uint64_t dropped, uint64_t saturated);

#endif

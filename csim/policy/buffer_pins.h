/* Pins by array: a cache pins the lines that loads from the named buffers of the program bring in (l1.pin.hard,
 * l1.pin.soft, names with + between them; "none": no buffer). Nothing is pinned twice: a buffer has one pin. A
 * policy's own pin goes first. Source: ldesc, section 4.4.
 */
#ifndef CSIM_POLICY_BUFFER_PINS_H
#define CSIM_POLICY_BUFFER_PINS_H

#include "base/err.h"
#include "policy/cache_policy.h"

struct buffer_pins {
	uint32_t buffers;
	const uint8_t *pin; /* by buffer: enum cache_pin; NULL: nothing is pinned */
};

/* name: of each of the program's buffers. Fails if a name in the machine is none of them. */
int buffer_pins_init(struct buffer_pins *p, struct arena *a, const struct machine *m, const char *const *name, uint32_t buffers,
		     struct err *e);

static inline enum cache_pin buffer_pins_of(const struct buffer_pins *p, uint16_t buffer)
{
	return p->pin && buffer < p->buffers ? (enum cache_pin)p->pin[buffer] : CACHE_UNPINNED;
}

#endif

/* A golden twin by the names of its ports, for tests that use none of its types: a specification model
 * (tests/spec/README.md) sees the ports alone. */
#ifndef TESTS_SUPPORT_PORTS_H
#define TESTS_SUPPORT_PORTS_H

#include "hw/block.h"

struct ports {
	const struct hw_block *block;
	void *params, *state, *in, *out;
	unsigned n[HW_SIDES];
	struct hw_field field[HW_SIDES][HW_MAX_FIELDS];
};

/* block: as --hw names it; shape: "sms=16 kernels=4". Ends the test if there is none. */
void ports_init(struct ports *p, const char *block, const char *shape);
void ports_free(struct ports *p);

void ports_reset(struct ports *p);
void ports_eval(struct ports *p); /* the outputs of this cycle, from its inputs */
void ports_tick(struct ports *p); /* the edge */

uint64_t ports_param(const struct ports *p, const char *name);
uint64_t ports_get(const struct ports *p, enum hw_side side, const char *name, unsigned element);
void ports_put(struct ports *p, const char *input, unsigned element, uint64_t value);
unsigned ports_width(const struct ports *p, enum hw_side side, const char *name); /* of an element, in bits */

/* Outputs and inputs of one element. */
uint64_t ports_out(const struct ports *p, const char *name);
uint64_t ports_in(const struct ports *p, const char *name);

#endif

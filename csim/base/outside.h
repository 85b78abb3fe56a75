/* Which words could be pointers to outside a region (base/region.h): into the program, its libraries, the heap and
 * stacks, as Linux has them mapped now. Only a word that is no pointer can be taken for one, never the other way. */
#ifndef CSIM_BASE_OUTSIDE_H
#define CSIM_BASE_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct outside {
	unsigned n, cap;
	struct outside_range {
		uint64_t from, to;
	} * range; /* ascending, apart */
};

/* Fails if it cannot be known. On success outside_free() is due. */
int outside_read(struct outside *o, struct err *e);
void outside_free(struct outside *o);

bool outside_find(const struct outside *o, uint64_t word);
static inline bool outside_has(const struct outside *o, uint64_t word)
{
	return __builtin_expect(word >= o->range[0].from && word < o->range[o->n - 1].to, 0) && outside_find(o, word);
}

#endif

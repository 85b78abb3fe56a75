/* Times for tests, which calculate in plain numbers of ticks: what the model takes and gives is a struct ticks
 * (base/ticks.h). */
#ifndef TESTS_SUPPORT_AT_TICK_H
#define TESTS_SUPPORT_AT_TICK_H

#include "base/ticks.h"

static inline struct ticks at_tick(uint64_t n)
{
	return (struct ticks){n};
}

#endif

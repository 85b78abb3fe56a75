/* 369: stamps hold the lower halves of times: a load that takes 2^31 ticks or more still has parts that sum to the
 * whole; one tick less, and its stamps say where it went. */
#include <criterion/criterion.h>

#include "sm/lsu/load_latency.h"
#include "support/at_tick.h"

enum { FROM_LINE = 34 /* ticks from the line's return to the registers */ };

/* A load issued at `issued` that takes `whole` ticks to its line, of which its request leaves after 10 and is at the L2
 * after 30. */
static struct load_counts split(uint64_t issued, uint64_t whole)
{
	struct load_counts c = {0};
	struct stamp at[REQ_STAMPS];

	at[REQ_SENT] = stamp_of(at_tick(issued + 10));
	for (unsigned i = REQ_AT_L2; i < REQ_STAMPS; i++)
		at[i] = stamp_of(at_tick(issued + 30));
	load_latency_split(&c, at_tick(issued), at_tick(issued + whole), at_tick(issued + whole + FROM_LINE), at);
	return c;
}

static uint64_t sum(const struct load_counts *c)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < LOAD_PARTS; i++)
		n += c->part[i];
	return n;
}

Test(stamps, reach_to_the_last_tick_and_not_beyond)
{
	static const uint64_t issued[] = {0, UINT32_MAX, UINT64_C(5) << 32};

	for (unsigned i = 0; i < 3; i++) {
		const uint64_t reach = UINT64_C(1) << 31, beyond[] = {reach, reach + 1, 2 * reach, 5 * reach + 7};
		struct load_counts c = split(issued[i], reach - 1);

		cr_assert_eq(c.part[LOAD_L1], 10 + FROM_LINE);
		cr_assert_eq(c.part[LOAD_NETWORK], 20);
		cr_assert_eq(c.part[LOAD_BACK], reach - 1 - 30);
		cr_assert_eq(sum(&c), reach - 1 + FROM_LINE);
		for (unsigned b = 0; b < 4; b++) {
			c = split(issued[i], beyond[b]);
			cr_assert_eq(c.part[LOAD_L1], beyond[b] + FROM_LINE);
			cr_assert_eq(sum(&c), beyond[b] + FROM_LINE);
		}
	}
}

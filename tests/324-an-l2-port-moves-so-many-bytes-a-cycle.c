/* 324: l2.port_bytes: what a slice reads or writes holds its port as long as the bytes take. */
#include <criterion/criterion.h>

#include "support/mem_rig.h"

enum { LINE = 128, TOKENS = 4 };

/* Lines of slice 0 that the L2 has: reads of them are answered at their lookups. */
static uint64_t warm(struct mem_rig *r)
{
	uint64_t tick = 0;
	struct mem_req reply;

	for (uint32_t i = 0; i < TOKENS; i++) {
		mem_rig_send(r, tick, 0, REQ_READ, (uint64_t)i * 256 * 6, LINE, i);
		tick += 100000;
		cr_assert(mem_rig_reply(r, tick, 0, &reply));
	}
	return tick - tick % 66;
}

/* When the replies of reads that were sent together have come back, each to an SM of its own, so that none waits for
 * another's flits at an SM. */
static void replies(struct mem_rig *r, uint64_t sent, uint64_t at[TOKENS])
{
	struct mem_req reply;
	uint32_t left = TOKENS;

	for (uint32_t i = 0; i < TOKENS; i++) {
		mem_rig_send(r, sent, i + 1, REQ_READ, (uint64_t)i * 256 * 6, LINE, i); /* SM 0 had its turn last */
		at[i] = 0;
	}
	for (uint64_t t = sent; left; t++)
		for (uint32_t i = 0; i < TOKENS; i++)
			if (!at[i] && mem_rig_reply(r, t, i + 1, &reply)) {
				at[i] = t;
				left--;
			}
}

/* A reply of 136 bytes takes 5 flits, 5 network cycles of 33 ticks, at the slice's port of the network, which the L2's
 * cycle of 66 ticks hides behind as soon as a line takes 3 or more of them. */
Test(l2_port, reads_follow_one_another_after_line_over_port_cycles)
{
	static const struct {
		const char *key;
		uint64_t apart; /* ticks */
	} known[] = {{"l2.port_bytes=0", 5 * 33},  {"l2.port_bytes=128", 5 * 33}, {"l2.port_bytes=64", 5 * 33},
		     {"l2.port_bytes=32", 4 * 66}, {"l2.port_bytes=48", 3 * 66},  {"l2.port_bytes=8", 16 * 66}};

	for (unsigned k = 0; k < sizeof known / sizeof known[0]; k++) {
		const char *const set[] = {known[k].key, NULL};
		struct mem_rig *r = mem_rig_new(set);
		uint64_t at[TOKENS];

		replies(r, warm(r), at);
		for (uint32_t i = 1; i < TOKENS; i++)
			cr_expect_eq(at[i] - at[i - 1], known[k].apart, "%s: reply %u after %lu ticks", known[k].key, i,
				     at[i] - at[i - 1]);
		mem_rig_free(r);
	}
}

/* The first cycle answers: one request alone takes as long as with a wide port. */
Test(l2_port, a_request_alone_is_answered_at_its_lookup)
{
	const char *const narrow[] = {"l2.port_bytes=8", NULL};
	struct mem_rig *r = mem_rig_new(narrow);
	uint64_t sent = warm(r), looked_up = mem_rig_lookup_at(&r->m, sent, 0);

	mem_rig_send(r, sent, 0, REQ_READ, 0, LINE, 7);
	mem_rig_expect(r, mem_rig_back_at(&r->m, looked_up, LINE), 0, 7);
	mem_rig_free(r);
}

/* A store of 64 bytes takes 2 cycles of a port of 32, so that the read behind it is looked up 2 cycles later. */
Test(l2_port, what_is_written_holds_it_too)
{
	static const struct {
		const char *key;
		unsigned cycles;
	} known[] = {{"l2.port_bytes=0", 1}, {"l2.port_bytes=32", 2}, {"l2.port_bytes=16", 4}};

	for (unsigned k = 0; k < 3; k++) {
		const char *const set[] = {known[k].key, NULL};
		struct mem_rig *r = mem_rig_new(set);
		uint64_t sent = warm(r), write_at = mem_rig_lookup_at(&r->m, sent, 64);

		mem_rig_send(r, sent, 0, REQ_WRITE, 0, 64, 1);
		mem_rig_send(r, sent + 33, 1, REQ_READ, 256 * 6, LINE, 2);
		mem_rig_expect(r, mem_rig_back_at(&r->m, write_at + known[k].cycles * 66, LINE), 1, 2);
		mem_rig_free(r);
	}
}

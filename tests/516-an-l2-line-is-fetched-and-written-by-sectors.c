/* 516: an L2 slice of lines of four sectors on HBM2, a burst of 32 bytes each: what is read from DRAM and written
 * there, to the byte, and when a sector is answered. */
#include <criterion/criterion.h>

#include "support/mem_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define FOUR	 "l2.sectors=4"
#define ON_READ	 "l2.write_allocate=fetch-on-read"
#define ONE_WAY	 "l2.bytes=4K", "l2.assoc=1"

/* 32 sets of one way; two slices a channel take lines in turn, 24 channels blocks of 256 bytes: a line 64 lines on in
 * its channel is in the same set. */
enum { LATER = 1000000, LINE = 0x12300, SAME_SET = 64 * 128 / 256 * 256 * 24 };

static uint64_t dram_bytes(const struct mem_rig *r)
{
	uint64_t n = 0;

	for (uint32_t c = 0; c < r->m.dram.channels; c++)
		n += r->s->channel[c].stats.bytes;
	return n;
}

/* Sends a request and waits for its reply. */
static void ask(struct mem_rig *r, uint64_t *tick, enum req_kind kind, uint64_t addr, uint16_t bytes)
{
	struct mem_req q;

	mem_rig_send(r, *tick, 0, kind, addr, bytes, 77);
	*tick += LATER;
	cr_assert(mem_rig_reply(r, *tick - 1, 0, &q) && q.token == 77);
	cr_assert_eq(memsys_facts(r->s).in_flight, 0);
}

static void expect(const struct mem_rig *r, uint64_t fetches, uint64_t bytes)
{
	cr_assert_eq(memsys_facts(r->s).fetches, fetches, "%lu reads", (unsigned long)memsys_facts(r->s).fetches);
	cr_assert_eq(dram_bytes(r), bytes, "%lu bytes", (unsigned long)dram_bytes(r));
}

Test(l2_sectors, a_read_of_one_takes_one_burst_and_its_time)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR));
	uint64_t lookup = mem_rig_lookup_at(&r->m, 660, 0);

	mem_rig_send(r, 660, 3, REQ_READ, LINE + 64, 32, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, lookup, 1), 32), 3, 5);
	expect(r, 1, 32);
	mem_rig_send(r, LATER, 3, REQ_READ, LINE + 64, 32, 6);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, LATER, 0), 32), 3, 6);
	expect(r, 1, 32);
	mem_rig_free(r);
}

Test(l2_sectors, a_read_fetches_those_that_are_not_there_at_once)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR));
	uint64_t t = 0;

	ask(r, &t, REQ_READ, LINE + 32, 32);
	ask(r, &t, REQ_READ, LINE, 128);
	expect(r, 2, 32 + 96);
	cr_assert_eq(memsys_facts(r->s).l2.misses, 2);
	cr_assert_eq(r->s->slice[0].sectors.n, 4);
	ask(r, &t, REQ_READ, LINE + 96, 32);
	ask(r, &t, REQ_READ, LINE, 64);
	expect(r, 2, 128);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 2);
	mem_rig_free(r);
}

Test(l2_sectors, a_read_waits_for_what_is_on_its_way_and_fetches_the_rest)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR));
	struct mem_req q;
	unsigned answered = 0;

	mem_rig_send(r, 0, 0, REQ_READ, LINE, 32, 10);
	mem_rig_send(r, 0, 1, REQ_READ, LINE + 96, 32, 11);
	mem_rig_send(r, 500, 2, REQ_READ, LINE, 32, 12);   /* on its way: nothing is read */
	mem_rig_send(r, 1000, 3, REQ_READ, LINE, 128, 13); /* two of its sectors are */
	for (uint32_t sm = 0; sm < 4; sm++)
		while (mem_rig_reply(r, LATER, sm, &q)) {
			cr_assert_eq(q.token, 10 + sm);
			answered++;
		}
	cr_assert_eq(answered, 4);
	expect(r, 3, 128);
	cr_assert_eq(memsys_facts(r->s).l2.reserved, 1);
	cr_assert_eq(memsys_facts(r->s).l2.misses, 3);
	mem_rig_free(r);
}

Test(l2_sectors, one_that_is_there_is_hit_while_another_is_on_its_way)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR));
	uint64_t t = 0;

	ask(r, &t, REQ_READ, LINE, 32);
	mem_rig_send(r, t, 1, REQ_READ, LINE + 32, 32, 11);
	mem_rig_send(r, t + 500, 2, REQ_READ, LINE, 32, 12);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, t + 500, 0), 32), 2, 12);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 1);
	mem_rig_free(r);
}

Test(l2_sectors, a_write_of_a_whole_one_fetches_nothing_and_is_written_back_alone)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR, ONE_WAY));
	uint64_t t = 0;

	ask(r, &t, REQ_WRITE, LINE + 32, 32);
	ask(r, &t, REQ_READ, LINE + 32, 32);
	expect(r, 0, 0);
	ask(r, &t, REQ_READ, LINE + SAME_SET, 32);
	expect(r, 1, 32 + 32);
	cr_assert_eq(memsys_facts(r->s).dram_writes, 1);
	mem_rig_free(r);
}

Test(l2_sectors, a_write_of_a_part_fetches_its_sector)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR));
	uint64_t t = 0;

	ask(r, &t, REQ_WRITE, LINE + 36, 4);
	expect(r, 1, 32);
	ask(r, &t, REQ_WRITE, LINE + 80, 24); /* 16 bytes of the third, 8 of the fourth */
	expect(r, 2, 96);
	ask(r, &t, REQ_WRITE, LINE, 128);
	ask(r, &t, REQ_READ, LINE, 128);
	expect(r, 2, 96);
	mem_rig_free(r);
}

Test(l2_sectors, a_part_may_wait_for_its_first_read)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR, ON_READ, ONE_WAY));
	uint64_t t = 0;

	ask(r, &t, REQ_WRITE, LINE + 36, 4);
	expect(r, 0, 0);
	ask(r, &t, REQ_READ, LINE + 64, 32);
	expect(r, 1, 32);
	ask(r, &t, REQ_READ, LINE + 32, 32);
	expect(r, 2, 64);
	ask(r, &t, REQ_READ, LINE + 32, 32);
	expect(r, 2, 64);
	ask(r, &t, REQ_READ, LINE + SAME_SET, 32);
	expect(r, 3, 64 + 32 + 32);
	mem_rig_free(r);
}

Test(l2_sectors, parts_that_fill_one_need_no_read)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR, ON_READ));
	uint64_t t = 0;

	for (uint32_t i = 0; i < 4; i++)
		ask(r, &t, REQ_WRITE, LINE + 32 + 8 * i, 8);
	ask(r, &t, REQ_READ, LINE + 32, 32);
	expect(r, 0, 0);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 4, "three writes and the read");
	mem_rig_free(r);
}

Test(l2_sectors, a_part_that_is_never_read_goes_to_dram_by_its_bytes)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR, ON_READ, ONE_WAY));
	uint64_t t = 0;

	ask(r, &t, REQ_WRITE, LINE + 4, 4);
	ask(r, &t, REQ_WRITE, LINE + 100, 4);
	mem_rig_send(r, t, 0, REQ_WRITE, LINE + SAME_SET, 32, 1); /* its victim is written */
	mem_rig_send(r, t + 7000, 0, REQ_READ, LINE, 32, 2);	  /* of which 4 bytes may wait to be written */
	mem_rig_run(r, t + LATER);
	cr_assert_eq(r->s->channel[LINE / 256 % 24].stats.forwarded, 0, "a part answers no read");
	expect(r, 1, 2 * 32 + 32 + 32);
	cr_assert_eq(memsys_facts(r->s).dram_writes, 2);
	mem_rig_free(r);
}

Test(l2_sectors, an_atomic_reads_its_sector_and_leaves_it_dirty)
{
	struct mem_rig *r = mem_rig_of("titanv", SET(FOUR, ON_READ, ONE_WAY));
	uint64_t t = 0;

	ask(r, &t, REQ_ATOMIC, LINE + 68, 4);
	expect(r, 1, 32);
	ask(r, &t, REQ_READ, LINE + SAME_SET, 32);
	expect(r, 2, 32 + 32 + 32);
	mem_rig_free(r);
}

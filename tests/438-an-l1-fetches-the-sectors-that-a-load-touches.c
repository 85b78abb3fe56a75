/* 438: an L1 of lines of several sectors: what a load asks for, when it is served, what a store evicts. Worked out by
 * hand from docs/explanation/caches.md; random loads are held against a plain list of sectors. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"
#include "support/random.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define FOUR	 "l1.sectors=4"

enum { WAY = 4096 /* bytes between addresses of one set: 32 sets of 128 bytes */ };

/* A load of all bytes of the line's sectors that the set names. */
static struct l1_access load_of(uint64_t line, uint32_t sectors, uint32_t token)
{
	struct l1_access a = {.line = line, .token = token, .kind = REQ_READ, .client = REQ_CLIENT_LOAD, .lanes = 1};

	for (uint32_t s = 0; s < 4; s++)
		if (sectors >> s & 1)
			a.mask[s / 2] |= (uint64_t)UINT32_MAX << s % 2 * 32;
	return a;
}

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t line, uint32_t sectors, uint32_t token)
{
	struct l1_access a = load_of(line, sectors, token);

	return l1_access(&r->l1, cycle, &a);
}

static uint32_t serves(struct l1_rig *r, struct mem_req m)
{
	uint32_t n;

	l1_rig_reply(r, m, &n);
	return n;
}

Test(l1_sectors, a_miss_asks_for_the_touched_sector_alone)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_load(0x12345, 77);
	struct mem_req m;

	l1_rig_open(&r, SET(FOUR));
	cr_assert_eq(l1_access(&r.l1, 1, &a), L1_MISS);
	m = l1_rig_take(&r);
	cr_assert_eq(m.addr, 0x12340, "the third sector of line 0x12300");
	cr_assert_eq(m.bytes, 32);
	cr_assert(m.mask[0] == 0 && m.mask[1] == UINT32_MAX, "its bytes: 64 to 95 of the line");
	cr_assert_not(l1_has_packet(&r.l1));
	cr_assert_eq(serves(&r, m), 1);
	cr_assert_eq(load(&r, 2, 0x12300, 4, 1), L1_HIT);
	cr_assert_eq(load(&r, 3, 0x12300, 8, 2), L1_MISS, "another sector of the line is not there");
	cr_assert_eq(r.l1.stats.sectors.partial, 1);
	cr_assert_eq(r.l1.stats.evictions, 0, "it joins its line");
	cr_assert_eq(serves(&r, l1_rig_take(&r)), 1);
	cr_assert_eq(load(&r, 4, 0x12300, 12, 3), L1_HIT);
	l1_rig_close(&r);
}

Test(l1_sectors, a_load_of_two_is_served_by_the_reply_that_comes_last)
{
	struct l1_rig r;
	struct mem_req first, second;

	l1_rig_open(&r, SET(FOUR));
	cr_assert_eq(load(&r, 1, 0x1000, 1 | 8, 5), L1_MISS);
	first = l1_rig_take(&r);
	second = l1_rig_take(&r);
	cr_assert(first.addr == 0x1000 && second.addr == 0x1060, "a packet a sector");
	cr_assert_eq(first.token, second.token, "of one MSHR entry");
	cr_assert_eq(mshr_in_use(&r.l1.mshr), 1);
	cr_assert_eq(serves(&r, second), 0);
	cr_assert_eq(load(&r, 2, 0x1000, 8, 6), L1_HIT, "the sector is there, though its line waits for another");
	cr_assert_eq(serves(&r, first), 1);
	cr_assert_eq(mshr_in_use(&r.l1.mshr), 0);
	l1_rig_close(&r);
}

Test(l1_sectors, a_packet_may_ask_for_several)
{
	struct l1_rig r;
	struct mem_req m;

	l1_rig_open(&r, SET(FOUR, "l1.packet_sectors=2"));
	cr_assert_eq(load(&r, 1, 0x1000, 1 | 2 | 8, 5), L1_MISS);
	m = l1_rig_take(&r);
	cr_assert(m.addr == 0x1000 && m.bytes == 64 && m.mask[0] == UINT64_MAX && m.mask[1] == 0);
	cr_assert_eq(serves(&r, m), 0);
	m = l1_rig_take(&r);
	cr_assert(m.addr == 0x1060 && m.bytes == 32 && m.mask[0] == 0 && m.mask[1] == UINT64_C(0xffffffff00000000));
	cr_assert_eq(serves(&r, m), 1);
	cr_assert_not(l1_has_packet(&r.l1));
	l1_rig_close(&r);
}

Test(l1_sectors, a_load_merges_with_what_is_on_its_way_and_asks_for_the_rest)
{
	struct l1_rig r;
	struct mem_req m[2];

	l1_rig_open(&r, SET(FOUR));
	cr_assert_eq(load(&r, 1, 0x1000, 1, 5), L1_MISS);
	m[0] = l1_rig_take(&r);
	cr_assert_eq(load(&r, 2, 0x1000, 1, 6), L1_MERGED);
	cr_assert_not(l1_has_packet(&r.l1));
	cr_assert_eq(load(&r, 3, 0x1000, 1 | 2, 7), L1_MISS);
	m[1] = l1_rig_take(&r);
	cr_assert_eq(m[1].addr, 0x1020, "the one that is not on its way");
	cr_assert_not(l1_has_packet(&r.l1));
	cr_assert_eq(serves(&r, m[0]), 2, "the first two loads");
	cr_assert_eq(serves(&r, m[1]), 1, "the third");
	cr_assert_eq(r.l1.stats.sectors.asked, 2);
	cr_assert_eq(r.l1.stats.sectors.filled, 2);
	l1_rig_close(&r);
}

Test(l1_sectors, packets_of_a_miss_need_room_together)
{
	struct l1_rig r;

	l1_rig_open(&r, SET(FOUR, "l1.miss_queue=5"));
	cr_assert_eq(load(&r, 1, 0x1000, 3, 1), L1_MISS);
	cr_assert_eq(load(&r, 2, 0x2000, 15, 2), L1_FAIL_QUEUE, "2 wait, 4 more are above 5");
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 3, 0x2000, 15, 2), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_sectors, a_store_evicts_the_sectors_that_it_touches)
{
	struct l1_rig r;
	struct l1_access store = l1_rig_store(0x1024, 9);

	l1_rig_open(&r, SET(FOUR, "l1.packet_sectors=4"));
	cr_assert_eq(load(&r, 1, 0x1000, 15, 1), L1_MISS);
	serves(&r, l1_rig_take(&r));
	cr_assert_eq(l1_access(&r.l1, 2, &store), L1_SENT);
	cr_assert_eq(l1_rig_take(&r).bytes, 4);
	cr_assert_eq(load(&r, 3, 0x1000, 1 | 4 | 8, 2), L1_HIT);
	cr_assert_eq(load(&r, 4, 0x1000, 2, 3), L1_MISS);
	cr_assert_eq(r.l1.stats.write_hits, 1);
	l1_rig_close(&r);
}

Test(l1_sectors, a_store_may_leave_what_it_writes)
{
	struct l1_rig r;
	struct l1_access store = l1_rig_store(0x1024, 9), atomic = l1_rig_load(0x1024, 10);

	atomic.kind = REQ_ATOMIC;
	atomic.lanes = 1;
	atomic.width = 4;
	l1_rig_open(&r, SET(FOUR, "l1.write_hit=update"));
	cr_assert_eq(load(&r, 1, 0x1000, 2, 1), L1_MISS);
	serves(&r, l1_rig_take(&r));
	cr_assert_eq(l1_access(&r.l1, 2, &store), L1_SENT);
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 3, 0x1000, 2, 2), L1_HIT);
	cr_assert_eq(l1_access(&r.l1, 4, &atomic), L1_SENT);
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 5, 0x1000, 2, 3), L1_MISS, "an atomic's result is below");
	l1_rig_close(&r);
}

Test(l1_sectors, a_dirty_line_is_written_back_before_it_loses_a_sector)
{
	struct l1_rig r;
	struct l1_access local = l1_rig_local_store(0x1004, 9), store = l1_rig_store(0x1024, 10);
	struct mem_req m;

	l1_rig_open(&r, SET(FOUR));
	cr_assert_eq(load(&r, 1, 0x1000, 3, 1), L1_MISS);
	serves(&r, l1_rig_take(&r));
	serves(&r, l1_rig_take(&r));
	cr_assert_eq(l1_access(&r.l1, 2, &local), L1_HIT);
	cr_assert_eq(l1_access(&r.l1, 3, &store), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert(m.kind == REQ_WRITE && m.client == REQ_CLIENT_NOBODY && m.mask[0] == 0xf0 && m.mask[1] == 0);
	m = l1_rig_take(&r);
	cr_assert(m.kind == REQ_WRITE && m.client == REQ_CLIENT_STORE);
	cr_assert_eq(load(&r, 4, 0x1000, 1, 2), L1_HIT);
	cr_assert_eq(load(&r, 5, 0x1000, 2, 3), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_sectors, a_line_of_which_a_sector_is_on_its_way_keeps_its_way)
{
	struct l1_rig r;

	l1_rig_open(&r, SET(FOUR));
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert_eq(load(&r, i, 0x1000 + i * WAY, 1, i), L1_MISS);
		serves(&r, l1_rig_take(&r));
	}
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, 10 + i, 0x1000 + i * WAY, 2, i), L1_MISS);
	cr_assert_eq(load(&r, 20, 0x1000 + 4 * WAY, 1, 9), L1_FAIL_LINE);
	serves(&r, l1_rig_take(&r));
	cr_assert_eq(load(&r, 21, 0x1000 + 4 * WAY, 1, 9), L1_MISS, "the first line is whole enough to go");
	l1_rig_close(&r);
}

/* ---- random loads of lines that all fit: each sector that is touched is fetched once, and a load is served when the
 * last of its sectors has come ---- */

enum { LINES = 512, LOADS = 20000, FLYING = 4096 };

struct world {
	uint8_t asked[LINES], there[LINES], wants[LOADS]; /* sectors: by line; by token: 0: it does not wait */
	uint16_t line[LOADS];
	uint64_t fetched;
	struct mem_req at[FLYING];
	uint32_t n;
};

static void answer_any(struct l1_rig *r, struct world *w, uint64_t *seed)
{
	uint32_t i = (uint32_t)(random_u64(seed) % w->n), n, due = 0, line = (uint32_t)(w->at[i].addr / 128);
	const struct mshr_waiter *who = l1_rig_reply(r, w->at[i], &n);

	for (uint32_t s = 0; s < 4; s++)
		w->there[line] |= (uint8_t)((w->at[i].mask[s / 2] >> s % 2 * 32 & UINT32_MAX ? 1u : 0u) << s);
	for (uint32_t t = 0; t < LOADS; t++)
		due += w->wants[t] && w->line[t] == line && !(w->wants[t] & ~w->there[line]);
	cr_assert_eq(n, due, "%u served, %u have all of their sectors", n, due);
	for (uint32_t k = 0; k < n; k++) {
		cr_assert(w->wants[who[k].token] && !(w->wants[who[k].token] & ~w->there[line]));
		w->wants[who[k].token] = 0;
	}
	w->at[i] = w->at[--w->n];
}

static void take_packet(struct l1_rig *r, struct world *w)
{
	struct mem_req m = l1_rig_take(r);

	w->fetched += m.bytes;
	cr_assert_eq(m.bytes, __builtin_popcountll(m.mask[0]) + __builtin_popcountll(m.mask[1]));
	w->at[w->n++] = m;
	cr_assert_lt(w->n, FLYING);
}

/* What must become of the load by what is there and on its way. */
static enum l1_result expected(const struct world *w, uint32_t line, uint32_t sectors)
{
	return !(sectors & ~w->there[line]) ? L1_HIT : !(sectors & ~w->asked[line]) ? L1_MERGED : L1_MISS;
}

static void play(const char *const *keys, uint64_t seed)
{
	struct l1_rig r;
	struct world *w;
	uint32_t token = 0, sectors = 0;

	l1_rig_open(&r, keys);
	w = arena_alloc(&r.arena, sizeof *w);
	for (uint64_t cycle = 0; token < LOADS || w->n || l1_has_packet(&r.l1); cycle++) {
		if (w->n && random_u64(&seed) % 4)
			answer_any(&r, w, &seed);
		if (token < LOADS) {
			uint32_t line = (uint32_t)(random_u64(&seed) % LINES), set = 1 + (uint32_t)(random_u64(&seed) % 15);
			enum l1_result got = load(&r, cycle, line * 128, set, token), want = expected(w, line, set);

			if (got >= L1_FAIL_LINE) {
				l1_finish(&r.l1, cycle); /* another one comes next */
			} else {
				cr_assert_eq(got, want, "load %u of line %u: %d, not %d", token, line, got, want);
				w->asked[line] |= (uint8_t)set;
				w->wants[token] = got == L1_HIT ? 0 : (uint8_t)set;
				w->line[token++] = (uint16_t)line;
			}
		}
		if (l1_has_packet(&r.l1) && random_u64(&seed) % 4)
			take_packet(&r, w);
	}
	for (uint32_t i = 0; i < LINES; i++)
		sectors += (uint32_t)__builtin_popcount(w->there[i]);
	for (uint32_t t = 0; t < LOADS; t++)
		cr_assert_eq(w->wants[t], 0, "load %u was never served", t);
	cr_assert_eq(w->fetched, 32 * sectors, "each sector once");
	cr_assert_eq(r.l1.stats.evictions, 0);
	cr_assert_eq(mshr_in_use(&r.l1.mshr), 0);
	l1_rig_close(&r);
}

#define FITS FOUR, "l1.bytes=64K", "l1.miss_queue=16"

Test(l1_sectors, each_is_fetched_once_and_serves_whoever_waits_for_no_more)
{
	play(SET(FITS), 1);
	play(SET(FITS, "l1.packet_sectors=4"), 2);
	play(SET(FITS, "l1.packet_sectors=3", "l1.mshr_entries=4", "l1.mshr_merges=3"), 3);
	play(SET(FITS, "l1.allocate=fill"), 4);
	play(SET(FITS, "l1.allocate=fill", "l1.packet_sectors=2", "l1.mshr_entries=200"), 5);
}

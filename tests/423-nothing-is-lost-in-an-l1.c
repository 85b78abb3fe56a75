/* 423: random traffic through an L1 whose replies come back in any order: every accepted access is answered exactly
 * once, the counts obey the conservation invariants, no resource is exceeded, and no access fails when the resource is
 * there. */
#include <criterion/criterion.h>

#include "cache/const_cache.h"
#include "support/l1_rig.h"
#include "support/random.h"

enum { ACCESSES = 60000, MAX_FLYING = 4096 };

struct flight {
	struct mem_req at[MAX_FLYING];
	uint32_t n;
};

struct tally {
	uint8_t *waits; /* by token: its access was accepted and is not answered */
	uint64_t done[L1_RESULTS], in_lines, to_send;
};

static struct l1_access any_access(uint64_t *seed, uint32_t token)
{
	uint64_t r = random_u64(seed), addr = 0x10000 + r % 96 * 128 * (r >> 32 & 1 ? 32 : 1) + (r >> 40 & 31) * 4;
	struct l1_access a = (r >> 16) % 4 ? l1_rig_load(addr, token) : l1_rig_store(addr, token);

	a.buffer = (uint16_t)((r >> 24) % 4 == 3 ? UINT16_MAX : (r >> 24) % 4);
	a.local = r >> 30 & 1;
	if ((r >> 50) % 16 == 0)
		a.bypass = true;
	if ((r >> 54) % 16 == 0)
		a.kind = r >> 58 & 1 ? REQ_ATOMIC : REQ_REDUCTION;
	a.lanes = 1;
	a.width = 4;
	return a;
}

static void answer_any(struct l1_rig *r, struct flight *f, struct tally *t, uint64_t *seed)
{
	uint32_t i = (uint32_t)(random_u64(seed) % f->n), n;
	const struct mshr_waiter *w = l1_rig_reply(r, f->at[i], &n);

	for (uint32_t k = 0; k < n; k++) {
		cr_assert_eq(t->waits[w[k].token], 1, "token %u", w[k].token);
		t->waits[w[k].token] = 0;
	}
	f->at[i] = f->at[--f->n];
}

static void check_fail(const struct l1_rig *r, const struct l1_access *a, enum l1_result got)
{
	uint32_t waiting = miss_queue_waiting(&r->l1.queue), set = (uint32_t)(a->line / 128 % 32), reserved = 0;

	for (uint32_t w = 0; w < 4; w++)
		reserved += tags_state(&r->l1.tags, set * 4 + w) == TAGS_RESERVED;
	if (got == L1_FAIL_LINE)
		cr_assert_eq(reserved, 4);
	else if (got == L1_FAIL_ENTRY)
		cr_assert_eq(mshr_in_use(&r->l1.mshr), r->m.l1.c.mshr_entries);
	else if (got == L1_FAIL_QUEUE)
		cr_assert_geq(waiting + 2, r->m.l1.c.miss_queue);
}

static void run(const char *const *keys, unsigned reply_of_16, uint64_t seed)
{
	struct l1_rig r;
	struct flight f = {.n = 0};
	struct tally t = {NULL, {0}, 0, 0};
	struct l1_counts c, sum = {0};
	struct l1_access a;
	uint64_t cycle;
	uint32_t token = 0;

	l1_rig_open(&r, keys);
	t.waits = arena_alloc(&r.arena, ACCESSES);
	a = any_access(&seed, 0);
	for (cycle = 0; token < ACCESSES || f.n || l1_has_packet(&r.l1); cycle++) {
		if (f.n && random_u64(&seed) % 16 < reply_of_16)
			answer_any(&r, &f, &t, &seed);
		if (token < ACCESSES) {
			enum l1_result got = l1_access(&r.l1, cycle, &a);

			t.done[got]++;
			if (got >= L1_FAIL_LINE) {
				check_fail(&r, &a, got);
			} else {
				t.waits[token++] = got != L1_HIT;
				a = any_access(&seed, token);
			}
		}
		if (l1_has_packet(&r.l1) && random_u64(&seed) % 4)
			f.at[f.n++] = l1_rig_take(&r);
		cr_assert_leq(mshr_in_use(&r.l1.mshr), r.m.l1.c.mshr_entries);
		cr_assert_leq(miss_queue_waiting(&r.l1.queue), r.m.l1.c.miss_queue > 1 ? r.m.l1.c.miss_queue : 2);
		cr_assert_lt(f.n, MAX_FLYING);
	}
	for (uint32_t i = 0; i < ACCESSES; i++)
		cr_assert_not(t.waits[i], "token %u was never answered", i);
	c = l1_total(&r.l1);
	cr_assert_eq(c.accesses, ACCESSES);
	cr_assert_eq(c.accesses, c.hits + c.reserved + c.misses + c.bypasses + c.writes);
	cr_assert_eq(c.misses, t.done[L1_MISS]);
	cr_assert_eq(c.reserved, t.done[L1_MERGED]);
	cr_assert_eq(l1_in_flight(&r.l1), 0);
	cr_assert_eq(r.l1.stats.sent, t.done[L1_MISS] + t.done[L1_SENT] + r.l1.stats.write_backs);
	for (unsigned i = 0; i < L1_FAILS; i++)
		cr_assert_eq(r.l1.stats.fail_cycles[i], t.done[L1_FAIL_LINE + i], "tried in every cycle, so a fail is a cycle");
	for (unsigned b = 0; b <= L1_RIG_BUFFERS; b++)
		sum.accesses += r.l1.count[b].accesses;
	cr_assert_eq(sum.accesses, c.accesses);
	cr_assert_gt(r.l1.count[1].accesses, 0);
	l1_rig_close(&r);
}

Test(l1_conserves, with_replies_that_come_quickly)
{
	run(NULL, 16, 11);
	run((const char *const[]){"l1.miss_queue=1", NULL}, 16, 12);
}

Test(l1_conserves, with_replies_that_come_late)
{
	run(NULL, 3, 13);
	run((const char *const[]){"l1.mshr_entries=4", "l1.mshr_merges=2", NULL}, 3, 14);
	run((const char *const[]){"l1.mshr_entries=256", "l1.miss_queue=64", NULL}, 2, 15);
}

/* Repeating a failed access only when the header says that its cause can have changed gives the same course and the
 * same counts as trying in every cycle. */
static void course(bool every_cycle, uint64_t out[L1_FAILS + 2])
{
	struct l1_rig r;
	struct flight f = {.n = 0};
	uint64_t seed = 99, traffic = 7, cycle;
	struct l1_access a = any_access(&traffic, 0);
	uint32_t token = 0, n;
	enum l1_result last = L1_HIT;
	bool replied = false, sent = false;

	l1_rig_open(&r, (const char *const[]){"l1.mshr_entries=6", "l1.mshr_merges=2", "l1.miss_queue=3", NULL});
	for (cycle = 0; token < 20000; cycle++) {
		if (f.n && random_u64(&seed) % 8 == 0) {
			uint32_t i = (uint32_t)(random_u64(&seed) % f.n);

			l1_rig_reply(&r, f.at[i], &n);
			f.at[i] = f.at[--f.n];
			replied = true;
		}
		if (every_cycle || last < L1_FAIL_LINE || (last == L1_FAIL_QUEUE ? sent : replied)) {
			last = l1_access(&r.l1, cycle, &a);
			if (last < L1_FAIL_LINE)
				a = any_access(&traffic, ++token);
			replied = false;
		}
		sent = false;
		if (l1_has_packet(&r.l1) && random_u64(&seed) % 2) {
			f.at[f.n++] = l1_rig_take(&r);
			sent = true;
		}
	}
	for (unsigned i = 0; i < L1_FAILS; i++)
		out[i] = r.l1.stats.fail_cycles[i];
	out[L1_FAILS] = cycle;
	out[L1_FAILS + 1] = l1_total(&r.l1).hits;
	l1_rig_close(&r);
}

Test(l1_conserves, a_caller_that_does_not_poll_sees_the_same)
{
	uint64_t polled[L1_FAILS + 2], woken[L1_FAILS + 2];

	course(true, polled);
	course(false, woken);
	for (unsigned i = 0; i < L1_FAILS + 2; i++) {
		cr_assert_eq(polled[i], woken[i], "figure %u", i);
		cr_assert_gt(woken[i], 0);
	}
}

Test(constant_cache, holds_two_lines_of_64_bytes_a_set_and_marks_its_packets)
{
	struct l1_rig r;
	struct l1 c;
	struct ticks when;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NULL);
	const_cache_init(&c, &r.arena, &r.m, 3, &r.route, 0);
	/* 8 KB in 64-byte lines and 2 ways are 64 sets: addresses 4 KB apart meet in one. */
	for (uint64_t round = 0, k = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 2; i++, k++) {
			struct l1_access a = {
				.line = 0x2000 + i * 4096, .mask = {0xf, 0}, .client = REQ_CLIENT_LOAD, .token = (uint32_t)i};

			cr_assert_eq(l1_access(&c, k, &a), round ? L1_HIT : L1_MISS);
			if (round)
				continue;
			cr_assert(l1_send(&c, ticks_of(k, 66), &r.link, &when));
			m = *queue_front(r.link.q, TIME_NEVER);
			queue_pop(r.link.q, queue_next_arrival(r.link.q));
			cr_assert_eq(m.bytes, 64);
			cr_assert_eq(m.mask[0] | m.mask[1], 0, "bytes of its own line would name others of an L2 line");
			cr_assert_eq(m.requester, 3);
			cr_assert(m.cache == REQ_OF_CONST);
			cr_assert_eq(l1_reply(&c, &m, &n)[0].token, i);
		}
	}
	l1_rig_close(&r);
}

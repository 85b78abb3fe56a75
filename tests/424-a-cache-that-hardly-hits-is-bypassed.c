/* 424: streaming bypass (dwt-pric, section 4.1): the counts that begin and end it, to the load and to the cycle; tags
 * that live on without data; and the policy interface, by a policy of the test's own. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

#define STREAMING ((const char *const[]){"l1.bypass.policy=streaming", NULL})
#define PERIOD	  UINT64_C(10000)

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	return l1_access(&r->l1, cycle, &a);
}

/* Answers all that went down. */
static void answer(struct l1_rig *r)
{
	uint32_t n;

	while (l1_has_packet(&r->l1))
		l1_rig_reply(r, l1_rig_take(r), &n);
}

/* Its state, of a cache by itself. */
static void *streaming(struct arena *a)
{
	struct machine_bypass settings = {.policy = BYPASS_STREAMING, .rate = 90, .period = PERIOD};
	struct hw_binder golden = hw_golden_binder(a);
	struct err e = {""};
	void *state;

	cache_policy_streaming_bypass.init(&state, a, &settings);
	cr_assert_eq(cache_policy_streaming_bypass.bind(state, "test", &golden, &e), 0, "%s", e.text);
	return state;
}

/* What a policy does with a load once a period with so many loads and misses has ended. */
static enum cache_use use_after(unsigned loads, unsigned misses)
{
	const struct cache_policy *p = &cache_policy_streaming_bypass;
	struct arena a = {0};
	enum cache_use use;
	void *state = streaming(&a);

	for (unsigned i = 0; i < loads; i++)
		p->observe(state, &(struct cache_load){.cycle = i, .found = i < misses ? CACHE_NOT_FOUND : CACHE_FOUND});
	cr_assert_eq(p->decide(state, &(struct cache_load){0}).use, CACHE_ALLOCATE, "not within the period");
	cr_assert_eq(p->next(state), PERIOD);
	cr_assert_not(p->advance(state, PERIOD));
	use = p->decide(state, &(struct cache_load){0}).use;
	arena_free(&a);
	return use;
}

Test(streaming, of_1000_loads_901_misses_begin_it_and_900_do_not)
{
	cr_assert_eq(use_after(1000, 900), CACHE_ALLOCATE);
	cr_assert_eq(use_after(1000, 901), CACHE_BYPASS_TAG);
	cr_assert_eq(use_after(0, 0), CACHE_ALLOCATE);
}

Test(streaming, a_hit_on_a_line_on_its_way_or_without_data_is_no_miss_and_an_empty_period_changes_nothing)
{
	const struct cache_policy *p = &cache_policy_streaming_bypass;
	struct arena a = {0};
	void *state = streaming(&a);

	p->observe(state, &(struct cache_load){.found = CACHE_NOT_FOUND});
	cr_assert_not(p->advance(state, 7 * PERIOD + 5));
	cr_assert_eq(p->next(state), 8 * PERIOD, "periods are those of the clock, however late the next load comes");
	cr_assert_eq(p->decide(state, &(struct cache_load){0}).use, CACHE_BYPASS_TAG);
	cr_assert_not(p->advance(state, 8 * PERIOD), "no load: it goes on");
	cr_assert_eq(p->decide(state, &(struct cache_load){0}).use, CACHE_BYPASS_TAG);
	for (unsigned i = 0; i < 9; i++)
		p->observe(state, &(struct cache_load){.cycle = 8 * PERIOD + i, .found = CACHE_NOT_FOUND});
	p->observe(state, &(struct cache_load){.cycle = 8 * PERIOD + 9, .found = CACHE_FOUND_TAG});
	cr_assert(p->advance(state, 9 * PERIOD), "90 %% is not above 90 %%");
	p->observe(state, &(struct cache_load){.cycle = 9 * PERIOD, .found = CACHE_FOUND_RESERVED});
	cr_assert_not(p->advance(state, 10 * PERIOD));
	cr_assert_eq(p->decide(state, &(struct cache_load){0}).use, CACHE_ALLOCATE);
	arena_free(&a);
}

Test(streaming, an_l1_is_bypassed_from_the_first_cycle_of_the_next_period_on)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	load(&r, 0, 0x3000000);
	answer(&r);
	cr_assert_eq(load(&r, PERIOD - 1, 0x4000000), L1_MISS);
	answer(&r);
	cr_assert_eq(load(&r, PERIOD, 0x5000000), L1_SENT);
	cr_assert_eq(r.l1.policy.bypasses, 1);
	l1_rig_close(&r);
}

Test(streaming, a_bypassed_load_asks_for_its_sectors_and_comes_back_to_its_warp)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;
	const struct mshr_waiter *w;

	l1_rig_open(&r, STREAMING);
	load(&r, 1, 0x4000000);
	answer(&r);
	cr_assert_eq(load(&r, PERIOD, 0x5000024), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert_eq(m.addr, 0x5000024);
	cr_assert_eq(m.bytes, 32);
	w = l1_rig_reply(&r, m, &n);
	cr_assert(n == 1 && w[0].client == REQ_CLIENT_LOAD && w[0].token == 1);
	cr_assert_eq(l1_total(&r.l1).bypasses, 1);
	cr_assert_eq(mshr_in_use(&r.l1.mshr), 0);
	l1_rig_close(&r);
}

/* The line of 0x4000000 has data from before; that of 0x5000000 has a tag alone. */
Test(streaming, lines_with_data_go_on_hitting_and_those_without_are_counted_and_dropped_when_the_cache_opens)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	load(&r, 1, 0x4000000);
	answer(&r);
	cr_assert_eq(load(&r, PERIOD, 0x5000000), L1_SENT);
	cr_assert_eq(load(&r, PERIOD + 1, 0x5000000), L1_SENT, "its data is not there");
	cr_assert_eq(r.l1.policy.tag_hits, 1);
	for (unsigned i = 0; i < 8; i++)
		cr_assert_eq(load(&r, PERIOD + 2 + i, 0x4000000), L1_HIT, "1 miss in 10");
	answer(&r);
	cr_assert_eq(load(&r, 2 * PERIOD, 0x5000000), L1_MISS, "open again, and the tag has gone");
	answer(&r);
	cr_assert_eq(load(&r, 2 * PERIOD + 1, 0x5000000), L1_HIT);
	cr_assert_eq(load(&r, 2 * PERIOD + 2, 0x4000000), L1_HIT, "a line with data stays");
	l1_rig_close(&r);
}

Test(streaming, a_tag_takes_the_way_of_the_least_recently_used_line_and_writes_it_back_if_it_is_dirty)
{
	struct l1_rig r;
	struct l1_access s = l1_rig_local_store(0x4000000, 9);
	struct mem_req m;

	l1_rig_open(&r, STREAMING);
	for (uint64_t i = 0; i < 4; i++) { /* fills one set of four ways */
		load(&r, 1 + i, 0x4000000 + i * 4096);
		answer(&r);
	}
	cr_assert_eq(l1_access(&r.l1, 10, &s), L1_HIT);
	for (uint64_t i = 1; i < 4; i++)
		load(&r, 10 + i, 0x4000000 + i * 4096);
	for (unsigned i = 0; i < 100; i++) { /* other sets: the period's rate is above 90 % */
		load(&r, 20 + i, 0x6000080 + i * 4096);
		answer(&r);
	}
	cr_assert_eq(load(&r, PERIOD, 0x5000000), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert(m.kind == REQ_WRITE && m.addr == 0x4000000, "the write-back goes first");
	m = l1_rig_take(&r);
	cr_assert(m.kind == REQ_READ && m.addr == 0x5000000);
	l1_rig_close(&r);
}

Test(streaming, a_local_store_finds_nothing_to_write_in_a_line_without_data)
{
	struct l1_rig r;
	struct l1_access s = l1_rig_local_store(0x5000000, 9);

	l1_rig_open(&r, STREAMING);
	load(&r, 1, 0x4000000);
	answer(&r);
	cr_assert_eq(load(&r, PERIOD, 0x5000000), L1_SENT);
	answer(&r);
	cr_assert_eq(l1_access(&r.l1, PERIOD + 1, &s), L1_SENT);
	cr_assert_eq(r.l1.stats.write_hits, 0);
	cr_assert_eq(load(&r, PERIOD + 2, 0x5000000), L1_SENT);
	cr_assert_eq(r.l1.policy.tag_hits, 1, "the tag is still there");
	l1_rig_close(&r);
}

/* All four ways of a set wait for fills: a load of a fifth line fails, until the cache is bypassed. */
Test(streaming, a_load_that_found_no_way_goes_past_once_the_cache_is_bypassed)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	for (uint64_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, PERIOD - 10 + i, 0x4000000 + i * 4096), L1_MISS);
	cr_assert_eq(load(&r, PERIOD - 1, 0x4000000 + 4 * 4096), L1_FAIL_LINE);
	cr_assert_eq(l1_policy_due(&r.l1), PERIOD);
	cr_assert_eq(load(&r, PERIOD, 0x4000000 + 4 * 4096), L1_SENT);
	cr_assert_eq(r.l1.stats.fail_cycles[L1_FAIL_LINE - L1_FAIL_LINE], 1);
	l1_rig_close(&r);
}

/* ---- a policy of the test's own: buffer 1 bypasses without a tag, buffer 0 is pinned hard ---- */

static struct cache_verdict by_buffer(const void *state, const struct cache_load *l)
{
	(void)state;
	return l->buffer == 1 ? (struct cache_verdict){CACHE_BYPASS, CACHE_UNPINNED}
			      : (struct cache_verdict){CACHE_ALLOCATE, CACHE_HARD_PIN};
}
Test(cache_policy, a_policy_may_bypass_and_pin_by_array)
{
	static const struct cache_policy own = {.name = "own", .decide = by_buffer};
	struct l1_rig r;
	struct l1_access other = l1_rig_load(0x5000000, 1);

	l1_rig_open(&r, NULL);
	r.l1.policy.ops = &own;
	r.l1.asks = r.l1.needs_step = true;
	other.buffer = 1;
	for (unsigned i = 0; i < 2; i++)
		cr_assert_eq(l1_access(&r.l1, i, &other), L1_SENT, "never kept, not even as a tag");
	answer(&r);
	for (uint64_t i = 0; i < 5; i++) { /* five lines of one set, all pinned: way 0 leaves */
		cr_assert_eq(load(&r, 10 + i, 0x4000000 + i * 4096), L1_MISS);
		answer(&r);
	}
	cr_assert_eq(load(&r, 20, 0x4000000), L1_MISS, "the first line was in way 0");
	answer(&r);
	cr_assert_eq(load(&r, 21, 0x4000000 + 4 * 4096), L1_MISS, "and the fifth after it");
	answer(&r);
	cr_assert_eq(load(&r, 22, 0x4000000 + 4096), L1_HIT);
	cr_assert_eq(r.l1.tags.pins, 4);
	l1_rig_close(&r);
}

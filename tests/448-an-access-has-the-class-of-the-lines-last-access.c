/* 448: locality classes (dwt-pric, section 3.1): the class of two accesses by their launches, SMs, CTAs, warps and
 * lanes, and what an L1 counts of loads, stores and prefetches, access by access. */
#include <criterion/criterion.h>

#include "cache/l1_classes.h"
#include "support/l1_rig.h"

static struct accessor thread_of(uint32_t launch, uint32_t cta, uint32_t warp, uint32_t lanes)
{
	return (struct accessor){.launch = launch, .cta = cta, .warp = warp, .lanes = lanes, .is_thread = true};
}

static enum locality_class after(struct accessor who, uint16_t sm)
{
	const struct last_access last = {thread_of(1, 2, 3, 0xff), 4, true};

	return locality_class_of(&last, who, sm);
}

Test(locality_class, is_the_first_that_applies)
{
	const struct last_access walker = {{0}, 4, true}, nothing = {0};

	cr_assert_eq(after(thread_of(1, 2, 3, 0xff), 4), CLASS_INTRA_THREAD);
	cr_assert_eq(after(thread_of(1, 2, 3, 0x180), 4), CLASS_INTRA_THREAD, "lane 7 is in both");
	cr_assert_eq(after(thread_of(1, 2, 3, 0x100), 4), CLASS_INTER_THREAD);
	cr_assert_eq(after(thread_of(1, 2, 2, 0xff), 4), CLASS_INTRA_CTA);
	cr_assert_eq(after(thread_of(1, 3, 3, 0xff), 4), CLASS_INTRA_SM);
	cr_assert_eq(after(thread_of(1, 3, 3, 0xff), 5), CLASS_INTER_SM);
	cr_assert_eq(after(thread_of(2, 2, 3, 0xff), 4), CLASS_INTER_KERNEL);
	cr_assert_eq(after(thread_of(2, 3, 3, 0xff), 5), CLASS_INTER_KERNEL, "ahead of inter-SM");
	cr_assert_eq(after((struct accessor){0}, 4), CLASS_NONE);
	cr_assert_eq(locality_class_of(&walker, thread_of(1, 2, 3, 1), 4), CLASS_NONE);
	cr_assert_eq(locality_class_of(&nothing, thread_of(1, 2, 3, 1), 4), CLASS_NONE);
}

/* ---- at an L1 ---- */

struct bench {
	struct l1_rig r;
	struct accessor now; /* who makes accesses */
};

static struct accessor whoever_it_is(void *bench, const struct l1_access *a)
{
	const struct bench *b = bench;

	(void)a;
	return b->now;
}

static void open(struct bench *b, const char *const *keys)
{
	l1_rig_open(&b->r, keys);
	l1_classes_init(&b->r.l1, &b->r.arena, &(struct l1_accessors){b, whoever_it_is});
	b->now = thread_of(0, 0, 0, 1);
}

static enum l1_result load(struct bench *b, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	return l1_access(&b->r.l1, cycle, &a);
}

static enum l1_result store(struct bench *b, uint64_t cycle, uint64_t addr, bool local)
{
	struct l1_access a = local ? l1_rig_local_store(addr, 1) : l1_rig_store(addr, 1);

	return l1_access(&b->r.l1, cycle, &a);
}

static void answer(struct bench *b)
{
	uint32_t n;

	while (l1_has_packet(&b->r.l1))
		l1_rig_reply(&b->r, l1_rig_take(&b->r), &n);
}

static void expect(const struct bench *b, struct class_counts want)
{
	struct class_counts got = l1_class_counts(&b->r.l1);

	cr_assert_eq(got.accesses, want.accesses);
	cr_assert_eq(got.misses, want.misses);
	cr_assert_eq(got.first, want.first);
	for (unsigned i = 0; i < LOCALITY_CLASSES; i++) {
		cr_assert_eq(got.hits[i], want.hits[i], "hits of class %u: %llu", i, (unsigned long long)got.hits[i]);
		cr_assert_eq(got.reuses[i], want.reuses[i], "reuses of class %u: %llu", i, (unsigned long long)got.reuses[i]);
	}
}

Test(locality_classes, of_loads_are_those_of_hits_and_merges)
{
	struct bench b;

	open(&b, NULL);
	cr_assert_eq(load(&b, 0, 0x1000), L1_MISS);
	b.now = thread_of(0, 0, 1, 1);
	cr_assert_eq(load(&b, 1, 0x1004), L1_MERGED);
	answer(&b);
	b.now = thread_of(0, 0, 1, 2);
	cr_assert_eq(load(&b, 2, 0x1008), L1_HIT);
	b.now = thread_of(0, 7, 1, 2);
	cr_assert_eq(load(&b, 3, 0x1008), L1_HIT);
	cr_assert_eq(load(&b, 4, 0x100c), L1_HIT);
	b.now = thread_of(0, 0, 0, 1); /* who came first is not the last one */
	cr_assert_eq(load(&b, 5, 0x1000), L1_HIT);
	expect(&b,
	       (struct class_counts){
		       .accesses = 6,
		       .misses = 1,
		       .first = 1,
		       .hits = {[CLASS_INTRA_CTA] = 1, [CLASS_INTER_THREAD] = 1, [CLASS_INTRA_SM] = 2, [CLASS_INTRA_THREAD] = 1},
		       .reuses = {
			       [CLASS_INTRA_CTA] = 1, [CLASS_INTER_THREAD] = 1, [CLASS_INTRA_SM] = 2, [CLASS_INTRA_THREAD] = 1}});
	l1_rig_close(&b.r);
}

Test(locality_classes, the_l1_loses_what_a_cache_without_bounds_keeps)
{
	struct bench b;

	open(&b, (const char *const[]){"l1.assoc=1", NULL}); /* 128 sets */
	load(&b, 0, 0x0000);
	answer(&b);
	load(&b, 1, 0x4000); /* the same set */
	answer(&b);
	cr_assert_eq(load(&b, 2, 0x0000), L1_MISS);
	answer(&b);
	cr_assert_eq(store(&b, 3, 0x0000, false), L1_SENT);
	answer(&b);
	cr_assert_eq(load(&b, 4, 0x0000), L1_MISS, "the store evicted it");
	answer(&b);
	l1_invalidate(&b.r.l1);
	b.now = thread_of(1, 0, 0, 1);
	cr_assert_eq(load(&b, 5, 0x0000), L1_MISS, "a launch begins without lines");
	expect(&b, (struct class_counts){
			   .accesses = 5, .misses = 5, .first = 2, .reuses = {[CLASS_INTRA_THREAD] = 2, [CLASS_INTER_KERNEL] = 1}});
	l1_rig_close(&b.r);
}

Test(locality_classes, are_not_counted_of_what_goes_past_an_l1_by_itself)
{
	struct l1_access atomic = l1_rig_load(0x1000, 1), is_volatile = l1_rig_load(0x1000, 1);
	struct bench b;

	open(&b, NULL);
	atomic.kind = REQ_ATOMIC;
	atomic.lanes = 1;
	atomic.width = 4;
	is_volatile.bypass = true;
	cr_assert_eq(l1_access(&b.r.l1, 0, &atomic), L1_SENT);
	cr_assert_eq(l1_access(&b.r.l1, 1, &is_volatile), L1_SENT);
	cr_assert_eq(store(&b, 2, 0x1000, false), L1_SENT);
	cr_assert_eq(store(&b, 3, 0x1000, true), L1_SENT, "no line to write into");
	expect(&b, (struct class_counts){0});
	answer(&b);
	load(&b, 4, 0x1000);
	expect(&b, (struct class_counts){.accesses = 1, .misses = 1, .first = 1});
	l1_rig_close(&b.r);
}

Test(locality_classes, a_store_into_its_local_line_is_the_last_access)
{
	const struct accessor writer = thread_of(0, 1, 0, 1);
	struct bench b;

	open(&b, NULL);
	load(&b, 0, 0x1000);
	answer(&b);
	b.now = writer;
	cr_assert_eq(store(&b, 1, 0x1000, true), L1_HIT);
	cr_assert_eq(load(&b, 2, 0x1000), L1_HIT);
	expect(&b, (struct class_counts){.accesses = 2,
					 .misses = 1,
					 .first = 1,
					 .hits = {[CLASS_INTRA_THREAD] = 1},
					 .reuses = {[CLASS_INTRA_THREAD] = 1}});
	l1_rig_close(&b.r);
}

Test(locality_classes, a_load_that_fails_is_counted_when_it_is_served)
{
	struct bench b;
	uint64_t lines = 0;

	open(&b, (const char *const[]){"l1.miss_queue=1", NULL});
	while (load(&b, lines, 0x1000 + 128 * lines) == L1_MISS)
		lines++;
	cr_assert_eq(b.r.l1.failing, L1_FAIL_QUEUE);
	expect(&b, (struct class_counts){.accesses = lines, .misses = lines, .first = lines});
	answer(&b);
	cr_assert_eq(load(&b, lines + 10, 0x1000 + 128 * lines), L1_MISS);
	expect(&b, (struct class_counts){.accesses = lines + 1, .misses = lines + 1, .first = lines + 1});
	l1_rig_close(&b.r);
}

static void expect_from(const struct mem_req *r, uint32_t cta, uint32_t warp)
{
	cr_assert(r->who.is_thread && r->who.cta == cta && r->who.warp == warp, "from warp %u of CTA %u", r->who.warp, r->who.cta);
}

Test(locality_classes, a_packet_is_its_accessors)
{
	struct bench b;
	struct mem_req m;

	open(&b, (const char *const[]){"l1.assoc=1", NULL});
	b.now = thread_of(0, 1, 2, 8);
	load(&b, 0, 0x1000);
	m = l1_rig_take(&b.r);
	expect_from(&m, 1, 2);
	cr_assert_eq(m.who.lanes, 8);
	l1_rig_reply(&b.r, m, &(uint32_t){0});
	b.now = thread_of(0, 3, 4, 1);
	store(&b, 1, 0x2000, false);
	m = l1_rig_take(&b.r);
	expect_from(&m, 3, 4);
	store(&b, 2, 0x1000, true);
	b.now = thread_of(0, 5, 6, 1);
	load(&b, 3, 0x5000); /* makes the dirty line leave */
	m = l1_rig_take(&b.r);
	cr_assert(m.kind == REQ_WRITE && m.addr == 0x1000);
	expect_from(&m, 3, 4);
	m = l1_rig_take(&b.r);
	expect_from(&m, 5, 6);
	l1_rig_close(&b.r);
}

Test(locality_classes, a_prefetch_is_of_the_load_that_led_to_it_and_its_first_hit_of_no_class)
{
	struct bench b;
	struct mem_req m;

	open(&b, (const char *const[]){"l1.prefetch.policy=next-line", NULL});
	b.now = thread_of(0, 1, 2, 1);
	load(&b, 0, 0x1000);
	l1_rig_take(&b.r);
	b.now = thread_of(0, 3, 4, 1);
	l1_prefetch(&b.r.l1, 1);
	m = l1_rig_take(&b.r);
	cr_assert_eq(m.addr, 0x1080);
	expect_from(&m, 1, 2);
	l1_rig_reply(&b.r, m, &(uint32_t){0});
	cr_assert_eq(load(&b, 2, 0x1080), L1_HIT);
	cr_assert_eq(load(&b, 3, 0x1080), L1_HIT);
	expect(&b, (struct class_counts){.accesses = 3,
					 .misses = 1,
					 .first = 2,
					 .hits = {[CLASS_NONE] = 1, [CLASS_INTRA_THREAD] = 1},
					 .reuses = {[CLASS_INTRA_THREAD] = 1}});
	l1_rig_close(&b.r);
}

Test(locality_classes, of_a_disabled_l1_are_misses)
{
	struct bench b;

	open(&b, (const char *const[]){"l1.enabled=false", NULL});
	cr_assert_eq(load(&b, 0, 0x1000), L1_SENT);
	cr_assert_eq(load(&b, 1, 0x1000), L1_SENT);
	expect(&b, (struct class_counts){.accesses = 2, .misses = 2, .first = 1, .reuses = {[CLASS_INTRA_THREAD] = 1}});
	l1_rig_close(&b.r);
}

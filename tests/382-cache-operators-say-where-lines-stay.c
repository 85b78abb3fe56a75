/* 382: cache operators, as the PTX ISA says: .cg loads go past the L1, .cg stores leave nothing there; .cs lines leave
 * first, in the L1 and in the L2; .lu of local memory spares the write-back; L1::no_allocate loads use what is there
 * and bring in nothing. Which line leaves is known from the order of the loads. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "cache/tags.h"
#include "support/l1_rig.h"
#include "support/mem_rig.h"
#include "support/program.h"

enum { WAY = 32 * 128 /* bytes between lines of a set of gtx480's L1, which has 4 ways */ };
#define SET(...) ((const char *const[]){"caches.operators=true", __VA_ARGS__, NULL})
#define ON_MISS	 "l1.allocate=miss"
#define ON_FILL	 "l1.allocate=fill"

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr, uint8_t hints)
{
	struct l1_access a = l1_rig_load(addr, 1);

	a.hints = hints;
	return l1_access(&r->l1, cycle, &a);
}

static void bring(struct l1_rig *r, uint64_t cycle, uint64_t addr, uint8_t hints)
{
	uint32_t n;

	cr_assert_eq(load(r, cycle, addr, hints), L1_MISS);
	l1_rig_reply(r, l1_rig_take(r), &n);
	cr_assert_eq(n, 1);
}

static void streaming_line_leaves_first(const char *allocate)
{
	struct l1_rig r;

	l1_rig_open(&r, SET(allocate));
	for (uint32_t i = 0; i < 4; i++) /* line 2 streams */
		bring(&r, i, 0x1000 + i * WAY, i == 2 ? L1_HINT_STREAMS : 0);
	cr_assert_eq(load(&r, 4, 0x1000 + 2 * WAY, L1_HINT_STREAMS), L1_HIT, "which leaves the order as it is");
	bring(&r, 5, 0x1000 + 4 * WAY, 0);
	cr_assert_eq(load(&r, 6, 0x1000, 0), L1_HIT, "the oldest line is still there");
	bring(&r, 8, 0x1000 + 2 * WAY, 0); /* it had left; now line 1 is the oldest */
	cr_assert_eq(load(&r, 9, 0x1000 + 1 * WAY, 0), L1_MISS);
	l1_rig_close(&r);
}

Test(cache_operators, a_line_that_streams_leaves_first)
{
	streaming_line_leaves_first(ON_MISS);
	streaming_line_leaves_first(ON_FILL);
}

/* Another load that waits for the line, or meets it, makes it one as any. */
Test(cache_operators, a_streaming_line_that_others_use_stays)
{
	static const char *const allocate[] = {ON_MISS, ON_FILL};

	for (unsigned i = 0; i < 4; i++) {
		struct l1_rig r;
		struct mem_req m;
		uint32_t n;

		l1_rig_open(&r, SET(allocate[i % 2]));
		cr_assert_eq(load(&r, 0, 0x1000, L1_HINT_STREAMS), L1_MISS);
		m = l1_rig_take(&r);
		cr_assert(m.streams, "and so it does in the L2");
		if (i < 2)
			cr_assert_eq(load(&r, 1, 0x1004, 0), L1_MERGED);
		l1_rig_reply(&r, m, &n);
		if (i >= 2)
			cr_assert_eq(load(&r, 1, 0x1004, 0), L1_HIT);
		for (uint32_t k = 1; k < 4; k++)
			bring(&r, 2 + k, 0x1000 + k * WAY, 0);
		cr_assert_eq(load(&r, 9, 0x1000, 0), L1_HIT);
		bring(&r, 10, 0x1000 + 4 * WAY, 0);
		cr_assert_eq(load(&r, 11, 0x1000, 0), L1_HIT, "case %u", i);
		cr_assert_eq(r.l1.streaming, 0);
		l1_rig_close(&r);
	}
}

Test(cache_operators, a_load_past_the_l1_brings_in_nothing_and_drops_nothing)
{
	struct l1_rig r;
	struct mem_req m;

	l1_rig_open(&r, SET(ON_MISS));
	cr_assert_eq(load(&r, 0, 0x1000, L1_HINT_PAST), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert(m.bytes == 32 && m.kind == REQ_READ && m.client == REQ_CLIENT_LOAD);
	bring(&r, 1, 0x1000, 0);
	cr_assert_eq(load(&r, 2, 0x1000, L1_HINT_PAST), L1_SENT);
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 3, 0x1000, 0), L1_HIT);
	cr_assert_eq(l1_total(&r.l1).bypasses, 2);
	l1_rig_close(&r);
}

Test(cache_operators, a_store_past_the_l1_leaves_nothing_there)
{
	struct l1_access store = l1_rig_store(0x1000, 9);
	struct l1_rig r;

	l1_rig_open(&r, SET("l1.write_hit=update"));
	bring(&r, 0, 0x1000, 0);
	cr_assert_eq(l1_access(&r.l1, 1, &store), L1_SENT);
	cr_assert_not(l1_rig_take(&r).streams);
	cr_assert_eq(load(&r, 2, 0x1000, 0), L1_HIT);
	store.hints = L1_HINT_PAST | L1_HINT_STREAMS;
	cr_assert_eq(l1_access(&r.l1, 3, &store), L1_SENT);
	cr_assert(l1_rig_take(&r).streams);
	cr_assert_eq(load(&r, 4, 0x1000, 0), L1_MISS);
	l1_rig_close(&r);
}

Test(cache_operators, a_load_that_may_not_allocate_uses_what_is_there)
{
	struct l1_rig r;

	l1_rig_open(&r, SET("l1.sectors=4"));
	cr_assert_eq(load(&r, 0, 0x1000, L1_HINT_NO_ALLOCATE), L1_SENT);
	l1_rig_take(&r);
	bring(&r, 1, 0x1000, 0);
	cr_assert_eq(load(&r, 2, 0x1004, L1_HINT_NO_ALLOCATE), L1_HIT);
	cr_assert_eq(load(&r, 3, 0x1020, L1_HINT_NO_ALLOCATE), L1_SENT, "another sector");
	l1_rig_close(&r);
}

Test(cache_operators, the_last_use_of_local_memory_spares_its_write_back)
{
	static const uint8_t hints[] = {0, L1_HINT_STREAMS};

	for (unsigned i = 0; i < 2; i++) {
		struct l1_access store = l1_rig_local_store(0x1000, 9), last = l1_rig_load(0x1000, 1);
		struct l1_rig r;

		l1_rig_open(&r, SET(ON_MISS));
		bring(&r, 0, 0x1000, 0);
		cr_assert_eq(l1_access(&r.l1, 1, &store), L1_HIT);
		last.local = true;
		last.hints = hints[i];
		cr_assert_eq(l1_access(&r.l1, 2, &last), L1_HIT);
		for (uint32_t k = 1; k < 4; k++)
			bring(&r, 2 + k, 0x1000 + k * WAY, 0);
		cr_assert_eq(load(&r, 8, 0x1000 + 4 * WAY, 0), L1_MISS);
		cr_assert_eq(r.l1.stats.write_backs, hints[i] ? 0 : 1);
		l1_rig_close(&r);
	}
}

static void see(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag)
{
	unsigned *lookups = ctx;

	(void)cycle;
	(void)set;
	(void)tag;
	++*lookups;
}

/* One set of comparators: a monitor at the L1 takes one lookup a cycle. */
Test(cache_operators, an_access_looks_its_line_up_once)
{
	static const uint8_t hints[] = {0, L1_HINT_STREAMS, L1_HINT_NO_ALLOCATE};
	unsigned lookups = 0;
	struct l1_observer o = {.ctx = &lookups, .lookup = see};
	struct l1_rig r;

	l1_rig_open(&r, SET("l1.miss_room=2"));
	l1_observe(&r.l1, &o);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_leq(load(&r, i, 0x1000 + i * WAY, hints[i]), L1_SENT);
		cr_expect_eq(lookups, i + 1, "hints %u", hints[i]);
	}
	l1_rig_close(&r);
}

/* .cg says nothing of local memory: the bytes that were stored are still written back. */
Test(cache_operators, a_local_load_past_the_l1_is_as_any)
{
	struct l1_access s = l1_rig_local_store(0x1000, 1), l = l1_rig_load(0x1000, 2);
	struct l1_rig r;

	l1_rig_open(&r, SET(ON_MISS));
	bring(&r, 0, 0x1000, 0);
	cr_assert_eq(l1_access(&r.l1, 2, &s), L1_HIT);
	l.local = true;
	l.hints = L1_HINT_PAST;
	cr_assert_eq(l1_access(&r.l1, 3, &l), L1_HIT);
	for (uint32_t i = 1; i < 4; i++)
		bring(&r, 3 + i, 0x1000 + i * WAY, 0);
	cr_assert_eq(load(&r, 9, 0x1000 + 4 * WAY, 0), L1_MISS);
	cr_assert_eq(r.l1.stats.write_backs, 1);
	l1_rig_close(&r);
}

/* In sets of many ways behind lines, ahead of ways without one. */
Test(cache_operators, in_wide_sets_too_the_line_leaves_first)
{
	struct arena a = {0};
	struct tags t;
	uint32_t slot, first;

	tags_init(&t, &a, 1, 40, 128, NULL);
	for (uint64_t i = 0; i < 39; i++) {
		cr_assert_eq(tags_probe(&t, 0, i, &slot), TAGS_MISS);
		tags_take(&t, slot, i, TAGS_VALID);
		if (i == 0 || i == 20)
			tags_first_out(&t, slot);
	}
	cr_assert_eq(tags_probe(&t, 0, 39, &slot), TAGS_MISS);
	cr_assert_eq(tags_state(&t, slot), TAGS_INVALID);
	tags_take(&t, slot, 39, TAGS_VALID);
	cr_assert_eq(tags_probe(&t, 0, 40, &first), TAGS_MISS);
	cr_assert_eq(tags_line(&t, first), 20);
	tags_take(&t, first, 40, TAGS_VALID);
	cr_assert_eq(tags_probe(&t, 0, 41, &first), TAGS_MISS);
	cr_assert_eq(tags_line(&t, first), 0);
	tags_touch(&t, first);
	cr_assert_eq(tags_probe(&t, 0, 41, &first), TAGS_MISS);
	cr_assert_eq(tags_line(&t, first), 1);
	arena_free(&a);
}

/* ---- whole programs ---- */

/* One warp loads line 0 twice by one operator, then line 0 as any. */
#define KERNEL(op)                                                                                                                 \
	".version 7.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"                                    \
	".reg .b32 %r<9>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [in];\n"                                                          \
	"ld.global" op ".u32 %r2, [%rd1];\nadd.u32 %r3, %r2, 1;\nld.global" op ".u32 %r4, [%rd1];\nadd.u32 %r5, %r4, %r3;\n"       \
	"ld.global.u32 %r6, [%rd1];\nadd.u32 %r7, %r6, %r5;\nst.global.u32 [%rd1], %r7;\nret;\n}\n"

/* Each load waits for the one before: nothing is folded into one addition of three, and no load comes early. */
#define QV100 "qv100 --set sm.fold=false --set sm.schedule=false"

static const char launch[] = "ptx: k.ptx\nbuffers:\n  in: {count: 32, type: u32, value: 7}\n"
			     "launches:\n  - {kernel: k, grid: 1, block: 32, args: [in]}\n";

static void counts(const char *kernel, const char *machine, long long hits, long long misses, long long bypasses)
{
	struct program p;
	const json_t *s;
	json_t *j;

	program_file("k.ptx", kernel);
	program_file("k.yaml", launch);
	p = program_run("locus run %s/k.yaml --machine %s --json -", program_tmp(), machine);
	cr_assert_eq(p.status, 0, "%s", p.err);
	j = json_loads(p.out, 0, NULL);
	s = json_object_get(j, "stats");
	cr_expect_eq(json_integer_value(json_object_get(s, "l1.hits")), hits, "%s on %s", kernel, machine);
	cr_expect_eq(json_integer_value(json_object_get(s, "l1.misses")), misses, "%s on %s", kernel, machine);
	cr_expect_eq(json_integer_value(json_object_get(s, "l1.bypasses")), bypasses, "%s on %s", kernel, machine);
	json_decref(j);
	program_free(&p);
}

Test(cache_operators, of_ptx_are_honoured_where_the_machine_says_so)
{
	counts(KERNEL(""), QV100, 2, 1, 0);
	counts(KERNEL(".ca"), QV100, 2, 1, 0);
	counts(KERNEL(".nc"), QV100, 2, 1, 0);
	counts(KERNEL(".cg"), QV100, 0, 1, 2);
	counts(KERNEL(".cs"), QV100, 2, 1, 0);
	counts(KERNEL(".lu"), QV100, 2, 1, 0);
	counts(KERNEL(".cv"), QV100, 0, 1, 2);
	counts(KERNEL(".L1::no_allocate"), QV100, 0, 1, 2);
	counts(KERNEL(".cg"), "gtx480", 2, 1, 0);
	counts(KERNEL(".cg"), "gtx480 --set caches.operators=true", 0, 1, 2);
	counts(KERNEL(".cv"), "gtx480", 0, 1, 2);
	counts(KERNEL(".cs"), "gtx480 --set caches.operators=true --set l1.monitor=true", 2, 1, 0);
}

/* A kept trace has them: it says the same. */
Test(cache_operators, are_in_the_trace)
{
	struct program p, q;

	program_file("k.ptx", KERNEL(".cg"));
	program_file("k.yaml", launch);
	p = program_run(
		"locus record %s/k.yaml -o %s/k.ltrace && locus trace info %s/k.ltrace && locus run %s/k.ltrace --machine " QV100
		" "
		"--json - | grep l1.bypasses",
		program_tmp(), program_tmp(), program_tmp(), program_tmp());
	q = program_run("locus run %s/k.yaml --machine " QV100 " --json - | grep l1.bypasses", program_tmp());
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, q.out) && strstr(q.out, ": 2"), "%s\n%s", p.out, q.out);
	program_free(&p);
	program_free(&q);
}

/* The L2: a set of 8 ways (gtx480's slice); the line that streams leaves though it came last but one. */
Test(cache_operators, a_line_leaves_the_l2_first)
{
	struct mem_rig *r = mem_rig_new((const char *const[]){"caches.operators=true", "dram.channels=1", "l2.slices=1", NULL});
	uint64_t tick = 0, far = (uint64_t)machine_cache_sets(&r->m.l2.c) * 128,
		 round = UINT64_C(1000) * r->m.clock.period[CLOCK_CORE];
	uint32_t ways = r->m.l2.c.assoc;
	struct mem_req reply;

	for (uint32_t i = 0; i <= ways + 2; i++, tick += round) {
		/* ways lines, the last but one streams; one more; then the streaming one, and the oldest */
		uint64_t line = i == ways + 1 ? 0 : i == ways + 2 ? ways - 2 : i;

		r->streams = i == ways - 2;
		mem_rig_send(r, tick, 0, REQ_READ, line * far, 128, i);
		cr_assert(mem_rig_reply(r, tick + round - 1, 0, &reply), "request %u", i);
		cr_assert_eq(reply.found, i == ways + 1 ? REQ_FOUND : REQ_FETCHED, "request %u of line %lu", i,
			     (unsigned long)line);
	}
	mem_rig_free(r);
}

/* 439: l1.allocate fill: a miss takes no way, so as many are in flight as there are MSHR entries, whatever their sets;
 * lines make room when data come. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/l1_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define FILL	 "l1.allocate=fill"

enum { WAY = 4096 /* bytes between addresses of one set: 32 sets of 128 bytes */ };

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr, uint32_t token)
{
	struct l1_access a = l1_rig_load(addr, token);

	return l1_access(&r->l1, cycle, &a);
}

static uint32_t serves(struct l1_rig *r, struct mem_req m)
{
	uint32_t n;

	l1_rig_reply(r, m, &n);
	return n;
}

Test(l1_fill, hundreds_of_misses_of_one_set_are_in_flight)
{
	static struct mem_req m[512];
	struct l1_rig r;

	l1_rig_open(&r, SET(FILL, "l1.mshr_entries=512"));
	for (uint32_t i = 0; i < 512; i++) {
		cr_assert_eq(load(&r, i, 0x100000 + (uint64_t)i * WAY, i), L1_MISS, "miss %u", i);
		m[i] = l1_rig_take(&r);
	}
	cr_assert_eq(load(&r, 512, 0x100000 + 512 * WAY, 512), L1_FAIL_ENTRY);
	cr_assert_eq(load(&r, 513, 0x100000 + 512 * WAY, 512), L1_FAIL_ENTRY);
	cr_assert_eq(r.l1.stats.fail_cycles[0], 0, "no way was wanting");
	cr_assert_eq(serves(&r, m[100]), 1);
	cr_assert_eq(load(&r, 514, 0x100000 + 512 * WAY, 512), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_fill, a_set_keeps_its_lines_until_data_come)
{
	struct l1_rig r;
	struct mem_req m;

	l1_rig_open(&r, SET(FILL));
	for (uint32_t i = 0; i < 4; i++)
		l1_rig_bring(&r, i, 0x1000 + i * WAY);
	cr_assert_eq(load(&r, 10, 0x1000 + 4 * WAY, 1), L1_MISS);
	m = l1_rig_take(&r);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, 11 + i, 0x1000 + (3 - i) * WAY, 2), L1_HIT, "line %u", i);
	cr_assert_eq(r.l1.stats.evictions, 0);
	cr_assert_eq(serves(&r, m), 1);
	cr_assert_eq(r.l1.stats.evictions, 1);
	cr_assert_eq(load(&r, 20, 0x1000 + 4 * WAY, 3), L1_HIT);
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(load(&r, 21 + i, 0x1000 + i * WAY, 4), L1_HIT);
	cr_assert_eq(load(&r, 24, 0x1000 + 3 * WAY, 5), L1_MISS, "the least recently used when the data came");
	l1_rig_close(&r);
}

Test(l1_fill, misses_to_a_line_on_its_way_merge)
{
	struct l1_rig r;
	struct mem_req m;

	l1_rig_open(&r, SET(FILL));
	cr_assert_eq(load(&r, 0, 0x1000, 0), L1_MISS);
	m = l1_rig_take(&r);
	for (uint32_t i = 1; i < 8; i++)
		cr_assert_eq(load(&r, i, 0x1000 + 8 * i, i), L1_MERGED);
	cr_assert_eq(load(&r, 8, 0x1000, 8), L1_FAIL_MERGE, "eight wait");
	cr_assert_not(l1_has_packet(&r.l1));
	cr_assert_eq(serves(&r, m), 8);
	cr_assert_eq(load(&r, 9, 0x1000, 8), L1_HIT);
	l1_rig_close(&r);
}

Test(l1_fill, a_sector_finds_the_rest_of_its_line_or_a_way_of_its_own)
{
	struct l1_rig r;
	struct mem_req late;

	l1_rig_open(&r, SET(FILL, "l1.sectors=4"));
	l1_rig_bring(&r, 0, 0x1000);
	cr_assert_eq(load(&r, 1, 0x1020, 1), L1_MISS);
	serves(&r, l1_rig_take(&r));
	cr_assert_eq(load(&r, 2, 0x1000, 1), L1_HIT);
	cr_assert_eq(load(&r, 3, 0x1020, 1), L1_HIT);
	cr_assert_eq(load(&r, 4, 0x1040, 1), L1_MISS);
	late = l1_rig_take(&r);
	for (uint32_t i = 1; i < 5; i++) /* four others of the set come first */
		l1_rig_bring(&r, 4 + i, 0x1000 + i * WAY);
	cr_assert_eq(r.l1.stats.evictions, 1);
	cr_assert_eq(serves(&r, late), 1);
	cr_assert_eq(load(&r, 20, 0x1040, 1), L1_HIT);
	cr_assert_eq(load(&r, 21, 0x1000, 1), L1_MISS, "that sector went with the line");
	l1_rig_close(&r);
}

Test(l1_fill, a_local_store_goes_down)
{
	struct l1_rig r;
	struct l1_access store = l1_rig_local_store(0x1004, 9);
	struct mem_req m;

	l1_rig_open(&r, SET(FILL, "l1.write_hit=update"));
	l1_rig_bring(&r, 0, 0x1000);
	cr_assert_eq(l1_access(&r.l1, 1, &store), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert(m.kind == REQ_WRITE && m.client == REQ_CLIENT_STORE && m.bytes == 4);
	cr_assert_eq(load(&r, 2, 0x1004, 1), L1_HIT);
	for (uint32_t i = 1; i < 6; i++)
		l1_rig_bring(&r, 2 + i, 0x1000 + i * WAY);
	cr_assert_eq(r.l1.stats.write_backs, 0, "no line is dirty");
	l1_rig_close(&r);
}

/* ---- what does not go with sectors, or without a way ---- */

static void refused(const char *first, const char *second, const char *said)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0);
	cr_assert_eq(machine_set(&m, first, &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&m, second, &e), 0, "%s", e.text);
	cr_assert_neq(machine_resolve(&m, &e), 0, "%s with %s", first, second);
	cr_assert(strstr(e.text, said) && !strchr(e.text, '\n'), "%s", e.text);
}

Test(l1_fill, mechanisms_that_go_by_ways_are_refused)
{
	static const char *const first[] = {FILL, "l1.sectors=4"};
	static const char *const with[] = {"l1.miss_room=2", "l1.store_needs_line=true", "caches.locality_classes=true"};

	for (unsigned f = 0; f < 2; f++) {
		for (unsigned i = 0; i < sizeof with / sizeof with[0]; i++)
			refused(first[f], with[i], "does not go with");
		refused(first[f], "throttle.policy=ccws", "does not go with throttle.policy");
	}
	refused("l1.sectors=4", "l1.replacement=pin",
		"l1.sectors: with l1.replacement=pin, more than one sector needs l1.allocate=fill");
	refused("l1.sectors=3", "l1.latency=9", "l1.sectors: a line of 128 bytes (l1.line) cannot have 3 sectors");
	refused("l2.sectors=4", "l1.latency=9",
		"l2.sectors: a line of 128 bytes (l2.line) cannot have 4 sectors"); /* bursts of 64 */
}

/* 638: the stores that a host program makes ahead of its first launch, as they are kept for TAFE. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "workload/program.h"
#include "workload/random.h"
#include "taf/stores.h"

enum { N = 5000, ROOM = 4096 };

Test(taf_stores, what_was_stored_is_read_back_store_by_store)
{
	struct host_random r = {7};
	struct taf_store *want = calloc(N, sizeof *want), got;
	struct taf_stores s = {0};
	struct taf_stores_at at = {0, 0};
	uint8_t bytes[ROOM] = {0}, replayed[ROOM] = {0};

	for (unsigned i = 0; i < N; i++) {
		struct taf_store *x = &want[i];

		x->bytes = i && host_random_below(&r, 4) ? want[i - 1].bytes : 1u << host_random_below(&r, 4);
		x->addr = i && host_random_below(&r, 4) ? want[i - 1].addr + want[i - 1].bytes : host_random_below(&r, ROOM);
		x->addr %= ROOM - 8;
		x->value = host_random_u64(&r) >> (64 - 8 * x->bytes);
		taf_stores_add(&s, x->addr, x->bytes, 1, &x->value);
		memcpy(bytes + x->addr, &x->value, x->bytes);
	}
	cr_assert_eq(s.n, N);
	cr_expect_lt(s.n_runs, N);
	for (unsigned i = 0; i < N; i++) {
		cr_assert(taf_stores_next(&s, &at, &got));
		cr_assert(got.addr == want[i].addr && got.bytes == want[i].bytes && got.value == want[i].value, "store %u", i);
	}
	cr_expect_not(taf_stores_next(&s, &at, &got));
	taf_stores_replay(&s, 0, ROOM, replayed);
	cr_expect_eq(memcmp(bytes, replayed, ROOM), 0);
	memset(replayed, 0, ROOM);
	taf_stores_replay(&s, 1001, 2003, replayed);
	cr_expect_eq(memcmp(bytes + 1001, replayed, 1002), 0, "a part");
	taf_stores_free(&s);
	free(want);
}

Test(taf_stores, an_array_from_end_to_end_costs_its_own_bytes)
{
	struct taf_stores s = {0};
	uint32_t v[1000] = {0};

	for (uint32_t i = 0; i < 1000; i++)
		taf_stores_add(&s, 0x1000 + 4 * i, 4, 1, &v[i]);
	taf_stores_add(&s, 0x1000 + 4000, 4, 1000, v);
	cr_expect_eq(s.n_runs, 1);
	cr_expect_eq(s.n, 2000);
	cr_expect_eq(s.n_bytes, 8000);
	taf_stores_free(&s);
}

/* Neighbours whose values take more or fewer instructions are two runs. */
Test(taf_stores, a_store_keeps_the_instructions_that_make_its_value)
{
	static const uint32_t insts[] = {0, 0, 700, 700, 5};
	struct taf_stores s = {0};
	struct taf_stores_at at = {0, 0};
	struct taf_store got;
	uint32_t v = 0;

	for (uint32_t i = 0; i < 5; i++) {
		s.insts = insts[i];
		taf_stores_add(&s, 0x1000 + 4 * i, 4, 1, &v);
	}
	cr_expect_eq(s.n_runs, 3);
	for (uint32_t i = 0; i < 5; i++) {
		cr_assert(taf_stores_next(&s, &at, &got));
		cr_expect(got.insts == insts[i] && got.addr == 0x1000 + 4 * i, "store %u", i);
	}
	taf_stores_free(&s);
}

Test(taf_stores, touched_elements_are_counted_once)
{
	struct taf_stores s = {0};
	const uint64_t v = 0;

	taf_stores_add(&s, 0x1000, 4, 2, (uint32_t[2]){0});
	taf_stores_add(&s, 0x1004, 8, 1, &v); /* elements 1 and 2 */
	taf_stores_add(&s, 0x1013, 1, 1, &v); /* a part of element 4 */
	taf_stores_add(&s, 0x0ffc, 8, 1, &v); /* element 0, and what is before the array */
	taf_stores_add(&s, 0x1028, 4, 1, &v); /* behind it */
	cr_expect_eq(taf_stores_cover(&s, 0x1000, 10, 4), 4);
	cr_expect_eq(taf_stores_last(&s, 0x1000, 0x1028), 5);
	cr_expect_eq(taf_stores_last(&s, 0x1010, 0x1014), 4);
	cr_expect_eq(taf_stores_last(&s, 0x1008, 0x100c), 3);
	cr_expect_eq(taf_stores_last(&s, 0x2000, 0x2004), 0);
	taf_stores_free(&s);
}

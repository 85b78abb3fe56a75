/* 458: replacement policies of caches: FIFO and LRU against Dinero IV, SRRIP against ChampSim's, random by its
 * distribution; on the machine, by keys; and where they cannot be had.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/tags.h"
#include "cache/victim.h"
#include "replay/dinero.h"
#include "support/program.h"

/* ---- against other simulators ---- */

struct shape {
	uint32_t bytes, assoc;
	enum machine_replacement how;
	uint64_t read_misses, write_misses, to_memory; /* bytes, lines that are dirty at the end included */
};

/* Reads and writes of 64-byte lines, a third of them of many lines. The numbers are Knuth's generator (MMIX). */
static struct dinero_counts replay(const struct shape *s)
{
	struct dinero_params p = {.bytes = s->bytes, .line = 64, .assoc = s->assoc, .replacement = victim_policy_of(s->how)};
	struct dinero_counts n;
	struct dinero_cache *c;
	struct err e = {""};
	uint64_t x = 1;

	c = dinero_open(&p, &e);
	cr_assert_not_null(c, "%s", e.text);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t a, line;

		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		a = x >> 33;
		line = (a >> 12) % 3 ? (a >> 4) % 97 : (a >> 14) % 700;
		dinero_access(c, a % 10 < 7 ? DIN_READ : DIN_WRITE, line * 64 + (a >> 2 & 63) / 4 * 4);
	}
	n = dinero_count(c);
	dinero_close(c);
	return n;
}

static void expect_counts(const struct shape *s)
{
	struct dinero_counts n = replay(s);

	cr_expect_eq(n.misses[DIN_READ], s->read_misses, "%u ways: %lu", s->assoc, (unsigned long)n.misses[DIN_READ]);
	cr_expect_eq(n.misses[DIN_WRITE], s->write_misses, "%u ways: %lu", s->assoc, (unsigned long)n.misses[DIN_WRITE]);
	cr_expect_eq((n.write_backs + n.dirty_left) * 64, s->to_memory, "%u ways", s->assoc);
}

/* dineroIV -informat d -l1-usize BYTES -l1-ubsize 64 -l1-uassoc WAYS -l1-urepl l|f: "Demand Misses" and "Bytes To
 * Memory" of the same accesses. */
Test(replacement_policies, lru_and_fifo_miss_as_often_as_in_dinero_iv)
{
	static const struct shape shapes[] = {
		{4096, 4, REPLACE_LRU, 9588, 3973, 324992},  {4096, 4, REPLACE_FIFO, 9787, 4069, 332992},
		{4096, 64, REPLACE_LRU, 9584, 4001, 326080}, {4096, 64, REPLACE_FIFO, 9886, 4114, 336384},
		{8192, 8, REPLACE_LRU, 6053, 2499, 240832},  {8192, 8, REPLACE_FIFO, 7032, 2872, 286336},
	};

	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		expect_counts(&shapes[i]);
}

/* The class srrip_set_helper of ChampSim (commit 2ff25011) beside tags that fill free ways first. */
Test(replacement_policies, srrip_misses_as_often_as_in_champsim)
{
	static const struct shape shapes[] = {{4096, 4, REPLACE_SRRIP, 9135, 3750, 305664},
					      {4096, 64, REPLACE_SRRIP, 9029, 3713, 298304},
					      {8192, 8, REPLACE_SRRIP, 4871, 2011, 171264}};

	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		expect_counts(&shapes[i]);
}

/* ---- one set ---- */

struct set {
	struct arena arena;
	struct tags t;
};

static struct set set_of(uint32_t ways, enum machine_replacement how, uint64_t seed)
{
	struct set s = {{0}, {0}};

	tags_init(&s.t, &s.arena, 1, ways, 128, NULL);
	tags_replace_with(&s.t, &s.arena, victim_policy_of(how), seed);
	return s;
}

static bool use(struct set *s, uint64_t line)
{
	uint32_t slot;

	if (tags_probe(&s->t, 0, line, &slot) == TAGS_HIT) {
		tags_touch(&s->t, slot);
		return true;
	}
	tags_take(&s->t, slot, line, TAGS_VALID);
	return false;
}

/* By hand, with four ways: a scan of four lines does not evict the two that were hit, as it does with LRU. */
Test(replacement_policies, srrip_keeps_what_was_hit_through_a_scan)
{
	static const uint64_t lines[] = {1, 2, 2, 1, 11, 12, 13, 14, 1, 2};
	static const char *const hits[] = {[REPLACE_LRU] = "--hh------", [REPLACE_SRRIP] = "--hh----hh"};
	static const enum machine_replacement policies[] = {REPLACE_LRU, REPLACE_SRRIP};

	for (unsigned p = 0; p < 2; p++) {
		struct set s = set_of(4, policies[p], 0);

		for (unsigned i = 0; i < 10; i++)
			cr_expect_eq(use(&s, lines[i]), hits[policies[p]][i] == 'h', "policy %u, access %u", p, i);
		arena_free(&s.arena);
	}
}

/* All ranks of a set are raised until one is 3: a line that was hit once ages from 0 to 2 by two victims that had rank
 * 2, and leaves with the next. Worked out by hand; of equal ranks the first way leaves. */
Test(replacement_policies, srrip_raises_all_ranks_of_a_set)
{
	struct set s = set_of(2, REPLACE_SRRIP, 0);

	use(&s, 1); /* ranks 2 - */
	use(&s, 1); /* 0 - */
	use(&s, 2); /* 0 2 */
	cr_expect(!use(&s, 3), "raised to 1 3: 2 leaves, and 3 is at 1 2");
	cr_expect(!use(&s, 4), "raised to 2 3: 3 leaves, and 4 is at 2 2");
	cr_expect(!use(&s, 5), "raised to 3 3: the first way, 1, leaves");
	cr_expect(use(&s, 4));
	cr_expect(!use(&s, 1));
	arena_free(&s.arena);
}

Test(replacement_policies, first_in_is_first_out_however_often_it_is_used)
{
	for (uint32_t ways = 2; ways <= 70; ways += 17) {
		struct set s = set_of(ways, REPLACE_FIFO, 0);

		for (uint64_t line = 1; line <= ways; line++) {
			use(&s, line);
			cr_assert(use(&s, 1));
		}
		use(&s, 1000);
		cr_expect(use(&s, ways), "%u ways", ways);
		cr_expect(!use(&s, 1), "%u ways", ways);
		arena_free(&s.arena);
	}
}

/* Of 8,000 victims each of 8 ways has 1,000 on average, with a standard deviation of 30. */
Test(replacement_policies, random_takes_every_way_equally_often_but_none_on_its_way)
{
	for (unsigned reserved = 0; reserved < 2; reserved++) {
		struct set s = set_of(8, REPLACE_RANDOM, 7);
		uint32_t victims[8] = {0}, slot = 0, again = 0;

		for (uint64_t line = 1; line <= 8; line++) {
			cr_assert_eq(tags_probe(&s.t, 0, line, &slot), TAGS_MISS);
			tags_take(&s.t, slot, line, reserved && line == 3 ? TAGS_RESERVED : TAGS_VALID);
		}
		for (uint64_t line = 100; line < 8100; line++) {
			cr_assert_eq(tags_probe(&s.t, 0, line, &slot), TAGS_MISS);
			cr_assert_eq(tags_probe(&s.t, 0, line, &again), TAGS_MISS);
			cr_assert_eq(slot, again, "a lookup changes nothing");
			tags_take(&s.t, slot, line, TAGS_VALID);
			victims[slot]++;
		}
		for (unsigned w = 0; w < 8; w++)
			if (reserved && w == 2)
				cr_expect_eq(victims[w], 0);
			else
				cr_expect(victims[w] > (reserved ? 1143 : 1000) - 150 &&
						  victims[w] < (reserved ? 1143 : 1000) + 150,
					  "way %u: %u", w, victims[w]);
		arena_free(&s.arena);
	}
}

/* ---- of the machine ---- */

static double metric(const char *options, const char *name)
{
	struct program p = program_run("locus run %s --json -", options);
	char key[64];
	const char *at;
	double v;

	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(key, sizeof key, "\"%s\": ", name);
	at = strstr(p.out, key);
	cr_assert_not_null(at, "%s", name);
	v = strtod(at + strlen(key), NULL);
	program_free(&p);
	return v;
}

/* A ring of 20 KB in an L1 of 16 KB, 4 ways and 32 sets: each set gets five lines, in turn. LRU and FIFO never hit;
 * with random victims a line stays through a round with some probability. */
Test(replacement_policies, a_ring_larger_than_the_l1_hits_with_random_victims_only)
{
	static const char ring[] = "chase --arg footprint=20K --arg stride=128 --arg steps=4000 --set l1.replacement=";
	char options[256];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(options, sizeof options, "%s%s", ring, i ? "fifo" : "lru");
		cr_expect_eq(metric(options, "l1.hits"), 0, "%s", options);
	}
	snprintf(options, sizeof options, "%srandom", ring);
	cr_expect_gt(metric(options, "l1.hits"), 400);
}

Test(replacement_policies, random_victims_follow_from_the_seed_alone)
{
	static const char run[] = "kmeans --size test --set l1.replacement=random --set l2.replacement=random";
	char options[256];
	double one = metric(run, "cycles");

	snprintf(options, sizeof options, "%s --threads 2", run);
	cr_expect_eq(metric(options, "cycles"), one);
	snprintf(options, sizeof options, "%s --set l2.seed=2", run);
	cr_expect_neq(metric(options, "cycles"), one);
}

static void refused(const char *command, const char *why)
{
	struct program p = program_run("%s", command);

	cr_expect_eq(p.status, 2, "%s", command);
	cr_expect_not_null(strstr(p.err, why), "%s\n%s", command, p.err);
	program_free(&p);
}

Test(replacement_policies, are_refused_where_a_block_chooses_victims_and_where_they_have_no_effect)
{
	refused("locus run kmeans --size test --set l2.replacement=pin", "\"pin\" is not one of lru | fifo | random | srrip");
	refused("locus run kmeans --size test --set l1.pin.hard=A", "has no effect: l1.replacement is lru");
	refused("locus run kmeans --size test --l1-pin arrays:A", "--l1-pin: \"arrays\" is not one of none | buffers");
	refused("locus run kmeans --size test --set l1.replacement=fifo --plan ldesc",
		"l1.replacement: the plan pins lines, by a block that chooses victims: set it to lru");
	refused("locus run kmeans --size test --set l1.replacement=plru",
		"\"plru\" is not one of lru | fifo | random | srrip | pin");
	refused("locus run kmeans --size test --set l1.seed=2", "has no effect: l1.replacement is lru");
	refused("locus cache /dev/null --replacement plru", "--replacement: \"plru\" is not one of lru, fifo, random, srrip");
	refused("locus cache /dev/null --seed 3", "--seed: needs --replacement random");
}

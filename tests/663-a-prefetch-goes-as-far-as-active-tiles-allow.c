/* 663: the prefetch unit: which line a miss leads to by the number of active tiles, when it is fetched, and what is
 * dropped; against the rule written out. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/prefetch_unit.h"
#include "support/prefetch_stimulus.h"

enum { LINE = 128, BASE = 1 << 20, BOUND = 4 << 20 };

struct bench {
	struct prefetch_unit u;
	struct prefetch_unit_out out; /* of the last step, before its edge */
};

static struct bench bench(uint32_t tiles, uint32_t depth)
{
	struct prefetch_unit_params p = {.entries = 4,
					 .tiles = tiles,
					 .tile_w = 16,
					 .addr_w = 32,
					 .dist_w = 32,
					 .line = LINE,
					 .depth = depth,
					 .spare_mshrs = 8,
					 .spare_queue = 2};
	struct err e = {""};
	struct bench b;

	cr_assert_eq(prefetch_unit_params_check(&p, &e), 0, "%s", e.text);
	memset(&b, 0, sizeof b);
	prefetch_unit_reset(&b.u, &p);
	return b;
}

static void step(struct bench *b, struct prefetch_unit_in in)
{
	prefetch_unit_eval(&b->u, &in, &b->out);
	prefetch_unit_tick(&b->u, &in);
}

static void write(struct bench *b, uint32_t entry, uint32_t slot, uint32_t distance)
{
	step(b, (struct prefetch_unit_in){.wr_valid = 1, .wr_entry = entry, .wr_slot = slot, .wr_distance = distance});
}

static void begin(struct bench *b, uint32_t entry, uint32_t tile)
{
	step(b, (struct prefetch_unit_in){.cta_valid = 1, .cta_entry = entry, .cta_tile = tile});
}

static void end(struct bench *b, uint32_t entry, uint32_t tile)
{
	step(b, (struct prefetch_unit_in){.cta_valid = 1, .cta_end = 1, .cta_entry = entry, .cta_tile = tile});
}

static struct prefetch_unit_in miss(uint32_t entry, uint64_t addr, enum locality_prefetch kind)
{
	return (struct prefetch_unit_in){.acc_valid = 1,
					 .acc_missed = 1,
					 .acc_prefetch = kind,
					 .acc_entry = entry,
					 .acc_addr = addr,
					 .acc_bound = BOUND,
					 .acc_distance = 3 * LINE};
}

/* A cycle without an access, in which all that a line needs is there. */
static struct prefetch_unit_in turn(void)
{
	return (struct prefetch_unit_in){.look_known = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 3};
}

/* The address that a miss leads to; 0: none. */
static uint64_t fetched(struct bench *b, struct prefetch_unit_in in)
{
	uint64_t line;

	step(b, in);
	step(b, turn());
	line = b->out.issue ? b->out.look_line : 0;
	step(b, turn());
	cr_assert_not(b->out.issue, "one line for a miss");
	return line * LINE;
}

/* paper-notes on ldesc, section 4.5: histo with an L1 of 32,768 bytes and tiles of 3,072 bytes a row. */
Test(prefetch_unit, goes_for_histo_as_far_as_the_paper_says_for_1_to_12_active_tiles)
{
	static const uint32_t rows[] = {10, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1};
	struct bench b = bench(12, 8);

	for (uint32_t i = 0; i < 12; i++)
		write(&b, 2, i, rows[i] * 43008);
	for (uint32_t i = 0; i < 12; i++) {
		begin(&b, 2, 14 * i);
		cr_assert_eq(fetched(&b, miss(2, BASE, LOCALITY_STRIDE)), BASE + rows[i] * 43008, "%u tiles", i + 1);
	}
	for (uint32_t i = 11; i > 0; i--) {
		end(&b, 2, 14 * (11 - i));
		cr_assert_eq(fetched(&b, miss(2, BASE, LOCALITY_STRIDE)), BASE + rows[i - 1] * 43008, "%u tiles again", i);
	}
	end(&b, 2, 14 * 11);
	cr_assert_eq(fetched(&b, miss(2, BASE, LOCALITY_STRIDE)), BASE + 3 * LINE, "no tile: as the access says");
}

Test(prefetch_unit, counts_a_tile_once_from_its_first_cta_to_its_last)
{
	struct bench b = bench(4, 8);

	for (uint32_t i = 0; i < 4; i++)
		write(&b, 1, i, (i + 1) * 0x1000);
	begin(&b, 1, 7);
	begin(&b, 1, 7);
	begin(&b, 1, 9);
	begin(&b, 3, 7);
	cr_assert_eq(fetched(&b, miss(1, BASE, LOCALITY_STRIDE)), BASE + 0x2000, "two tiles of three CTAs");
	end(&b, 1, 7);
	cr_assert_eq(fetched(&b, miss(1, BASE, LOCALITY_STRIDE)), BASE + 0x2000, "one of its CTAs is left");
	end(&b, 1, 7);
	cr_assert_eq(fetched(&b, miss(1, BASE, LOCALITY_STRIDE)), BASE + 0x1000);
	begin(&b, 1, 5);
	begin(&b, 1, 6);
	begin(&b, 1, 7);
	cr_assert_eq(fetched(&b, miss(1, BASE, LOCALITY_STRIDE)), BASE + 0x4000, "as many as the SM holds CTAs");
	cr_assert_eq(b.u.active[3], 1, "each structure has tiles of its own");
}

Test(prefetch_unit, a_cta_and_a_write_count_from_the_next_cycle_on)
{
	struct bench b = bench(4, 8);
	struct prefetch_unit_in in = miss(0, BASE, LOCALITY_STRIDE);

	write(&b, 0, 0, 0x1000);
	in.cta_valid = 1;
	cr_assert_eq(fetched(&b, in), BASE + 3 * LINE, "no tile was active");
	in.cta_valid = 0;
	in.wr_valid = 1;
	in.wr_distance = 0x2000;
	cr_assert_eq(fetched(&b, in), BASE + 0x1000);
	in.wr_valid = 0;
	cr_assert_eq(fetched(&b, in), BASE + 0x2000);
}

Test(prefetch_unit, is_triggered_by_misses_alone_and_stays_in_the_structure)
{
	struct bench b = bench(4, 8);
	struct prefetch_unit_in in;

	cr_expect_eq(fetched(&b, miss(0, BASE + 5, LOCALITY_NEXT_LINE)), BASE + LINE);
	in = miss(0, BASE, LOCALITY_NEXT_LINE);
	in.acc_missed = 0;
	cr_expect_eq(fetched(&b, in), 0, "a hit");
	in.acc_missed = 1;
	in.acc_valid = 0;
	cr_expect_eq(fetched(&b, in), 0, "no access");
	cr_expect_eq(fetched(&b, miss(0, BASE, LOCALITY_NO_PREFETCH)), 0);
	cr_expect_eq(fetched(&b, miss(0, BASE, LOCALITY_PREFETCHES)), 0);
	cr_expect_eq(fetched(&b, miss(0, BOUND - LINE - 1, LOCALITY_NEXT_LINE)), BOUND - LINE, "the last line");
	cr_expect_eq(fetched(&b, miss(0, BOUND - LINE, LOCALITY_NEXT_LINE)), 0, "behind the end");
	in = miss(0, BASE + 0x180, LOCALITY_NEXT_LINE);
	in.acc_bound = BASE + 0x201;
	cr_expect_eq(fetched(&b, in), BASE + 0x200, "the last byte is in it");
	in.acc_bound = BASE + 0x200;
	cr_expect_eq(fetched(&b, in), 0);
	in = miss(0, BASE + 100, LOCALITY_STRIDE);
	in.acc_distance = 27;
	cr_expect_eq(fetched(&b, in), 0, "the line that has missed");
	in.acc_distance = 28;
	cr_expect_eq(fetched(&b, in), BASE + LINE);
	in = miss(0, UINT32_MAX - 300, LOCALITY_STRIDE);
	in.acc_bound = UINT32_MAX;
	in.acc_distance = 173;
	cr_expect_eq(fetched(&b, in), UINT32_MAX - 127, "the last line that there is");
	in.acc_distance = 301;
	cr_expect_eq(fetched(&b, in), 0, "beyond all addresses, not at 0");
	cr_expect_eq(fetched(&b, miss(0, UINT32_MAX, LOCALITY_NEXT_LINE)), 0, "likewise");
}

Test(prefetch_unit, lets_accesses_and_those_that_wait_go_first)
{
	struct bench b = bench(4, 8);
	struct prefetch_unit_in in = turn();

	step(&b, miss(0, BASE, LOCALITY_NEXT_LINE));
	cr_assert(b.out.acc_kept && !b.out.look_valid, "it waits from the next cycle on");
	for (unsigned i = 0; i < 6; i++) {
		in.acc_valid = i & 1;
		in.acc_wait = !(i & 1);
		step(&b, in);
		cr_assert(b.out.look_valid && b.out.busy && !b.out.issue && !b.out.drop);
		cr_assert_eq(b.out.look_line, BASE / LINE + 1);
	}
	step(&b, turn());
	cr_assert(b.out.issue);
	step(&b, turn());
	cr_assert(!b.out.look_valid && !b.out.issue && !b.out.drop && !b.out.busy);
}

static void decided(struct prefetch_unit_in in, int why, const char *what)
{
	struct bench b = bench(4, 8);

	step(&b, miss(0, BASE, LOCALITY_NEXT_LINE));
	step(&b, in);
	cr_expect_eq(b.out.issue, why < 0, "%s", what);
	cr_expect_eq(b.out.drop, why >= 0, "%s", what);
	cr_expect(why < 0 || b.out.why == why, "%s: %u", what, b.out.why);
	step(&b, turn());
	cr_expect(!b.out.issue && !b.out.look_valid, "%s: nothing is tried again", what);
}

Test(prefetch_unit, drops_what_is_there_or_unknown_and_leaves_loads_what_the_thresholds_say)
{
	decided(turn(), -1, "one MSHR entry and one slot more than are left to loads");
	decided((struct prefetch_unit_in){.look_known = 1, .look_way = 1, .free_mshrs = 8, .free_queue = 9}, PREFETCH_SHORT, "8");
	decided((struct prefetch_unit_in){.look_known = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 2}, PREFETCH_SHORT, "2");
	decided((struct prefetch_unit_in){.look_known = 1, .look_way = 1, .look_dirty = 1, .free_mshrs = 9, .free_queue = 3},
		PREFETCH_SHORT, "a dirty line needs a slot of its own");
	decided((struct prefetch_unit_in){.look_known = 1, .look_way = 1, .look_dirty = 1, .free_mshrs = 9, .free_queue = 4}, -1,
		"and has it");
	decided((struct prefetch_unit_in){.look_known = 1, .free_mshrs = 9, .free_queue = 3}, PREFETCH_SHORT, "no way");
	decided((struct prefetch_unit_in){.look_known = 1, .look_there = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 3},
		PREFETCH_THERE, "there");
	decided((struct prefetch_unit_in){.look_there = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 3}, PREFETCH_UNKNOWN,
		"no page");
}

Test(prefetch_unit, keeps_lines_in_order_and_loses_what_finds_the_queue_full)
{
	for (uint32_t depth = 1; depth <= 16; depth += 5) {
		struct bench b = bench(4, depth);

		for (uint32_t i = 0; i < depth; i++) {
			step(&b, miss(0, BASE + i * 0x1000, LOCALITY_NEXT_LINE));
			cr_assert(b.out.acc_kept && !b.out.acc_lost);
		}
		step(&b, miss(0, BASE, LOCALITY_NEXT_LINE));
		cr_assert(!b.out.acc_kept && b.out.acc_lost);
		for (uint32_t i = 0; i < depth; i++) {
			step(&b, turn());
			cr_assert(b.out.issue);
			cr_assert_eq(b.out.look_line * LINE, BASE + i * 0x1000 + LINE);
		}
		step(&b, turn());
		cr_assert_not(b.out.issue);
	}
}

Test(prefetch_unit, nothing_moves_without_a_valid_input_when_it_is_not_busy)
{
	struct bench b = bench(4, 8);
	struct prefetch_unit before;
	struct prefetch_stimulus s;

	begin(&b, 1, 3);
	write(&b, 1, 0, 77);
	before = b.u;
	prefetch_stimulus_init(&s, &b.u.p, 5);
	for (unsigned i = 0; i < 200; i++) {
		struct prefetch_unit_in in = prefetch_stimulus_next(&s);

		in.acc_valid = in.cta_valid = in.wr_valid = 0;
		step(&b, in);
	}
	cr_assert_eq(memcmp(&before, &b.u, sizeof before), 0);
}

/* ---- against the rule written out ---- */

struct rule {
	struct prefetch_unit_params p;
	uint32_t distance[32][64];
	uint32_t held[32], tile[32][64]; /* CTAs on the SM, and their tiles */
	uint64_t queue[16];
	uint32_t waiting;
};

static uint32_t tiles_of(const struct rule *r, uint32_t entry)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->held[entry]; i++) {
		uint32_t k = 0;

		while (r->tile[entry][k] != r->tile[entry][i])
			k++;
		n += k == i;
	}
	return n;
}

/* The line that a miss leads to, in numbers of lines, which do not overflow; UINT64_MAX: none. */
static uint64_t leads_to(const struct rule *r, const struct prefetch_unit_in *in)
{
	uint64_t own = in->acc_addr / r->p.line, lines = in->acc_bound / r->p.line + (in->acc_bound % r->p.line != 0);
	uint32_t n = in->acc_entry < r->p.entries ? tiles_of(r, in->acc_entry) : 0;
	uint64_t distance = n ? r->distance[in->acc_entry][n - 1] : in->acc_distance, line;

	if (!in->acc_valid || !in->acc_missed || in->acc_prefetch % 3 == 0)
		return UINT64_MAX;
	line = own + (in->acc_prefetch == 1 ? 1 : (in->acc_addr % r->p.line + distance) / r->p.line);
	return line < lines && line != own ? line : UINT64_MAX;
}

static void follow(struct rule *r, const struct prefetch_unit_in *in)
{
	uint32_t e = in->cta_entry, i = 0;

	if (in->wr_valid && in->wr_entry < r->p.entries && in->wr_slot < r->p.tiles)
		r->distance[in->wr_entry][in->wr_slot] = in->wr_distance;
	if (!in->cta_valid || e >= r->p.entries)
		return;
	if (!in->cta_end) {
		r->tile[e][r->held[e]++] = in->cta_tile;
		return;
	}
	while (r->tile[e][i] != in->cta_tile)
		i++;
	r->tile[e][i] = r->tile[e][--r->held[e]];
}

static void check_step(struct rule *r, const struct prefetch_unit_in *in, const struct prefetch_unit_out *out)
{
	uint64_t line = leads_to(r, in);
	bool leads = line != UINT64_MAX, free = !in->acc_valid && !in->acc_wait;
	bool spare =
		in->look_way && in->free_mshrs >= r->p.spare_mshrs + 1 && in->free_queue >= r->p.spare_queue + 1 + in->look_dirty;

	cr_assert_eq(out->look_valid, r->waiting > 0);
	cr_assert(!r->waiting || out->look_line == r->queue[0]);
	cr_assert_eq(out->issue, r->waiting && free && in->look_known && !in->look_there && spare);
	cr_assert_eq(out->issue + out->drop, r->waiting && free);
	cr_assert_eq(out->acc_kept, leads && r->waiting < r->p.depth);
	cr_assert_eq(out->acc_lost, leads && r->waiting == r->p.depth);
	if (out->acc_kept)
		r->queue[r->waiting++] = line;
	if (out->issue || out->drop)
		memmove(r->queue, r->queue + 1, --r->waiting * sizeof r->queue[0]);
}

Test(prefetch_unit, random_steps_follow_the_rule)
{
	static const struct prefetch_unit_params shape[] = {
		{2, 1, 1, 8, 1, 2, 1, 0, 0},	     {5, 3, 4, 12, 12, 32, 3, 1023, 1023}, {16, 8, 32, 48, 32, 128, 8, 8, 2},
		{32, 64, 32, 64, 32, 128, 16, 3, 4}, {3, 5, 7, 33, 20, 16, 5, 1, 1},
	};
	static struct rule r;
	static struct bench b;
	unsigned issued = 0;

	for (unsigned k = 0; k < 5; k++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct prefetch_stimulus s;

			memset(&r, 0, sizeof r);
			r.p = shape[k];
			prefetch_unit_reset(&b.u, &shape[k]);
			prefetch_stimulus_init(&s, &shape[k], seed * 1001);
			for (unsigned i = 0; i < 4000; i++) {
				struct prefetch_unit_in in = prefetch_stimulus_next(&s);

				step(&b, in);
				check_step(&r, &in, &b.out);
				follow(&r, &in);
				issued += b.out.issue;
			}
			for (uint32_t e = 0; e < shape[k].entries; e++)
				cr_assert_eq(b.u.active[e], tiles_of(&r, e));
		}
	cr_assert_gt(issued, 500);
}

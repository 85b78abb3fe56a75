/* 434: an L1 that pins the lines of named buffers keeps them as the rule says, to the end of the timer; what is
 * expected is worked out by hand for set 0 of the gtx480's L1, 32 sets of 4 ways. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/l1_rig.h"
#include "support/program.h"

enum { HARD, SOFT, PLAIN, TIMER = 500, WAY = 32 * 128 };

struct bench {
	struct l1_rig rig;
	uint8_t pin[3];
	uint64_t cycle;
};

/* Lines that take their way at the miss, and sectors whose line takes it when they come. */
enum { LINES, SECTORS, KINDS };

static void bench_open(struct bench *b, int kind)
{
	static const char *const keys[KINDS][4] = {{"l1.pin.timer=500", NULL},
						   {"l1.pin.timer=500", "l1.sectors=4", "l1.allocate=fill", NULL}};
	struct buffer_pins pins = {.buffers = 3, .pin = b->pin};
	struct hw_binder golden;
	struct err e = {""};

	*b = (struct bench){.pin = {CACHE_HARD_PIN, CACHE_SOFT_PIN, CACHE_UNPINNED}, .cycle = 100};
	l1_rig_open(&b->rig, keys[kind]);
	golden = hw_golden_binder(&b->rig.arena);
	cr_assert_eq(l1_init_pins(&b->rig.l1, &b->rig.m, &pins, "sm0.l1", &golden, &e), 0, "%s", e.text);
}

static enum l1_result load(struct bench *b, uint16_t buffer, uint64_t n)
{
	struct l1_access a = l1_rig_load((buffer + 1u) * 0x1000000 + n * WAY, 1);

	a.buffer = buffer;
	return l1_access(&b->rig.l1, b->cycle++, &a);
}

/* Line n of the buffer, all in set 0: whether it was there; else it is now. */
static bool hits(struct bench *b, uint16_t buffer, uint64_t n)
{
	enum l1_result r = load(b, buffer, n);
	uint32_t served;

	if (r == L1_HIT)
		return true;
	cr_assert_eq(r, L1_MISS);
	l1_rig_reply(&b->rig, l1_rig_take(&b->rig), &served);
	return false;
}

static void bring(struct bench *b, uint16_t buffer, uint64_t from, uint64_t to)
{
	for (uint64_t n = from; n < to; n++)
		cr_assert_not(hits(b, buffer, n), "line %llu", (unsigned long long)n);
}

/* A working set of eight lines over four ways: with LRU each round would miss eight times. */
Test(l1_pins, three_of_four_hard_pinned_lines_survive_any_stream_of_their_buffer)
{
	struct bench b;

	for (int kind = LINES; kind < KINDS; kind++) {
		bench_open(&b, kind);
		bring(&b, HARD, 0, 8);
		for (unsigned round = 0; round < 3; round++) {
			for (uint64_t n = 1; n < 4; n++)
				cr_assert(hits(&b, HARD, n), "line %llu", (unsigned long long)n);
			bring(&b, HARD, 4, 8); /* through way 0 */
		}
		cr_assert_eq(b.rig.l1.replacement.full, 4 + 3 * 4);
		cr_assert_eq(b.rig.l1.stats.hard_pins, 8 + 3 * 4);
		l1_rig_close(&b.rig);
	}
}

Test(l1_pins, lines_without_a_pin_leave_first_and_soft_pins_before_hard_ones)
{
	struct bench b;

	for (int kind = LINES; kind < KINDS; kind++) {
		bench_open(&b, kind);
		bring(&b, HARD, 0, 1);
		bring(&b, SOFT, 0, 2);
		bring(&b, PLAIN, 0, 1);
		bring(&b, PLAIN, 1, 5); /* all through one way */
		cr_assert(hits(&b, HARD, 0) && hits(&b, SOFT, 0) && hits(&b, SOFT, 1) && hits(&b, PLAIN, 4));
		bring(&b, SOFT, 2, 3); /* for the plain one */
		bring(&b, SOFT, 3, 4); /* for the older soft one */
		cr_assert(hits(&b, HARD, 0) && hits(&b, SOFT, 1) && hits(&b, SOFT, 2) && hits(&b, SOFT, 3));
		cr_assert_eq(b.rig.l1.stats.soft_pins, 4);
		l1_rig_close(&b.rig);
	}
}

/* The first pin is set in cycle 101: the load of cycle 100 takes its way in the block's second stage. A request in
 * cycle t sees what has ended by t. */
Test(l1_pins, the_timer_ends_pins_in_its_cycle)
{
	struct bench b;

	for (int late = 0; late < 2; late++) {
		bench_open(&b, LINES);
		bring(&b, HARD, 0, 4);
		cr_assert(hits(&b, HARD, 0)); /* line 1 is the oldest, in way 1 */
		b.cycle = 101 + TIMER - 1 + (uint64_t)late;
		bring(&b, PLAIN, 0, 1);
		cr_assert_eq(load(&b, HARD, 0) == L1_HIT, late, "cycle %d after the timer's: way 0, or the oldest", late - 1);
		l1_rig_close(&b.rig);
	}
}

Test(l1_pins, a_launch_begins_without_lines_and_pins)
{
	struct bench b;

	for (int kind = LINES; kind < KINDS; kind++) {
		bench_open(&b, kind);
		bring(&b, HARD, 0, 4);
		l1_at(&b.rig.l1, b.cycle);
		l1_invalidate(&b.rig.l1);
		bring(&b, PLAIN, 0, 4);
		bring(&b, PLAIN, 4, 5);
		cr_assert(hits(&b, PLAIN, 1));
		cr_assert_not(hits(&b, PLAIN, 0));
		l1_rig_close(&b.rig);
	}
}

/* ---- names of buffers ---- */

static void names(const char *hard, const char *soft, const char *said)
{
	static const char *const name[] = {"A", "B", "AB"};
	struct machine m = {.l1.replacement = REPLACE_PIN};
	struct buffer_pins p;
	struct arena a = {0};
	struct err e = {""};

	snprintf(m.l1.pin.hard, sizeof m.l1.pin.hard, "%s", hard);
	snprintf(m.l1.pin.soft, sizeof m.l1.pin.soft, "%s", soft);
	cr_assert_eq(buffer_pins_init(&p, &a, &m, name, 3, &e), said ? -1 : 0, "%s", e.text);
	cr_assert_str_eq(e.text, said ? said : "");
	if (!said) {
		cr_assert_eq(buffer_pins_of(&p, 0), CACHE_SOFT_PIN);
		cr_assert_eq(buffer_pins_of(&p, 1), CACHE_HARD_PIN);
		cr_assert_eq(buffer_pins_of(&p, 2), CACHE_HARD_PIN);
		cr_assert_eq(buffer_pins_of(&p, UINT16_MAX), CACHE_UNPINNED, "of no buffer");
	}
	arena_free(&a);
}

Test(l1_pins, are_by_the_buffers_names)
{
	names("AB+B", "A", NULL);
	names("A+C", "none", "l1.pin.hard: the program has no buffer \"C\"");
	names("none", "", "l1.pin.soft: the program has no buffer \"\"");
	names("A", "B+A", "l1.pin.soft: buffer \"A\" is pinned already");
	names("A+", "none", "l1.pin.hard: the program has no buffer \"\"");
}

Test(l1_pins, an_option_that_names_no_buffer_of_the_program_gets_one_line)
{
	struct program p = program_run("locus run vectoradd --size test --l1-pin buffers:soft=nope");

	cr_assert(program_is_clean_error(&p));
	cr_assert_str_eq(p.err, "locus: l1.pin.soft: the program has no buffer \"nope\"\n");
	program_free(&p);
}

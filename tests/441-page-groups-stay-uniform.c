/* 441: frames of physical memory. Whatever is taken and returned, in whatever order: a group has one mode at every
 * moment, and no two bytes in use are at one location of one stack. The locations are worked out here from coda (4.1)
 * and ldesc (4.6, 6.2): k = log2(stacks) bits of the address name the stack, the others, closed up, the location in it;
 * under XOR the others are folded onto the stack's. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "vm/frames.h"
#include "support/random.h"

enum { BLOCK_BITS = 7 /* the finest spread: base bit 7 */, MAX_LIVE = 4096 };

static const uint8_t modes[] = {MODE_FGP, MODE_CGP, 7, 8, 9, 10, 11, 12, 13, 14, 15, MODE_BIT_16, MODE_XOR};
enum { N_MODES = sizeof modes };

struct shape {
	uint32_t k, page_bits; /* log2 of stacks, of a page */
	uint64_t groups;
};

/* The lowest of the stack's bits. FGP has the highest bits of the page offset. */
static uint32_t lowest_bit(const struct shape *s, uint8_t mode)
{
	if (mode == MODE_FGP)
		return s->page_bits - s->k;
	if (mode == MODE_CGP)
		return s->page_bits;
	return mode == 2 ? 16 : mode == 3 ? 8 : mode;
}

/* The location of an address, as one number: its stack above its address in the stack. */
static uint64_t location_of(const struct shape *s, uint8_t mode, uint64_t addr)
{
	uint32_t b = lowest_bit(s, mode);
	uint64_t stacks = UINT64_C(1) << s->k, stack = (addr >> b) % stacks;
	uint64_t local = addr >> (b + s->k) << b | (addr & ((UINT64_C(1) << b) - 1));

	for (uint64_t left = addr >> b >> s->k; mode == MODE_XOR && s->k && left; left >>= s->k)
		stack ^= left % stacks;
	return stack * (s->groups << s->page_bits) + local;
}

struct live {
	uint64_t frame;
	uint8_t mode;
};

static uint64_t take(struct frames *f, uint64_t *seed, uint8_t mode)
{
	if (mode == MODE_FGP)
		return frames_take_fine(f);
	if (mode == MODE_CGP)
		return frames_take_coarse(f, (uint32_t)random_below(seed, f->stacks));
	return frames_take_new(f, mode, random_below(seed, frames_group_size(f, mode)));
}

/* Frames of one group (as many as there are stacks) agree; no frame is in use twice. */
static void check_uniform(const struct shape *s, const struct live *live, uint32_t n, uint64_t frames)
{
	uint8_t *of_group = malloc(s->groups), *seen = calloc(frames, 1);

	memset(of_group, 0xff, s->groups);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *m = &of_group[live[i].frame >> s->k];

		cr_assert_lt(live[i].frame, frames);
		cr_assert_eq(seen[live[i].frame]++, 0, "frame %lu is in use twice", live[i].frame);
		cr_assert(*m == 0xff || *m == live[i].mode, "group %lu has modes %u and %u", live[i].frame >> s->k, *m,
			  live[i].mode);
		*m = live[i].mode;
	}
	free(of_group);
	free(seen);
}

static void check_locations(const struct shape *s, const struct live *live, uint32_t n)
{
	uint64_t bytes = s->groups << (s->page_bits + s->k);
	uint8_t *taken = calloc(bytes >> BLOCK_BITS, 1);

	for (uint32_t i = 0; i < n; i++)
		for (uint64_t at = 0; at < UINT64_C(1) << s->page_bits; at += 1 << BLOCK_BITS) {
			uint64_t location = location_of(s, live[i].mode, (live[i].frame << s->page_bits) + at);

			cr_assert_lt(location, bytes);
			cr_assert_eq(taken[location >> BLOCK_BITS]++, 0,
				     "two pages are at one location of a stack (frame %lu, mode %u)", live[i].frame, live[i].mode);
		}
	free(taken);
}

static void hammer(const struct shape *s, uint64_t seed)
{
	struct arena a = {0};
	struct frames f;
	struct live *live = malloc(MAX_LIVE * sizeof *live);
	uint32_t n = 0, refused = 0;

	frames_init(&f, &a, 1u << s->k, UINT64_C(1) << s->page_bits, s->groups << s->page_bits);
	for (uint32_t step = 0; step < 4800; step++) {
		bool filling = step / 800 % 2 == 0;

		if (n && random_below(&seed, 8) >= (filling ? 6 : 2)) {
			uint32_t i = (uint32_t)random_below(&seed, n);

			cr_assert_eq(frames_mode(&f, live[i].frame), live[i].mode);
			frames_give(&f, live[i].frame);
			live[i] = live[--n];
		} else if (n < MAX_LIVE) {
			uint8_t mode = modes[random_below(&seed, random_below(&seed, 2) ? 2 : N_MODES)];
			uint64_t frame = take(&f, &seed, mode);

			refused += frame == FRAMES_NONE;
			if (frame != FRAMES_NONE)
				live[n++] = (struct live){frame, mode};
		}
		check_uniform(s, live, n, s->groups << s->k);
		if (step % 200 == 199)
			check_locations(s, live, n);
	}
	cr_assert_gt(refused, 0, "memory was never full: too large for a test");
	while (n)
		frames_give(&f, live[--n].frame);
	for (uint64_t g = 0; g < f.groups; g++)
		cr_assert_eq(f.mode[g], FRAMES_FREE);
	cr_assert_eq(f.converted, f.returned);
	free(live);
	arena_free(&a);
}

Test(groups, are_uniform_and_free_of_aliases_whatever_is_taken_and_returned)
{
	static const struct shape shapes[] = {{0, 12, 100}, {1, 12, 64}, {2, 12, 32}, {3, 12, 32}, {4, 12, 16},
					      {2, 16, 12},  {3, 16, 8},	 {2, 21, 6},  {5, 12, 16}};

	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			hammer(&shapes[i], seed * 77 + i);
}

/* Figure 6 of coda: an FGP and a CGP frame of one group fall on one another. So the check above can fail. */
Test(groups, that_are_mixed_have_aliases)
{
	const struct shape s = {2, 12, 4};

	/* Frame 0 as FGP has its first KiB at 0 of stack 0; frame 0 as CGP has all of its own there. Frame 1 as FGP has
	 * 1 KiB from 1 KiB on in every stack. */
	cr_assert_eq(location_of(&s, MODE_FGP, 0x1000), location_of(&s, MODE_CGP, 0x0400));
	cr_assert_eq(location_of(&s, MODE_FGP, 0x1400), location_of(&s, MODE_CGP, 0x1400));
}

Test(groups, change_their_mode_only_when_none_of_their_frames_is_in_use)
{
	struct arena a = {0};
	struct frames f;
	uint64_t fine[8], n = 0;

	frames_init(&f, &a, 4, 4096, 2 * 4096); /* two groups of four frames */
	for (n = 0; n < 5; n++)
		fine[n] = frames_take_fine(&f);
	cr_assert_eq(fine[4], 4, "a group is filled before the next one is opened");
	cr_assert_eq(frames_take_coarse(&f, 3), FRAMES_NONE, "seven eighths of the frames are free, but no group is");
	for (n = 0; n < 3; n++) {
		frames_give(&f, fine[n]);
		cr_assert_eq(frames_take_coarse(&f, 3), FRAMES_NONE);
	}
	frames_give(&f, fine[3]);
	cr_assert_eq(frames_take_coarse(&f, 3), 3, "the group of frames 0..3 has become one of CGP, stack 3's frame is its last");
	cr_assert_eq(frames_take_fine(&f), 5, "FGP goes on in its own group");
	cr_assert_eq(frames_take_coarse(&f, 3), FRAMES_NONE, "each stack has one frame of a group");
	cr_assert_eq(frames_take_coarse(&f, 0), 0);
	arena_free(&a);
}

/* Base bit b: 2^(b + k) bytes agree. With 4 KB pages and 4 stacks bit 13 binds 8 pages, bit 16 binds 64; bits up to 12
 * bind the four of a group. */
Test(groups, of_base_bits_are_as_large_as_their_bits_reach)
{
	struct arena a = {0};
	struct frames f;

	frames_init(&f, &a, 4, 4096, 64 * 4096);
	for (uint8_t b = 7; b <= 12; b++)
		cr_assert_eq(frames_group_size(&f, b), 4);
	cr_assert_eq(frames_group_size(&f, MODE_XOR), 4, "the bits that are taken out are 9 and 8");
	cr_assert_eq(frames_group_size(&f, 13), 8);
	cr_assert_eq(frames_group_size(&f, 15), 32);
	cr_assert_eq(frames_group_size(&f, MODE_BIT_16), 64);
	cr_assert_eq(frames_take_fine(&f), 0);
	cr_assert_eq(frames_take_new(&f, 13, 5), 8 + 5, "the first free aligned group of eight");
	cr_assert(frames_take_this(&f, 13, 8));
	cr_assert_not(frames_take_this(&f, 13, 13), "it is in use");
	cr_assert_eq(frames_take_coarse(&f, 2), 4 + 2, "the free group of four between them");
	arena_free(&a);
}

/* 442: the page table as whoever walks it by hand finds it in the byte store; where each placement puts a page; what a
 * page that is mapped at a tick looks like at this tick and after; what is said when memory is full. */
#include <criterion/criterion.h>
#include <string.h>

#include "vm/pages.h"
#include "support/at_tick.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)

static struct pages pages_of(struct arena *a, uint32_t stacks, uint64_t page, uint64_t stack_bytes, uint8_t placement)
{
	struct pages_params params = {.stacks = stacks, .page = page, .stack_bytes = stack_bytes, .placement = placement};
	struct pages p;

	pages_init(&p, a, &params);
	return p;
}

static void drop(struct pages *p, struct arena *a)
{
	pages_free(p);
	arena_free(a);
}

/* ---- the tree, walked by hand: 48 bits of address, 9 a level from the top, 8 bytes an entry ---- */

static uint64_t walk(const struct pages *p, uint64_t addr, uint32_t page_bits, unsigned *levels)
{
	uint64_t node = p->root, entry = 1;

	*levels = 0;
	for (unsigned high = 48; high > page_bits && entry & 1; ++*levels) {
		unsigned low = high - page_bits > 9 ? high - 9 : page_bits;

		entry = bytes_read64(&p->bytes, node + (addr >> low & ((1u << (high - low)) - 1)) * 8);
		node = entry & ~UINT64_C(0xff);
		high = low;
	}
	return entry;
}

Test(pages, are_found_by_a_walk_from_the_root)
{
	static const struct {
		uint64_t page;
		unsigned bits, levels;
	} sizes[] = {{4 * KB, 12, 4}, {64 * KB, 16, 4}, {2 * MB, 21, 3}};

	for (unsigned i = 0; i < 3; i++) {
		struct arena a = {0};
		struct pages p = pages_of(&a, 1, sizes[i].page, 256 * MB, PAGES_INTERLEAVED);
		const uint64_t base[] = {0x10000000, UINT64_C(0x7ffff0000000), UINT64_C(0xffffff000000)};
		struct err e = {""};
		unsigned levels;

		cr_assert_eq(p.levels, sizes[i].levels);
		for (unsigned b = 0; b < 3; b++) {
			struct pages_range r = {.name = "x", .base = base[b] + 100, .size = 3 * sizes[i].page};

			cr_assert_eq(pages_add(&p, &r, &e), 0, "%s", e.text);
			for (uint64_t at = base[b]; at < r.base + r.size; at += sizes[i].page / 4) {
				struct pages_at got;
				uint64_t entry = walk(&p, at, sizes[i].bits, &levels);

				cr_assert(entry & 1);
				cr_assert_eq(levels, sizes[i].levels);
				cr_assert(pages_translate(&p, at + 7, at_tick(0), &got));
				cr_assert_eq(got.addr, (entry & ~UINT64_C(0xff)) + (at + 7) % sizes[i].page);
				cr_assert_eq(got.mode, entry >> 1 & 15);
			}
			cr_assert_not(walk(&p, base[b] - 1, sizes[i].bits, &levels) & 1);
			cr_assert_not(walk(&p, base[b] + 4 * sizes[i].page, sizes[i].bits, &levels) & 1);
		}
		cr_assert_eq(p.mapped, 3 * 4, "three pages and what the 100 bytes push into the fourth");
		drop(&p, &a);
	}
}

/* ---- placements ---- */

static uint64_t entry_of(const struct pages *p, uint64_t addr)
{
	return pages_lookup(p, addr >> p->page_bits, TIME_NEVER);
}

/* CGP: the stack is the lowest bits of the frame's number. */
static unsigned stack_of(const struct pages *p, uint64_t addr)
{
	uint64_t entry = entry_of(p, addr);

	cr_assert(pages_entry_present(entry));
	cr_assert_eq(pages_entry_mode(entry), MODE_CGP);
	return (unsigned)(pages_entry_addr(entry) >> p->page_bits) % p->p.stacks;
}

Test(pages, go_where_their_placement_says)
{
	static const uint16_t list[] = {2, 2, 0, 3, 1, 2};
	struct arena a = {0};
	struct pages p = pages_of(&a, 4, 4 * KB, 4 * MB, PAGES_INTERLEAVED);
	const struct pages_range fine = {.name = "fine", .base = 0x100000, .size = 20 * KB, .placement = PAGES_INTERLEAVED},
				 by_page = {.name = "by page", .base = 0x202000, .size = 40 * KB, .placement = PAGES_BY_PAGE},
				 fixed = {.name = "static",
					  .base = 0x300800,
					  .size = 20 * KB + 1,
					  .placement = PAGES_STATIC,
					  .stack = list},
				 touched = {.name = "touched", .base = 0x400000, .size = 16 * KB, .placement = PAGES_FIRST_TOUCH};
	struct err e = {""};

	cr_assert_eq(pages_add(&p, &fine, &e) | pages_add(&p, &by_page, &e) | pages_add(&p, &fixed, &e) |
			     pages_add(&p, &touched, &e),
		     0, "%s", e.text);
	for (unsigned i = 0; i < 5; i++)
		cr_assert_eq(pages_entry_mode(entry_of(&p, 0x100000 + i * 4 * KB)), MODE_FGP);
	for (unsigned i = 0; i < 10; i++)
		cr_assert_eq(stack_of(&p, 0x202000 + i * 4 * KB), (0x202 + i) % 4);
	for (unsigned i = 0; i < 6; i++)
		cr_assert_eq(stack_of(&p, 0x300000 + i * 4 * KB), list[i]);
	cr_assert_eq(entry_of(&p, 0x400000), 0, "it waits for its first touch");
	for (unsigned i = 0; i < 4; i++) {
		cr_assert(pages_needs_stack(&p, 0x400 + i));
		cr_assert_eq(pages_touch(&p, 0x400 + i, (i * 3 + 1) % 4, at_tick(10 + i), &e), 0, "%s", e.text);
		cr_assert_eq(stack_of(&p, 0x400000 + i * 4 * KB), (i * 3 + 1) % 4);
		cr_assert_eq(pages_touch(&p, 0x400 + i, 0, at_tick(10 + i), &e), 0, "a second touch changes nothing");
		cr_assert_eq(stack_of(&p, 0x400000 + i * 4 * KB), (i * 3 + 1) % 4);
	}
	cr_assert_eq(p.on_stack[2], 3 + 3 + 1);
	cr_assert_eq(p.frames.used[MODE_CGP], 10 + 6 + 4);
	cr_assert_eq(p.frames.used[MODE_FGP], 5 + p.table_frames);
	drop(&p, &a);
}

/* The bits that name the stack must be those of the virtual address, and neighbours must stay neighbours in the
 * group. */
Test(pages, of_a_base_bit_keep_the_address_bits_up_to_the_stacks)
{
	for (uint8_t bit = 7; bit <= 16; bit++) {
		struct arena a = {0};
		struct pages p = pages_of(&a, 8, 4 * KB, 8 * MB, PAGES_INTERLEAVED);
		const struct pages_range r[] = {
			{.name = "before", .base = 0x100000, .size = 12 * KB, .placement = PAGES_INTERLEAVED},
			{.name = "x", .base = 0x123456, .size = 700 * KB, .placement = PAGES_BASE_BIT, .base_bit = bit},
			{.name = "y", .base = 0x123456 + 700 * KB, .size = 9 * KB, .placement = PAGES_BASE_BIT, .base_bit = bit}};
		uint64_t last = 0x123456 + 709 * KB, keep = UINT64_C(1) << (bit + 3);
		struct err e = {""};

		for (unsigned i = 0; i < 3; i++)
			cr_assert_eq(pages_add(&p, &r[i], &e), 0, "%s", e.text);
		for (uint64_t at = 0x123456; at < last; at += 999) {
			struct pages_at got;

			cr_assert(pages_translate(&p, at, at_tick(0), &got));
			cr_assert_eq(got.mode, bit == 16 ? 2 : bit);
			cr_assert_eq(got.addr % keep, at % keep, "bit %u: 0x%lx is at 0x%lx", bit, at, got.addr);
		}
		cr_assert_eq(p.shared, 1, "the page in which x ends and y begins");
		drop(&p, &a);
	}
}

Test(pages, under_the_hash_keep_the_address_bits_up_to_the_stacks)
{
	struct arena a = {0};
	struct pages p = pages_of(&a, 32, 4 * KB, 4 * MB, PAGES_INTERLEAVED);
	const struct pages_range x = {.name = "x", .base = 0x123456, .size = 300 * KB, .placement = PAGES_XOR};
	struct err e = {""};

	cr_assert_eq(pages_add(&p, &x, &e), 0, "%s", e.text);
	for (uint64_t at = x.base; at < x.base + x.size; at += 999) {
		struct pages_at got;

		cr_assert(pages_translate(&p, at, at_tick(0), &got));
		cr_assert_eq(got.mode, MODE_XOR);
		cr_assert_eq(got.addr % 8192, at % 8192, "bits 12 to 8 are a granule's in turn, over two pages");
	}
	cr_assert_eq(p.by_mode[MODE_XOR], 76);
	drop(&p, &a);
}

/* Pages 0x403 .. 0x415 in aligned blocks of eight: the touch of 0x40a maps 0x408 .. 0x40f, that of 0x414 what there is
 * of the last block, that of 0x403 the end of the first. None is seen at the tick itself. */
Test(pages, of_a_block_are_placed_by_the_first_touch_of_any_of_them)
{
	static const struct {
		uint64_t page, first, last;
		uint32_t stack;
	} touch[] = {{0x40a, 0x408, 0x40f, 2}, {0x414, 0x410, 0x415, 1}, {0x403, 0x403, 0x407, 3}};
	struct arena a = {0};
	struct pages p = pages_of(&a, 4, 4 * KB, 4 * MB, PAGES_INTERLEAVED);
	const struct pages_range before = {.name = "w", .base = 0x400000, .size = 12 * KB, .placement = PAGES_FIRST_TOUCH},
				 x = {.name = "x",
				      .base = 0x403000,
				      .size = 19 * 4 * KB,
				      .placement = PAGES_FIRST_TOUCH,
				      .together = 32 * KB};
	struct err e = {""};
	uint64_t mapped = 0;

	cr_assert_eq(pages_add(&p, &before, &e) | pages_add(&p, &x, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(pages_touch(&p, touch[i].page, touch[i].stack, at_tick(10 + i), &e), 0, "%s", e.text);
		mapped += touch[i].last - touch[i].first + 1;
		cr_assert_eq(p.mapped, mapped);
		for (uint64_t page = touch[i].first; page <= touch[i].last; page++) {
			cr_assert_eq(pages_lookup(&p, page, at_tick(10 + i)), 0);
			cr_assert_eq(stack_of(&p, page * 4 * KB), touch[i].stack);
		}
	}
	cr_assert_eq(entry_of(&p, 0x402000), 0, "the range before it is placed on its own");
	cr_assert_eq(pages_touch(&p, 0x402, 0, at_tick(20), &e), 0, "%s", e.text);
	cr_assert_eq(p.mapped, mapped + 1, "a page at a time");
	drop(&p, &a);
}

Test(pages, that_two_ranges_share_go_where_the_first_one_says)
{
	static const uint16_t three[] = {3, 3, 3};
	struct arena a = {0};
	struct pages p = pages_of(&a, 4, 4 * KB, MB, PAGES_INTERLEAVED);
	const struct pages_range x = {.name = "x", .base = 0x10000, .size = 5000, .placement = PAGES_STATIC, .stack = three},
				 y = {.name = "y", .base = 0x10000 + 5000, .size = 100, .placement = PAGES_FIRST_TOUCH},
				 z = {.name = "z", .base = 0x10000 + 5100, .size = 4096, .placement = PAGES_BY_PAGE};
	struct err e = {""};

	cr_assert_eq(pages_add(&p, &x, &e) | pages_add(&p, &y, &e) | pages_add(&p, &z, &e), 0, "%s", e.text);
	cr_assert_eq(stack_of(&p, 0x11000), 3);
	cr_assert_not(pages_needs_stack(&p, 0x11));
	cr_assert_eq(stack_of(&p, 0x12000), 0x12 % 4);
	cr_assert_eq(p.shared, 2);
	drop(&p, &a);
}

/* ---- time ---- */

/* At the tick at which a page is mapped, everybody still sees what was there before, whoever was stepped first. */
Test(pages, are_seen_after_the_tick_at_which_they_are_mapped)
{
	struct arena a = {0};
	struct pages p = pages_of(&a, 1, 4 * KB, 16 * MB, PAGES_FIRST_TOUCH);
	const uint64_t x = UINT64_C(0x123456789), near = x ^ 1, far = x ^ 1 << 9, other = x ^ UINT64_C(1) << 35;
	struct err e = {""};

	cr_assert_eq(pages_depth(&p, x, at_tick(100)), 0, "only the root is there, without an entry");
	cr_assert_eq(pages_touch(&p, x, 0, at_tick(100), &e), 0, "%s", e.text);
	cr_assert_eq(pages_depth(&p, x, at_tick(100)), 0);
	cr_assert_eq(pages_depth(&p, near, at_tick(100)), 0);
	cr_assert_eq(pages_lookup(&p, x, at_tick(100)), 0);
	cr_assert_eq(pages_depth(&p, x, at_tick(101)), 4);
	cr_assert_eq(pages_depth(&p, near, at_tick(101)), 3, "it has the same nodes and no entry in the last");
	cr_assert_eq(pages_depth(&p, far, at_tick(101)), 2);
	cr_assert_eq(pages_depth(&p, other, at_tick(101)), 0);
	cr_assert_eq(pages_touch(&p, far, 0, at_tick(200), &e), 0, "%s", e.text);
	cr_assert_eq(pages_touch(&p, near, 0, at_tick(200), &e), 0, "%s", e.text);
	cr_assert_eq(pages_depth(&p, x, at_tick(200)), 4);
	cr_assert_eq(pages_depth(&p, near, at_tick(200)), 3);
	cr_assert_eq(pages_depth(&p, far, at_tick(200)), 2);
	cr_assert_eq(pages_depth(&p, far ^ 1, at_tick(200)), 2, "the node that far brought is new too");
	cr_assert_eq(pages_depth(&p, far ^ 1, at_tick(201)), 3);
	cr_assert_eq(pages_depth(&p, near, at_tick(201)), 4);
	drop(&p, &a);
}

/* ---- errors ---- */

static void refused(uint32_t stacks, uint64_t stack_bytes, struct pages_range r, const char *want)
{
	struct arena a = {0};
	struct pages p = pages_of(&a, stacks, 4 * KB, stack_bytes, PAGES_INTERLEAVED);
	struct err e = {""};

	cr_assert_eq(pages_add(&p, &r, &e), -1);
	cr_assert_str_eq(e.text, want);
	drop(&p, &a);
}

Test(pages, that_find_no_room_end_the_run_with_a_reason)
{
	uint16_t ones[300];

	for (unsigned i = 0; i < 300; i++)
		ones[i] = 1;
	refused(4, MB, (struct pages_range){.name = "big", .base = 0x100000, .size = 5 * MB},
		"no page group of 4 stacks of 1 MiB (vm.stack_mib) is left for big");
	refused(2, MB,
		(struct pages_range){
			.name = "big", .base = 0x100000, .size = 260 * 4 * KB, .placement = PAGES_STATIC, .stack = ones},
		"stack 1 of 1 MiB (vm.stack_mib) is full: no room for big");
	refused(1, MB, (struct pages_range){.name = "high", .base = UINT64_C(1) << 48, .size = 1},
		"high is at 0x1000000000000..0x1000000000000: with vm.enabled addresses have 48 bits");
}

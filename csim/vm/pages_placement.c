/* Where a page goes. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/panic.h"
#include "base/region.h"
#include "vm/pages_impl.h"

int pages_no_room(const struct pages *p, const char *what, uint32_t stack, struct err *e)
{
	uint64_t mib = p->p.stack_bytes >> 20;

	if (stack == PAGES_FGP_ANYWHERE)
		return err_set(e, "no page group of %u stacks of %" PRIu64 " MiB (vm.stack_mib) is left for %s", p->p.stacks, mib,
			       what);
	return err_set(e, "stack %u of %" PRIu64 " MiB (vm.stack_mib) is full: no room for %s", stack, mib, what);
}

const struct pages_range *pages_range_of(const struct pages *p, uint64_t page)
{
	uint32_t low = 0, high = p->n_ranges;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (pages_number(p, p->range[mid].base + p->range[mid].size - 1) < page)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->n_ranges && pages_number(p, p->range[low].base) <= page ? &p->range[low] : NULL;
}

/* A frame whose low address bits are the page's, for a mode by which these choose the stack: in the group that a
 * neighbour of the page has, or in a new one. */
static uint64_t aligned_frame(struct pages *p, uint64_t page, uint8_t mode)
{
	uint64_t n = frames_group_size(&p->frames, mode), first = page / n * n;

	for (uint64_t other = first; other < first + n; other++) {
		uint64_t entry = pages_lookup(p, other, TIME_NEVER), frame;

		if (!pages_entry_present(entry) || pages_entry_mode(entry) != mode)
			continue;
		frame = (pages_entry_addr(entry) >> p->page_bits) - (other - first) + (page - first);
		if (!frames_take_this(&p->frames, mode, frame))
			panic("pages", page, "the frame of a page with stack bits of its own is in use");
		return frame;
	}
	return frames_take_new(&p->frames, mode, page - first);
}

static int place(struct pages *p, uint64_t page, const struct pages_range *r, uint32_t stack, struct err *e)
{
	uint8_t where = r ? r->placement : p->p.placement, mode = MODE_CGP;
	uint64_t frame;

	switch (where) {
	case PAGES_INTERLEAVED:
		mode = MODE_FGP;
		frame = frames_take_fine(&p->frames);
		break;
	case PAGES_BASE_BIT:
		mode = page_mode_of_bit(r->base_bit);
		frame = aligned_frame(p, page, mode);
		break;
	case PAGES_XOR:
		mode = MODE_XOR;
		frame = aligned_frame(p, page, mode);
		break;
	case PAGES_BY_PAGE:
		stack = (uint32_t)(page % p->p.stacks);
		frame = frames_take_coarse(&p->frames, stack);
		break;
	case PAGES_STATIC:
		stack = r->stack[page - pages_number(p, r->base)];
		frame = frames_take_coarse(&p->frames, stack);
		break;
	default:
		frame = pages_touched_frame(p, r, page, stack);
	}
	if (frame == FRAMES_NONE)
		return pages_no_room(p, r ? r->name : "a page outside of all buffers",
				     mode == MODE_CGP ? stack : PAGES_FGP_ANYWHERE, e);
	return pages_map(p, page, frame, mode, e);
}

static int check_range(const struct pages *p, const struct pages_range *r, struct err *e)
{
	uint64_t last = r->base + r->size - 1;

	PANIC_UNLESS(p->n_ranges == 0 || p->range[p->n_ranges - 1].base <= r->base, "pages", r->base);
	PANIC_UNLESS(r->placement != PAGES_STATIC || r->stack, "pages", r->base);
	PANIC_UNLESS(r->placement != PAGES_BASE_BIT || (r->base_bit >= PAGE_BASE_LOW && r->base_bit <= PAGE_BASE_HIGH), "pages",
		     r->base);
	if (last < r->base || last >> PAGES_ADDRESS_BITS)
		return err_set(e, "%s is at 0x%" PRIx64 "..0x%" PRIx64 ": with vm.enabled addresses have %u bits", r->name, r->base,
			       last, PAGES_ADDRESS_BITS);
	return 0;
}

int pages_add(struct pages *p, const struct pages_range *r, struct err *e)
{
	uint64_t first = pages_number(p, r->base), last = pages_number(p, r->base + r->size - 1);

	if (r->size == 0)
		return 0;
	if (check_range(p, r, e) != 0)
		return -1;
	if (p->n_ranges == p->cap_ranges) {
		p->cap_ranges = p->cap_ranges ? 2 * p->cap_ranges : 16;
		p->range =
			region_grow(p->arena->region, p->range, p->n_ranges * sizeof *p->range, p->cap_ranges * sizeof *p->range);
	}
	p->range[p->n_ranges] = *r;
	if (r->data && r->placement == PAGES_FIRST_TOUCH && p->p.origin)
		p->range[p->n_ranges].of = arena_array(p->arena, last - first + 1, sizeof *r->of);
	for (uint64_t page = first; page <= last; page++) {
		/* The range before this one decides over a page that both have. */
		if (p->n_ranges && pages_range_of(p, page)) {
			p->shared++;
			continue;
		}
		if (p->range[p->n_ranges].of && pages_take_origin(p, &p->range[p->n_ranges], page, e) != 0)
			return -1;
		if (r->placement != PAGES_FIRST_TOUCH && place(p, page, r, 0, e) != 0)
			return -1;
	}
	p->n_ranges++;
	return 0;
}

bool pages_needs_stack(const struct pages *p, uint64_t page)
{
	const struct pages_range *r = pages_range_of(p, page);

	return (r ? r->placement : p->p.placement) == PAGES_FIRST_TOUCH;
}

static int touch_page(struct pages *p, uint64_t page, const struct pages_range *r, uint32_t stack, struct ticks now, struct err *e)
{
	uint32_t depth = pages_depth(p, page, TIME_NEVER);

	if (depth == p->levels)
		return 0;
	pages_born(p, page, depth, now);
	return place(p, page, r, stack, e);
}

int pages_touch(struct pages *p, uint64_t page, uint32_t stack, struct ticks now, struct err *e)
{
	const struct pages_range *r = pages_range_of(p, page);
	uint64_t n = r && r->placement == PAGES_FIRST_TOUCH ? r->together >> p->page_bits : 0, first = n ? page / n * n : page;

	if (pages_too_wide(p, page))
		return err_set(e, "an access to 0x%" PRIx64 ": with vm.enabled addresses have %u bits", page << p->page_bits,
			       PAGES_ADDRESS_BITS);
	if (touch_page(p, page, r, stack, now, e) != 0)
		return -1;
	for (uint64_t other = first; other < first + n; other++)
		if (other != page && pages_range_of(p, other) == r && touch_page(p, other, r, stack, now, e) != 0)
			return -1;
	return 0;
}

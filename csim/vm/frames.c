#include "vm/frames.h"

#include "base/panic.h"

void frames_init(struct frames *f, struct arena *a, uint32_t stacks, uint64_t page, uint64_t stack_bytes)
{
	PANIC_UNLESS(stacks && !(stacks & (stacks - 1)) && page && !(page & (page - 1)) && stack_bytes % page == 0, "frames", 0);
	*f = (struct frames){
		.stacks = stacks,
		.stack_bits = (uint32_t)__builtin_ctz(stacks),
		.page_bits = (uint32_t)__builtin_ctzll(page),
		.groups = stack_bytes / page,
	};
	f->mode = arena_array(a, f->groups, sizeof *f->mode);
	for (uint64_t g = 0; g < f->groups; g++)
		f->mode[g] = FRAMES_FREE;
	f->in_use = arena_array(a, f->groups, sizeof *f->in_use);
	f->taken = arena_array(a, (f->groups * stacks + 63) / 64, sizeof *f->taken);
	f->coarse = arena_array(a, stacks, sizeof *f->coarse);
}

uint64_t frames_group_size(const struct frames *f, uint8_t mode)
{
	uint32_t bits = page_mode_has_bit(mode) ? page_mode_bit(mode) + f->stack_bits : 0;
	uint64_t frames = bits > f->page_bits ? UINT64_C(1) << (bits - f->page_bits) : 1;

	return f->stacks == 1 || frames < f->stacks ? f->stacks : frames;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The groups from the first one on, `n` of them, which are free, get a mode. */
static void convert(struct frames *f, uint64_t first, uint64_t n, uint8_t mode)
{
	for (uint64_t g = first; g < first + n; g++)
		f->mode[g] = mode;
	f->converted += n;
	if (f->top < first + n)
		f->top = first + n;
	if (mode == MODE_FGP)
		f->fine = smaller(f->fine, first);
	for (uint32_t s = 0; mode == MODE_CGP && s < f->stacks; s++)
		f->coarse[s] = smaller(f->coarse[s], first);
}

static uint64_t take(struct frames *f, uint64_t frame)
{
	PANIC_UNLESS(!frames_is_taken(f, frame), "frames", frame);
	f->taken[frame / 64] |= UINT64_C(1) << frame % 64;
	f->in_use[frame >> f->stack_bits]++;
	f->used[frames_mode(f, frame)]++;
	return frame;
}

/* The lowest free group; `groups` if there is none. */
static uint64_t free_group(struct frames *f)
{
	while (f->free < f->groups && f->mode[f->free] != FRAMES_FREE)
		f->free++;
	return f->free;
}

uint64_t frames_take_fine(struct frames *f)
{
	uint64_t g, frame;

	while (f->fine < f->top && (f->mode[f->fine] != MODE_FGP || f->in_use[f->fine] == f->stacks))
		f->fine++;
	g = f->fine;
	if (g >= f->top) {
		g = free_group(f);
		if (g == f->groups)
			return FRAMES_NONE;
		convert(f, g, 1, MODE_FGP);
	}
	for (frame = g << f->stack_bits; frames_is_taken(f, frame);)
		frame++;
	return take(f, frame);
}

uint64_t frames_take_coarse(struct frames *f, uint32_t stack)
{
	uint64_t *at = &f->coarse[stack], g;

	PANIC_UNLESS(stack < f->stacks, "frames", stack);
	while (*at < f->top && (f->mode[*at] != MODE_CGP || frames_is_taken(f, *at << f->stack_bits | stack)))
		++*at;
	g = *at;
	if (g >= f->top) {
		g = free_group(f);
		if (g == f->groups)
			return FRAMES_NONE;
		convert(f, g, 1, MODE_CGP);
	}
	return take(f, g << f->stack_bits | stack);
}

static bool all_free(const struct frames *f, uint64_t first, uint64_t n)
{
	for (uint64_t g = first; g < first + n; g++)
		if (f->mode[g] != FRAMES_FREE)
			return false;
	return true;
}

uint64_t frames_take_new(struct frames *f, uint8_t mode, uint64_t at)
{
	uint64_t n = frames_group_size(f, mode) >> f->stack_bits;

	PANIC_UNLESS(page_mode_has_bit(mode) && at < n << f->stack_bits, "frames", mode);
	for (uint64_t g = free_group(f) / n * n; g + n <= f->groups; g += n) {
		if (!all_free(f, g, n))
			continue;
		convert(f, g, n, mode);
		return take(f, (g << f->stack_bits) + at);
	}
	return FRAMES_NONE;
}

bool frames_take_this(struct frames *f, uint8_t mode, uint64_t frame)
{
	PANIC_UNLESS(frame >> f->stack_bits < f->groups && frames_mode(f, frame) == mode, "frames", frame);
	if (frames_is_taken(f, frame))
		return false;
	take(f, frame);
	return true;
}

/* The groups that share the frame's mode get free if none of their frames is in use any more. */
static void give_groups(struct frames *f, uint64_t frame, uint8_t mode)
{
	uint64_t n = frames_group_size(f, mode) >> f->stack_bits, first = (frame >> f->stack_bits) / n * n;

	for (uint64_t g = first; g < first + n; g++)
		if (f->in_use[g])
			return;
	for (uint64_t g = first; g < first + n; g++)
		f->mode[g] = FRAMES_FREE;
	f->returned += n;
	f->free = smaller(f->free, first);
}

void frames_give(struct frames *f, uint64_t frame)
{
	uint64_t g = frame >> f->stack_bits;
	uint8_t mode = frames_mode(f, frame);

	PANIC_UNLESS(mode != FRAMES_FREE && frames_is_taken(f, frame), "frames", frame);
	f->taken[frame / 64] &= ~(UINT64_C(1) << frame % 64);
	f->in_use[g]--;
	f->used[mode]--;
	if (mode == MODE_FGP)
		f->fine = smaller(f->fine, g);
	if (mode == MODE_CGP)
		f->coarse[frame & (f->stacks - 1)] = smaller(f->coarse[frame & (f->stacks - 1)], g);
	give_groups(f, frame, mode);
}

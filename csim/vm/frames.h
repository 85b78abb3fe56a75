/* Physical memory as frames and page groups.
 *
 * A frame is a page's worth of physical addresses. How its bytes are spread over the stacks is its mode
 * (vm/page_mode.h):
 *     FGP        finely: the stack is in bits of the page offset, so a frame has a part in every stack
 *     CGP        coarsely: the stack is in the lowest bits of the frame number, so a frame is in one stack
 *     base bit b the stack is in bits [b + log2(stacks) - 1 : b] of the address
 *     XOR        the stack is in all bits from 8 on; those that are taken out are those of base bit 8
 * The stack bits are taken out of the address and the rest is the offset in the stack, so frames of different modes
 * could fall on one another. They do not where neighbours agree: a *group* of N = stacks frames (or 2^(b + log2 N)
 * bytes, if those are more frames than N) has one mode, and gets another one only when none of its frames is in use.
 * Physical memory is cut into such groups, aligned; a mode whose group is larger than N takes several groups at once
 * and gives them back together.
 *
 * The lowest frame that fits is taken: first of the groups that have the mode, then of the lowest free group. So runs
 * repeat.
 *
 * Source: coda, sections 4.1 and 4.2 ("each block of N contiguous pages must uniformly be configured"); ldesc 4.6 (base
 * bits); docs/explanation/virtual-memory.md.
 */
#ifndef CSIM_VM_FRAMES_H
#define CSIM_VM_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "vm/page_mode.h"

#define FRAMES_NONE UINT64_MAX

enum { FRAMES_FREE = 0xff /* the mode of a group that has none */ };

struct frames {
	uint32_t stacks, stack_bits; /* a power of two, its log2 */
	uint32_t page_bits;
	uint64_t groups;	      /* of `stacks` frames each */
	uint64_t top;		      /* groups that were ever in use are below */
	uint8_t *mode;		      /* by group: enum addr_mode, or FRAMES_FREE */
	uint32_t *in_use;	      /* by group: frames */
	uint64_t *taken;	      /* a bit a frame */
	uint64_t *coarse;	      /* by stack: no CGP group below has that stack's frame free */
	uint64_t fine;		      /* no FGP group below has a free frame */
	uint64_t free;		      /* no group below is free */
	uint64_t used[PAGE_MODES];    /* frames in use, by mode */
	uint64_t converted, returned; /* groups that got a mode, that were returned */
};

/* stacks: a power of two; page: bytes, a power of two above every FGP stack bit; stack_bytes: a multiple of the
 * page. */
void frames_init(struct frames *f, struct arena *a, uint32_t stacks, uint64_t page, uint64_t stack_bytes);

/* Each takes a frame and returns its number, or FRAMES_NONE: there is none, and nothing has changed. */
uint64_t frames_take_fine(struct frames *f);
uint64_t frames_take_coarse(struct frames *f, uint32_t stack);
/* The `at`-th frame of a free group for `mode`, a base bit or XOR, which becomes one of that mode:
 * at < frames_group_size(). */
uint64_t frames_take_new(struct frames *f, uint8_t mode, uint64_t at);
/* This very frame, whose group has the mode already; false: it is in use. */
bool frames_take_this(struct frames *f, uint8_t mode, uint64_t frame);

/* Gives a frame back; a group without frames in use loses its mode. */
void frames_give(struct frames *f, uint64_t frame);

/* Frames that must have one mode, if it is this one: at least `stacks`. */
uint64_t frames_group_size(const struct frames *f, uint8_t mode);

static inline uint8_t frames_mode(const struct frames *f, uint64_t frame)
{
	return f->mode[frame >> f->stack_bits];
}

static inline bool frames_is_taken(const struct frames *f, uint64_t frame)
{
	return f->taken[frame / 64] >> frame % 64 & 1;
}

#endif

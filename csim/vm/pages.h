/* Page tables, and where the pages of a program go.
 *
 * The page table is a radix tree that is in physical memory (vm/byte_store.h), in nodes of up to 512 entries of 8
 * bytes, the root on top; a virtual address has PAGES_ADDRESS_BITS bits. With pages of 4 KB there are four levels of 9
 * bits, with 64 KB three of 9 and one of 5, with 2 MB three of 9. An entry is
 *     bit 0       present
 *     bits 4..1   mode of the page (vm/page_mode.h); 0 above the last level
 *     bits 63..8  physical address of the page or of the next node, its low 8 bits 0
 * The hardware that walks the tree, with timing, is vm/mmu.h; pages_translate() looks without time.
 *
 * A *range* of the address space has a placement, which says where a page of it goes:
 *     interleaved   spread finely over all stacks (FGP)
 *     pages         page i of the address space to stack i mod stacks (CGP)
 *     first touch   to the stack that the touch names (CGP): such a page is mapped by the first touch, and with it, if
 *                   the range says so, its neighbours in an aligned block of pages
 *     static        to the stack that a list names, by page (CGP)
 *     base bit      the stack is in chosen bits of the address
 *     XOR           the stack is a hash of the address
 * Data of a range that waits for its first touch may have an *origin*: frames that hold them until then, in all stacks
 * or in page i mod stacks. Such a page is mapped once its data have been moved (vm/pager.h, vm/mover.h); a page whose
 * toucher has them in its stack already keeps its frame.
 *
 * All other pages are mapped before the run, in address order, and those of no range when they are touched, by the
 * default placement. A page that several ranges share goes where the first of them wants it.
 *
 * Time. Pages that are mapped in a run are mapped by one component (vm/pager.h) at a tick, and nobody sees them at this
 * very tick: pages_depth() says what was in the tree *before* a tick, so that the order in which components are stepped
 * changes nothing.
 *
 * Source: coda, section 4.2; the shape of the tree, the entry and its bits are ours
 * (docs/explanation/virtual-memory.md).
 */
#ifndef CSIM_VM_PAGES_H
#define CSIM_VM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ticks.h"
#include "base/err.h"
#include "vm/byte_store.h"
#include "vm/frames.h"

enum { PAGES_ADDRESS_BITS = 48, PAGES_LEVEL_BITS = 9, PAGES_MAX_LEVELS = 4, PAGES_ENTRY_BYTES = 8 };
enum pages_placement { PAGES_INTERLEAVED, PAGES_BY_PAGE, PAGES_FIRST_TOUCH, PAGES_STATIC, PAGES_BASE_BIT, PAGES_XOR };
enum pages_origin { PAGES_ORIGIN_NONE, PAGES_ORIGIN_INTERLEAVED, PAGES_ORIGIN_BY_PAGE };

struct pages_range {
	const char *name; /* for messages; must stay */
	uint64_t base, size;
	enum pages_placement placement;
	uint8_t base_bit;      /* PAGES_BASE_BIT: PAGE_BASE_LOW .. PAGE_BASE_HIGH */
	uint32_t together;     /* PAGES_FIRST_TOUCH: bytes of the block, a power of two; less than a page: a page */
	const uint16_t *stack; /* PAGES_STATIC: by page, from that of `base` on; must stay */
	bool data;	       /* it holds data before the run (with an origin, below) */
	struct pages_data *of; /* by page: made by pages_add, if its data have an origin */
};

struct pages_data {	 /* frames, FRAMES_NONE: none */
	uint64_t origin; /* where the page's data are until its first touch has moved them */
	uint64_t target; /* where they are being moved to */
};

struct pages_params {
	uint32_t stacks;		/* a power of two */
	uint64_t page;			/* bytes: 4 KB, 64 KB or 2 MB */
	uint64_t stack_bytes;		/* a multiple of the page */
	enum pages_placement placement; /* default placement: interleaved, by page, or first touch */
	enum pages_origin origin;	/* of ranges with data, before first touches */
};

struct pages_birth { /* a page that was mapped at the tick `born_at`, and how many levels of its path had been there
		      * before */
	uint64_t page;
	uint32_t depth;
};

struct pages {
	struct pages_params p;
	struct arena *arena;
	struct frames frames;
	struct bytes bytes;
	uint32_t page_bits, levels;
	uint8_t shift[PAGES_MAX_LEVELS], bits[PAGES_MAX_LEVELS]; /* of the page number: where a level's index is */
	uint64_t root;						 /* physical address of the root */
	uint64_t node_next, node_end;				 /* room for nodes in the last frame that was taken for
								  * them */
	struct pages_range *range;				 /* ascending, they do not overlap by page */
	uint32_t n_ranges, cap_ranges;

	struct ticks born_at;
	struct pages_birth *birth;
	uint32_t n_births, cap_births;

	uint64_t mapped, table_frames, node_bytes, shared; /* pages; the tree's frames, bytes; pages that a second range
							    * wanted */
	uint64_t origins, targets;			   /* frames that hold data of pages that are not mapped; that
							    * wait for them */
	uint64_t *on_stack;				   /* CGP pages, by stack */
	uint64_t by_mode[PAGE_MODES];			   /* pages */
};

/* What an entry of the last level says. */
struct pages_at {
	uint64_t addr; /* physical */
	uint8_t mode;
};

#define PAGES_PRESENT UINT64_C(1)
static inline bool pages_entry_present(uint64_t entry)
{
	return entry & PAGES_PRESENT;
}
static inline uint64_t pages_entry_addr(uint64_t entry)
{
	return entry & ~UINT64_C(0xff);
}
static inline uint8_t pages_entry_mode(uint64_t entry)
{
	return (uint8_t)(entry >> 1 & 15);
}

/* A tree with a root alone. */
void pages_init(struct pages *p, struct arena *a, const struct pages_params *params);
void pages_free(struct pages *p); /* what the arena does not hold */

/* Adds a range; ranges are added in ascending order of their bases. Maps its pages unless they wait for the first
 * touch. */
int pages_add(struct pages *p, const struct pages_range *r, struct err *e);

/* Maps the page if it is not mapped, and what is placed together with it; `stack` is where the toucher wants it if its
 * placement is first touch. */
int pages_touch(struct pages *p, uint64_t page, uint32_t stack, struct ticks now, struct err *e);
bool pages_needs_stack(const struct pages *p, uint64_t page); /* whether pages_touch would ask for it */

struct pages_move {
	uint64_t page, from, to;	     /* physical addresses */
	uint8_t from_mode, to_mode, zero[6]; /* zero: no padding, which would keep what was on a stack */
};

/* Whether the first touch of a page that is not mapped has data to move to `stack`. STAYS: no; pages_touch() maps it.
 * MOVES: *m says what; its frame is taken, and pages_moved() is due when the data are there. MOVING: it has been
 * told. */
enum pages_motion { PAGES_STAYS, PAGES_MOVES, PAGES_MOVING, PAGES_NO_ROOM /* e says why */ };
enum pages_motion pages_move(struct pages *p, uint64_t page, uint32_t stack, struct pages_move *m, struct err *e);
int pages_moved(struct pages *p, uint64_t page, struct ticks now, struct err *e); /* maps it; its origin is free */

static inline uint64_t pages_number(const struct pages *p, uint64_t addr)
{
	return addr >> p->page_bits;
}

/* How many levels of the page's path was there before tick `now`; all of them: it was mapped. */
uint32_t pages_depth(const struct pages *p, uint64_t page, struct ticks now);

/* The physical address of the page's entry in a node of `level` (0: the root), which is at `node`. */
static inline uint64_t pages_entry_in(const struct pages *p, uint64_t node, uint64_t page, uint32_t level)
{
	return node + (page >> p->shift[level] & ((UINT64_C(1) << p->bits[level]) - 1)) * PAGES_ENTRY_BYTES;
}

/* The entry of the last level: PAGES_PRESENT | mode | address; 0: not mapped before `now`. */
uint64_t pages_lookup(const struct pages *p, uint64_t page, struct ticks now);

/* A virtual address's physical one and its mode; false: its page was not mapped before `now`. */
bool pages_translate(const struct pages *p, uint64_t addr, struct ticks now, struct pages_at *at);

#endif

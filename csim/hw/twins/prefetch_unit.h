/* Decides what an L1 fetches ahead of its loads, by data structure (ldesc, section 4.5).
 *
 * A load that has missed on a data structure triggers one prefetch: of the next line, or of the line a distance on.
 * The distance is the shorter the more of the structure's tiles are active, that is, have a CTA on this SM: a table,
 * written when the launch begins, has it for 1, 2 .. active tiles. What would be behind the structure's end, or in the
 * line that has just missed, is not prefetched.
 *
 *   access -> target -> queue -> (the cache looks the line up) -> issued, or dropped
 *   a CTA begins, a CTA ends -> residents by tile -> active tiles -> distance
 *
 * Accesses go first. A prefetch is decided in a cycle in which no access has the cache's port and none waits for a
 * resource of it; the line that waits at the front of the queue is shown to the cache, which says what it knows of it:
 *     its page is not known                                        dropped, PREFETCH_UNKNOWN
 *     the line is there, or on its way                             dropped, PREFETCH_THERE
 *     no way of its set can be taken, or an MSHR entry or a slot
 *     of the miss queue more would leave too few for loads         dropped, PREFETCH_SHORT
 *     else                                                         issued
 * Nothing is tried again. An access never waits for this block: one that finds the queue full triggers nothing.
 *
 * Tiles. For each structure there are as many slots as the SM holds CTAs, and a slot has a tile and its resident
 * CTAs. A resident CTA is in one tile of a structure, so there are never more active tiles than slots: the count is
 * exact. It is told of each CTA and structure, one a cycle. While no tile of a structure is active the distance is
 * that which comes with the access (the locality table's).
 *
 * Timing: what an access triggers waits from the next cycle on. A CTA event or a write counts from the next cycle on.
 * look_valid, look_line and busy depend on registers alone, all other outputs on inputs of their cycle too.
 * Source: ldesc, section 4.5 (what is fetched); queue, thresholds and the slots are our design. RTL:
 * rtl/prefetch_unit/prefetch_unit.v; docs/reference/hardware/prefetch-unit.md.
 */
#ifndef CSIM_HW_TWINS_PREFETCH_UNIT_H
#define CSIM_HW_TWINS_PREFETCH_UNIT_H

#include "hw/port.h"
#include "hw/twins/locality_entry.h"

enum { PREFETCH_UNIT_MAX_ENTRIES = 32, PREFETCH_UNIT_MAX_TILES = 64, PREFETCH_UNIT_MAX_DEPTH = 16, PREFETCH_UNIT_FREE_W = 11 };
enum { PREFETCH_UNIT_MAX_SLOTS = PREFETCH_UNIT_MAX_ENTRIES * PREFETCH_UNIT_MAX_TILES };

/* Why a line is dropped. */
enum prefetch_unit_why { PREFETCH_UNKNOWN, PREFETCH_THERE, PREFETCH_SHORT };

/*        type      name         in the RTL   default */
#define PREFETCH_UNIT_PARAMS(PARAM)                                                                                                \
	PARAM(uint32_t, entries, ENTRIES, 16)	     /* structures: those of the locality table, 2 to 32 */                        \
	PARAM(uint32_t, tiles, TILES, 8)	     /* active ones of a structure: CTAs that an SM holds, 1 to 64 */              \
	PARAM(uint32_t, tile_w, TILE_W, 32)	     /* bits of a tile's number, 1 to 32 */                                        \
	PARAM(uint32_t, addr_w, ADDR_W, 48)	     /* bits of an address, 8 to 64 */                                             \
	PARAM(uint32_t, dist_w, DIST_W, 32)	     /* bits of a distance, 1 to 32, at most addr_w */                             \
	PARAM(uint32_t, line, LINE, 128)	     /* bytes, a power of two, 2 to 128 */                                         \
	PARAM(uint32_t, depth, DEPTH, 8)	     /* lines that can wait, 1 to 16 */                                            \
	PARAM(uint32_t, spare_mshrs, SPARE_MSHRS, 8) /* MSHR entries left to loads, 0 to 1023 */                                   \
	PARAM(uint32_t, spare_queue, SPARE_QUEUE, 2) /* entries of the miss queue left to loads, 0 to 1023 */

#define PREFETCH_UNIT_INPUTS(SCALAR, VECTOR)                                                                                       \
	SCALAR(uint8_t, acc_valid, 1)	 /* an access has the cache's port, */                                                     \
	SCALAR(uint8_t, acc_missed, 1)	 /* a load that brings its line in; what is said of its structure: */                      \
	SCALAR(uint8_t, acc_prefetch, 2) /* enum locality_prefetch */                                                              \
	SCALAR(uint32_t, acc_entry, prefetch_unit_bits(p->entries))                                                                \
	SCALAR(uint64_t, acc_addr, p->addr_w)                                                                                      \
	SCALAR(uint64_t, acc_bound, p->addr_w)	  /* the first address behind it */                                                \
	SCALAR(uint32_t, acc_distance, p->dist_w) /* while no tile is active */                                                    \
	SCALAR(uint8_t, acc_wait, 1)		  /* an access waits for a resource */                                             \
	SCALAR(uint8_t, look_known, 1)		  /* of look_line: its page is known, */                                           \
	SCALAR(uint8_t, look_there, 1)		  /* it is in the cache or on its way, */                                          \
	SCALAR(uint8_t, look_way, 1)		  /* a way of its set can be taken, */                                             \
	SCALAR(uint8_t, look_dirty, 1)		  /* whose line needs a packet of its own */                                       \
	SCALAR(uint32_t, free_mshrs, PREFETCH_UNIT_FREE_W)                                                                         \
	SCALAR(uint32_t, free_queue, PREFETCH_UNIT_FREE_W)                                                                         \
	SCALAR(uint8_t, cta_valid, 1) /* a CTA begins or ends, in a tile of a structure */                                         \
	SCALAR(uint8_t, cta_end, 1)                                                                                                \
	SCALAR(uint32_t, cta_entry, prefetch_unit_bits(p->entries))                                                                \
	SCALAR(uint32_t, cta_tile, p->tile_w)                                                                                      \
	SCALAR(uint8_t, wr_valid, 1) /* a distance is written: for wr_slot + 1 active tiles */                                     \
	SCALAR(uint32_t, wr_entry, prefetch_unit_bits(p->entries))                                                                 \
	SCALAR(uint32_t, wr_slot, prefetch_unit_bits(p->tiles))                                                                    \
	SCALAR(uint32_t, wr_distance, p->dist_w)

#define PREFETCH_UNIT_OUTPUTS(SCALAR, VECTOR)                                                                                      \
	SCALAR(uint8_t, acc_kept, 1)   /* event: the access triggers a prefetch, which waits from now on */                        \
	SCALAR(uint8_t, acc_lost, 1)   /* event: it would, but the queue is full */                                                \
	SCALAR(uint8_t, look_valid, 1) /* a line waits: */                                                                         \
	SCALAR(uint64_t, look_line, p->addr_w - prefetch_unit_line_bits(p->line)) /* its number */                                 \
	SCALAR(uint8_t, issue, 1)						  /* event: it is fetched */                       \
	SCALAR(uint8_t, drop, 1)						  /* event: it is not, */                          \
	SCALAR(uint8_t, why, 2)							  /* enum prefetch_unit_why */                     \
	SCALAR(uint8_t, busy, 1) /* a line waits: step the block even without a valid input */

#define PREFETCH_UNIT_REGS(SCALAR, VECTOR)                                                                                         \
	/* by entry and slot */                                                                                                    \
	VECTOR(uint32_t, distance, PREFETCH_UNIT_MAX_SLOTS, p->entries * p->tiles, p->dist_w)                                      \
	VECTOR(uint32_t, tile, PREFETCH_UNIT_MAX_SLOTS, p->entries * p->tiles, p->tile_w)                                          \
	VECTOR(uint8_t, residents, PREFETCH_UNIT_MAX_SLOTS, p->entries * p->tiles, prefetch_unit_bits(p->tiles + 1))               \
	VECTOR(uint8_t, active, PREFETCH_UNIT_MAX_ENTRIES, p->entries, prefetch_unit_bits(p->tiles + 1))                           \
	SCALAR(uint32_t, waiting, prefetch_unit_bits(p->depth + 1)) /* lines in the queue, the oldest in slot 0 */                 \
	VECTOR(uint64_t, line, PREFETCH_UNIT_MAX_DEPTH, p->depth, p->addr_w - prefetch_unit_line_bits(p->line))

struct prefetch_unit_params {
	PREFETCH_UNIT_PARAMS(HW_MEMBER_PARAM)
};
struct prefetch_unit_in {
	HW_STRUCT(PREFETCH_UNIT_INPUTS)
};
struct prefetch_unit_out {
	HW_STRUCT(PREFETCH_UNIT_OUTPUTS)
};
struct prefetch_unit {
	HW_STRUCT(PREFETCH_UNIT_REGS)
	struct prefetch_unit_params p; /* not a register */
};

int prefetch_unit_params_check(const struct prefetch_unit_params *p, struct err *e);
void prefetch_unit_reset(struct prefetch_unit *s, const struct prefetch_unit_params *p);
/* The outputs before the edge. */
void prefetch_unit_eval(const struct prefetch_unit *s, const struct prefetch_unit_in *in, struct prefetch_unit_out *out);
/* The edge. */
void prefetch_unit_tick(struct prefetch_unit *s, const struct prefetch_unit_in *in);

extern const struct hw_block prefetch_unit_block;

HW_CLOCKED_PORT(prefetch_unit)

/* Bits of a number below n, at least one. */
static inline uint32_t prefetch_unit_bits(uint32_t n)
{
	return n > 2 ? 32 - (uint32_t)__builtin_clz(n - 1) : 1;
}

static inline uint32_t prefetch_unit_line_bits(uint32_t line)
{
	return (uint32_t)__builtin_ctz(line);
}

#endif

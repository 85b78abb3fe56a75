/* Tracks the values that the host program stores into primary arrays, an extent (minimum, maximum) a CTA: TAFE's
 * hardware (tafe, section 4.3).
 *
 *   store -> comparator table (2 stages) -> history buffer -> extent buffer -> extent table in memory
 *                 |                              |
 *           taf_register ...             inverse relation: which CTA reads this element
 *
 * The block is at the CPU core's store port, beside the cache. A store into a registered array becomes one element a
 * cycle (an 8-byte store into 4-byte elements becomes two). The history buffer holds the range of indices of one CTA;
 * an element in it goes on at once. Another one starts a search, one CTA (and iteration) a cycle, from where the last
 * search ended:
 *
 *   TID_DEP       index = m . (tid, ctaid) + c + i * ofs, 0 <= i < N; the attributes are read from the array's APD
 *                 entry, once, and the range of the next CTA follows from the last one's by an addition. A range covers
 *                 all threads of the CTA in one iteration i; all arithmetic wraps at 2^index_w.
 *   INDIR_RANGE   [min(t) + c_s, min(next valid CTA) + c_e), for the last CTA up to the array's end, from the extent
 *                 table of the array that holds the bounds (start = end array, CSR). A bound wraps at 2^index_w; a
 *                 range that ends before it starts is empty.
 *
 * After one full round over all CTAs the element is `unmatched`: it changes nothing, the history stays as it was.
 * The element's value then widens its CTA's extent in the extent buffer, which holds one line of the extent table: 7
 * extents of 9 bytes (valid, minimum, maximum; little endian), byte 63 zero; CTA t is in line t / 7 of the array's
 * table. Another line is read first, and the buffer written before that if it has changed. A value that does not fit
 * into index_w bits, or of which only a part is stored, makes the extent the whole range (`saturated`).
 *
 * Commands (the hardware's part of the API of Table 1) wait until the stores before them have ended and the extent
 * buffer is in memory: SETUP is taf_paramSetup, REGISTER fills an entry of the comparator table, READY and RESET free
 * it. Each also forgets history, attributes and buffer, so memory may be changed by others after it. Whose entry is
 * free, and that arrays do not overlap, is the runtime's to know.
 *
 * Memory: lines of 64 bytes, named by their number (address / 64). A read has one response, in a later cycle, with the
 * tag of its request (0: extent buffer, 1: inverse relation), of which each has one on its way at most; a write has
 * none. Requests to a line must take effect in their order. Responses are always taken.
 *
 * Assumed of the outside: stores are naturally aligned; bases are multiples of 8; an array has fewer than 2^index_w
 * elements; a valid input holds until it is taken; 1 <= ctas. All outputs depend on registers alone. RTL:
 * rtl/tafe/tafe_top.v and its three stages, whose registers have the prefixes cmp, inv, ext.
 */
#ifndef CSIM_HW_TAFE_TAFE_H
#define CSIM_HW_TAFE_TAFE_H

#include "hw/port.h"

enum { TAFE_MAX_ENTRIES = 8, TAFE_EXTENTS = 7 /* in a line */ };
enum tafe_op { TAFE_SETUP, TAFE_REGISTER, TAFE_READY, TAFE_RESET };
enum tafe_type { TAFE_TID_DEP, TAFE_INDIR_RANGE };
enum tafe_tag { TAFE_EXTENT, TAFE_INVERSE };
enum tafe_state { TAFE_IDLE, TAFE_REQUEST, TAFE_WAIT, TAFE_SPAN, TAFE_SCAN };

/* An APD entry, one line, as the inverse relation reads it: byte offsets. The rest is the runtime's. */
enum { TAFE_APD_C = 4, TAFE_APD_M = 32, TAFE_APD_N = 56, TAFE_APD_OFS = 60 };

/*        type      name     in the RTL  default */
#define TAFE_PARAMS(PARAM)                                                                                                         \
	PARAM(uint32_t, entries, ENTRIES, 2)  /* of the comparator table: 2, 4 or 8 */                                             \
	PARAM(uint32_t, addr_w, ADDR_W, 48)   /* bits of an address, 16 to 64 */                                                   \
	PARAM(uint32_t, index_w, INDEX_W, 32) /* bits of an index and of a value, 4 to 32 */                                       \
	PARAM(uint32_t, tb_w, TB_W, 31)	      /* bits of the number of CTAs, 4 to 31 */                                            \
	PARAM(uint32_t, block_w, BLOCK_W, 10) /* bits of a block dimension less one, 1 to 16 */

#define TAFE_INPUTS(SCALAR, VECTOR)                                                                                                \
	SCALAR(uint8_t, st_valid, 1)                                                                                               \
	SCALAR(uint64_t, st_addr, p->addr_w)                                                                                       \
	SCALAR(uint64_t, st_data, 64) /* the value in the low bits */                                                              \
	SCALAR(uint8_t, st_size, 2)   /* 1 << size bytes */                                                                        \
	SCALAR(uint8_t, cmd_valid, 1)                                                                                              \
	SCALAR(uint8_t, cmd_op, 2)			   /* enum tafe_op */                                                      \
	SCALAR(uint32_t, cmd_entry, tafe_log2(p->entries)) /* all but SETUP; what follows: REGISTER */                             \
	SCALAR(uint64_t, cmd_base, p->addr_w)		   /* first byte */                                                        \
	SCALAR(uint64_t, cmd_limit, p->addr_w)		   /* first byte behind it */                                              \
	SCALAR(uint8_t, cmd_size, 2)			   /* of an element: 1 << size bytes */                                    \
	SCALAR(uint8_t, cmd_type, 1)			   /* enum tafe_type */                                                    \
	SCALAR(uint64_t, cmd_extents, p->addr_w - 6)	   /* line where the array's extent table starts */                        \
	SCALAR(uint64_t, cmd_source, p->addr_w - 6)	   /* TID_DEP: line of the APD entry; else of nested extents */            \
	SCALAR(uint32_t, cmd_c_s, p->index_w)		   /* INDIR_RANGE: the two constants */                                    \
	SCALAR(uint32_t, cmd_c_e, p->index_w)                                                                                      \
	SCALAR(uint32_t, cmd_ctas, p->tb_w) /* SETUP: of the grid, */                                                              \
	SCALAR(uint32_t, cmd_grid_x, p->tb_w)                                                                                      \
	SCALAR(uint32_t, cmd_grid_y, p->tb_w)                                                                                      \
	VECTOR(uint16_t, cmd_block, 3, 3, p->block_w) /* and x, y, z of a block, less one */                                       \
	SCALAR(uint8_t, req_ready, 1)                                                                                              \
	SCALAR(uint8_t, rsp_valid, 1)                                                                                              \
	SCALAR(uint8_t, rsp_tag, 1)                                                                                                \
	VECTOR(uint64_t, rsp_data, 8, 8, 64)

#define TAFE_OUTPUTS(SCALAR, VECTOR)                                                                                               \
	SCALAR(uint8_t, st_ready, 1)                                                                                               \
	SCALAR(uint8_t, cmd_ready, 1)                                                                                              \
	SCALAR(uint8_t, req_valid, 1)                                                                                              \
	SCALAR(uint8_t, req_write, 1)                                                                                              \
	SCALAR(uint8_t, req_tag, 1)                                                                                                \
	SCALAR(uint64_t, req_line, p->addr_w - 6)                                                                                  \
	VECTOR(uint64_t, req_data, 8, 8, 64) /* of a write */                                                                      \
	SCALAR(uint8_t, ev_tracked, 1)	     /* events, to count: an element goes on to its CTA's extent; */                       \
	SCALAR(uint8_t, ev_miss, 1)	     /* one starts a search; */                                                            \
	SCALAR(uint8_t, ev_unmatched, 1)     /* one is dropped; */                                                                 \
	SCALAR(uint8_t, ev_saturated, 1)     /* the one that goes on makes its extent the whole range */                           \
	SCALAR(uint8_t, busy, 1)	     /* something is on its way: step the block even without a valid input */

#define TAFE_REGS(SCALAR, VECTOR)                                                                                                  \
	SCALAR(uint8_t, drain, 1) /* a command waits: no store is taken */                                                         \
	/* the comparator table, */                                                                                                \
	VECTOR(uint8_t, cmp__valid, TAFE_MAX_ENTRIES, p->entries, 1)                                                               \
	VECTOR(uint64_t, cmp__base, TAFE_MAX_ENTRIES, p->entries, p->addr_w)                                                       \
	VECTOR(uint64_t, cmp__limit, TAFE_MAX_ENTRIES, p->entries, p->addr_w)                                                      \
	VECTOR(uint8_t, cmp__size, TAFE_MAX_ENTRIES, p->entries, 2)                                                                \
	VECTOR(uint8_t, cmp__type, TAFE_MAX_ENTRIES, p->entries, 1)                                                                \
	VECTOR(uint64_t, cmp__extents, TAFE_MAX_ENTRIES, p->entries, p->addr_w - 6)                                                \
	VECTOR(uint64_t, cmp__source, TAFE_MAX_ENTRIES, p->entries, p->addr_w - 6)                                                 \
	VECTOR(uint32_t, cmp__c_s, TAFE_MAX_ENTRIES, p->entries, p->index_w)                                                       \
	VECTOR(uint32_t, cmp__c_e, TAFE_MAX_ENTRIES, p->entries, p->index_w)                                                       \
	SCALAR(uint8_t, cmp__first_valid, 1) /* its first stage: the store, */                                                     \
	SCALAR(uint64_t, cmp__first_addr, p->addr_w)                                                                               \
	SCALAR(uint64_t, cmp__first_data, 64)                                                                                      \
	SCALAR(uint8_t, cmp__first_size, 2)                                                                                        \
	SCALAR(uint8_t, cmp__second_valid, 1) /* and its second: the store and whose it is */                                      \
	SCALAR(uint32_t, cmp__second_entry, tafe_log2(p->entries))                                                                 \
	SCALAR(uint64_t, cmp__second_addr, p->addr_w)                                                                              \
	SCALAR(uint64_t, cmp__second_data, 64)                                                                                     \
	SCALAR(uint8_t, cmp__second_size, 2)                                                                                       \
	SCALAR(uint8_t, cmp__part, 3) /* element of the store */                                                                   \
	/* the inverse relation: the launch, */                                                                                    \
	SCALAR(uint32_t, inv__ctas, p->tb_w)                                                                                       \
	SCALAR(uint32_t, inv__grid_x, p->tb_w)                                                                                     \
	SCALAR(uint32_t, inv__grid_y, p->tb_w)                                                                                     \
	VECTOR(uint16_t, inv__block, 3, 3, p->block_w)                                                                             \
	SCALAR(uint8_t, inv__el_valid, 1) /* the element, */                                                                       \
	SCALAR(uint32_t, inv__el_entry, tafe_log2(p->entries))                                                                     \
	SCALAR(uint32_t, inv__el_index, p->index_w)                                                                                \
	SCALAR(uint32_t, inv__el_value, p->index_w)                                                                                \
	SCALAR(uint8_t, inv__el_saturated, 1)                                                                                      \
	SCALAR(uint8_t, inv__hist_valid, 1) /* history buffer: indices lo to lo + span of an array are that CTA's, */              \
	SCALAR(uint32_t, inv__hist_entry, tafe_log2(p->entries))                                                                   \
	SCALAR(uint32_t, inv__hist_lo, p->index_w)                                                                                 \
	SCALAR(uint32_t, inv__hist_span, p->index_w)                                                                               \
	SCALAR(uint32_t, inv__hist_group, p->tb_w - 2) /* CTA 7 * group + slot */                                                  \
	SCALAR(uint8_t, inv__hist_slot, 3)                                                                                         \
	SCALAR(uint8_t, inv__state, 3) /* the search: enum tafe_state, */                                                          \
	SCALAR(uint8_t, inv__held, 1)  /* it has what it needs of array `entry`; */                                                \
	SCALAR(uint32_t, inv__entry, tafe_log2(p->entries))                                                                        \
	SCALAR(uint32_t, inv__round, p->tb_w) /* CTAs tried since the miss; */                                                     \
	SCALAR(uint32_t, inv__tb, p->tb_w)    /* it is at CTA tb = 7 * group + slot, INDIR_RANGE: at its extent; */                \
	SCALAR(uint32_t, inv__group, p->tb_w - 2)                                                                                  \
	SCALAR(uint8_t, inv__slot, 3)                                                                                              \
	VECTOR(uint32_t, inv__word, 9, 9,                                                                                          \
	       p->index_w) /* TID_DEP: m, c less what threads subtract, ofs, N; else the minima of a line; */                      \
	SCALAR(uint32_t, inv__start, p->index_w) /* first index in iteration 0; else the minimum of the CTA before; */             \
	SCALAR(uint32_t, inv__row, p->index_w)	 /* TID_DEP: start of CTA (0, y, z), */                                            \
	SCALAR(uint32_t, inv__plane, p->index_w) /* of (0, 0, z), */                                                               \
	SCALAR(uint32_t, inv__span, p->index_w)	 /* last less first index, */                                                      \
	SCALAR(uint8_t, inv__dim, 2)		 /* the dimension of the block that is being added, */                             \
	SCALAR(uint32_t, inv__x, p->tb_w)	 /* ctaid, */                                                                      \
	SCALAR(uint32_t, inv__y, p->tb_w)                                                                                          \
	SCALAR(uint32_t, inv__iter, p->index_w)	 /* iteration, */                                                                  \
	SCALAR(uint32_t, inv__off, p->index_w)	 /* iter * ofs, */                                                                 \
	SCALAR(uint32_t, inv__tries, p->index_w) /* iterations of this CTA tried; */                                               \
	SCALAR(uint8_t, inv__line, 1)		 /* INDIR_RANGE: line `group` of the extents is here, */                           \
	SCALAR(uint8_t, inv__seen, 7)		 /* its valid bits, */                                                             \
	SCALAR(uint8_t, inv__own_valid, 1)	 /* the CTA before: the last one with an extent */                                 \
	SCALAR(uint32_t, inv__own_group, p->tb_w - 2)                                                                              \
	SCALAR(uint8_t, inv__own_slot, 3)                                                                                          \
	/* extent insertion: the value, */                                                                                         \
	SCALAR(uint8_t, ext__in_valid, 1)                                                                                          \
	SCALAR(uint32_t, ext__in_entry, tafe_log2(p->entries))                                                                     \
	SCALAR(uint32_t, ext__in_group, p->tb_w - 2)                                                                               \
	SCALAR(uint8_t, ext__in_slot, 3)                                                                                           \
	SCALAR(uint32_t, ext__in_value, p->index_w)                                                                                \
	SCALAR(uint8_t, ext__in_saturated, 1)                                                                                      \
	SCALAR(uint8_t, ext__wait, 1)  /* a line is being read */                                                                  \
	SCALAR(uint8_t, ext__valid, 1) /* the extent buffer */                                                                     \
	SCALAR(uint8_t, ext__dirty, 1)                                                                                             \
	SCALAR(uint64_t, ext__line, p->addr_w - 6)                                                                                 \
	SCALAR(uint8_t, ext__seen, 7)                                                                                              \
	VECTOR(uint32_t, ext__min, TAFE_EXTENTS, TAFE_EXTENTS, p->index_w)                                                         \
	VECTOR(uint32_t, ext__max, TAFE_EXTENTS, TAFE_EXTENTS, p->index_w)

struct tafe_params {
	TAFE_PARAMS(HW_MEMBER_PARAM)
};
struct tafe_in {
	HW_STRUCT(TAFE_INPUTS)
};
struct tafe_out {
	HW_STRUCT(TAFE_OUTPUTS)
};
struct tafe {
	HW_STRUCT(TAFE_REGS)
	struct tafe_params p; /* not a register */
};

int tafe_params_check(const struct tafe_params *p, struct err *e);
void tafe_reset(struct tafe *s, const struct tafe_params *p);
/* The outputs before the edge; they depend on the registers alone. */
void tafe_eval(const struct tafe *s, const struct tafe_in *in, struct tafe_out *out);
/* The edge. */
void tafe_tick(struct tafe *s, const struct tafe_in *in);

extern const struct hw_block tafe_block;

HW_CLOCKED_PORT(tafe)

/* Base-2 logarithm of a power of two. */
static inline uint32_t tafe_log2(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

#endif

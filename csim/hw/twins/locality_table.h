/* Which policy an access gets: the locality table of an SM.
 *
 * An entry stands for a data structure of the kernel that runs: the range of its addresses, a priority, and what the
 * caches do with its data (hw/twins/locality_entry.h). The address of an access is compared with all entries at once;
 * of those that match the one of the lowest priority number answers, of equal ones that of the lowest index. If none
 * matches the answer is the default: match 0 and all else 0.
 *
 *   write (index, entry) -> the entry, one a cycle
 *   look-up (address) -> compare with all entries -> answer, and behind it one more
 *
 * An answer can be taken in the cycle after its look-up; two can wait, so that a look-up a cycle goes through and
 * ready_o depends on registers alone. A look-up is answered by the entries as they are in its cycle: a write of the
 * same cycle comes behind it, and none changes an answer that waits. A write is always taken: there is no ready for
 * it.
 * Source: ldesc, sections 4.2, 4.4 and 4.5 (its text has no table: our design). RTL:
 * rtl/locality_table/locality_table.v; docs/reference/hardware/locality-table.md.
 */
#ifndef CSIM_HW_TWINS_LOCALITY_TABLE_H
#define CSIM_HW_TWINS_LOCALITY_TABLE_H

#include "hw/port.h"
#include "hw/twins/locality_entry.h"

enum { LOCALITY_TABLE_MAX = 32, LOCALITY_TABLE_ANSWERS = 2 };

/*        type      name     in the RTL  default */
#define LOCALITY_TABLE_PARAMS(PARAM)                                                                                               \
	PARAM(uint32_t, entries, ENTRIES, 16) /* 2 to 32 */                                                                        \
	PARAM(uint32_t, addr_w, ADDR_W, 48)   /* bits of an address, 8 to 64 */                                                    \
	PARAM(uint32_t, prio_w, PRIO_W, 8)    /* bits of a priority, 1 to 8 */                                                     \
	PARAM(uint32_t, dist_w, DIST_W, 32)   /* bits of a distance, 1 to 32 */

#define LOCALITY_TABLE_INPUTS(SCALAR, VECTOR)                                                                                      \
	SCALAR(uint8_t, wr_valid, 1)                                                                                               \
	SCALAR(uint32_t, wr_index, locality_table_index_w(p->entries)) /* beyond the last entry: nothing is written */             \
	SCALAR(uint8_t, wr_used, 1)				       /* 0: the entry matches nothing */                          \
	SCALAR(uint64_t, wr_base, p->addr_w)                                                                                       \
	SCALAR(uint64_t, wr_bound, p->addr_w)                                                                                      \
	SCALAR(uint32_t, wr_prio, p->prio_w)                                                                                       \
	SCALAR(uint8_t, wr_caching, 2)                                                                                             \
	SCALAR(uint8_t, wr_prefetch, 2)                                                                                            \
	SCALAR(uint32_t, wr_distance, p->dist_w)                                                                                   \
	SCALAR(uint8_t, look_valid, 1)                                                                                             \
	SCALAR(uint64_t, look_addr, p->addr_w)                                                                                     \
	SCALAR(uint8_t, ans_ready, 1)

#define LOCALITY_TABLE_OUTPUTS(SCALAR, VECTOR)                                                                                     \
	SCALAR(uint8_t, look_ready, 1)                                                                                             \
	SCALAR(uint8_t, ans_valid, 1)                                                                                              \
	SCALAR(uint8_t, ans_match, 1)                                                                                              \
	SCALAR(uint32_t, ans_index, locality_table_index_w(p->entries)) /* of the entry that answers */                            \
	SCALAR(uint8_t, ans_caching, 2)                                                                                            \
	SCALAR(uint8_t, ans_prefetch, 2)                                                                                           \
	SCALAR(uint32_t, ans_distance, p->dist_w)                                                                                  \
	SCALAR(uint64_t, ans_bound, p->addr_w)                                                                                     \
	SCALAR(uint8_t, busy, 1) /* an answer waits: step the block even without a valid input */

#define LOCALITY_TABLE_REGS(SCALAR, VECTOR)                                                                                        \
	VECTOR(uint8_t, used, LOCALITY_TABLE_MAX, p->entries, 1) /* the table */                                                   \
	VECTOR(uint64_t, base, LOCALITY_TABLE_MAX, p->entries, p->addr_w)                                                          \
	VECTOR(uint64_t, bound, LOCALITY_TABLE_MAX, p->entries, p->addr_w)                                                         \
	VECTOR(uint32_t, prio, LOCALITY_TABLE_MAX, p->entries, p->prio_w)                                                          \
	VECTOR(uint8_t, caching, LOCALITY_TABLE_MAX, p->entries, 2)                                                                \
	VECTOR(uint8_t, prefetch, LOCALITY_TABLE_MAX, p->entries, 2)                                                               \
	VECTOR(uint32_t, distance, LOCALITY_TABLE_MAX, p->entries, p->dist_w)                                                      \
	/* the answers that wait, oldest first */                                                                                  \
	VECTOR(uint8_t, ans_valid, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, 1)                                              \
	VECTOR(uint8_t, ans_match, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, 1)                                              \
	VECTOR(uint32_t, ans_index, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, locality_table_index_w(p->entries))            \
	VECTOR(uint8_t, ans_caching, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, 2)                                            \
	VECTOR(uint8_t, ans_prefetch, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, 2)                                           \
	VECTOR(uint32_t, ans_distance, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, p->dist_w)                                  \
	VECTOR(uint64_t, ans_bound, LOCALITY_TABLE_ANSWERS, LOCALITY_TABLE_ANSWERS, p->addr_w)

struct locality_table_params {
	LOCALITY_TABLE_PARAMS(HW_MEMBER_PARAM)
};
struct locality_table_in {
	HW_STRUCT(LOCALITY_TABLE_INPUTS)
};
struct locality_table_out {
	HW_STRUCT(LOCALITY_TABLE_OUTPUTS)
};
struct locality_table {
	HW_STRUCT(LOCALITY_TABLE_REGS)
	struct locality_table_params p; /* not a register */
};

int locality_table_params_check(const struct locality_table_params *p, struct err *e);
void locality_table_reset(struct locality_table *t, const struct locality_table_params *p);
/* The outputs before the edge; they depend on the registers alone. */
void locality_table_eval(const struct locality_table *t, const struct locality_table_in *in, struct locality_table_out *out);
/* The edge. */
void locality_table_tick(struct locality_table *t, const struct locality_table_in *in);

extern const struct hw_block locality_table_block;

HW_CLOCKED_PORT(locality_table)

/* Bits of an entry's index. */
static inline uint32_t locality_table_index_w(uint32_t entries)
{
	return 32 - (uint32_t)__builtin_clz(entries - 1);
}

#endif

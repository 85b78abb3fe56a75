/* From the addresses of a warp's memory instruction to what the memory system sees of it.
 *
 * Global, local, constant: one *transaction* per line that some lane touches, in the order of the lowest lane that
 * touches it (a lane that straddles lines touches the lower one first). A transaction knows its bytes and its lanes.
 * The unit is the whole warp, as on Fermi.
 *
 * Shared memory: the cycles that the banks need. A bank is 4 bytes wide and delivers one word a cycle to any number of
 * lanes (broadcast), so an access takes as many cycles as the busiest bank has distinct words. Accesses of 8 bytes a
 * lane go as two half warps and of 16 bytes as four quarter warps, one after another; a part without an active lane
 * takes no cycle.
 *
 * Affine addresses (trace/trace.h) that run along lines or stand still are handled a row at a time, without looking at
 * lanes.
 * Source: dwt-pric section 2 (128 B lines); CUDA C Programming Guide, compute capability 2.x (banks, half and quarter
 * warps).
 */
#ifndef CSIM_SM_LSU_COALESCE_H
#define CSIM_SM_LSU_COALESCE_H

#include <stdint.h>

#include "trace/trace.h"

/* Every lane may straddle a line. */
enum { COALESCE_MAX = 2 * TRACE_WARP_SIZE, COALESCE_MAX_LINE = 128, COALESCE_MAX_BANKS = 64 };

struct coalesce_tx {
	uint64_t line;	  /* byte address of the line's start */
	uint64_t mask[2]; /* bytes of the line, bit 0 of mask[0] = first byte */
	uint32_t lanes;	  /* lanes that touch it */
	uint32_t sync;	  /* as struct l1_access has it; 0 here */
};

/* a: the record of the instruction; lanes: the CTA's list that a->list points into (trace_cta.lanes; not read for the
 * affine form); mask: active lanes, not 0; width: bytes a lane, 1 to 16; line: bytes, a power of two from 16 to
 * COALESCE_MAX_LINE. Returns how many transactions are in out: 1 or more. */
uint32_t coalesce_lines(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t line,
			struct coalesce_tx out[COALESCE_MAX]);

/* Cycles of a shared-memory access; banks: up to COALESCE_MAX_BANKS. At least 1. */
uint32_t coalesce_bank_cycles(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t banks);

/* Bytes that a transaction touches. */
static inline uint32_t coalesce_bytes(const struct coalesce_tx *t)
{
	return (uint32_t)(__builtin_popcountll(t->mask[0]) + __builtin_popcountll(t->mask[1]));
}

#endif

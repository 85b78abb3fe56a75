/* The constant cache of one SM: a cache of the L1's kind that is only read (mem/l1.h), with small MSHRs of its own. Its packets
 * share the SM's network port with the L1's; their tokens carry L1_TOKEN_CONST, so that replies find the right cache.
 *
 *     core cycle: l1_reply(l1_reply_is_for_const(r) ? &cst : &l1, r, &n) ...   l1_access(&cst, ...)   l1_send(&cst, ...) or
 * l1_send(&l1, ...)
 *
 * Kernel parameters (ld.param) never come here: they always hit. Source: dwt-pric, Table 1 (8 KB, 64 B lines, 2 ways); MSHRs and
 * miss queue as in the GTX480 configuration of GPGPU-Sim 3.2.2 (2 entries of 64 merges, a queue of 4).
 */
#ifndef CSIM_MEM_CST_H
#define CSIM_MEM_CST_H

#include "mem/l1.h"

enum { CST_MSHR_ENTRIES = 2, CST_MSHR_MERGES = 64, CST_MISS_QUEUE = 4 };

void cst_init(struct l1 *c, struct arena *a, const struct machine *m, uint32_t sm, uint32_t buffers);

#endif

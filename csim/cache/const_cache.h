/* The constant cache of one SM: a cache of the L1's kind that is only read (cache/l1.h), with small MSHRs of its own.
 * Its packets share the SM's network port with the L1's; they say whose they are, so that replies find the right
 * cache.
 *
 *     core cycle: l1_reply(r->cache == REQ_OF_CONST ? &const_cache : &l1, r, &n) ...   l1_access(&const_cache, ...)
 *                 l1_send(&const_cache, ...) or l1_send(&l1, ...)
 *
 * Kernel parameters (ld.param) never come here: they always hit. Source: dwt-pric, Table 1 (8 KB, 64 B lines, 2 ways);
 * its MSHRs and miss queue are those of GPGPU-Sim 3's GTX480 configuration (`64:64:2,L:R:f:N,A:2:32,4`: 2 entries of 32
 * merges, a queue of 4).
 */
#ifndef CSIM_CACHE_CONST_CACHE_H
#define CSIM_CACHE_CONST_CACHE_H

#include "cache/l1.h"

void const_cache_init(struct l1 *c, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route,
		      uint32_t buffers);

#endif

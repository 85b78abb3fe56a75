/* What the files of machine_resolve() say to one another; nobody else includes this. Errors begin with the key. */
#ifndef CSIM_MACHINE_RESOLVE_IMPL_H
#define CSIM_MACHINE_RESOLVE_IMPL_H

#include "machine/machine.h"

enum { MACHINE_LIMIT_MIB = 2048 /* of memory that the simulator may take for one kind of part */ };

static inline bool is_pow2(uint64_t v)
{
	return v && !(v & (v - 1));
}

static inline unsigned log2u(uint64_t v)
{
	return 63u - (unsigned)__builtin_clzll(v);
}

/* resolve_caches.c: lines, ways and sets; hashed: the set index may be a polynomial's. */
int machine_check_cache(const char *name, const struct machine_cache *c, bool hashed, struct err *e);

/* Whether tags and MSHRs of `copies` caches fit into memory, and likewise what the slices keep: pipes, coalescers. */
int machine_check_simulator_memory(const char *name, const struct machine_cache *c, uint32_t ways, uint32_t copies, struct err *e);
int machine_check_pipes(const struct machine *m, struct err *e);
int machine_check_coalescers(const struct machine *m, struct err *e);

/* Instruction buffers and the caches behind them. */
int machine_check_fetch(const struct machine *m, struct err *e);

#endif

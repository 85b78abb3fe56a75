/* What may be between a CPU core's store buffer and its L1: something that sees each store before the cache does.
 *
 *   store buffer --oldest store not yet looked up--> hook --taken--> L1
 *
 * In each cycle the core offers the store that its L1 would see next, until it is taken: so the hook sees each store
 * once, in program order, one a cycle at most, and holds the store buffer up while it takes none. A fence's command is
 * offered, also until it is taken, when the fence is the oldest instruction and all stores before it are in the caches;
 * the fence retires when its command is taken. Both are data of the instruction (cpu/inst.h).
 *
 * The core calls this with non-decreasing cycles: in a cycle in which it acts any number of commands, at most one
 * store, then `edge`. It leaves cycles out in which it has nothing to do, but none after one at whose end `busy`
 * holds.
 *
 * The first member of a hook's own struct. Units: CPU cycles.
 */
#ifndef CSIM_CPU_STORE_HOOK_H
#define CSIM_CPU_STORE_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/inst.h"

struct cpu_store_hook {
	bool (*store)(struct cpu_store_hook *h, uint64_t cycle, const struct cpu_store *s); /* true: taken */
	bool (*command)(struct cpu_store_hook *h, uint64_t cycle, uint32_t command);	    /* >= 1; true: taken */
	void (*edge)(struct cpu_store_hook *h, uint64_t cycle);				    /* the cycle ends */
	bool (*busy)(const struct cpu_store_hook *h); /* the core must act in the next cycle */
};

#endif

/* The caches of one CPU core: L1 and L2, looked up together, with the lines on their way below them.
 *
 * Both are write-back and write-allocate with true LRU; whatever the L1 holds the L2 holds too (a line that the L2
 * gives up leaves the L1). A lookup in cycle c:
 *     in the L1       the data is there in c + l1 latency, or when the line's own data comes, if that is later
 *     in the L2       c + l2 latency, and the line is in the L1 from then on
 *     in neither      the line is reserved in the L2, and a request goes down to the L3; later misses to the line wait
 *                     with it
 * Latencies are of the whole way from lookup to use. A store has done its work a cycle after it met its line in the L1,
 * otherwise when the line is there. A lookup that finds no MSHR entry, or no way of the L2's set that does not wait for
 * a line itself, is refused, changes nothing, and can succeed only after a reply.
 *
 * Units: CPU cycles, line numbers (byte address >> log2(cpu.line)). There is no coherence between cores
 * (docs/explanation/cpu.md).
 */
#ifndef CSIM_CPU_PRIVATE_CACHES_H
#define CSIM_CPU_PRIVATE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "machine/machine.h"
#include "cache/mshr.h"
#include "noc/request.h"
#include "cache/tags.h"

struct cpu_msg { /* core to L3: fetch a line, here is one, or write back all you have; L3 to core: the line that you
		  * fetched */
	uint64_t line;
	uint32_t token; /* of a fetch: the core's MSHR entry; comes back */
	uint8_t write, flush;
};
QUEUE_OF(cpu_msg);

struct cpu_wires { /* between a core and the L3 */
	struct cpu_msg_queue *down, *up;
	struct ticks down_ticks; /* from a lookup to the L3's */
};

enum cpu_access {
	CPU_THERE,  /* the time is known */
	CPU_COMING, /* the token comes back with a reply */
	CPU_REFUSED
};

struct private_caches_stats {
	uint64_t l1_accesses, l1_hits;			       /* the rest are accesses of the L2 */
	uint64_t l2_accesses, l2_hits, l2_reserved, l2_misses; /* reserved: the line was on its way */
	uint64_t loads, stores;				       /* lines looked up by either */
	uint64_t l1_write_backs, l2_write_backs;	       /* dirty lines that left the L1, the L2 */
	uint64_t fetched;				       /* replies */
};

struct private_caches {
	uint32_t l1_latency, l2_latency;
	struct tags l1, l2;   /* l2.owner: of a reserved line, its MSHR entry */
	uint64_t *ready;      /* by L1 slot: the cycle from which on its data is there */
	struct mshr mshr;     /* clients: REQ_CLIENT_LOAD, REQ_CLIENT_STORE */
	uint32_t *entry_slot; /* by MSHR entry: the line's L2 slot */
	uint32_t flush_at;    /* L2 slot at which a flush goes on */
	struct cpu_wires wires;
	struct private_caches_stats stats;
};

void private_caches_init(struct private_caches *p, struct arena *a, const struct machine *m, struct cpu_wires wires);

/* Looks `line` up in CPU cycle `cycle`, at `now`. *done: with CPU_THERE, the cycle in which it is done; else left
 * alone. */
enum cpu_access private_caches_access(struct private_caches *p, uint64_t cycle, struct ticks now, uint64_t line, bool store,
				      uint32_t token, uint64_t *done);

/* Takes a reply in; returns what waited for its line (REQ_CLIENT_LOAD, REQ_CLIENT_STORE, with its token), *n of them,
 * valid until the next access. They are done in `cycle`. */
const struct mshr_waiter *private_caches_reply(struct private_caches *p, uint64_t cycle, const struct cpu_msg *reply, uint32_t *n);

/* Writes back one dirty line; behind the last one the L3 is asked to write back its own, and this returns true. Lines
 * stay where they are, those on their way are left out. False: to be called again from *when on (TIME_NEVER: the wires'
 * producer is woken). */
bool private_caches_flush(struct private_caches *p, struct ticks now, struct ticks *when);

uint64_t private_caches_dirty_lines(const struct private_caches *p);

static inline uint64_t private_caches_in_flight(const struct private_caches *p)
{
	return p->stats.l2_misses - p->stats.fetched;
}

#endif

/* The L3 that the CPU cores share, and the CPU's way to memory.
 *
 *   core 0 --queue--> +----+ --out queue--> port 0 of the memory system
 *   core 1 --queue--> | L3 | --out queue--> port 1 ...
 *      ...   <------- +----+ <--replies----
 *
 * In a CPU cycle the L3 takes the replies that have come, looks up one request of each core (another core is first
 * in each cycle), and sends one packet to each port. A fetch that hits is answered at once; one that misses reserves a
 * way and asks memory for the line; fetches of a line that is on its way wait for it. A line that a core writes back is
 * whole, so a miss allocates it without a fetch. Write-back, true LRU, neither inclusive nor exclusive of the cores'
 * caches. A request that finds no way, no MSHR entry or no room in the out queue stays at the head of its core's queue
 * until a reply or a packet sent can have changed that. A flush writes back all dirty lines, as the out queues have
 * room, before the next request of its core; the lines stay.
 *
 * From a core's lookup to this one the request travels half of cpu.l3.latency (rounded down), and the line the rest of
 * it back, so that an L3 hit takes cpu.l3.latency in all, and a miss as much more as memory takes, rounded up to a CPU
 * cycle.
 *
 * The caches of the CPU work on virtual lines; what goes to memory is routed by cpu_l3_memory.route.
 */
#ifndef CSIM_CPU_L3_H
#define CSIM_CPU_L3_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "cpu/private_caches.h"
#include "machine/machine.h"
#include "cache/mshr.h"
#include "noc/crossbar.h"
#include "noc/request.h"
#include "cache/tags.h"

struct cpu_l3_port { /* of the memory system */
	struct net_link out;
	struct mem_req_queue *in; /* replies */
};

struct cpu_l3_memory {
	struct cpu_l3_port *port; /* kept by the caller */
	uint32_t ports;
	uint16_t requester;
	/* Fills in where r->addr, a virtual address, is: addr, mode, dest, buffer. Returns the port to send it to. */
	uint32_t (*route)(void *ctx, struct mem_req *r);
	void *ctx;
};

struct cpu_l3_out { /* packets that wait for a port: a ring */
	struct mem_req *packet;
	uint32_t head, tail;
};

struct cpu_l3_stats {
	uint64_t accesses, hits, reserved, misses; /* fetches of the cores */
	uint64_t writes, write_hits;		   /* lines that cores wrote back */
	uint64_t write_backs;			   /* lines written to memory */
	uint64_t sent, replies;			   /* packets to and from memory */
	uint64_t answered;			   /* lines sent to cores */
	uint64_t stuck[3];			   /* lookups put off, for want of: a way, an MSHR entry, room in the
						    * out queue */
};

struct cpu_l3 {
	uint32_t cores, line_shift, memory_line;
	uint64_t period;
	struct ticks up_ticks;
	struct cpu_l3_memory memory;
	struct cpu_l3_out *out;		 /* by port */
	struct cpu_msg_queue *down, *up; /* by core */
	uint64_t stuck;			 /* cores whose oldest request waits for a change, as bits */

	struct tags tags; /* owner: of a reserved line, its MSHR entry */
	struct mshr mshr; /* clients: the cores; tokens: their entries */
	uint32_t *entry_slot;
	uint32_t flush_at; /* slot at which a flush goes on */

	struct cpu_l3_stats stats;
};

enum { CPU_MAX_CORES = 64 };

/* Makes the queues to and from the cores too: cpu_l3_wires() hands them out. */
void cpu_l3_init(struct cpu_l3 *l, struct arena *a, const struct machine *m, struct cpu_l3_memory memory);

/* l3, of_core: the ends of queues at the L3 and at that core. */
struct cpu_wires cpu_l3_wires(struct cpu_l3 *l, uint32_t core, const struct machine *m, struct queue_end l3,
			      struct queue_end of_core);

/* Acts at tick `now`, an edge of the CPU's clock; returns the next tick at which there is something to do. */
struct ticks cpu_l3_step(struct cpu_l3 *l, struct ticks now);

/* Requests that came and are not answered, packets that are not acknowledged. */
uint64_t cpu_l3_in_flight(const struct cpu_l3 *l);

uint64_t cpu_l3_dirty_lines(const struct cpu_l3 *l);

#endif

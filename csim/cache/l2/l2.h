/* One slice of the L2: a pipe (cache/l2/l2_pipe.h), tags, MSHRs, and a level below (cache/l2/l2_lower.h) that fetches
 * and writes lines.
 *
 *   request network -> pipe (l2.latency cycles, one request a cycle, in order) -> tag and data port -> reply network
 *                                                                                   |   ^
 *                                                                  lower level      v   | fills
 *
 * A hit is answered in the cycle of its lookup, a miss in the cycle of its fill (others that waited for the same line
 * in the cycles after).
 *
 * Write-back, write-allocate, allocate on miss, by sectors (cache/sectors.h): a request fetches those of its sectors
 * that are not there and not on their way, by one read for a lookup, and waits for these alone. A write is acknowledged
 * at its lookup. What it fetches says `l2.write_allocate`: with fetch-partial, sectors of which it has not all bytes,
 * whose way keeps its bytes until then; with fetch-on-read none, and a sector of which the way has some bytes is read
 * for the first request that needs the others. Only the bursts with dirty bytes of a victim are written. An atomic is
 * done here, l2.atomic_bytes of its operands a cycle, during which the port takes nothing else; it is answered in the
 * first of these cycles. With l2.port_bytes the port moves so many bytes a cycle: whatever is read or written holds it
 * as long as its bytes take, and is answered in the first cycle too. (GPGPU-Sim from 3.2.2 on: data_port_width of the
 * cache's configuration.)
 *
 * Which reads allocate says a policy (policy/cache_policy.h), if the slices have one. A read that bypasses fetches its
 * line all the same, by an MSHR entry of its own that has no way to fill.
 *
 * Lines are numbered inside the slice by the level below, the set index is taken from that number. Each keeps the mode
 * of its page, by which that level may have to find it. Counts are of L2 cycles. Source: dwt-pric, Table 1;
 * docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_L2_H
#define CSIM_CACHE_L2_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/l2/l2_lower.h"
#include "cache/load_policy.h"
#include "cache/locality_classes.h"
#include "cache/l2/l2_pipe.h"
#include "cache/mshr.h"
#include "cache/sectors.h"
#include "cache/tags.h"

struct l2_counts { /* accesses = hits + reserved + misses + bypasses */
	uint64_t accesses, hits, reserved /* on a line that is on its way */, misses, bypasses;
	uint64_t bytes, fetches; /* read and written by all but bypasses; reads sent to memory, for bypasses too */
	uint64_t asked;		 /* likewise to the other half of the L2 */
};

#define L2_NO_SLOT UINT32_MAX

struct l2_half;

struct l2 {
	struct l2_pipe pipe;  /* its answers are for MSHR entries */
	struct l2_half *half; /* l2.halves 2; else NULL */
	struct l2_lower *lower;
	uint32_t line_bytes;
	struct sectors sectors; /* of a line */
	enum machine_write_allocate write_allocate;

	struct tags tags;
	uint8_t *mode; /* of a line's page, by slot */
	struct mshr mshr;
	struct load_policy policy;
	struct locality_classes *classes; /* NULL: none are counted */
	bool plain;			  /* neither of the two has a part in lookups, nor have cache operators */

	uint32_t *entry_slot;	 /* of an MSHR entry: the reserved way, until the fill; L2_NO_SLOT: of a bypass */
	struct mem_req *waiting; /* by slot in the MSHRs */
	uint8_t *fetched;	 /* by token, an entry's number * sectors + the first of them: sectors that it is for */
	uint32_t answered;	 /* requests of the entry that is being answered, of which ... */
	uint32_t came;		 /* ... these sectors have just come, */
	bool last;		 /* none of the line is on its way any more */

	struct l2_counts *buffer; /* by buffer of the program; the last one for none */
	uint32_t buffers;
};

struct l2_shape {
	struct mem_req_queue *in; /* the slice's ports of the networks on the SMs' side */
	struct net_link out;
	struct l2_lower *lower;	      /* stays where it is */
	struct l2_half *half;	      /* joined to its pair's (cache/l2/l2_half.h); NULL: the L2 is one */
	const struct pric_port *pric; /* the set index's port, or NULL for linear */
	uint32_t buffers;	      /* of the program */
	uint32_t number;	      /* of the slice, among all */
};

void l2_init(struct l2 *l, struct arena *a, const struct machine *m, const struct l2_shape *s);

/* Works at tick `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives). */
struct ticks l2_step(struct l2 *l, struct ticks now);

/* Functional warming: the line of a request that is not modelled has been read or written, without a time, a count or a
 * word to anybody; a victim's dirty bytes are forgotten. The slice may be at work: what is on its way stays so. */
void l2_warm(struct l2 *l, const struct mem_req *r, struct ticks now);
/* Likewise, l2.halves 2: the line that is written is the other half's; the copy is dropped. */
void l2_warm_written(struct l2 *l, const struct mem_req *r, struct ticks now);

/* Writes a slot's dirty line back; the caller checked that there is room below. */
void l2_write_back(struct l2 *l, uint32_t slot, struct ticks now);

/* Nothing that has come waits, but for acknowledgements of write-backs. */
static inline bool l2_is_quiet(const struct l2 *l)
{
	return l->pipe.head == l->pipe.tail && !mshr_in_use(&l->mshr) && l->pipe.answering == L2_NOBODY;
}

/* Dirty lines that the slice holds. */
uint64_t l2_dirty_lines(const struct l2 *l);

#endif

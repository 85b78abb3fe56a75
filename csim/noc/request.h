/* A request that travels from an SM to memory and comes back as its reply. By value: queues hold copies, never
 * pointers. */
#ifndef CSIM_NOC_REQUEST_H
#define CSIM_NOC_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "noc/accessor.h"

/* A reduction is an atomic whose sender wants no value back: it is acknowledged, as a write is. */
enum req_kind { REQ_READ, REQ_WRITE, REQ_ATOMIC, REQ_REDUCTION };

/* Whom within its sender the reply is for, and so what the request's token counts. */
enum req_client {
	REQ_CLIENT_MSHR,   /* a cache that fetches a line: its MSHR entry */
	REQ_CLIENT_LOAD,   /* what waits for a value, past the cache or in an MSHR: the sender's number for it */
	REQ_CLIENT_STORE,  /* what waits for an acknowledgement: likewise */
	REQ_CLIENT_NOBODY, /* a write-back: nothing */
	REQ_CLIENT_WALK,   /* a walker of page tables: the walk */
	REQ_CLIENT_SYNC	   /* an access that orders warps: its entry (noc/sync.h), which says for whom the reply is */
};

/* Which cache of an SM: the L1, the constant cache, the instruction cache. */
enum req_cache { REQ_OF_L1, REQ_OF_CONST, REQ_OF_CODE };

/* What the L2 had of the line: in a reply. */
enum req_found {
	REQ_NOT_SOUGHT,	    /* there is no L2 */
	REQ_FOUND,	    /* a hit */
	REQ_FOUND_RESERVED, /* it was on its way */
	REQ_MISSED,	    /* a miss for which nothing was read from memory: a write of a whole line, or the other half
			     * of the L2 had the line */
	REQ_FETCHED,	    /* a miss for which the line was read from memory */
	REQ_PAST,	    /* a bypass, or without an L2 a read: read from memory */
	REQ_COALESCED,	    /* not sought: another read's reply was copied (cache/l2/l2_coalescer.h) */
	REQ_PAST_TO_HALF    /* a bypass for which nothing was read from memory: the other half of the L2 had the line */
};

/* Where a read was when, for the latency of loads (sm/lsu/load_latency.h). Set on the way of every request; they mean
 * something in the reply to a read. */
enum req_stamp {
	REQ_SENT,	   /* left its SM */
	REQ_AT_L2,	   /* was taken in by the slice */
	REQ_LOOKED_UP,	   /* its lookup succeeded, as a hit or a miss */
	REQ_AT_DRAM,	   /* a miss: its line's fetch could be taken by the controller of the channel */
	REQ_FIRST_COMMAND, /* ... the first command for it was issued */
	REQ_LEFT,	   /* its line was in the slice */
	REQ_STAMPS
};

struct mem_req {
	uint64_t addr;		/* physical address of the first byte; the access does not cross a line */
	uint64_t mask[2];	/* bytes of the line that a write or atomic touches, bit 0 = first byte of the line
				 * (lines of up to 128 bytes) */
	uint32_t token;		/* of the client; comes back unchanged, as client and cache do */
	uint16_t requester;	/* sender: an SM, or what else is below the L1s (memsys/memsys.h) */
	uint16_t bytes;		/* payload: of the reply for a read, of the request for a write or reduction, of both
				 * for an atomic */
	enum req_kind kind : 8; /* a write or reduction gets an acknowledgement without payload */
	uint8_t mode;		/* how the page of addr is spread over the stacks: 0 finely, else see vm/page_mode.h */
	union {
		uint16_t dest; /* the L2 slice: (stack * channels a stack + channel) * slices a channel + slice */
		uint16_t lead; /* of a read in a slice with a coalescer: the entry that it leads; REQ_NO_LEAD: none */
	};
	uint16_t buffer; /* index into the trace's buffers, UINT16_MAX: none; for statistics by array */
	enum req_client client : 8;
	enum req_cache cache : 2; /* of an SM: that sent it */
	enum req_found found : 3;
	bool copy : 1;	   /* of what the packet ahead of it has, at an input of a crossbar (noc/crossbar.h) */
	bool streams : 1;  /* its line is the first of its L2 set to leave, if it brings it in (cache/l1.h) */
	bool no_reuse : 1; /* the locality table says so of what a load reads past its L1 */
	union {
		struct stamp at[REQ_STAMPS];
		struct { /* until the lookup: its reply is the first to have the later stamps */
			struct stamp before_lookup[REQ_AT_DRAM];
			struct accessor who; /* set if locality classes are counted */
		};
	};
};

QUEUE_OF(mem_req);
_Static_assert(sizeof(struct mem_req) == 64, "a request is copied at every hop");

/* Bytes of a line that a mask has. */
static inline uint32_t req_mask_bytes(const uint64_t mask[2])
{
	return (uint32_t)(__builtin_popcountll(mask[0]) + __builtin_popcountll(mask[1]));
}

/* Pieces of 32 bytes of which a mask has one or more. */
enum { REQ_SECTOR = 32 };
static inline uint32_t req_mask_sectors(const uint64_t mask[2])
{
	uint32_t n = 0;

	for (unsigned i = 0; i < 4; i++)
		n += (mask[i / 2] >> i % 2 * REQ_SECTOR & UINT32_MAX) != 0;
	return n;
}

enum { REQ_NO_LEAD = UINT16_MAX };

/* The requester of what a slice of an L2 of two halves asks the other half for; no port of a network. */
enum { REQ_OTHER_HALF = UINT16_MAX };

/* Read, modified and written in one piece. */
static inline bool req_is_atomic(const struct mem_req *r)
{
	return r->kind >= REQ_ATOMIC;
}

#endif

/* The coalescer of requests ahead of an L2 slice's pipe (l2.coalescer; NVIDIA's L2 Request Coalescer, LRC).
 *
 * A read that goes into the pipe leads an entry, until its reply leaves. One that comes meanwhile for the same line,
 * and for no sectors but the leader's, joins the entry: it takes no stage of the pipe, no turn of the tags, no bytes
 * of the data port. Behind the leader's reply the others' go out, one after another, as the port to the reply network
 * has room; no other reply goes between. A full entry is joined by nobody: the next read leads one of its own. A read
 * that finds no free entry goes on without.
 *
 *   request network -> joins an entry -------------------------------.
 *                   -> leads an entry -> pipe, tags, data port -> its reply, theirs -> reply network
 *
 * A read does not overtake a write or an atomic to its line: a request that enters the pipe, or is made for the other
 * half of the L2, closes the line's entries, so that reads behind it lead anew. Times are modelled, not values; but a
 * program whose reads must see a write has its read's time after the write's.
 *
 * Leaders are found by hashing their line; an entry that may be joined is in the chain of its bucket. Inside the slice
 * a read has its entry in the place of `dest` (noc/request.h), which is the slice's own for all.
 *
 * Source: NVIDIA, Nsight Compute documentation, "lrc"; US patent 12020035 (what a leader's entry keeps, copies of its
 * reply). How many entries there are is not published. docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_L2_COALESCER_H
#define CSIM_CACHE_L2_L2_COALESCER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "cache/sectors.h"
#include "machine/machine.h"
#include "noc/crossbar.h"
#include "noc/request.h"

struct l2_coalescer_counts {
	uint64_t reads, sectors; /* that joined an entry; of 32 bytes that they got */
	uint64_t full;		 /* reads that found no free entry */
};

struct l2_lead {
	uint64_t line;	 /* physical address / bytes of a line */
	uint16_t next;	 /* in its bucket's chain */
	uint16_t joined; /* reads beside the leader */
	uint8_t sectors; /* that the leader reads */
	bool open;	 /* may be joined: it is in the chain */
};

struct l2_coalescer {
	uint32_t merges; /* reads of an entry, the leader included */
	uint32_t line_bits;
	struct sectors sectors; /* of a line, of 32 bytes */
	struct l2_lead *lead;
	struct mem_req *reads; /* lead * (merges - 1) + i */
	uint16_t *bucket;      /* the newest open entry of a chain */
	uint32_t bucket_mask;
	uint16_t *free; /* a stack of entries */
	uint32_t n_free, entries;
	uint16_t dest;	    /* of all that comes */
	uint16_t answering; /* the entry whose leader's reply has gone and whose other reads' have not; REQ_NO_LEAD */
	uint16_t answered;  /* of these */
	struct l2_coalescer_counts counts;
};

/* The sectors of a request, of a line of those. A read of consecutive bytes needs no mask. */
static inline uint32_t l2_request_sectors(const struct mem_req *r, const struct sectors *s)
{
	uint32_t at = (uint32_t)r->addr & (s->n * s->bytes - 1), first, last;

	if (s->n == 1)
		return 1;
	if (r->mask[0] | r->mask[1])
		return sectors_touched(s, r->mask);
	first = at / s->bytes;
	last = r->bytes >= s->n * s->bytes ? s->n - 1 : (at + (r->bytes ? r->bytes : 1u) - 1) / s->bytes;
	return s->all & ((2u << last) - (1u << first));
}

void l2_coalescer_init(struct l2_coalescer *c, struct arena *a, const struct machine *m);

/* Whether the request at the front of the slice's queue can join an entry. */
bool l2_coalescer_can_join(const struct l2_coalescer *c, const struct mem_req *r);

/* Takes it in at `now` if it can join one. */
bool l2_coalescer_join(struct l2_coalescer *c, const struct mem_req *r, struct ticks now);

/* A request from the SMs' side goes into the pipe: a read leads an entry; anything else closes those of its line. */
void l2_coalescer_pass(struct l2_coalescer *c, struct mem_req *r);

/* Nobody joins the entries of that address's line any more. */
void l2_coalescer_close(struct l2_coalescer *c, uint64_t addr);

/* A read that went into the pipe is answered: its reply gets back what l2_coalescer_pass() took the place of, and those
 * of its entry are to follow. */
void l2_coalescer_answer(struct l2_coalescer *c, struct mem_req *reply);

/* Whether replies wait to follow one that has gone. */
static inline bool l2_coalescer_answers(const struct l2_coalescer *c)
{
	return c->answering != REQ_NO_LEAD;
}

/* Sends them by `out` as far as there is room; returns how many. *when: as of net_can_send, if some are left. */
uint32_t l2_coalescer_send(struct l2_coalescer *c, const struct net_link *out, struct ticks now, struct ticks *when);

#endif

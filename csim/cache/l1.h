/* The data cache of one SM, and (by cache/const_cache.h, sm/fetch.h) its constant cache and instruction cache.
 *
 * Loads allocate on a miss; stores never allocate. A global store writes through and evicts the line it hits; a local
 * store writes into the line it hits (write-back) and goes down otherwise. Volatile accesses and atomics bypass the
 * cache and evict the line they hit. A dirty line goes down, its dirty bytes only, before it is evicted. Lines that
 * are on their way stay where they are: a store or bypass that meets one just goes down behind it. There is no
 * coherence between SMs.
 *
 * All this is by sectors (cache/sectors.h): a load fetches those that it touches, a store evicts those; a cache of
 * whole lines has one. With l1.allocate fill a line has no way before its data come, no access fails for want of one,
 * and local stores write through. With l1.write_hit update a store that goes down leaves what it hits.
 *
 * What goes down waits in the miss queue, which hands the network one packet a cycle. An access that finds a resource
 * missing fails, changes nothing, and has to be tried again; in this order:
 *     L1_FAIL_LINE   all ways of the set wait for fills   can change only by an l1_reply
 *     L1_FAIL_ENTRY  no MSHR entry is free                likewise
 *     L1_FAIL_MERGE  the line's MSHR entry is full        likewise
 *     L1_FAIL_QUEUE  the miss queue has no room           can change only by an l1_send that hands out a packet
 * So a caller need not poll: it repeats the same access in the cycle of the next reply, or in the cycle after the next
 * packet. The cycles between are counted as so many fails, as if it had been tried in each.
 *
 * Which loads allocate says a policy (policy/cache_policy.h), if the cache has one; its answer may change in the cycle
 * l1_policy_due() though nothing comes or goes: then too a failed access is to be tried again.
 *
 * In a core cycle: first l1_reply for what has arrived, then l1_access (one, the cache has one port), then l1_send.
 * The cycle's access can so use what the cycle's replies released, and leave in the same cycle; room in the miss queue
 * shows a cycle later.
 * Source: dwt-pric, Table 1 and section 3.1; docs/explanation/caches.md.
 */
#ifndef CSIM_CACHE_L1_H
#define CSIM_CACHE_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/machine.h"
#include "noc/route.h"
#include "cache/miss_queue.h"
#include "cache/mshr.h"
#include "noc/crossbar.h"
#include "noc/request.h"
#include "cache/load_policy.h"
#include "cache/prefetch.h"
#include "cache/replacement.h"
#include "cache/sectors.h"
#include "cache/tags.h"
#include "policy/buffer_pins.h"
#include "policy/prefetcher.h"

enum l1_result {
	L1_HIT,	   /* served: nothing will come back */
	L1_MISS,   /* the line is on its way; the token comes back with it */
	L1_MERGED, /* as L1_MISS: the line was already on its way */
	L1_SENT,   /* a store, bypass or atomic went down; the token comes back with its reply */
	L1_FAIL_LINE,
	L1_FAIL_ENTRY,
	L1_FAIL_MERGE,
	L1_FAIL_QUEUE,
	L1_RESULTS
};
enum { L1_FAILS = L1_RESULTS - L1_FAIL_LINE };

/* Cache operators, of an L1 that honours them, as the PTX ISA has them ("Cache Operators"):
 *
 *   past         .cg: cached in the L2 alone. A load goes past, what the L1 has of it stays; a store evicts what it
 *                hits
 *   streams      .cs, .lu: a line that such a load brings in is the first of its set to leave again ("evict-first"),
 *                here and in the L2; a hit leaves the order as it is. Another load that waits for the line makes it one
 *                as any. In local memory it is the last use of what it reads, which need not be written back any more
 *   no_allocate  L1::no_allocate: a load that does not find all that it needs goes past
 *
 * Stores allocate nothing in an L1, so that streams is for the L2 alone there. */
enum l1_hint { L1_HINT_PAST = 1, L1_HINT_STREAMS = 2, L1_HINT_NO_ALLOCATE = 4 };

struct l1_access {	  /* one transaction of a warp's instruction */
	uint64_t line;	  /* physical byte address of the line's start */
	uint64_t mask[2]; /* its bytes that are touched; not empty */
	uint32_t token;	  /* of the client */
	uint32_t lanes;	  /* that touch it */
	uint32_t sync;	  /* of one past the cache that orders warps: its entry (noc/sync.h) + 1; else 0 */
	uint16_t buffer;  /* index for the counts; >= the number of buffers: none */
	enum req_kind kind : 8;
	enum req_client client : 8;	 /* REQ_CLIENT_LOAD or REQ_CLIENT_STORE */
	bool local;			 /* local memory: stores are written back */
	bool bypass;			 /* volatile; atomics bypass anyway */
	uint8_t mode;			 /* of the line's page (vm/page_mode.h) */
	uint8_t hints;			 /* enum l1_hint */
	uint8_t width;			 /* bytes of a lane's operand, of an atomic or reduction */
	struct locality_answer locality; /* of a load, if the L1's policies go by the locality table */
};

struct l1_counts { /* accesses = hits + reserved + misses + bypasses + writes */
	uint64_t accesses;
	uint64_t hits, reserved, misses; /* loads; reserved: hits on a line that is on its way */
	/* volatile loads, atomics, loads by the policy, and all loads if the cache is disabled */
	uint64_t bypasses;
	uint64_t writes; /* stores, global and local, hit or not */
};

struct l1_stats {
	/* stores that hit; valid lines that made room; dirty lines sent down */
	uint64_t write_hits, evictions, write_backs;
	uint64_t sent, replies;		/* packets out, packets in */
	uint64_t fail_cycles[L1_FAILS]; /* by cause, from L1_FAIL_LINE on */
	struct {
		uint64_t proposed, issued; /* proposed = all that follow it up to dropped + waiting */
		uint64_t needless, other_page,
			dropped;       /* the line was there or on its way; its page is out of reach; no room for it */
		uint64_t useful, late; /* issued ones whose line a load met; while it was on its way */
	} prefetch;
	struct {
		/* asked for by misses; come; loads that missed a sector of a line that was there or on its way */
		uint64_t asked, filled, partial;
		/* touched by loads, also those that go past the cache; where lines are fetched, 0 */
		uint64_t loaded;
	} sectors;
	uint64_t soft_pins, hard_pins; /* lines brought in with one */
	uint64_t past_full_sets;       /* loads */
};

enum { L1_PROPOSALS = 8 /* that wait for the port; a power of two */ };

struct l1_proposal {   /* of the prefetcher */
	uint64_t line; /* of a prefetch_unit: kept there */
	uint16_t buffer;
	uint8_t mode;
};

/* Finds the physical address of a virtual one for a prefetch_unit; false: its page is not known now. */
struct l1_translator {
	void *ctx;
	bool (*find)(void *ctx, uint64_t cycle, uint64_t *addr, uint8_t *mode); /* NULL: addresses are physical */
};

struct l1_prefetch {
	const struct prefetcher *policy; /* NULL: none */
	void *state;
	struct prefetch *unit;		   /* decides instead of the policy; NULL: it is the policy's */
	uint32_t mshrs, queue, page_shift; /* left free of MSHR entries and miss queue; log2 of lines of a page */
	struct l1_proposal proposal[L1_PROPOSALS];
	uint32_t head, tail; /* counted up; the ring index is this mod L1_PROPOSALS */
	uint64_t port_cycle; /* in which a load or store had the port last, + 1 */
	bool *untouched;     /* by slot: its line was prefetched and no load has met it */
	bool *stale;	     /* by slot: its line is on its way though l1_invalidate dropped it */
	struct l1_translator translator;
};

struct l1_coming {	 /* of a line that has no way before it comes, by its MSHR entry */
	uint8_t pin;	 /* enum cache_pin that it gets */
	bool prefetched; /* and no load has met it */
	bool stale;	 /* l1_invalidate dropped it: nobody waits for it */
};

struct l1_classes;

/* A load that the cache has accepted; not a volatile one. */
struct l1_load_taken {
	uint64_t cycle, line; /* the line's number */
	uint32_t token, slot; /* of the access; where the line is, if it was brought in */
	bool brought_in;      /* a miss that allocated the line */
	bool evicted;	      /* a line made room for it: */
	uint64_t victim;      /* its number */
};

/* Is notified of what happens in a cache. Each function may be NULL; cycles are core cycles. */
struct l1_observer {
	void *ctx;
	/* A lookup of an access or a prefetch, one a cycle at most. tag: the line number above the bits that give the
	 * set. */
	void (*lookup)(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag);
	/* An access has been tried, with this result. */
	void (*accessed)(void *ctx, uint64_t cycle, const struct l1_access *a, enum l1_result r);
	void (*taken)(void *ctx, const struct l1_load_taken *t);
	/* A store that is not local, an atomic or a volatile load has evicted the line, if it was there. */
	void (*dropped)(void *ctx, uint64_t line);
	struct l1_observer *next; /* l1_observe() sets it */
};

/* Decides, beside the policy, which loads allocate: if one misses and may not, it goes past the cache. */
struct l1_gate {
	void *ctx;
	bool (*may_allocate)(void *ctx, uint32_t token); /* NULL: all may */
};

/* Resources that a cache requires of an access beyond those that it uses, as in the L1 of GPGPU-Sim 3.2.1
 * (gpu-cache.cc). */
struct l1_strict {
	/* l1.miss_room: a load whose line is not there, also one that merges and sends nothing, first needs room for
	 * so many packets in the miss queue; there two, whether it has a victim to write back or not (rd_miss_base). */
	uint32_t miss_room;
	/* l1.store_needs_line: a store, which allocates nothing, fails like a load while all ways of its set wait for
	 * fills (l1_cache::access looks at the set before it looks at the kind). */
	bool store_needs_line;
};

struct l1 {
	bool enabled;
	uint32_t line_shift, set_bits;
	struct sectors sectors; /* of a line */
	uint32_t packet_sectors;
	bool on_fill;	       /* lines get their way when they come */
	bool keeps_written;    /* stores that go down leave what they hit */
	bool past_full_sets;   /* loads go past it where all ways of their set are reserved */
	enum req_cache sender; /* what its packets say that it is */
	uint16_t requester;
	struct route route; /* which way its packets go */
	uint64_t period;    /* ticks of a core cycle */
	struct tags tags;   /* owner: of a reserved line, its MSHR entry */
	struct mshr mshr;
	bool needs_step; /* must be stepped even in cycles without an access (policy, prefetcher or RTL block) */
	bool asks;	 /* more than the tags decides on loads: policy, pins, gate; or an observer wants them all */
	struct load_policy policy;
	struct l1_strict strict;
	struct buffer_pins pins;
	struct replacement replacement; /* in use if the tags have it */
	struct l1_prefetch prefetch;
	struct l1_classes *classes; /* locality classes (cache/l1_classes.h); NULL: none are counted */
	struct l1_gate gate;
	struct l1_observer *observers; /* in the order in which they came */
	bool observed;		       /* by them, or by a prefetcher */
	uint32_t *entry_slot;	       /* by MSHR entry: the line's slot; on_fill: its set */
	struct l1_coming *coming;      /* by MSHR entry, on_fill */
	bool *streams;		       /* by MSHR entry: its line is the first to leave; NULL: no operators */
	uint32_t streaming;	       /* such entries */
	struct mshr_waiter *served;    /* by the last reply, if there are sectors */
	uint8_t *mode;		       /* by slot: of the line's page, for its write-back */
	struct miss_queue queue;
	struct ticks sent_at; /* the last packet, if CHECK_COSTLY; TIME_NEVER */

	enum l1_result failing; /* L1_HIT, or the fail of the last access ... */
	uint64_t since;		/* ... its cycle, */
	uint64_t failed_line;	/* and what comes again: line, token, kind */
	uint32_t failed_token;
	enum req_kind failed_kind;
	struct mshr_waiter given; /* whom the last reply was for, if no MSHR entry */

	struct l1_counts *count; /* by buffer; the last one: none */
	uint32_t buffers;
	struct l1_stats stats;
};

/* route: the SM's. pric: the set index's port, or NULL for linear (m->l1.c.index says which the caller should
 * bring). buffers: of the program. */
void l1_init(struct l1 *l, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route,
	     const struct pric_port *pric, uint32_t buffers);

/* For a cache whose lines get pins: its victims come from the block pin_replacement (cache/replacement.h). Ahead of all
 * else. owner: "sm3.l1"; pins: of buffers, copied. Fails if the block cannot be had for this cache. */
int l1_init_pins(struct l1 *l, const struct machine *m, const struct buffer_pins *pins, const char *owner,
		 const struct hw_binder *binder, struct err *e);

/* For a cache whose policy decides by a block (bypass_monitor). Likewise. */
static inline int l1_bind_policy(struct l1 *l, const char *owner, const struct hw_binder *binder, struct err *e)
{
	return load_policy_bind(&l->policy, owner, binder, e) == 0 ? 0 : err_prefix(e, "l1.bypass");
}

/* For a cache that prefetches by data structure (cache/prefetch.h): block prefetch_unit. Likewise. */
int l1_init_prefetch_unit(struct l1 *l, struct arena *a, const struct machine *m, const char *owner, const struct hw_binder *binder,
			  struct err *e);

/* Ahead of all accesses; the observer stays in use. */
void l1_observe(struct l1 *l, struct l1_observer *o);
void l1_set_gate(struct l1 *l, struct l1_gate gate);

/* Serves one transaction in core cycle `cycle`, or fails. After a fail the next access must be the same one,
 * and the lines are not dropped in between. */
enum l1_result l1_access(struct l1 *l, uint64_t cycle, const struct l1_access *a);

static inline bool l1_has_packet(const struct l1 *l)
{
	return miss_queue_waiting(&l->queue) != 0;
}

/* Hands the oldest packet to the network if there is one and the network has room at `now`; says whether it did. If
 * not for want of room, *when is set as net_can_send does, else left alone. At most once a core cycle. */
bool l1_send(struct l1 *l, struct ticks now, const struct net_link *to, struct ticks *when);

/* It is core cycle `cycle`: ahead of what happens to a cache with pins beside accesses. */
static inline void l1_at(struct l1 *l, uint64_t cycle)
{
	if (__builtin_expect(l->tags.replacement != NULL, 0))
		replacement_at(l->tags.replacement, cycle);
}

/* Takes a reply to one of its packets in; returns whom it serves (enum req_client), oldest first, *n of them (none
 * for a write-back's acknowledgement). They stay valid until the next l1_access or l1_reply. */
const struct mshr_waiter *l1_reply(struct l1 *l, const struct mem_req *reply, uint32_t *n);

/* Whether l1_prefetch has anything to do in the next cycle without an access. */
static inline bool l1_would_prefetch(const struct l1 *l)
{
	return l->prefetch.head != l->prefetch.tail && l->failing == L1_HIT;
}

/* Takes one proposal of the prefetcher in core cycle `cycle`, if no access has the port in it or waits for it. */
void l1_prefetch(struct l1 *l, uint64_t cycle);

/* Drops every line, as between kernels (local memory ends with its kernel, so dirty lines go nowhere). No load
 * waits for a line; one that is being prefetched is dropped when it comes. */
void l1_invalidate(struct l1 *l);

/* The same as a kernel begins beside others: lines on their way stay, whose loads wait for them, and so do dirty ones,
 * of other kernels' local memory. */
void l1_invalidate_beside(struct l1 *l);

/* Its sets have so many ways from now on (machine/carveout.h), at most l1.most_ways; it has been emptied, and lines get
 * their ways when they come. */
static inline void l1_set_ways(struct l1 *l, uint32_t ways)
{
	if (ways != l->tags.ways)
		tags_set_ways(&l->tags, ways);
}

/* Requests that have been accepted and have not been answered, packets that still wait in the miss queue included. */
static inline uint64_t l1_in_flight(const struct l1 *l)
{
	return l->stats.sent + miss_queue_waiting(&l->queue) - l->stats.replies;
}

static inline uint64_t l1_policy_due(const struct l1 *l)
{
	return l->policy.due;
}

/* Lets the policy know the time; l1_access does so too. Then l1_policy_due is beyond `cycle`. */
static inline void l1_advance(struct l1 *l, uint64_t cycle)
{
	l1_at(l, cycle);
	load_policy_advance(&l->policy, &l->tags, cycle);
}

/* From core cycle `cycle` on, ahead of its access, the policy leaves the cache open, whatever loads find; or, open
 * false, judges it again by the next full period (policy/cache_policy.h). Then l1_policy_due may be `cycle`. */
void l1_hold_open(struct l1 *l, uint64_t cycle, bool open);

/* Counts the fails of an access that still waits, up to core cycle `cycle`; at the end of a run that a limit cuts. */
static inline void l1_count_fails(struct l1 *l, uint64_t cycle)
{
	if (!l->failing)
		return;
	l->stats.fail_cycles[l->failing - L1_FAIL_LINE] += cycle - l->since;
	l->since = cycle;
}
void l1_finish(struct l1 *l, uint64_t cycle);

/* Policies and prefetcher have this machine's settings from `cycle` on (machine/live.h), which is not ahead of any
 * call. Of golden twins. */
void l1_change(struct l1 *l, const struct machine *m, uint64_t cycle);

/* Sum over the buffers. */
struct l1_counts l1_total(const struct l1 *l);

/* For caches of the same kind (cache/const_cache.h). */
struct l1_shape {
	struct machine_cache cache;
	uint32_t ways; /* that its sets can have (l1_set_ways); of 0: the cache's */
	struct machine_bypass bypass;
	bool enabled;
	enum req_cache sender;
	const struct prefetcher *prefetcher; /* NULL: none */
	uint32_t sm, buffers;
	const struct route *route;
	struct l1_strict strict;
	uint32_t packet_sectors; /* of 0: 1 */
	bool on_fill, keeps_written;
};
void l1_init_shape(struct l1 *l, struct arena *a, const struct machine *m, const struct l1_shape *s, const struct pric_port *pric);

#endif

/* The tags of one cache: sets x ways of line numbers with their states, true LRU replacement, a pluggable set index.
 *
 * A line number is a byte address divided by the line's size. A *slot* (below tags_slots()) names one way of one set;
 * what a cache wants to remember about a line (the MSHR entry that waits for it, say) it keeps in `owner` or in arrays
 * of its own, by slot. A line is
 *     invalid    the way is free
 *     reserved   allocated by a miss, on its way from below: it cannot be a victim, and hits on it have to wait
 *     valid      as the level below has it
 *     dirty      some bytes (the mask) are newer than below
 * and beside that it has those of its sectors (cache/sectors.h) that `sectors` says: all of them when it has come whole
 * (tags_fill, tags_take), else those that have come (tags_arrive) and that the cache marks itself.
 * A lookup changes nothing (so it can be repeated): the caller then touches, takes, fills, writes or drops the slot.
 *
 *     enum tags_result r = tags_probe(&t, tags_set(&t, cycle, line), line, &slot);
 *     hit, hit on a reserved line   tags_touch(&t, slot) ...
 *     miss                          slot is the victim: tags_state() says whether it is written back; then tags_take()
 *     fail                          every way of the set is reserved: nothing can change before one of them is filled
 *
 * The victim is an invalid way if the set has one, else the least recently used one that is not reserved; pinned lines
 * come after all others (policy/cache_policy.h). Tags with a `replacement` have their victims from it, and tell it all
 * that changes: the hardware block that an L1 with pins has (cache/replacement.h). The rule is the same (test 433). Up
 * to 32 ways a set are compared side by side (whole sets of 64-bit numbers, four at once) with an age stamp a way;
 * sets of more ways are looked up by hashing and keep their order in a linked list: the behaviour is the same (test
 * 403). Instead of LRU a cache can have another policy (tags_replace_with, cache/victim.h), except one with pins or a
 * `replacement`, which know LRU alone.
 *
 * Source: dwt-pric, Table 1 and section 3 (allocate on miss, "reservation fails"); set index: see hw/twins/pric.h.
 */
#ifndef CSIM_CACHE_TAGS_H
#define CSIM_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "hw/twins/pric.h"
#include "policy/cache_policy.h"

enum tags_state { TAGS_INVALID, TAGS_RESERVED, TAGS_VALID, TAGS_DIRTY };
enum tags_result { TAGS_HIT, TAGS_HIT_RESERVED, TAGS_MISS, TAGS_FAIL };

struct tags_lookup { /* a line, and what tags_probe said of it */
	uint64_t line;
	uint32_t slot;
	enum tags_result result;
};

struct tags_mask { /* bytes of a line of up to 128 bytes, bit 0 of byte[0] = first byte; larger lines: see tags_write */
	uint64_t byte[2];
};

struct tags_way {      /* line and age side by side: a lookup and its touch stay in one or few cache lines */
	uint64_t line; /* TAGS_NO_LINE when invalid */
	/* stamp of the last touch; 0 when invalid; TAGS_AGE_FIRST: leaves ahead of all; TAGS_AGE_RESERVED added when
	 * reserved */
	uint64_t age;
};

struct tags_many_ways; /* hash table and LRU lists: tags_many_ways.c */
struct replacement;
struct victim_policy;

struct tags {
	uint32_t sets, ways, stride; /* sets: a power of two; stride: slots a set, ways rounded up to 4 */
	uint64_t stamp;		     /* of the latest touch; TAGS_AGE_FIRST before any */
	struct tags_way *way;	     /* by slot */
	uint8_t *state;		     /* by slot: enum tags_state, a byte each */
	uint8_t *sectors;	     /* by slot: those whose data are there */
	uint8_t all;		     /* sectors of a line; of whole lines, 1: the default */
	/* by slot: the bytes that are dirty, or will be once a reserved line is filled */
	struct tags_mask *dirty;
	uint32_t *owner;		    /* by slot: the caller's; 0 at first, kept by all calls */
	uint8_t *pin;			    /* by slot: enum cache_pin */
	uint32_t pins;			    /* slots that are pinned */
	struct tags_many_ways *many_ways;   /* NULL for up to TAGS_FEW_WAYS ways */
	struct replacement *replacement;    /* NULL: victims are chosen here */
	const struct victim_policy *policy; /* cache/victim.h; NULL: LRU */
	uint8_t *rank;			    /* by slot: the policy's; NULL with LRU */
	uint64_t seed;			    /* the policy's */
	bool apart;			    /* one of many_ways, replacement and policy is not NULL */
	uint32_t line_shift;		    /* log2 of a line's bytes */
	struct pric_port pric;		    /* the set index, if not linear */
	bool hashed;			    /* pric is in use */
};

#define TAGS_NO_LINE	  UINT64_MAX
#define TAGS_AGE_FIRST	  UINT64_C(1)
#define TAGS_AGE_RESERVED (UINT64_C(1) << 63)
enum { TAGS_FEW_WAYS = 32 };

/* sets and line (bytes): powers of two, >= 1; ways >= 1; sets * ways < 2^31. All lines are invalid. pric: the port
 * that gives the set of an address (copied), or NULL for the linear index, the lowest bits of the line number. */
void tags_init(struct tags *t, struct arena *a, uint32_t sets, uint32_t ways, uint32_t line, const struct pric_port *pric);

static inline uint32_t tags_slots(const struct tags *t)
{
	return t->sets * t->stride;
}

/* The set of a line number. cycle: of the cache's clock, for the port's reports. */
static inline uint32_t tags_set(const struct tags *t, uint64_t cycle, uint64_t line)
{
	return t->hashed ? pric_port_set(&t->pric, cycle, line << t->line_shift) : (uint32_t)line & (t->sets - 1);
}

/* Sets have so many ways from now on, of those that they were made with; no line is there, and no replacement. */
void tags_set_ways(struct tags *t, uint32_t ways);

/* Victims come from `r` from now on; no line has been taken, and sets are narrow. */
void tags_replace_by(struct tags *t, struct replacement *r);

/* The policy chooses victims from now on (NULL: LRU); no line has been taken. seed: of a random one. */
void tags_replace_with(struct tags *t, struct arena *a, const struct victim_policy *policy, uint64_t seed);

/* Looks `line` up in `set`. *slot: where the line is (hits), the victim (miss); left alone on a fail. */
enum tags_result tags_probe(const struct tags *t, uint32_t set, uint64_t line, uint32_t *slot);

/* The line becomes the set's most recently used one. */
void tags_touch(struct tags *t, uint32_t slot);
/* The line becomes the set's least recently used one, behind invalid ways; not with a replacement, which has an order
 * of its own. */
void tags_first_out(struct tags *t, uint32_t slot);
/* `line` takes the slot, as reserved (a fill will come) or at once as valid; most recently used, no byte dirty. */
void tags_take(struct tags *t, uint32_t slot, uint64_t line, enum tags_state state);
/* The reserved line's data is there: it is valid, or dirty if it was written meanwhile. Its place in the LRU order
 * stays. */
void tags_fill(struct tags *t, uint32_t slot);
/* Of a reserved line the data of some sectors are there; last: none of it is on its way any more, which ends as
 * tags_fill does. */
void tags_arrive(struct tags *t, uint32_t slot, uint32_t sectors, bool last);
/* A line of which more is fetched is reserved again; not with a replacement. */
void tags_reserve(struct tags *t, uint32_t slot);
/* These sectors' data are not there any more. Without any, a line that is not reserved is dropped; a dirty one has been
 * written back. */
void tags_drop_sectors(struct tags *t, uint32_t slot, uint32_t sectors);
/* Marks bytes dirty. With lines of more than 128 bytes only "any" is meaningful: pass any mask that is not 0. */
void tags_write(struct tags *t, uint32_t slot, const uint64_t mask[2]);
/* Written back: valid again. */
void tags_clean(struct tags *t, uint32_t slot);
/* Pins the line, in place of the pin that it has, until it is dropped or another line takes its slot; or unpins it.
 * With a replacement: the line that has just taken the slot. */
void tags_pin(struct tags *t, uint32_t slot, enum cache_pin pin);
/* Invalid: the first victim of its set. */
void tags_drop(struct tags *t, uint32_t slot);
/* All lines that are not reserved. */
void tags_drop_all(struct tags *t);

static inline enum tags_state tags_state(const struct tags *t, uint32_t slot)
{
	return (enum tags_state)t->state[slot];
}
static inline bool tags_is_dirty(const struct tags *t, uint32_t slot) /* some byte is, or will be with the fill */
{
	return (t->dirty[slot].byte[0] | t->dirty[slot].byte[1]) != 0;
}
static inline uint64_t tags_line(const struct tags *t, uint32_t slot)
{
	return t->way[slot].line;
}

/* ---- sets of more than TAGS_FEW_WAYS ways (tags_many_ways.c); for tags.c only ---- */

struct tags_many_ways *tags_many_ways_new(const struct tags *t, struct arena *a);
bool tags_many_ways_find(const struct tags *t, uint64_t line, uint32_t *slot);
/* The least recently used way with that pin; false: all of them are reserved. */
bool tags_many_ways_victim(const struct tags *t, uint32_t set, enum cache_pin pin, uint32_t *slot);
void tags_many_ways_begin(struct tags *t);		   /* all lists anew, of t->ways ways each; no line is there */
void tags_many_ways_first(struct tags *t, uint32_t slot);  /* to the most recent end of its set's list */
void tags_many_ways_last(struct tags *t, uint32_t slot);   /* to the least recent end */
void tags_many_ways_least(struct tags *t, uint32_t slot);  /* to the least recent end of the lines that are there */
void tags_many_ways_insert(struct tags *t, uint32_t slot); /* the line joins the hash table */
void tags_many_ways_remove(struct tags *t, uint32_t slot); /* the line leaves it */

#endif

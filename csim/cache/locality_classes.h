/* Which locality a cache's accesses have: the classes of dwt-pric, section 3.1 (Figure 3).
 *
 * An access to a line that was accessed before, through the same cache, is of the class that its accessor and the
 * line's *last* accessor give, the first of these that applies:
 *
 *     inter-kernel   they belong to different launches, be they of one kernel
 *     inter-SM       to different SMs ("inter-core"); never in an L1, which is an SM's own
 *     intra-SM       to different CTAs on one SM ("intra-core")
 *     intra-CTA      to different warps of one CTA ("intra-block")
 *     inter-thread   to one warp, and no lane touches the line in both accesses
 *     intra-thread   to one warp, and a lane at least does
 *     none           one of the two is no thread, but a page walker or the CPU; or there is no earlier access and yet a
 *                    hit, because the line was prefetched
 *
 * The paper has a line "referenced and re-referenced by" the two: that is read as the last reference and this one. So
 * every access has one class, and a line needs to remember one accessor. A warp's access to a line is one access,
 * however many of its lanes touch the line: what they share within it is coalesced, and no locality of the cache.
 *
 * Two caches are told apart, which see the same accesses:
 *     the cache as it is ("bounded"): its hits, those on lines on their way included.
 *         accesses = hits of all classes + misses
 *     one without bounds, which loses no line, neither to stores nor between launches: only first accesses miss.
 *         accesses = reuses of all classes + first accesses
 * A hit is a reuse, of the same class, but for those on lines that were prefetched ahead of any access. The unbounded
 * L2 sees what the bounded L1s let through, as in the paper.
 *
 * What is an access: at an L1, a load from global or local memory that is neither volatile nor an atomic; one that a
 * policy sends past the cache, or that finds the L1 disabled, is a miss. A store to local memory that is written into
 * its line is not counted, but is the last access from then on; other stores leave no trace. At an L2 slice, every
 * request. An access that fails and is tried again is one access, in the order in which accesses succeed.
 */
#ifndef CSIM_CACHE_LOCALITY_CLASSES_H
#define CSIM_CACHE_LOCALITY_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "noc/accessor.h"

enum locality_class {
	CLASS_INTRA_THREAD,
	CLASS_INTER_THREAD,
	CLASS_INTRA_CTA,
	CLASS_INTRA_SM,
	CLASS_INTER_SM,
	CLASS_INTER_KERNEL,
	CLASS_NONE,
	LOCALITY_CLASSES
};

struct class_counts {
	uint64_t accesses;
	uint64_t hits[LOCALITY_CLASSES], misses;  /* of the cache as it is */
	uint64_t reuses[LOCALITY_CLASSES], first; /* of one without bounds */
};

struct last_access {
	struct accessor who;
	uint16_t sm;
	bool known; /* false: there was none */
};

struct line_chunk; /* the last accesses to neighbouring lines */

struct locality_classes {
	struct arena *arena;
	struct line_chunk *chunks; /* a hash table */
	struct line_chunk *near;   /* asked for last */
	struct class_counts count;
};

/* The arena is used as lines are touched: 16 bytes for each, and for its neighbours. */
void locality_classes_init(struct locality_classes *c, struct arena *a);

/* An access to a line, by its number. sm: that it comes from. hit: the line's data is in the cache or on its way. */
void locality_classes_count(struct locality_classes *c, uint64_t line, struct accessor who, uint16_t sm, bool hit);

/* A line that was accessed before is accessed in a way that is not counted. */
void locality_classes_touch(struct locality_classes *c, uint64_t line, struct accessor who, uint16_t sm);

/* Who accessed the line last; nobody: no thread. */
struct accessor locality_classes_last(struct locality_classes *c, uint64_t line);

/* The class of an access after another one. */
enum locality_class locality_class_of(const struct last_access *last, struct accessor who, uint16_t sm);

/* Sums over all classes. */
uint64_t class_hits(const struct class_counts *c);
uint64_t class_reuses(const struct class_counts *c);

#endif

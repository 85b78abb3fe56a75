/* A cache policy: which loads a cache keeps nothing of, and which lines it keeps longer than others.
 *
 * An L1 or an L2 slice asks its policy what to do with a load whose data it does not hold. A load that then finds a
 * resource missing is tried again and asked about again: `decide` changes nothing. Once a load has been accepted,
 * `observe` is called for it, once, also if it hit. Stores, atomics and volatile loads are not the policy's. Time
 * passes for it by `advance` alone, which is called ahead of the first lookup at or after the cycle that `next` names.
 * One file a policy:
 *
 *   none               loads allocate, the least recently used line leaves
 *   streaming_bypass   a cache in which hardly a load hits is bypassed for a period (dwt-pric, section 4.1)
 *   locality           as the locality table says of the load's data structure (ldesc, section 4.4); a plan turns it on
 *
 * Lines without data. With CACHE_BYPASS_TAG the line of a load that goes past takes a way as if it were brought in,
 * but its data does not come: the tags go on showing what a cache in use would hold. A load that meets such a line is
 * CACHE_FOUND_TAG, and its data is not there.
 *
 * Held open. While the SM tries warp limits, bypass is not judged: from `hold` until it is let go, a cycle later at
 * least, all loads allocate, whatever they find. The loads of a period that was held open, in part or in whole, do not
 * count: the first period that is judged is the first full one after that (docs/explanation/caches.md). A cache that
 * was bypassed is used again, and its lines without data are dropped, as after a good period.
 *
 * Pins. A victim is an invalid way, else the least recently used line that is not pinned, else the least recently used
 * one with a soft pin, else way 0; a line on its way is never one (ldesc, section 5.2). A pin ends with its line; in an
 * L1 also by the timer of the block that chooses the victims (cache/replacement.h).
 *
 * Units: cycles of the cache's clock. Source: dwt-pric, section 4.1; ldesc, section 5.2; docs/explanation/caches.md.
 */
#ifndef CSIM_POLICY_CACHE_POLICY_H
#define CSIM_POLICY_CACHE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "hw/port.h"
#include "hw/twins/locality_entry.h"
#include "machine/machine.h"

/* Where the tags found a load's line. */
enum cache_found { CACHE_FOUND, CACHE_FOUND_RESERVED /* on its way */, CACHE_FOUND_TAG, CACHE_NOT_FOUND };

struct cache_load {
	uint64_t cycle;
	uint64_t line;	 /* number: physical byte address / bytes of a line */
	uint16_t buffer; /* of the program; >= the number of buffers: none */
	enum cache_found found : 8;
	enum locality_caching locality : 8; /* of its data structure */
};

enum cache_use {
	CACHE_ALLOCATE,	  /* the line is brought in */
	CACHE_BYPASS,	  /* the load goes below, and the cache keeps nothing of it */
	CACHE_BYPASS_TAG, /* likewise, and the line's tag takes a way, if one of the set is not reserved */
};
enum cache_pin { CACHE_UNPINNED, CACHE_SOFT_PIN, CACHE_HARD_PIN };

struct cache_verdict {
	enum cache_use use : 8;
	enum cache_pin pin : 8; /* of a line that is brought in */
};

struct cache_policy {
	const char *name;
	/* Makes the state of one cache, in the arena. */
	void (*init)(void **state, struct arena *a, const struct machine_bypass *settings);

	/* Its settings are now these, from this cycle on (machine/live.h); NULL: it has none. Of a golden twin. */
	void (*change)(void *state, const struct machine_bypass *settings, uint64_t cycle);

	/* The rest is NULL where a policy has no use for it; without `decide` all loads allocate. */

	/* A policy that decides by a hardware block. bind: gets its port, under the cache's name ("sm3.l1", "l2.7"),
	 * ahead of all else; fails as the binder does. finish: it is to see all up to this cycle, at the end of a
	 * run. */
	int (*bind)(void *state, const char *owner, const struct hw_binder *binder, struct err *e);
	void (*finish)(void *state, uint64_t cycle);

	struct cache_verdict (*decide)(const void *state, const struct cache_load *l);
	void (*observe)(void *state, const struct cache_load *l);
	/* Both return whether all lines without data are to be dropped. hold: from this cycle on, which `advance` has
	 * come to, the cache is held open, or is not any more. */
	bool (*advance)(void *state, uint64_t cycle);
	bool (*hold)(void *state, uint64_t cycle, bool open);
	uint64_t (*next)(const void *state); /* UINT64_MAX: no such cycle */
	bool (*bypassed)(const void *state); /* whether the cache is, as a whole, at present */
};

extern const struct cache_policy cache_policy_none, cache_policy_streaming_bypass, cache_policy_locality;

/* The one that a cache's settings name (l1.bypass.policy, l2.bypass.policy). */
const struct cache_policy *cache_policy_of(const struct machine_bypass *settings);

#endif

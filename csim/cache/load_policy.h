/* A cache's side of its policy (policy/cache_policy.h): the same for an L1 and an L2 slice.
 *
 *     load_policy_advance(p, tags, cycle)             ahead of the lookup
 *     found = load_policy_found(p, result, slot)      what the policy calls the lookup's result
 *     verdict = p->ops->decide(p->state, &load)       if its data is not there
 *     load_policy_accepted(p, &load)                  the load does not have to be tried again
 *
 * Units: cycles of the cache's clock.
 */
#ifndef CSIM_CACHE_LOAD_POLICY_H
#define CSIM_CACHE_LOAD_POLICY_H

#include <stdbool.h>

#include "cache/tags.h"
#include "policy/cache_policy.h"

struct load_policy {
	const struct cache_policy *ops;
	void *state;
	uint64_t due;	   /* cycle in which its answers may change by themselves */
	uint8_t *tag_only; /* by slot: sectors that are in its tags without data */
	uint64_t bypasses; /* loads that it sent past the cache */
	uint64_t tag_hits; /* of them, those that met their line, without data */
};

void load_policy_init(struct load_policy *p, struct arena *a, const struct machine_bypass *settings, const struct tags *t);

/* As the policy's change() says. */
void load_policy_change(struct load_policy *p, const struct machine_bypass *settings, uint64_t cycle);

/* Gets the policy the block that it decides by, if it is such a one; owner: "l2.7". Fails as the binder does. */
int load_policy_bind(struct load_policy *p, const char *owner, const struct hw_binder *binder, struct err *e);
/* That block sees all up to `cycle`, at the end of a run. */
void load_policy_finish(struct load_policy *p, uint64_t cycle);

/* Whether it wants to be asked at all. */
static inline bool load_policy_on(const struct load_policy *p)
{
	return p->ops->decide != NULL;
}

void load_policy_pass_time(struct load_policy *p, struct tags *t, uint64_t cycle);
static inline void load_policy_advance(struct load_policy *p, struct tags *t, uint64_t cycle)
{
	if (cycle >= p->due)
		load_policy_pass_time(p, t, cycle);
}

/* From this cycle on, ahead of its lookup, the cache is held open, or is not any more. */
void load_policy_hold(struct load_policy *p, struct tags *t, uint64_t cycle, bool open);

enum cache_found load_policy_found(const struct load_policy *p, enum tags_result r, uint32_t slot);

/* The line takes the slot, which tags_probe gave: with data, pinned as the policy said; or without, as if these sectors
 * had been brought in. */
void load_policy_brought_in(struct load_policy *p, struct tags *t, uint32_t slot, enum cache_pin pin);
void load_policy_take_tag(struct load_policy *p, struct tags *t, uint32_t slot, uint64_t line, uint32_t sectors);

/* These sectors of a line that has the slot would have been brought in too. */
static inline void load_policy_add_tags(struct load_policy *p, struct tags *t, uint32_t slot, uint32_t sectors)
{
	p->tag_only[slot] |= (uint8_t)(sectors & ~t->sectors[slot]);
	t->sectors[slot] |= (uint8_t)sectors;
}

/* Sectors of the slot's line whose data are there. */
static inline uint32_t load_policy_data(const struct load_policy *p, const struct tags *t, uint32_t slot)
{
	return t->sectors[slot] & ~(uint32_t)p->tag_only[slot];
}

static inline void load_policy_accepted(struct load_policy *p, const struct cache_load *l)
{
	if (p->ops->observe)
		p->ops->observe(p->state, l);
}

#endif

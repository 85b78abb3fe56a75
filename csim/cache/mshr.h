/* Miss-status holding registers of one cache.
 *
 * An entry stands for one line on its way from below, and keeps who waits for it: a client of the cache, with a token
 * of its own. Later misses to that line merge into the entry instead of going down again. A miss that finds neither a
 * free entry nor room in the line's entry fails and is tried again later: the results distinguish the two, because the
 * paper counts them apart (dwt-pric, section 3.1).
 *
 * Nothing is searched on the usual path: a miss allocates a line in the tags, so the cache keeps the entry's number as
 * the reserved line's tags.owner, and sends it below as the request's token, which comes back with the reply.
 * mshr_find() is for misses that have no line in the tags; a cache in which all are such, since it allocates a line
 * when it comes, has an index for it (mshr_index).
 *
 * A line of several sectors (cache/sectors.h) may be asked for in parts, in one or several requests. An entry knows the
 * sectors that are on their way, and of each that waits those that it still waits for; a cache of whole lines has one
 * sector. Who has been served keeps its place until all of the entry's sectors have come.
 *
 *     new miss            mshr_alloc(&m, line, who, &entry)      MSHR_NEW: send the request down | MSHR_FAIL_ENTRY
 *     hit on a reserved   mshr_merge(&m, entry, who)             MSHR_MERGED | MSHR_FAIL_MERGE
 *     either              mshr_request(&m, entry, sectors) those that are asked for, mshr_wait(&m, entry, sectors)
 *     reply               who = mshr_waiters(&m, entry, &n) ... mshr_free(&m, entry)
 *     reply of a part     last = mshr_arrived(&m, entry, sectors), mshr_serves(&m, entry, i, sectors) ..., if last
 *                         mshr_free(&m, entry)
 */
#ifndef CSIM_CACHE_MSHR_H
#define CSIM_CACHE_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/panic.h"

enum mshr_result { MSHR_NEW, MSHR_MERGED, MSHR_FAIL_ENTRY, MSHR_FAIL_MERGE };

struct mshr_waiter {
	uint32_t client; /* as the cache numbers whom it serves */
	uint32_t token;	 /* of the client */
};

struct mshr {
	uint32_t entries, merges;   /* lines in flight; accesses that an entry can hold, the first included */
	uint32_t n_free;	    /* entries not in use: the top of the stack below */
	uint32_t *free;		    /* stack of entry numbers; the lowest number is on top at first */
	uint64_t *line;		    /* by entry; MSHR_NO_LINE when free */
	uint32_t *n;		    /* by entry: accesses that wait */
	uint8_t *pending;	    /* by entry: sectors on their way */
	uint8_t *needs;		    /* by entry * merges + i: sectors that waiter i waits for; 0: it is served */
	struct mshr_waiter *waiter; /* entry * merges + i, oldest first */
	struct mshr_index *index;   /* NULL: lines are found by comparing all entries */
};

#define MSHR_NO_LINE UINT64_MAX

/* entries >= 1, merges >= 1, product below 2^31. */
void mshr_init(struct mshr *m, struct arena *a, uint32_t entries, uint32_t merges);

/* A free entry for `line`; `who` waits for it. The line may have an entry: of a cache that also fetches lines past
 * itself. */
enum mshr_result mshr_alloc_any(struct mshr *m, uint64_t line, struct mshr_waiter who, uint32_t *entry);

/* One more waits for the line of an entry in use. */
enum mshr_result mshr_merge(struct mshr *m, uint32_t entry, struct mshr_waiter who);

/* From now on lines are found by hashing; no entry is in use. A line then has one entry at most. */
void mshr_index(struct mshr *m, struct arena *a);

/* The entry of a line; false if none stands for it. */
bool mshr_find(const struct mshr *m, uint64_t line, uint32_t *entry);

/* A free entry for a line that has none yet. */
static inline enum mshr_result mshr_alloc(struct mshr *m, uint64_t line, struct mshr_waiter who, uint32_t *entry)
{
	PANIC_UNLESS_COSTLY(line == MSHR_NO_LINE || !mshr_find(m, line, entry), "mshr", m->n_free);
	return mshr_alloc_any(m, line, who, entry);
}

/* Who waits in an entry, oldest first; valid until the next mshr_alloc after mshr_free. The slot of waiter i is
 * entry * merges + i: a cache that must remember more about a waiting access than this keeps an array of its own by
 * that slot (see mshr_last_slot). */
static inline const struct mshr_waiter *mshr_waiters(const struct mshr *m, uint32_t entry, uint32_t *n)
{
	*n = m->n[entry];
	return m->waiter + (uint64_t)entry * m->merges;
}

/* Slot of the waiter that was added to the entry last. */
static inline uint32_t mshr_last_slot(const struct mshr *m, uint32_t entry)
{
	return entry * m->merges + m->n[entry] - 1;
}

static inline bool mshr_is_full(const struct mshr *m, uint32_t entry)
{
	return m->n[entry] == m->merges;
}

/* More sectors of the entry's line are on their way. */
static inline void mshr_request(struct mshr *m, uint32_t entry, uint32_t sectors)
{
	m->pending[entry] |= (uint8_t)sectors;
}

/* The waiter that was added last waits for these. */
static inline void mshr_wait(struct mshr *m, uint32_t entry, uint32_t sectors)
{
	m->needs[mshr_last_slot(m, entry)] = (uint8_t)sectors;
}

/* Sectors have come. Returns whether none of the line is on its way any more. */
static inline bool mshr_arrived(struct mshr *m, uint32_t entry, uint32_t sectors)
{
	m->pending[entry] &= (uint8_t)~sectors;
	return !m->pending[entry];
}

/* Whether waiter i has waited for nothing but these sectors, which have come, and is now served. */
static inline bool mshr_serves(struct mshr *m, uint32_t entry, uint32_t i, uint32_t sectors)
{
	uint8_t *needs = &m->needs[(uint64_t)entry * m->merges + i], before = *needs;

	*needs &= (uint8_t)~sectors;
	return before && !*needs;
}

/* The entry's line is there and its waiters have been served. */
void mshr_free(struct mshr *m, uint32_t entry);

static inline uint32_t mshr_in_use(const struct mshr *m)
{
	return m->entries - m->n_free;
}

#endif

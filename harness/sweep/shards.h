/* Shards: parts of a sweep that are made by processes which share nothing but a folder, on this machine or others.
 *
 *     DIR/shards/todo      the runs, an array {"content", "args"}; shard k of n makes those whose number is k modulo n
 *     DIR/shards/K-N.json  the result of run N of a todo whose hash is K: {"content", "args", "seconds", "result"}, or
 *                          "why" in place of "result"
 *
 * A file appears when it is whole, and each run has one of its own, so that no shard waits for another and no file
 * system need have locks. One process merges them into the store, and removes each when its row is on the disk: a kill
 * at any moment loses none, and at worst merges one twice, which changes nothing.
 */
#ifndef HARNESS_SWEEP_SHARDS_H
#define HARNESS_SWEEP_SHARDS_H

#include <stdint.h>

#include "base/err.h"
#include "sweep/runs.h"
#include "sweep/store.h"

/* Writes what shards shall make. */
int sweep_shards_write(const char *dir, const struct sweep_missing *m, uint64_t memory, struct err *e);

/* Makes the runs of one shard, of `shards`. Returns -1 if it cannot; runs that fail are results too. */
int sweep_shard_run(const char *dir, unsigned shard, unsigned shards, const struct sweep_options *o, struct err *e);

/* Puts what shards have made into the store. merged: counts them; NULL: nobody wants to know. No shards: nothing. */
int sweep_shards_merge(const char *dir, struct sweep_store *s, unsigned *merged, struct err *e);

#endif

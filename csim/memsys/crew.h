/* Host threads that do a piece of work together, with barriers between its parts: the caller's and n - 1 of their own.
 *
 * Who waits looks again and again for a few microseconds, then sleeps: a core that others want is not kept busy.
 */
#ifndef CSIM_MEMSYS_CREW_H
#define CSIM_MEMSYS_CREW_H

#include <stdint.h>

struct crew;

/* NULL: the host gives no more threads. n: 2 or more. When it returns all have begun: none is in the allocator of the
 * address sanitizer when the process forks, which would leave its child a lock that nobody gives back. */
struct crew *crew_new(uint32_t n);
void crew_free(struct crew *c);
/* In a process that was forked between two runs, which has none of the threads: gives back their memory. */
void crew_forget(struct crew *c);

/* Calls work(ctx, k) in a thread each, k from 0 to n - 1, 0 in the caller's; returns when all have returned. */
void crew_run(struct crew *c, void (*work)(void *ctx, uint32_t k), void *ctx);

/* For thread k in work(): returns when all have called it. What a thread wrote before is seen by all behind it. */
void crew_barrier(struct crew *c, uint32_t k);

/* How often thread k has waited for so long that it gave up its core. */
uint64_t crew_long_waits(const struct crew *c, uint32_t k);

#endif

/* The dispatcher alone, between SMs that only hold their CTAs for a while.
 *
 * An SM begins a CTA in the cycle in which the message arrives, and reports its end `cycles` later; both messages take
 * a cycle. So a context that is free at the SM in cycle c is known to the dispatcher in c + 1, and a CTA sent then
 * begins in c + 2.
 */
#ifndef TESTS_SUPPORT_DISPATCH_BENCH_H
#define TESTS_SUPPORT_DISPATCH_BENCH_H

#include "dispatch/dispatch.h"
#include "dispatch/group_dispatch.h"

struct bench_cta {
	uint32_t launch, cta, sm;
	uint64_t start, end; /* cycles */
};

struct dispatch_bench {
	uint32_t sms, limit; /* limit: CTAs an SM holds */
	const struct plan *plan;
	uint64_t (*cycles)(void *ctx, uint32_t launch, uint32_t cta); /* a CTA's length, >= 1 */
	void *ctx;

	/* For plans with groups. */
	uint64_t latency; /* core cycles of a fetch */
	bool every_cycle;
	struct group_dispatch_counts counts; /* of the run */

	uint32_t n; /* CTAs that ran, in the order in which they began; of one cycle, by SM */
	struct bench_cta *ran;
	uint64_t end; /* cycle in which the dispatcher heard of the last */
};

/* A trace of launches with so many CTAs, which do nothing but end. */
struct trace *dispatch_bench_trace(const uint32_t *ctas, unsigned n);
/* Runs all launches. Fails the test when a CTA runs twice or never, an SM holds more than `limit`, or a launch begins
 * early. */
void dispatch_bench_run(struct dispatch_bench *b, struct trace *t, struct arena *a);

/* Lengths: ctx is a uint64_t, the length of all; a uint64_t, a seed for lengths of 1 to 40. */
uint64_t dispatch_bench_same(void *ctx, uint32_t launch, uint32_t cta);
uint64_t dispatch_bench_random(void *ctx, uint32_t launch, uint32_t cta);

#endif

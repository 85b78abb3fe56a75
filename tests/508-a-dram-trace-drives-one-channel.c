/* 508: the channel alone, driven by a list of requests: the same cycles as when all of the list is before it from the
 * start, and the latencies that the timings add up to. */
#include <criterion/criterion.h>
#include <string.h>

#include "replay/dram_trace.h"
#include "support/dram_check.h"
#include "support/dram_rig.h"
#include "support/random.h"

enum { REQUESTS = 4000 };

struct seen {
	struct dram_trace_request r[REQUESTS];
	uint32_t n;
};

static void keep(void *context, const struct dram_trace_request *r)
{
	struct seen *s = context;

	cr_assert(s->n < REQUESTS);
	s->r[s->n++] = *r;
}

/* The rig's channel has the whole list before it from the start; the player hands it on as it goes. */
static void compare(enum rig_memory memory, uint64_t seed, const char *const *set)
{
	static uint64_t done[REQUESTS];
	static struct seen seen;
	struct rig *r = rig_of(memory, set);
	struct dram_trace *t = dram_trace_open(&r->m, 0, keep, &seen);
	uint64_t s = seed, cycle = 0, reads = 0, sum = 0, gap = 1 + (uint32_t)random_below(&s, 30);
	struct dram_trace_counts n;

	seen.n = 0;
	memset(done, 0, sizeof done);
	for (uint32_t i = 0; i < REQUESTS; i++) {
		bool write = (uint32_t)random_below(&s, 4) == 0;
		uint64_t addr = (uint64_t)(uint32_t)random_below(&s, 1 << 12) * r->m.dram.burst_bytes;
		struct dram_req *q;

		cycle += (uint32_t)random_below(&s, 2) ? 0 : (uint32_t)random_below(&s, (uint32_t)gap);
		q = queue_push(&r->in, ticks_of(cycle, r->m.clock.period[CLOCK_DRAM]));
		*q = (struct dram_req){.local = addr, .token = i, .bursts = 1, .write = write, .whole = write};
		dram_trace_push(t, i + 1, addr, write, cycle);
	}
	n = dram_trace_end(t);
	for (uint64_t now = 0; now < n.end + 10; now++) {
		uint32_t token;

		while (rig_reply(r, now, &token))
			done[token] = now;
	}
	cr_assert_eq(seen.n, REQUESTS);
	for (uint32_t i = 0; i < REQUESTS; i++) {
		const struct dram_trace_request *x = &seen.r[i];

		cr_assert(x->line == i + 1 && x->arrived <= x->accepted && x->accepted < x->done);
		if (x->write)
			continue;
		cr_assert_eq(x->done, done[i], "seed %lu, request %u: done at %lu, not %lu", (unsigned long)seed, i,
			     (unsigned long)x->done, (unsigned long)done[i]);
		reads++;
		sum += x->done - x->accepted;
	}
	cr_assert_eq(reads, n.requests[DRAM_READ]);
	cr_assert_eq(sum, n.read_cycles);
	cr_assert_eq(memcmp(n.stats.command, r->d.stats.command, sizeof n.stats.command), 0, "seed %lu", (unsigned long)seed);
	cr_assert_eq(n.stats.row_hits, r->d.stats.row_hits);
	dram_trace_close(t);
	rig_free(r);
}

Test(dram_trace, gives_the_cycles_of_a_channel_that_sees_all_at_once)
{
	EACH_MEMORY for (uint64_t seed = 1; seed <= 6; seed++)
	{
		compare(memory, seed, NULL);
		compare(memory, seed, (const char *const[]){"dram.refresh=true", "dram.refi=900", NULL});
		compare(memory, seed, (const char *const[]){"dram.queue=2", "dram.write_high=2", "dram.write_low=1", NULL});
		compare(memory, seed, (const char *const[]){"dram.age_cap=0", "dram.cl=200", NULL});
	}
}

/* Every kind of read, one after another, far apart: address, cycle, the latency by the timings, what it found. */
Test(dram_trace, shows_each_latency_and_what_the_row_was)
{
	static struct seen seen;

	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		const uint32_t rcd = r->m.dram.rcd, rp = r->m.dram.rp, data = r->m.dram.cl + r->m.dram.burst;
		const uint64_t row = UINT64_C(1) << strlen(r->m.dram.map), burst = r->m.dram.burst_bytes;
		const struct {
			uint64_t addr, cycle;
			bool write;
			uint32_t latency;
			enum dram_trace_outcome outcome;
		} list[] = {
			{0, 10, false, rcd + data, DRAM_TRACE_MISS},
			{burst, 1000, false, data, DRAM_TRACE_HIT},
			{7 * row, 2000, false, rp + rcd + data, DRAM_TRACE_CONFLICT},
			{7 * row, 3000, true, r->m.dram.wl + r->m.dram.burst, DRAM_TRACE_HIT},
			{9 * row + burst, 4000, true, rp + rcd + r->m.dram.wl + r->m.dram.burst, DRAM_TRACE_CONFLICT},
			{9 * row + burst, 4001, false, r->m.dram.burst, DRAM_TRACE_FORWARDED},
			{9 * row + burst, 5000, false, data, DRAM_TRACE_HIT},
		};
		struct dram_trace *t;
		struct dram_trace_counts n;

		seen.n = 0;
		t = dram_trace_open(&r->m, 0, keep, &seen);
		for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
			dram_trace_push(t, i, list[i].addr, list[i].write, list[i].cycle);
		n = dram_trace_end(t);
		for (uint32_t i = 0; i < sizeof list / sizeof *list; i++) {
			const struct dram_trace_request *x = &seen.r[i];

			cr_assert_eq(x->accepted, list[i].cycle);
			cr_assert_eq(x->done - x->accepted, list[i].latency, "memory %u, request %u: %lu cycles", memory, i,
				     (unsigned long)(x->done - x->accepted));
			cr_assert_eq(x->outcome, list[i].outcome, "memory %u, request %u", memory, i);
		}
		cr_assert_eq(n.first, 10);
		cr_assert_eq(n.end, 5000 + data);
		dram_trace_close(t);
		rig_free(r);
	}
}

Test(dram_trace, a_request_of_a_line_ends_with_its_last_burst)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t bursts = 128 / r->m.dram.burst_bytes;
		struct dram_trace *t = dram_trace_open(&r->m, 128, NULL, NULL);
		struct dram_trace_counts n;

		dram_trace_push(t, 1, 0x1238, false, 0); /* the line that holds it */
		n = dram_trace_end(t);
		cr_assert_eq(n.end, r->m.dram.rcd + (bursts - 1) * r->m.dram.ccdl + r->m.dram.cl + r->m.dram.burst);
		cr_assert_eq(n.stats.bytes, 128);
		dram_trace_close(t);
		rig_free(r);
	}
}

/* Acceptance, not arrival: with one place for a read, the second is accepted in the cycle after the first one's
 * access. */
Test(dram_trace, a_latency_counts_from_acceptance)
{
	static struct seen seen;
	struct rig *r = rig_new((const char *const[]){"dram.queue=1", "dram.write_high=1", "dram.write_low=0", NULL});
	struct dram_trace *t = dram_trace_open(&r->m, 0, keep, &seen);
	const uint32_t rcd = r->m.dram.rcd, data = r->m.dram.cl + r->m.dram.burst, ccdl = r->m.dram.ccdl;

	for (uint32_t i = 0; i < 3; i++)
		dram_trace_push(t, i, i * 64, false, 0);
	dram_trace_end(t);
	cr_assert_eq(seen.r[0].accepted, 0);
	cr_assert_eq(seen.r[1].accepted, rcd + 1);
	cr_assert_eq(seen.r[1].done, rcd + ccdl + data);
	cr_assert_eq(seen.r[2].accepted, rcd + ccdl + 1);
	dram_trace_close(t);
	rig_free(r);
}

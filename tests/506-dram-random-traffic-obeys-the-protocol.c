/* 506: random traffic under many timings: an independent judge reads the command log; nothing is lost, nothing answered
 * twice. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/dram_check.h"
#include "support/dram_rig.h"
#include "support/random.h"

enum { REQUESTS = 1500 };

/* A machine with timings of its own for each seed, far from the real ones but consistent. */
static struct rig *random_rig(enum rig_memory memory, uint64_t *s)
{
	char text[19][48];
	const char *set[22] = {NULL};
	uint32_t n = 0, ccd = 1 + (uint32_t)random_below(s, 4), ras = 10 + (uint32_t)random_below(s, 30),
		 rp = 2 + (uint32_t)random_below(s, 15), high = 2 + (uint32_t)random_below(s, 30);

#define KEY(name, value) set[n] = text[n], snprintf(text[n], sizeof text[n], "dram." name "=%u", (unsigned)(value)), n++
	KEY("ccd", ccd);
	KEY("ccdl", ccd + (uint32_t)random_below(s, 4));
	KEY("ras", ras);
	KEY("rp", rp);
	KEY("rc", ras + rp + (uint32_t)random_below(s, 8));
	KEY("rcd", 3 + (uint32_t)random_below(s, 12));
	KEY("rrd", 1 + (uint32_t)random_below(s, 8));
	KEY("rrdl", (uint32_t)random_below(s, 12));
	KEY("faw", (uint32_t)random_below(s, 2) * (uint32_t)random_below(s, 60));
	KEY("rtp", 1 + (uint32_t)random_below(s, 8));
	KEY("wr", 2 + (uint32_t)random_below(s, 12));
	KEY("cdlr", (uint32_t)random_below(s, 7));
	KEY("refresh", 1);
	set[n - 1] = (uint32_t)random_below(s, 2) ? "dram.refresh=true" : "dram.refresh=false";
	KEY("refi", 700 + (uint32_t)random_below(s, 900));
	KEY("write_high", high);
	KEY("write_low", (uint32_t)random_below(s, high));
	KEY("rfcsb", 5 + (uint32_t)random_below(s, 200)); /* a bank is due every 700 / 16 cycles or more */
	KEY("rrefd", 1 + (uint32_t)random_below(s, 12));
	set[n++] = (uint32_t)random_below(s, 2) ? "dram.refresh_banks=single" : "dram.refresh_banks=all";
	set[n++] = (uint32_t)random_below(s, 2) ? "dram.group_bits=low" : "dram.group_bits=high";
	set[n++] = (uint32_t)random_below(s, 2) ? "dram.sched=frfcfs" : "dram.sched=fcfs";
#undef KEY
	return rig_of(memory, set);
}

/* Pushes requests with the locality that this seed has, and takes replies as they come. */
static void drive(struct rig *r, uint64_t *s, uint32_t *answered, uint8_t *wanted, uint8_t *is_write)
{
	uint32_t line = r->m.l2.c.line / r->m.dram.burst_bytes, lines = r->m.dram.row_bytes / r->m.l2.c.line;
	uint32_t rows = 1 + (uint32_t)random_below(s, 6), banks = 1 + (uint32_t)random_below(s, 16),
		 gap = (uint32_t)random_below(s, 3) ? 1 + (uint32_t)random_below(s, 6) : 60, token;
	uint64_t now = 0;

	for (uint32_t i = 0; i < REQUESTS; i++) {
		uint8_t bursts = (uint8_t)(1 + (uint32_t)random_below(s, (1u << line) - 1));

		is_write[i] = (uint32_t)random_below(s, 3) == 0;
		wanted[i] = bursts;
		while (rig_reply(r, now, &token))
			answered[token]++;
		now += 1 + (uint32_t)random_below(s, 2 * gap);
		rig_push(r, now, is_write[i], (uint32_t)random_below(s, banks), (uint32_t)random_below(s, rows),
			 line * (uint32_t)random_below(s, lines), bursts, i);
	}
	for (uint64_t end = now + 200000; now < end; now += 100)
		while (rig_reply(r, now, &token))
			answered[token]++;
}

static void check_all_served(const struct rig *r, const uint32_t *answered, const uint8_t *wanted, const uint8_t *is_write)
{
	static uint32_t columns[REQUESTS];
	uint32_t forwarded = 0;

	memset(columns, 0, sizeof columns);
	for (uint32_t i = 0; i < r->commands; i++) {
		const struct dram_command_event *e = &r->log[i];

		if (e->command != DRAM_RD && e->command != DRAM_WR)
			continue;
		cr_assert_eq(e->command == DRAM_WR, is_write[e->token]);
		columns[e->token]++;
	}
	for (uint32_t i = 0; i < REQUESTS; i++) {
		uint32_t n = (uint32_t)__builtin_popcount(wanted[i]);

		cr_assert_eq(answered[i], !is_write[i], "request %u, write %u, has %u replies", i, is_write[i], answered[i]);
		if (columns[i] != n) {
			cr_assert(!is_write[i] && !columns[i], "request %u has %u of %u bursts", i, columns[i], n);
			forwarded++;
		}
	}
	cr_assert_eq(forwarded, r->d.stats.forwarded);
	cr_assert_eq(dram_waiting(&r->d), 0);
	cr_assert_eq(r->d.stats.row_hits + r->d.stats.row_misses + r->d.stats.row_conflicts + forwarded, REQUESTS);
}

static void check_forty_machines(enum rig_memory memory)
{
	static uint32_t answered[REQUESTS];
	static uint8_t wanted[REQUESTS], is_write[REQUESTS];
	char why[256];

	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t s = seed;
		struct rig *r = random_rig(memory, &s);

		memset(answered, 0, sizeof answered);
		drive(r, &s, answered, wanted, is_write);
		cr_assert(dram_check_log(&r->m, r->log, r->commands, why), "seed %lu: %s", (unsigned long)seed, why);
		check_all_served(r, answered, wanted, is_write);
		rig_free(r);
	}
}

Test(dram_random, forty_machines_of_gddr5_obey_every_pairwise_invariant_and_lose_nothing)
{
	check_forty_machines(RIG_GDDR5);
}

Test(dram_random, forty_machines_of_hbm2_do_too)
{
	check_forty_machines(RIG_HBM2);
}

/* The share of commands of which the judge sees that they came one cycle early. */
static double share_of_early_commands_seen(enum rig_memory memory)
{
	uint64_t s = 3;
	struct rig *r = rig_of(memory, NULL);
	char why[256];
	uint32_t caught = 0, moved = 0;

	/* row conflicts of two banks: hardly a command can go one cycle earlier */
	for (uint32_t i = 0; i < 100; i++)
		rig_push(r, 0, (uint32_t)random_below(&s, 2), (uint32_t)random_below(&s, 2), i, 0, 1, i);
	rig_run(r, 100000);
	cr_assert(dram_check_log(&r->m, r->log, r->commands, why), "%s", why);
	for (uint32_t i = 1; i < r->commands; i++) {
		r->log[i].cycle--;
		moved++;
		caught += !dram_check_log(&r->m, r->log, r->commands, why);
		r->log[i].cycle++;
	}
	rig_free(r);
	return (double)caught / moved;
}

Test(dram_random, the_judge_sees_a_command_that_is_one_cycle_early)
{
	cr_assert_geq(share_of_early_commands_seen(RIG_GDDR5), 0.9);
	cr_assert_geq(share_of_early_commands_seen(RIG_HBM2), 0.9);
}

Test(dram_random, no_request_waits_longer_than_the_cap_and_the_queues_allow)
{
	static uint64_t seen[REQUESTS], arrived[REQUESTS];
	struct rig *r = rig_new((const char *const[]){"dram.age_cap=128", NULL});
	uint64_t s = 11, columns = 0, most = 0;

	/* half the traffic streams through one row; the rest is spread thin: without a cap it would wait for the stream
	 * to end */
	for (uint32_t i = 0; i < REQUESTS; i++) {
		bool stream = (uint32_t)random_below(&s, 4) != 0;

		arrived[i] = i * 3;
		rig_push(r, arrived[i], (uint32_t)random_below(&s, 5) == 0, stream ? 0 : (uint32_t)random_below(&s, 16),
			 stream ? 1 : (uint32_t)random_below(&s, 8), 2 * (uint32_t)random_below(&s, 32), 3, i);
	}
	rig_run(r, 200000);
	for (uint32_t i = 0; i < REQUESTS; i++)
		seen[i] = UINT64_MAX;
	for (uint32_t i = 0; i < r->commands; i++) {
		if (r->log[i].command != DRAM_RD && r->log[i].command != DRAM_WR)
			continue;
		columns++;
		if (seen[r->log[i].token] == UINT64_MAX)
			seen[r->log[i].token] = columns;
	}
	/* A request enters the controller in order, so at most (entered by the time it is served) - (its number) go
	 * first. */
	for (uint32_t i = 0; i < REQUESTS; i++) {
		uint64_t before = 2 * (uint64_t)i;

		if (seen[i] != UINT64_MAX && seen[i] > before && seen[i] - before > most)
			most = seen[i] - before;
	}
	/* the cap, and every other request of both queues, two bursts each, urgent before it */
	cr_assert_leq(most, 128 + 2 * 2 * 64, "%lu accesses went first", (unsigned long)most);
	rig_free(r);
}

/* 741: PAVER's Verilog agrees with its golden twin in every output and register, whatever memory and SMs do, and each
 * CTA is issued exactly once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/paver.h"
#include "lockstep/cosim.h"
#include "support/corner_scenario.h"
#include "support/paver_bench.h"
#include "support/program.h"

struct bench {
	struct cosim_options o;
	struct cosim *c;
	struct paver_bench b;
};

static void bench_open(struct bench *x, enum unit_mode mode, struct paver_params p, uint64_t seed)
{
	static char prefix[200];
	struct paver_port port;
	struct hw_binder binder;
	struct err e = {""};

	snprintf(prefix, sizeof prefix, "%s/mismatch", program_tmp());
	cosim_options_init(&x->o, mode);
	x->o.bundle_prefix = prefix;
	x->c = cosim_new(&x->o);
	binder = cosim_binder(x->c);
	cr_assert_eq(paver_bind(&binder, "dispatch", &p, &port, &e), 0, "%s", e.text);
	paver_bench_init(&x->b, port, seed);
}

static void bench_finish(struct bench *x)
{
	struct err e = {""};
	size_t size;
	char *said;
	FILE *f = open_memstream(&said, &size);
	int rc = cosim_finish(x->c, &e);

	cosim_print(x->c, f);
	fclose(f);
	cr_assert_eq(rc, 0, "%s %s", e.text, said);
	free(said);
	cosim_free(x->c);
	paver_bench_free(&x->b);
}

static uint32_t below(struct paver_bench *b, uint32_t n)
{
	return (uint32_t)(paver_bench_random(b) % n);
}

/* Groups of all sizes, empty ones and a few large ones among them; up to `most` CTAs. */
static void random_launch(struct paver_launch *l, struct paver_bench *b, uint32_t most)
{
	static uint32_t size[512];
	uint32_t n = below(b, b->port.params.sms * 3) + (below(b, 8) != 0), left = most;

	for (uint32_t g = 0; g < n; g++) {
		size[g] = below(b, 4) ? below(b, 7) : below(b, most / 2 + 1);
		size[g] = size[g] < left ? size[g] : left;
		left -= size[g];
	}
	paver_launch_make(l, n, size, below(b, 4) != 0);
	paver_launch_shuffle(l, b);
}

/* Memory and SMs of that kind. */
static void random_machine(struct paver_bench *b, unsigned seed)
{
	static const unsigned latency[] = {0, 1, 7, 60, 400}, in[] = {0, 2, 5}, run[] = {1, 10, 100, 1000};

	b->latency = latency[seed % 5];
	b->fixed = seed % 2;
	b->stall_in = in[seed % 3];
	b->hold_in = in[seed / 3 % 3];
	b->contexts = 1 + below(b, 8);
	b->run_min = run[seed / 2 % 4];
	b->run_more = below(b, 2) ? 0 : b->run_min * 3;
}

struct sums {
	uint64_t cycle, steals, moved;
};

static struct sums run(enum unit_mode mode, struct paver_params p, unsigned seed, unsigned launches, bool skip)
{
	static struct paver_launch l;
	struct bench x;
	struct sums sums;

	bench_open(&x, mode, p, seed);
	random_machine(&x.b, seed);
	x.b.skip = skip;
	for (unsigned i = 0; i < launches; i++) {
		random_launch(&l, &x.b, p.ptr_w < 6 ? (1u << p.ptr_w) - 1 : 40 + p.sms * 3);
		paver_bench_run(&x.b, &l);
	}
	sums = (struct sums){x.b.cycle, x.b.steals, x.b.moved};
	bench_finish(&x);
	return sums;
}

static void all_agree(struct paver_params p, unsigned seeds, unsigned launches)
{
	uint64_t steals = 0;

	for (unsigned seed = 1; seed <= seeds; seed++)
		steals += run(UNIT_LOCKSTEP, p, seed, launches, seed & 1).steals;
	cr_assert(p.sms == 1 || steals > 10, "%llu steals", (unsigned long long)steals);
}

Test(paver_lockstep, three_sms_with_narrow_registers_agree)
{
	all_agree((struct paver_params){.sms = 3, .ptr_w = 5, .tb_w = 5}, 60, 8);
}

Test(paver_lockstep, one_and_two_sms_agree)
{
	all_agree((struct paver_params){.sms = 1, .ptr_w = 4, .tb_w = 8}, 20, 4);
	all_agree((struct paver_params){.sms = 2, .ptr_w = 7, .tb_w = 7}, 20, 6);
}

Test(paver_lockstep, fifteen_twenty_eight_and_eighty_sms_agree)
{
	static const uint32_t sms[] = {15, 28, 80}, seeds[] = {20, 16, 12};

	for (int i = 0; i < 3; i++)
		all_agree((struct paver_params){.sms = sms[i], .ptr_w = 16, .tb_w = 16}, seeds[i], 3);
}

Test(paver_lockstep, the_three_modes_and_cycles_left_out_give_the_model_the_same)
{
	for (unsigned seed = 1; seed <= 8; seed++) {
		struct paver_params p = {.sms = 15, .ptr_w = 16, .tb_w = 16};
		struct sums golden = run(UNIT_GOLDEN, p, seed, 3, false), rtl = run(UNIT_RTL, p, seed, 3, false),
			    skipped = run(UNIT_RTL, p, seed, 3, true);

		cr_assert(memcmp(&golden, &rtl, sizeof golden) == 0, "seed %u", seed);
		cr_assert(memcmp(&golden, &skipped, sizeof golden) == 0, "seed %u, cycles left out", seed);
	}
}

/* ---- all inputs at random, in and out of the protocol, from random bits ---- */

Test(paver_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	static const struct paver_params shape[] = {{3, 5, 4}, {5, 4, 8}, {15, 6, 6}};

	for (uint64_t seed = 1; seed <= 6; seed++)
		corner_scenario_agrees_from_any_start(&paver_block, &shape[seed % 3], seed);
}

#include <stdlib.h>

#include "base/panic.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "mutation/stimuli.h"
#include "support/bypass_stimulus.h"
#include "support/locality_stimulus.h"
#include "support/paver_bench.h"
#include "support/pin_rule.h"
#include "support/prefetch_stimulus.h"
#include "support/random.h"
#include "support/tafe_host.h"
#include "support/throttle_stimulus.h"

enum { RESET_EVERY = 701, RESET_RARELY = 65537 };

/* in: struct xyz_in of the scenario's block. One step in reset_every is a reset. */
static void append_with_resets(struct scenario *s, uint64_t cycle, const void *in, uint64_t reset_every)
{
	uint64_t words[256] = {0};

	PANIC_UNLESS(s->layout.side[HW_INPUT].words <= sizeof words / sizeof words[0], "stimulus", cycle);
	bind_pack(&s->layout.side[HW_INPUT], in, words);
	stim_append(&s->stim, cycle, s->block->tick && s->stim.steps % reset_every == reset_every - 1, words);
}

static void append(struct scenario *s, uint64_t cycle, const void *in)
{
	append_with_resets(s, cycle, in, RESET_EVERY);
}

/* Each seed of an even number leaves the protocol in its second half. */
static bool is_wild(uint64_t seed, uint64_t n, uint64_t steps)
{
	return seed % 2 == 0 && n >= steps / 2;
}

/* ---- combinational blocks: each address bit alone, then addresses of all lengths ---- */

static uint64_t address(uint64_t n, uint32_t bits, uint64_t *x)
{
	return (n < bits ? UINT64_C(1) << n : random_u64(x) >> random_below(x, 64)) & UINT64_MAX >> (64 - bits);
}

static void pric_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct pric_params *p = (const void *)s->params;

	for (uint64_t n = 0; n < steps; n++) {
		struct pric_in in = {.addr = address(n, p->addr_w, &seed)};

		append(s, n, &in);
	}
}

static void decoder_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct addr_decoder_params *p = (const void *)s->params;

	for (uint64_t n = 0; n < steps; n++) {
		struct addr_decoder_in in = {0};

		for (unsigned i = 0; i < p->ports; i++) {
			in.addr[i] = address(n / 16, p->addr_w, &seed);
			in.mode[i] = (n + i) % 16;
		}
		append(s, n, &in);
	}
}

/* ---- requests that are held until they are taken ---- */

static void monitor_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct set_monitor_params *p = (const void *)s->params;
	uint64_t tags = UINT64_MAX >> (64 - p->tag_w);
	struct set_monitor_in in = {0};
	struct set_monitor_out out;
	struct set_monitor golden;

	set_monitor_reset(&golden, p);
	for (uint64_t n = 0; n < steps; n++) {
		bool wild = is_wild(seed, n, steps);

		append(s, n, &in);
		set_monitor_eval(&golden, &in, &out);
		set_monitor_tick(&golden, &in);
		in.rsp_ready = random_below(&seed, 1 + n / 512 % 5) == 0;
		if (!in.acc_valid || out.acc_ready || wild) {
			in.acc_valid = random_below(&seed, 4) != 0;
			in.acc_set = (uint32_t)random_below(&seed, p->sets);
			in.acc_tag = (random_u64(&seed) & 1 ? random_u64(&seed) : random_below(&seed, 3)) & tags;
		}
		if (!in.req_valid || out.req_ready || wild) {
			in.req_valid = random_below(&seed, 5) == 0;
			in.req_set = (uint32_t)random_below(&seed, p->sets);
		}
	}
}

static void pipe_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct addr_decoder_pipe_params *p = (const void *)s->params;
	struct addr_decoder_pipe_in in = {0};
	struct addr_decoder_pipe_out out;
	struct addr_decoder_pipe golden;

	addr_decoder_pipe_reset(&golden, p);
	for (uint64_t n = 0; n < steps; n++) {
		append(s, n, &in);
		addr_decoder_pipe_eval(&golden, &in, &out);
		addr_decoder_pipe_tick(&golden, &in);
		for (unsigned i = 0; i < p->ports; i++) {
			in.rsp_ready[i] = random_below(&seed, 1 + n / 512 % 5) == 0;
			if (in.req_valid[i] && !out.req_ready[i] && !is_wild(seed, n, steps))
				continue;
			in.req_valid[i] = random_below(&seed, 4) != 0;
			in.req_addr[i] = address(n / 16 % 512, p->addr_w, &seed);
			in.req_mode[i] = random_below(&seed, 16);
		}
	}
}

static void pin_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct pin_replacement golden;
	struct pin_traffic t;

	pin_replacement_reset(&golden, (const void *)s->params);
	pin_traffic_init(&t, (const void *)s->params, seed, 1 + seed % 4);
	for (uint64_t n = 0; n < steps; n++) {
		struct pin_replacement_out out;

		append(s, t.cycle, &t.in);
		pin_replacement_eval(&golden, &t.in, &out);
		pin_replacement_tick(&golden, &t.in);
		pin_traffic_next(&t, &out);
	}
}

/* ---- blocks whose tests have a generator of cycles ---- */

static void bypass_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct bypass_stimulus t;

	bypass_stimulus_init(&t, (const void *)s->params, seed);
	for (uint64_t n = 0; n < steps; n++) {
		struct bypass_monitor_in in;

		t.wild = is_wild(seed, n, steps);
		in = bypass_stimulus_next(&t);
		append(s, t.cycle, &in);
	}
}

static void locality_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct locality_table t;

	locality_table_reset(&t, (const void *)s->params);
	for (uint64_t n = 0; n < steps; n++) {
		struct locality_table_in in = locality_stimulus(&t, n, &seed);

		locality_table_tick(&t, &in);
		append(s, n, &in);
	}
}

static void prefetch_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct prefetch_stimulus t;

	prefetch_stimulus_init(&t, (const void *)s->params, seed);
	for (uint64_t n = 0; n < steps; n++) {
		struct prefetch_unit_in in;

		t.wild = is_wild(seed, n, steps);
		in = prefetch_stimulus_next(&t);
		append(s, n, &in);
	}
}

static void throttle_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct throttle_stimulus t;

	throttle_stimulus_init(&t, (const void *)s->params, seed);
	for (uint64_t n = 0; n < steps; n++) {
		struct throttle_in in;

		t.wild = is_wild(seed, n, steps);
		in = throttle_stimulus_next(&t);
		append(s, n, &in);
	}
}

static void coordinator_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	struct coordinator_stimulus t;

	coordinator_stimulus_init(&t, (const void *)s->params, seed);
	for (uint64_t n = 0; n < steps; n++) {
		struct throttle_coordinator_in in;

		t.wild = is_wild(seed, n, steps);
		in = coordinator_stimulus_next(&t);
		append(s, n, &in);
		if (s->stim.steps % RESET_EVERY == 0)
			coordinator_stimulus_reset(&t);
	}
}

/* ---- blocks that read and write a memory: what their benches do with the golden twin, a program after another ---- */

struct tafe_record {
	struct scenario *s;
	uint64_t reset_every;
};

static void record_tafe(void *ctx, const struct tafe_bench *b)
{
	const struct tafe_record *r = ctx;

	append_with_resets(r->s, b->cycle, &b->in, r->reset_every);
}

/* A program takes thousands of cycles, so one seed in three lets several follow one another without a reset between:
 * what one leaves in the registers the next one meets. */
static void tafe_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct tafe_params *p = (const void *)s->params;
	struct tafe_record r = {s, seed % 3 ? RESET_EVERY : RESET_RARELY};
	struct tafe golden;
	struct tafe_bench b;

	tafe_reset(&golden, p);
	tafe_bench_init(&b, (struct tafe_port){.params = *p, .golden = &golden}, seed);
	b.watch = record_tafe;
	b.watch_ctx = &r;
	for (unsigned k = 0; s->stim.steps < steps; k++) {
		struct tafe_host h;

		tafe_host_memory(&b, k + (unsigned)seed);
		tafe_host_make(&h, &b);
		tafe_host_run(&h, &b);
	}
	tafe_bench_free(&b);
}

static void record_paver(void *ctx, const struct paver_bench *b)
{
	append(ctx, b->cycle, &b->in);
}

/* Groups of random sizes, in all no more CTAs than the block's pointers can count. */
static void paver_launch_of(struct paver_launch *l, struct paver_bench *b)
{
	enum { MOST = 256 };
	uint32_t size[MOST], most = 3 * b->port.params.sms + 1;
	uint32_t n = (uint32_t)(paver_bench_random(b) % (most < MOST ? most : MOST));
	uint32_t left = b->port.params.ptr_w < 7 ? (1u << b->port.params.ptr_w) - 1 : 100;

	for (uint32_t g = 0; g < n; g++) {
		size[g] = (uint32_t)(paver_bench_random(b) % (g % 4 ? 7 : 12));
		size[g] = size[g] < left ? size[g] : left;
		left -= size[g];
	}
	paver_launch_make(l, n, size, paver_bench_random(b) % 4 != 0);
	paver_launch_shuffle(l, b);
}

static void paver_steps(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct paver_params *p = (const void *)s->params;
	struct paver_launch *l = xcalloc(1, sizeof *l);
	struct paver golden;
	struct paver_bench b;

	paver_reset(&golden, p);
	paver_bench_init(&b, (struct paver_port){.params = *p, .golden = &golden}, seed);
	b.watch = record_paver;
	b.watch_ctx = s;
	for (unsigned k = 0; s->stim.steps < steps; k++) {
		b.latency = k % 4 * 3;
		b.stall_in = k % 3 ? 0 : 2;
		b.hold_in = k % 5 ? 0 : 3;
		b.contexts = 1 + k % 3;
		b.run_min = k % 2 ? 5 : 40;
		b.run_more = k % 10;
		paver_launch_of(l, &b);
		paver_bench_run(&b, l);
	}
	paver_bench_free(&b);
	free(l);
}

/* ---- all of them ---- */

static const struct {
	const struct hw_block *block;
	void (*steps)(struct scenario *s, uint64_t seed, uint64_t steps);
} own[] = {
	{&pric_block, pric_steps},
	{&set_monitor_block, monitor_steps},
	{&addr_decoder_block, decoder_steps},
	{&addr_decoder_pipe_block, pipe_steps},
	{&tafe_block, tafe_steps},
	{&paver_block, paver_steps},
	{&pin_replacement_block, pin_steps},
	{&locality_table_block, locality_steps},
	{&prefetch_unit_block, prefetch_steps},
	{&bypass_monitor_block, bypass_steps},
	{&throttle_block, throttle_steps},
	{&throttle_coordinator_block, coordinator_steps},
};

bool stimulus_own(struct scenario *s, uint64_t seed, uint64_t steps)
{
	for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
		if (own[i].block == s->block) {
			own[i].steps(s, seed, steps);
			return true;
		}
	return false;
}

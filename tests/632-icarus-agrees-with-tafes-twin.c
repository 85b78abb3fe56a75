/* 632: Icarus Verilog runs the cycles of TAFE's golden twin through the RTL; illegal parameters stop all tools and the
 * twin. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/tafe/tafe.h"
#include "support/corner_stimulus.h"
#include "support/icarus.h"
#include "support/refusal.h"
#include "support/tafe_host.h"

static const struct tafe_params standard = {.entries = 2, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};
static const struct tafe_params small = {.entries = 4, .addr_w = 20, .index_w = 10, .tb_w = 6, .block_w = 4};
static const struct tafe_params least = {.entries = 8, .addr_w = 16, .index_w = 4, .tb_w = 4, .block_w = 2};

struct recording {
	FILE *f;
	uint64_t flip_at; /* the cycle in which one bit of what is expected is wrong; UINT64_MAX: none */
	uint64_t cycles;
};

static void record(void *ctx, const struct tafe_bench *b)
{
	struct recording *r = ctx;
	struct tafe_out out = b->out;

	if (r->cycles++ == r->flip_at)
		out.req_line ^= 2;
	icarus_print_fields(r->f, &tafe_block, &b->port.params, HW_INPUT, &b->in);
	fputc(' ', r->f);
	icarus_print_fields(r->f, &tafe_block, &b->port.params, HW_OUTPUT, &out);
	fputc('\n', r->f);
}

static struct program through_icarus(struct recording *r, const char *path, const struct tafe_params *p)
{
	char arguments[128];

	fclose(r->f);
	snprintf(arguments, sizeof arguments, "ENTRIES=%u ADDR_W=%u INDEX_W=%u TB_W=%u BLOCK_W=%u", p->entries, p->addr_w,
		 p->index_w, p->tb_w, p->block_w);
	return icarus_simulate("tafe_top_tb", arguments, path,
			       "rtl/tafe/tafe_top_tb.v rtl/tafe/tafe_top.v rtl/tafe/tafe_comparator.v rtl/tafe/tafe_inverse.v "
			       "rtl/tafe/tafe_extent.v");
}

static void agrees(struct recording *r, const char *path, const struct tafe_params *p)
{
	struct program out = through_icarus(r, path, p);
	char want[64];

	snprintf(want, sizeof want, "%llu cycles, 0 mismatches\n", (unsigned long long)r->cycles);
	cr_assert_str_eq(out.out, want, "%u-bit indices: %s", p->index_w, out.out);
	program_free(&out);
}

/* Random host programs in front of memories quick and slow. */
static void host_programs(struct recording *r, const struct tafe_params *p, unsigned seed)
{
	struct tafe golden;
	struct tafe_bench b;

	tafe_reset(&golden, p);
	tafe_bench_init(&b, (struct tafe_port){.params = *p, .golden = &golden}, seed);
	b.watch = record;
	b.watch_ctx = r;
	for (unsigned k = 0; k < 4; k++) {
		struct tafe_host h;

		tafe_host_memory(&b, seed + k);
		tafe_host_make(&h, &b);
		tafe_host_run(&h, &b);
	}
	tafe_bench_free(&b);
}

/* Steps with all inputs at random, without a reset between. Returns how often an element was looked for, which shows
 * that arrays are registered. */
static unsigned random_steps(struct recording *r, const struct tafe_params *p, uint64_t seed, unsigned steps)
{
	struct tafe_bench b = {.port.params = *p};
	struct corner_stimulus c;
	unsigned misses = 0;

	corner_stimulus_init(&c, &tafe_block, p, seed);
	corner_stimulus_next(&c); /* the reset */
	c.episode = steps;
	for (unsigned i = 0; i < steps; i++) {
		corner_stimulus_next(&c);
		memcpy(&b.in, c.in, sizeof b.in);
		memcpy(&b.out, c.out, sizeof b.out);
		record(r, &b);
		misses += b.out.ev_miss;
	}
	corner_stimulus_free(&c);
	return misses;
}

Test(icarus_tafe, host_programs_take_the_twins_every_cycle)
{
	static const struct tafe_params *const shape[] = {&standard, &small};

	for (unsigned i = 0; i < 2; i++) {
		char path[4096];
		struct recording r = {.f = icarus_vectors(path), .flip_at = UINT64_MAX};

		host_programs(&r, shape[i], 3 + i);
		agrees(&r, path, shape[i]);
	}
}

Test(icarus_tafe, random_steps_give_the_twins_outputs_in_every_cycle)
{
	static const struct tafe_params *const shape[] = {&standard, &small, &least};

	for (unsigned i = 0; i < 3; i++) {
		unsigned misses = 0;

		for (uint64_t seed = 1; seed <= 6; seed++) {
			char path[4096];
			struct recording r = {.f = icarus_vectors(path), .flip_at = UINT64_MAX};

			misses += random_steps(&r, shape[i], seed, 2000);
			agrees(&r, path, shape[i]);
		}
		cr_assert_gt(misses, 0, "shape %u", i);
	}
}

Test(icarus_tafe, a_single_wrong_bit_of_one_cycle_is_seen)
{
	struct program p;
	char path[4096], want[64];
	struct recording r = {.f = icarus_vectors(path), .flip_at = 700};

	host_programs(&r, &standard, 3);
	p = through_icarus(&r, path, &standard);
	snprintf(want, sizeof want, "%llu cycles, 1 mismatches\n", (unsigned long long)r.cycles);
	cr_assert_str_eq(p.out, want);
	program_free(&p);
}

/* ---- parameters ---- */

Test(icarus_tafe, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"ENTRIES=3", "3 comparator entries"},
		{"ENTRIES=16", "16 comparator entries"},
		{"INDEX_W=3", "indices of 3 bits"},
		{"INDEX_W=33", "indices of 33"},
		{"TB_W=3", "CTA numbers of 3 bits"},
		{"TB_W=32", "CTA numbers of 32"},
		{"ADDR_W=15 INDEX_W=8 TB_W=8", "addresses of 15"},
		{"ADDR_W=65", "addresses of 65"},
		{"ADDR_W=35", "addresses of 35"},
		{"ADDR_W=16 INDEX_W=4 TB_W=12 BLOCK_W=3", "addresses of 16"},
		{"BLOCK_W=17", "block dimensions of 17"},
		{"BLOCK_W=8 INDEX_W=8", "block dimensions of 8"},
	};

	refusals_hold(&tafe_block, refusal, sizeof refusal / sizeof refusal[0]);
}

/* 873: what the Locality Descriptor is compared with (ldesc, section 6): xor-hash, firsttouch-distrib, bcs. Shares of
 * remote lines in closed form, from the trace and on the cycle model. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "support/plan_rig.h"
#include "support/program.h"

enum { BLOCK = 64 << 10, CTA_BYTES = 1024, ARRAYS = 3 };

static const char machine[] = "base: gtx480\nname: four\nmodule: {count: 4}\nsm: {count: 4}\n"
			      "dram: {channels: 2, interleave: 128}\nmap: {fgp_lsb: 8}\n"
			      "link: {topology: p2p, gbps: 16, latency: 20}\nvm: {enabled: true, tlb: false}\n";

/* The share of remote lines of vectoradd in a run. */
static double remote_in_a_run(const char *plan, unsigned ctas)
{
	json_t *stats;
	double share;

	program_file("four.yaml", machine);
	stats = program_stats("locus run vectoradd --arg n=%u --machine %s/four.yaml --plan %s", ctas * CTA_BYTES / 4,
			      program_tmp(), plan);
	share = program_stat(stats, "memory.remote_share");
	json_decref(stats);
	return share;
}

static void with_vectoradd(struct plan_rig *r, unsigned ctas)
{
	char n[32];

	snprintf(n, sizeof n, "n=%u", ctas * CTA_BYTES / 4);
	plan_rig_init(r, 4, 4, "vectoradd", (const char *const[]){n, NULL});
}

/* A CTA has 1 KB of each array: a granule of 256 bytes in each of the four stacks, in whatever order. */
Test(xor_hash, spreads_each_ctas_data_over_all_stacks)
{
	struct plan_rig r;
	struct plan p;

	with_vectoradd(&r, 200);
	p = plan_rig_plan(&r, "xor-hash");
	for (uint32_t b = 0; b < p.n_buffers; b++)
		cr_expect_eq(p.buffer[b].placement, PLACE_XOR);
	cr_expect_null(p.launch);
	cr_expect_float_eq(plan_rig_remote(&r, "xor-hash"), 75, 1e-9);
	cr_expect_float_eq(plan_rig_remote(&r, "xor-hash+affinity"), 75, 1e-9);
	plan_rig_free(&r);
	cr_expect_eq(remote_in_a_run("xor-hash", 200), 0.75);
	cr_expect_eq(remote_in_a_run("xor-hash+affinity", 200), 0.75);
}

/* Remote share of arrays that modules 0 .. 3 have a quarter each of, in 64 KB blocks: where a quarter ends inside a
 * block, the part before the end is remote (later: the block is the next module's) or that behind it. */
static double cut_blocks(const struct plan_rig *r, unsigned ctas, bool later)
{
	double bytes = 0;

	for (uint32_t b = 0; b < ARRAYS; b++)
		for (unsigned k = 1; k < 4; k++) {
			uint64_t before = (trace_buffer(r->s.trace, b)->base + (uint64_t)(k * ctas / 4) * CTA_BYTES) % BLOCK;

			bytes += before == 0 ? 0 : later ? (double)before : (double)(BLOCK - before);
		}
	return bytes / (ARRAYS * (double)ctas * CTA_BYTES);
}

/* 1600 quarters of 400 KB: six blocks and a quarter of one. In the trace CTAs are in order, so that a block belongs to
 * the lower module; in a run all modules begin at once, the upper one with its first CTA, the lower ends with its
 * last. */
Test(firsttouch_distrib, gives_contiguous_quarters_and_blocks_of_64_kb_to_modules)
{
	enum { CTAS = 1600 };
	struct plan_rig r;
	struct plan p;
	double later;

	with_vectoradd(&r, CTAS);
	p = plan_rig_plan(&r, "firsttouch-distrib");
	later = cut_blocks(&r, CTAS, true);
	cr_assert_eq(trace_n_buffers(r.s.trace), ARRAYS);
	for (uint32_t b = 0; b < ARRAYS; b++)
		cr_expect(p.buffer[b].placement == PLACE_FIRST_TOUCH && p.buffer[b].together == BLOCK);
	cr_assert_eq(p.launch[0].dispatch, DISPATCH_AFFINITY);
	for (uint32_t cta = 0; cta < CTAS; cta++)
		cr_assert_eq(plan_module_of(&p.launch[0], 4, cta), cta / 400);
	cr_expect_gt(later, 0, "no block is cut: a test of nothing");
	cr_expect_float_eq(plan_rig_remote(&r, "firsttouch-distrib"), 100 * cut_blocks(&r, CTAS, false), 1e-9);
	plan_rig_free(&r);
	cr_expect_float_eq(remote_in_a_run("firsttouch-distrib", CTAS), later, 1e-12);
}

/* 16 of exascale25's 64 SMs are in module 0, two in each of the others; fewer CTAs than modules leave some without. */
Test(firsttouch_distrib, counts_a_modules_sms)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "exascale25"}, "vectoradd", (const char *const[]){"n=16384", NULL});
	p = plan_rig_plan(&r, "firsttouch-distrib");
	cr_assert_eq(trace_launch(r.s.trace, 0)->n_ctas, 64);
	cr_expect_eq(p.launch[0].blocks[0], 16);
	for (uint32_t h = 1; h < 25; h++)
		cr_expect_eq(p.launch[0].blocks[h], 2);
	plan_rig_free(&r);
	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "exascale25"}, "vectoradd", (const char *const[]){"n=512", NULL});
	p = plan_rig_plan(&r, "firsttouch-distrib");
	cr_assert_eq(trace_launch(r.s.trace, 0)->n_ctas, 2);
	for (uint32_t h = 0, n = 0; h < 25; h++) {
		n += p.launch[0].blocks[h];
		cr_expect_leq(n, 2);
		cr_expect(h < 24 || n == 2);
	}
	plan_rig_free(&r);
}

/* Section 6.1: "schedules two consecutive CTAs at the same SM". */
Test(bcs, deals_pairs_and_leaves_data_alone)
{
	struct plan_rig r;
	struct plan p;

	with_vectoradd(&r, 64);
	p = plan_rig_plan(&r, "bcs");
	cr_expect_eq(p.launch[0].dispatch, DISPATCH_PAIR_WAIT);
	cr_expect_null(p.buffer);
	plan_rig_free(&r);
}

/* One module, one stack: nothing to hash or to place; all CTAs are the module's. */
Test(comparators, are_refused_on_one_module)
{
	static const char *const plans[] = {"xor-hash", "firsttouch-distrib"};

	for (unsigned i = 0; i < 2; i++) {
		struct program p = program_run("locus run syrk --size test --plan %s", plans[i]);

		cr_expect(program_is_clean_error(&p));
		cr_expect_not_null(strstr(p.err, "has no effect on a machine with one "), "%s: %s", plans[i], p.err);
		program_free(&p);
	}
}

/* Several modules without page tables: said, not left out. */
Test(comparators, that_place_pages_need_page_tables)
{
	struct program p = program_run("locus run syrk --size test --machine mcm4 --set vm.enabled=false --plan xor-hash");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "plan xor-hash places pages: that needs vm.enabled=true"), "%s", p.err);
	program_free(&p);
}

/* 803: what a plan leads to by the trace alone, against closed forms. Four modules with a stack each; CTAs of 256
 * threads, of which a gtx480's SM holds six; vectoradd: three arrays, 1 KB a CTA in each. */
#include <criterion/criterion.h>

#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* 4 SMs x 6 CTAs x 1 KB: a chunk is 24 KB, six pages; N is a multiple of B x N_blocks_per_stack x 4. */
Test(coda, leaves_nothing_remote_where_chunks_are_pages)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "vectoradd", ARGS("n=49152"));
	cr_expect_eq(plan_rig_remote(&r, "coda"), 0);
	cr_expect_eq(plan_rig_remote(&r, "coda,source=static"), 0);
	cr_expect_eq(plan_rig_remote(&r, "coda,source=profile"), 0);
	cr_expect_eq(plan_rig_remote(&r, "fgp-only"), 75);
	cr_expect_eq(plan_rig_remote(&r, "fgp-only+affinity"), 75); /* 8 lines a CTA, two on each stack */
	cr_expect_eq(plan_rig_remote(&r, "cgp-only"), 75);
	/* Pages 6k .. 6k + 5 belong to module k mod 4, page i is on stack i mod 4: over 24 pages 6 agree. */
	cr_expect_eq(plan_rig_remote(&r, "cgp-only+affinity"), 75);
	cr_expect_eq(plan_rig_remote(&r, "first-touch+affinity"), 0);
	/* Four CTAs share a page. The first of them has a quarter of the accesses; any other one runs on its module in
	 * one case of four. */
	cr_expect_float_eq(plan_rig_remote(&r, "first-touch"), 100 * (3.0 / 4) * (3.0 / 4), 1e-9);
	plan_rig_free(&r);
}

/* 1 SM x 6 CTAs x 1 KB: a chunk is a page and a half. In units of 2 KB the CTAs of unit u are in its module (u / 3) mod
 * 4.
 *   exact: the page of u is at that of its middle, (2 (u / 2) + 1) / 3: one unit of six is away
 *   rounded: (u / 4) mod 4; printed: (u / 2) mod 4; both agree with (u / 3) mod 4 in 12 of 48 units. */
Test(coda, shares_pages_between_consecutive_stacks_only)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 1, "vectoradd", ARGS("n=49152")); /* 96 units an array: two periods */
	cr_expect_float_eq(plan_rig_remote(&r, "coda"), 100.0 / 6, 1e-9);
	cr_expect_float_eq(plan_rig_remote(&r, "coda,chunk=rounded"), 75, 1e-9);
	cr_expect_float_eq(plan_rig_remote(&r, "coda,chunk=printed"), 75, 1e-9);
	plan_rig_free(&r);
}

/* 24 KB a chunk, rounded the same; printed: page by page. */
Test(coda, printed_equation_deals_pages_in_turn)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_init(&r, 4, 4, "vectoradd", ARGS("n=49152"));
	p = plan_rig_plan(&r, "coda,chunk=rounded");
	for (uint32_t i = 0; i < p.buffer[0].n_pages; i++)
		cr_expect_eq(p.buffer[0].stack[i], i / 6 % 4);
	p = plan_rig_plan(&r, "coda,chunk=printed");
	for (uint32_t i = 0; i < p.buffer[0].n_pages; i++)
		cr_expect_eq(p.buffer[0].stack[i], i % 4);
	plan_rig_free(&r);
}

/* Turns of 8 CTAs x 96 threads x ... are found in `affinity`: Equation 1 by hand. */
Test(coda, affinity_is_equation_1)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_init(&r, 4, 4, "vectoradd", NULL);
	p = plan_rig_plan(&r, "affinity");
	for (uint32_t cta = 0; cta < 1000; cta++)
		cr_expect_eq(plan_module_of(&p.launch[0], 4, cta), cta / 24 % 4);
	cr_expect_null(p.buffer);
	plan_rig_free(&r);
}

/* Half of a page a chunk: 8 CTAs of 64 threads that read a byte each. */
Test(coda, chunks_below_a_page_stay_fine_grained)
{
	struct plan_rig r;
	struct plan p;
	uint32_t frontier;

	plan_rig_init(&r, 4, 1, "bfs", NULL); /* 3 CTAs x 512 bytes */
	frontier = plan_rig_buffer(&r, "frontier");
	p = plan_rig_plan(&r, "coda,source=static");
	cr_expect_str_eq(p.buffer[frontier].found.verdict, "regular");
	cr_expect_eq(p.buffer[frontier].placement, PLACE_FGP);
	cr_expect_str_eq(p.buffer[frontier].found.why, "a chunk is smaller than a page");
	cr_expect_eq(p.buffer[plan_rig_buffer(&r, "row")].placement, PLACE_STATIC); /* 6 KB */
	plan_rig_free(&r);
}

/* What the PTX leaves open the trace shows: edges of a mesh are where their vertices are. */
Test(coda, profile_finds_the_edges_of_a_regular_graph)
{
	struct plan_rig r;
	struct plan p;
	uint32_t edge;

	plan_rig_init(&r, 4, 4, "pagerank", ARGS("graph=copter2"));
	edge = plan_rig_buffer(&r, "edge");
	p = plan_rig_plan(&r, "coda,source=static");
	cr_expect_eq(p.buffer[edge].placement, PLACE_FGP);
	p = plan_rig_plan(&r, "coda");
	cr_expect_eq(p.buffer[edge].placement, PLACE_STATIC);
	plan_rig_free(&r);
}

/* vectoradd, 1 KB a CTA: every page of 4 KB has four CTAs, and a chunk has six pages of one module. */
Test(coda, pages_by_the_ctas_that_touch_them)
{
	struct plan_rig r;
	struct plan p;
	struct plan_pages by[3], sum;
	struct err e = {""};

	plan_rig_init(&r, 4, 4, "vectoradd", ARGS("n=49152"));
	p = plan_rig_plan(&r, "affinity");
	cr_assert_eq(plan_pages(&p, &r.req, by, &sum, &e), 0);
	cr_expect_eq(sum.touched, 3 * 48);
	cr_expect_eq(sum.by_ctas[2], 3 * 48); /* 3 to 4 */
	cr_expect_eq(sum.one_module, 3 * 48);
	cr_expect_str_eq(plan_pages_category(&sum), "core exclusive");
	plan_rig_free(&r);
	plan_rig_init(&r, 4, 1, "vectoradd", ARGS("n=49152")); /* a page and a half a chunk: of three pages one is
							        * shared */
	p = plan_rig_plan(&r, "affinity");
	cr_assert_eq(plan_pages(&p, &r.req, by, &sum, &e), 0);
	cr_expect_eq(sum.one_module, 2 * 48);
	cr_expect_str_eq(plan_pages_category(&sum), "core majority");
	plan_rig_free(&r);
}

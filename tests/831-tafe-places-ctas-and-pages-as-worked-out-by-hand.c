/* 831: planner tafe: the order of CTAs by block coefficients, the even split over SMs, and where pages go, worked out
 * by hand.
 *
 * multichip8 is a tree: 0 above 1 and 2, 1 above 3 and 4, 2 above 5 and 6, 3 above 7; 8 SMs a module. vectoradd's 64
 * CTAs are one an SM there, so CTA t runs on module t / 8. In place of vectoradd's own annotations the tests give its
 * array `a` relations by which module i touches chosen pages. */
#include <criterion/criterion.h>
#include <string.h>

#include "plan/cta_modules.h"
#include "plan/tafe.h"
#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ON(name)  (&(struct plan_rig_wish){.machine = (name)})

/* ---- the order ---- */

static void expect_order(uint32_t mx, uint32_t my, uint32_t mz, unsigned first, unsigned second, unsigned third)
{
	struct taf t = {0};
	struct taf_array a = {.base = 4096, .limit = 8192, .size = 4, .m = {1, 0, 0, mx, my, mz}, .name = "a"};
	struct tafe_order o;
	struct err e = {""};

	cr_assert_eq(taf_setup(&t, (uint32_t[]){16, 16, 1}, (uint32_t[]){4, 4, 4}, &e), 0, "%s", e.text);
	cr_assert_eq(taf_register(&t, &a, 0, 0, &e), 0, "%s", e.text);
	o = tafe_order_of(&t);
	cr_expect(o.dim[0] == first && o.dim[1] == second && o.dim[2] == third, "(%u, %u, %u): %u %u %u", mx, my, mz, o.dim[0],
		  o.dim[1], o.dim[2]);
	taf_free(&t);
}

Test(tafe_order, begins_with_the_dimension_of_the_smallest_step)
{
	expect_order(16, 16 * 256, 65536, 0, 1, 2); /* tiles of a row-major matrix: rows */
	expect_order(16 * 256, 16, 65536, 1, 0, 2); /* of its transpose: columns */
	expect_order(4096, 65536, 1, 2, 0, 1);	    /* depth */
	expect_order(0, 4096, 16, 0, 2, 1);	    /* CTAs along x touch the same */
	expect_order(7, 7, 7, 0, 1, 2);		    /* equal steps */
	expect_order(-16u, 8, -32u, 1, 0, 2);	    /* downwards is no nearer */
}

Test(tafe_order, follows_the_array_that_was_registered_first)
{
	struct taf t = {0};
	struct taf_array a = {.base = 4096, .limit = 8192, .size = 4, .m = {1, 0, 0, 512, 1}, .primary = true, .name = "a"},
			 b = {.base = 8192, .limit = 16384, .size = 4, .m = {1, 0, 0, 1, 512}, .name = "b"};
	struct err e = {""};

	cr_assert_eq(taf_setup(&t, (uint32_t[]){16, 1, 1}, (uint32_t[]){4, 4, 1}, &e), 0, "%s", e.text);
	cr_assert_eq(taf_register(&t, &a, 0, 0, &e) || taf_register(&t, &b, 0, 0, &e), 0, "%s", e.text);
	cr_expect_eq(tafe_order_of(&t).dim[0], 1);
	cr_assert_eq(taf_reset_array(&t, 4096, "a", &e), 0, "%s", e.text);
	cr_expect_eq(tafe_order_of(&t).dim[0], 0, "a is forgotten");
	a.base += 16384;
	a.limit += 16384;
	cr_assert_eq(taf_register(&t, &a, 0, 0, &e), 0, "%s", e.text);
	cr_expect_eq(tafe_order_of(&t).dim[0], 0, "a's entry has been taken again, but b came before");
	taf_free(&t);
}

Test(tafe_order, goes_through_a_grid_dimension_by_dimension)
{
	static const uint32_t grid[3] = {3, 2, 2};
	static const uint32_t rows[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, columns[] = {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11},
			      depth[] = {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11};

	for (uint32_t i = 0; i < 12; i++) {
		cr_expect_eq(tafe_order_cta(&(struct tafe_order){{0, 1, 2}}, grid, i), rows[i]);
		cr_expect_eq(tafe_order_cta(&(struct tafe_order){{1, 0, 2}}, grid, i), columns[i]);
		cr_expect_eq(tafe_order_cta(&(struct tafe_order){{2, 0, 1}}, grid, i), depth[i]);
	}
}

/* ---- the split ---- */

/* 100 CTAs on 64 SMs: each gets one or two, in order; module 0 of exascale25 with its 16 SMs a quarter of all. */
Test(tafe_split, gives_each_sm_its_even_share)
{
	struct plan_rig r;
	struct plan p;
	const struct plan_lists *l;
	struct plan_modules h;
	uint32_t by_module[25] = {0};

	plan_rig_machine(&r, ON("exascale25"), "vectoradd", ARGS("n=25600"));
	p = plan_rig_plan(&r, "tafe");
	l = p.launch[0].lists;
	cr_assert_eq(p.launch[0].dispatch, DISPATCH_LISTS);
	cr_assert_eq(l->n, 64);
	cr_expect_eq(l->first[0], 0);
	cr_expect_eq(l->first[64], 100);
	for (uint32_t s = 0; s < 64; s++)
		cr_expect(l->first[s + 1] - l->first[s] == 1 || l->first[s + 1] - l->first[s] == 2);
	for (uint32_t i = 0; i < 100; i++)
		cr_expect_eq(l->cta[i], i);
	plan_modules_init(&h, &p, &r.req, &r.arena);
	for (uint32_t i = 0; i < 100; i++)
		by_module[plan_modules_at(&h, 0, i)]++;
	cr_expect_eq(by_module[0], 25);
	for (uint32_t m = 1; m < 25; m++)
		cr_expect(by_module[m] >= 2 && by_module[m] <= 4);
	plan_rig_free(&r);
}

/* 16 CTAs on 64 SMs: every fourth SM has one, so that all modules take part. */
Test(tafe_split, spreads_few_ctas_over_all_modules)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_machine(&r, ON("multichip8"), "vectoradd", ARGS("n=4096"));
	p = plan_rig_plan(&r, "tafe");
	for (uint32_t s = 0; s < 64; s++)
		cr_expect_eq(p.launch[0].lists->first[s + 1] - p.launch[0].lists->first[s], s % 4 == 0, "SM %u", s);
	plan_rig_free(&r);
}

/* bfs's two kernels a level have one grid: all launches share one order. gaussian's launches have several. */
Test(tafe_split, holds_for_all_launches_of_a_grid)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_machine(&r, ON("multichip8"), "bfs", NULL);
	p = plan_rig_plan(&r, "tafe");
	cr_assert_gt(p.n_launches, 2);
	for (uint32_t i = 1; i < p.n_launches; i++)
		cr_expect_eq(p.launch[i].lists, p.launch[0].lists);
	plan_rig_free(&r);
}

/* ---- pages ---- */

struct pages {
	struct plan_rig r;
	struct taf taf;
	uint64_t a; /* address of vectoradd's first array: 16 pages of 1024 floats */
};

/* Relations by which CTA t touches element 128 t + 1024 k of a, for each k < pages: module i touches the pages i to i +
 * pages - 1.
 */
static void touch_neighbours(struct pages *x, const char *machine, const char *set, const char *n, uint32_t step, uint32_t pages)
{
	struct err e = {""};
	const struct trace_buffer *b;

	memset(x, 0, sizeof *x);
	plan_rig_machine(&x->r, &(struct plan_rig_wish){.machine = machine, .set = set}, "vectoradd", ARGS(n));
	b = trace_buffer(x->r.req.trace, 0);
	x->a = b->base;
	cr_assert_eq(x->a % 4096, 0);
	cr_assert_eq(taf_setup(&x->taf, (uint32_t[]){256, 1, 1}, trace_launch(x->r.req.trace, 0)->grid, &e), 0, "%s", e.text);
	for (uint32_t k = 0; k < pages; k++) {
		struct taf_array own = {
			.base = b->base, .limit = b->base + b->size, .size = 4, .m = {0, 0, 0, step}, .c = 1024 * k, .name = "a"};

		cr_assert_eq(taf_register(&x->taf, &own, 0, 0, &e), 0, "%s", e.text);
	}
	cr_assert_eq(taf_ready(&x->taf, b->base, "a", &e), 0, "%s", e.text);
	x->r.req.taf = &x->taf;
}

static void pages_free(struct pages *x)
{
	plan_rig_free(&x->r);
	taf_free(&x->taf);
}

static void expect_stacks(struct pages *x, const char *plan, unsigned n, const uint16_t *want)
{
	struct plan p = plan_rig_plan(&x->r, plan);

	cr_assert_eq(p.buffer[0].placement, PLACE_STATIC);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(p.buffer[0].stack[i], want[i], "%s: page %u on stack %u, not %u", plan, i, p.buffer[0].stack[i],
			     want[i]);
}

Test(tafe_pages, of_one_module_go_there)
{
	struct pages x;
	uint64_t first;
	struct plan p;

	touch_neighbours(&x, "multichip8", NULL, "n=16384", 128, 1);
	expect_stacks(&x, "tafe", 8, (const uint16_t[]){0, 1, 2, 3, 4, 5, 6, 7});
	/* The other eight pages are nobody's, and b and c are not registered: they go round the stacks. */
	p = plan_rig_plan(&x.r, "tafe");
	first = x.a / 4096;
	for (uint64_t i = 8; i < 16; i++)
		cr_expect_eq(p.buffer[0].stack[i], (first + i) % 8);
	cr_expect_eq(p.buffer[1].placement, PLACE_PAGES);
	cr_expect_eq(p.buffer[2].placement, PLACE_PAGES);
	cr_expect_str_eq(p.buffer[0].found.verdict, "private");
	cr_expect_null(p.buffer[1].found.verdict);
	pages_free(&x);
}

/* Page p has the users p - 1 and p. Every module on the way between two is as far from both together, and the users
 * themselves are preferred: they take turns, the lower one at the 1st, 3rd, 5th and 7th such page. */
Test(tafe_pages, of_two_modules_go_to_them_in_turn)
{
	struct pages x;

	touch_neighbours(&x, "multichip8", NULL, "n=16384", 128, 2);
	expect_stacks(&x, "tafe", 9, (const uint16_t[]){0, 0, 2, 2, 4, 4, 6, 6, 7});
	pages_free(&x);
}

/* Page p has p - 2, p - 1 and p. Links from the nearest, and from the best of the others:
 *   {0,1,2}  0: 0+1+1         {1,2,3}  1: 0+2+1; 0: 1+1+2      {2,3,4}  1: 2+1+1, no user; 3: 3+0+2
 *   {3,4,5}  1: 1+1+3; 3: 6   {4,5,6}  2: 3+1+1; 5: 4+0+2      {5,6,7}  2: 1+1+4; 0: 2+2+3
 * Pages 1 and 8 have two users: {0,1} and {6,7}. */
Test(tafe_pages, of_several_modules_go_to_the_one_nearest_to_all)
{
	struct pages x;

	touch_neighbours(&x, "multichip8", NULL, "n=16384", 128, 3);
	expect_stacks(&x, "tafe", 10, (const uint16_t[]){0, 0, 0, 1, 1, 1, 2, 2, 7, 7});
	expect_stacks(&x, "tafe,shared=turn", 10, (const uint16_t[]){0, 0, 1, 3, 2, 4, 6, 5, 7, 7});
	pages_free(&x);
}

/* A ring of four: of three neighbours the middle one, 1+0+1; of all four each is as near. 16 SMs a module, one CTA
 * each. */
Test(tafe_pages, of_a_ring_go_to_the_middle)
{
	struct pages x;

	touch_neighbours(&x, "mcm4", "vm.page=4K", "n=16384", 64, 3);
	expect_stacks(&x, "tafe", 4, (const uint16_t[]){0, 0, 1, 2});
	pages_free(&x);
	touch_neighbours(&x, "mcm4", "vm.page=4K", "n=16384", 0, 8); /* all CTAs touch all of eight pages */
	expect_stacks(&x, "tafe", 8, (const uint16_t[]){0, 1, 2, 3, 0, 1, 2, 3});
	pages_free(&x);
}

/* Module 0 of exascale25 has 16 SMs and the stacks 0 to 7, the others two SMs and a stack: a page has 8 CTAs. Pages 0
 * and 1 are module 0's; those of {1..4} and {5..8} are nearest to it, 4 links. {9,10,11,12} hang below 1 and 2: 8 links
 * from 0, 1 and 2, of which none is a user; they take turns, as do 0, 3, 4 for page 5 and 0, 5, 6 for page 6. */
Test(tafe_pages, of_a_module_go_round_its_stacks)
{
	struct pages x;

	touch_neighbours(&x, "exascale25", NULL, "n=16384", 128, 1);
	expect_stacks(&x, "tafe", 7, (const uint16_t[]){0, 1, 2, 3, 4, 7 + 3, 7 + 6});
	pages_free(&x);
}

/* Pages of 64 KB, buffers at multiples of 4: b begins behind a in a's last page, which a's and b's users share. */
Test(tafe_pages, of_two_arrays_count_the_users_of_both)
{
	struct plan_rig r;
	struct plan p;
	uint64_t shared;

	/* 80 KB an array */
	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "mcm4", .align = 4096}, "vectoradd", ARGS("n=20480"));
	p = plan_rig_plan(&r, "tafe");
	shared = trace_buffer(r.req.trace, 1)->base / 65536;
	cr_assert_eq((trace_buffer(r.req.trace, 0)->base + 81920 - 1) / 65536, shared);
	cr_expect_eq(p.buffer[0].stack[p.buffer[0].n_pages - 1], p.buffer[1].stack[0]);
	plan_rig_free(&r);
}

/* To all modules it is 13 links from 0 and from 1, 15 from 2 and more from the others: they take turns. */
Test(tafe_tid, takes_data_dependent_arrays_as_everyones)
{
	struct plan_rig r;
	struct plan p;
	const struct plan_buffer *edge;

	plan_rig_machine(&r, ON("multichip8"), "bfs", NULL);
	p = plan_rig_plan(&r, "tafe-tid");
	edge = &p.buffer[plan_rig_buffer(&r, "edge")];
	for (uint32_t i = 0; i < edge->n_pages; i++) {
		cr_expect_leq(edge->stack[i], 1);
		cr_expect(!i || edge->stack[i] != edge->stack[i - 1]);
	}
	cr_expect_str_eq(edge->found.verdict, "shared");
	p = plan_rig_plan(&r, "tafe");
	cr_expect_str_eq(p.buffer[plan_rig_buffer(&r, "edge")].found.verdict, "private");
	plan_rig_free(&r);
}

/* vectoradd, 4 CTAs and with them a page of each array an SM: nothing is remote. matmul: rows of A and of C are a
 * module's own, B is everyone's; half of the lines are B's but for those of C. */
Test(tafe, leaves_nothing_remote_where_ctas_own_their_pages)
{
	struct plan_rig r;

	plan_rig_machine(&r, ON("multichip8"), "vectoradd", ARGS("n=65536"));
	cr_expect_eq(plan_rig_remote(&r, "tafe"), 0);
	cr_expect_eq(plan_rig_remote(&r, "tafe-tid"), 0);
	cr_expect_float_eq(plan_rig_remote(&r, "cgp-only"), 87.5, 1e-9);
	plan_rig_free(&r);
}

/* ---- composition ---- */

Test(tafe_pages, follow_the_planner_that_places_ctas)
{
	struct plan_rig r;
	struct plan one, other;
	struct err e = {""};

	plan_rig_machine(&r, ON("multichip8"), "vectoradd", ARGS("n=65536"));
	one = plan_rig_plan(&r, "affinity+tafe-pages");
	other = plan_rig_plan(&r, "tafe-pages+affinity");
	for (uint32_t b = 0; b < 3; b++)
		cr_expect_arr_eq(one.buffer[b].stack, other.buffer[b].stack, one.buffer[b].n_pages * sizeof(uint16_t));
	cr_expect_eq(planner_make(&one, "tafe-pages", &r.req, &e), -1);
	cr_expect_str_eq(e.text, "--plan tafe-pages: does not assign CTAs to SMs; footprints by module need a planner that does");
	plan_rig_free(&r);
}

Test(tafe, wants_a_program_that_registers_its_arrays)
{
	struct plan_rig r;
	struct plan p;
	struct err e = {""};

	plan_rig_machine(&r, ON("multichip8"), "transpose", NULL);
	cr_expect_eq(planner_make(&p, "tafe", &r.req, &e), -1);
	cr_expect_str_eq(
		e.text,
		"--plan tafe: transpose 128x128 naive makes no TAFE calls (taf_register); nor does a recorded or imported trace");
	plan_rig_free(&r);
}

Test(tafe, says_which_tables_it_wants)
{
	struct planner_needs w;
	struct taf_options o;
	struct topology_view s = {.n_modules = 4, .n_sms = 16};
	struct err e = {""};

	cr_assert_eq(planner_check("tafe", &w, &e), 0);
	cr_expect(w.taf);
	planner_taf_options(&w, &s, &o);
	cr_expect(o.extents == 1 && o.group == 1 && !o.modules);
	cr_assert_eq(planner_check("affinity+tafe-pages,extents=8,per=4", &w, &e), 0);
	planner_taf_options(&w, &s, &o);
	cr_expect(o.extents == 8 && o.group == 4 && !o.modules);
	cr_assert_eq(planner_check("tafe,per=module", &w, &e), 0);
	planner_taf_options(&w, &s, &o);
	cr_expect(o.modules == 4 && o.sms == 16 && !o.group);
	cr_assert_eq(planner_check("affinity", &w, &e), 0);
	cr_expect_not(w.taf);
}

/* Post-dominators on graphs drawn by hand, and registers alive counted by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "ptx/lower/cfg.h"
#include "support/random.h"

#define NO_BRANCH CFG_NO_TARGET

/* A node of the drawings: plain (falls through), a conditional branch, a jump, an end, a guarded end. */
#define PLAIN                                                                                                                      \
	{                                                                                                                          \
		NO_BRANCH, true, false                                                                                             \
	}
#define IF(t)                                                                                                                      \
	{                                                                                                                          \
		t, true, false                                                                                                     \
	}
#define JUMP(t)                                                                                                                    \
	{                                                                                                                          \
		t, false, false                                                                                                    \
	}
#define END                                                                                                                        \
	{                                                                                                                          \
		NO_BRANCH, false, true                                                                                             \
	}
#define MAY_END                                                                                                                    \
	{                                                                                                                          \
		NO_BRANCH, true, true                                                                                              \
	}

static void expect(const char *name, const struct cfg_node *node, uint32_t n, uint32_t branch, uint32_t want)
{
	uint32_t join[32] = {0};

	cfg_joins(node, n, join);
	cr_assert_eq(join[branch], want, "%s: lanes that part at %u meet at %u, want %u", name, branch, join[branch], want);
}

Test(ptx_cfg, a_diamond_meets_below_its_sides)
{
	/* 0 if -> 3; 1 left; 2 jump 4; 3 right; 4 end */
	static const struct cfg_node g[] = {IF(3), PLAIN, JUMP(4), PLAIN, END};

	expect("diamond", g, 5, 0, 4);
}

Test(ptx_cfg, a_triangle_meets_at_the_branch_target)
{
	static const struct cfg_node g[] = {IF(2), PLAIN, END};

	expect("triangle", g, 3, 0, 2);
}

Test(ptx_cfg, nested_diamonds_meet_each_at_its_own_end)
{
	/* 0 if 6; 1 if 4; 2 x; 3 jump 5; 4 y; 5 jump 7; 6 z; 7 end */
	static const struct cfg_node g[] = {IF(6), IF(4), PLAIN, JUMP(5), PLAIN, JUMP(7), PLAIN, END};

	expect("outer", g, 8, 0, 7);
	expect("inner", g, 8, 1, 5);
}

Test(ptx_cfg, a_loop_is_left_where_it_ends)
{
	/* do-while: 0; 1 body; 2 if 1; 3 end */
	static const struct cfg_node bottom[] = {PLAIN, PLAIN, IF(1), END};
	/* while with a break: 0 if 5 (condition); 1 if 4 (break); 2 body; 3 jump 0; 4 after the break; 5 end */
	static const struct cfg_node breaks[] = {IF(5), IF(4), PLAIN, JUMP(0), PLAIN, END};

	expect("do-while", bottom, 4, 2, 3);
	expect("while", breaks, 6, 0, 5);
	expect("break", breaks, 6, 1, 5);
}

Test(ptx_cfg, paths_that_end_apart_never_meet)
{
	static const struct cfg_node ends[] = {IF(2), END, END};
	/* 0 if 3; 1 may end; 2 plain; 3 end: the side that may end need not come to 3, so only the end is common */
	static const struct cfg_node may[] = {IF(3), MAY_END, PLAIN, END};

	expect("two ends", ends, 3, 0, 3);
	expect("guarded end", may, 4, 0, 4);
}

Test(ptx_cfg, two_entries_into_a_loop_meet_behind_it)
{
	/* 0 if 2; 1 a; 2 b; 3 if 1; 4 end: the loop 1-2-3 is entered at 1 and at 2 */
	static const struct cfg_node g[] = {IF(2), PLAIN, PLAIN, IF(1), END};
	/* irreducible, with exits on both: 0 if 3; 1 if 5; 2 jump 3; 3 if 5; 4 jump 1; 5 end */
	static const struct cfg_node h[] = {IF(3), IF(5), JUMP(3), IF(5), JUMP(1), END};

	expect("entry", g, 5, 0, 2);
	expect("back", g, 5, 3, 4);
	expect("irreducible entry", h, 6, 0, 5);
	expect("irreducible left", h, 6, 1, 5);
	expect("irreducible right", h, 6, 3, 5);
}

Test(ptx_cfg, a_loop_without_end_has_no_meeting_point)
{
	/* 0 if 2; 1 end; 2 if 3; 3 jump 2: nothing leaves 2, 3 */
	static const struct cfg_node g[] = {IF(2), END, IF(3), JUMP(2)};

	expect("no end", g, 4, 2, 4);
	expect("into it", g, 4, 0, 1);
}

/* dst, then up to three sources, as dense numbers */
static struct trace_inst inst(unsigned ndst, unsigned nsrc, uint16_t a, uint16_t b, uint16_t c)
{
	return (struct trace_inst){.ndst = (uint8_t)ndst, .nsrc = (uint8_t)nsrc, .reg = {a, b, c}};
}

Test(ptx_cfg, registers_alive_at_once_are_counted)
{
	/* r0 = ..; r1 = ..; r2 = r0 + r1; r3 = r2 + r0; use r3: after the third, r0 and r2 live; after the second r0
	 * and r1 */
	const struct trace_inst line[] = {inst(1, 0, 0, 0, 0), inst(1, 0, 1, 0, 0), inst(1, 2, 2, 0, 1), inst(1, 2, 3, 2, 0),
					  inst(0, 1, 3, 0, 0)};
	static const struct cfg_node g[] = {PLAIN, PLAIN, PLAIN, PLAIN, END};
	static const uint8_t ones[] = {1, 1, 1, 1}, mixed[] = {2, 1, 2, 0};

	cr_assert_eq(cfg_registers(g, 5, line, 4, ones), 2);
	/* r0 and r2 take two each */
	cr_assert_eq(cfg_registers(g, 5, line, 4, mixed), 4);
}

Test(ptx_cfg, a_value_that_a_loop_needs_again_stays_alive_through_it)
{
	/* 0: r0 = ..; 1: r1 = ..; 2: r2 = r1; 3: r1 = r2 + r0; 4: if 2; 5: use r1. r0 lives through the loop with r1 or
	 * r2 */
	const struct trace_inst loop[] = {inst(1, 0, 0, 0, 0), inst(1, 0, 1, 0, 0), inst(1, 1, 2, 1, 0),
					  inst(1, 2, 1, 2, 0), inst(0, 0, 0, 0, 0), inst(0, 1, 1, 0, 0)};
	static const struct cfg_node g[] = {PLAIN, PLAIN, PLAIN, PLAIN, IF(2), END};
	static const uint8_t ones[] = {1, 1, 1};
	struct trace_inst guarded[6];

	cr_assert_eq(cfg_registers(g, 6, loop, 3, ones), 2);
	/* if the write of r1 in 3 is guarded, its old value must be kept beside r2 */
	for (int i = 0; i < 6; i++)
		guarded[i] = loop[i];
	guarded[3].flags = TRACE_PREDICATED;
	cr_assert_eq(cfg_registers(g, 6, guarded, 3, ones), 3);
}

/* ---- random graphs, against the definitions: every path, and every path without a node ---- */

enum { NODES = 14, REGS = 70 };

static uint32_t draw(uint64_t *state, uint32_t n)
{
	return (uint32_t)random_below(state, n);
}

static void random_graph(uint64_t *state, struct cfg_node *node, struct trace_inst *t)
{
	memset(t, 0, NODES * sizeof *t);
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t kind = draw(state, 8);

		node[i] = (struct cfg_node){kind < 4 ? draw(state, NODES) : NO_BRANCH, kind != 3 && i < NODES - 1,
					    kind == 4 || i == NODES - 1};
		t[i] = inst(draw(state, 3), draw(state, 2), (uint16_t)draw(state, REGS), (uint16_t)draw(state, REGS),
			    (uint16_t)draw(state, REGS));
		if (draw(state, 4) == 0)
			t[i].flags = TRACE_PREDICATED;
	}
}

/* seen[x]: a path of at least no step leads from `from` to x without entering `without`; NODES is the end. */
static void reach(const struct cfg_node *node, uint32_t from, uint32_t without, bool *seen)
{
	if (from == without || seen[from])
		return;
	seen[from] = true;
	if (from == NODES)
		return;
	if (node[from].falls)
		reach(node, from + 1, without, seen);
	if (node[from].target != NO_BRANCH)
		reach(node, node[from].target, without, seen);
	if (node[from].ends)
		reach(node, NODES, without, seen);
}

static bool leads(const struct cfg_node *node, uint32_t from, uint32_t to, uint32_t without)
{
	bool seen[NODES + 1] = {false};

	reach(node, from, without, seen);
	return seen[to];
}

/* The node on every path from `i` to the end, i itself apart, that comes first: all others are on every path from
 * there. */
static uint32_t meeting_node(const struct cfg_node *node, uint32_t i)
{
	if (!leads(node, i, NODES, NODES + 1))
		return NODES;
	for (uint32_t d = 0; d < NODES; d++) {
		bool first = d != i && !leads(node, i, NODES, d);

		for (uint32_t x = 0; first && x < NODES; x++)
			if (x != i && x != d && !leads(node, i, NODES, x) && leads(node, d, NODES, x))
				first = false;
		if (first)
			return d;
	}
	return NODES;
}

static bool reads(const struct trace_inst *t, uint32_t r)
{
	for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
		if (t->reg[k] == r)
			return true;
	return false;
}

static bool writes(const struct trace_inst *t, uint32_t r)
{
	for (uint32_t k = 0; k < t->ndst; k++)
		if (t->reg[k] == r)
			return true;
	return false;
}

/* Whether some path from node i, looked at from its begin, reads r before it is overwritten. */
static bool alive(const struct cfg_node *node, const struct trace_inst *t, uint32_t i, uint32_t r, bool *seen)
{
	if (i == NODES || seen[i])
		return false;
	seen[i] = true;
	if (reads(&t[i], r))
		return true;
	if (writes(&t[i], r) && !(t[i].flags & TRACE_PREDICATED))
		return false;
	return (node[i].falls && alive(node, t, i + 1, r, seen)) ||
	       (node[i].target != NO_BRANCH && alive(node, t, node[i].target, r, seen));
}

static uint32_t most_alive(const struct cfg_node *node, const struct trace_inst *t)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t sum = 0;

		for (uint32_t r = 0; r < REGS; r++) {
			bool seen[NODES] = {false}, again[NODES] = {false};

			sum += writes(&t[i], r) || (node[i].falls && alive(node, t, i + 1, r, seen)) ||
			       (node[i].target != NO_BRANCH && alive(node, t, node[i].target, r, again));
		}
		most = sum > most ? sum : most;
	}
	return most;
}

Test(ptx_cfg, random_graphs_agree_with_the_definitions)
{
	struct cfg_node node[NODES];
	struct trace_inst t[NODES];
	uint8_t ones[REGS];
	uint64_t state = 220;

	memset(ones, 1, sizeof ones);
	for (unsigned trial = 0; trial < 3000; trial++) {
		uint32_t join[NODES] = {0};

		random_graph(&state, node, t);
		cfg_joins(node, NODES, join);
		for (uint32_t i = 0; i < NODES; i++)
			if (node[i].target != NO_BRANCH)
				cr_assert_eq(join[i], meeting_node(node, i), "trial %u, node %u: %u, want %u", trial, i, join[i],
					     meeting_node(node, i));
		for (uint32_t i = 0; i < NODES; i++) /* the same register twice is not of interest here */
			if (t[i].ndst == 2 && t[i].reg[0] == t[i].reg[1])
				t[i].reg[1] = (uint16_t)((t[i].reg[1] + 1) % REGS);
		cr_assert_eq(cfg_registers(node, NODES, t, REGS, ones), most_alive(node, t), "trial %u", trial);
	}
}

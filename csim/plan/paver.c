/* PAVER: CTAs that read the same data run on one SM, at the same time or shortly after one another.
 *
 * Of each launch the locality graph is made (locality/locality.h) and cut into groups, which the dispatcher hands to
 * SMs one after the other (DISPATCH_GROUPS). x is the number of CTAs that an SM holds at a time, N the number of SMs:
 *   paver-mst   CTAs in the order of a maximum spanning tree (Prim); one group of x for each SM, then groups of one
 *   paver-kway  N groups of about the same size with little weight between them (METIS), each in the order of its
 *               spanning tree
 *   paver-rb    halves, halves of halves (METIS), until a part has x CTAs or less; the parts from left to right
 * In k-way and RB an SM that has no group left steals from another; option steal=off leaves that out.
 *
 * Where the paper's text leaves a choice: Algorithm 1's queue would put leaves of a shallow depth first; section 4.3
 * wants them from left to right, as here. A part of x CTAs fits an SM: it is not cut (Algorithm 1 has < for <=); nor is
 * a launch that fits one SM. So a launch with fewer CTAs than the SMs have CTA slots leaves SMs without a group.
 * Section 6.3, where RB does as well as k-way on such launches, speaks for groups of at most n / N CTAs instead:
 * groups=even.
 *
 * lrr and bcs are what the paper compares itself with.
 *
 * Source: PAVER (paver.txt), sections 4, 5.2 and 6.1; docs/studies/paver.md.
 */
#include <stdlib.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "machine/occupancy.h"
#include "locality/partition.h"
#include "plan/planner.h"

enum option { OPTION_SOURCE, OPTION_UNIT, OPTION_STEAL, OPTION_GROUPS };

// clang-format off
#define SOURCE {"source", "source of the reads: the PTX, or the trace", {"static", "trace", NULL}}
#define UNIT   {"unit", "unit of sharing: array elements, or 128-byte lines", {"element", "line", NULL}}
#define STEAL  {"steal", "an SM without a group steals CTAs of another SM's group", {"on", "off", NULL}}
#define GROUPS {"groups", "group size: as many CTAs as fit an SM (full), or so few that every SM gets a group (even)", {"full", "even", NULL}}
// clang-format on
static const struct planner_option graph_options[] = {SOURCE, UNIT, {0}}, kway_options[] = {SOURCE, UNIT, STEAL, {0}},
				   rb_options[] = {SOURCE, UNIT, STEAL, GROUPS, {0}};

struct shape {
	uint32_t sms, x;
	bool even; /* a group is at most an SM's even share */
};

/* Fills l->n, the arrays l->first (room for n CTAs + 1) and l->cta (all CTAs, ascending). */
typedef int group_fn(const struct locality_graph *g, struct shape s, uint32_t *cta, uint32_t *first, uint32_t *groups,
		     struct err *e);

/* ---- the three ways ---- */

static int group_mst(const struct locality_graph *g, struct shape s, uint32_t *cta, uint32_t *first, uint32_t *groups,
		     struct err *e)
{
	uint32_t at = 0;

	(void)e;
	partition_prim(g, cta, g->n);
	for (*groups = 0; at < g->n; ++*groups) {
		first[*groups] = at;
		at += *groups < s.sms ? s.x : 1;
	}
	first[*groups] = g->n;
	return 0;
}

/* SMs take the groups in the order of the table; one that would be empty is left out. */
static int group_kway(const struct locality_graph *g, struct shape s, uint32_t *cta, uint32_t *first, uint32_t *groups,
		      struct err *e)
{
	uint32_t *part = xmalloc((s.sms + (size_t)1) * sizeof *part);
	int rc = partition_kway(g, cta, g->n, s.sms, part, e);

	*groups = 0;
	for (uint32_t i = 0; i < s.sms && rc == 0; i++)
		if (part[i] < part[i + 1]) {
			partition_prim(g, cta + part[i], part[i + 1] - part[i]);
			first[(*groups)++] = part[i];
		}
	first[*groups] = g->n;
	free(part);
	return rc;
}

static int group_rb(const struct locality_graph *g, struct shape s, uint32_t *cta, uint32_t *first, uint32_t *groups, struct err *e)
{
	uint32_t share = g->n / s.sms + (g->n % s.sms != 0), most = s.even && share && share < s.x ? share : s.x;
	int64_t n = partition_bisect(g, cta, g->n, most, first, e);

	*groups = n < 0 ? 0 : (uint32_t)n;
	return n < 0 ? -1 : 0;
}

/* ---- plans ---- */

/* Launches whose graphs are the same get the same lists. */
struct memo {
	XXH128_hash_t hash;
	struct shape shape;
	struct plan_lists *lists;
	struct memo *next;
};

static XXH128_hash_t hash_of(const struct locality_graph *g)
{
	uint64_t edges = g->first[g->n];
	XXH128_hash_t h = XXH3_128bits_withSeed(g->first, (g->n + (size_t)1) * sizeof *g->first, g->n);

	h = XXH3_128bits_withSeed(g->to, edges * sizeof *g->to, h.low64 ^ h.high64);
	return XXH3_128bits_withSeed(g->weight, edges * sizeof *g->weight, h.low64 ^ h.high64);
}

static uint64_t weight_of(const struct locality_graph *g)
{
	uint64_t twice = 0;

	for (uint64_t k = 0; k < g->first[g->n]; k++)
		twice += g->weight[k];
	return twice / 2;
}

static struct plan_lists *cut(const struct locality_graph *g, struct shape s, group_fn *group, bool steal, struct arena *a,
			      struct err *e)
{
	struct plan_lists *l = arena_alloc(a, sizeof *l);
	uint32_t *cta = arena_array(a, g->n, sizeof *cta), *first = arena_array(a, g->n + (size_t)1, sizeof *first);

	for (uint32_t i = 0; i < g->n; i++)
		cta[i] = i;
	if (group(g, s, cta, first, &l->n, e) != 0)
		return NULL;
	l->first = first;
	l->cta = cta;
	l->steal = steal;
	l->weight = weight_of(g);
	l->cut = partition_cut(g, cta, l->n, first);
	return l;
}

static struct plan_lists *lists_of(const struct locality_graph *g, struct shape s, group_fn *group, bool steal, struct memo **memos,
				   struct arena *a, struct err *e)
{
	XXH128_hash_t hash = hash_of(g);
	struct memo *m;

	for (m = *memos; m; m = m->next)
		if (XXH128_isEqual(m->hash, hash) && m->shape.sms == s.sms && m->shape.x == s.x)
			return m->lists;
	m = arena_alloc(a, sizeof *m);
	*m = (struct memo){hash, s, cut(g, s, group, steal, a, e), *memos};
	*memos = m;
	return m->lists;
}

static int shape_of(const struct planner_request *req, uint32_t launch, struct shape *s, struct err *e)
{
	struct plan_program program = plan_program_of_launch(req, launch);
	const struct trace_launch *l = trace_launch(req->trace, launch);
	struct occupancy o;

	if (occupancy_of(req->machine, trace_kernel(req->trace, l->kernel), l, &o, e) != 0)
		return -1;
	s->x = o.ctas;
	for (uint32_t h = program.first_module; h < program.first_module + program.n_modules; h++)
		s->sms += req->topology->sms[h];
	return 0;
}

struct way { /* to make groups, and what happens to them */
	group_fn *group;
	bool steal, even;
};

static int plan_groups(struct plan *p, const struct planner_request *req, const unsigned *choice, struct way w, struct err *e)
{
	struct locality_options o = {.from_trace = choice[OPTION_SOURCE] == 1, .lines = choice[OPTION_UNIT] == 1};
	struct memo *memos = NULL;

	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++) {
		const struct locality_source from = {req->trace, req->analysis};
		struct arena tmp = {0};
		struct locality_graph g;
		struct shape s = {.even = w.even};

		p->launch[i].dispatch = DISPATCH_GROUPS;
		if (shape_of(req, i, &s, e) == 0 && locality_graph_make(&g, &from, i, &o, &tmp, e) == 0)
			p->launch[i].lists = lists_of(&g, s, w.group, w.steal, &memos, req->arena, e);
		arena_free(&tmp);
		if (!p->launch[i].lists)
			return -1;
	}
	return 0;
}

static int make_mst(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	return plan_groups(p, req, choice, (struct way){.group = group_mst}, e);
}

static int make_kway(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct way w = {.group = group_kway, .steal = choice[OPTION_STEAL] == 0};

	return plan_groups(p, req, choice, w, e);
}

static int make_rb(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct way w = {.group = group_rb, .steal = choice[OPTION_STEAL] == 0, .even = choice[OPTION_GROUPS] == 1};

	return plan_groups(p, req, choice, w, e);
}

static int plan_all_launches(struct plan *p, const struct planner_request *req, enum plan_dispatch dispatch)
{
	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++)
		p->launch[i].dispatch = dispatch;
	return 0;
}

static int make_lrr(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	return plan_all_launches(p, req, DISPATCH_ROUND_ROBIN);
}

static int make_bcs(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	return plan_all_launches(p, req, DISPATCH_PAIR_WAIT);
}

const struct planner planner_paver_mst = {
	.name = "paver-mst",
	.summary = "CTAs in the order of a maximum spanning tree of shared data: first as many per SM as fit, then one by one",
	.slots = SLOT_CTAS,
	.options = graph_options,
	.wants_analysis = true,
	.make = make_mst,
};
const struct planner planner_paver_kway = {
	.name = "paver-kway",
	.summary = "one group of CTAs per SM, chosen for shared data; SMs without work steal",
	.slots = SLOT_CTAS,
	.options = kway_options,
	.wants_analysis = true,
	.groups = true,
	.make = make_kway,
};
const struct planner planner_paver_rb = {
	.name = "paver-rb",
	.summary = "groups of as many CTAs as an SM holds, by recursive bisection of shared data; SMs without work steal",
	.slots = SLOT_CTAS,
	.options = rb_options,
	.wants_analysis = true,
	.groups = true,
	.make = make_rb,
};
const struct planner planner_lrr = {
	.name = "lrr",
	.summary = "CTAs in ascending order, round robin; same as no plan",
	.slots = SLOT_CTAS,
	.make = make_lrr,
};
const struct planner planner_bcs = {
	.name = "bcs",
	.summary = "pairs of consecutive CTAs go to an SM with room for both",
	.slots = SLOT_CTAS,
	.make = make_bcs,
};

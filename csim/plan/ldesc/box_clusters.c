/* Clusters of CTAs of a size that the user gives, and lists of CTAs from where clusters are dealt to.
 *
 * A cluster is a box of the grid; clusters go to SMs in turn, as those of Algorithm 1 do. With the sizes that the
 * options offer these are 48 ways of scheduling CTAs: ldesc, Figure 3, which does not print its own.
 */
#include <stdlib.h>

#include "plan/ldesc/ldesc_plan.h"

const struct plan_lists *ldesc_plan_lists(const struct planner_request *req, const uint32_t *order, const uint32_t *sm, uint32_t n)
{
	struct plan_lists *lists = arena_alloc(req->arena, sizeof *lists);
	uint32_t sms = req->topology->n_sms, *first = arena_array(req->arena, sms + 2, sizeof *first);
	uint32_t *cta = arena_array(req->arena, n, sizeof *cta);

	for (uint32_t i = 0; i < n; i++)
		first[sm[i] + 2]++;
	for (uint32_t s = 1; s <= sms + 1; s++)
		first[s] += first[s - 1];
	for (uint32_t i = 0; i < n; i++)
		cta[first[sm[i] + 1]++] = order[i];
	*lists = (struct plan_lists){.n = sms, .first = first, .cta = cta};
	return lists;
}

static const struct planner_option options[] = {{"x", "CTAs per cluster along X", {"1", "2", "4", "8"}},
						{"y", "CTAs per cluster along Y", {"1", "2", "4", "8"}},
						{"z", "CTAs per cluster along Z", {"1", "2", "4"}},
						{0}};

static int make(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	uint32_t box[3];

	if (req->n_programs > 1)
		return err_set(e, "--plan %s: clusters go to all SMs; several programs share this machine", p->name);
	for (unsigned d = 0; d < 3; d++)
		box[d] = UINT32_C(1) << choice[d];
	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++) {
		struct ldesc_launch at = ldesc_plan_launch(req, i);
		struct ldesc_ctas ctas = {.grid = {at.grid[0], at.grid[1], at.grid[2]}};
		uint32_t n = at.grid[0] * at.grid[1] * at.grid[2];
		uint32_t *order = arena_array(req->arena, n, sizeof *order), *sm = arena_array(req->arena, n, sizeof *sm);

		ldesc_deal(&ctas, box, req->topology->n_sms, order, sm);
		p->launch[i] = (struct plan_launch){.dispatch = DISPATCH_LISTS, .lists = ldesc_plan_lists(req, order, sm, n)};
	}
	return 0;
}

const struct planner planner_clusters = {
	.name = "clusters",
	.summary = "clusters of x by y by z CTAs go to SMs in turn (ldesc, Figure 3)",
	.slots = SLOT_CTAS,
	.options = options,
	.make = make,
};

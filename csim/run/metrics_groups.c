/* Metrics and invariants of launches that went in groups (dispatch/group_dispatch.h): rows "group_dispatch.*". */
#include "dispatch/group_dispatch.h"
#include "run/gpu_impl.h"

#define C(field) METRIC_OF(struct group_dispatch_counts, field)

/* clang-format off */
static const struct metric rows[] = {
	{"group_dispatch.groups", "", "CTA groups issued to SMs", METRIC_COUNT, OF_RUN, .a = C(groups)},
	{"group_dispatch.ctas", "", "CTAs issued to SMs in groups", METRIC_COUNT, OF_RUN, .a = C(ctas)},
	{"group_dispatch.fetches", "", "memory reads of CTA-group entries and of their CTAs", METRIC_COUNT, OF_RUN, .a = C(requests)},
	{"group_dispatch.steals", "", "times that an SM stole CTAs from another SM's group", METRIC_COUNT, OF_RUN, .a = C(steals)},
	{"group_dispatch.stolen", "", "CTAs stolen, counted at each theft", METRIC_COUNT, OF_RUN, .a = C(stolen)},
	{"group_dispatch.ran_stolen", "", "CTAs that ran on the SM that stole them", METRIC_COUNT, OF_RUN, .a = C(ran_stolen)},
	{"group_dispatch.wait_cycles", "SM cycles", "SM cycles with room for a CTA that was not fetched yet", METRIC_COUNT, OF_RUN, .a = C(wait_cycles)},
};
/* clang-format on */

const struct metric_table gpu_group_metrics = METRIC_TABLE(rows);

void gpu_report_groups(const struct gpu *g, struct stats *to)
{
	struct group_dispatch_counts c;

	if (group_dispatch_total(&g->dispatch, &c))
		metrics_rows(to, &gpu_group_metrics, &(struct metric_view){.prefix = "", .shown = OF_RUN}, &c);
}

void gpu_audit_groups(const struct gpu *g, bool ended, struct audit *a)
{
	const struct plan *p = g->config->plan;
	struct group_dispatch_counts c;
	uint64_t groups = 0, ctas = 0;

	if (!group_dispatch_total(&g->dispatch, &c))
		return;
	audit_at_most(a, "group dispatch: CTAs that ran on the SM that stole them <= stolen CTAs", c.ran_stolen, c.stolen);
	audit_at_most(a, "group dispatch: steals <= CTAs stolen", c.steals, c.stolen);
	if (!ended)
		return;
	for (uint32_t i = 0; i < p->n_launches; i++)
		if (p->launch[i].dispatch == DISPATCH_GROUPS) {
			/* Without CTAs a launch has ended before its groups are looked at. */
			groups += trace_launch(g->trace, i)->n_ctas ? p->launch[i].lists->n : 0;
			ctas += trace_launch(g->trace, i)->n_ctas;
		}
	audit_equal(a, "group dispatch: CTAs issued to SMs = CTAs of the plan's groups", c.ctas, ctas);
	audit_equal(a, "group dispatch: groups issued to SMs = groups of the plan", c.groups, groups);
	audit_equal(a, "group dispatch: requests to memory = groups + CTAs", c.requests, groups + ctas);
	audit_equal(a, "group dispatch: CTAs of an SM's groups and steals that it neither received nor lost", c.left_over, 0);
}

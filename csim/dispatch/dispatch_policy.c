/* Which CTA an SM with room gets: a function a policy (dispatch/dispatch.h). */
#include "dispatch/dispatch.h"
#include "dispatch/dispatch_groups.h"

static uint32_t next_in_order(const struct dispatch *d, struct dispatch_program *p, uint32_t sm)
{
	(void)sm;
	return p->next_cta < trace_launch(d->trace, p->launch)->n_ctas ? p->next_cta++ : DISPATCH_NONE;
}

/* The home's CTA number `given`: CTAs are dealt in turns of `turn` CTAs, of which this home has blocks[home] from `first` on. */
static uint32_t next_of_home(const struct dispatch *d, struct dispatch_program *p, uint32_t sm)
{
	const uint32_t *blocks = d->plan->launch[p->launch].blocks;
	uint32_t home = d->plan->home[sm], given = p->given[home];
	uint64_t first = 0, turn = 0, cta;

	if (!blocks[home])
		return DISPATCH_NONE;
	for (uint32_t h = 0; h < d->plan->n_homes; h++) {
		first += h < home ? blocks[h] : 0;
		turn += blocks[h];
	}
	cta = given / blocks[home] * turn + first + given % blocks[home];
	if (cta >= trace_launch(d->trace, p->launch)->n_ctas)
		return DISPATCH_NONE;
	p->given[home]++;
	return (uint32_t)cta;
}

/* Between the first and the second of a pair the SM's room for the second is kept by `second`. */
static uint32_t next_of_pair(const struct dispatch *d, struct dispatch_program *p, uint32_t sm)
{
	uint32_t n = trace_launch(d->trace, p->launch)->n_ctas, limit = d->limit[p->launch], cta = p->second[sm];

	if (cta != DISPATCH_NONE) {
		p->second[sm] = DISPATCH_NONE;
		return cta;
	}
	if (p->next_cta >= n)
		return DISPATCH_NONE;
	if (limit == 1 || p->next_cta + 1 == n)
		return p->next_cta++;
	if (limit - d->live[sm] < 2)
		return DISPATCH_NONE;
	cta = p->next_cta;
	p->next_cta += 2;
	p->second[sm] = cta + 1;
	return cta;
}

static uint32_t next_of_list(const struct dispatch *d, struct dispatch_program *p, uint32_t sm)
{
	const struct plan_lists *l = d->plan->launch[p->launch].lists;
	uint32_t at = l->first[sm] + p->given[sm];

	if (at == l->first[sm + 1])
		return DISPATCH_NONE;
	p->given[sm]++;
	return l->cta[at];
}

static const struct dispatch_policy round_robin = {"round-robin", next_in_order}, affinity = {"affinity", next_of_home},
				    pair_wait = {"pair-wait", next_of_pair}, lists = {"lists", next_of_list},
				    groups = {"groups", dispatch_groups_next};
const struct dispatch_policy *const dispatch_policies[DISPATCH_COUNT] = {
	[DISPATCH_ROUND_ROBIN] = &round_robin, [DISPATCH_AFFINITY] = &affinity,
	[DISPATCH_PAIR_WAIT] = &pair_wait,     [DISPATCH_LISTS] = &lists,
	[DISPATCH_GROUPS] = &groups,
};

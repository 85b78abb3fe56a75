#include "plan/plan.h"

#include "base/arena.h"
#include "base/err.h"
#include "trace/trace.h"

/* Counts how often each CTA is in the lists. */
static int check_ctas(const struct plan_lists *l, uint32_t n_ctas, uint32_t launch, struct arena *a, struct err *e)
{
	uint8_t *seen = arena_array(a, n_ctas, sizeof *seen);

	for (uint32_t i = l->first[0]; i < l->first[l->n]; i++) {
		if (l->cta[i] >= n_ctas)
			return err_set(e, "plan: launch %u has %u CTAs; a list names CTA %u", launch, n_ctas, l->cta[i]);
		if (seen[l->cta[i]]++)
			return err_set(e, "plan: launch %u: CTA %u is in the lists twice", launch, l->cta[i]);
	}
	for (uint32_t c = 0; c < n_ctas; c++)
		if (!seen[c])
			return err_set(e, "plan: launch %u: CTA %u is in no list", launch, c);
	return 0;
}

static bool runs_on(const struct plan *p, uint32_t launch, uint32_t sm)
{
	const struct plan_program *own;

	if (p->n_programs < 2)
		return true;
	own = &p->program[p->program_of_sm[sm]];
	return launch - own->first_launch < own->n_launches;
}

/* List s goes to SM s, which must be the program's. */
static int check_sms(const struct plan *p, uint32_t launch, struct err *e)
{
	const struct plan_lists *l = p->launch[launch].lists;

	if (l->n != p->n_sms)
		return err_set(e, "plan: launch %u: %u lists for %u SMs", launch, l->n, p->n_sms);
	for (uint32_t s = 0; s < l->n; s++)
		if (l->first[s] < l->first[s + 1] && !runs_on(p, launch, s))
			return err_set(e, "plan: launch %u: its list %u is not empty, but SM %u belongs to another program", launch,
				       s, s);
	return 0;
}

static int check_localities(const struct plan_launch *l, uint32_t launch, struct err *e)
{
	if (l->n_localities > PLAN_LOCALITIES)
		return err_set(e, "plan: launch %u has %u localities; a table holds %d", launch, l->n_localities, PLAN_LOCALITIES);
	for (uint32_t i = 0; i < l->n_localities; i++)
		if (l->locality[i].base >= l->locality[i].bound || l->locality[i].bound >> PLAN_LOCALITY_ADDRESS)
			return err_set(e, "plan: launch %u: locality %u has no range of addresses below 2^%d", launch, i,
				       PLAN_LOCALITY_ADDRESS);
	return 0;
}

static int check_launch(const struct plan *p, const struct trace *t, uint32_t launch, struct arena *a, struct err *e)
{
	const struct plan_launch *l = &p->launch[launch];

	if (check_localities(l, launch, e) != 0)
		return -1;
	if (l->dispatch != DISPATCH_LISTS && l->dispatch != DISPATCH_GROUPS)
		return 0;
	if (!l->lists)
		return err_set(e, "plan: launch %u has no lists", launch);
	if (l->dispatch == DISPATCH_LISTS && check_sms(p, launch, e) != 0)
		return -1;
	return check_ctas(l->lists, trace_launch(t, launch)->n_ctas, launch, a, e);
}

int plan_check(const struct plan *p, const struct trace *t, struct err *e)
{
	struct arena a = {0};
	int rc = 0;

	if (!p->launch)
		return 0;
	if (p->n_launches != trace_n_launches(t))
		return err_set(e, "plan: is for %u launches, but the trace has %u", p->n_launches, trace_n_launches(t));
	for (uint32_t i = 0; i < p->n_launches && !rc; i++)
		rc = check_launch(p, t, i, &a, e);
	arena_free(&a);
	return rc;
}

/* Pair-wait: CTAs 2k and 2k + 1 go to one SM, in two cycles that follow one another, as soon as it has room for both
 * (BCS, as PAVER describes it in section 6.1). Where an SM holds one CTA no pair would ever fit: they go singly. The
 * last of an odd number goes alone, to any SM with room for one. */
#include "dispatch/policy.h"

struct pair_wait {
	uint32_t next_cta;
	uint32_t *second; /* by SM: the CTA that it gets next, as the first of the pair went there; or DISPATCH_NONE */
};

static int init(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *p,
		const struct dispatch_hardware *hw, struct err *e)
{
	struct pair_wait *s = arena_alloc(a, sizeof *s);

	(void)p, (void)hw, (void)e;
	s->second = arena_array(a, d->n_sms, sizeof *s->second);
	*state = s;
	return 0;
}

static void launch(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own)
{
	struct pair_wait *s = state;

	(void)p, (void)own;
	s->next_cta = 0;
	for (uint32_t sm = 0; sm < d->n_sms; sm++)
		s->second[sm] = DISPATCH_NONE;
}

/* Between the first and the second of a pair the SM's room for the second is kept by `second`. */
static uint32_t next(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm)
{
	struct pair_wait *s = state;
	uint32_t n = trace_launch(d->trace, p->launch)->n_ctas, limit = d->limit[p->launch], cta = s->second[sm];

	if (cta != DISPATCH_NONE) {
		s->second[sm] = DISPATCH_NONE;
		return cta;
	}
	if (s->next_cta >= n)
		return DISPATCH_NONE;
	if (limit == 1 || s->next_cta + 1 == n)
		return s->next_cta++;
	if (limit - d->live[sm] < 2)
		return DISPATCH_NONE;
	cta = s->next_cta;
	s->next_cta += 2;
	s->second[sm] = cta + 1;
	return cta;
}

const struct dispatch_policy dispatch_pair_wait = {.name = "pair-wait", .init = init, .launch = launch, .next = next};

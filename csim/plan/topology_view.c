#include "plan/topology_view.h"

void plan_site_of(struct plan_site *s, const struct machine *m, struct arena *a)
{
	uint32_t sm = 0, stack = 0;

	*s = (struct plan_site){.n_sms = m->sm.count, .n_homes = m->module.count, .n_stacks = m->dram.stacks, .page = m->vm.page};
	s->fgp_lsb = m->map.fgp_lsb ? m->map.fgp_lsb : (uint32_t)(__builtin_ctz(s->page) - __builtin_ctz(s->n_stacks));
	s->home_of_sm = arena_array(a, s->n_sms, sizeof *s->home_of_sm);
	s->home_of_stack = arena_array(a, s->n_stacks, sizeof *s->home_of_stack);
	s->sms = arena_array(a, s->n_homes, sizeof *s->sms);
	for (uint32_t i = 0; i < m->module.count; i++) {
		s->sms[i] = machine_list_at(&m->sm.of_module, i);
		for (uint32_t k = 0; k < s->sms[i]; k++)
			s->home_of_sm[sm++] = (uint16_t)i;
		for (uint32_t k = 0; k < machine_list_at(&m->dram.of_module, i); k++)
			s->home_of_stack[stack++] = (uint16_t)i;
	}
}

uint32_t plan_site_stack(const struct plan_site *s, uint32_t home, uint32_t n)
{
	uint32_t have = 0;

	for (uint32_t k = 0; k < s->n_stacks; k++)
		have += s->home_of_stack[k] == home;
	for (uint32_t k = 0, at = 0; k < s->n_stacks && have; k++)
		if (s->home_of_stack[k] == home && at++ == n % have)
			return k;
	return s->n_stacks;
}

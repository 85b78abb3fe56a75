#include "plan/topology_view.h"

void topology_view_of(struct topology_view *s, const struct machine *m, struct arena *a)
{
	uint32_t sm = 0, stack = 0;

	*s = (struct topology_view){
		.n_sms = m->sm.count, .n_modules = m->module.count, .n_stacks = m->dram.stacks, .page = m->vm.page};
	s->fgp_lsb = m->map.fgp_lsb ? m->map.fgp_lsb : (uint32_t)(__builtin_ctz(s->page) - __builtin_ctz(s->n_stacks));
	s->module_of_sm = arena_array(a, s->n_sms, sizeof *s->module_of_sm);
	s->module_of_stack = arena_array(a, s->n_stacks, sizeof *s->module_of_stack);
	s->sms = arena_array(a, s->n_modules, sizeof *s->sms);
	for (uint32_t i = 0; i < m->module.count; i++) {
		s->sms[i] = machine_list_at(&m->sm.of_module, i);
		for (uint32_t k = 0; k < s->sms[i]; k++)
			s->module_of_sm[sm++] = (uint16_t)i;
		for (uint32_t k = 0; k < machine_list_at(&m->dram.of_module, i); k++)
			s->module_of_stack[stack++] = (uint16_t)i;
	}
}

uint32_t topology_view_stack(const struct topology_view *s, uint32_t module, uint32_t n)
{
	uint32_t have = 0;

	for (uint32_t k = 0; k < s->n_stacks; k++)
		have += s->module_of_stack[k] == module;
	for (uint32_t k = 0, at = 0; k < s->n_stacks && have; k++)
		if (s->module_of_stack[k] == module && at++ == n % have)
			return k;
	return s->n_stacks;
}

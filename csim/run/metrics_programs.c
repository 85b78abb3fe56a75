/* Figures of each of several programs that share a machine. */
#include "run/gpu_impl.h"

#include <stdio.h>

static void add_row(struct stats *to, const char *program, const char *name, uint64_t value, const char *unit, const char *meaning)
{
	char key[256];

	snprintf(key, sizeof key, "program.%s.%s", program, name);
	stats_count(to, 0, key, value, unit, meaning);
}

void gpu_report_programs(const struct gpu *g, struct stats *to)
{
	const struct plan *p = g->config->plan;
	char key[256];

	for (uint32_t i = 0; p && p->n_programs > 1 && i < p->n_programs; i++) {
		const struct dispatch_program *d = &g->dispatch.program[i];
		uint64_t insts = 0, ctas = 0, cycles = d->end.n ? cycles_in(d->end, g->m->clock.period[CLOCK_CORE]) + 1 : 0;

		for (uint32_t s = 0; s < g->m->sm.count; s++) {
			insts += p->program_of_sm[s] == i ? g->sm[s].stats.warp_insts : 0;
			ctas += p->program_of_sm[s] == i ? g->sm[s].stats.ctas_retired : 0;
		}
		add_row(to, p->program[i].name, "cycles", cycles, "core cycles", "core cycles until the program's last CTA ended");
		add_row(to, p->program[i].name, "warp_insts", insts, "", "warp instructions issued by the program's SMs");
		add_row(to, p->program[i].name, "ctas", ctas, "", "CTAs of the program that ended");
		snprintf(key, sizeof key, "program.%s.ipc", p->program[i].name);
		stats_real(to, 0, key, cycles ? (double)insts / (double)cycles : 0, "per cycle",
			   "warp instructions per core cycle of the program's SMs");
	}
}

#include "session/eager.h"

#include "run/gpu.h"

int eager_time(const struct machine *m, struct trace *t, double *end_ns, struct err *e)
{
	struct gpu_config c = {.machine = m, .trace = t};
	struct gpu_result r;
	double cycles = 0;

	if (gpu_run(&c, &r, e) != 0)
		return -1;
	for (uint32_t i = 0; i < r.n_launches; i++) {
		cycles += (double)stats_find(&r.launch[i].stats, "cycles")->count;
		end_ns[r.launch[i].index] = cycles * 1e3 / m->clock.mhz[CLOCK_CORE];
	}
	gpu_result_free(&r);
	return 0;
}

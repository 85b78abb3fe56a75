#include <math.h>

#include "study/gpus/gpus_study.h"

/* The Tesla V100 PCIe of 16 GB of RRZE's gpu-benches (https://github.com/RRZE-HPC/gpu-benches, commit 1038c5d). Its
 * HBM2 runs at 877 MHz: 898 GB/s. */
const struct gpus_gpu gpus_v100 = {"V100", "qv100",
				   "--set clock.core=1380 --set clock.net=1380 --set clock.l2=1380 --set clock.dram=877", 1380, 80};

/* As there: an A100 SXM4 with 80 GB, and the GPU of a GH200 with 96. */
const struct gpus_gpu gpus_a100 = {"A100", "a100", "", 1410, 108};
const struct gpus_gpu gpus_gh200 = {"GH200", "gh200", "", 1980, 132};

static double cycles(struct study_context *c, const struct gpus_gpu *g, const char *run, const char *key, uint64_t n)
{
	return study_value(c, "cycles",
			   study_args(c, "run %s --machine %s %s --arg %s=%lu", run, g->machine, g->clocks, key, (unsigned long)n));
}

double gpus_cycles_each(struct study_context *c, const struct gpus_gpu *g, const char *run, const char *key, uint64_t most)
{
	uint64_t half = most / 2;

	return (cycles(c, g, run, key, most) - cycles(c, g, run, key, half)) / (double)(most - half);
}

void gpus_table(struct study_context *c, struct sweep_table *t, const struct gpus_gpu *g, const char *id, const char *title,
		const char *first, const char *unit)
{
	const char *columns[] = {g->machine, g->name, study_args(c, "%s / %s", g->machine, g->name), NULL};

	sweep_table_init(t, &c->arena, id, title, first, unit, columns);
	t->digits = 4;
	t->left_out = 1 << 2;
}

void gpus_row(struct sweep_table *t, const char *name, double measured, double published)
{
	double *v = sweep_table_row(t, SWEEP_MEASURED, name);

	v[0] = measured;
	v[1] = published;
	v[2] = measured / published;
}

static const struct study_figure figures[] = {
	{"latency", gpus_latency},
	{"latency-a100", gpus_latency_a100},
	{"latency-gh200", gpus_latency_gh200},
	{"caches", gpus_caches},
	{"stream", gpus_stream},
	{"stream-gh200", gpus_stream_gh200},
	{"doubles", gpus_doubles},
	{"classes", gpus_classes},
	{"conflicts", gpus_conflicts},
	{"unmeasured-latency", gpus_unmeasured_latency},
	{"unmeasured-bandwidth", gpus_unmeasured_bandwidth},
	{0},
};

const struct study study_gpus = {"gpus", "machines of Volta and later compared with measurements of these GPUs", figures};

/* Machines of which nobody published curves: what their parameters come to. */
#include "study/gpus/gpus_study.h"

enum { LINES_A_KIB = 8, L1_KIB = 32, L2_KIB = 1024, DRAM_KIB = 16384 };

static const struct gpus_gpu known[] = {
	{"RTX 2060", "rtx2060", "", 1365, 30},
	{"RTX 3070", "rtx3070", "", 1132, 46},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static double l1_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return gpus_load_cycles(c, g, L1_KIB * LINES_A_KIB);
}

static double l2_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return gpus_load_cycles(c, g, L2_KIB * LINES_A_KIB);
}

static double dram_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return gpus_load_cycles(c, g, DRAM_KIB * LINES_A_KIB);
}

static double l1_bytes(struct study_context *c, const struct gpus_gpu *g)
{
	return gpus_read_bytes(c, g, L1_KIB, 128);
}

static double l2_bytes(struct study_context *c, const struct gpus_gpu *g)
{
	return gpus_read_bytes(c, g, L2_KIB, 4);
}

/* Of an array of doubles, of which each SM reads its part. */
static double dram_bytes(struct study_context *c, const struct gpus_gpu *g)
{
	return 8 / gpus_cycles_each(c, g, "stream --arg kernel=read --arg block=512", "n", 8 << 20) / g->sms;
}

struct level {
	const char *name;
	double (*of)(struct study_context *c, const struct gpus_gpu *g);
};

static void add_table(struct study_context *c, struct sweep_table *t, const char *id, const char *title, const char *unit,
		      const struct level level[3])
{
	const char *columns[KNOWN + 1] = {NULL};

	for (unsigned g = 0; g < KNOWN; g++)
		columns[g] = known[g].machine;
	sweep_table_init(t, &c->arena, id, title, "from", unit, columns);
	t->digits = 4;
	for (unsigned r = 0; r < 3; r++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, level[r].name);

		for (unsigned g = 0; g < KNOWN; g++)
			v[g] = level[r].of(c, &known[g]);
	}
}

void gpus_unmeasured_latency(struct study_context *c, struct sweep_table *t)
{
	static const struct level level[] = {{"L1", l1_latency}, {"L2", l2_latency}, {"DRAM", dram_latency}};

	add_table(c, t, "unmeasured-latency", "Cycles of a dependent load, of machines of which parameters alone are known",
		  "cycles", level);
}

void gpus_unmeasured_bandwidth(struct study_context *c, struct sweep_table *t)
{
	static const struct level level[] = {{"L1", l1_bytes}, {"L2", l2_bytes}, {"DRAM", dram_bytes}};

	add_table(c, t, "unmeasured-bandwidth", "Bytes a cycle that each of their SMs reads, all at once", "bytes a cycle", level);
}

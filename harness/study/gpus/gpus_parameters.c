/* Machines of which nobody published curves: what their parameters come to. */
#include "study/gpus/gpus_study.h"

enum { LINE = 128, KIB = 1024, L1_KIB = 32, L2_KIB = 1024, DRAM_KIB = 16384 };

static const struct gpus_gpu known[] = {
	{"RTX 2060", "rtx2060", "", 1365, 30},
	{"RTX 3070", "rtx3070", "", 1132, 46},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* Of a ring of so many KiB, in a round behind the one that fills the caches. */
static double latency(struct study_context *c, const struct gpus_gpu *g, unsigned kib)
{
	uint32_t lines = kib * KIB / LINE, loads = lines < 4096 ? 4096 : lines;

	return gpus_cycles_each(c, g, study_args(c, "chase --arg order=random --arg footprint=%uK", kib), "steps",
				UINT64_C(2) * loads);
}

/* A CTA of 1,024 threads on each SM, all of which read the same words. */
static double bytes_a_cycle(struct study_context *c, const struct gpus_gpu *g, unsigned kib, unsigned rounds)
{
	return kib * (double)KIB /
	       gpus_cycles_each(c, g, study_args(c, "bandwidth --arg ctas=%u --arg footprint=%uK", g->sms, kib), "rounds", rounds);
}

static double l1_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return latency(c, g, L1_KIB);
}

static double l2_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return latency(c, g, L2_KIB);
}

static double dram_latency(struct study_context *c, const struct gpus_gpu *g)
{
	return latency(c, g, DRAM_KIB);
}

static double l1_bytes(struct study_context *c, const struct gpus_gpu *g)
{
	return bytes_a_cycle(c, g, L1_KIB, 128);
}

static double l2_bytes(struct study_context *c, const struct gpus_gpu *g)
{
	return bytes_a_cycle(c, g, L2_KIB, 4);
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

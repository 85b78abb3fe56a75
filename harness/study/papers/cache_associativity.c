/* dwt-pric, Figure 12: PRIC beside higher associativity, with hits of one cycle ("we assume idealistic 1-cycle hit
 * latency", section 5). docs/reference/hardware/pric.md says where and why the measured differ from the published.
 */
#include "study/papers/cache_study.h"

static double speed(struct study_context *c, const struct cache_program *p, const char *machine, const char *index, unsigned ways)
{
	return cache_value(c, "ipc.thread", p, machine,
			   study_args(c, "--l1-index %s --set l1.assoc=%u --set l1.latency=1", index, ways));
}

static bool has_conflicts(const struct cache_program *p)
{
	return p->group == CACHE_CONFLICT || p->group == CACHE_THRASHING_CONFLICT;
}

static void figure_12(struct study_context *c, struct sweep_table *t, const char *file, const char *machine)
{
	static const char *const columns[] = {"PRIC, 4 ways", "16 ways", "32 ways", "64 ways", "full (128)", "PRIC / full", NULL};
	static const unsigned ways[] = {16, 32, 64, 128};
	static const double published[] = {1.6, 1.4, 1.16, 0.97};
	const double *mean;

	sweep_table_init(t, &c->arena, file, study_args(c, "%s: speed-up over the linear 4-way L1 (dwt-pric, Figure 12)", machine),
			 "program", "speed-up", columns);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double linear, *v;

		if (!has_conflicts(p))
			continue;
		linear = speed(c, p, machine, "linear", 4);
		v = cache_row(t, p);
		v[0] = speed(c, p, machine, "pric", 4) / linear;
		for (unsigned w = 0; w < 4; w++)
			v[1 + w] = speed(c, p, machine, "linear", ways[w]) / linear;
		v[5] = v[0] / v[4];
	}
	t->group = NULL;
	mean = sweep_table_mean(t, SWEEP_HARMONIC, "harmonic mean", NULL);
	sweep_table_row(t, SWEEP_MEAN, "PRIC over it, measured");
	sweep_table_row(t, SWEEP_PUBLISHED, "PRIC over it, published");
	for (unsigned w = 0; w < 4; w++) {
		t->row[t->rows - 2].value[1 + w] = mean[0] / mean[1 + w];
		t->row[t->rows - 1].value[1 + w] = published[w];
	}
	t->row[t->rows - 1].value[5] = published[3];
}

void cache_figure_12(struct study_context *c, struct sweep_table *t)
{
	figure_12(c, t, "figure-12", "gtx480-sim3");
}

void cache_figure_12_gtx480(struct study_context *c, struct sweep_table *t)
{
	figure_12(c, t, "figure-12-gtx480", "gtx480");
}

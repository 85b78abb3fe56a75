/* dwt-pric, Table 3 and the curves behind it: which limit of warps suits a program best, and which DWT-CS finds. */
#include <math.h>

#include "study/papers/cache_study.h"

enum { MOST = 24, MOST_CTAS = 8 }; /* warps of a scheduler, CTAs of an SM of gtx480 */

/* The paper does not say whether its limits were found with the linear index or with PRIC: both, where it matters. */
static const struct limited {
	const char *name, *options; /* of the program: of its default size, as 24 runs of a cut one take long */
	const char *program;
	const char *kernel; /* the one with most of its misses */
	double swt, dwt_cs; /* published */
} programs[] = {
	{"SpMV", "", "SpMV", "spmv_scalar", 1, 1},
	{"KM", "", "KM", "kmeans_nearest_by_point", 1, 1},
	{"BFS", "", "BFS", "bfs_expand_reading", 5, 7},
	{"IIX", "", "IIX", "invindex_count", 2, 2},
	{"SYRK", "", "SYRK", "syrk", 2, 2},
	{"GESUMMV", "", "GESUMMV", "gesummv", 1, 1},
	{"SYRK, PRIC", " " CACHE_HASHED, "SYRK", "syrk", 2, 2},
	{"GESUMMV, PRIC", " " CACHE_HASHED, "GESUMMV", "gesummv", 1, 1},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static const char *run_of(struct study_context *c, const struct limited *p, const char *throttle)
{
	return study_args(c, "run %s --size %s%s%s", p->program, c->size, p->options, throttle);
}

/* policy: "swt" limits the warps of a scheduler, "cta" the CTAs of an SM. */
static double with_limit(struct study_context *c, const struct limited *p, const char *policy, unsigned limit)
{
	return study_value(c, "ipc.thread", run_of(c, p, study_args(c, " --throttle %s:%u", policy, limit))) /
	       study_value(c, "ipc.thread", run_of(c, p, ""));
}

void cache_limits(struct study_context *c, struct sweep_table *t)
{
	const char *columns[PROGRAMS + 1] = {NULL};

	for (unsigned p = 0; p < PROGRAMS; p++)
		columns[p] = programs[p].name;
	sweep_table_init(t, &c->arena, "limits", "Speed-up by a static limit of warps a scheduler", "limit", "speed-up", columns);
	t->curve = true;
	for (unsigned n = 1; n <= MOST; n++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, study_args(c, "%u", n));

		for (unsigned p = 0; p < PROGRAMS; p++)
			v[p] = with_limit(c, &programs[p], "swt", n);
	}
}

/* Of equal ones the highest, which restrains least. */
static unsigned best_limit(struct study_context *c, const struct limited *p, const char *policy, unsigned most)
{
	unsigned best = 1;

	for (unsigned n = 1; n <= most; n++)
		best = with_limit(c, p, policy, n) >= with_limit(c, p, policy, best) ? n : best;
	return best;
}

/* None if the kernel has not been sampled, or its end came first. */
static double sampled_limit(struct study_context *c, const struct limited *p)
{
	double winner = study_value(c, study_args(c, "throttle.kernel.%s.winner", p->kernel), run_of(c, p, " " CACHE_THROTTLED));

	return winner > 0 ? winner : NAN;
}

void cache_table_3(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"best", "published SWT", "its speed-up", "DWT-CS", "published DWT-CS", "its speed-up",
					      NULL};

	sweep_table_init(t, &c->arena, "table-3",
			 "Warps a scheduler: the best static limit, and what DWT-CS finds for the kernel with most misses "
			 "(dwt-pric, Table 3)",
			 "program", "warps, speed-up", columns);
	t->digits = 3;
	for (const struct limited *p = programs; p < programs + PROGRAMS; p++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, p->name);

		v[0] = best_limit(c, p, "swt", MOST);
		v[1] = p->swt;
		v[2] = with_limit(c, p, "swt", best_limit(c, p, "swt", MOST));
		v[3] = sampled_limit(c, p);
		v[4] = p->dwt_cs;
		v[5] = study_value(c, "ipc.thread", run_of(c, p, " " CACHE_THROTTLED)) /
		       study_value(c, "ipc.thread", run_of(c, p, ""));
	}
}

/* "Based on an experiment (not shown here), static warp throttling outperforms static CTA throttling by 2X on average."
 */
void cache_cta_limits(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"warps", "its speed-up", "CTAs", "its speed-up", "warps over CTAs", NULL};

	sweep_table_init(t, &c->arena, "cta-limits",
			 "The best static limit of warps a scheduler and of CTAs an SM (dwt-pric, section 6)", "program",
			 "limit, speed-up", columns);
	t->digits = 3;
	for (const struct limited *p = programs; p < programs + PROGRAMS; p++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, p->name);

		v[0] = best_limit(c, p, "swt", MOST);
		v[1] = with_limit(c, p, "swt", (unsigned)v[0]);
		v[2] = best_limit(c, p, "cta", MOST_CTAS);
		v[3] = with_limit(c, p, "cta", (unsigned)v[2]);
		v[4] = v[1] / v[3];
	}
	t->left_out = 1 << 0 | 1 << 2;
	sweep_table_mean(t, SWEEP_HARMONIC, "all", NULL);
	t->row[t->rows - 1].value[0] = t->row[t->rows - 1].value[2] = NAN; /* limits have no mean */
	sweep_table_row(t, SWEEP_PUBLISHED, "published, all")[4] = 2;
}

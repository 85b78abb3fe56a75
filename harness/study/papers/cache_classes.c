/* dwt-pric, Figure 3: between whom the lines of L1s and L2 are shared, and how much of it the caches get to use. */
#include "study/papers/cache_study.h"

/* The paper joins intra-thread and inter-thread to intra-warp, and prints the figure as a picture alone. */
static const char *const classes[] = {"intra_thread", "inter_thread", "intra_cta", "intra_sm", "inter_sm", "inter_kernel"};
enum { N_CLASSES = sizeof classes / sizeof classes[0] };

static double share(struct study_context *c, const struct cache_program *p, const char *cache, const char *metric)
{
	return 100 * cache_value(c, metric, p, "gtx480", CACHE_CLASSES) /
	       cache_value(c, study_args(c, "%s.class.accesses", cache), p, "gtx480", CACHE_CLASSES);
}

/* without: columns of classes as if the cache had no bounds; then the same of the cache as it is. */
static void shares(struct study_context *c, struct sweep_table *t, const char *cache, const char *id, const char *title)
{
	static const char *const columns[] = {"intra-thread",
					      "inter-thread",
					      "intra-CTA",
					      "intra-SM",
					      "inter-SM",
					      "inter-kernel",
					      "i-t, bounded",
					      "it-t, bounded",
					      "i-C, bounded",
					      "i-SM, bounded",
					      "it-SM, bounded",
					      "it-k, bounded",
					      NULL};

	sweep_table_init(t, &c->arena, id, title, "program", "percent", columns);
	t->stack = N_CLASSES;
	t->decimals = 1;
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p);

		for (unsigned k = 0; k < N_CLASSES; k++) {
			if (cache[1] == '1' && k == 4) /* an L1 has one SM */
				continue;
			v[k] = share(c, p, cache, study_args(c, "%s.class.unbounded.%s", cache, classes[k]));
			v[N_CLASSES + k] = share(c, p, cache, study_args(c, "%s.class.%s", cache, classes[k]));
		}
	}
	cache_means(t, SWEEP_ARITHMETIC);
}

void cache_figure_3_l1(struct study_context *c, struct sweep_table *t)
{
	shares(c, t, "l1", "figure-3a",
	       "Accesses of the L1s by who accessed the line last, in percent: without bounds, and hits of the caches as they are "
	       "(dwt-pric, Figure 3(a))");
}

void cache_figure_3_l2(struct study_context *c, struct sweep_table *t)
{
	shares(c, t, "l2", "figure-3b", "The same of the L2 (dwt-pric, Figure 3(b))");
}

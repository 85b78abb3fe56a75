/* ldesc, Figures 3 and 4: 48 ways of scheduling CTAs, which the paper does not list: boxes of {1, 2, 4, 8} x
 * {1, 2, 4, 8} x {1, 2, 4} CTAs. */

#include <math.h>

#include "study/papers/ldesc_study.h"

/* The text says that scheduling-sensitive applications are on the left, and not what they are: those whose working set
 * some clustering makes smaller by more than a tenth. */
#define SENSITIVE 90 /* percent of the baseline's */

/* What the clusterings of an application lead to. */
struct clusterings {
	unsigned distinct; /* boxes that reach beyond the grid are the same as smaller ones */
	double smallest;   /* working set, percent of the baseline's */
	double fastest;	   /* speed-up */
	const char *plan;  /* with the smallest working set, the first of equal ones; NULL: it is not known yet */
};

/* Whether a box is the smallest of those that are the same: it does not reach beyond the grid, or no smaller one does
 * not reach as far. */
static bool is_first(const unsigned box[3], const double grid[3])
{
	for (unsigned d = 0; d < 3; d++)
		if (box[d] > 1 && box[d] >= 2 * grid[d])
			return false;
	return true;
}

static void try_box(struct study_context *c, const struct ldesc_app *a, const unsigned box[3], struct clusterings *all)
{
	const char *plan = study_args(c, "clusters,x=%u,y=%u,z=%u", box[0], box[1], box[2]);
	double set = 100 * ldesc_single(c, "working_set", a, plan) / ldesc_single(c, "working_set", a, "lrr");
	double speed = ldesc_single(c, "cycles", a, "lrr") / ldesc_single(c, "cycles", a, plan);

	all->distinct++;
	all->fastest = fmax(all->fastest, speed);
	if (set < all->smallest || (!all->plan && !isnan(set))) {
		all->smallest = set;
		all->plan = plan;
	}
}

static struct clusterings clusterings_of(struct study_context *c, const struct ldesc_app *a)
{
	static const char *const extents[] = {"grid.x", "grid.y", "grid.z"};
	const char *args = study_args(c, "plan %s --size %s --machine " LDESC_SINGLE " --plan clusters", a->workload, c->size);
	struct clusterings all = {.smallest = NAN, .fastest = NAN};
	unsigned box[3];
	double grid[3];

	for (unsigned d = 0; d < 3; d++)
		grid[d] = study_value(c, extents[d], args);
	if (isnan(grid[0]))
		return all;
	for (box[2] = 1; box[2] <= 4; box[2] *= 2)
		for (box[1] = 1; box[1] <= 8; box[1] *= 2)
			for (box[0] = 1; box[0] <= 8; box[0] *= 2)
				if (is_first(box, grid))
					try_box(c, a, box, &all);
	return all;
}

static bool is_sensitive(struct study_context *c, const struct ldesc_app *a)
{
	return clusterings_of(c, a).smallest < SENSITIVE;
}

void ldesc_figure_3(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"distinct of 48", "smallest working set, %", "fastest, speed-up", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-3",
			 "Figure 3: 48 clusterings of CTAs; working set (percent) and speed-up over round robin", "application", "",
			 columns);
	t->left_out = 1 << 0 | 1 << 2;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		struct clusterings all = clusterings_of(c, a);

		v = ldesc_row(t, a);
		v[0] = all.distinct;
		v[1] = all.smallest;
		v[2] = all.fastest;
	}
	t->digits = 3;
	ldesc_mean(c, t, SWEEP_ARITHMETIC, is_sensitive, "scheduling-sensitive (below 90 %)");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	sweep_table_row(t, SWEEP_PUBLISHED, "scheduling-sensitive, published")[1] = 45.5;
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[2] = 1.033;
}

void ldesc_figure_4(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"L1 hits %, round robin",
					      "smallest working set",
					      "more",
					      "in flight %, round robin",
					      "smallest working set",
					      "more",
					      NULL};
	double *v;

	sweep_table_init(
		t, &c->arena, "figure-4",
		"Figure 4: L1 hits and hits in flight, percent of loads, under the clustering with the smallest working set",
		"application", "percent of loads", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		struct clusterings all = clusterings_of(c, a);

		if (!(all.smallest < SENSITIVE))
			continue;
		v = ldesc_row(t, a);
		v[0] = ldesc_hit_rate(c, a, "lrr");
		v[1] = ldesc_hit_rate(c, a, all.plan);
		v[2] = v[1] - v[0];
		v[3] = ldesc_inflight_rate(c, a, "lrr");
		v[4] = ldesc_inflight_rate(c, a, all.plan);
		v[5] = v[4] - v[3];
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "scheduling-sensitive (below 90 %)");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "scheduling-sensitive, published");
	v[2] = 3;
	v[5] = 20;
}

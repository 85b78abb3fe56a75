/* ldesc, section 6.1: locality in caches, on the single-chip system. */

#include "study/papers/ldesc_study.h"

enum { BCS, SCHED, PREF, CACHE, LDESC, N_PLANS };
static const char *const plans[N_PLANS] = {"bcs", "ldesc-sched", "ldesc-pref", "ldesc-cache", "ldesc"};
#define PLAN_NAMES "BCS", "LDesc-Sched", "LDesc-Pref", "LDesc-Cache", "LDesc"

static double speed_up(struct study_context *c, const struct ldesc_app *a, const char *plan)
{
	return ldesc_single(c, "cycles", a, "lrr") / ldesc_single(c, "cycles", a, plan);
}

/* ---- what Figure 11 chose ---- */

static const char *const chosen[] = {"locality.stride", "locality.next_line", "locality.soft_pin", "locality.hard_pin",
				     "locality.bypass"};
enum { N_CHOSEN = sizeof chosen / sizeof chosen[0] };

void ldesc_choice(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"clusters",    "stride",	   "next line",	  "soft pin", "hard pin", "bypass",
					      "LDesc-Sched", "LDesc-Pref", "LDesc-Cache", "LDesc",    NULL};

	sweep_table_init(
		t, &c->arena, "choice",
		"What Figure 11 chose: percent of CTAs that go in clusters; of the L1's look-ups, by what is done with their "
		"data structure; then what each part gives alone, and all: speed-up over round robin",
		"application", "", columns);
	t->digits = 3;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		const char *args = study_args(c, "plan %s --size %s --machine " LDESC_SINGLE " --plan ldesc", a->workload, c->size);
		double *v = ldesc_row(t, a), lookups = ldesc_single(c, "locality.lookups", a, "ldesc");

		v[0] = 100 * study_value(c, "ctas.listed", args);
		for (unsigned k = 0; k < N_CHOSEN; k++)
			v[1 + k] = 100 * ldesc_single(c, chosen[k], a, "ldesc") / lookups;
		for (unsigned p = SCHED; p <= LDESC; p++)
			v[1 + N_CHOSEN + p - SCHED] = speed_up(c, a, plans[p]);
	}
}

/* ---- Figures 14 to 16 ---- */

void ldesc_figure_14(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {PLAN_NAMES, NULL};

	sweep_table_init(t, &c->arena, "figure-14", "Figure 14: speed-up over round robin, single chip", "application", "speed-up",
			 columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		for (unsigned p = 0; p < N_PLANS; p++)
			v[p] = speed_up(c, a, plans[p]);
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_cache_sensitive, "cache-sensitive");
	ldesc_most(c, t, ldesc_is_cache_sensitive, "cache-sensitive, at most");
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_inter_thread, "SK, DT, HS, D2D, C2D");
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
	sweep_table_row(t, SWEEP_PUBLISHED, "cache-sensitive, published")[LDESC] = 1.266;
	sweep_table_row(t, SWEEP_PUBLISHED, "at most, published")[LDESC] = 1.466;
	sweep_table_row(t, SWEEP_PUBLISHED, "SK, DT, HS, D2D, C2D, published")[SCHED] = 1.021;
}

/* The baseline, then all plans. */
static void rates(struct study_context *c, const struct ldesc_app *a,
		  double (*rate)(struct study_context *, const struct ldesc_app *, const char *), double *v)
{
	v[0] = rate(c, a, "lrr");
	for (unsigned p = 0; p < N_PLANS; p++)
		v[1 + p] = rate(c, a, plans[p]);
}

void ldesc_figure_15(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"round robin", PLAN_NAMES, "LDesc: points more", "LDesc: % more", NULL};

	sweep_table_init(t, &c->arena, "figure-15", "Figure 15: L1 hits, percent of loads, single chip", "application",
			 "percent of loads", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		rates(c, a, ldesc_hit_rate, v);
		v[2 + N_PLANS - 1] = v[1 + LDESC] - v[0];
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_cache_sensitive, "cache-sensitive");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	for (unsigned r = 0; r < t->rows; r++) /* of means: by how much the mean rises */
		t->row[r].value[2 + N_PLANS] = 100 * (t->row[r].value[1 + LDESC] / t->row[r].value[0] - 1);
	sweep_table_row(t, SWEEP_PUBLISHED, "published; points or percent is not said")[2 + N_PLANS] = 41.1;
	sweep_table_row(t, SWEEP_PUBLISHED, "published, at most")[2 + N_PLANS] = 57.7;
}

void ldesc_figure_16(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"round robin", PLAN_NAMES, "LDesc-Sched: points more", NULL};

	sweep_table_init(t, &c->arena, "figure-16", "Figure 16: L1 hits in flight, percent of loads, single chip", "application",
			 "percent of loads", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		rates(c, a, ldesc_inflight_rate, v);
		v[1 + N_PLANS] = v[1 + SCHED] - v[0];
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_coaccessed, "SK, DT, HS");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	sweep_table_row(t, SWEEP_PUBLISHED, "SK, DT, HS, published")[1 + N_PLANS] = 17;
}

/* ---- what the text has numbers of ---- */

void ldesc_working_set(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"round robin, lines", "BCS %", "LDesc-Sched %", "LDesc %", NULL};

	sweep_table_init(t, &c->arena, "working-set",
			 "Section 6.1: working set of an SM, in lines of 128 bytes, and in percent of that under round robin",
			 "application", "", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		v[0] = ldesc_single(c, "working_set", a, "lrr");
		v[1] = 100 * ldesc_single(c, "working_set", a, "bcs") / v[0];
		v[2] = 100 * ldesc_single(c, "working_set", a, "ldesc-sched") / v[0];
		v[3] = 100 * ldesc_single(c, "working_set", a, "ldesc") / v[0];
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_inter_thread, "SK, DT, HS, D2D, C2D");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	sweep_table_row(t, SWEEP_PUBLISHED, "SK, DT, HS, D2D, C2D, published")[2] = 100 - 67.8;
}

void ldesc_energy_single(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {PLAN_NAMES, NULL};
	double *v;

	sweep_table_init(t, &c->arena, "energy", "Section 6.1: energy, percent of that under round robin, single chip",
			 "application", "percent", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		for (unsigned p = 0; p < N_PLANS; p++)
			v[p] = 100 * ldesc_single(c, "energy.total", a, plans[p]) / ldesc_single(c, "energy.total", a, "lrr");
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_cache_sensitive, "cache-sensitive");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "published");
	v[PREF] = 105.7;
	v[LDESC] = 96;
}

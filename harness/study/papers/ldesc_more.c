/* ldesc: who qualifies for its figures, and what it has no figure of: other sources of descriptors, the planner's
 * time, PRIC under it, another machine. */

#include "study/papers/ldesc_study.h"

/* Ways in place of sets. */
#define LARGE_L1_WAYS " --set l1.bytes=128K --set l1.assoc=16"

void ldesc_selection(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"4 x L1 (sets)",	    "4 x L1 (ways)",	    "cache-sensitive",	   "2 x DRAM clock",
					      "2 x DRAM interface", "NUMA: 2 x DRAM clock", "bandwidth-sensitive", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "selection",
			 "Section 5: what a larger L1 and more bandwidth give, percent; above 10 and above 40 an application "
			 "qualifies (1)",
			 "application", "percent faster", columns);
	t->digits = 3;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		v[0] = ldesc_l1_gain(c, a);
		v[1] = ldesc_gain(c, a, LARGE_L1_WAYS);
		v[2] = ldesc_is_cache_sensitive(c, a);
		v[3] = ldesc_clock_gain(c, a);
		v[4] = ldesc_interface_gain(c, a);
		v[5] = ldesc_bandwidth_gain(c, a);
		v[6] = ldesc_is_bandwidth_sensitive(c, a);
	}
	v = sweep_table_row(t, SWEEP_PUBLISHED, "published, above");
	v[0] = 10;
	v[5] = 40;
}

/* ---- sources ---- */

void ldesc_sources(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"single chip, annotated", "from the PTX",	"from the trace", "NUMA, annotated", "from the PTX",
		"from the trace",	  "local %, annotated", "from the PTX",	  "from the trace",  NULL};
	static const char *const plans[] = {"ldesc", "ldesc:source=static", "ldesc:source=profile"};
	enum { N = sizeof plans / sizeof plans[0] };

	sweep_table_init(
		t, &c->arena, "sources",
		"Section 4.1: descriptors of the programmer, from the PTX and from the trace: speed-up over the baselines, "
		"and requests that stay in their zone",
		"application", "", columns);
	t->left_out = 7 << 6;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		for (unsigned s = 0; s < N; s++) {
			v[s] = ldesc_single(c, "cycles", a, "lrr") / ldesc_single(c, "cycles", a, plans[s]);
			v[N + s] = ldesc_numa(c, "cycles", a, LDESC_NUMA_BASE) / ldesc_numa(c, "cycles", a, plans[s]);
			v[2 * N + s] = 100 * (1 - ldesc_numa(c, "memory.remote_share", a, plans[s]));
		}
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
}

/* ---- the planner's time ---- */

static double planning(struct study_context *c, const struct ldesc_app *a, const char *what, const char *machine, const char *plan)
{
	return 1e3 *
	       study_value(c, what, study_args(c, "plan %s --size %s --machine %s --plan %s", a->workload, c->size, machine, plan));
}

void ldesc_planner_time(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"annotated, single chip", "NUMA",	       "from the PTX, NUMA", "of it the analysis",
					      "host program",		"its kernels", "% of the kernels",   NULL};

	sweep_table_init(
		t, &c->arena, "planner-time",
		"Section 4.6: time of planning on this computer, of the host program on it, and of the kernels on the NUMA "
		"system, ms",
		"application", "ms", columns);
	t->left_out = 1 << 6;
	t->digits = 3;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		v[0] = planning(c, a, "plan_seconds", LDESC_SINGLE, "ldesc");
		v[1] = planning(c, a, "plan_seconds", LDESC_NUMA, "ldesc");
		v[3] = planning(c, a, "analysis_seconds", LDESC_NUMA, "ldesc:source=static");
		v[2] = v[3] + planning(c, a, "plan_seconds", LDESC_NUMA, "ldesc:source=static");
		v[4] = planning(c, a, "host_seconds", LDESC_NUMA, "ldesc");
		v[5] = 1e-3 * ldesc_numa(c, "time", a, "ldesc");
		v[6] = 100 * v[1] / v[5];
	}
	sweep_table_row(t, SWEEP_PUBLISHED, "published: negligible"); /* no number */
}

/* ---- with other mechanisms, on another machine ---- */

void ldesc_pric(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"LDesc", "PRIC", "both", "LDesc where PRIC is", "PRIC where LDesc is", NULL};
	static const char pric[] = " --l1-index pric";

	sweep_table_init(
		t, &c->arena, "pric",
		"LDesc and PRIC (dwt-pric), single chip: speed-up over round robin with the linear index; of each where the "
		"other is",
		"application", "speed-up", columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a), none = ldesc_single(c, "cycles", a, "lrr");

		v[0] = none / ldesc_single(c, "cycles", a, "ldesc");
		v[1] = none / ldesc_value(c, "cycles", a, LDESC_SINGLE, "lrr", pric);
		v[2] = none / ldesc_value(c, "cycles", a, LDESC_SINGLE, "ldesc", pric);
		v[3] = v[2] / v[1];
		v[4] = v[2] / v[0];
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_cache_sensitive, "cache-sensitive");
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
}

void ldesc_titanv(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"BCS", "LDesc-Sched", "LDesc-Pref", "LDesc-Cache", "LDesc", NULL};
	static const char *const plans[] = {"bcs", "ldesc-sched", "ldesc-pref", "ldesc-cache", "ldesc"};

	sweep_table_init(t, &c->arena, "titanv", "LDesc on titanv (Volta): speed-up over round robin", "application", "speed-up",
			 columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		for (unsigned p = 0; p < sizeof plans / sizeof plans[0]; p++)
			v[p] = ldesc_value(c, "cycles", a, "titanv", "lrr", "") /
			       ldesc_value(c, "cycles", a, "titanv", plans[p], "");
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
}

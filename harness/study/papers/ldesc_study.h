/* What the figures of ldesc have in common: its applications, how they are run, and for which of them a mean holds. */
#ifndef HARNESS_STUDY_PAPERS_LDESC_STUDY_H
#define HARNESS_STUDY_PAPERS_LDESC_STUDY_H

#include "study/study.h"

/* Section 6.1 names the applications of the first two; the third ones are those of Table 2 that have no data shared by
 * CTAs, or in which it is not what matters. */
enum ldesc_kind { LDESC_COACCESSED, LDESC_NEARBY, LDESC_OTHER };
struct ldesc_app {
	const char *workload, *name; /* ours; as the paper has it: "syrk (SK)" */
	enum ldesc_kind kind;
};
extern const struct ldesc_app ldesc_apps[]; /* Table 2's, in its order; ends with a NULL workload */

#define LDESC_SINGLE "gtx480-ldesc"
#define LDESC_NUMA   "mcm4"

#define LDESC_NUMA_BASE "lrr+xor-hash" /* section 6.2's baseline */

/* A metric of `locus run` of the application, at the study's size; more: further options with a space before each. */
double ldesc_value(struct study_context *c, const char *what, const struct ldesc_app *a, const char *machine, const char *plan,
		   const char *more);
/* Of the single-chip system, with its working set. */
double ldesc_single(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan);
/* Of the NUMA system, with at least one CTA for each of its SMs. */
double ldesc_numa(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan);
double ldesc_numa_with(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan, const char *more);

/* Percent of an SM's loads that find their line in the L1, or find it on its way. All loads that come to the L1 count,
 * those that a policy sends past it too. */
double ldesc_hit_rate(struct study_context *c, const struct ldesc_app *a, const char *plan);
double ldesc_inflight_rate(struct study_context *c, const struct ldesc_app *a, const char *plan);

/* By how much the single-chip system's performance grows with further options, in percent: with an L1 of four times the
 * size; with twice the clock of DRAM, with twice that of its interface alone. */
double ldesc_gain(struct study_context *c, const struct ldesc_app *a, const char *more);
double ldesc_l1_gain(struct study_context *c, const struct ldesc_app *a);
double ldesc_clock_gain(struct study_context *c, const struct ldesc_app *a);
double ldesc_interface_gain(struct study_context *c, const struct ldesc_app *a);
/* The NUMA system's, with twice the clock of DRAM. */
double ldesc_bandwidth_gain(struct study_context *c, const struct ldesc_app *a);

/* ---- rows and means ---- */

double *ldesc_row(struct sweep_table *t, const struct ldesc_app *a);

typedef bool ldesc_class(struct study_context *c, const struct ldesc_app *a);
ldesc_class ldesc_is_cache_sensitive, ldesc_is_bandwidth_sensitive, ldesc_is_inter_thread, ldesc_is_coaccessed, ldesc_is_any;

/* A row of means over the applications of a class, named after it, and one of the largest values. */
void ldesc_mean(struct study_context *c, struct sweep_table *t, enum sweep_mean how, ldesc_class *in, const char *name);
void ldesc_most(struct study_context *c, struct sweep_table *t, ldesc_class *in, const char *name);

/* ---- the figures, by file ---- */

study_make ldesc_figure_3, ldesc_figure_4; /* ldesc_clusters.c */

/* ldesc_reuse.c: the single-chip system */
study_make ldesc_choice, ldesc_figure_14, ldesc_figure_15, ldesc_figure_16, ldesc_working_set, ldesc_energy_single;

/* ldesc_numa.c: the NUMA system */
study_make ldesc_figure_17, ldesc_figure_18, ldesc_figure_19, ldesc_links, ldesc_energy_numa;

/* ldesc_more.c: who qualifies, and what the paper has no figure of */
study_make ldesc_selection, ldesc_sources, ldesc_planner_time, ldesc_pric, ldesc_titanv;

#endif

/* The figures of ldesc, by the file that makes them. */
#ifndef HARNESS_STUDY_PAPERS_LDESC_FIGURES_H
#define HARNESS_STUDY_PAPERS_LDESC_FIGURES_H

#include "study/study.h"

typedef void study_make(struct study_context *c, struct study_table *t);

study_make ldesc_figure_3, ldesc_figure_4; /* ldesc_clusters.c */

/* ldesc_reuse.c: the single-chip system */
study_make ldesc_choice, ldesc_figure_14, ldesc_figure_15, ldesc_figure_16, ldesc_working_set, ldesc_energy_single;

study_make ldesc_figure_17, ldesc_figure_18, ldesc_figure_19, ldesc_energy_numa; /* ldesc_numa.c: the NUMA system */

/* ldesc_more.c: who qualifies, and what the paper has no figure of */
study_make ldesc_selection, ldesc_sources, ldesc_planner_time, ldesc_pric, ldesc_titanv;

#endif

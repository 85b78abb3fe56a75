/* The Locality Descriptor: Figures 3, 4, 14 to 19 and energy, on gtx480-ldesc and mcm4, the two systems of Table 1.
 * docs/studies/ldesc.md says where and why the measured differ from the published. */
#include "study/papers/ldesc_study.h"

static const struct study_figure figures[] = {
	{"selection", ldesc_selection},
	{"3", ldesc_figure_3},
	{"4", ldesc_figure_4},
	{"choice", ldesc_choice},
	{"14", ldesc_figure_14},
	{"15", ldesc_figure_15},
	{"16", ldesc_figure_16},
	{"working-set", ldesc_working_set},
	{"energy", ldesc_energy_single},
	{"17", ldesc_figure_17},
	{"18", ldesc_figure_18},
	{"19", ldesc_figure_19},
	{"links", ldesc_links},
	{"energy-numa", ldesc_energy_numa},
	{"sources", ldesc_sources},
	{"planner-time", ldesc_planner_time},
	{"pric", ldesc_pric},
	{"titanv", ldesc_titanv},
	{NULL, NULL},
};

const struct study study_ldesc = {"ldesc", "LDesc: caches and NUMA by locality descriptors (Figures 3, 4, 14 to 19)", figures};

/* The evaluation of dwt-pric: Figures 2 to 4 and 8 to 12, Table 3, what each of its mechanisms does alone, and what the
 * front end of its simulator has to do with it. docs/studies/dwt-pric.md says where and why the measured differ from
 * the published. */
#include "study/papers/cache_study.h"

static const struct study_figure figures[] = {
	{"2", cache_figure_2},
	{"3a", cache_figure_3_l1},
	{"3b", cache_figure_3_l2},
	{"4", cache_figure_4},
	{"limits", cache_limits},
	{"table-3", cache_table_3},
	{"cta-limits", cache_cta_limits},
	{"8", cache_figure_8},
	{"9", cache_figure_9},
	{"9-gtx480", cache_figure_9_gtx480},
	{"10", cache_figure_10},
	{"11", cache_figure_11},
	{"12", cache_figure_12},
	{"12-gtx480", cache_figure_12_gtx480},
	{"mechanisms", cache_each_alone},
	{"mechanisms-titanv", cache_each_alone_titanv},
	{"front-ends", cache_front_ends},
	{NULL, NULL},
};

const struct study study_cache = {"cache", "dwt-pric: caches, streaming bypass, DWT-CS and PRIC (Figures 2 to 12, Table 3)",
				  figures};

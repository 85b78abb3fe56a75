/* What the figures of the study `cache` share (dwt-pric): its 22 applications, and runs of them with its mechanisms and
 * those that it compares with. Cut runs do not end, so everything is compared by rates.
 */
#ifndef HARNESS_STUDY_PAPERS_CACHE_STUDY_H
#define HARNESS_STUDY_PAPERS_CACHE_STUDY_H

#include "study/study.h"

enum cache_group { CACHE_STREAMING, CACHE_CONFLICT, CACHE_THRASHING, CACHE_THRASHING_CONFLICT, CACHE_FRIENDLY, CACHE_GROUPS };

struct cache_program {
	const char *name; /* the paper's abbreviation: the row's heading */
	const char *workload;
	const char *more; /* further options at the default size, with a space before each */
	enum cache_group group;
};
enum { CACHE_PROGRAMS = 22, CACHE_GTX480_SMS = 15 };
extern const struct cache_program cache_programs[CACHE_PROGRAMS]; /* by group, in the order of the paper's Table 2 */
extern const char *const cache_groups[CACHE_GROUPS];		  /* their headings */

/* The mechanisms, as options. */
#define CACHE_BYPASSED	"--l1-bypass streaming --l2-bypass streaming"
#define CACHE_THROTTLED "--throttle dwt-cs"
#define CACHE_HASHED	"--l1-index pric"
#define CACHE_DWT_PRIC	CACHE_BYPASSED " " CACHE_THROTTLED " " CACHE_HASHED
#define CACHE_UNBOUNDED "--set l1.bytes=64M --set l1.assoc=full --set l2.bytes=64M --set l2.assoc=full"
#define CACHE_NONE	"--set l1.enabled=false --set l2.enabled=false"
#define CACHE_CCWS	"--throttle ccws"
#define CACHE_MRPB	"--l1-front mrpb --set sm.lsu_queue=0" /* its queues take that one's place */
#define CACHE_CLASSES	"--locality-classes"

/* A metric of a program's run on a machine with options ("": the machine as it is). */
double cache_value(struct study_context *c, const char *metric, const struct cache_program *p, const char *machine,
		   const char *options);

/* Instructions of threads a cycle over those without the options. */
double cache_speed_up(struct study_context *c, const struct cache_program *p, const char *machine, const char *options);

static inline bool cache_is_contended(const struct cache_program *p)
{
	return p->group != CACHE_STREAMING && p->group != CACHE_FRIENDLY;
}

/* A counter of gtx480's L1s, by SM and 1000 cycles. */
double cache_per_kilo_cycles(struct study_context *c, const char *metric, const struct cache_program *p, const char *options);

/* The program's row, in its group. */
double *cache_row(struct sweep_table *t, const struct cache_program *p);

/* A row of means for each group that has rows, one over all groups with contention, and one over all. */
void cache_means(struct sweep_table *t, enum sweep_mean how);

/* The figures, by file. */
void cache_figure_2(struct study_context *c, struct sweep_table *t); /* cache_sensitivity.c */
void cache_figure_4(struct study_context *c, struct sweep_table *t);
void cache_figure_3_l1(struct study_context *c, struct sweep_table *t); /* cache_classes.c */
void cache_figure_3_l2(struct study_context *c, struct sweep_table *t);
void cache_limits(struct study_context *c, struct sweep_table *t); /* cache_limits.c */
void cache_table_3(struct study_context *c, struct sweep_table *t);
void cache_cta_limits(struct study_context *c, struct sweep_table *t);
void cache_figure_8(struct study_context *c, struct sweep_table *t); /* cache_gains.c */
void cache_figure_9(struct study_context *c, struct sweep_table *t);
void cache_figure_9_gtx480(struct study_context *c, struct sweep_table *t);
void cache_figure_10(struct study_context *c, struct sweep_table *t);
void cache_figure_11(struct study_context *c, struct sweep_table *t);
void cache_figure_12(struct study_context *c, struct sweep_table *t); /* cache_associativity.c */
void cache_figure_12_gtx480(struct study_context *c, struct sweep_table *t);
void cache_each_alone(struct study_context *c, struct sweep_table *t); /* cache_combinations.c */
void cache_each_alone_titanv(struct study_context *c, struct sweep_table *t);
void cache_front_ends(struct study_context *c, struct sweep_table *t); /* cache_front_ends.c */

#endif

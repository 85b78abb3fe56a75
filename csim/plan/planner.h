/* Planners: functions from what a program does and what a machine is to a plan.
 *
 * A planner fills slots of a plan: where pages go, where CTAs go, what caches keep, what is prefetched. Several
 * compose, "cgp-only+affinity"; two that fill one slot are an error. What places CTAs is asked first: the rest may
 * depend on it. A planner's options follow its name, "coda,source=profile,chunk=rounded"; each is one of a few words.
 */
#ifndef CSIM_PLAN_PLANNER_H
#define CSIM_PLAN_PLANNER_H

#include <stdbool.h>

#include "affine/affine.h"
#include "base/err.h"
#include "ldesc/ldesc.h"
#include "plan/plan.h"
#include "plan/topology_view.h"
#include "taf/taf_memory.h"
#include "trace/trace.h"

enum plan_slot { SLOT_PAGES = 1, SLOT_CTAS = 2, SLOT_CACHE = 4, SLOT_PREFETCH = 8 };

struct planner_request {
	const struct machine *machine;
	const struct topology_view *topology;
	struct trace *trace;
	const struct affine_launch *const *analysis; /* by launch; NULL: the program came without PTX */
	const struct taf *taf;			     /* the program's TAFE calls; NULL: it made none, or was not asked
						      * for them */
	const struct ldesc_set *const *descriptors;  /* by launch, NULL for one without; NULL: the program gives none */
	const struct taf_memory *extents;	     /* what a tracker made of its stores; with taf */
	struct arena *arena;			     /* for all that the plan points to */
	uint32_t n_programs;			     /* that share the machine; 0: one, which has all of it */
	const struct plan_program *program;
};

/* What planners want of a program, beside its trace; and what they give. */
struct planner_needs {
	bool analysis;		/* of its PTX */
	bool taf;		/* its TAFE calls and tracked stores, with: */
	uint32_t extents;	/* extents of a set of CTAs, */
	uint32_t group;		/* neighbouring CTAs in a set, */
	bool extents_by_module; /* or all that a module runs */
	unsigned slots;		/* that they fill, of enum plan_slot */
	bool groups;		/* they hand out groups of CTAs (DISPATCH_GROUPS) */
};

struct planner_option {
	const char *key, *meaning;
	const char *choices[8]; /* the first is the default; NULL at the end */
};

struct planner {
	const char *name, *summary;
	unsigned slots;
	const struct planner_option *options; /* ends with a NULL key; NULL: none */
	bool wants_analysis;
	bool groups;						      /* hands out groups of CTAs */
	bool among_modules;					      /* only chooses a module for CTAs */
	bool (*analysis)(const unsigned *choice);		      /* or whether its options want it; NULL: no */
	void (*taf)(const unsigned *choice, struct planner_needs *w); /* what of TAFE it needs; NULL: nothing */
	/* choice: of each option, in order. Fills its slots of p, which is otherwise whole. */
	int (*make)(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e);
};
extern const struct planner *const planners[]; /* NULL at the end */

extern const struct planner planner_coda, planner_affinity, planner_fgp_only, planner_cgp_only, planner_first_touch,
	planner_own_stacks, planner_firsttouch_distrib, planner_xor_hash, planner_lrr, planner_bcs, planner_paver_mst,
	planner_paver_kway, planner_paver_rb, planner_tafe, planner_tafe_pages, planner_tafe_tid, planner_clusters, planner_ldesc,
	planner_ldesc_cache, planner_ldesc_placement, planner_ldesc_pref, planner_ldesc_sched;

/* Whether `text` names planners, and what they want: before a program is executed. */
int planner_check(const char *text, struct planner_needs *needs, struct err *e);
/* Whether each of the planners decides anything on a machine of these modules and stacks: an error if one places
 * nothing but pages and there is one stack, nothing but CTAs among modules and there is one module, no pages and the
 * kernels run on CPU cores, to which no plan assigns CTAs, or nothing but what L1s do and there are none. */
int planner_check_effect(const char *text, const struct machine *m, bool on_cpu, struct err *e);
/* The tables that such planners want on a machine; what it points to is the topology view's. */
void planner_taf_options(const struct planner_needs *needs, const struct topology_view *s, struct taf_options *o);
/* Makes the plan. The trace's CTAs may be read. text NULL: a plan that decides nothing but which program runs where. */
int planner_make(struct plan *p, const char *text, const struct planner_request *req, struct err *e);

/* Affinity of Equation 1 for all launches: as many consecutive CTAs a module as its SMs hold at a time. */
int plan_affinity(struct plan *p, const struct planner_request *req, struct err *e);
/* The program of a launch, of a buffer; one that has everything if there is only one. */
struct plan_program plan_program_of_launch(const struct planner_request *req, uint32_t launch);
struct plan_program plan_program_of_buffer(const struct planner_request *req, uint32_t buffer);
/* Shares the machine's modules among programs: as many each, the first ones one more. Fails if there are fewer modules.
 * The programs' launches and buffers are set already. */
int plan_share(struct plan_program *program, uint32_t n, const struct topology_view *s, struct err *e);
/* Puts all buffers under one policy. */
void plan_all_buffers(struct plan *p, const struct planner_request *req, enum plan_placement placement);

#endif

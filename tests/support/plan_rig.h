/* Sites and plans for tests, apart from any machine file: as many equal modules as wanted, each with a stack. */
#ifndef TESTS_SUPPORT_PLAN_RIG_H
#define TESTS_SUPPORT_PLAN_RIG_H

#include "workload/source.h"
#include "plan/expected_traffic.h"

struct plan_rig {
	struct arena arena;
	struct machine m; /* gtx480's SMs: limits of occupancy */
	struct topology_view topology;
	struct source s;
	struct planner_request req;
	struct taf_memory extents; /* of plan_rig_machine */
};

/* Modules of `sms` SMs and one stack each; pages of 4 KB, fine-grained interleave of 128 bytes. Executes the workload
 * (args: "n=1024", ..., NULL) with its analysis. */
void plan_rig_init(struct plan_rig *r, uint32_t modules, uint32_t sms, const char *workload, const char *const *args);
/* The modules of a machine file, with `set` ("vm.page=4K", or NULL), and the program's TAFE calls with the tables that
 * a plan wants (NULL: an extent a CTA). Buffers begin at multiples of `align`; 0: of the machine's pages. */
struct plan_rig_wish {
	const char *machine, *set, *plan;
	uint32_t align;
};
void plan_rig_machine(struct plan_rig *r, const struct plan_rig_wish *wish, const char *workload, const char *const *args);
void plan_rig_free(struct plan_rig *r);
/* The plan, which must be fine. */
struct plan plan_rig_plan(struct plan_rig *r, const char *text);
/* Index of a buffer, which must be there. */
uint32_t plan_rig_buffer(const struct plan_rig *r, const char *name);
/* The SM whose list names the CTA; one must. */
uint32_t plan_rig_sm_of(const struct plan_lists *l, uint32_t cta);
/* Expected remote share of all accesses under a plan, in percent. */
double plan_rig_remote(struct plan_rig *r, const char *text);

#endif

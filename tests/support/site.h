/* Sites and plans for tests, apart from any machine file: as many equal modules as wanted, each with a stack. */
#ifndef TESTS_SUPPORT_SITE_H
#define TESTS_SUPPORT_SITE_H

#include "workload/source.h"
#include "plan/expected_traffic.h"

struct site_rig {
	struct arena arena;
	struct machine m; /* gtx480's SMs: limits of occupancy */
	struct plan_site site;
	struct source s;
	struct plan_ask ask;
	struct taf_memory extents; /* of site_rig_machine */
};

/* Modules of `sms` SMs and one stack each; pages of 4 KB, fine-grained interleave of 128 bytes. Executes the workload
 * (args: "n=1024", ..., NULL) with its analysis. */
void site_rig_init(struct site_rig *r, uint32_t modules, uint32_t sms, const char *workload, const char *const *args);
/* The modules of a machine file, with `set` ("vm.page=4K", or NULL), and the program's TAFE calls with the tables that a plan wants
 * (NULL: an extent a CTA). */
struct site_rig_wish {
	const char *machine, *set, *plan;
};
void site_rig_machine(struct site_rig *r, const struct site_rig_wish *wish, const char *workload, const char *const *args);
void site_rig_free(struct site_rig *r);
/* The plan, which must be fine. */
struct plan site_rig_plan(struct site_rig *r, const char *text);
/* Index of a buffer, which must be there. */
uint32_t site_rig_buffer(const struct site_rig *r, const char *name);
/* Expected remote share of all accesses under a plan, in percent. */
double site_rig_remote(struct site_rig *r, const char *text);

#endif

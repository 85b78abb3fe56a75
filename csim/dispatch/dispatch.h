/* The CTA dispatcher: sends the CTAs of a launch to the SMs that have room, launch after launch.
 *
 * A component on queues like any other: it learns that an SM has room from the "done" messages that the SM sends, and starts a
 * CTA by a message, each a core cycle on its way. In a core cycle it sends at most one CTA to each SM; it begins with the SM
 * after the one that it served last. A launch begins when all CTAs of the one before have ended; the launch itself takes no time.
 * With L2 slices at the SMs (l2.side sm) a launch has ended when they have also written back what is dirty and dropped all lines:
 * the dispatcher asks each slice of the modules in use and waits for all answers.
 *
 * Which CTA an SM gets is decided by a policy, a function over the dispatcher's own state. The plan names one for each launch
 * (plan/plan.h):
 *   round robin  hands out CTAs in ascending order to whichever SM is served next
 *   affinity     gives a CTA only to SMs of the home that the plan has for it (CODA, Equation 1); a home without CTAs left
 *                stays idle, there is no stealing
 *   pair-wait    gives CTAs 2k and 2k + 1 to one SM, in two cycles that follow one another, as soon as it has room for both (BCS,
 *                as PAVER describes it in section 6.1). Where an SM holds one CTA no pair would ever fit: they go singly. The
 *                last of an odd number goes alone, to any SM with room for one
 *   lists        gives an SM the CTAs of its own list in order; an SM whose list is empty stays idle
 *   groups       takes what the hardware of hw/paver.h hands out: dispatch/dispatch_groups.h
 *
 * Several programs of a plan run beside each other, each on its own SMs, as if it were alone with the dispatcher.
 */
#ifndef CSIM_DISPATCH_DISPATCH_H
#define CSIM_DISPATCH_DISPATCH_H

#include <stdbool.h>

#include "base/queue.h"
#include "dispatch/timeline.h"
#include "memsys/memsys.h"
#include "noc/cta_message.h"
#include "plan/plan.h"

struct dispatch;
struct dispatch_groups;

#define DISPATCH_NONE UINT32_MAX
struct dispatch_program {		      /* launches that follow one another */
	const struct dispatch_policy *policy; /* of the current launch */
	uint32_t launch, end_launch;	      /* the current one; it is end_launch when all have ended */
	uint32_t next_cta, ended;
	uint32_t *given;  /* CTAs of the current launch that it got, by home (affinity), by SM (lists) */
	uint32_t *second; /* pair-wait, by SM: the CTA that it gets next, as the first of the pair went there; or DISPATCH_NONE */
	struct dispatch_groups *groups; /* dispatch/dispatch_groups.h; NULL: no launch goes in groups */
	uint64_t *ended_set;		/* of the current launch, a bit a CTA */
	uint64_t end;			/* tick at which its last CTA's, or slice's, message was taken */
	uint64_t modules;		/* those of its SMs, as bits: whose slices at the SMs are flushed */
	uint32_t unflushed;		/* of them, since it ended ... */
	bool flushing;			/* ... and they were asked to */
};

struct dispatch_slice {
	struct queue *flush, *flushed; /* of struct l2_flush */
	uint32_t module;
};

struct dispatch_policy {
	const char *name;
	/* The next CTA of the program's launch for this SM, which has room; DISPATCH_NONE: none for now. Called once a CTA. */
	uint32_t (*next)(const struct dispatch *d, struct dispatch_program *p, uint32_t sm);
};
extern const struct dispatch_policy *const dispatch_policies[DISPATCH_COUNT]; /* by enum plan_dispatch */

struct dispatch {
	const struct plan *plan; /* NULL: one program, round robin */
	const struct trace *trace;
	const uint32_t *limit; /* CTAs an SM holds, by launch */
	uint32_t n_sms;
	uint64_t period;
	struct queue *start; /* one per SM, of struct cta_start */
	struct queue *done;  /* one per SM, of struct cta_done */

	uint32_t n_programs;
	struct dispatch_program *program;
	uint32_t first;		/* SM to serve first */
	uint32_t *live;		/* by SM */
	uint64_t sent, retired; /* CTAs, all launches */
	uint64_t twice;		/* CTAs that ended a second time: must stay 0 */
	uint64_t end;		/* tick at which the last CTA's, or slice's, message was taken */

	uint32_t n_slices; /* at the SMs */
	struct dispatch_slice *slice;

	struct timeline *timeline; /* NULL: none is kept */
};

/* period: ticks of the clock of dispatcher and SMs. On the host its cores take the place of SMs. */
void dispatch_init(struct dispatch *d, struct arena *a, uint32_t n_sms, uint64_t period, const struct trace *t,
		   const uint32_t *limit, const struct plan *plan, struct queue *start, struct queue *done);

/* The slices to flush at the end of each launch; wake: where the dispatcher's next tick stands. */
void dispatch_flush_slices(struct dispatch *d, struct arena *a, struct memsys *s, uint64_t *wake);

uint64_t dispatch_step(struct dispatch *d, uint64_t now);
bool dispatch_finished(const struct dispatch *d);
uint32_t dispatch_launch(const struct dispatch *d); /* one that has not ended, for messages */

#endif

/* The dispatch policy of groups: the CTAs of a launch go to SMs through the hardware of hw/twins/paver.h (PAVER,
 * section 5).
 *
 * The plan's lists are the group table and the CTA list in memory, in the order in which the plan has them. The block
 * is the dispatcher's own: it is shown which SMs have room, shows which CTA is for which SM, and what it shows for an
 * SM with room is sent in that cycle, one to each SM. Memory answers each of its requests `group_dispatch.latency`
 * core cycles later; a request a cycle. A launch begins when its number of groups is sent to the block, in the cycle
 * in which any other launch would send its first CTA.
 *
 * Several programs have a block each, as wide as the program has SMs. The block is stepped in each core cycle in which
 * it is busy, anything comes in, or a CTA is taken, and in the cycle after that.
 */
#ifndef CSIM_DISPATCH_GROUP_DISPATCH_H
#define CSIM_DISPATCH_GROUP_DISPATCH_H

#include "base/queue.h"
#include "hw/twins/paver.h"
#include "plan/plan.h"

struct dispatch;

struct group_dispatch_counts {
	uint64_t groups, ctas;	 /* fetched; issued to SMs */
	uint64_t requests;	 /* to memory */
	uint64_t steals, stolen; /* times; CTAs, counted at each time */
	uint64_t ran_stolen;	 /* CTAs that ran on the SM that stole them */
	uint64_t wait_cycles;	 /* of SMs: a context was free, and a CTA was on its way to it from the tables */
	uint64_t left_over;	 /* CTAs of groups that no SM had got when the launch ended: must stay 0 */
};

struct groups_sm {     /* what crossed the block's ports for an SM, of the current launch */
	uint32_t sm;   /* of the machine */
	uint32_t left; /* CTAs of its groups and thefts that it has neither got nor lost */
	bool asked;    /* for a group, and not answered */
	bool stolen;   /* whatever it gets from now on */
};

struct group_answer { /* of memory: an entry of one of the tables */
	uint32_t tag;
	bool group;
	uint64_t data;
};
QUEUE_OF(group_answer);

struct group_dispatch {
	struct paver_port port;
	struct group_answer_queue memory; /* answers on their way */
	struct ticks latency;
	bool every_cycle; /* leave no cycle out, though nothing can change in it */

	bool configure;			/* the block does not have the launch yet */
	const struct plan_lists *lists; /* of that launch */
	uint32_t groups_left;		/* that it has not asked for */
	struct paver_in in;		/* of the cycle that is being stepped */
	struct paver_out out;
	uint32_t waiting; /* SMs that wait for a CTA, since `since` */
	struct ticks since;

	uint32_t n;	      /* SMs of the program */
	struct groups_sm *at; /* by the block's number for an SM */
	uint32_t *index;      /* that number, by SM of the machine */
	struct group_dispatch_counts count;
};

/* All programs; false: none has groups. */
bool group_dispatch_total(const struct dispatch *d, struct group_dispatch_counts *sum);

#endif

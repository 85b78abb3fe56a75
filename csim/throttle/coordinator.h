/* The coordinator of a throttle by core sampling, DWT-CS: a component on queues with the hardware block of
 * hw/twins/throttle_coordinator.h, one for the SMs of a program.
 *
 * It takes a message a core cycle, from the SM whose turn it is, and sends an order a cycle, each throttle.latency on
 * its way. What it decides is kept as figures of the run: how often, and for each kernel which number of warps won, and
 * when first.
 *
 * Source: dwt-pric, section 4.2; docs/reference/hardware/dwt-cs.md.
 */
#ifndef CSIM_THROTTLE_COORDINATOR_H
#define CSIM_THROTTLE_COORDINATOR_H

#include "hw/clocked.h"
#include "hw/twins/throttle_coordinator.h"
#include "machine/machine.h"
#include "throttle/message.h"

struct coordinator_kernel {
	uint32_t winner; /* of the last round; 0: none yet */
	uint64_t since;	 /* core cycle of that decision */
	uint32_t rounds; /* that were sampled */
};

struct coordinator_counts {
	uint64_t periods, above;  /* batches of counters that were judged; of them, above the threshold */
	uint64_t rounds;	  /* of sampling that began */
	uint64_t winners, reused; /* numbers that were settled on, that were taken up by a later launch */
	uint64_t orders;
};

struct coordinator_config {
	const struct machine *machine;
	const char *owner;
	uint32_t sms;
	struct throttle_message_queue **in; /* by SM of the program */
	struct throttle_order_queue **out;  /* likewise */
	const struct hw_binder *binder;
};

struct coordinator {
	struct coordinator_config c;
	uint64_t period; /* ticks of a core cycle */
	struct ticks latency;
	struct throttle_coordinator_port port;
	struct clocked clock; /* the core's; it is asked in each cycle in which the block is busy */
	struct coordinator_counts count;
	struct coordinator_kernel kernel[THROTTLE_MAX_KERNELS]; /* by slot */
};

/* Fails as the binder does. */
int coordinator_init(struct coordinator *k, const struct coordinator_config *c, struct err *e);
/* Its threshold is this machine's from now on (machine/live.h). Of a golden twin. */
void coordinator_change(struct coordinator *k, const struct machine *m);
struct ticks coordinator_step(struct coordinator *k, struct ticks now);

#endif

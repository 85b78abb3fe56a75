/* What the CTA dispatcher and the cores (SMs, CPU cores) say to each other, over queues of a core cycle's latency or
 * more. */
#ifndef CSIM_NOC_CTA_MESSAGE_H
#define CSIM_NOC_CTA_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"

/* What an SM's L1 and constant cache do as a CTA comes, where launches run at the same time: nothing; they drop what
 * stores of other kernels may have changed, as the first CTA of its launch comes beside others; they begin anew on an
 * SM without CTAs, with the launch's carve-out. */
enum cta_caches { CTA_CACHES_STAY, CTA_CACHES_CLEAN, CTA_CACHES_NEW };

struct cta_start { /* dispatcher to core: run this CTA. The dispatcher has checked that it fits. */
	uint32_t launch, cta;
	enum cta_caches caches; /* where launches run one after another, the core sees by itself that one begins */
};
QUEUE_OF(cta_start);

struct cta_done { /* core to dispatcher: it has ended and all of its memory traffic is back */
	uint32_t launch, cta;
};
QUEUE_OF(cta_done);

struct code_begin { /* dispatcher to the instruction cache of a GPC: a launch of this kernel begins */
	uint32_t kernel;
};
QUEUE_OF(code_begin);

/* Dispatcher to SM, if the SM wants to know: a launch of this kernel begins, of whose warps a scheduler holds so many
 * at most; or the program's last launch has ended. */
struct launch_begin {
	uint32_t kernel;
	uint8_t most;
	bool ended;
};
QUEUE_OF(launch_begin);

#endif

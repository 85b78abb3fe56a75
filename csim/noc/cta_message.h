/* What the CTA dispatcher and the cores (SMs, CPU cores) say to each other, over queues of a core cycle's latency or
 * more. */
#ifndef CSIM_NOC_CTA_MESSAGE_H
#define CSIM_NOC_CTA_MESSAGE_H

#include <stdint.h>

#include "base/queue.h"

struct cta_start { /* dispatcher to core: run this CTA. The dispatcher has checked that it fits. */
	uint32_t launch, cta;
};
QUEUE_OF(cta_start);

struct cta_done { /* core to dispatcher: it has ended and all of its memory traffic is back */
	uint32_t launch, cta;
};
QUEUE_OF(cta_done);

#endif

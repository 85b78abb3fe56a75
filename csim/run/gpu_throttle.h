/* Warp throttling by core sampling on the whole GPU (csim/throttle/): a sampler beside each SM, a coordinator for each
 * program, and the queues between them. Nothing of it without throttle.policy dwt-cs. */
#ifndef CSIM_RUN_GPU_THROTTLE_H
#define CSIM_RUN_GPU_THROTTLE_H

#include <stdbool.h>

#include "base/audit.h"
#include "base/stats.h"
#include "memsys/loop.h"
#include "throttle/coordinator.h"
#include "throttle/sampler.h"

struct gpu;

struct gpu_throttle {
	bool on;
	uint32_t programs;
	struct sampler *sampler;	  /* by SM */
	struct coordinator *coordinator;  /* by program; none for one without SMs */
	struct launch_begin_queue *begin; /* by SM, as all queues */
	struct throttle_message_queue *message;
	struct throttle_order_queue *order;
	uint8_t *most;	   /* by launch: warps of a scheduler at most */
	uint32_t *slot_of; /* by program and kernel of the trace */
};

/* Parts that gpu_throttle_build adds to the run loop. */
uint32_t gpu_throttle_parts(const struct gpu *g);
/* Queues, samplers and coordinators, once the SMs are there; wake: of the SMs, dispatch: of the dispatcher. Fails as
 * the binder does. gpu_throttle_prepare: ahead of all, what the dispatcher and the loop refer to. */
void gpu_throttle_prepare(struct gpu *g);
int gpu_throttle_build(struct gpu *g, const struct queue_end *sm, struct queue_end dispatch, const struct hw_binder *binder,
		       struct err *e);

/* metrics_throttle.c: rows "throttle.*"; invariants, those of a run's end with `ended`. */
void gpu_report_throttle(const struct gpu *g, struct stats *to);
void gpu_audit_throttle(const struct gpu *g, bool ended, struct audit *a);

#endif

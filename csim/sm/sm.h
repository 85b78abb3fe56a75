/* A streaming multiprocessor: warps, schedulers, scoreboard, pipelines, load/store unit, L1 and constant cache.
 *
 * The SM replays the warps' instruction streams from the trace. Time is in core cycles; the SM acts only in cycles in
 * which something can change and tells the run loop the next one. Order inside a cycle: messages from the dispatcher,
 * replies from the network, the load/store unit's head, warps that become ready, the schedulers, the L1's miss queue.
 *
 * When a warp issues an instruction, the cycle at which its next one has its operands is computed at once from the
 * scoreboard (`regs`, one ready time per virtual register). A known time puts the warp on the timing wheel; an unknown
 * one (a load is out) blocks it until the load's last transaction is served. So a waiting warp costs nothing.
 *
 * Sets of warps are 64-bit masks over warp slots. Scheduler s owns the slots with slot mod schedulers = s. An SM may
 * be parted into sub-cores (sm/subcore.h). The load/store unit has the caches and knows nothing of warps
 * (sm/lsu/lsu.h). Talks to the dispatcher and the network through queues only (struct sm_ports). Source: dwt-pric,
 * section 2 and Table 1; docs/explanation/sm.md, docs/explanation/timing.md.
 */
#ifndef CSIM_SM_SM_H
#define CSIM_SM_SM_H

#include <stdbool.h>

#include "base/queue.h"
#include "sm/fetch.h"
#include "sm/inst/kernel.h"
#include "sm/operands.h"
#include "sm/scoreboard.h"
#include "sm/inst/stall_breakdown.h"
#include "sm/subcore.h"
#include "sm/lsu/lsu.h"
#include "sm/wheel.h"
#include "hw/port.h"
#include "noc/cta_message.h"
#include "policy/warp_throttle.h"
#include "trace/trace.h"

enum { SM_MAX_WARPS = 64, SM_MAX_CTAS = 64, SM_MAX_UNITS = 16, SM_MAX_SCHEDULERS = 8 };

struct sm_ports {
	struct cta_start_queue *start;
	struct cta_done_queue *done;
	struct net_link out;	  /* to the network */
	struct mem_req_queue *in; /* replies from the network */
	struct translate_ports translate;
	/* for instructions, to the cache of its GPC (gpc/gcc.h) and back; code_in NULL: as all else */
	struct net_link code_out;
	struct mem_req_queue *code_in;
};

#define SM_NO_ACCESS UINT32_MAX

struct sm_warp {
	uint32_t pc, left, mask; /* the current run: next instruction, how many are left, lanes */
	uint32_t run, run_end;	 /* indices into the CTA's runs */
	uint32_t addr;		 /* index of the next address record in the CTA's addrs */
	uint32_t stores;	 /* writes and reductions that are not yet acknowledged */
	uint8_t cta;		 /* CTA slot */
	enum core_unit unit : 8; /* of the next instruction */
	bool at_fence;
	uint32_t sync_at;	      /* as `addr`, of its next access that orders warps; SM_NO_ACCESS: none */
	uint64_t stamp;		      /* when the next instruction can issue */
	const struct core_inst *inst; /* of its kernel */
} __attribute__((aligned(64)));	      /* a line of the host's */

struct sm_cta {
	bool live;
	uint32_t launch, id;
	uint32_t outstanding; /* accesses of memory on their way, and of shared memory in service */
	uint64_t warps;	      /* slots of all its warps */
	uint64_t running;     /* of those that have not exited */
	uint64_t at_barrier;
	struct trace_cta trace;
} __attribute__((aligned(64))); /* up to what an access looks at of `trace` it is a line of the host's */

struct sm_stats {
	uint64_t warp_insts;
	uint64_t folded, folded_lanes; /* warp instructions that were not issued; lanes that executed them */
	uint64_t mix[OP_COUNT];	       /* warp instructions by class ... */
	uint64_t lanes[OP_COUNT];      /* ... and the lanes that executed them */
	/* warp instructions by the number of their lanes; 0: predicated off in all lanes */
	uint64_t width[TRACE_WARP_SIZE + 1];
	uint64_t diverged;		     /* branches at which a warp's lanes parted */
	uint64_t operands;		     /* registers of these lanes, read and written */
	uint64_t macs[TRACE_TENSOR_CLASSES]; /* multiply-adds of products of matrices, by class */
	uint64_t tensor_held;		     /* cycles of tensor units, up to where the last holds end */
	uint64_t ctas_started, ctas_retired;
	uint64_t barriers;    /* releases of a CTA's barrier */
	uint64_t warp_cycles; /* sum over cycles of running warps: occupancy */
	uint64_t busy_cycles; /* cycles with a running warp */
	uint64_t stalls[STALL_COUNT][SM_MAX_SCHEDULERS];
	struct { /* repeated waits (sm/waits.h): what they issue is counted here and nowhere above, but for stalls */
		uint64_t insts, cycles; /* warp instructions; cycles of warps, once a wait has ended */
		uint64_t lanes[OP_COUNT];
		uint64_t operands;
	} wait;
};

static inline uint64_t sm_thread_insts(const struct sm_stats *s)
{
	uint64_t n = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		n += s->lanes[op];
	return n;
}

/* The pipelines of a kind that a scheduler's warps use: those of its sub-core, or all. */
struct sm_units {
	uint8_t first, n;
};

struct sm {
	/* what it is built of */
	const struct machine *m;
	struct trace *trace;
	const struct core_kernel *kernels;
	struct sm_ports port;
	uint32_t id;
	uint32_t launch; /* of the CTA that came last; UINT32_MAX: none has */
	uint64_t period; /* ticks a core cycle */
	bool shares;	 /* CTAs of several launches may be there at a time: */
	uint32_t words;	 /* of local memory that a thread has then, of whichever kernel (struct lsu's local_words) */

	/* what a step looks at first is together, so that it is in few of the host's lines */
	bool ahead;	     /* it has instruction fetch, operand collectors or sub-cores' queues */
	bool folds;	     /* a resident CTA's kernel has instructions that are not issued */
	bool parted;	     /* it has sub-cores, or other pipelines than SP, SFU and tensor units */
	uint32_t load_depth; /* of pipe.depth: core cycles from the load/store unit on */
	struct scoreboard scoreboard;
	/* the schedulers' part of a cycle; with loads restrained; with collectors; with sub-cores; with a profile */
	void (*issue)(struct sm *sm);
	struct sm_profile *profile;   /* NULL: none is wanted (sm/profile.h) */
	struct sm_paths *paths;	      /* likewise (sm/path.h) */
	struct sm_pipeline *pipeline; /* likewise (sm/pipeline.h) */
	bool observed;		      /* one of them is */
	struct warp_ends *ends;	      /* likewise (sm/warp_ends.h) */
	struct sm_waits *waits;	      /* NULL: nothing orders warps, and none sleeps (sm/waits.h) */
	/* Sees each issue; NULL: nobody looks. */
	void (*watch)(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc);
	void *watch_ctx;

	/* state */
	struct ticks tick; /* that was stepped last */
	uint64_t now;	   /* the core cycle that was stepped last */
	/* core cycles that the stall breakdown holds: [0, counted) */
	uint64_t counted;
	uint64_t ready[UNIT_COUNT];			     /* warps whose next instruction could issue, by unit */
	uint64_t running, waits_memory, blocked, at_barrier; /* blocked: on a value without a known time, or a fence */
	uint64_t repeats;				     /* in a repeated wait (sm/waits.h) */
	uint64_t asleep;				     /* they have issued a sleep and nothing since */
	uint64_t free_slots;
	uint64_t own[SM_MAX_SCHEDULERS];
	/* the warp that the scheduler issued last, as a bit; GTO: 0 when it has exited */
	uint64_t last[SM_MAX_SCHEDULERS];
	uint32_t units[UNIT_LDST]; /* pipelines of a kind, ... */
	struct sm_units units_of[UNIT_LDST][SM_MAX_SCHEDULERS];
	bool queued[UNIT_COUNT]; /* through its sub-core's queue */
	uint8_t scheduler_of[SM_MAX_WARPS];
	uint64_t unit_free[UNIT_LDST][SM_MAX_UNITS]; /* ... and the cycle from which each can take an instruction */
	uint32_t n_order;
	uint8_t order[SM_MAX_CTAS];	/* live CTA slots, oldest first ... */
	uint64_t in_order[SM_MAX_CTAS]; /* ... and their warps */
	struct {
		const struct warp_throttle *policy;
		void *state;
		uint64_t active;		 /* warps that may issue, ... */
		uint64_t own[SM_MAX_SCHEDULERS]; /* ... those of each scheduler */
		/* cycle in which it is to be asked again; 0: a warp began, exited, reached a barrier or left one, or
		 * the throttle was notified of a load that changes its decisions */
		uint64_t due;
		const uint32_t *limit; /* of warps of a scheduler, by kernel of the trace */

		uint64_t allowed, may_load; /* as the throttle said: warps that may issue, those that may load */
		uint64_t seen, at_load;	    /* warps that were ready for a memory access; of them, those at a load */
		uint64_t insts;		    /* that had been issued when the launch began */
		struct l1_observer observer;
		struct sm_line_by { /* by slot of the L1: the line that a load brought in last, and the load's warp */
			uint64_t line;
			uint8_t warp;
		} * line_by;
	} throttle;
	struct wheel wheel;
	struct fetch fetch;
	struct operands operands;
	struct subcores subcores;
	struct sm_warp warp[SM_MAX_WARPS];
	struct sm_cta cta[SM_MAX_CTAS];
	struct lsu lsu;
	struct sm_stats stats;
	struct err error; /* set when the trace cannot be read; the run ends */
};

/* kernels: one per kernel of the trace. local_base: where local memory is mapped, above all buffers. Fails as the
 * binder does. */
int sm_init(struct sm *sm, struct arena *a, const struct machine *m, struct trace *t, const struct core_kernel *kernels,
	    uint32_t id, uint64_t local_base, struct sm_ports port, const struct hw_binder *binder, struct err *e);
/* Where it has its CTAs' instructions and addresses; else on the heap. */
void sm_read_into(struct sm *sm, struct pool *pool);
void sm_free(struct sm *sm); /* what the arena does not hold */

/* Acts at tick `now`, an edge of the core clock; returns the next tick at which there is something to do. */
struct ticks sm_step(struct sm *sm, struct ticks now);

/* The machine that it was initialised with has changed (machine/live.h), ahead of the step of cycle sm->counted: the SM
 * goes by what it is now, and has to be stepped in that cycle. Fails if throttle.kernels names a kernel that the trace
 * has not. */
int sm_change(struct sm *sm, struct arena *a, struct err *e);
/* Whether it could: product, as operands_init() has it. */
bool sm_may_change(const struct sm *sm, const struct machine *to, uint32_t product);

/* Counts stalls and fails up to core cycle `cycle`, ahead of its step: all cycles before it have been stepped. */
void sm_count_up_to(struct sm *sm, uint64_t cycle);

/* Closes the stall breakdown and the counts of fails at the run's length and reads the set monitor out. Cycles
 * beyond it, in which only acknowledgements came in, are taken back. */
void sm_finish(struct sm *sm, uint64_t cycles);

#endif

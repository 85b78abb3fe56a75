/* Where a scheduler's cycles go: each core cycle of a run is counted once, under one of these names.
 *
 * A cycle in which the scheduler issued is STALL_ISSUED, or STALL_WAIT if the warp is in a repeated wait. Otherwise
 * the cause is that of the warp which is closest to issuing, which is the order of this list: a warp whose operands
 * are ready but whose pipeline is taken (PIPELINE; MEM_* for the load/store unit, by what its head waits for;
 * OPERANDS if no collector is free), then one that the throttle holds back, then one that waits for an arithmetic
 * result or a branch, then one that waits for an instruction in an operand collector, then one that waits to be
 * fetched, then one that waits for data from memory, then one in a repeated wait or asleep, whatever of it is on its
 * way, then one at a barrier; IDLE when the scheduler has no warp that still runs. Cycles that are skipped belong to
 * the state that holds throughout them.
 */
#ifndef CSIM_SM_INST_STALL_BREAKDOWN_H
#define CSIM_SM_INST_STALL_BREAKDOWN_H

enum stalls {
	STALL_ISSUED,
	STALL_PIPELINE,	  /* SP, SFU or tensor unit held by an initiation interval */
	STALL_MEM_BUSY,	  /* load/store unit: earlier transactions or bank conflicts ahead */
	STALL_MEM_LINE,	  /* load/store unit: no line of the set can be allocated */
	STALL_MEM_ENTRY,  /* ... no MSHR entry */
	STALL_MEM_MERGE,  /* ... no room to merge in the line's MSHR entry */
	STALL_MEM_QUEUE,  /* ... miss queue full */
	STALL_MEM_NET,	  /* ... miss queue full because the network takes nothing */
	STALL_MEM_TLB,	  /* ... translations: too many transactions wait for theirs */
	STALL_THROTTLED,  /* operands ready, but the warp is not active (policy/warp_throttle.h) */
	STALL_ARITHMETIC, /* scoreboard: a result of a pipeline, or a branch */
	STALL_OPERANDS,	  /* no operand collector is free, or an instruction is in one (sm/operands.h) */
	STALL_FETCH,	  /* the instruction is not in the warp's buffer, or not decoded yet (sm/fetch.h) */
	STALL_MEMORY,	  /* scoreboard: data from memory, or a fence */
	STALL_WAIT,	  /* a repeated wait for a value in memory, or a sleep (sm/waits.h) */
	STALL_BARRIER,
	STALL_IDLE,
	STALL_COUNT
};

/* As the metrics name them: "sched.NAME". */
static inline const char *stall_name(enum stalls why)
{
	static const char *const name[STALL_COUNT] = {
		"issued",    "pipeline",   "mem_busy", "mem_line", "mem_entry", "mem_merge", "mem_queue", "mem_network", "mem_tlb",
		"throttled", "arithmetic", "operands", "fetch",	   "memory",	"wait",	     "barrier",	  "idle"};

	return name[why];
}

#endif

/* Where a scheduler's cycles go: each core cycle of a run is counted once, under one of these names.
 *
 * A cycle in which the scheduler issued is LEDGER_ISSUED. Otherwise the cause is that of the warp which stands closest to
 * issuing, which is the order of this list: a warp whose operands are ready but whose pipeline is taken (PIPELINE; MEM_* for the
 * load/store unit, by what its head waits for), then one that waits for an arithmetic result or a branch, then one that waits for
 * data from memory, then one at a barrier; IDLE when the scheduler has no warp that still runs.
 * Cycles that are skipped belong to the state that holds throughout them.
 */
#ifndef CSIM_SM_STALL_BREAKDOWN_H
#define CSIM_SM_STALL_BREAKDOWN_H

enum ledger {
	LEDGER_ISSUED,
	LEDGER_PIPELINE,   /* SP or SFU held by an initiation interval */
	LEDGER_MEM_BUSY,   /* load/store unit: earlier transactions or bank conflicts ahead */
	LEDGER_MEM_LINE,   /* load/store unit: no line of the set can be allocated */
	LEDGER_MEM_ENTRY,  /* ... no MSHR entry */
	LEDGER_MEM_MERGE,  /* ... no room to merge in the line's MSHR entry */
	LEDGER_MEM_QUEUE,  /* ... miss queue full */
	LEDGER_MEM_NET,	   /* ... miss queue full because the network takes nothing */
	LEDGER_MEM_TLB,	   /* ... translations: too many transactions wait for theirs */
	LEDGER_ARITHMETIC, /* scoreboard: a result of a pipeline, or a branch */
	LEDGER_MEMORY,	   /* scoreboard: data from memory, or a fence */
	LEDGER_BARRIER,
	LEDGER_IDLE,
	LEDGER_COUNT
};

#endif

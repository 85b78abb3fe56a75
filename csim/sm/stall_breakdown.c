#include "sm/stall_breakdown.h"

const char *const ledger_names[LEDGER_COUNT] = {"issued",    "pipeline",  "mem_busy",	 "mem_line", "mem_entry",
						"mem_merge", "mem_queue", "mem_network", "mem_tlb",  "arithmetic",
						"memory",    "barrier",	  "idle"};

const char *const ledger_meanings[LEDGER_COUNT] = {
	"an instruction was issued",
	"operands ready, arithmetic pipeline held",
	"operands ready, load/store unit busy or in bank conflicts",
	"operands ready, load/store unit waits for a line of the set",
	"operands ready, load/store unit waits for an MSHR entry",
	"operands ready, load/store unit waits for room in an MSHR entry",
	"operands ready, load/store unit waits for the miss queue",
	"operands ready, load/store unit waits for the network",
	"operands ready, load/store unit waits for translations",
	"all warps wait, the nearest for an arithmetic result or a branch",
	"all warps wait, the nearest for data from memory or a fence",
	"all warps wait at a barrier",
	"no warp to run",
};

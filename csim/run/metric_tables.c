#include "run/metric_tables.h"

#include "run/cpu_run_impl.h"
#include "run/energy.h"
#include "run/gpu_impl.h"

/* Rows that are no sums of counters, added by hand where they are made. */
/* clang-format off */
static const struct metric time_rows[] = {
	{"cycles", "core cycles", "cycles of the run (CPU cycles with --on cpu)", METRIC_COUNT, OF_RUN | OF_LAUNCH, .needs = 0},
	{"time", "us", "simulated time", METRIC_COUNT, OF_RUN | OF_LAUNCH, .needs = 0},
	{"launches", "", "kernel launches", METRIC_COUNT, OF_RUN, .needs = 0},
	{"ctas.per_sm", "", "CTAs that fit on an SM in the longest launch, and the limiting resource", METRIC_COUNT, OF_RUN, .needs = 0},
	{"launches.limited_by.X", "", "launches whose CTAs per SM are limited by X", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"throttle.kernel.NAME.winner", "warps", "throttle dwt-cs: warps per scheduler last selected for the kernel; 0: none yet", METRIC_COUNT, OF_RUN, .needs = 0},
	{"throttle.kernel.NAME.cycle", "core cycles", "throttle dwt-cs: core cycle of that selection", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"throttle.kernel.NAME.rounds", "", "throttle dwt-cs: sampling rounds of the kernel", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"program.NAME.cycles", "core cycles", "locus mix: core cycles until the program's last CTA ended", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.warp_insts", "", "locus mix: warp instructions issued by the program's SMs", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.ctas", "", "locus mix: CTAs of the program that ended", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.ipc", "per cycle", "locus mix: warp instructions per core cycle of the program's SMs", METRIC_COUNT, OF_RUN, .needs = 0},
};

static const struct metric extreme_rows[] = {
	{"dram.bandwidth", "GB/s", "DRAM bandwidth used, all channels", METRIC_COUNT, OF_RUN, .needs = 0},
	{"link.busiest", "%", "utilisation of the busiest link direction", METRIC_COUNT, OF_RUN, .needs = 0},
	{"link.A.B.bytes", "bytes", "bytes carried from node A to node B over their link", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"link.A.B.busy", "%", "utilisation of the link from node A to node B", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"stack.busiest", "%", "utilisation of the busiest stack's peak bandwidth", METRIC_COUNT, OF_RUN, .needs = 0},
	{"stack.idlest", "%", "utilisation of the least busy stack's peak bandwidth", METRIC_COUNT, OF_RUN, .needs = 0},
	{"stack.N.bytes", "bytes", "bytes transferred over the stack's data buses", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"stack.N.busy", "%", "utilisation of the stack's peak bandwidth", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"traffic.A.B", "bytes", "bytes sent from node A to node B (within a module if A = B)", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"vm.stack.N.pages", "pages", "pages placed in this stack only", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"working_set", "lines", "run --working-set: mean number of global-memory lines that an SM accessed, once per launch", METRIC_COUNT, OF_RUN, .needs = 0},
	{"sm.N.working_set", "lines", "run --working-set: global-memory lines that the SM accessed, once per launch", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"sm.N.l1.set.S.index_conflicts", "", "index conflicts in a set of the SM's L1", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
};
/* clang-format on */

static const struct metric_table by_hand = METRIC_TABLE(time_rows), extremes = METRIC_TABLE(extreme_rows);

const struct metric_list metric_lists[] = {
	{"", "", &by_hand},
	{"", "sm.N.", &sm_issue_metrics},
	{"", "sm.N.", &sm_cta_metrics},
	{"", "", &gpu_group_metrics},
	{"", "", &gpu_throttle_metrics},
	{"", "sm.N.", &sm_memory_metrics},
	{"", "", &gpu_gcc_metrics},
	{"", "", &gpu_page_metrics},
	{"", "", &gpu_move_metrics},
	{"", "sm.N.", &gpu_tlb_metrics},
	{"", "module.N.", &gpu_module_metrics},
	{"", "", &memsys_metrics},
	{"", "dram.N.", &memsys_channel_metrics},
	{"", "", &memsys_link_metrics},
	{"", "", &extremes},
	{"", "", &energy_metrics},
	{"", "", &gpu_sm_levels_metrics},
	{"", "", &gpu_memsys_levels_metrics},
	{"", "", &gpu_channel_levels_metrics},
	{"cpu.", "", &cpu_inst_metrics},
	{"cpu.", "", &cpu_stall_metrics},
	{"cpu.", "", &cpu_cache_metrics},
	{"", "", &cpu_l3_metrics},
	{"", "cpu.N.", &cpu_detail_metrics},
	{NULL, NULL, NULL},
};

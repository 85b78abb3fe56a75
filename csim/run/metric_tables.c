#include "run/metric_tables.h"

#include "run/cpu_run_impl.h"
#include "run/energy.h"
#include "run/gpu_impl.h"

/* Rows that are no sums of counters, added by hand where they are made. */
/* clang-format off */
static const struct metric time_rows[] = {
	{"cycles", "core cycles", "of the run; on the CPU, CPU cycles", METRIC_COUNT, OF_RUN | OF_LAUNCH, .needs = 0},
	{"time", "us", "of the machine", METRIC_COUNT, OF_RUN | OF_LAUNCH, .needs = 0},
	{"launches", "", "of kernels", METRIC_COUNT, OF_RUN, .needs = 0},
	{"ctas.per_sm", "", "fit on an SM, in the longest launch; and what limits it", METRIC_COUNT, OF_RUN, .needs = 0},
	{"launches.limited_by.X", "", "launches of which an SM holds no more CTAs for want of X", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"throttle.kernel.NAME.winner", "warps", "throttle dwt-cs: a scheduler, that won last; of a kernel that was sampled", METRIC_COUNT, OF_RUN, .needs = 0},
	{"throttle.kernel.NAME.cycle", "core cycles", "throttle dwt-cs: when they had won", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"throttle.kernel.NAME.rounds", "", "throttle dwt-cs: of sampling that it took", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"program.NAME.cycles", "core cycles", "locus mix: until the program's last CTA had ended", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.warp_insts", "", "locus mix: warp instructions issued by its SMs", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.ctas", "", "locus mix: thread blocks that ended", METRIC_COUNT, OF_RUN, .needs = 0},
	{"program.NAME.ipc", "a cycle", "locus mix: warp instructions, its SMs, its cycles", METRIC_COUNT, OF_RUN, .needs = 0},
};

static const struct metric extreme_rows[] = {
	{"dram.bandwidth", "GB/s", "all channels", METRIC_COUNT, OF_RUN, .needs = 0},
	{"link.busiest", "%", "of its bandwidth, the direction with the most traffic", METRIC_COUNT, OF_RUN, .needs = 0},
	{"link.A.B.bytes", "bytes", "over the link from node A to B", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"link.A.B.busy", "%", "of the run", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"stack.busiest", "%", "of its peak bandwidth, the stack with the most traffic", METRIC_COUNT, OF_RUN, .needs = 0},
	{"stack.idlest", "%", "of its peak bandwidth, the stack with the least", METRIC_COUNT, OF_RUN, .needs = 0},
	{"stack.N.bytes", "bytes", "over the stack's data buses", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"stack.N.busy", "%", "of the peak bandwidth of its channels", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"traffic.A.B", "bytes", "from node A to node B; within a module if they are one", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"vm.stack.N.pages", "pages", "in this stack alone", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"working_set", "lines", "run --working-set: of global memory that an SM accessed, mean; once a launch", METRIC_COUNT, OF_RUN, .needs = 0},
	{"sm.N.working_set", "lines", "run --working-set: of global memory that the SM accessed, once a launch", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
	{"sm.N.l1.set.S.index_conflicts", "", "of a set of the L1", METRIC_COUNT, OF_RUN_DETAIL, .needs = 0},
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

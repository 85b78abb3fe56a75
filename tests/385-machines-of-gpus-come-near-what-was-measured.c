/* 385: qv100 at the clocks of a Tesla V100 PCIe does in microbenchmarks what was measured on one, within 5 %: RRZE's
 * gpu-benches, commit 1038c5d (gpu-latency, gpu-cache, gpu-stream, README.md of cuda-incore). The whole: `locus study
 * gpus`. And a100 and gh200, of which the latencies were measured. */
#include <criterion/criterion.h>

#include "support/program.h"

#define V100 "--machine qv100 --set clock.core=1380 --set clock.net=1380 --set clock.l2=1380 --set clock.dram=877"

/* Cycles that each of the second half of so many takes. */
static double each(const char *run, const char *key, unsigned most)
{
	double cycles[2];

	for (unsigned i = 0; i < 2; i++) {
		json_t *stats = program_stats("locus run %s " V100 " --arg %s=%u", run, key, i ? most : most / 2);

		cycles[i] = program_stat(stats, "cycles");
		json_decref(stats);
	}
	return (cycles[1] - cycles[0]) / (most - most / 2);
}

/* Of the loads behind the first `warm`. */
static double load_cycles(const char *machine, unsigned footprint, unsigned warm, unsigned loads)
{
	double cycles[2];

	for (unsigned i = 0; i < 2; i++) {
		json_t *stats = program_stats("locus run chase --arg order=random --arg footprint=%u --machine %s --arg steps=%u",
					      footprint, machine, i ? warm + loads : warm);

		cycles[i] = program_stat(stats, "cycles");
		json_decref(stats);
	}
	return (cycles[1] - cycles[0]) / loads;
}

static void near(const char *what, double is, double measured)
{
	cr_expect(is > 0.95 * measured && is < 1.05 * measured, "%s: %.2f, measured %.2f", what, is, measured);
}

Test(gpus, a_load_takes_what_it_takes_on_a_v100)
{
	near("L1", each("chase --arg order=random --arg footprint=36864", "steps", 8192), 28.1);
	near("L2", each("chase --arg order=random --arg footprint=1071616", "steps", 32768), 212.1);
	near("DRAM", each("chase --arg order=random --arg footprint=12624384", "steps", 197280), 425.5);
}

/* RRZE's gpu-latency on an A100 SXM4 of 80 GB: the near half of the L2, the far one, DRAM. What is larger than the L2
 * misses in the first round as in the others. */
Test(gpus, a_load_takes_what_it_takes_on_an_a100)
{
	near("L1", load_cycles("a100", 36864, 4096, 4096), 33.2);
	near("near half", load_cycles("a100", 1071616, 16384, 16384), 205.6);
	near("far half", load_cycles("a100", 241462 * 128, 241472, 65536), 405.9);
	near("DRAM", load_cycles("a100", 528491 * 128, 16384, 65536), 547.1);
}

/* Likewise on the GPU of a GH200. */
Test(gpus, a_load_takes_what_it_takes_on_a_gh200)
{
	near("L1", load_cycles("gh200", 37632, 4096, 4096), 32.3);
	near("near half", load_cycles("gh200", 1132288, 16384, 16384), 280.5);
	near("far half", load_cycles("gh200", 355640 * 128, 355648, 65536), 515.5);
	near("DRAM", load_cycles("gh200", 622267 * 128, 16384, 65536), 623.3);
}

/* GB/s over the SMs and their MHz. */
Test(gpus, sms_read_as_many_bytes_a_cycle_as_a_v100s)
{
	near("L1", (64 << 10) / each("bandwidth --arg ctas=80 --arg footprint=64K", "rounds", 64), 13873.4e3 / 80 / 1380);
	near("L2", (512 << 10) / each("bandwidth --arg ctas=80 --arg footprint=512K", "rounds", 4), 2408.5e3 / 80 / 1380);
	near("DRAM", 8 / each("stream --arg block=1024 --arg shared=48K", "n", 4 << 20), 867e3 / 1380);
}

/* A warp's fma 8.67 cycles, of which some are the loop's there; the others as they stand. */
Test(gpus, an_sm_does_an_operation_on_doubles_as_often_as_a_v100s)
{
	near("fma, 32 warps", each("rates --arg op=fma_f64 --arg warps=32", "links", 2048) / 32, 1.03);
	near("division, a warp", each("rates --arg op=div_f64", "links", 2048), 111.55);
	near("division, 16 warps", each("rates --arg op=div_f64 --arg warps=16", "links", 2048) / 16, 8.48);
}

/* A CTA's next one starts when it has ended: two of 128 threads an SM. */
Test(gpus, small_ctas_follow_one_another_as_slowly_as_a_v100s)
{
	double gbps = 8 / each("stream --arg block=128 --arg shared=48K", "n", 1 << 20) * 1.38;

	cr_expect(gbps > 0.9 * 263 && gbps < 1.1 * 263, "%.0f GB/s, measured 263", gbps);
}

/* A small program with instructions of every class of latency: two kernels, a launch of each. What its warps read and
 * write is drawn at random from a seed: lines that they share, rows of DRAM apart. */
#ifndef TESTS_SUPPORT_ALL_OPS_H
#define TESTS_SUPPORT_ALL_OPS_H

#include "trace/trace.h"

/* Kernels "first" and "second", `ctas` CTAs of two warps each. The caller closes it. */
struct trace *all_ops_program(uint64_t seed, uint32_t ctas);

#endif

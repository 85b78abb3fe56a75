/* Which launches are recorded, and so timed: "--kernels CHOICE".
 *
 * CHOICE is a list with commas between: patterns of names in the PTX, with * and ? as in a shell (*scan*), and ranges
 * of launch numbers from 0 on, both ends included (3, 10:19, 100:). A launch is taken if one of them takes it.
 */
#ifndef HARNESS_CUDA_KERNEL_CHOICE_H
#define HARNESS_CUDA_KERNEL_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

int kernel_choice_check(const char *choice, struct err *e);
/* choice: NULL takes all. */
bool kernel_choice_takes(const char *choice, const char *name, uint32_t launch);

#endif

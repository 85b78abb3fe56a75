/* How much memory a program takes at most, run or recorded: each time in a process of its own, whose peak of resident
 * memory the system reports when it has ended. That of recording is the difference of the two, since buffers and
 * references are in both.
 *
 * The process starts as a copy of the caller, so that this must be small as yet.
 */
#ifndef HARNESS_CLI_PEAK_H
#define HARNESS_CLI_PEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct peak {
	double mib; /* resident at most */
	uint64_t warp_insts;
	uint64_t stored, raw; /* bytes of the recorded CTAs, compressed and before; 0 if not recorded */
	uint64_t ctas;	      /* of all launches, if recorded */
};

/* args: such as "n=256", ended by NULL. recorded: into a file of the folder for temporary files, which is removed. -1:
 * e is filled.
 */
int peak_of(const char *root, const char *workload, const char *const *args, bool recorded, struct peak *out, struct err *e);

#endif

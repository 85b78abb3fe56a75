/* An independent judge of DRAM command logs: it knows the machine's timing keys and the protocol's definitions, nothing
 * of the controller, and checks every pair of commands by brute force. */
#ifndef TESTS_SUPPORT_DRAM_CHECK_H
#define TESTS_SUPPORT_DRAM_CHECK_H

#include <stdbool.h>

#include "dram/dram.h"

/* false, with the broken invariant and both commands in `why`, if the log breaks an invariant. */
bool dram_check_log(const struct machine *m, const struct dram_command_event *log, uint32_t n, char why[256]);

/* Whether a command may follow those of the log. */
bool dram_check_next(const struct machine *m, const struct dram_command_event *log, uint32_t n,
		     const struct dram_command_event *next);

#endif

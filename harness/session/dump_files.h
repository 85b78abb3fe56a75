/* How the buffers that a launch file dumps become files (workload/program.h, host_files): as every other output of the
 * program. */
#ifndef HARNESS_SESSION_DUMP_FILES_H
#define HARNESS_SESSION_DUMP_FILES_H

#include "workload/program.h"

extern const struct host_files dump_files;

#endif

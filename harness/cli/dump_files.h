/* How the buffers that a launch file dumps become files (host/host.h, host_files): as every other output of the program. */
#ifndef HARNESS_CLI_DUMP_FILES_H
#define HARNESS_CLI_DUMP_FILES_H

#include "host/host.h"

extern const struct host_files dump_files;

#endif

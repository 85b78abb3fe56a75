/* Launch files: a host program written in YAML, so that a kernel of the user's own runs without any C.
 * docs/reference/launch-file.md says what may be in one.
 */
#ifndef CSIM_WORKLOAD_LAUNCHFILE_H
#define CSIM_WORKLOAD_LAUNCHFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "workload/program.h"

/* Does what the file says: opens its PTX, makes its buffers, launches, compares results. Errors name file, line, column
 * and key; a wrong result fills e and is reported by host_differs. */
int launchfile_run(struct host *h, const char *path, bool *has_expectations, struct err *e);

/* ---- what a launch file may hold, for lists and errors ---- */

struct launchfile_key {
	const char *name;
	bool required;
	const char *meaning; /* with its default */
};
struct launchfile_section {
	const char *path;		  /* of the mapping that has the keys: "buffers.NAME."; empty at the top */
	const struct launchfile_key *key; /* ended by a NULL name */
};
extern const struct launchfile_section launchfile_sections[]; /* ended by a NULL path */

#endif

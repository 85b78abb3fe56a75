/* What became of a run's tries (session/tries.h), on standard output: a line for each, then what differs from the run,
 * as `locus diff` prints it. */
#ifndef HARNESS_CLI_TRIES_REPORT_H
#define HARNESS_CLI_TRIES_REPORT_H

#include "session/session.h"

/* json: the path of the run's result, which names those of the tries; may be NULL. Returns the exit status that the
 * tries have earned the command; fails (e) if the run never came to their cycle, or a try has no result. */
int tries_report(struct session *s, const char *json, struct err *e);

#endif

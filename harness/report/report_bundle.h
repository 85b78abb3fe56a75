/* A mismatch bundle (lockstep/bundle.h) for the page: what its report.txt says.
 *
 * The folder may be somebody else's: one regular file of REPORT_BUNDLE_BYTES at most is read, and nothing of it is
 * built or run.
 */
#ifndef HARNESS_REPORT_REPORT_BUNDLE_H
#define HARNESS_REPORT_REPORT_BUNDLE_H

#include "base/err.h"

enum { REPORT_BUNDLE_BYTES = 1 << 20 };

struct json_t;

/* {"name": of the folder, "lines": [of the report]}. NULL: e is filled. */
struct json_t *report_bundle_read(const char *folder, struct err *e);

#endif

/* A mismatch bundle (lockstep/bundle.h) for the page: what its report.txt and its window.json say.
 *
 * The folder may be somebody else's: two regular files of REPORT_BUNDLE_BYTES each at most are read, and nothing of
 * it is built or run.
 */
#ifndef HARNESS_REPORT_REPORT_BUNDLE_H
#define HARNESS_REPORT_REPORT_BUNDLE_H

#include "base/err.h"

enum { REPORT_BUNDLE_BYTES = 1 << 20 };

struct json_t;

/* {"name": of the folder, "lines": [of the report], "window": as in lockstep/window.h, each signal with a value a
 * step}. NULL: e is filled. */
struct json_t *report_bundle_read(const char *folder, struct err *e);

#endif

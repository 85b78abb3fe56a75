/* Metrics over time (run/intervals.h) as JSON and as CSV. */
#ifndef HARNESS_SESSION_INTERVALS_FILE_H
#define HARNESS_SESSION_INTERVALS_FILE_H

#include "process/output.h"
#include "session/session.h"

struct json_t;

/* {"cycles", "asked", "core_clock_mhz", "run_cycles", "samples", "series": [{"name", "unit", "of", "path", "kind",
 * "values": [...]}]} of a session that has run with intervals. cycles: of an interval; asked: the same before intervals
 * were joined; kind: "count", "mean" (a quotient), "level". A quotient by nothing is null, a fraction in percent. */
struct json_t *intervals_json(const struct session *s);

/* A line an interval: the cycle in which it begins, the one in which the next one would, and each series' value, empty
 * for null; above them their paths. Nothing if no file is wanted. */
int intervals_csv(struct output *to, const struct session *s, struct err *e);

#endif

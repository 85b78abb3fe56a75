/* --perfetto FILE: a run as a trace that Perfetto (ui.perfetto.dev) opens: launches, CTAs on their SMs, and what was
 * recorded beside: metrics over time (--interval), loads with their requests (--trace-requests).
 *
 * docs/how-to/viewers.md says what is where, and what a nanosecond of the viewer is.
 */
#ifndef HARNESS_PERFETTO_PERFETTO_FILE_H
#define HARNESS_PERFETTO_PERFETTO_FILE_H

#include "process/output.h"
#include "session/session.h"

/* Of a session that has run with its timeline; into a file that was opened before. Nothing if none is wanted. */
int perfetto_file_save(struct output *to, const struct session *s, struct err *e);

#endif

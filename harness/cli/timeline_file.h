/* --timeline FILE: which CTA ran on which SM when, as a file that Perfetto (ui.perfetto.dev) and chrome://tracing open.
 *
 * The file is a JSON object of the Trace Event Format. A process is an SM, a thread of it one of its contexts: a CTA is
 * a complete event ("ph": "X") on the lowest context that was free when it came, so events of a thread never overlap. A
 * further process shows the launches, each from its first CTA's start to its last CTA's end. Time stamps are whole
 * cycles of the clock on which CTAs start and end: what the viewer calls a microsecond is a cycle. A CTA that was taken
 * from another SM's list is of the category "stolen" too, and its name says so. */
#ifndef HARNESS_CLI_TIMELINE_FILE_H
#define HARNESS_CLI_TIMELINE_FILE_H

#include "process/output.h"
#include "session/session.h"

/* Of a session that has run with its timeline; into a file that was opened before. Nothing if none is wanted. */
int timeline_file_save(struct output *to, const struct session *s, struct err *e);

#endif

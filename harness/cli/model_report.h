/* What a run of the model prints: the first line, the table of metrics, the audit, times of the simulator. (As JSON:
 * session/result.h.)
 *
 * Times of the simulator (seconds, instructions a second) differ from run to run: they are in the text alone.
 */
#ifndef HARNESS_CLI_MODEL_REPORT_H
#define HARNESS_CLI_MODEL_REPORT_H

#include <stdio.h>

#include "session/session.h"

/* On standard output, when the run begins (session_options.begins) and not before: what cannot be built is told in one
 * line alone. "syrk 1024x1024 on gtx480: 15 SMs, L1 16 KB 4-way, set index pric(37)", or "syrk 1024x1024 on the CPU of
 * ndp4: 8 cores at 4000 MHz, 16 lanes an instruction"; of several programs, whose modules are whose. */
void model_report_title(const struct session *s);

/* After it. launches: with a table of them. */
void model_report_text(const struct session *s, bool launches, FILE *to);
/* Instead: the metrics that a run is compared by, the largest stall, and warnings (--brief). */
void model_report_brief(const struct session *s, FILE *to);

#endif

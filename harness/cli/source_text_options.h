/* What `locus profile` and `locus why` have in common: where source text is, and the end of what they print. */
#ifndef HARNESS_CLI_SOURCE_TEXT_OPTIONS_H
#define HARNESS_CLI_SOURCE_TEXT_OPTIONS_H

#include "profile/source_text.h"
#include "session/session.h"

/* Of a session that has run: beside the PTX, or where a CUDA program was compiled and beside it, in the root, and in
 * `dir` (--source-dir) unless that is NULL. source_text_free is due. */
void source_text_of(struct source_text *t, struct session *s, const char *dir);

/* Whether the run was cut, its invariants, its results. */
void source_text_report_end(const struct session *s, FILE *to);

#endif

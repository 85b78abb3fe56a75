/* --konata FILE: what warps' instructions went through, as a file that Konata (github.com/shioyadan/Konata) opens.
 *
 * A text of the Kanata log format 0004: a row an instruction, its stages in lane 0, the warp as its thread.
 * docs/viewers.md says which stages there are. Source: docs/kanata-log-format.md there.
 */
#ifndef HARNESS_KONATA_KONATA_FILE_H
#define HARNESS_KONATA_KONATA_FILE_H

#include "process/output.h"
#include "session/session.h"

/* Of a session that has run with its pipelines; into a file that was opened before. Nothing if none is wanted. */
int konata_file_save(struct output *to, const struct session *s, struct err *e);

/* A line a log: how many instructions of which SM, and when it was cut. */
void konata_file_print(const struct session *s, FILE *to);

#endif

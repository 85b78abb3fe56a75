/* Results that other commands wrote (session/result.h), read again: `locus diff`, `locus report`.
 *
 * A file may be somebody else's. It may be a pipe; RESULT_FILE_BYTES are read of it at most, whatever it says of
 * itself, and what is no JSON object with an object "stats" is refused: "PATH:LINE:COLUMN: reason", "PATH: reason".
 */
#ifndef HARNESS_SESSION_RESULT_FILE_H
#define HARNESS_SESSION_RESULT_FILE_H

#include "base/arena.h"
#include "base/err.h"

enum { RESULT_FILE_BYTES = 256 << 20 };

struct json_t;

/* The caller owns the reference. NULL: e is filled. */
struct json_t *result_file_read(const char *path, struct err *e);

/* What results are called beside each other: the file's name without folder and ending where that distinguishes all of
 * them, else the path; as it may go to a terminal, whatever a file has for a name. label: n of them, in the arena. */
void result_file_labels(const char *const *path, unsigned n, struct arena *a, const char **label);

#endif

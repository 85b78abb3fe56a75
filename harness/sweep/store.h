/* Results of runs that are kept, so that a study or a sweep that was killed goes on where it was: an SQLite file, a row
 * a run.
 *
 * A run is identified by its arguments ("run bfs --machine ndp4 --plan coda") and by its content, a hash of what it was
 * made with (content.h): a result of an older program is never taken for one of this. Runs that failed have a row
 * with the reason in a table of their own.
 *
 * One process at a time writes the file, and no write-ahead log is kept beside it, since those want memory that all
 * processes share: network file systems have none. Shards on other machines write files of their own (shards.h).
 */
#ifndef HARNESS_SWEEP_STORE_H
#define HARNESS_SWEEP_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

struct sqlite3;
struct sweep_store {
	struct sqlite3 *db;
};

/* path: of the file, made if it is not there. */
int sweep_store_open(struct sweep_store *s, const char *path, struct err *e);
void sweep_store_close(struct sweep_store *s);

/* The result that is kept for these arguments: JSON text, which the caller frees; NULL if there is none. */
char *sweep_store_get(struct sweep_store *s, const char *content, const char *args);

/* The same, read: a reference of the caller's; NULL: there is none that can be read. */
json_t *sweep_store_result(struct sweep_store *s, const char *content, const char *args);

/* Keeps one, in place of a failure; it is on the disk when this returns. seconds: of a processor that the run took. */
int sweep_store_put(struct sweep_store *s, const char *content, const char *args, double seconds, const char *json, struct err *e);

/* Why the run failed, as it was kept; the caller frees it. NULL: it did not. */
char *sweep_store_failure(struct sweep_store *s, const char *content, const char *args);
int sweep_store_put_failure(struct sweep_store *s, const char *content, const char *args, const char *why, struct err *e);

/* Runs of this content that are kept; *seconds: that they took, one after another. */
unsigned sweep_store_count(struct sweep_store *s, const char *content, double *seconds);

#endif

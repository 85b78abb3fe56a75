/* Results of runs that a study keeps, so that one that was killed goes on where it was: an SQLite file, a row a run.
 *
 * A run is identified by its arguments ("run bfs --machine ndp4 --plan coda") and by what it was made with: a hash over
 * the program, the machines and the kernels of the checkout. A result of an older program is never taken for one of
 * this.
 */
#ifndef HARNESS_STUDY_STORE_H
#define HARNESS_STUDY_STORE_H

#include <stdbool.h>

#include "base/err.h"

struct sqlite3;
struct study_store {
	struct sqlite3 *db;
	char program[20]; /* the hash, as hexadecimal digits */
};

/* path: of the file, made if it is not there. program: path of locus. */
int study_store_open(struct study_store *s, const char *path, const char *program, struct err *e);
void study_store_close(struct study_store *s);

/* The result that is kept for these arguments: JSON text, which the caller frees; NULL if there is none. */
char *study_store_get(struct study_store *s, const char *args);

/* Keeps one; it is on the disk when this returns. seconds: of a processor that the run took. */
int study_store_put(struct study_store *s, const char *args, double seconds, const char *json, struct err *e);

/* Runs of this program that are kept; *seconds: that they took, one after another. */
unsigned study_store_count(struct study_store *s, double *seconds);

#endif

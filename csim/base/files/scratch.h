/* A folder for work on its way: beside the place of its result, under a name that nobody else has, removed when the
 * work is done.
 *
 * Its maker holds a lock on it (flock of the folder), which ends with the maker however that ends. So what one that was
 * killed left behind is distinguished from the folder of one that is still at work, on whichever machine and in
 * whichever container: scratch_collect() removes the former. Whoever makes scratch folders in a place collects there
 * first. Where the file system has no locks nothing is collected.
 */
#ifndef CSIM_BASE_FILES_SCRATCH_H
#define CSIM_BASE_FILES_SCRATCH_H

#include "base/err.h"

struct scratch {
	char path[4096];
	int lock; /* the open folder; -1: none */
};

/* Makes a folder in dir, which must exist. Errors: it cannot be written. */
int scratch_open(struct scratch *s, const char *dir, struct err *e);

/* Removes it with the files in it, if it still has its name (its result may have been renamed). */
void scratch_close(struct scratch *s);

/* Removes the scratch folders in dir whose makers are gone. */
void scratch_collect(const char *dir);

/* A folder with the files in it, which must hold no other folders. One that is not there is no error. */
void scratch_remove(const char *path);

#endif

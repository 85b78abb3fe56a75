/* Lines of a text file, a stretch of whole ones at a time out of a large buffer: for readers of traces, which look at
 * each byte once.
 *
 * Errors name "NAME:LINE: reason"; the reader counts lines as it takes them (struct lines, number). A line longer than
 * the buffer is refused, and so is a file of more bytes than the reader takes. A last line without a newline gets one.
 */
#ifndef CSIM_BASE_FILES_LINES_H
#define CSIM_BASE_FILES_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct lines {
	FILE *from;
	const char *name;    /* for messages */
	uint64_t number;     /* of the line that is taken next; from 1 */
	uint64_t most, read; /* bytes: that may be read; that were read */
	char *buffer;
	size_t have, consumed; /* bytes in the buffer; of those, handed out */
};

void lines_open(struct lines *l, FILE *from, uint64_t most, const char *name);
void lines_close(struct lines *l); /* leaves the file open */

/* The next stretch [*begin, *end): ends behind a newline, and what follows it can be read too. The one before is gone.
 * Returns 1; 0: the file has ended; -1: *e is set. */
int lines_more(struct lines *l, const char **begin, const char **end, struct err *e);

#endif

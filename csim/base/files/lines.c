#include "base/files/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"

/* Bytes; no line is longer. The fuzzers' inputs have 4096. */
#ifdef FUZZING
enum { BUFFER = 1 << 10 };
#else
enum { BUFFER = 1 << 20 };
#endif

void lines_open(struct lines *l, FILE *from, uint64_t most, const char *name)
{
	*l = (struct lines){.from = from, .name = name, .number = 1, .most = most, .buffer = xmalloc(BUFFER + 1)};
}

void lines_close(struct lines *l)
{
	free(l->buffer);
	l->buffer = NULL;
}

int lines_more(struct lines *l, const char **begin, const char **end, struct err *e)
{
	const char *newline = NULL;
	size_t n;

	l->have -= l->consumed;
	memmove(l->buffer, l->buffer + l->consumed, l->have);
	l->consumed = 0;
	while (!newline) {
		n = fread(l->buffer + l->have, 1, BUFFER - l->have, l->from);
		if (n == 0 && ferror(l->from))
			return err_set(e, "%s: %s", l->name, strerror(errno));
		l->read += n;
		if (l->read > l->most)
			return infile_too_large(l->name, l->most, e);
		if (n == 0 && l->have == 0)
			return 0;
		newline = memrchr(l->buffer + l->have, '\n', n);
		l->have += n;
		if (n == 0) { /* the last line ends without one */
			newline = l->buffer + l->have;
			l->buffer[l->have++] = '\n';
		} else if (!newline && l->have == BUFFER) {
			return err_set(e, "%s:%lu: line of more than %d bytes: not a trace", l->name, (unsigned long)l->number,
				       BUFFER);
		}
	}
	*begin = l->buffer;
	*end = newline + 1;
	l->consumed = (size_t)(*end - *begin);
	return 1;
}

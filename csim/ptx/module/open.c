/* ptx_open: the file, read whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "ptx/ptx.h"

enum { MAX_FILE = 256 << 20 };

static int read_all(FILE *f, const char *path, char **text, size_t *n, struct err *e)
{
	size_t cap = 0, got;

	do {
		if (*n == cap) {
			cap = cap ? 2 * cap : 65536;
			*text = xrealloc(*text, cap);
		}
		got = fread(*text + *n, 1, cap - *n, f);
		*n += got;
		if (*n > MAX_FILE)
			return infile_too_large(path, MAX_FILE, e);
	} while (got);
	return ferror(f) ? err_set(e, "%s: %s", path, strerror(errno)) : 0;
}

struct ptx_module *ptx_open(const char *path, struct err *e)
{
	return ptx_open_in(PTX_TEXT_ORDER, path, e);
}

struct ptx_module *ptx_open_in(enum ptx_order order, const char *path, struct err *e)
{
	struct ptx_module *m = NULL;
	char *text = NULL;
	size_t n = 0;
	FILE *f = infile_stream(path, MAX_FILE, e);

	if (!f)
		return NULL;
	if (read_all(f, path, &text, &n, e) == 0)
		m = ptx_parse_in(order, text, n, path, e);
	fclose(f);
	free(text);
	return m;
}

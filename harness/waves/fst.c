#include "waves/fst.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Types of blocks. HEADER comes first; values, names and blackouts have several encodings; OPEN is one that was not
 * finished. */
enum { HEADER = 0, VALUES = 1, GEOMETRY = 3, NAMES = 4, VALUES_2 = 5, NAMES_LZ4 = 6, NAMES_LZ4_2 = 7, VALUES_3 = 8, OPEN = 255 };
enum { HEADER_BYTES = 329, LENGTH_BYTES = 8 };

struct seen {
	bool header, values, geometry, names;
};

int fst_check_path(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, "%s: cannot be written: %s", path, S_ISDIR(st.st_mode) ? "Is a directory" : "not a regular file");
	return 0;
}

/* A block's type and length, which counts itself. 0: there is none, or it is cut short. */
static uint64_t next_block(FILE *f, int *type)
{
	uint64_t n = 0;

	*type = getc(f);
	for (int i = 0; i < LENGTH_BYTES; i++) {
		int c = getc(f);

		if (c == EOF)
			return 0;
		n = n << 8 | (uint64_t)c;
	}
	return n;
}

static bool note(struct seen *s, int type, uint64_t bytes)
{
	if (!s->header && (type != HEADER || bytes != HEADER_BYTES))
		return false;
	s->header = true;
	s->values |= type == VALUES || type == VALUES_2 || type == VALUES_3;
	s->geometry |= type == GEOMETRY;
	s->names |= type == NAMES || type == NAMES_LZ4 || type == NAMES_LZ4_2;
	return type != OPEN;
}

static bool is_whole(FILE *f, uint64_t size, bool has_values)
{
	struct seen s = {false};
	uint64_t at = 0;

	while (at < size) {
		int type;
		uint64_t n = next_block(f, &type);

		if (n < LENGTH_BYTES || n > size - at - 1 || !note(&s, type, n))
			return false;
		at += n + 1;
		if (fseeko(f, (off_t)at, SEEK_SET))
			return false;
	}
	return s.header && s.geometry && s.names && (s.values || !has_values);
}

int fst_cut_short(const char *path, struct err *e)
{
	return err_set(e, "%s: the wave could not be written in full: is the disk full?", path);
}

int fst_check(const char *path, bool has_values, struct err *e)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	bool whole;

	if (!f || fstat(fileno(f), &st)) {
		err_set(e, "%s: cannot be read: %s", path, strerror(errno));
		if (f)
			fclose(f);
		return -1;
	}
	whole = is_whole(f, (uint64_t)st.st_size, has_values);
	fclose(f);
	return whole ? 0 : fst_cut_short(path, e);
}

#include "profile/source_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "base/err.h"
#include "base/files/infile.h"
#include "base/utf8.h"

enum { MOST_BYTES = 16 << 20, TAB = 8 };

struct source_file {
	const char *name;
	char *text; /* NULL: it cannot be had */
	uint32_t *begin, n_lines;
	size_t bytes;
	UT_hash_handle hh;
};

void source_text_init(struct source_text *t, struct arena *a, const char *const *folders)
{
	*t = (struct source_text){.arena = a};
	for (int i = 0; i < SOURCE_TEXT_FOLDERS; i++)
		t->folder[i] = folders[i];
}

/* ---- finding a file ---- */

static bool is_within(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && (path[n] == '/' || (n && folder[n - 1] == '/'));
}

/* Links followed; NULL: there is no such file in the folder. */
static char *path_in(const char *folder, const char *name)
{
	char path[PATH_MAX], *real, *real_folder;
	int n = name[0] == '/' ? snprintf(path, sizeof path, "%s", name) : snprintf(path, sizeof path, "%s/%s", folder, name);

	if (n < 0 || (size_t)n >= sizeof path)
		return NULL;
	real = realpath(path, NULL);
	real_folder = real ? realpath(folder, NULL) : NULL;
	if (!real_folder || !is_within(real, real_folder)) {
		free(real);
		real = NULL;
	}
	free(real_folder);
	return real;
}

static char *find(const struct source_text *t, const char *name)
{
	const char *base = strrchr(name, '/');
	char *path;

	for (int i = 0; i < SOURCE_TEXT_FOLDERS; i++) {
		if (!t->folder[i])
			continue;
		path = path_in(t->folder[i], name);
		if (!path && base && base[1])
			path = path_in(t->folder[i], base + 1);
		if (path)
			return path;
	}
	return NULL;
}

/* ---- reading it ---- */

static void index_lines(struct source_text *t, struct source_file *f)
{
	uint32_t n = 1, at = 0;

	for (size_t i = 0; i < f->bytes; i++)
		n += f->text[i] == '\n';
	f->begin = arena_array(t->arena, (size_t)n + 1, sizeof *f->begin);
	f->begin[at++] = 0;
	for (size_t i = 0; i < f->bytes; i++)
		if (f->text[i] == '\n')
			f->begin[at++] = (uint32_t)i + 1;
	f->begin[at] = (uint32_t)f->bytes + 1;
	f->n_lines = f->bytes && f->text[f->bytes - 1] == '\n' ? n - 1 : n;
}

static void load(struct source_text *t, struct source_file *f)
{
	char *path = find(t, f->name);
	struct err e = {""};
	struct stat st;
	FILE *in = path ? infile_open(path, MOST_BYTES, &e) : NULL;

	if (in && fstat(fileno(in), &st) == 0) {
		f->text = arena_alloc(t->arena, (size_t)st.st_size + 1);
		f->bytes = fread(f->text, 1, (size_t)st.st_size, in);
		index_lines(t, f);
	}
	if (in)
		fclose(in);
	free(path);
}

static struct source_file *file_named(struct source_text *t, const char *name)
{
	struct source_file *f;

	HASH_FIND_STR(t->files, name, f);
	if (f)
		return f;
	f = arena_alloc(t->arena, sizeof *f);
	f->name = arena_strdup(t->arena, name);
	load(t, f);
	HASH_ADD_KEYPTR(hh, t->files, f->name, strlen(f->name), f);
	return f;
}

void source_text_free(struct source_text *t)
{
	HASH_CLEAR(hh, t->files);
}

/* ---- a line ---- */

/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: a letter of three bytes. */
static bool turns_around(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] != 0xe2)
		return false;
	return (s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xaa && s[2] <= 0xae))) ||
	       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

static void copy_clean(const char *from, size_t n, char *out, size_t room)
{
	size_t at = 0, column = 0;

	while (n && at + 1 < room) {
		unsigned letter = utf8_letter(from, n), shown = letter;

		if (*from == '\t') {
			for (size_t end = (column / TAB + 1) * TAB; column < end && at + 1 < room; column++)
				out[at++] = ' ';
			from++, n--;
			continue;
		}
		if (letter == 3 && turns_around(from))
			shown = 0;
		if (shown && at + shown >= room)
			break;
		if (shown)
			memcpy(out + at, from, shown);
		else
			out[at] = '?';
		at += shown ? shown : 1;
		column++;
		from += letter ? letter : 1;
		n -= letter ? letter : 1;
	}
	while (at && out[at - 1] == ' ')
		at--;
	out[at] = '\0';
}

bool source_text_line(struct source_text *t, const char *name, uint64_t line, char *out, size_t room)
{
	const struct source_file *f = file_named(t, name);
	size_t from, n;

	out[0] = '\0';
	if (!f->text || line == 0 || line > f->n_lines)
		return false;
	from = f->begin[line - 1];
	n = f->begin[line] - 1 - from;
	if (n && f->text[from + n - 1] == '\r')
		n--;
	copy_clean(f->text + from, n, out, room);
	return true;
}

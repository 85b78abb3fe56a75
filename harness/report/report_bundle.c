#include "report/report_bundle.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/utf8.h"

static json_t *clean_json(const char *text, size_t n)
{
	char *copy = strndup(text, n);
	json_t *s = copy ? json_string(utf8_clean(copy)) : NULL;

	free(copy);
	return s;
}

static json_t *lines_of(const char *text)
{
	json_t *all = json_array();

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		json_array_append_new(all, clean_json(text, n));
	}
	return all;
}

/* The last part of a path, without slashes behind it. */
static json_t *name_of(const char *folder)
{
	size_t end = strlen(folder), begin;

	while (end > 1 && folder[end - 1] == '/')
		end--;
	for (begin = end; begin && folder[begin - 1] != '/'; begin--)
		;
	return clean_json(folder + begin, end - begin);
}

static json_t *from_text(const char *folder, const char *path, const char *text, size_t n, struct err *e)
{
	if (n > REPORT_BUNDLE_BYTES)
		err_set(e, "%s: longer than %d MiB", path, REPORT_BUNDLE_BYTES >> 20);
	else if (strncmp(text, "MISMATCH ", 9) != 0)
		err_set(e, "%s: not the report of a mismatch", path);
	else
		return json_pack("{s:o, s:o}", "name", name_of(folder), "lines", lines_of(text));
	return NULL;
}

json_t *report_bundle_read(const char *folder, struct err *e)
{
	char path[PATH_MAX], *text = NULL;
	int n = snprintf(path, sizeof path, "%s/report.txt", folder);
	json_t *o = NULL;
	FILE *f;

	if (n < 0 || (size_t)n >= sizeof path) {
		err_set(e, "%.200s...: too long a path", folder);
		return NULL;
	}
	f = infile_open(path, e);
	if (!f)
		return NULL;
	text = calloc(1, REPORT_BUNDLE_BYTES + 2);
	if (text)
		o = from_text(folder, path, text, fread(text, 1, REPORT_BUNDLE_BYTES + 1, f), e);
	free(text);
	fclose(f);
	return o;
}

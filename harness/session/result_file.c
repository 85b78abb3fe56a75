#include "session/result_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/utf8.h"

struct bounded {
	FILE *f;
	size_t left;
	bool too_long;
};

static size_t read_some(void *to, size_t room, void *ctx)
{
	struct bounded *b = ctx;
	size_t n;

	if (b->left == 0) {
		b->too_long = fgetc(b->f) != EOF;
		return b->too_long ? (size_t)-1 : 0;
	}
	n = fread(to, 1, room < b->left ? room : b->left, b->f);
	b->left -= n;
	return ferror(b->f) ? (size_t)-1 : n;
}

static int cannot(const char *path, const struct bounded *b, const json_error_t *je, int why, struct err *e)
{
	if (b->too_long)
		return infile_too_large(path, RESULT_FILE_BYTES, e);
	if (ferror(b->f))
		return err_set(e, "%s: %s", path, strerror(why ? why : EIO));
	return err_set(e, "%s:%d:%d: %s", path, je->line > 0 ? je->line : 1, je->column > 0 ? je->column : 1, je->text);
}

json_t *result_file_read(const char *path, struct err *e)
{
	struct bounded b = {.f = infile_stream(path, RESULT_FILE_BYTES, e), .left = RESULT_FILE_BYTES};
	json_error_t je;
	json_t *whole;

	if (!b.f)
		return NULL;
	errno = 0;
	whole = json_load_callback(read_some, &b, 0, &je);
	if (!whole)
		cannot(path, &b, &je, errno, e);
	fclose(b.f);
	if (!whole || json_object_size(json_object_get(whole, "stats")))
		return whole;
	if (json_is_object(json_object_get(whole, "stats")))
		err_set(e, "%s: \"stats\" has no metrics", path);
	if (json_object_get(whole, "estimates"))
		err_set(e, "%s: holds estimates of a sampled run (--sample), which are not measurements", path);
	json_decref(whole);
	err_set(e, "%s: no \"stats\" object: not a result of locus run --json", path);
	return NULL;
}

void result_file_labels(const char *const *path, unsigned n, struct arena *a, const char **label)
{
	bool alike = false;

	for (unsigned i = 0; i < n; i++) {
		const char *slash = strrchr(path[i], '/'), *base = slash ? slash + 1 : path[i];
		size_t bytes = strlen(base);

		bytes -= bytes > 5 && !strcmp(base + bytes - 5, ".json") ? 5 : 0;
		label[i] = utf8_clean(arena_printf(a, "%.*s", (int)bytes, base));
		for (unsigned k = 0; k < i; k++)
			alike = alike || !strcmp(label[k], label[i]);
	}
	for (unsigned i = 0; alike && i < n; i++)
		label[i] = utf8_clean(arena_strdup(a, path[i]));
}

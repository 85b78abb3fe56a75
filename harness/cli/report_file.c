#include "cli/report_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "process/output.h"

static bool is_file(const char *path)
{
	size_t n = strlen(path);

	return !strcmp(path, "-") || (n > 5 && !strcmp(path + n - 5, ".html"));
}

/* The folder is there afterwards. NULL: e is filled. */
static const char *file_of(const char *to, struct arena *a, struct err *e)
{
	if (is_file(to))
		return to;
	if (*to && (mkdir(to, 0777) == 0 || errno == EEXIST))
		return arena_printf(a, "%s/index.html", to);
	err_set(e, "%s: cannot make the folder: %s", *to ? to : "\"\"", *to ? strerror(errno) : "no name");
	return NULL;
}

int report_file_write(const struct report_page *p, const char *to, struct err *e)
{
	struct arena arena = {0};
	struct output file = {0};
	const char *path = file_of(to, &arena, e);
	int rc = -1;

	if (path && output_open(&file, path, e) == 0) {
		rc = report_page_write(p, file.f, e) == 0 && output_keep(&file, e) == 0 ? 0 : -1;
		if (rc != 0)
			output_drop(&file);
		else if (strcmp(path, "-") != 0)
			printf("%s\n", path);
	}
	arena_free(&arena);
	return rc;
}

void report_file_free(struct report_page *p)
{
	for (unsigned i = 0; i < p->n; i++)
		json_decref(p->run[i]);
	for (unsigned i = 0; i < p->n_bundles; i++)
		json_decref(p->bundle[i]);
	json_decref(p->table);
}

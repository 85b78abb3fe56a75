#include "sweep/content.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/files/root.h"
#include "base/files/yaml.h"
#include "workload/papers_names.h"
#include "workload/program.h"
#include "workload/source.h"

enum { CHUNK = 1 << 20, DEPTH = 64 /* of a launch file's nodes */, LINE = 4096 };

static int add_file(XXH3_state_t *h, const char *path, uint64_t most, struct err *e)
{
	FILE *f = infile_open(path, most, e);
	char *chunk;
	struct stat st = {0};
	uint64_t left;
	int rc = 0;
	size_t n;

	if (!f)
		return -1;
	chunk = xmalloc(CHUNK);
	fstat(fileno(f), &st);
	for (left = (uint64_t)st.st_size; left && (n = fread(chunk, 1, left < CHUNK ? left : CHUNK, f)) > 0; left -= n)
		XXH3_64bits_update(h, chunk, n);
	if (ferror(f))
		rc = err_set(e, "%s: %s", path, strerror(errno));
	free(chunk);
	fclose(f);
	return rc;
}

static int add_files(XXH3_state_t *h, const char *pattern, struct err *e)
{
	char path[ROOT_PATH_MAX];
	glob_t g = {0};
	int rc = 0;

	glob(root_path(pattern, path), 0, NULL, &g); /* in the order of names */
	for (size_t i = 0; i < g.gl_pathc && rc == 0; i++)
		rc = add_file(h, g.gl_pathv[i], INFILE_MOST, e);
	globfree(&g);
	return rc;
}

static XXH3_state_t *begin(void)
{
	XXH3_state_t *h = XXH3_createState();

	if (!h)
		abort();
	XXH3_64bits_reset(h);
	return h;
}

static uint64_t end(XXH3_state_t *h)
{
	uint64_t hash = XXH3_64bits_digest(h);

	XXH3_freeState(h);
	return hash;
}

int content_of_checkout(const char *program, char out[CONTENT_HEX], struct err *e)
{
	XXH3_state_t *h = begin();
	int rc = add_file(h, program, INFILE_MOST, e) || add_files(h, "csim/machines/*.yaml", e) ||
		 add_files(h, "traces/*/kernel.ptx", e);

	snprintf(out, CONTENT_HEX, "%016" PRIx64, end(h));
	return rc ? -1 : 0;
}

int content_of_file(const char *path, uint64_t *hash, struct err *e)
{
	XXH3_state_t *h = begin();
	int rc = add_file(h, path, INFILE_MOST, e);

	*hash = end(h);
	return rc;
}

/* ---- a user's files ---- */

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Adds the file that a text names, if it does: from the folder of the file that has the text, as its reader looks for
 * it. */
static int add_named(XXH3_state_t *h, const char *of, const char *text, struct err *e)
{
	const char *slash = strrchr(of, '/');
	char path[2 * LINE];

	if (!*text || strlen(text) >= LINE || strlen(of) >= LINE)
		return 0;
	if (*text == '/' || !slash)
		snprintf(path, sizeof path, "%s", text);
	else
		snprintf(path, sizeof path, "%.*s/%s", (int)(slash - of), of, text);
	return is_file(path) ? add_file(h, path, INFILE_MOST, e) : 0;
}

/* The scalars of a YAML file, whatever their keys: which of them name files is its reader's business. */
static int add_scalars(XXH3_state_t *h, const char *of, struct fy_node *n, unsigned depth, struct err *e)
{
	struct fy_node *key_node, *value;
	void *iter = NULL;
	const char *key;
	int rc = 0;

	if (depth > DEPTH)
		return err_set(e, "%s: more than %d levels", of, DEPTH);
	if (yaml_is_map(n)) {
		while (rc == 0 && yaml_next_pair(n, &iter, &key, &key_node, &value))
			rc = add_scalars(h, of, value, depth + 1, e);
	} else if (yaml_is_seq(n)) {
		while (rc == 0 && (value = yaml_next_item(n, &iter)))
			rc = add_scalars(h, of, value, depth + 1, e);
	} else {
		rc = add_named(h, of, yaml_text(n), e);
	}
	return rc;
}

static int add_launch_file(XXH3_state_t *h, const char *path, struct err *e)
{
	struct yaml *y = yaml_open(path, e);
	int rc = y ? add_scalars(h, path, yaml_root(y), 0, e) : -1;

	yaml_close(y);
	return rc;
}

/* An Accel-Sim list names one trace per line. h: NULL: its lines are only checked. */
static int add_lines(XXH3_state_t *h, const char *path, struct err *e)
{
	FILE *f = infile_open(path, INFILE_MOST, e);
	char line[LINE];
	int rc = f ? 0 : -1;

	while (f && rc == 0 && fgets(line, sizeof line, f)) {
		if (!strchr(line, '\n') && !feof(f))
			rc = err_set(e, "%s: a line of more than %d bytes, or no text", path, LINE - 2);
		line[strcspn(line, "\r\n")] = '\0';
		rc = rc == 0 && h ? add_named(h, path, line, e) : rc;
	}
	if (f)
		fclose(f);
	return rc;
}

static int add_users_file(XXH3_state_t *h, const char *path, struct err *e)
{
	enum source_kind kind = source_kind_of(path);
	bool is_list = kind == SOURCE_ACCELSIM && accelsim_is_list(path);

	if (kind == SOURCE_WORKLOAD)
		return source_unknown(path, e);
	if (is_list && add_lines(NULL, path, e) != 0)
		return -1;
	if (add_file(h, path, kind == SOURCE_LAUNCH_FILE ? YAML_MAX_FILE : INFILE_MOST, e) != 0)
		return -1;
	if (kind == SOURCE_LAUNCH_FILE)
		return add_launch_file(h, path, e);
	return is_list ? add_lines(h, path, e) : 0;
}

int content_of_source(const char *what, uint64_t *hash, struct err *e)
{
	const struct papers_name *name;
	const struct workload *w;
	XXH3_state_t *h;
	char relative[300];
	int rc;

	if (papers_name_find(what, &w, &name, e) != 0)
		return -1;
	h = begin();
	if (w) {
		/* traces/NAME/kernel.ptx, and kernels of others that it uses beside its own */
		snprintf(relative, sizeof relative, "traces/%.200s/*.ptx", w->name);
		rc = add_files(h, relative, e) || add_files(h, "traces/taftrack/kernel.ptx", e) ? -1 : 0;
	} else {
		rc = add_users_file(h, what, e);
	}
	*hash = end(h);
	return rc;
}

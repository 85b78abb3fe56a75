/* Which RTL files a block is built from: looked up before, and as Verilator says it afterwards. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/files/root.h"
#include "bind/bind.h"

enum { MAX_FILES = 256, MAX_TEXT = 4 << 20 };

struct list {
	struct arena *a;
	const char **file;
	unsigned n;
};

static bool is_verilog(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".v") || !strcmp(dot, ".sv") || !strcmp(dot, ".vh") || !strcmp(dot, ".svh"));
}

static int add(struct list *l, const char *path, struct err *e)
{
	struct stat st;

	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->file[i], path))
			return 0;
	if (stat(path, &st))
		return err_set(e, "%s: no such file", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, "%s: not a file", path);
	if (l->n == MAX_FILES)
		return err_set(e, "%s: more than %d Verilog files in one folder", path, MAX_FILES);
	l->file[l->n++] = path;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *bind_source_text(const char *path)
{
	size_t n;
	char *text = infile_text(path, MAX_TEXT, &n, NULL);

	return text ? text : xcalloc(1, 1);
}

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the text names that file's module or includes it: Verilator looks modules up by the names of files. */
static bool mentions(const char *text, const char *file, struct arena *a)
{
	size_t n = strcspn(file, ".");
	const char *module = arena_printf(a, "%.*s", (int)n, file);

	if (strstr(text, file))
		return true;
	for (const char *at = n ? strstr(text, module) : NULL; at; at = strstr(at + 1, module))
		if (!is_word(at[n]) && (at == text || !is_word(at[-1])))
			return true;
	return false;
}

/* The Verilog files in the same folder that the file mentions, in the order of their names. */
static int add_beside(struct list *l, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? arena_printf(l->a, "%.*s", (int)(slash - path), path) : arena_strdup(l->a, "."), *text;
	const char *found[MAX_FILES];
	unsigned n = 0;
	DIR *d = opendir(dir[0] ? dir : "/");
	struct dirent *entry;
	int rc = 0;

	text = bind_source_text(path);
	while (d && n < MAX_FILES && (entry = readdir(d)))
		if (is_verilog(entry->d_name) && mentions(text, entry->d_name, l->a))
			found[n++] = slash ? arena_printf(l->a, "%s/%s", dir, entry->d_name) : arena_strdup(l->a, entry->d_name);
	if (d)
		closedir(d);
	free(text);
	qsort(found, n, sizeof *found, by_name);
	for (unsigned i = 0; i < n && !rc; i++)
		rc = add(l, found[i], e);
	return rc;
}

int bind_sources(const struct bind_request *q, struct arena *a, const char ***files, unsigned *n_named, struct err *e)
{
	struct list l = {a, arena_array(a, MAX_FILES, sizeof *l.file), 0};
	char own[4096], *names, *save = NULL;

	names = arena_strdup(a, q->rtl ? q->rtl : root_path(q->block->source, own));
	for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
		if (add(&l, name, e))
			return -1;
	*n_named = l.n;
	if (l.n == 0)
		return err_set(e, "no RTL file is named");
	for (unsigned i = 0; i < l.n; i++) /* grows while it runs: what is added may mention others */
		if (add_beside(&l, l.file[i], e))
			return -1;
	*files = l.file;
	return (int)l.n;
}

/* ---- what Verilator read ---- */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

/* Verilator itself and the packages that come with it. */
static bool is_verilators(const char *path)
{
	return !strcmp(path, "/usr/bin/verilator_bin") || (!strncmp(path, "/usr/share/verilator/", 21) && !strstr(path, ".."));
}

static bool is_outside(const char *path, const char *folder, const char *const *files, unsigned n_files)
{
	size_t n = strlen(folder);

	if (is_verilators(path) || (!strncmp(path, folder, n) && path[n] == '/' && !strstr(path + n, "..")))
		return false;
	for (unsigned i = 0; i < n_files; i++)
		if (same_file(path, files[i]))
			return false;
	return true;
}

/* A line of a source: S size, inode, times, "path". */
static char *source_of(char *line)
{
	char *from = strchr(line, '"'), *to = strrchr(line, '"');

	if (strncmp(line, "S ", 2) != 0 || !from || to == from)
		return NULL;
	*to = '\0';
	return from + 1;
}

int bind_read_outside(const char *folder, const char *const *files, unsigned n_files, struct arena *a, const char ***outside,
		      struct err *e)
{
	char *line = NULL, *path, real[PATH_MAX];
	const char **list = arena_array(a, MAX_FILES, sizeof *list);
	const char *name = arena_printf(a, "%s/Vcosim__verFiles.dat", folder);
	struct err why = {""};
	FILE *f = infile_open(name, INFILE_MOST, &why);
	size_t cap = 0;
	int n = 0;

	while (f && getline(&line, &cap, f) >= 0 && n < MAX_FILES) {
		path = source_of(line);
		if (path && is_outside(path, folder, files, n_files))
			list[n++] = arena_strdup(a, realpath(path, real) ? real : path);
	}
	free(line);
	if (!f)
		return err_set(e, "%s: Verilator does not say which files it read", why.text);
	fclose(f);
	*outside = list;
	return n < MAX_FILES ? n : err_set(e, "%s: more than %d Verilog files", name, MAX_FILES);
}

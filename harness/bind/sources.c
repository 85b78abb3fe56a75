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

enum { MAX_FILES = 256, MAX_DIRS = 64, MAX_TEXT = 4 << 20, MAX_LISTS = 4 /* lists within lists */ };

struct list {
	struct arena *a;
	bool foreign;
	char within[PATH_MAX]; /* of a foreign request; "": nowhere */
	const char **file, **dir;
	unsigned n, n_dirs;
	struct bind_data *data;
	unsigned n_data;
};

static bool is_verilog(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".v") || !strcmp(dot, ".sv") || !strcmp(dot, ".vh") || !strcmp(dot, ".svh"));
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
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
		return err_set(e, "%s: more than %d Verilog files", path, MAX_FILES);
	l->file[l->n++] = path;
	return 0;
}

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	return !slash ? "." : slash == path ? "/" : arena_printf(a, "%.*s", (int)(slash - path), path);
}

static int add_dir(struct list *l, const char *dir, struct err *e)
{
	for (unsigned i = 0; i < l->n_dirs; i++)
		if (!strcmp(l->dir[i], dir))
			return 0;
	if (l->n_dirs == MAX_DIRS)
		return err_set(e, "%s: more than %d folders of Verilog", dir, MAX_DIRS);
	l->dir[l->n_dirs++] = dir;
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

/* ---- lists of files ---- */

static int add_named(struct list *l, const char *path, struct list *late, unsigned depth, struct err *e);

/* A path in a list is relative to the list's folder. */
static const char *beside(const char *list, const char *path, struct arena *a)
{
	const char *dir = folder_of(list, a);

	return path[0] == '/' || !strcmp(dir, ".") ? arena_strdup(a, path) : arena_printf(a, "%s/%s", dir, path);
}

static int add_incdir(struct list *late, const char *dir, const char *list, unsigned line, struct err *e)
{
	struct stat st;

	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return err_set(e, "%s:%u: %s: no such folder", list, line, dir);
	return add_dir(late, dir, e);
}

static int add_word(struct list *l, const char *word, const char *list, unsigned line, struct list *late, unsigned depth,
		    struct err *e)
{
	char *dirs, *save = NULL;
	int rc = 0;

	if (!strncmp(word, "+incdir+", 8)) {
		dirs = arena_strdup(l->a, word + 8);
		for (char *dir = strtok_r(dirs, "+", &save); dir && !rc; dir = strtok_r(NULL, "+", &save))
			rc = add_incdir(late, beside(list, dir, l->a), list, line, e);
		return rc;
	}
	if (!strncmp(word, "-I", 2) && word[2])
		return add_incdir(late, beside(list, word + 2, l->a), list, line, e);
	if (word[0] == '+' || word[0] == '-')
		return err_set(e, "%s:%u: \"%s\": a list holds files, -f LIST, +incdir+DIR and -IDIR alone", list, line, word);
	return add_named(l, beside(list, word, l->a), late, depth, e);
}

/* Words of a line up to a comment. -f is followed by a list. */
static int add_line(struct list *l, char *text, const char *list, unsigned line, struct list *late, unsigned depth, struct err *e)
{
	char *save = NULL, *comment = strstr(text, "//");
	bool is_list = false;

	if (comment)
		*comment = '\0';
	text[strcspn(text, "#")] = '\0';
	for (char *word = strtok_r(text, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save)) {
		if (!is_list && (!strcmp(word, "-f") || !strcmp(word, "-F"))) {
			is_list = true;
			continue;
		}
		if (is_list && (strlen(word) < 3 || strcmp(word + strlen(word) - 2, ".f") != 0))
			return err_set(e, "%s:%u: -f %s: the name of a list ends in .f", list, line, word);
		if (add_word(l, word, list, line, late, depth, e))
			return -1;
		is_list = false;
	}
	return is_list ? err_set(e, "%s:%u: -f without a list", list, line) : 0;
}

static int add_list(struct list *l, const char *path, struct list *late, unsigned depth, struct err *e)
{
	size_t n;
	char *text = infile_text(path, MAX_TEXT, &n, e);
	unsigned line = 1;
	int rc = text ? 0 : -1;

	if (text && depth == MAX_LISTS)
		rc = err_set(e, "%s: more than %d lists within lists", path, MAX_LISTS);
	for (char *at = text; at && !rc; line++) {
		char *next = strchr(at, '\n');

		if (next)
			*next++ = '\0';
		rc = add_line(l, at, path, line, late, depth + 1, e);
		at = next;
	}
	free(text);
	return rc;
}

/* A file of --rtl, or a list of them. late: gets folders of lists, which are looked at after those of the files. */
static int add_named(struct list *l, const char *path, struct list *late, unsigned depth, struct err *e)
{
	size_t n = strlen(path);

	if (n > 2 && !strcmp(path + n - 2, ".f") && !l->foreign)
		return add_list(l, path, late, depth, e);
	return add(l, path, e);
}

/* ---- files that they mention ---- */

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

/* The Verilog files of a folder that the text mentions, in the order of their names. */
static int add_modules(struct list *l, const char *text, const char *dir, struct err *e)
{
	const char *found[MAX_FILES];
	unsigned n = 0;
	DIR *d = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	while (d && n < MAX_FILES && (entry = readdir(d)))
		if (is_verilog(entry->d_name) && mentions(text, entry->d_name, l->a))
			found[n++] = strcmp(dir, ".") ? arena_printf(l->a, "%s/%s", strcmp(dir, "/") ? dir : "", entry->d_name)
						      : arena_strdup(l->a, entry->d_name);
	if (d)
		closedir(d);
	qsort(found, n, sizeof *found, by_name);
	for (unsigned i = 0; i < n && !rc; i++)
		rc = add(l, found[i], e);
	return rc;
}

/* A file; if it is somebody else's, one of the bundle's. */
static bool is_theirs(const struct list *l, const char *path)
{
	char real[PATH_MAX];
	size_t n = strlen(l->within);

	if (!is_file(path))
		return false;
	return !l->foreign || (n && realpath(path, real) && !strncmp(real, l->within, n) && real[n] == '/');
}

/* What a string of the text names in one of the folders, or NULL. Somebody else's leads out of none of them. */
static const char *look_up(const struct list *l, const char *name)
{
	const char *path;

	if (name[0] == '/') {
		/* A bundle has the file at the end of that path. */
		for (const char *tail = name; tail && l->foreign; tail = strchr(tail + 1, '/'))
			if (!strstr(tail, "..") && (path = look_up(l, tail + 1)))
				return path;
		return !l->foreign && is_file(name) ? arena_strdup(l->a, name) : NULL;
	}
	for (unsigned i = 0; i < l->n_dirs; i++) {
		path = strcmp(l->dir[i], ".") ? arena_printf(l->a, "%s/%s", l->dir[i], name) : arena_strdup(l->a, name);
		if (is_theirs(l, path))
			return path;
	}
	return NULL;
}

static int add_data(struct list *l, const char *name, const char *path, struct err *e)
{
	for (unsigned i = 0; i < l->n_data; i++)
		if (!strcmp(l->data[i].name, name))
			return 0;
	if (l->n_data == MAX_FILES)
		return err_set(e, "%s: more than %d files of data", path, MAX_FILES);
	l->data[l->n_data++] = (struct bind_data){arena_strdup(l->a, name), path};
	return 0;
}

/* Each string of the text: a header if `include is before it, else, where the text reads memories, a file of data. */
static int add_strings(struct list *l, const char *text, struct err *e)
{
	bool reads = strstr(text, "$readmem");
	char name[1024];

	for (const char *at = strchr(text, '"'), *line = text; at; at = strchr(at, '"')) {
		const char *path, *back = at;
		size_t n = strcspn(at + 1, "\"\n");
		bool include;

		while (back > line && (back[-1] == ' ' || back[-1] == '\t'))
			back--;
		include = back - text >= 8 && !strncmp(back - 8, "`include", 8);
		if (at[1 + n] != '"') { /* no string of one line */
			at += 1;
			continue;
		}
		if (n && n < sizeof name && (include || reads)) {
			snprintf(name, sizeof name, "%.*s", (int)n, at + 1);
			path = look_up(l, name);
			if (path && (include ? add(l, path, e) : add_data(l, name, path, e)))
				return -1;
		}
		at += n + 2;
	}
	return 0;
}

static int add_mentioned(struct list *l, const char *path, struct err *e)
{
	char *text = bind_source_text(path);
	const char *dir = folder_of(path, l->a);
	int rc = add_modules(l, text, dir, e);

	for (unsigned i = 0; i < l->n_dirs && !rc; i++)
		if (strcmp(l->dir[i], dir) != 0)
			rc = add_modules(l, text, l->dir[i], e);
	rc = rc ? rc : add_strings(l, text, e);
	free(text);
	return rc;
}

int bind_sources(const struct bind_request *q, struct arena *a, struct bind_sources *out, struct err *e)
{
	struct list l = {.a = a,
			 .foreign = q->foreign,
			 .file = arena_array(a, MAX_FILES, sizeof *l.file),
			 .dir = arena_array(a, MAX_DIRS, sizeof *l.dir),
			 .data = arena_array(a, MAX_FILES, sizeof *l.data)};
	struct list late = {.dir = arena_array(a, MAX_DIRS, sizeof *late.dir)};
	char own[4096], *names, *save = NULL;

	memset(out, 0, sizeof *out);
	if (q->foreign && (!q->within || !realpath(q->within, l.within)))
		l.within[0] = '\0';
	names = arena_strdup(a, q->rtl ? q->rtl : root_path(q->block->source, own));
	for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
		if (add_named(&l, name, &late, 0, e))
			return -1;
	out->n_named = l.n;
	if (l.n == 0)
		return err_set(e, "no RTL file is named");
	for (unsigned i = 0; i < l.n; i++)
		if (add_dir(&l, folder_of(l.file[i], a), e))
			return -1;
	out->n_named_dirs = l.n_dirs;
	save = NULL;
	names = arena_strdup(a, q->fit ? q->fit->dirs : "");
	for (char *dir = strtok_r(names, ",", &save); dir; dir = strtok_r(NULL, ",", &save))
		if (add_dir(&l, dir, e))
			return -1;
	for (unsigned i = 0; i < late.n_dirs; i++)
		if (add_dir(&l, late.dir[i], e))
			return -1;
	for (unsigned i = 0; i < l.n; i++) /* grows while it runs: what is added may mention others */
		if (add_mentioned(&l, l.file[i], e))
			return -1;
	out->file = l.file;
	out->n = l.n;
	out->dir = l.dir;
	out->n_dirs = l.n_dirs;
	out->data = l.data;
	out->n_data = l.n_data;
	return 0;
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

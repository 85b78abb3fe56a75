#include "process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/files/newfile.h"
#include "process/terminal.h"

static int cannot(const char *path, struct err *e)
{
	return err_set(e, "%s: cannot write: %s", *path ? path : "\"\"", strerror(errno ? errno : EIO));
}

static FILE *open_nameless(const char *path)
{
	int fd = newfile_open(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

int output_open(struct output *o, const char *path, struct err *e)
{
	struct stat st;

	*o = (struct output){.path = path};
	if (!path)
		return 0;
	if (!strcmp(path, "-")) {
		o->path = "standard output";
		o->f = terminal_give_stdout();
		return o->f ? 0 : err_set(e, "two outputs cannot both be - (standard output)");
	}
	o->nameless = stat(path, &st) != 0 || S_ISREG(st.st_mode);
	errno = ENOENT;
	if (*path)
		o->f = o->nameless ? open_nameless(path) : fopen(path, "w");
	return o->f ? 0 : cannot(path, e);
}

static int cannot_beneath(const char *path, struct err *e)
{
	if (errno == ELOOP)
		return err_set(e, "%s: leads through a symbolic link, which is not followed for a path from a file", path);
	if (errno == EXDEV)
		return err_set(e, "%s: leads out of the current folder", path);
	return cannot(path, e);
}

static void close_folder(struct output *o)
{
	if (!o->beneath)
		return;
	close(o->folder);
	free(o->beneath);
	o->beneath = NULL;
}

int output_open_beneath(struct output *o, const char *path, struct err *e)
{
	const char *name;
	struct stat st;

	*o = (struct output){.path = path, .nameless = true};
	o->folder = newfile_folder_beneath(path, &name);
	if (o->folder < 0)
		return cannot_beneath(path, e);
	o->beneath = xmalloc(strlen(name) + 64);
	sprintf(o->beneath, "/proc/self/fd/%d/%s", o->folder, name);
	if (fstatat(o->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode)) {
		errno = ELOOP;
		if (S_ISLNK(st.st_mode))
			cannot_beneath(path, e);
		else
			err_set(e, "%s: is there already, and not a regular file", path);
	} else {
		o->f = open_nameless(o->beneath);
		if (!o->f)
			cannot(path, e);
	}
	if (!o->f)
		close_folder(o);
	return o->f ? 0 : -1;
}

int output_keep(struct output *o, struct err *e)
{
	FILE *f = o->f;
	int failed, why;

	if (!f)
		return 0;
	o->f = NULL;
	errno = 0;
	failed = ferror(f);
	failed = fflush(f) || failed || (o->nameless && newfile_keep(fileno(f), o->beneath ? o->beneath : o->path));
	why = errno;
	if (fclose(f) && !failed) {
		failed = 1;
		why = errno;
	}
	close_folder(o);
	errno = why;
	return failed ? cannot(o->path, e) : 0;
}

void output_drop(struct output *o)
{
	if (o->f)
		fclose(o->f);
	close_folder(o);
	*o = (struct output){0};
}

int output_folder(const char *dir, struct err *e)
{
	char path[4096];

	if ((size_t)snprintf(path, sizeof path, "%s", dir) >= sizeof path || !*dir)
		return err_set(e, "%s: is no name of a folder", dir);
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return err_set(e, "%s: %s", dir, strerror(errno));
	return 0;
}

int output_folder_beneath(const char *dir, struct err *e)
{
	char inside[4096];
	const char *name;
	int folder;

	if ((size_t)snprintf(inside, sizeof inside, "%s/.", dir) >= sizeof inside || !*dir)
		return err_set(e, "%s: is no name of a folder", dir);
	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		return err_set(e, "%s: %s", dir, strerror(errno));
	folder = newfile_folder_beneath(inside, &name);
	if (folder < 0)
		return cannot_beneath(dir, e);
	close(folder);
	return 0;
}

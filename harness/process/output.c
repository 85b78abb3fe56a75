#include "process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/files/newfile.h"
#include "process/terminal.h"

static int cannot(const char *path, struct err *e)
{
	return err_set(e, "%s: cannot write: %s", *path ? path : "\"\"", strerror(errno ? errno : EIO));
}

/* A stream forgets why a write failed, which may be long before anybody asks. */
struct output_sink {
	int fd, why; /* why: errno of the first write that failed; 0: none has */
};

static ssize_t put(void *cookie, const char *bytes, size_t n)
{
	struct output_sink *s = cookie;
	size_t done = 0;

	while (done < n) {
		ssize_t put = write(s->fd, bytes + done, n - done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			s->why = s->why ? s->why : put < 0 ? errno : EIO;
			return 0;
		}
		done += (size_t)put;
	}
	return (ssize_t)n;
}

static int put_end(void *cookie)
{
	struct output_sink *s = cookie;
	int rc = close(s->fd);

	if (rc != 0 && !s->why)
		s->why = errno;
	return rc;
}

static void open_sink(struct output *o, int fd)
{
	if (fd < 0)
		return;
	o->sink = xmalloc(sizeof *o->sink);
	*o->sink = (struct output_sink){fd, 0};
	o->f = fopencookie(o->sink, "w", (cookie_io_functions_t){.write = put, .close = put_end});
	if (o->f)
		return;
	free(o->sink);
	o->sink = NULL;
	close(fd);
}

int output_failed(const struct output *o, struct err *e)
{
	errno = o->sink && o->sink->why ? o->sink->why : errno;
	return cannot(o->path, e);
}

int output_distinct(const char *const *path, unsigned n, struct err *e)
{
	struct stat st;

	for (unsigned i = 1; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			if (path[i] && path[k] && !strcmp(path[i], path[k]) && (stat(path[i], &st) != 0 || S_ISREG(st.st_mode)))
				return err_set(e, "two outputs cannot both be %s", path[i]);
	return 0;
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
		open_sink(o, o->nameless ? newfile_open(path) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
	return o->f ? 0 : cannot(path, e);
}

static int cannot_beneath(const char *path, struct err *e)
{
	if (errno == ELOOP)
		return err_set(e, "%s: leads through a symbolic link, which is not followed for a path from a file", path);
	if (errno == EXDEV)
		return err_set(e, "%s: a path from a file must stay within the current folder", path);
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
			err_set(e, "%s: exists and is not a regular file", path);
	} else {
		open_sink(o, newfile_open(o->beneath));
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
	failed = fflush(f) || failed || (o->nameless && newfile_keep(o->sink->fd, o->beneath ? o->beneath : o->path));
	why = errno;
	if (fclose(f) && !failed) {
		failed = 1;
		why = errno;
	}
	close_folder(o);
	errno = why;
	if (failed)
		output_failed(o, e);
	free(o->sink);
	o->sink = NULL;
	return failed ? -1 : 0;
}

void output_drop(struct output *o)
{
	if (o->f)
		fclose(o->f);
	free(o->sink);
	close_folder(o);
	*o = (struct output){0};
}

int output_copy(const char *from, const char *to, size_t most, struct err *e)
{
	struct output o;
	size_t n;
	char *text = infile_text(from, most, &n, e);
	int rc = -1;

	if (text && output_open(&o, to, e) == 0) {
		fwrite(text, 1, n, o.f);
		rc = output_keep(&o, e);
	}
	free(text);
	return rc;
}

int output_folder(const char *dir, struct err *e)
{
	char path[4096];

	if ((size_t)snprintf(path, sizeof path, "%s", dir) >= sizeof path || !*dir)
		return err_set(e, "%s: is not the name of a folder", dir);
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
		return err_set(e, "%s: is not the name of a folder", dir);
	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		return err_set(e, "%s: %s", dir, strerror(errno));
	folder = newfile_folder_beneath(inside, &name);
	if (folder < 0)
		return cannot_beneath(dir, e);
	close(folder);
	return 0;
}

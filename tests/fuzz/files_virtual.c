/* files.h in memory. csim's and the harness's calls of fopen and the like are renamed to the functions below by
 * tests/fuzz/fuzz.mk.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"

enum { MAX_FILES = 16 };

static struct file {
	char name[64];
	int fd;
} files[MAX_FILES];

static struct file *find(const char *name)
{
	struct file *f = files;

	while (f < files + MAX_FILES && f->name[0] && strcmp(f->name, name) != 0)
		f++;
	return f < files + MAX_FILES ? f : NULL;
}

void files_put(const char *name, const void *bytes, size_t n)
{
	struct file *f = find(name);

	REQUIRE(f && strlen(name) < sizeof f->name);
	if (!f->name[0]) {
		strcpy(f->name, name);
		f->fd = memfd_create(name, MFD_CLOEXEC);
	}
	REQUIRE(f->fd >= 0 && ftruncate(f->fd, (off_t)n) == 0 && (n == 0 || pwrite(f->fd, bytes, n, 0) == (ssize_t)n));
}

void files_put_copy(const char *name, const char *path)
{
	static char bytes[1 << 16];
	FILE *f = fopen(path, "rb");
	size_t n;

	REQUIRE(f);
	n = fread(bytes, 1, sizeof bytes, f);
	REQUIRE(n < sizeof bytes);
	fclose(f);
	files_put(name, bytes, n);
}

/* A description of its own, at the file's start: -1 if there is no such file. */
static int open_again(const char *name, int mode)
{
	const struct file *f = find(name);
	char path[64];

	if (!f || !f->name[0]) {
		errno = ENOENT;
		return -1;
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
	return open(path, mode | O_CLOEXEC);
}

FILE *files_fopen(const char *name, const char *mode);
FILE *files_fopen(const char *name, const char *mode)
{
	int fd = open_again(name, O_RDONLY);

	(void)mode;
	return fd < 0 ? NULL : fdopen(fd, "r");
}

int files_open(const char *name, int flags, ...);
int files_open(const char *name, int flags, ...)
{
	if ((flags & O_TMPFILE) == O_TMPFILE) /* a file that gets its name when it is whole: files_linkat */
		return memfd_create("new", MFD_CLOEXEC);
	if (flags & O_CREAT)
		files_put(name, "", 0);
	return open_again(name, flags & O_ACCMODE);
}

int files_unlink(const char *name);
int files_unlink(const char *name)
{
	struct file *f = find(name), *last = f;

	if (!f || !f->name[0])
		return -1;
	close(f->fd);
	while (last + 1 < files + MAX_FILES && last[1].name[0])
		last++;
	*f = *last;
	*last = (struct file){"", -1};
	return 0;
}

int files_linkat(int from_at, const char *from, int to_at, const char *to, int flags);
int files_linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	int fd = -1;

	(void)from_at, (void)to_at, (void)flags;
	REQUIRE(sscanf(from, "/proc/self/fd/%d", &fd) == 1);
	files_put(to, "", 0);
	close(find(to)->fd);
	find(to)->fd = dup(fd);
	return find(to)->fd < 0 ? -1 : 0;
}

int files_rename(const char *from, const char *to);
int files_rename(const char *from, const char *to)
{
	struct file *f;

	REQUIRE(strlen(to) < sizeof f->name);
	files_unlink(to);
	f = find(from);
	REQUIRE(f && f->name[0]);
	strcpy(f->name, to);
	return 0;
}

gzFile files_gzopen(const char *name, const char *mode);
gzFile files_gzopen(const char *name, const char *mode)
{
	int fd = open_again(name, O_RDONLY);

	(void)mode;
	return fd < 0 ? NULL : gzdopen(fd, "rb");
}

int files_access(const char *name, int mode);
int files_access(const char *name, int mode)
{
	const struct file *f = find(name);

	(void)mode;
	return f && f->name[0] ? 0 : -1;
}

void *files_opendir(const char *name);
void *files_opendir(const char *name)
{
	(void)name;
	return NULL;
}

/* What the program spills goes to memory. */
int files_mkostemp(char *name, int flags);
int files_mkostemp(char *name, int flags)
{
	(void)flags;
	return memfd_create(name, MFD_CLOEXEC);
}

#include "base/files/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/scratch.h"

enum { CHUNK = 1 << 16 };

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 2;
	char *folder = xmalloc(n + 1);

	memcpy(folder, slash ? path : "./", n);
	folder[n] = '\0';
	return folder;
}

/* "PATH.XXXXXX", for mkostemp. */
static char *template_of(const char *path)
{
	size_t n = strlen(path);
	char *name = xmalloc(n + sizeof ".XXXXXX");

	snprintf(name, n + sizeof ".XXXXXX", "%s.XXXXXX", path);
	return name;
}

/* mkostemp gives 0600. */
static void settle_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

static int open_and_unlink(const char *path)
{
	char *name = template_of(path);
	sigset_t before;
	int fd;

	hold_signals(&before);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd >= 0)
		settle_mode(fd);
	free(name);
	return fd;
}

int newfile_open(const char *path)
{
	char *folder = folder_of(path);
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

	free(folder);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		fd = open_and_unlink(path);
	return fd;
}

static int give_name(int fd, const char *name)
{
	char self[64];

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int copy_bytes(int from, int to)
{
	char *chunk = xmalloc(CHUNK);
	ssize_t n, put = 0;
	off_t at = 0;

	while ((n = pread(from, chunk, CHUNK, at)) > 0) {
		for (ssize_t done = 0; done < n; done += put)
			if ((put = write(to, chunk + done, (size_t)(n - done))) < 0)
				goto out;
		at += n;
	}
out:
	free(chunk);
	return n < 0 || put < 0 ? -1 : 0;
}

static int copy_anew(int fd, const char *name)
{
	int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), failed, why;

	if (to < 0)
		return -1;
	failed = copy_bytes(fd, to);
	why = errno;
	if (close(to) && !failed) {
		failed = -1;
		why = errno;
	}
	errno = why;
	return failed;
}

/* By a name in a folder beside it, which has a lock while we live: what a kill leaves there the next one removes. */
static int replace(int fd, const char *path)
{
	char *folder = folder_of(path), name[sizeof((struct scratch *)0)->path + 8];
	struct scratch aside;
	struct err e = {""};
	sigset_t before;
	int failed, why;

	hold_signals(&before);
	scratch_collect(folder);
	failed = scratch_open(&aside, folder, &e);
	why = errno;
	if (!failed) {
		snprintf(name, sizeof name, "%s/new", aside.path);
		failed = (give_name(fd, name) && copy_anew(fd, name)) || rename(name, path);
		why = errno;
		scratch_close(&aside);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(folder);
	errno = why;
	return failed ? -1 : 0;
}

int newfile_keep(int fd, const char *path)
{
	return give_name(fd, path) == 0 ? 0 : replace(fd, path);
}

/* ---- a folder below the working folder ---- */

static int open_part(int at, const char *part, size_t n)
{
	char name[NAME_MAX + 1];
	struct stat st;
	int fd;

	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name), part);
	if (n == 0 || n >= sizeof name || !strcmp(name, "..")) {
		errno = n >= sizeof name ? ENAMETOOLONG : EXDEV;
		return -1;
	}
	fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOTDIR)
		errno = fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode) ? ELOOP : ENOTDIR;
	return fd;
}

static int open_part_by_part(const char *folder)
{
	int at = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (const char *part = folder; at >= 0 && *part;) {
		size_t n = strcspn(part, "/");
		int next = open_part(at, part, n), why = errno;

		close(at);
		errno = why;
		at = next;
		part += n + (part[n] == '/');
	}
	return at;
}

/* Linux before 5.6 has no openat2, and some sandboxes refuse calls that they do not know. */
int newfile_folder_beneath(const char *path, const char **name)
{
	struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	char *folder = folder_of(path);
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, folder, &how, sizeof how), why;

	*name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = open_part_by_part(folder);
	why = errno;
	free(folder);
	errno = why;
	return fd;
}

#include "base/files/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

enum { TRIES = 100, CHUNK = 1 << 16 };

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

/* Gives the file the first name PATH.XXXXXX that is free. */
static int link_anew(int fd, char *name)
{
	size_t n = strlen(name) - 6;

	for (unsigned i = 0; i < TRIES; i++) {
		snprintf(name + n, 7, "%06x", ((unsigned)getpid() << 7 ^ i) & 0xffffff);
		if (give_name(fd, name) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	memcpy(name + n, "XXXXXX", 6);
	return -1;
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

static int copy_anew(int fd, char *name)
{
	int to = mkostemp(name, O_CLOEXEC), failed, why;

	if (to < 0)
		return -1;
	settle_mode(to);
	failed = copy_bytes(fd, to);
	failed = failed ? (why = errno, close(to), errno = why, -1) : close(to);
	if (failed) {
		why = errno;
		unlink(name);
		errno = why;
	}
	return failed;
}

/* By a name beside it. */
static int replace(int fd, const char *path)
{
	char *name = template_of(path);
	sigset_t before;
	int failed, why;

	hold_signals(&before);
	failed = link_anew(fd, name) && copy_anew(fd, name);
	if (!failed && rename(name, path)) {
		failed = -1;
		why = errno;
		unlink(name);
		errno = why;
	}
	why = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(name);
	errno = why;
	return failed ? -1 : 0;
}

int newfile_keep(int fd, const char *path)
{
	return give_name(fd, path) == 0 ? 0 : replace(fd, path);
}

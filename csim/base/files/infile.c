#include "base/files/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { TRIES = 100, TRY_MS = 10 };

/* tee() looks into a pipe without taking anything out: 0 if it is empty and has no writer, EAGAIN if it is empty and
 * has one. */
static bool has_writer(int fd)
{
	const struct timespec pause = {.tv_nsec = TRY_MS * 1000000L};
	ssize_t seen = 0;
	int other[2];

	if (pipe2(other, O_CLOEXEC) != 0)
		return true;
	for (int i = 0; i < TRIES && seen == 0; i++) {
		if (i)
			nanosleep(&pause, NULL);
		seen = tee(fd, other[1], 1, SPLICE_F_NONBLOCK);
	}
	close(other[0]);
	close(other[1]);
	return seen != 0;
}

static int refuse(int fd, const char *path, const char *why, struct err *e)
{
	if (fd >= 0)
		close(fd);
	return err_set(e, "%s: %s", path, why);
}

static int open_without_waiting(const char *path, struct stat *st, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, st) != 0)
		return refuse(fd, path, strerror(errno), e);
	return fd;
}

FILE *infile_open(const char *path, struct err *e)
{
	struct stat st;
	int fd = open_without_waiting(path, &st, e);

	if (fd >= 0 && !S_ISREG(st.st_mode))
		fd = refuse(fd, path, "not a file", e);
	return fd < 0 ? NULL : fdopen(fd, "r");
}

char *infile_text(const char *path, size_t most, size_t *n, struct err *e)
{
	FILE *f = infile_open(path, e);
	char *text = NULL;
	struct stat st;

	if (!f)
		return NULL;
	if (fstat(fileno(f), &st) != 0) {
		err_set(e, "%s: %s", path, strerror(errno));
	} else if ((size_t)st.st_size > most) {
		err_set(e, "%s: larger than %zu bytes", path, most);
	} else {
		text = xmalloc((size_t)st.st_size + 1);
		*n = fread(text, 1, (size_t)st.st_size, f);
		text[*n] = '\0';
		if (ferror(f)) {
			err_set(e, "%s: cannot be read", path);
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	return text;
}

int infile_stream_fd(const char *path, struct err *e)
{
	struct stat st;
	int fd = open_without_waiting(path, &st, e);

	if (fd < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return refuse(fd, path, strerror(EISDIR), e);
	if (S_ISFIFO(st.st_mode) && !has_writer(fd))
		return refuse(fd, path, "a FIFO that nobody writes to", e);
	if (fcntl(fd, F_SETFL, 0) != 0) /* from here on reads wait for the writer */
		return refuse(fd, path, strerror(errno), e);
	return fd;
}

FILE *infile_stream(const char *path, struct err *e)
{
	int fd = infile_stream_fd(path, e);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

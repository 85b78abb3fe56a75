#include "base/files/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

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

/* "64 GiB", or a number of bytes that is a multiple of no unit. */
static const char *size_text(uint64_t bytes, char out[32])
{
	static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB"};
	unsigned u = 0;

	for (; u < 3 && bytes % 1024 == 0 && bytes; u++)
		bytes /= 1024;
	snprintf(out, 32, "%" PRIu64 " %s", bytes, unit[u]);
	return out;
}

int infile_too_large(const char *path, uint64_t most, struct err *e)
{
	char size[32];

	return err_set(e, "%s: larger than %s, the most that is read", path, size_text(most, size));
}

int infile_unpacks_to_more(const char *path, uint64_t most, struct err *e)
{
	char size[32];

	return err_set(e, "%s: unpacks to more than %s (--max-unpacked SIZE allows more)", path, size_text(most, size));
}

static int refuse_large(int fd, const char *path, uint64_t most, struct err *e)
{
	close(fd);
	return infile_too_large(path, most, e);
}

int infile_open_fd(const char *path, uint64_t most, struct err *e)
{
	struct stat st;
	int fd = open_without_waiting(path, &st, e);

	if (fd >= 0 && !S_ISREG(st.st_mode))
		fd = refuse(fd, path, "not a regular file", e);
	else if (fd >= 0 && (uint64_t)st.st_size > most)
		fd = refuse_large(fd, path, most, e);
	return fd;
}

FILE *infile_open(const char *path, uint64_t most, struct err *e)
{
	int fd = infile_open_fd(path, most, e);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

char *infile_text(const char *path, size_t most, size_t *n, struct err *e)
{
	FILE *f = infile_open(path, most, e);
	char *text = NULL;
	struct stat st;

	if (!f)
		return NULL;
	if (fstat(fileno(f), &st) != 0) {
		err_set(e, "%s: %s", path, strerror(errno));
	} else if (!(text = malloc((size_t)st.st_size + 1))) {
		err_set(e, "%s: not enough memory to read it", path);
	} else {
		*n = fread(text, 1, (size_t)st.st_size, f);
		text[*n] = '\0';
		if (ferror(f)) {
			err_set(e, "%s: %s", path, strerror(errno));
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	return text;
}

static int refuse_theirs(const char *path, const char *why, struct err *e)
{
	return err_set(e, "%s: %s, who could make this program do anything", path, why);
}

int infile_is_ours(const char *path, const struct stat *st, struct err *e)
{
	const char *slash = strrchr(path, '/');
	struct stat in;
	char *folder;
	int rc;

	if (st->st_uid != geteuid())
		return refuse_theirs(path, "belongs to another user", e);
	if (st->st_mode & S_IWOTH)
		return refuse_theirs(path, "may be written by others", e);
	folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	rc = folder ? stat(folder, &in) : -1;
	free(folder);
	if (rc != 0)
		return err_set(e, "%s: %s", path, strerror(errno));
	if (in.st_uid != geteuid() && in.st_uid != 0)
		return refuse_theirs(path, "is in a folder of another user", e);
	return in.st_mode & S_IWOTH && !(in.st_mode & S_ISVTX) ? refuse_theirs(path, "is in a folder that others may write", e) : 0;
}

int infile_stream_fd(const char *path, uint64_t most, struct err *e)
{
	struct stat st;
	int fd = open_without_waiting(path, &st, e);

	if (fd < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return refuse(fd, path, strerror(EISDIR), e);
	if (S_ISREG(st.st_mode))
		return (uint64_t)st.st_size > most ? refuse_large(fd, path, most, e) : fd;
	if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && st.st_rdev != makedev(1, 3) && !isatty(fd)))
		return refuse(fd, path, "a device, which has no end", e);
	if (S_ISFIFO(st.st_mode) && !has_writer(fd))
		return refuse(fd, path, "a FIFO that nobody writes to", e);
	if (fcntl(fd, F_SETFL, 0) != 0) /* from here on reads wait for the writer */
		return refuse(fd, path, strerror(errno), e);
	return fd;
}

FILE *infile_stream(const char *path, uint64_t most, struct err *e)
{
	int fd = infile_stream_fd(path, most, e);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

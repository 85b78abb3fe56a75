#include "process/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum { LETTER = 4, STATUS = 2 }; /* bytes of a letter at most; the exit status of a text that was not taken */

struct stream {
	int fd, why; /* why: errno of the first write that failed */
	unsigned n;
	char held[LETTER]; /* the begin of a letter whose rest is still to come */
	bool open;
};

struct terminal {
	struct stream out, err;
	FILE *stdout_before, *stderr_before;
};

static int put_all(struct stream *s, const char *text, size_t n)
{
	while (n && !s->why) {
		ssize_t put = write(s->fd, text, n);

		if (put >= 0) {
			text += put;
			n -= (size_t)put;
		} else if (errno != EINTR) {
			s->why = errno;
		}
	}
	errno = s->why;
	return s->why ? -1 : 0;
}

/* How many bytes the letter that begins so would have. */
static unsigned letter_bytes(char first)
{
	unsigned char c = (unsigned char)first;

	return c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
}

/* Cleans in place up to where a letter is cut by the end. Returns how many bytes that leaves uncleaned. */
static unsigned clean(char *text, size_t n)
{
	for (size_t i = 0, letter; i < n; i += letter) {
		letter = utf8_letter(text + i, n - i);
		if (!letter && letter_bytes(text[i]) > n - i)
			return (unsigned)(n - i);
		if (!letter && text[i] != '\n' && text[i] != '\t')
			text[i] = '?';
		letter = letter ? letter : 1;
	}
	return 0;
}

static ssize_t write_clean(void *cookie, const char *text, size_t bytes)
{
	struct stream *s = cookie;
	size_t n = s->n + bytes;
	char *all = xmalloc(n + 1);
	int failed;

	memcpy(all, s->held, s->n);
	memcpy(all + s->n, text, bytes);
	s->n = clean(all, n);
	memcpy(s->held, all + n - s->n, s->n);
	failed = put_all(s, all, n - s->n);
	free(all);
	return failed ? 0 : (ssize_t)bytes;
}

static int close_clean(void *cookie)
{
	struct stream *s = cookie;

	if (s->n)
		put_all(s, "?", 1);
	s->open = false;
	if (s->fd != STDERR_FILENO && close(s->fd) && !s->why &&
	    errno != EBADF) /* what was closed from the start is missed by who prints */
		s->why = errno;
	errno = s->why;
	return s->why ? -1 : 0;
}

static FILE *clean_stream(struct stream *s, int fd)
{
	FILE *f;

	*s = (struct stream){.fd = fd, .open = true};
	f = fopencookie(s, "w", (cookie_io_functions_t){.write = write_clean, .close = close_clean});
	if (!f)
		abort();
	setvbuf(f, NULL, fd == STDERR_FILENO ? _IONBF : isatty(fd) ? _IOLBF : _IOFBF, BUFSIZ);
	return f;
}

/* A file that is opened later must not become standard output. */
static void fill_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static void end(int status, void *ctx)
{
	struct terminal *t = ctx;
	int failed, why;

	(void)status;
	errno = 0;
	failed = ferror(stdout);
	failed = fclose(stdout) || failed;
	why = errno;
	if (failed) {
		fprintf(stderr, "locus: standard output: cannot write: %s\n", strerror(why ? why : EIO));
		_exit(STATUS);
	}
	fclose(stderr);
	stdout = t->stdout_before;
	stderr = t->stderr_before;
	if (!t->out.open) /* else it was handed over, and is flushed when the program has ended */
		free(t);
}

void terminal_begin(void)
{
	struct terminal *t = xcalloc(1, sizeof *t);

	fill_standard_files();
	t->stdout_before = stdout;
	t->stderr_before = stderr;
	stderr = clean_stream(&t->err, STDERR_FILENO);
	stdout = clean_stream(&t->out, STDOUT_FILENO);
	on_exit(end, t);
}

FILE *terminal_give_stdout(void)
{
	FILE *ours = stdout, *nowhere;

	if (fileno(ours) > STDERR_FILENO) /* ours has no number */
		return NULL;
	nowhere = fopen("/dev/null", "w");
	if (!nowhere)
		return NULL;
	stdout = nowhere;
	return ours;
}

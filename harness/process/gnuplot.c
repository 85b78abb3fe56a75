#include "process/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/utf8.h"

FILE *gnuplot_script(struct err *e)
{
	FILE *script = tmpfile();

	if (!script)
		err_set(e, "a script for gnuplot cannot be written: %s", strerror(errno));
	return script;
}

/* doubled: a character that is to stand twice, beside the quote; the quote itself: none. */
static void put_quoted(FILE *script, const char *text, char doubled)
{
	char *clean = utf8_clean(xstrdup(text));

	putc('\'', script);
	for (const char *s = clean; *s; s++) {
		if (*s == '\'' || *s == doubled)
			putc(*s, script);
		putc(*s, script);
	}
	putc('\'', script);
	free(clean);
}

void gnuplot_text(FILE *script, const char *text)
{
	put_quoted(script, text, '\'');
}

void gnuplot_tic(FILE *script, const char *text)
{
	put_quoted(script, text, '%');
}

/* gnuplot does not say when the disk is full: what it draws comes through a pipe, and we write it. */
static int copy(int from, FILE *to)
{
	char chunk[16384];
	ssize_t n;

	while ((n = read(from, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		fwrite(chunk, 1, (size_t)n, to); /* whether it failed is asked when the picture is kept */
	}
	return 0;
}

static int start(pid_t *pid, int script, int to, struct err *e)
{
	static const char *const argv[] = {"gnuplot", "-d", "-", NULL}; /* no ~/.gnuplot */
	posix_spawn_file_actions_t fa;
	int rc;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, script, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, to, STDOUT_FILENO);
	rc = posix_spawnp(pid, argv[0], &fa, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	return rc ? err_set(e, "gnuplot cannot be run: %s (make setup installs what is missing)", strerror(rc)) : 0;
}

static int run(int script, struct output *picture, struct err *e)
{
	int ends[2], status = 0, failed;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return err_set(e, "gnuplot cannot be run: %s", strerror(errno));
	failed = start(&pid, script, ends[1], e);
	close(ends[1]);
	if (!failed) {
		failed = copy(ends[0], picture->f);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (failed || status)
			failed = err_set(e, "%s: gnuplot failed", picture->path);
	}
	close(ends[0]);
	return failed;
}

int gnuplot_draw(FILE *script, struct output *picture, struct err *e)
{
	int failed = fflush(script) || ferror(script);

	if (failed)
		err_set(e, "a script for gnuplot cannot be written: %s", strerror(errno));
	else
		rewind(script);
	failed = failed || run(fileno(script), picture, e);
	fclose(script);
	if (failed)
		output_drop(picture);
	return failed ? -1 : output_keep(picture, e);
}

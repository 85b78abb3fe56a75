#include "process/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/utf8.h"

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

/* ---- what all pictures have ---- */

static bool is_png(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && !strcmp(path + n - 4, ".png");
}

/* Okabe and Ito's colours without yellow, which is faint on white, and black; a grey and a brown beside them. */
static const char *const colors[GNUPLOT_COLORS] = {"#0072b2", "#d55e00", "#009e73", "#e69f00",
						   "#cc79a7", "#56b4e9", "#7a7a7a", "#a6761d"};

/* A part of a colour of hue 0 to 1535, as bright as `most` at its most and `least` at its least. */
static uint8_t part_of(unsigned hue, unsigned least, unsigned most)
{
	unsigned sixth = hue / 256 % 6, up = hue % 256, share = sixth < 1 ? up : sixth < 3 ? 255 : sixth < 4 ? 255 - up : 0;

	return (uint8_t)(least + (most - least) * share / 255);
}

/* Neighbours are far apart in hue, by the golden ratio of its circle, and differ in brightness. */
const char *gnuplot_color(unsigned i, char text[GNUPLOT_COLOR_TEXT])
{
	static const struct {
		uint8_t least, most;
	} tone[] = {{20, 140}, {110, 220}, {60, 180}};
	unsigned n = i % GNUPLOT_LINES, hue = n * 949 % 1536, t = n % 3;

	if (n < GNUPLOT_COLORS)
		return strcpy(text, colors[n]);
	snprintf(text, GNUPLOT_COLOR_TEXT, "#%02hhx%02hhx%02hhx", part_of(hue + 512, tone[t].least, tone[t].most),
		 part_of(hue, tone[t].least, tone[t].most), part_of(hue + 1024, tone[t].least, tone[t].most));
	return text;
}

/* In lines of so many characters, broken at blanks. */
static void put_title(FILE *script, const char *title, size_t line)
{
	char *text = xstrdup(title);

	fputs("set title ", script);
	for (char *at = text; at;) {
		char *end = at;

		for (char *blank = strchr(at, ' '); blank && (size_t)(blank - at) <= line; blank = strchr(blank + 1, ' '))
			end = blank;
		if (strlen(at) <= line || end == at)
			end = NULL;
		if (end)
			*end = '\0';
		gnuplot_text(script, at);
		if (end)
			fputs(".\"\\n\".", script); /* our own: only in double quotes is it a line's end */
		at = end ? end + 1 : NULL;
	}
	fputs(" noenhanced\n", script);
	free(text);
}

FILE *gnuplot_script(const char *path, unsigned width, unsigned height, const char *title, struct err *e)
{
	static const unsigned points[GNUPLOT_COLORS] = {7, 5, 9, 11, 13, 4, 6, 8};
	char color[GNUPLOT_COLOR_TEXT];
	FILE *script = tmpfile();

	if (!script) {
		err_set(e, "a script for gnuplot cannot be written: %s", strerror(errno));
		return NULL;
	}
	fprintf(script, "set terminal %s size %u,%u font 'DejaVu Sans,11' background 'white'\n", is_png(path) ? "pngcairo" : "svg",
		width, height);
	for (unsigned i = 0; i < GNUPLOT_LINES; i++)
		fprintf(script, "set linetype %u lc rgb '%s' lw 1.5 pt %u ps 0.6\n", i + 1, gnuplot_color(i, color),
			points[i % GNUPLOT_COLORS]);
	fprintf(script, "set linetype cycle %d\n", GNUPLOT_LINES);
	put_title(script, title, width / 7);
	fputs("set border 3 lc rgb '#57606a'\nset tics nomirror textcolor rgb '#1b1f24'\nset grid ytics lc rgb '#d0d7de' lt 1 lw "
	      "1\n",
	      script);
	return script;
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

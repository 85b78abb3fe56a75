#include "support/program.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char tmp[64];

static void remove_tmp(void)
{
	char cmd[128];

	snprintf(cmd, sizeof cmd, "rm -rf '%s'", tmp);
	if (system(cmd) != 0)
		fprintf(stderr, "cannot remove %s\n", tmp);
}

const char *program_tmp(void)
{
	if (!tmp[0]) {
		snprintf(tmp, sizeof tmp, "/tmp/locus-test-XXXXXX");
		if (!mkdtemp(tmp))
			abort();
		atexit(remove_tmp);
	}
	return tmp;
}

void program_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

const char *program_fake(const char *stats)
{
	static char path[4096];
	char text[4096];
	int n = snprintf(
		text, sizeof text,
		"#!/bin/sh\n[ \"$LOCUS_THREADS\" = 1 ] || exit 2\nfor last; do :; done\necho '{\"stats\": {%s}}' >\"$last\"\n",
		stats);

	cr_assert(n > 0 && (size_t)n < sizeof text);
	snprintf(path, sizeof path, "%s/fake", program_tmp());
	program_file("fake", text);
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

char *program_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text;
	long n;

	if (!f || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0)
		abort();
	rewind(f);
	text = calloc((size_t)n + 1, 1);
	if (!text || fread(text, 1, (size_t)n, f) != (size_t)n)
		abort();
	fclose(f);
	return text;
}

/* "running syrk: 10 s, 57.7 %" */
static int is_progress(const char *line, size_t n)
{
	const char *colon = memrchr(line, ':', n);
	char text[64], unit[8] = "";
	unsigned seconds;

	snprintf(text, sizeof text, "%.*s", colon ? (int)(line + n - colon) : 0, colon);
	return sscanf(text, ": %u %7[s]", &seconds, unit) == 2 && seconds && seconds % 10 == 0;
}

static void drop_progress(char *text)
{
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : line + strlen(line);
		if (is_progress(line, (size_t)(next - line)))
			continue;
		memmove(to, line, (size_t)(next - line));
		to += next - line;
	}
	*to = '\0';
}

char *program_path(const char *name)
{
	static char out[4][512];
	static unsigned next;
	char *to = out[next++ % 4];

	snprintf(to, sizeof out[0], "%s/%s", program_tmp(), name);
	return to;
}

struct program program_run(const char *fmt, ...)
{
	const char *build = getenv("LOCUS_BUILD");
	char command[8192], line[9000], out[128], err[128];
	struct program p;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(command, sizeof command, fmt, ap);
	va_end(ap);
	snprintf(out, sizeof out, "%s/out.%d", program_tmp(), (int)getpid());
	snprintf(err, sizeof err, "%s/err.%d", program_tmp(), (int)getpid());
	snprintf(line, sizeof line, "locus() { '%s/locus' \"$@\"; }; { %s\n} >'%s' 2>'%s' </dev/null", build ? build : "build",
		 command, out, err);
	rc = system(line);
	p.status = WIFEXITED(rc) ? WEXITSTATUS(rc) : 128 + WTERMSIG(rc);
	p.out = program_text(out);
	p.err = program_text(err);
	drop_progress(p.err);
	return p;
}

void program_free(struct program *p)
{
	free(p->out);
	free(p->err);
}

json_t *program_stats(const char *fmt, ...)
{
	char command[4096], path[4096];
	struct program p;
	json_t *all, *stats;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof command, fmt, ap);
	va_end(ap);
	snprintf(path, sizeof path, "%s/stats.json", program_tmp());
	p = program_run("%s --json '%s'", command, path);
	cr_assert_eq(p.status, 0, "%s: %s%s", command, p.out, p.err);
	program_free(&p);
	all = json_load_file(path, 0, NULL);
	cr_assert_not_null(all);
	stats = json_incref(json_object_get(all, "stats"));
	json_decref(all);
	return stats;
}

double program_stat(const json_t *stats, const char *name)
{
	const json_t *v = json_object_get(stats, name);

	cr_assert(json_is_number(v), "%s", name);
	return json_number_value(v);
}

int program_is_clean_error(const struct program *p)
{
	const char *newline = strchr(p->err, '\n');
	int ok = p->status == 2 && newline && newline[1] == '\0' && !strncmp(p->err, "locus: ", 7);

	if (!ok)
		fprintf(stderr, "status %d\nstdout: %s\nstderr: %s\n", p->status, p->out, p->err);
	return ok;
}

/* The build keeps the compiler and its flags in gen/flags. */
bool program_compiles(const char *name, const char *text)
{
	struct program p;
	int status;

	program_file(name, text);
	p = program_run("$(cat \"${LOCUS_BUILD:-build}/gen/flags\") -Werror -fsyntax-only %s/%s", program_tmp(), name);
	cr_assert(p.status == 0 || p.status == 1, "%s", p.err);
	cr_assert_eq(p.status != 0, strstr(p.err, "error: ") != NULL, "%s", p.err);
	status = p.status;
	program_free(&p);
	return status == 0;
}

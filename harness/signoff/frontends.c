/* Verilator, Icarus and Yosys as readers of a user's files. */
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "bind/cache.h"
#include "bind/tool.h"
#include "signoff/findings.h"

struct argv {
	const char **arg;
	unsigned n;
};

static void arg(struct argv *v, const char *text)
{
	if (v->n < FRONTENDS_ARGV - 1)
		v->arg[v->n++] = text;
	v->arg[v->n] = NULL;
}

static void arg_dirs(const struct frontends *t, struct argv *v, bool joined)
{
	for (unsigned i = 0; i < t->src->n_dirs; i++) {
		arg(v, "-y");
		arg(v, t->src->dir[i]);
		arg(v, joined ? arena_printf(t->a, "-I%s", t->src->dir[i]) : t->src->dir[i]);
	}
}

void signoff_found(struct signoff_findings *f, const char *line)
{
	if (f->n < FINDINGS_SHOWN)
		snprintf(f->line[f->n], FINDINGS_LINE, "%s", line);
	f->n++;
}

/* Whether a line of a log is a finding; *text: what of it is printed. */
typedef bool (*is_finding)(char *line, const char **text);

/* Runs a front end. One that fails without a word that counts is a finding itself. */
static void run(const struct frontends *t, const char *const *argv, is_finding is, struct signoff_findings *f)
{
	const char *log = arena_printf(t->a, "%s/%s.log", t->work, argv[0]);
	const char *wrapper = arena_printf(t->a, "%s/cosim.", t->folder);
	struct err e = {""};
	int rc = bind_tool_run(argv, log, &e);
	FILE *in = infile_open(log, BIND_MAX_FILE, NULL);
	char *line = NULL;
	const char *text;
	size_t room = 0;
	unsigned before = f->n;

	while (in && getline(&line, &room, in) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (is(line, &text) && !strstr(line, wrapper))
			signoff_found(f, text);
	}
	free(line);
	if (in)
		fclose(in);
	if (rc && f->n == before)
		signoff_found(f, e.text);
}

static bool is_verilators(char *line, const char **text)
{
	*text = line + (line[0] == '%');
	/* the last line counts the errors before it */
	return (!strncmp(line, "%Warning", 8) || !strncmp(line, "%Error", 6)) && strncmp(line, "%Error: Exiting", 15) != 0;
}

void verilator_check(const struct frontends *t, struct signoff_findings *f)
{
	const char *list[FRONTENDS_ARGV];
	struct argv v = {list, 0};

	arg(&v, "verilator");
	arg(&v, "--lint-only");
	arg(&v, "-Wall");
	arg(&v, "-Wno-DECLFILENAME"); /* a file may have any name */
	arg(&v, "-Wno-fatal");
	arg(&v, "--no-timing");
	arg(&v, "--Mdir");
	arg(&v, t->work);
	arg(&v, "--top-module");
	arg(&v, "cosim");
	arg(&v, arena_printf(t->a, "%s/cosim.sv", t->folder));
	for (unsigned i = 0; i < t->src->n_named; i++)
		arg(&v, t->src->file[i]);
	arg_dirs(t, &v, true);
	run(t, v.arg, is_verilators, f);
}

static bool is_icarus(char *line, const char **text)
{
	*text = line;
	return strstr(line, "warning: ") || strstr(line, "error: ") || strstr(line, "sorry: ") || strstr(line, "syntax error");
}

void icarus_argv(const struct frontends *t, const char *const *first, const char **argv)
{
	struct argv v = {argv, 0};

	while (*first)
		arg(&v, *first++);
	arg_dirs(t, &v, true);
	for (unsigned i = 0; i < t->src->n_named; i++)
		arg(&v, t->src->file[i]);
	arg(&v, arena_printf(t->a, "%s/cosim.sv", t->folder));
}

void icarus_check(const struct frontends *t, struct signoff_findings *f)
{
	static const char *const first[] = {"iverilog", "-g2012",  "-Wall", "-Wno-timescale", "-Wno-sensitivity-entire-array",
					    "-tnull",	"-scosim", NULL};
	const char *list[FRONTENDS_ARGV];

	icarus_argv(t, first, list);
	run(t, list, is_icarus, f);
}

/* Names as they are in the source: without what Yosys puts in front of a module with parameters
 * ($paramod$<40 digits>\MODULE), and without its backslashes. */
static void plain_names(char *line)
{
	static const char of[] = "$paramod$";
	enum { DIGITS = 40 };
	char *to = line;

	while (*line) {
		if (!strncmp(line, of, sizeof of - 1) && strspn(line + sizeof of - 1, "0123456789abcdef") == DIGITS)
			line += sizeof of - 1 + DIGITS;
		else if (*line != '\\')
			*to++ = *line++;
		else
			line++;
	}
	*to = '\0';
}

static bool is_yosys(char *line, const char **text)
{
	*text = line;
	plain_names(line);
	if (!strncmp(line, "ERROR: Found ", 13)) /* the sum of the warnings before it */
		return false;
	return !strncmp(line, "Warning: ", 9) || !strncmp(line, "ERROR: ", 7) || !strncmp(line, "Latch inferred ", 15);
}

/* No name in the script can part it: build.c takes none with a blank, a quote or a semicolon. */
void yosys_check(const struct frontends *t, struct signoff_findings *f)
{
	const char *script = "read_verilog -sv", *argv[] = {"yosys", "-p", NULL, NULL};

	for (unsigned i = 0; i < t->src->n_dirs; i++)
		script = arena_printf(t->a, "%s -I%s", script, t->src->dir[i]);
	for (unsigned i = 0; i < t->src->n_named; i++)
		script = arena_printf(t->a, "%s %s", script, t->src->file[i]);
	script = arena_printf(t->a, "%s %s/cosim.sv; hierarchy -check -top cosim", script, t->folder);
	for (unsigned i = 0; i < t->src->n_dirs; i++)
		script = arena_printf(t->a, "%s -libdir %s", script, t->src->dir[i]);
	argv[2] = arena_printf(t->a, "%s; proc; check -assert", script);
	run(t, argv, is_yosys, f);
}

const char *program_version(const struct frontends *t, const char *program, const char *option)
{
	const char *log = arena_printf(t->a, "%s/version", t->work), *const argv[] = {program, option, NULL};
	struct err e = {""};
	char line[200] = "", *number;
	FILE *in;

	bind_tool_run(argv, log, &e);
	in = infile_open(log, BIND_MAX_FILE, NULL);
	if (!in || !fgets(line, sizeof line, in))
		snprintf(line, sizeof line, "%s", program);
	if (in)
		fclose(in);
	number = line + strcspn(line, "0123456789\r\n");
	number[strcspn(number, " (\r\n")] = '\0';
	return arena_strdup(t->a, line);
}

#include "cli/cli.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/panic.h"
#include "base/files/root.h"
#include "base/utf8.h"

void cli_print_error(const struct err *e)
{
	struct err line = *e;

	fprintf(stderr, "locus: %s\n", utf8_clean(line.text));
}

int cli_fail(const struct err *e)
{
	cli_print_error(e);
	return CLI_USAGE;
}

int cli_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out, struct err *e)
{
	const char *form = "";

	if (number_parse_u64(text, out) != 0)
		form = " " NUMBER_FORM;
	else if (*out >= min && *out <= max)
		return 0;
	if (max == UINT64_MAX)
		return err_set(e, "%s: \"%s\" is not a whole number from %" PRIu64 " on%s", option, text, min, form);
	return err_set(e, "%s: \"%s\" is not a whole number from %" PRIu64 " to %" PRIu64 "%s", option, text, min, max, form);
}

uint64_t cli_argp_number(struct argp_state *state, const char *option, const char *text, uint64_t min, uint64_t max)
{
	struct err e = {""};
	uint64_t v = 0;

	if (cli_number(option, text, min, max, &v, &e) != 0)
		argp_error(state, "%s", e.text);
	return v;
}

const char *cli_argp_folder(struct argp_state *state, const char *option, const char *path)
{
	struct stat now;

	if (stat(path, &now) != 0)
		argp_error(state, "%s: %s: %s", option, path, strerror(errno));
	if (!S_ISDIR(now.st_mode))
		argp_error(state, "%s: %s: is no folder", option, path);
	return path;
}

/* argp follows each complaint with "Try `locus run --help' ...", in two lines for a long name: here a complaint is one
 * line. */
static ssize_t write_complaint(void *unused, const char *text, size_t bytes)
{
	(void)unused;
	for (const char *line = text, *next; line < text + bytes; line = next) {
		next = memchr(line, '\n', (size_t)(text + bytes - line));
		next = next ? next + 1 : text + bytes;
		if (next - line >= 5 && memcmp(line, "Try `", 5) == 0)
			break;
		fwrite(line, 1, (size_t)(next - line), stderr);
	}
	return (ssize_t)bytes;
}

/* ---- parsing ---- */

/* An argp whose options are noted in `given` before its own parser reads them. One stands in for each argp of a
 * command, which keeps its tables. */
struct noting {
	struct argp argp; /* a copy that calls note() */
	const struct argp *of;
	void *input; /* of its own parser */
	struct cli_given *given;
	struct noting *child;
	struct argp_child *children;
};

static void add_given(struct cli_given *g, const struct argp *of, int key, const struct argp_state *state)
{
	const struct argp_option *o = of->options;

	while (o && (o->name || o->key || o->doc) && !(o->key == key && o->name))
		o++;
	if (!o || !o->name)
		return;
	for (unsigned i = 0; i < g->n; i++)
		if (g->option[i].of == of && !strcmp(g->option[i].name, o->name)) {
			if (o->arg && !(o->flags & CLI_REPEATABLE))
				argp_error(state, "--%s: given twice; only one value can count", o->name);
			return;
		}
	if (g->n == CLI_GIVEN_MAX)
		panic("command line", 0, "more than %d options", CLI_GIVEN_MAX);
	g->option[g->n].of = of;
	g->option[g->n++].name = o->name;
}

static error_t note(int key, char *arg, struct argp_state *state)
{
	struct noting *n = state->input;
	error_t rc;

	if (key > 0 && key < ARGP_KEY_END)
		add_given(n->given, n->of, key, state);
	state->input = n->input;
	rc = n->of->parser ? n->of->parser(key, arg, state) : ARGP_ERR_UNKNOWN;
	state->input = n;
	for (unsigned i = 0; key == ARGP_KEY_INIT && n->children && n->children[i].argp; i++) {
		n->child[i].input = state->child_inputs[i];
		state->child_inputs[i] = &n->child[i];
	}
	return rc;
}

static void noting_init(struct noting *n, const struct argp *of, struct cli_given *given, struct arena *a)
{
	unsigned children = 0;

	*n = (struct noting){.argp = *of, .of = of, .given = given};
	n->argp.parser = note;
	while (of->children && of->children[children].argp)
		children++;
	if (!children)
		return;
	n->child = arena_array(a, children, sizeof *n->child);
	n->children = arena_array(a, children + 1, sizeof *n->children);
	for (unsigned i = 0; i < children; i++) {
		noting_init(&n->child[i], of->children[i].argp, given, a);
		n->children[i] = of->children[i];
		n->children[i].argp = &n->child[i].argp;
	}
	n->argp.children = n->children;
}

struct parse {
	void *input; /* of the subcommand's own parser */
};

static error_t parse_in(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	FILE *stream; /* argp ends the program after writing to it: exit() flushes it */

	if (key == ARGP_KEY_INIT) {
		stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_complaint});
		if (stream)
			state->err_stream = stream;
		state->child_inputs[0] = p->input;
		return 0;
	}
	(void)arg;
	return ARGP_ERR_UNKNOWN;
}

static void parse_with(unsigned flags, const struct argp *argp, int argc, char **argv, void *input, struct cli_given *given)
{
	struct arena a = {0};
	struct noting noting;
	struct argp_child children[] = {{&noting.argp, 0, NULL, 0}, {0}};
	const struct argp outer = {NULL, parse_in, NULL, NULL, children, NULL, NULL};
	struct parse p = {&noting};
	struct err e = {""};

	*given = (struct cli_given){.command = argv[0]};
	noting_init(&noting, argp, given, &a);
	noting.input = input;
	argp_err_exit_status = CLI_USAGE;
	argp_parse(&outer, argc, argv, flags, NULL, &p);
	arena_free(&a);
	if (root_check(&e) != 0)
		exit(cli_fail(&e));
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	struct cli_given given;

	parse_with(0, argp, argc, argv, input, &given);
}

void cli_parse_given(const struct argp *argp, int argc, char **argv, void *input, struct cli_given *given)
{
	parse_with(0, argp, argc, argv, input, given);
}

void cli_parse_in_order(const struct argp *argp, int argc, char **argv, void *input, struct cli_given *given)
{
	parse_with(ARGP_IN_ORDER, argp, argc, argv, input, given);
}

/* ---- options that nothing would read ---- */

bool cli_is_given(const struct cli_given *g, const char *name)
{
	for (unsigned i = 0; i < g->n; i++)
		if (!strcmp(g->option[i].name, name))
			return true;
	return false;
}

static void refuse(const struct cli_given *g, const char *name, const char *why)
{
	fprintf(stderr, "%s: --%s: %s\n", g->command, name, why);
	exit(CLI_USAGE);
}

static bool is_among(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += n)
		if ((at == names || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

void cli_needs(const struct cli_given *g, bool read, const char *names, const char *why)
{
	for (unsigned i = 0; i < g->n && !read; i++)
		if (is_among(names, g->option[i].name))
			refuse(g, g->option[i].name, why);
}

void cli_needs_group(const struct cli_given *g, bool read, const struct argp *group, const char *why)
{
	for (unsigned i = 0; i < g->n && !read; i++)
		if (g->option[i].of == group)
			refuse(g, g->option[i].name, why);
}

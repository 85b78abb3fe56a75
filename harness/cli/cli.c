#include "cli/cli.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/files/root.h"
#include "base/utf8.h"

void cli_tell(const struct err *e)
{
	struct err line = *e;

	fprintf(stderr, "locus: %s\n", utf8_clean(line.text));
}

int cli_fail(const struct err *e)
{
	cli_tell(e);
	return CLI_USAGE;
}

int cli_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out, struct err *e)
{
	if (number_parse_u64(text, out) == 0 && *out >= min && *out <= max)
		return 0;
	if (max == UINT64_MAX)
		return err_set(e, "%s: \"%s\" is not a whole number from %" PRIu64 " on", option, text, min);
	return err_set(e, "%s: \"%s\" is not a whole number from %" PRIu64 " to %" PRIu64, option, text, min, max);
}

uint64_t cli_argp_number(struct argp_state *state, const char *option, const char *text, uint64_t min, uint64_t max)
{
	struct err e = {""};
	uint64_t v = 0;

	if (cli_number(option, text, min, max, &v, &e) != 0)
		argp_error(state, "%s", e.text);
	return v;
}

/* argp follows each complaint with "Try `locus run --help' ...": here a complaint is one line. */
static ssize_t write_complaint(void *unused, const char *text, size_t bytes)
{
	(void)unused;
	for (const char *line = text, *next; line < text + bytes; line = next) {
		next = memchr(line, '\n', (size_t)(text + bytes - line));
		next = next ? next + 1 : text + bytes;
		if (next - line < 5 || memcmp(line, "Try `", 5) != 0)
			fwrite(line, 1, (size_t)(next - line), stderr);
	}
	return (ssize_t)bytes;
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

static void parse_with(unsigned flags, const struct argp *argp, int argc, char **argv, void *input)
{
	const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
	const struct argp outer = {NULL, parse_in, NULL, NULL, children, NULL, NULL};
	struct parse p = {input};
	struct err e = {""};

	argp_err_exit_status = CLI_USAGE;
	argp_parse(&outer, argc, argv, flags, NULL, &p);
	if (root_check(&e) != 0)
		exit(cli_fail(&e));
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	parse_with(0, argp, argc, argv, input);
}

void cli_parse_in_order(const struct argp *argp, int argc, char **argv, void *input)
{
	parse_with(ARGP_IN_ORDER, argp, argc, argv, input);
}

#include "cli/machine_options.h"

#include <string.h>

#include "cli/cli.h"

enum { KEY_JSON = 600 };

static const struct argp_option options[] = {
	{0, 0, NULL, 0, "Machine:", HELP_MACHINE},
	{"machine", 'm', "NAME|FILE", 0, "machine to model (default: gtx480)", HELP_MACHINE},
	{"set", 's', "KEY=VALUE", CLI_REPEATABLE, "change a key, e.g. l1.assoc=8; repeatable", HELP_MACHINE},
	{0},
};
static const struct argp_option json_option[] = {
	{0, 0, NULL, 0, "Results:", HELP_RESULTS},
	{"json", KEY_JSON, "FILE", 0, "also write the result as JSON (-: to stdout)", HELP_RESULTS},
	{0},
};

bool machine_options_same_key(const char *one, const char *other)
{
	size_t n = strcspn(one, "=");

	return n == strcspn(other, "=") && !strncmp(one, other, n);
}

void machine_options_push(struct argp_state *state, const char *option, const char **list, unsigned *n, unsigned max,
			  const char *text)
{
	if (*n == max)
		argp_error(state, "%s: can be given %u times at most", option, max);
	if (!strchr(text, '='))
		argp_error(state, "%s needs KEY=VALUE, not \"%s\"", option, text);
	for (unsigned i = 0; i < *n; i++)
		if (machine_options_same_key(list[i], text))
			argp_error(state, "%s: %.*s is given twice; only one value can count", option, (int)strcspn(text, "="),
				   text);
	list[(*n)++] = text;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct machine_options *o = state->input;

	switch (key) {
	case 'm':
		o->machine = arg;
		break;
	case 's':
		machine_options_push(state, "--set", o->set, &o->n_sets, MACHINE_MAX_SETS, arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse_json(int key, char *arg, struct argp_state *state)
{
	struct machine_options *o = state->input;

	if (key != KEY_JSON)
		return ARGP_ERR_UNKNOWN;
	o->json = arg;
	return 0;
}

const struct argp machine_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp json_argp = {json_option, parse_json, NULL, NULL, NULL, NULL, NULL};

struct machine_choice machine_options_choice(const struct machine_options *o)
{
	return (struct machine_choice){.name = o->machine, .set = o->set, .n_sets = o->n_sets};
}

bool machine_options_sets(const struct machine_options *o, const char *key)
{
	for (unsigned i = 0; i < o->n_sets; i++)
		if (machine_options_same_key(o->set[i], key))
			return true;
	return false;
}

int machine_options_load(const struct machine_options *o, struct machine *m, struct err *e)
{
	struct machine_choice c = machine_options_choice(o);

	return machine_choice_load(&c, m, e);
}

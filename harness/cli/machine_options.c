#include "cli/machine_options.h"

#include <string.h>

enum { KEY_JSON = 600 };

static const struct argp_option options[] = {
	{"machine", 'm', "NAME|FILE", 0, "machine description (gtx480)", 0},
	{"set", 's', "KEY=VALUE", 0, "change a key, e.g. l1.assoc=8; may be repeated", 0},
	{0},
};
static const struct argp_option json_option[] = {
	{"json", KEY_JSON, "FILE", 0, "also write the result as JSON; - prints it", 0},
	{0},
};

void machine_options_push(struct argp_state *state, const char *option, const char **list, unsigned *n, unsigned max,
			  const char *text)
{
	if (*n == max)
		argp_error(state, "more than %u %s", max, option);
	if (!strchr(text, '='))
		argp_error(state, "%s wants KEY=VALUE, not \"%s\"", option, text);
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

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = o;
	else if (key == KEY_JSON)
		o->json = arg;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

const struct argp machine_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {0}};
const struct argp machine_options_argp = {json_option, parse_json, NULL, NULL, children, NULL, NULL};

struct machine_choice machine_options_choice(const struct machine_options *o)
{
	return (struct machine_choice){.name = o->machine, .set = o->set, .n_sets = o->n_sets};
}

int machine_options_load(const struct machine_options *o, struct machine *m, struct err *e)
{
	struct machine_choice c = machine_options_choice(o);

	return machine_choice_load(&c, m, e);
}

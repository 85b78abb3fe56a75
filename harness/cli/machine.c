/* locus machine import: a machine from the option files of GPGPU-Sim. locus machine show: all keys of one. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/files/root.h"
#include "cli/cli.h"
#include "machine/carveout.h"
#include "machine/gpgpusim/import.h"
#include "session/machine_choice.h"

enum { KEY_BASE = 2000, KEY_NAME, MAX_FILES = 2 };

struct machine_args {
	const char *verb, *file[MAX_FILES], *base, *name;
	unsigned n;
};

static int check(const struct machine_args *a, struct err *e)
{
	if (!a->verb || (strcmp(a->verb, "import") != 0 && strcmp(a->verb, "show") != 0))
		return err_set(e, "needs import or show, and a machine or file");
	if (!strcmp(a->verb, "import") && a->n == 0)
		return err_set(e, "import needs a gpgpusim.config");
	if (!strcmp(a->verb, "show") && (a->n != 1 || a->base || a->name))
		return err_set(e, "show takes one machine, NAME or FILE.yaml, and no option");
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct machine_args *a = state->input;
	struct err e = {""};

	switch (key) {
	case KEY_BASE:
		a->base = arg;
		return 0;
	case KEY_NAME:
		a->name = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (!a->verb)
			a->verb = arg;
		else if (a->n < MAX_FILES)
			a->file[a->n++] = arg;
		else
			return ARGP_ERR_UNKNOWN;
		return 0;
	case ARGP_KEY_END:
		if (check(a, &e) != 0)
			argp_error(state, "%s", e.text);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"base", KEY_BASE, "NAME|FILE", 0,
	 "import: machine that gives the keys without an option (default: gtx480-gs4, titanx-gs4 or titanv-gs4, by compute "
	 "capability)",
	 0},
	{"name", KEY_NAME, "TEXT", 0, "import: name of the machine (default: the folder of the config)", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"import gpgpusim.config [FILE.icnt]\nshow NAME|FILE.yaml",
	"import prints the machine that GPGPU-Sim's options describe as a file for --machine, with the option behind each key. "
	"Options without a counterpart are listed on stderr, with the reason.\n"
	"show checks a machine and prints all its keys.\v"
	"Examples:\n  locus machine import traces/examples/gpgpusim.config >my.yaml 2>left-out\n  locus machine show my.yaml\n"
	"  locus run vectoradd --machine my.yaml",
	NULL,
	NULL,
	NULL};

static int import(const struct machine_args *a, struct err *e)
{
	char dir[ROOT_PATH_MAX];
	const struct gpgpusim_request r = {.config = a->file[0],
					   .icnt = a->file[1],
					   .base = a->base,
					   .name = a->name,
					   .machines_dir = root_path("csim/machines", dir)};
	struct gpgpusim_import *i = gpgpusim_import(&r, e);

	if (!i)
		return -1;
	gpgpusim_import_write(i, stdout);
	gpgpusim_import_list(i, stderr);
	gpgpusim_import_free(i);
	return 0;
}

static int show(const struct machine_args *a, struct err *e)
{
	const struct machine_choice c = {.name = a->file[0]};
	struct machine m;

	if (machine_choose(&c, &m, e) != 0)
		return -1;
	machine_print(&m, stdout);
	carveout_print(&m, stdout);
	return 0;
}

int cli_machine(int argc, char **argv)
{
	struct machine_args args = {0};
	struct err e = {""};

	cli_parse(&argp, argc, argv, &args);
	return (strcmp(args.verb, "show") ? import(&args, &e) : show(&args, &e)) ? cli_fail(&e) : CLI_OK;
}

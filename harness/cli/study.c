/* locus study: the figures of a paper, measured beside published. */
#include <argp.h>
#include <string.h>
#include <unistd.h>

#include "base/suggestion.h"
#include "cli/cli.h"
#include "workload/program.h"
#include "study/study.h"

enum { OPT_DIR = 1000, OPT_FIGURE, OPT_RUNS, OPT_SIZE };

struct study_args {
	const char *name;
	bool runs; /* are listed, and none made */
	struct study_options o;
	struct err e;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct study_args *a = state->input;
	uint64_t n = 0;

	switch (key) {
	case OPT_DIR:
		a->o.dir = arg;
		break;
	case OPT_FIGURE:
		a->o.figure = arg;
		break;
	case OPT_RUNS:
		a->runs = true;
		break;
	case OPT_SIZE:
		a->o.size = arg;
		a->o.size_given = true;
		break;
	case 'j':
		if (cli_number("--jobs", arg, 1, 256, &n, &a->e) == 0)
			a->o.jobs = (unsigned)n;
		break;
	case ARGP_KEY_ARG:
		if (a->name)
			argp_error(state, "takes one study, and \"%s\" is a second one", arg);
		a->name = arg;
		break;
	case ARGP_KEY_END:
		if (!a->name)
			argp_error(state, "needs a study (see locus list studies)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"dir", OPT_DIR, "DIR", 0, "folder for results, tables (CSV, JSON) and plots (SVG) (default: study-NAME)", 0},
	{"figure", OPT_FIGURE, "ID", 0, "only make figure ID, a number or a name (the study's page has them)", 0},
	{"jobs", 'j', "N", 0, "number of concurrent runs (default: one per processor)", 0},
	{"runs", OPT_RUNS, NULL, 0, "list the runs that the study begins with, without making them", 0},
	{"size", OPT_SIZE, "test|default|paper", 0,
	 "input size of the workloads (default: default); --runs shows those with a fixed size", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"NAME",
	"Makes the runs that a paper's figures need, and prints the measured next to the published values. Each result is kept as "
	"soon as it is complete, and a study that was stopped resumes from there. Exit status 1 if a run failed.\v"
	"Examples:\n  locus study cache\n  locus study cache --figure 12 -j 1 --dir /tmp/cache",
	NULL,
	NULL,
	NULL};

static const struct study *find(const char *name, struct err *e)
{
	struct suggestion n = {.typed = name};
	char hint[160];

	for (const struct study *const *s = studies; *s; s++) {
		if (!strcmp((*s)->name, name))
			return *s;
		suggestion_offer(&n, (*s)->name);
	}
	err_set(e, "no study \"%s\"%s (locus list studies shows them)", name, suggestion_text(&n, hint));
	return NULL;
}

int cli_study(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct study_args a = {.o = {.size = "default", .jobs = processors > 0 ? (unsigned)processors : 1}};
	const struct study *s;
	struct cli_given given;
	char dir[64];
	int failed;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs(&given, !a.runs, "dir figure jobs", "has no effect with --runs, which only lists runs");
	if (a.e.text[0] || !(s = find(a.name, &a.e)))
		return cli_fail(&a.e);
	if (strcmp(a.o.size, "test") && strcmp(a.o.size, "default") && strcmp(a.o.size, "paper")) {
		err_set(&a.e, "--size: \"%s\" is not one of test, default, paper", a.o.size);
		return cli_fail(&a.e);
	}
	if (a.runs) {
		study_list_runs(s, a.o.size, stdout);
		return CLI_OK;
	}
	snprintf(dir, sizeof dir, "study-%s", s->name);
	if (!a.o.dir)
		a.o.dir = dir;
	failed = study_run(s, &a.o, stdout, &a.e);
	if (failed < 0)
		return cli_fail(&a.e);
	return failed ? CLI_DIFFERS : CLI_OK;
}

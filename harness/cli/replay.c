/* locus replay: runs a mismatch bundle again, without the model. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/fit_options.h"
#include "lockstep/bundle.h"
#include "lockstep/minimize.h"
#include "lockstep/report.h"
#include "process/progress.h"

struct replay_args {
	const char *bundle, *rtl, *out;
	bool minimize, trust;
	uint64_t limit; /* seconds of a processor; 0: none */
	uint64_t x_init;
	struct fit_options fit;
	struct err e; /* of an option */
};

enum { KEY_TRUST = 1000, KEY_LIMIT, KEY_X_INIT };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct replay_args *a = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = &a->fit;
	else if (key == 'm')
		a->minimize = true;
	else if (key == 'r')
		a->rtl = arg;
	else if (key == 'o')
		a->out = arg;
	else if (key == KEY_TRUST)
		a->trust = true;
	else if (key == KEY_LIMIT)
		cli_number("--limit", arg, 0, 1000000000, &a->limit, &a->e);
	else if (key == KEY_X_INIT)
		cli_number("--x-init", arg, 0, SCENARIO_X_INIT_MAX, &a->x_init, &a->e);
	else if (key == ARGP_KEY_ARG && state->arg_num == 0)
		a->bundle = arg;
	else if (key == ARGP_KEY_END && !a->bundle)
		argp_error(state, "needs a bundle");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp_option options[] = {
	{"minimize", 'm', NULL, 0, "search for fewer steps and smaller inputs that still differ; writes BUNDLE-min", 0},
	{"rtl", 'r', "FILE.v", 0, "run FILE.v instead of the Verilog in the bundle, to check a fix", 0},
	{"output", 'o', "FOLDER", 0, "folder for the bundle of --minimize (default: BUNDLE-min)", 0},
	{"trust", KEY_TRUST, NULL, 0, "run the bundle's Verilog even if it could do more than compute", 0},
	{"x-init", KEY_X_INIT, "SEED", 0, "seed of initial values (default: the bundle's; 0: zeros)", 0},
	{"limit", KEY_LIMIT, "SECONDS", 0, "give up after this much CPU time (default: 600; 0: no limit)", 0},
	{0},
};
static const struct argp_child children[] = {{&fit_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"BUNDLE",
	"Replays the steps of a mismatch bundle on golden twin and RTL, and prints the report of their differences. Exit status 1 "
	"if they differ, 0 if they do not. The Verilog is compiled and executed. The Verilog of a bundle is refused if it could do "
	"more than compute ($system, $c, $fopen, import \"DPI-C\"); the FILE.v of --rtl is executed unchecked.\v"
	"Examples:\n  locus replay mismatch-pric-*[0-9] --minimize\n"
	"  locus replay mismatch-pric-*[0-9] --rtl rtl/pric/pric_index.v",
	children,
	NULL,
	NULL};

static int minimize(const struct scenario *s, const struct bind_rtl *rtl, const struct replay_args *a, struct err *e)
{
	struct minimized stats;
	struct scenario small;
	char folder[4096], before[32], after[32];
	struct progress p;
	int rc;

	snprintf(folder, sizeof folder, "%.4000s%s", a->out ? a->out : a->bundle, a->out ? "" : "-min");
	progress_begin(&p, "making %s smaller", a->bundle);
	rc = scenario_minimize(s, rtl->abi, &small, &stats);
	progress_end(&p);
	if (rc)
		return 0;
	rc = bundle_write(&small, rtl, folder, stdout, e);
	if (!rc)
		printf("minimised: %s of %s steps, %llu of %llu input bits set, %llu runs\n",
		       number_commas(small.stim.steps, after), number_commas(s->stim.steps, before),
		       (unsigned long long)stats.bits_after, (unsigned long long)stats.bits_before, (unsigned long long)stats.runs);
	scenario_free(&small);
	return rc ? -1 : CLI_DIFFERS;
}

static int replay(const struct scenario *s, const struct bind_rtl *rtl, const char *bundle)
{
	struct history h;
	struct outcome o;
	struct progress p;
	char steps[32];

	history_init(&h, &s->layout, HISTORY);
	progress_begin(&p, "replaying %s", bundle);
	o = scenario_run(s, rtl->abi, &h);
	progress_end(&p);
	if (o.failed)
		report_print(s, &o, &h, bundle, stdout);
	else
		printf("%s: %s steps, nothing differs\n", s->block->name, number_commas(o.steps, steps));
	if (o.assertions.failed)
		printf("assertions in the Verilog failed, first in cycle %s: %s:%d\n",
		       number_commas(o.assertions.first_cycle, steps), o.assertions.first_file, o.assertions.first_line);
	history_free(&h);
	return outcome_is_good(&o) ? CLI_OK : CLI_DIFFERS;
}

/* A signal's handler: nothing but these two calls is safe in it. */
static void at_limit(int signal)
{
	static const char text[] = "locus: no end within --limit seconds: the Verilog, the steps or the search may have none\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);

	(void)signal;
	(void)written;
	_exit(CLI_USAGE);
}

/* The Verilog of a bundle may never come back from a step, nor Verilator from the Verilog: no count of steps ends that.
 * Of a processor, since a machine that has much to do is no reason to give up. Verilator and the compiler have the
 * limit each. */
static void limit_processor(uint64_t seconds)
{
	struct rlimit l;

	if (!seconds || getrlimit(RLIMIT_CPU, &l))
		return;
	signal(SIGXCPU, at_limit);
	if (l.rlim_max == RLIM_INFINITY || seconds < l.rlim_max)
		l.rlim_cur = seconds;
	setrlimit(RLIMIT_CPU, &l);
}

int cli_replay(int argc, char **argv)
{
	struct replay_args a = {.limit = 600};
	struct cli_given given;
	struct err e = {""};
	struct scenario s;
	struct bind_rtl rtl, golden;
	int status = -1;
	size_t n;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs(&given, a.minimize, "output", "needs --minimize, whose bundle it names");
	cli_needs(&given, !a.rtl, "trust", "has no effect with --rtl, which replaces the Verilog of the bundle");
	cli_needs_group(&given, a.rtl, &fit_options_argp, "needs --rtl, whose ports it connects");
	if (a.e.text[0] || a.fit.e.text[0])
		return cli_fail(a.e.text[0] ? &a.e : &a.fit.e);
	limit_processor(a.limit);
	n = strlen(a.bundle);
	if (n > 1 && a.bundle[n - 1] == '/')
		a.bundle = strndupa(a.bundle, n - 1);
	if (bundle_read(&s, a.bundle, &e))
		return cli_fail(&e);
	if (a.rtl && fit_options_given(&a.fit))
		s.fit = a.fit.fit;
	else if (a.rtl && !s.golden[0])
		s.fit.dirs[0] = '\0';
	if (a.rtl)
		snprintf(s.rtl, sizeof s.rtl, "%s", a.rtl);
	if (cli_is_given(&given, "x-init") || (a.rtl && !s.unique_x)) {
		s.unique_x = true;
		s.seed = cli_is_given(&given, "x-init") ? a.x_init : SCENARIO_X_INIT;
	}
	s.foreign = !a.rtl && !a.trust;
	s.golden_foreign = !a.trust;
	if (scenario_open_golden(&s, &golden, &e) == 0 && scenario_open(&s, &rtl, &e) == 0) {
		status = replay(&s, &rtl, a.bundle);
		if (status == CLI_DIFFERS && a.minimize)
			status = minimize(&s, &rtl, &a, &e);
		bind_close(&rtl);
	}
	bind_close(&golden);
	scenario_free(&s);
	return status < 0 ? cli_fail(&e) : status;
}

/* locus replay: runs a mismatch bundle again, without the model. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "lockstep/bundle.h"
#include "lockstep/minimize.h"
#include "lockstep/report.h"

struct replay_args {
	const char *bundle, *rtl, *out;
	bool minimize;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct replay_args *a = state->input;

	if (key == 'm')
		a->minimize = true;
	else if (key == 'r')
		a->rtl = arg;
	else if (key == 'o')
		a->out = arg;
	else if (key == ARGP_KEY_ARG && state->arg_num == 0)
		a->bundle = arg;
	else if (key == ARGP_KEY_END && !a->bundle)
		argp_error(state, "needs a bundle");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp_option options[] = {
	{"minimize", 'm', NULL, 0, "look for fewer steps and smaller inputs that still show it; writes BUNDLE-min", 0},
	{"rtl", 'r', "FILE.v", 0, "run this RTL instead of the one in the bundle: is the fault gone?", 0},
	{"output", 'o', "FOLDER", 0, "where --minimize writes its bundle", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"BUNDLE",
	"Runs the steps of a mismatch bundle again, golden twin and RTL side by side, and prints its report. "
	"Exit status 1 if they differ, 0 if they do not.\v"
	"Examples:\n  locus replay mismatch-pric-*[0-9] --minimize\n"
	"  locus replay mismatch-pric-*[0-9] --rtl rtl/pric/pric_index.v",
	NULL,
	NULL,
	NULL};

static int minimize(const struct scenario *s, const struct bind_rtl *rtl, const struct replay_args *a, struct err *e)
{
	struct minimized stats;
	struct scenario small;
	char folder[4096], before[32], after[32];
	int rc;

	snprintf(folder, sizeof folder, "%.4000s%s", a->out ? a->out : a->bundle, a->out ? "" : "-min");
	if (scenario_minimize(s, rtl->abi, &small, &stats))
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
	char steps[32];

	history_init(&h, &s->layout);
	o = scenario_run(s, rtl->abi, &h);
	if (o.failed)
		report_print(s, &o, &h, bundle, stdout);
	else
		printf("%s: %s steps, nothing differs\n", s->block->name, number_commas(o.steps, steps));
	history_free(&h);
	return o.failed ? CLI_DIFFERS : CLI_OK;
}

int cli_replay(int argc, char **argv)
{
	struct replay_args a = {0};
	struct err e = {""};
	struct scenario s;
	struct bind_rtl rtl;
	int status = -1;
	size_t n;

	cli_parse(&argp, argc, argv, &a);
	n = strlen(a.bundle);
	if (n > 1 && a.bundle[n - 1] == '/')
		a.bundle = strndupa(a.bundle, n - 1);
	if (bundle_read(&s, a.bundle, &e))
		return cli_fail(&e);
	if (a.rtl)
		snprintf(s.rtl, sizeof s.rtl, "%s", a.rtl);
	if (scenario_open(&s, &rtl, &e) == 0) {
		status = replay(&s, &rtl, a.bundle);
		if (status == CLI_DIFFERS && a.minimize)
			status = minimize(&s, &rtl, &a, &e);
		bind_close(&rtl);
	}
	scenario_free(&s);
	return status < 0 ? cli_fail(&e) : status;
}

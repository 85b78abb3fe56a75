/* locus sweep: many runs, by a plan; tables and pictures of them. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/sweep_report.h"
#include "process/output.h"
#include "sweep/pivot.h"
#include "sweep/plan.h"
#include "sweep/plot.h"
#include "sweep/runs.h"
#include "sweep/shards.h"
#include "sweep/slurm.h"

enum { MAX_WORDS = 4, MANY = 10 /* failures, of which each gets a line */ };
enum { OPT_DIR = 1000, OPT_MEMORY, OPT_RETRY, OPT_RUNS, OPT_EACH, OPT_ROWS, OPT_COLUMNS, OPT_METRIC, OPT_OVER, OPT_MEAN };
enum { OPT_SLURM = 2000, OPT_PARTITION, OPT_TIME, OPT_SHARDS, OPT_SBATCH };

struct sweep_args {
	const char *word[MAX_WORDS];
	unsigned words;
	bool runs; /* are listed, and none made */
	bool on_slurm;
	struct sweep_slurm slurm;
	const char *dir, *output;
	struct sweep_options o;
	struct sweep_pivot pivot;
	struct err e;
};

static void take_mean(struct sweep_args *a, const char *text)
{
	static const char *const names[] = {"arithmetic", "geometric", "harmonic"};

	a->pivot.no_mean = !strcmp(text, "none");
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(text, names[i])) {
			a->pivot.mean = (enum sweep_mean)i;
			return;
		}
	if (!a->pivot.no_mean)
		err_set(&a->e, "--mean: \"%s\" is not one of arithmetic, geometric, harmonic, none", text);
}

static void push_sbatch(struct sweep_args *a, const char *option)
{
	if (strncmp(option, "--", 2) != 0 || !option[2])
		err_set(&a->e, "--sbatch needs an option of sbatch such as --account=x, not \"%s\"", option);
	else if (a->slurm.n_options == SLURM_MAX_OPTIONS)
		err_set(&a->e, "--sbatch: can be given %d times at most", SLURM_MAX_OPTIONS);
	else
		a->slurm.option[a->slurm.n_options++] = option;
}

static error_t parse_slurm(struct sweep_args *a, int key, const char *arg)
{
	uint64_t n = 0;

	switch (key) {
	case OPT_SLURM:
		a->on_slurm = true;
		return 0;
	case OPT_PARTITION:
		a->slurm.partition = arg;
		return 0;
	case OPT_TIME:
		a->slurm.time = arg;
		return 0;
	case OPT_SHARDS:
		if (cli_number("--shards", arg, 1, SLURM_MAX_SHARDS, &n, &a->e) == 0)
			a->slurm.shards = (unsigned)n;
		return 0;
	case OPT_SBATCH:
		push_sbatch(a, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sweep_args *a = state->input;
	uint64_t n = 0;

	switch (key) {
	case OPT_DIR:
		a->dir = arg;
		break;
	case 'j':
		if (cli_number("--jobs", arg, 1, 256, &n, &a->e) == 0)
			a->o.jobs = (unsigned)n;
		break;
	case OPT_MEMORY:
		cli_number("--memory", arg, 1 << 20, UINT64_MAX / 2, &a->o.memory, &a->e);
		break;
	case OPT_RETRY:
		a->o.retry = true;
		break;
	case OPT_RUNS:
		a->runs = true;
		break;
	case OPT_EACH:
		a->o.each = stdout;
		break;
	case OPT_ROWS:
		a->pivot.rows = arg;
		break;
	case OPT_COLUMNS:
		a->pivot.columns = arg;
		break;
	case OPT_METRIC:
		a->pivot.metric = arg;
		break;
	case OPT_OVER:
		a->pivot.over = arg;
		break;
	case OPT_MEAN:
		take_mean(a, arg);
		break;
	case 'o':
		a->output = arg;
		break;
	case ARGP_KEY_ARG:
		if (a->words == MAX_WORDS)
			argp_error(state, "\"%s\" is an argument too many", arg);
		a->word[a->words++] = arg;
		break;
	default:
		return parse_slurm(a, key, arg);
	}
	return 0;
}

static const struct argp_option options[] = {
	{"dir", OPT_DIR, "DIR", 0, "folder of the results (default: sweep-NAME)", 1},
	{0, 0, NULL, 0, "Runs:", 2},
	{"jobs", 'j', "N", 0, "number of concurrent runs (default: one per processor)", 2},
	{"memory", OPT_MEMORY, "BYTES", 0, "memory limit of a run, such as 4G", 2},
	{"retry", OPT_RETRY, NULL, 0, "repeat failed runs", 2},
	{"runs", OPT_RUNS, NULL, 0, "list the runs of the plan without making them", 2},
	{"each", OPT_EACH, NULL, 0, "print a line for each run when its result is kept", 2},
	{0, 0, NULL, 0, "Runs on a cluster:", 3},
	{"slurm", OPT_SLURM, NULL, 0, "make the runs as a Slurm job, and wait for it", 3},
	{"partition", OPT_PARTITION, "NAME", 0, "Slurm partition of the job", 3},
	{"time", OPT_TIME, "TIME", 0, "Slurm time limit of a task, such as 8:00:00", 3},
	{"shards", OPT_SHARDS, "N", 0, "maximum number of Slurm tasks (default: 16)", 3},
	{"sbatch", OPT_SBATCH, "OPTION", CLI_REPEATABLE, "further option for sbatch, such as --account=x; repeatable", 3},
	{0, 0, NULL, 0, "Tables and plots of a sweep:", 4},
	{"rows", OPT_ROWS, "AXES", 0, "table, plot: axes A,B of the rows (default: the first)", 4},
	{"columns", OPT_COLUMNS, "AXES", 0, "table, plot: axes A,B of the columns (default: the others)", 4},
	{"metric", OPT_METRIC, "NAME", 0, "table, plot: metric (default: cycles); csv: metrics A,B (default: all)", 4},
	{"over", OPT_OVER, "AXIS=VALUE", 0, "table, plot: divide by the runs with this value; for cycles, the speed-up", 4},
	{"mean", OPT_MEAN, "arithmetic|geometric|harmonic|none", 0, "table, plot: mean in the last row (default: geometric)", 4},
	{"output", 'o', "FILE", 0, "csv: output file; plot: FILE.svg or .png; report: folder", 4},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"PLAN.yaml\ntable|csv|plot|report PLAN.yaml",
	"Makes the runs of a plan that have no result yet. Each result is kept as soon as it is complete: a sweep that was stopped "
	"resumes from there, and one whose plan has grown only makes the new runs. Exit status 1 if a run failed.\v"
	"Examples:\n  locus sweep traces/examples/sweep.yaml --memory 4G\n  locus sweep table traces/examples/sweep.yaml "
	"--over mechanism=none",
	NULL,
	NULL,
	NULL};

/* ---- what it does ---- */

static const char *folder(const struct sweep_args *a, struct sweep_plan *p)
{
	return a->dir ? a->dir : arena_printf(&p->arena, "sweep-%s", p->name);
}

static int list_runs(const struct sweep_plan *p)
{
	for (unsigned i = 0; i < p->n_points; i++)
		printf("%s\n", p->point[i].args);
	return CLI_OK;
}

static int make(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s)
{
	struct sweep_missing m = sweep_runs_missing(p, s, a->o.retry);
	struct sweep_tally end;
	int rc = 0;

	if (a->on_slurm)
		rc = sweep_slurm_make(p, s, &a->o, &a->slurm, &a->e);
	else if (m.n)
		rc = sweep_runs_make(&m, s, &a->o, &a->e);
	if (rc)
		return cli_fail(&a->e);
	end = sweep_runs_missing(p, s, false).before;
	printf("%s: %u runs, %u kept before, %u made, %u failed; results in %s/runs.db\n", p->name, end.all, m.before.kept,
	       end.kept - m.before.kept, end.failed, a->o.dir);
	if (end.failed && !a->o.retry && !m.n) {
		sweep_runs_print_failures(p, s, MANY);
		fprintf(stderr, "locus: runs not repeated: %u that failed before (--retry repeats them)\n", end.failed);
	}
	if (end.missing)
		fprintf(stderr, "locus: %u runs have no result: the same command makes them%s\n", end.missing,
			a->on_slurm ? " (what shards said is in the folder's shards/slurm-*.log)" : "");
	return end.failed || end.missing ? CLI_DIFFERS : CLI_OK;
}

/* A run that has no result is a "-" of the table. */
static int state_of(struct sweep_plan *p, struct sweep_store *s)
{
	struct sweep_tally t = sweep_runs_missing(p, s, false).before;

	if (t.failed || t.missing)
		fprintf(stderr, "locus: %u of %u runs failed, and %u have not been made by this program\n", t.failed, t.all,
			t.missing);
	return t.failed || t.missing ? CLI_DIFFERS : CLI_OK;
}

static int table(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s)
{
	struct sweep_table t;

	if (sweep_pivot_make(&a->pivot, p, s, &t, &a->e) != 0)
		return cli_fail(&a->e);
	sweep_table_print(&t, stdout);
	return state_of(p, s);
}

static int plot(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s)
{
	const char *path = a->output ? a->output : arena_printf(&p->arena, "%s/%s.svg", a->o.dir, p->name);
	struct sweep_table t;

	if (sweep_pivot_make(&a->pivot, p, s, &t, &a->e) != 0 || sweep_plot(&t, path, &a->e) != 0)
		return cli_fail(&a->e);
	printf("%s\n", path);
	return state_of(p, s);
}

static int csv(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s)
{
	struct output o;

	if (output_open(&o, a->output ? a->output : "-", &a->e) != 0)
		return cli_fail(&a->e);
	if (sweep_csv(p, s, a->pivot.metric, o.f, &a->e) != 0 || output_keep(&o, &a->e) != 0) {
		output_drop(&o);
		return cli_fail(&a->e);
	}
	return state_of(p, s);
}

static int report(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s)
{
	const char *to = a->output ? a->output : arena_printf(&p->arena, "%s/report", a->o.dir);

	return sweep_report(p, s, to, &a->e) == 0 ? state_of(p, s) : cli_fail(&a->e);
}

typedef int action(struct sweep_args *a, struct sweep_plan *p, struct sweep_store *s);

static action *action_of(struct sweep_args *a)
{
	static const struct {
		const char *name;
		action *does;
	} all[] = {{"table", table}, {"csv", csv}, {"plot", plot}, {"report", report}};

	for (unsigned i = 0; a->words > 1 && i < sizeof all / sizeof all[0]; i++)
		if (!strcmp(all[i].name, a->word[0]))
			return all[i].does;
	if (a->words != 1)
		err_set(&a->e,
			a->words ? "sweep: \"%s\" is not one of table, csv, plot, report" : "sweep needs a plan (a .yaml file)",
			a->word[0]);
	return make;
}

/* `locus sweep shard K N DIR`, for a job of a cluster. */
static int shard(struct sweep_args *a)
{
	uint64_t k = 0, n = 0;

	if (a->words != 4)
		err_set(&a->e, "sweep shard needs its number, the number of shards, and the folder of the sweep");
	if (a->e.text[0] || cli_number("shard", a->word[1], 0, 99999, &k, &a->e) != 0 ||
	    cli_number("shards", a->word[2], 1, 100000, &n, &a->e) != 0 ||
	    sweep_shard_run(a->word[3], (unsigned)k, (unsigned)n, &a->o, &a->e) != 0)
		return cli_fail(&a->e);
	return CLI_OK;
}

static int with_plan(struct sweep_args *a, action *does)
{
	struct sweep_plan p;
	struct sweep_store s = {NULL};
	int status;

	if (sweep_plan_read(&p, a->word[a->words - 1], &a->e) != 0 || sweep_plan_check(&p, a->o.program, &a->e) != 0) {
		status = cli_fail(&a->e);
	} else if (a->runs) {
		status = list_runs(&p);
	} else {
		a->o.dir = folder(a, &p);
		status = (a->dir || output_folder_beneath(a->o.dir, &a->e) == 0) && sweep_runs_open(&s, a->o.dir, &a->e) == 0
				 ? does(a, &p, &s)
				 : cli_fail(&a->e);
		sweep_store_close(&s);
	}
	sweep_plan_close(&p);
	return status;
}

/* Options that the others of the command line leave without effect. */
static void check_options(const struct sweep_args *a, action *does, bool is_shard, const struct cli_given *g)
{
	bool makes = does == make && !is_shard, tabulates = does == table || does == plot;

	cli_needs(g, makes, "runs slurm", "makes runs: leave out table, csv, plot or report");
	cli_needs(g, (makes && !a->runs) || is_shard, "jobs memory retry each",
		  "is for making runs: leave out --runs, table, csv, plot or report");
	cli_needs(g, !a->on_slurm, "jobs each", "has no effect with --slurm, whose tasks make the runs");
	cli_needs(g, !is_shard, "dir memory retry each", "has no effect on a shard, whose folder has its runs and their limits");
	cli_needs(g, !a->runs, "dir slurm", "has no effect with --runs, which only lists the runs of the plan");
	cli_needs(g, a->on_slurm, "partition time shards sbatch", "needs --slurm");
	cli_needs(g, tabulates, "rows columns over mean", "is an option of `locus sweep table` and `plot`");
	cli_needs(g, tabulates || does == csv, "metric", "is an option of `locus sweep table`, `csv` and `plot`");
	cli_needs(g, does != make && does != table, "output", "is an option of `locus sweep csv`, `plot` and `report`");
}

int cli_sweep(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct sweep_args a = {.o = {.program = "/proc/self/exe", .jobs = processors > 0 ? (unsigned)processors : 1},
			       .slurm.shards = 16,
			       .pivot.mean = SWEEP_GEOMETRIC};
	struct cli_given given;
	bool is_shard;
	action *does;

	cli_parse_given(&argp, argc, argv, &a, &given);
	is_shard = a.words && !strcmp(a.word[0], "shard");
	does = is_shard ? make : action_of(&a);
	if (!a.e.text[0])
		check_options(&a, does, is_shard, &given);
	if (is_shard)
		return shard(&a);
	if (!a.pivot.metric && does != csv)
		a.pivot.metric = "cycles";
	return a.e.text[0] ? cli_fail(&a.e) : with_plan(&a, does);
}

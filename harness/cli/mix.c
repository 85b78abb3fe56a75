/* locus mix: several programs on one machine at the same time, each on modules of its own. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cputime.h"
#include "base/root.h"
#include "cli/cli.h"
#include "cli/dump_files.h"
#include "cli/model_options.h"
#include "cli/model_report.h"
#include "cli/phases.h"
#include "trace/join.h"

enum { MIX_MAX = 64, MIX_MAX_ARGS = 32, KEY_SIZE = 3000, KEY_PLAN, KEY_MAX_CYCLES, KEY_LAUNCHES };

struct mix_args {
	struct machine_options on;
	const char *size, *plan;
	uint64_t max_cycles;
	bool launches;
	const char *program[MIX_MAX];
	uint32_t n;
};

struct mix {
	struct arena arena;
	struct source one[MIX_MAX];
	struct trace_part part[MIX_MAX];
	struct plan_program program[MIX_MAX];
	struct plan_site site;
	struct source all; /* the joined trace */
	const struct affine_launch **analysis;
};

static const struct argp_option options[] = {
	{"size", KEY_SIZE, "test|default|paper", 0, "size of the workloads", 0},
	{"plan", KEY_PLAN, "PLANNER", 0, "where CTAs and pages go (locus list planners)", 0},
	{"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N core cycles", 0},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print what each launch did", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct mix_args *a = state->input;
	struct err e = {""};

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->on;
		return 0;
	case KEY_SIZE:
		a->size = arg;
		return 0;
	case KEY_PLAN:
		a->plan = arg;
		return 0;
	case KEY_MAX_CYCLES:
		if (cli_number("--max-cycles", arg, 1, UINT64_MAX, &a->max_cycles, &e))
			argp_error(state, "%s", e.text);
		return 0;
	case KEY_LAUNCHES:
		a->launches = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->n == MIX_MAX)
			argp_error(state, "more than %d programs", MIX_MAX);
		a->program[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->n < 2)
			argp_error(state, "wants two programs or more");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"PROGRAM[,KEY=VALUE...] PROGRAM...",
	"Runs several programs (workloads with their options, launch files, traces) at the same time, each on modules of its own: "
	"the "
	"machine's modules are shared out evenly, in order. The figures of each program stand beside those of all.\v"
	"Examples:\n  locus mix bfs kmeans hotspot nn --machine ndp4 --plan own-stacks\n"
	"  locus mix syrk,n=128 vectoradd --machine ndp4 --plan fgp-only --size test",
	children,
	NULL,
	NULL};

/* ---- the programs ---- */

static const char *name_of(struct mix *x, uint32_t i, const char *what)
{
	const char *slash = strrchr(what, '/');
	char *name = arena_strdup(&x->arena, slash ? slash + 1 : what);
	unsigned same = 1;

	name[strcspn(name, ".")] = '\0';
	for (uint32_t k = 0; k < i; k++)
		same += !strncmp(x->part[k].name, name, strlen(name)) && strchr("-", x->part[k].name[strlen(name)]);
	return same > 1 ? arena_printf(&x->arena, "%s-%u", name, same) : name;
}

/* "syrk,n=128,m=64" */
static int open_program(struct mix *x, uint32_t i, const struct mix_args *a, bool analyse, struct err *e)
{
	char root[ROOT_PATH_MAX], *what = arena_strdup(&x->arena, a->program[i]), *comma;
	const char *args[MIX_MAX_ARGS];
	struct source_options o = {
		.what = what, .root = root_path("", root), .size = a->size, .args = args, .analyse = analyse, .files = &dump_files};

	for (comma = strchr(what, ','); comma; comma = strchr(comma, ',')) {
		*comma++ = '\0';
		if (o.n_args == MIX_MAX_ARGS)
			return err_set(e, "%s: more than %d options", a->program[i], MIX_MAX_ARGS);
		args[o.n_args++] = comma;
	}
	if (phase_source(&x->one[i], &o, e))
		return -1;
	x->part[i] = (struct trace_part){.name = name_of(x, i, what), .trace = x->one[i].trace};
	return 0;
}

static const char *joined_name(struct mix *x, uint32_t n)
{
	const char *name = trace_name(x->part[0].trace);

	for (uint32_t i = 1; i < n; i++)
		name = arena_printf(&x->arena, "%s + %s", name, trace_name(x->part[i].trace));
	return name;
}

static void join_analyses(struct mix *x, uint32_t n)
{
	x->analysis = arena_array(&x->arena, trace_n_launches(x->all.trace), sizeof *x->analysis);
	for (uint32_t i = 0; i < n; i++) {
		if (!x->one[i].analysis) { /* one without PTX: strides come from the profile for all */
			x->analysis = NULL;
			return;
		}
		for (uint32_t l = 0; l < trace_n_launches(x->one[i].trace); l++)
			x->analysis[x->part[i].first_launch + l] =
				affine_renumber(x->one[i].analysis[l], (int32_t)x->part[i].first_buffer, &x->arena);
	}
}

static int open_all(struct mix *x, const struct mix_args *a, struct err *e)
{
	struct planner_wants wants = {0};

	if (a->plan && planner_check(a->plan, &wants, e))
		return -1;
	if (wants.taf)
		return err_set(e, "--plan %s: TAFE's tables are of one program; several share this machine", a->plan);
	for (uint32_t i = 0; i < a->n; i++)
		if (open_program(x, i, a, wants.analysis, e))
			return -1;
	x->all.trace = trace_join(x->part, a->n, &(struct trace_options){.name = joined_name(x, a->n)}, e);
	if (!x->all.trace)
		return -1;
	x->all.checked = true;
	for (uint32_t i = 0; i < a->n; i++) {
		struct plan_program *p = &x->program[i];

		p->name = x->part[i].name;
		p->first_launch = x->part[i].first_launch;
		p->n_launches = trace_n_launches(x->part[i].trace);
		p->first_buffer = x->part[i].first_buffer;
		p->n_buffers = trace_n_buffers(x->part[i].trace);
		x->all.executed += x->one[i].executed;
		x->all.checked &= x->one[i].checked;
		x->all.differs |= x->one[i].differs;
		if (x->one[i].differs)
			cli_tell(&x->one[i].difference);
	}
	if (wants.analysis)
		join_analyses(x, a->n);
	return 0;
}

static void close_all(struct mix *x, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		source_close(&x->one[i]);
	trace_close(x->all.trace);
	arena_free(&x->arena);
}

/* ---- the run ---- */

static int make_plan(struct mix *x, const struct mix_args *a, const struct machine *m, struct plan *p, struct err *e)
{
	struct plan_ask ask = {.machine = m,
			       .site = &x->site,
			       .trace = x->all.trace,
			       .analysis = x->analysis,
			       .arena = &x->arena,
			       .n_programs = a->n,
			       .program = x->program};

	return phase_plan(p, a->plan, &ask, e);
}

static void print_shares(const struct mix *x, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		printf("  %-20s modules %u to %u\n", x->part[i].name, x->program[i].first_home,
		       x->program[i].first_home + x->program[i].n_homes - 1);
	putchar('\n');
}

static int run(struct mix *x, const struct mix_args *a, const struct machine *m, double start, struct output *json, struct err *e)
{
	struct model_time t = {0};
	struct gpu_result r;
	struct plan p;
	struct gpu_config c = {.machine = m, .plan = &p, .max_cycles = a->max_cycles};
	int status;

	/* Whether there is a module for each shows before any of them is executed, which may take minutes. */
	plan_site_of(&x->site, m, &x->arena);
	if (plan_share(x->program, a->n, &x->site, e) || open_all(x, a, e) || make_plan(x, a, m, &p, e))
		return CLI_USAGE;
	c.trace = x->all.trace;
	t.functional = cpu_seconds() - start - p.seconds;
	t.plan = p.seconds;
	model_report_title(&x->all, m, stdout);
	print_shares(x, a->n);
	fflush(stdout);
	if (phase_run(&c, gpu_run, &r, e))
		return CLI_USAGE;
	t.model = cpu_seconds() - start - t.functional;
	model_report_text(&x->all, &r, a->launches, &t, stdout);
	status = r.audit.failed || x->all.differs ? CLI_DIFFERS : CLI_OK;
	if (model_report_save(json, &x->all, m, &r, &p, e))
		status = CLI_USAGE;
	gpu_result_free(&r);
	return status;
}

int cli_mix(int argc, char **argv)
{
	double start = cpu_seconds();
	struct mix_args a = {.size = NULL};
	struct mix *x = xcalloc(1, sizeof *x);
	struct output json = {0};
	struct machine m;
	struct err e = {""};
	int status = CLI_USAGE;

	cli_parse(&argp, argc, argv, &a);
	if (!machine_options_load(&a.on, &m, &e) && !machine_resolve(&m, &e) && !output_open(&json, a.on.json, &e))
		status = run(x, &a, &m, start, &json, &e);
	output_drop(&json);
	close_all(x, a.n);
	free(x);
	return e.text[0] ? cli_fail(&e) : status;
}

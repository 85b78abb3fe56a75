/* locus graph: which CTAs of a program read the same data, as a graph. */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cputime.h"
#include "cli/cli.h"
#include "cli/graph_picture.h"
#include "cli/graph_report.h"
#include "session/result.h"
#include "cli/program_options.h"
#include "locality/locality_metis.h"
#include "process/progress.h"

enum { KEY_LAUNCH = 2000, KEY_SOURCE, KEY_UNIT, KEY_CAP, KEY_PICTURE, KEY_METIS, KEY_JSON };

struct graph_args {
	struct program_options program;
	struct locality_options how;
	bool chosen; /* --source was set */
	bool one;    /* --launch was set */
	uint64_t launch;
	const char *picture, *metis, *json;
};

struct graph_files {
	struct output metis, json, picture;
};

static const struct argp_option options[] = {
	{"launch", KEY_LAUNCH, "N", 0, "only launch N, from 0 (default: all, and means)", 0},
	{"source", KEY_SOURCE, "static|trace", 0, "accesses: by PTX analysis (default), or executed", 0},
	{"unit", KEY_UNIT, "element|line", 0, "CTAs share elements (default) or 128-byte lines", 0},
	{"cap", KEY_CAP, "N", 0, "beyond N readers, only join consecutive ones (default: 256)", 0},
	{"picture", KEY_PICTURE, "FILE", 0, "draw the adjacency matrix to .svg or .png (PAVER, Figure 5)", 0},
	{"metis", KEY_METIS, "FILE", 0, "write the graph in the format of METIS", 0},
	{"json", KEY_JSON, "FILE", 0, "also write the metrics as JSON (-: to stdout)", 0},
	{0},
};

static void choose(struct argp_state *state, const char *option, const char *arg, const char *no, const char *yes, bool *to)
{
	if (strcmp(arg, no) != 0 && strcmp(arg, yes) != 0)
		argp_error(state, "%s: \"%s\" is neither %s nor %s", option, arg, no, yes);
	*to = !strcmp(arg, yes);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct graph_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->program;
		return 0;
	case KEY_LAUNCH:
		a->launch = cli_argp_number(state, "--launch", arg, 0, UINT32_MAX);
		a->one = true;
		return 0;
	case KEY_SOURCE:
		choose(state, "--source", arg, "static", "trace", &a->how.from_trace);
		a->chosen = true;
		return 0;
	case KEY_UNIT:
		choose(state, "--unit", arg, "element", "line", &a->how.lines);
		return 0;
	case KEY_CAP:
		a->how.cap = (uint32_t)cli_argp_number(state, "--cap", arg, 1, UINT32_MAX);
		return 0;
	case KEY_PICTURE:
		a->picture = arg;
		return 0;
	case KEY_METIS:
		a->metis = arg;
		return 0;
	case KEY_JSON:
		a->json = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0}, {&accelsim_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Shows which CTAs read the same data and how much of it: PAVER's locality graph. Nothing is simulated.\v"
	"Examples:\n  locus graph matmul --arg n=208\n  locus graph bfs --source trace --size test --launch 4 --picture bfs.svg",
	children,
	NULL,
	NULL};

/* The metrics of one launch; its graph goes into the files that are wanted of it. */
static int look_at(const struct graph_args *a, const struct locality_source *from, uint32_t launch, struct graph_files *files,
		   struct graph_launch *to, struct err *e)
{
	struct locality_readers readers;
	struct locality_shares shares;
	struct locality_graph g;
	struct locality_score score;
	struct arena arena = {0};
	double start = cpu_seconds(), seconds;
	char title[256];
	int rc;

	if ((a->how.from_trace ? locality_readers_trace : locality_readers_static)(&readers, from, launch, a->how.lines, e))
		return -1;
	locality_graph_of(&g, &readers, a->how.cap, &arena);
	seconds = cpu_seconds() - start;
	locality_score(&score, &readers);
	rc = locality_shares(&shares, from->trace, launch, a->how.lines, e);
	graph_figures(to, &g, &score, &readers.loads, &shares, seconds);
	locality_readers_free(&readers);
	snprintf(title, sizeof title, "%s, launch %u", trace_name(from->trace), launch);
	if (!rc && files->metis.f) {
		locality_metis_write(&g, title, files->metis.f);
		rc = output_keep(&files->metis, e);
	}
	if (!rc && files->picture.f)
		rc = graph_picture(&g, title, &files->picture, e);
	arena_free(&arena);
	return rc;
}

static int look(const struct graph_args *a, const struct source *s, struct graph_files *files, struct err *e)
{
	const struct locality_source from = {s->trace, s->analysis};
	uint32_t first = a->one ? (uint32_t)a->launch : 0, n = a->one ? 1 : trace_n_launches(s->trace);
	struct graph_launch *launch = xcalloc(n + (size_t)1, sizeof *launch);
	struct graph_report r = {.source = s,
				 .workload = a->program.what,
				 .from_trace = a->how.from_trace,
				 .lines = a->how.lines,
				 .first = first,
				 .n = n,
				 .launch = launch};
	struct progress p;
	int rc = 0;

	progress_begin(&p, "graphs of %s", trace_name(s->trace));
	for (uint32_t i = 0; i < n && !rc; i++) {
		rc = look_at(a, &from, first + i, files, &launch[i], e);
		progress_count(&p, i + UINT64_C(1), n);
	}
	progress_end(&p);
	if (!rc) {
		r.mean = graph_mean(launch, n);
		graph_report_text(&r, stdout);
		rc = result_write(&files->json, files->json.f ? graph_report_json(&r) : NULL, e);
	}
	free(launch);
	return rc;
}

/* What can only be said once the program is there. */
static int settle(struct graph_args *a, const struct source *s, struct err *e)
{
	uint32_t n = trace_n_launches(s->trace);

	if (!n)
		return err_set(e, "%s: has no launch", a->program.what);
	if (a->one && a->launch >= n)
		return err_set(e, "--launch %u: %s has %u launch%s", (uint32_t)a->launch, a->program.what, n, n > 1 ? "es" : "");
	if (n == 1)
		a->one = true;
	if (!a->one && (a->picture || a->metis))
		return err_set(e, "--%s shows one launch, and %s has %u: choose one with --launch N",
			       a->picture ? "picture" : "metis", a->program.what, n);
	if (!a->chosen)
		a->how.from_trace = !s->analysis;
	return 0;
}

static int open_files(const struct graph_args *a, struct graph_files *files, struct err *e)
{
	if (a->picture && graph_picture_check(a->picture, e))
		return -1;
	const char *const all[] = {a->metis, a->json, a->picture};

	if (output_distinct(all, sizeof all / sizeof all[0], e) != 0)
		return -1;
	return output_open(&files->metis, a->metis, e) || output_open(&files->json, a->json, e) ||
			       output_open(&files->picture, a->picture, e)
		       ? -1
		       : 0;
}

int cli_graph(int argc, char **argv)
{
	struct graph_args a = {0};
	struct source_options with = {.analyse = true};
	struct graph_files files = {0};
	struct err e = {""};
	struct source s = {0};
	int status = CLI_OK;

	cli_parse(&argp, argc, argv, &a);
	if (open_files(&a, &files, &e) || program_options_open(&a.program, &with, &s, &e))
		status = CLI_USAGE;
	else if (settle(&a, &s, &e) || look(&a, &s, &files, &e))
		status = CLI_USAGE;
	output_drop(&files.metis);
	output_drop(&files.json);
	output_drop(&files.picture);
	if (s.trace)
		source_close(&s);
	return status ? cli_fail(&e) : status;
}

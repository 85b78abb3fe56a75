/* locus record WHAT -o FILE: executes a workload or a launch file once and keeps what it did. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/root.h"
#include "cli/cli.h"
#include "host/source.h"

/* No short names: -s is --set with `locus run`. */
enum { OPT_SIZE = 1000, OPT_ARG, OPT_PRINTF, OPT_MAP, OPT_UNKNOWN, OPT_MEMCPY };

struct record_args {
	struct source_options source;
	const char **list; /* --arg */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_args *a = state->input;

	switch (key) {
	case 'o':
		a->source.record_path = arg;
		return 0;
	case OPT_PRINTF:
		a->source.print = true;
		return 0;
	case OPT_SIZE:
		a->source.size = arg;
		return 0;
	case OPT_ARG:
		a->list = xrealloc(a->list, (a->source.n_args + 1) * sizeof *a->list);
		a->list[a->source.n_args++] = arg;
		return 0;
	case OPT_MAP:
		a->source.accelsim.opcode_map = arg;
		return 0;
	case OPT_UNKNOWN:
		if (strcmp(arg, "alu"))
			argp_error(state, "--unknown-opcode=%s: must be alu", arg);
		a->source.accelsim.unknown_alu = true;
		return 0;
	case OPT_MEMCPY:
		a->source.accelsim.memcpy = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			return ARGP_ERR_UNKNOWN;
		a->source.what = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->source.what || !a->source.record_path)
			argp_error(state, "needs a workload, launch file or kernelslist.g, and -o FILE.ltrace");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"output", 'o', "FILE.ltrace", 0, "where the trace goes", 0},
	{"size", OPT_SIZE, "SIZE", 0, "test, default or paper", 0},
	{"arg", OPT_ARG, "KEY=VALUE", 0, "an option of the workload (see locus list)", 0},
	{"printf", OPT_PRINTF, NULL, 0, "print what kernels print (vprintf) to stderr; else it is ignored", 0},
	{"opcode-map", OPT_MAP, "FILE", 0, "Accel-Sim trace: more opcodes and their classes", 0},
	{"unknown-opcode", OPT_UNKNOWN, "alu", 0, "Accel-Sim trace: unknown ones are integer adds", 0},
	{"memcpy", OPT_MEMCPY, NULL, 0, "Accel-Sim trace: MemcpyHtoD lines become buffers", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|kernelslist.g -o FILE.ltrace",
	"Executes a program once (or imports an Accel-Sim trace), checks its results and records what it did, for `locus run "
	"FILE.ltrace` "
	"and `locus trace`. Exit status 1 if a result is wrong.\v"
	"Examples:\n  locus record syrk --size test -o syrk.ltrace\n  locus record traces/examples/spmv.yaml -o spmv.ltrace\n"
	"  locus record traces/accelsim-sample/kernelslist.g -o sample.ltrace",
	NULL,
	NULL,
	NULL};

static void report(const struct source *s, const char *path)
{
	struct trace_sizes bytes = trace_sizes(s->trace);

	printf("%s: %" PRIu64 " warp instructions in %" PRIu32 " launches, %" PRIu64 " bytes of CTAs, hash 0x%016" PRIx64 "\n",
	       trace_name(s->trace), s->executed, trace_n_launches(s->trace), bytes.stored, trace_hash(s->trace));
	printf("results %s; trace in %s\n",
	       !s->checked  ? "not compared (no reference)"
	       : s->differs ? "WRONG"
			    : "agree with the reference",
	       path);
	if (s->differs)
		cli_tell(&s->difference);
}

int cli_record(int argc, char **argv)
{
	struct record_args args = {0};
	struct err e = {""};
	struct source s;
	char root[4096];
	int status;

	cli_parse(&argp, argc, argv, &args);
	args.source.root = root_path(".", root);
	args.source.args = args.list;
	if (source_open(&s, &args.source, &e)) {
		free(args.list);
		return cli_fail(&e);
	}
	report(&s, args.source.record_path);
	status = s.differs ? CLI_DIFFERS : CLI_OK;
	source_close(&s);
	free(args.list);
	return status;
}

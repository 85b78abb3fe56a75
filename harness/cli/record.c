/* locus record WHAT -o FILE: executes a workload or a launch file once and keeps what it did. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/program_options.h"
#include "ptx/memory.h"
#include "session/machine_choice.h"

struct record_args {
	struct program_options from;
	const char *path, *align, *machine; /* NULL: not given */
};

enum { OPT_ALIGN = 1100 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->from;
		return 0;
	case 'o':
		a->path = arg;
		return 0;
	case OPT_ALIGN:
		a->align = arg;
		return 0;
	case 'm':
		a->machine = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->from.what && !a->path)
			argp_error(state, "needs -o FILE.ltrace, the trace to write");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"output", 'o', "FILE.ltrace", 0, "trace to write", 0},
	{"machine", 'm', "NAME|FILE", 0, "machine whose SMs, page size and instruction order the program has (gtx480)", 0},
	{"align", OPT_ALIGN, "BYTES", 0, "align buffers to the page size of the machine that will run the trace (4K)", 0},
	{0},
};
static const struct argp_child children[] = {{&program_argp, 0, NULL, 0}, {&accelsim_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|kernelslist.g -o FILE.ltrace",
	"Executes a program once (or imports an Accel-Sim trace), checks its results and records a trace for `locus run "
	"FILE.ltrace` "
	"and `locus trace`. Exit status 1 if a result is wrong.\v"
	"Examples:\n  locus record syrk --size test -o syrk.ltrace\n  locus record traces/examples/spmv.yaml -o spmv.ltrace\n"
	"  locus record traces/accelsim-sample/kernelslist.g -o sample.ltrace",
	children,
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
		cli_print_error(&s->difference);
}

static int choose_machine(const char *name, struct source_options *with, struct err *e)
{
	struct machine m;

	if (machine_choose(&(struct machine_choice){.name = name}, &m, e) != 0)
		return -1;
	with->sms = m.sm.count;
	with->independent_lanes = m.sm.independent_lanes;
	with->order = m.sm.schedule ? PTX_ASSEMBLER_ORDER : PTX_TEXT_ORDER;
	with->align = machine_data_align(&m);
	return 0;
}

static int check(const struct record_args *a, struct source_options *with, struct err *e)
{
	uint64_t align = 0;

	if (!strcmp(a->path, "-"))
		return err_set(e, "-o -: a trace cannot go to standard output");
	if (a->machine && accelsim_is_name(a->from.what))
		return err_set(e, "%s: an Accel-Sim trace takes no --machine: it is not executed", a->from.what);
	if (a->machine && choose_machine(a->machine, with, e) != 0)
		return -1;
	if (!a->align)
		return 0;
	if (accelsim_is_name(a->from.what))
		return err_set(e, "--align: %s is an Accel-Sim trace, whose addresses are fixed", a->from.what);
	if (cli_number("--align", a->align, MEMORY_MIN_ALIGN, MEMORY_MAX_ALIGN, &align, e) != 0)
		return -1;
	if (align & (align - 1))
		return err_set(e, "--align: %s is not a power of two", a->align);
	with->align = (uint32_t)align;
	return 0;
}

int cli_record(int argc, char **argv)
{
	struct record_args args = {0};
	struct source_options with = {0};
	struct err e = {""};
	struct source s;
	int status;

	cli_parse(&argp, argc, argv, &args);
	with.record_path = args.path;
	if (check(&args, &with, &e) != 0 || program_options_open(&args.from, &with, &s, &e) != 0)
		return cli_fail(&e);
	report(&s, args.path);
	status = s.differs ? CLI_DIFFERS : CLI_OK;
	source_close(&s);
	return status;
}

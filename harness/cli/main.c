/* locus: the program. Picks the subcommand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "cli/cli.h"
#include "process/interrupt.h"
#include "process/terminal.h"

static const struct cli_command commands[] = {
	{"run", "run a program on the cycle model", cli_run},
	{"cosim", "run a program with Verilog blocks beside the golden twins", cli_cosim},
	{"replay", "run a mismatch bundle again; make it smaller", cli_replay},
	{"blocks", "build, check and list the Verilated hardware blocks", cli_blocks},
	{"cache", "replay a Dinero trace through the cache of the model", cli_cache},
	{"bench", "time the parts", cli_bench},
	{"dram", "replay a list of requests through one memory channel of the model", cli_dram},
	{"cuda", "run a CUDA program as it stands, with the model as its GPU", cli_cuda},
	{"decode", "print where addresses are: stack, channel, bank, row, column", cli_decode},
	{"check", "look for races, and for reads of what nothing has written", cli_check},
	{"diff", "list what changed between two results", cli_diff},
	{"footprint", "show what CTAs touch, as TAFE estimates it and as it is", cli_footprint},
	{"graph", "show which CTAs of a program read the same data", cli_graph},
	{"index", "print the set of addresses under the pseudo-random index", cli_index},
	{"list", "list workloads, machines, blocks, planners and studies", cli_list},
	{"machine", "make a machine of GPGPU-Sim's options; show one", cli_machine},
	{"mix", "run several programs beside each other, each on modules of its own", cli_mix},
	{"nvcc", "build CUDA programs without a CUDA toolkit", cli_nvcc},
	{"plan", "show where a planner puts a program's CTAs and pages, and why", cli_plan},
	{"profile", "show which source lines of a program take the cycles, and why", cli_profile},
	{"ptx", "show the kernels of a PTX file and what in them cannot run", cli_ptx},
	{"record", "execute a program once and keep what it did", cli_record},
	{"report", "make a page for the browser of one or more results", cli_report},
	{"study", "make the figures of a paper, measured beside published", cli_study},
	{"sweep", "make many runs by a plan, and tables and pictures of them", cli_sweep},
	{"trace", "show what a recorded trace holds", cli_trace},
	{"why", "show where a program's loads wait, for what and for whom", cli_why},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void help(void)
{
	fputs("usage: locus COMMAND [OPTION...]\n\n"
	      "A cycle-level model of a GPU and its memory, with locality hardware in C and in Verilog.\n\n",
	      stdout);
	for (unsigned i = 0; i < N_COMMANDS; i++)
		printf("  %-9s  %s\n", commands[i].name, commands[i].summary);
	fputs("\n`locus COMMAND --help` says the rest; `locus --version` which program this is.\n", stdout);
}

/* name: NULL if there is none. */
static int unknown(const char *name)
{
	struct suggestion n = {.typed = name ? name : ""};
	struct err e = {""};
	char hint[160];

	for (unsigned i = 0; name && i < N_COMMANDS; i++)
		suggestion_offer(&n, commands[i].name);
	if (name)
		err_set(&e, "no command \"%s\"%s (see locus --help)", name, suggestion_text(&n, hint));
	else
		err_set(&e, "needs a command, such as `locus run syrk` (see locus --help)");
	return cli_fail(&e);
}

/* What a signal cut short ends with that signal's status. */
static int run(const struct cli_command *c, int argc, char **argv)
{
	char name[64];
	int status;

	snprintf(name, sizeof name, "locus %s", c->name);
	argv[0] = name;
	status = c->run(argc, argv);
	return interrupt_taken() ? 128 + interrupt_taken() : status;
}

int main(int argc, char **argv)
{
	terminal_begin();
	interrupt_begin();
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* a screen has no room for a note on short options */

	if (argc < 2)
		return unknown(NULL);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "help")) {
		help();
		return CLI_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		cli_version();
		return CLI_OK;
	}
	for (unsigned i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return run(&commands[i], argc - 1, argv + 1);
	return unknown(argv[1]);
}

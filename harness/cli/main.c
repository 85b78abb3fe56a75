/* locus: the program. Picks the subcommand. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/suggestion.h"
#include "cli/cli.h"
#include "cuda/wire.h"
#include "process/interrupt.h"
#include "process/terminal.h"

/* By what they are for; --help prints a group's title above its commands. */
static const struct {
	const char *title;
	struct cli_command command[10];
} groups[] = {
	{"Run programs",
	 {{"cuda", "run an unmodified CUDA program with the model as its GPU", cli_cuda},
	  {"mix", "run several programs at the same time, each on modules of its own", cli_mix},
	  {"run", "run a program on the cycle model", cli_run}}},
	{"Inspect runs and programs",
	 {{"check", "look for data races and reads of uninitialised memory", cli_check},
	  {"diff", "compare two or more results", cli_diff},
	  {"profile", "show which source lines take the cycles, and why", cli_profile},
	  {"report", "make an HTML page of one or more results", cli_report},
	  {"trace", "show the contents of a recorded trace", cli_trace},
	  {"why", "show where loads wait, for what and for which lines", cli_why}}},
	{"Co-simulate hardware blocks",
	 {{"blocks", "build, check and list the Verilated hardware blocks", cli_blocks},
	  {"cosim", "run a program with Verilog blocks, compared with their golden twins", cli_cosim},
	  {"decode", "print the stack, channel, bank, row and column of addresses", cli_decode},
	  {"index", "print the cache set of each address under the PRIC index", cli_index},
	  {"replay", "replay a mismatch bundle, or minimise it", cli_replay},
	  {"signoff", "check your Verilog for a block with every tool, on one page", cli_signoff}}},
	{"Plan placement",
	 {{"footprint", "compare the data that CTAs touch with TAFE's estimate", cli_footprint},
	  {"graph", "show which CTAs of a program read the same data", cli_graph},
	  {"plan", "show where a planner places CTAs and pages, and why", cli_plan}}},
	{"Make studies",
	 {{"study", "reproduce a paper's figures and compare with the published values", cli_study},
	  {"sweep", "make the runs of a plan, and tables and plots of them", cli_sweep}}},
	{"Tools",
	 {{"bench", "measure the speed of the simulator's parts", cli_bench},
	  {"cache", "replay a Dinero trace through the model's cache", cli_cache},
	  {"dram", "replay a list of requests through one memory channel of the model", cli_dram},
	  {"list", "list workloads, machines, keys, metrics, blocks, planners and studies", cli_list},
	  {"machine", "import a machine from GPGPU-Sim's options, or show one", cli_machine},
	  {"nvcc", "build CUDA programs without a CUDA toolkit", cli_nvcc},
	  {"ptx", "show the kernels of a PTX file, and what cannot be executed", cli_ptx},
	  {"record", "execute a program once and record a trace", cli_record}}},
};
enum { N_GROUPS = sizeof groups / sizeof groups[0] };

static void help(void)
{
	fputs("usage: locus COMMAND [OPTION...]\n\n"
	      "A cycle-level model of a GPU and its memory, with locality hardware in C and in Verilog.\n",
	      stdout);
	for (unsigned g = 0; g < N_GROUPS; g++) {
		printf("\n%s:\n", groups[g].title);
		for (const struct cli_command *c = groups[g].command; c->name; c++)
			printf("  %-9s  %s\n", c->name, c->summary);
	}
	fputs("\nSee `locus COMMAND --help` for details; `locus --version` prints the version.\n", stdout);
}

static const struct cli_command *find(const char *name)
{
	for (unsigned g = 0; g < N_GROUPS; g++)
		for (const struct cli_command *c = groups[g].command; c->name; c++)
			if (!strcmp(name, c->name))
				return c;
	return NULL;
}

/* name: NULL if there is none. */
static int unknown(const char *name)
{
	struct suggestion n = {.typed = name ? name : ""};
	struct err e = {""};
	char hint[160];

	for (unsigned g = 0; name && g < N_GROUPS; g++)
		for (const struct cli_command *c = groups[g].command; c->name; c++)
			suggestion_offer(&n, c->name);
	if (name)
		err_set(&e, "no command \"%s\"%s (see locus --help)", name, suggestion_text(&n, hint));
	else
		err_set(&e, "needs a command, such as `locus run syrk` (see locus --help)");
	return cli_fail(&e);
}

/* A variable of the environment that nobody reads, with a name that is nearly that of one which is read. Others are
 * those of somebody else. */
static int check_environment(struct err *e)
{
	static const char prefix[] = "LOCUS_", *const known[] = {"LOCUS_ROOT", "LOCUS_THREADS", WIRE_SOCKET, WIRE_MEMORY};
	enum { KNOWN = sizeof known / sizeof known[0] };

	for (char **at = environ; *at; at++) {
		char name[64];
		struct suggestion n = {.typed = name + sizeof prefix - 1};
		size_t length = strcspn(*at, "=");
		unsigned i = 0;

		if (strncmp(*at, prefix, sizeof prefix - 1) || length >= sizeof name)
			continue;
		memcpy(name, *at, length);
		name[length] = '\0';
		while (i < KNOWN && strcmp(name, known[i]))
			suggestion_offer(&n, known[i++] + sizeof prefix - 1);
		if (i == KNOWN && n.best)
			return err_set(e, "environment variable %s is not known (did you mean LOCUS_%s?)", name, n.best);
	}
	return 0;
}

/* Commands keep a session on the stack, and libraries recurse into what they read. A soft limit below STACK_USUAL is
 * raised, for other threads too, as far as the hard limit allows. -1: that is less than STACK_LEAST. */
static int take_stack(struct err *e)
{
	enum { STACK_LEAST = 512 << 10, STACK_USUAL = 8 << 20 };
	pthread_attr_t attr;
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l) != 0 || l.rlim_cur == RLIM_INFINITY || l.rlim_cur >= STACK_USUAL)
		return 0;
	l.rlim_cur = l.rlim_max == RLIM_INFINITY || l.rlim_max > STACK_USUAL ? STACK_USUAL : l.rlim_max;
	if (l.rlim_cur < STACK_LEAST)
		return err_set(e, "the limit of the stack is %llu KB, and Locus needs %d: raise it (ulimit -s 8192)",
			       (unsigned long long)l.rlim_cur >> 10, STACK_LEAST >> 10);
	setrlimit(RLIMIT_STACK, &l);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_USUAL);
	pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
	return 0;
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

/* `locus help COMMAND` is `locus COMMAND --help`. */
static int help_on(int argc, char **argv)
{
	char option[] = "--help", *words[] = {argv[0], option, NULL};
	const struct cli_command *c;

	if (argc == 1) {
		help();
		return CLI_OK;
	}
	if (argc > 2)
		return cli_fail(&(struct err){"help takes one command"});
	c = find(argv[1]);
	return c ? run(c, 2, words) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
	const struct cli_command *c;
	struct err e = {""};

	if (take_stack(&e) != 0 || check_environment(&e) != 0)
		return cli_fail(&e);
	terminal_begin();
	interrupt_begin();
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* a screen has no room for a note on short options */

	if (argc < 2)
		return unknown(NULL);
	if (!strcmp(argv[1], "help"))
		return help_on(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?")) {
		help();
		return CLI_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		cli_version();
		return CLI_OK;
	}
	c = find(argv[1]);
	return c ? run(c, argc - 1, argv + 1) : unknown(argv[1]);
}

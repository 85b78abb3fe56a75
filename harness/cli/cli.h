/* The command line: one file a subcommand, each with argp; main.c finds them in one table.
 *
 * A subcommand gets its own argc and argv (argv[0] is "locus NAME") and returns the exit status: 0 all is well, 1
 * something that was checked differs (a mismatch, an audit, a wrong result), 2 the user's input cannot be used (one
 * line on stderr).
 */
#ifndef HARNESS_CLI_CLI_H
#define HARNESS_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Groups of options in --help, in this order; a group's title is in the table of one argp of the group. 0: the
 * command's own, without a title. */
enum cli_help_group {
	HELP_OWN,
	HELP_PROGRAM,
	HELP_ACCELSIM,
	HELP_MACHINE,
	HELP_POLICIES,
	HELP_PLACEMENT,
	HELP_LIMITS,
	HELP_RESULTS,
	HELP_OVER_TIME,
	HELP_VIEWERS,
	HELP_TRIES,
	HELP_CHECKPOINTS,
	HELP_SIMULATION,
	HELP_BLOCKS
};

enum { CLI_OK = 0, CLI_DIFFERS = 1, CLI_USAGE = 2 };
enum { CLI_GIVEN_MAX = 128 };

/* A flag of an option that may be given several times, each with a value of its own; argp ignores the bit. Any other
 * option with a value is refused when it is given twice: only the last value would count. */
enum { CLI_REPEATABLE = 0x1000 };

struct cli_command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
};

int cli_footprint(int argc, char **argv);
int cli_graph(int argc, char **argv);
int cli_machine(int argc, char **argv);
int cli_mix(int argc, char **argv);
int cli_nvcc(int argc, char **argv);
int cli_plan(int argc, char **argv);
int cli_ptx(int argc, char **argv);
int cli_profile(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_trace(int argc, char **argv);
int cli_why(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_blocks(int argc, char **argv);
int cli_cuda(int argc, char **argv);
int cli_cosim(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_signoff(int argc, char **argv);
int cli_index(int argc, char **argv);
int cli_cache(int argc, char **argv);
int cli_dram(int argc, char **argv);
int cli_decode(int argc, char **argv);
int cli_diff(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_study(int argc, char **argv);
int cli_sweep(int argc, char **argv);

void cli_version(void);

/* Prints "locus: <message>" on stderr, in one line whatever the message quotes. */
void cli_print_error(const struct err *e);
/* cli_print_error; returns CLI_USAGE. */
int cli_fail(const struct err *e);

/* The value of an option as a whole number (base/number.h) in [min, max]; `option` is as typed, "--size". 0 on
 * success. */
int cli_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out, struct err *e);

/* The same within argp, which ends the program if it is none. */
struct argp_state;
uint64_t cli_argp_number(struct argp_state *state, const char *option, const char *text, uint64_t min, uint64_t max);
/* The path of a folder that is there; the same. */
const char *cli_argp_folder(struct argp_state *state, const char *option, const char *path);

/* The options that a command line gave: what cli_parse_given() keeps, for rules about options in combination. */
struct cli_given {
	const char *command; /* "locus run" */
	struct {
		const struct argp *of;
		const char *name; /* the long one */
	} option[CLI_GIVEN_MAX];
	unsigned n; /* each option once */
};

/* Reads a command line. A bad option or argument, or a program without its root (base/files/root.h), ends the program
 * with status 2 and one line. */
struct argp;
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);
void cli_parse_given(const struct argp *argp, int argc, char **argv, void *input, struct cli_given *given);
/* Options end at the first argument; it and all words after it belong to another program. */
void cli_parse_in_order(const struct argp *argp, int argc, char **argv, void *input, struct cli_given *given);

bool cli_is_given(const struct cli_given *g, const char *name);

/* Ends the program, with status 2 and the line "locus COMMAND: --OPTION: WHY", if `read` is false and one of the
 * options was given: nothing would read it. names: separated by spaces. */
void cli_needs(const struct cli_given *g, bool read, const char *names, const char *why);
/* For all options of an argp, but not those of its children. */
void cli_needs_group(const struct cli_given *g, bool read, const struct argp *group, const char *why);

#endif

/* The options that say which program a command executes or opens: a workload with its size and arguments, a launch
 * file, a recorded or imported trace.
 *
 * Each group of options is an argp of its own. A command names the groups that it reads as children of its argp, with a
 * struct program_options as their input; it then neither lists nor accepts the options of the other groups.
 */
#ifndef HARNESS_CLI_PROGRAM_OPTIONS_H
#define HARNESS_CLI_PROGRAM_OPTIONS_H

#include <argp.h>

#include "workload/source.h"

enum { PROGRAM_MAX_ARGS = 64 };

struct program_options { /* zero-initialise */
	const char *what, *size;
	const char *arg[PROGRAM_MAX_ARGS];
	unsigned n_args;
	bool print;
	enum ptx_oob oob;
	struct accelsim_options accelsim;
	uint64_t max_unpacked; /* bytes; 0: the default */
	uint64_t log_bytes;    /* --max-cta-log; 0: the default */
};

extern const struct argp program_argp; /* the program, --size, --arg, --printf, and execution_argp */
/* --oob, --max-cta-log, --max-unpacked; not --printf, since a CUDA program prints by itself */
extern const struct argp execution_argp;
extern const struct argp accelsim_argp; /* --memcpy, --opcode-map, --unknown-opcode */

/* source_open() with these options; the other members of `with` are the caller's, its `sms` may be 0 for those of the
 * default machine. */
int program_options_open(const struct program_options *p, struct source_options *with, struct source *s, struct err *e);

#endif

/* Another program's answer: it is run with these words, no shell between, and what it prints is taken. */
#ifndef HARNESS_PROCESS_COMMAND_H
#define HARNESS_PROCESS_COMMAND_H

#include "base/err.h"

enum { COMMAND_TEXT = 4096 };

struct command_output {
	int status; /* exit status; 128 + signal */
	/* The beginning of what it printed, without the last newline. */
	char out[COMMAND_TEXT], err[COMMAND_TEXT];
};

/* argv ends with NULL; argv[0] is looked for in $PATH. -1: it cannot be run. */
int command_capture(const char *const *argv, struct command_output *a, struct err *e);

#endif

/* What a check of a sign-off found, a line each. */
#ifndef HARNESS_SIGNOFF_FINDINGS_H
#define HARNESS_SIGNOFF_FINDINGS_H

#include "bind/bind.h"

enum { FINDINGS_SHOWN = 5, FINDINGS_LINE = 300 };

struct signoff_findings {
	unsigned n;
	char line[FINDINGS_SHOWN][FINDINGS_LINE]; /* the first ones; text that a user's file may have chosen */
};

/* Adds one; of a long line the begin. */
void signoff_found(struct signoff_findings *f, const char *line);

/* What the front ends need: the user's files, and the folder of the library, which has the wrapper. */
struct frontends {
	const struct bind_sources *src;
	const char *folder;
	const char *work; /* an empty folder for what they write */
	struct arena *a;
};

/* Each reads it and adds its warnings and errors. */
void verilator_check(const struct frontends *t, struct signoff_findings *f);
void icarus_check(const struct frontends *t, struct signoff_findings *f);
void yosys_check(const struct frontends *t, struct signoff_findings *f);

/* The first line that a program prints with one option, up to its first number: "Yosys 0.23". In the arena. */
const char *program_version(const struct frontends *t, const char *program, const char *option);

/* argv of iverilog with the user's files and the wrapper: those in `first` come first. */
void icarus_argv(const struct frontends *t, const char *const *first, const char **argv);
enum { FRONTENDS_ARGV = 1024 };

#endif

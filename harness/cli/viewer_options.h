/* What `locus run`, `cosim` and `why` have in common for viewers of traces: an argp of its own, which they name as a
 * child, and the files that it leads to. docs/how-to/viewers.md. */
#ifndef HARNESS_CLI_VIEWER_OPTIONS_H
#define HARNESS_CLI_VIEWER_OPTIONS_H

#include <argp.h>

#include "process/output.h"
#include "session/session.h"

struct viewer_options {
	const char *perfetto, *konata; /* --perfetto FILE, --konata FILE; NULL: none */
	const char *konata_filter;     /* --konata-filter FILTER */
};

extern const struct argp viewer_options_argp;

/* The session logs what the files want. */
void viewer_options_apply(const struct viewer_options *o, struct session_options *s);

struct viewer_files {
	struct output perfetto, konata;
};

/* Ahead of the run; behind it, of a session that has run; in any case. */
int viewer_files_open(struct viewer_files *f, const struct viewer_options *o, struct err *e);
int viewer_files_save(struct viewer_files *f, const struct session *s, struct err *e);
void viewer_files_drop(struct viewer_files *f);

/* What a file could not hold, for people. */
void viewer_files_print(const struct session *s, FILE *to);

#endif

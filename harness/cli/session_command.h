/* What `locus run`, `cosim` and `mix` do once their options are read: the session from begin to end, its text on
 * standard output, its JSON, timeline, CSV and viewers' traces in files that are opened before the work begins. */
#ifndef HARNESS_CLI_SESSION_COMMAND_H
#define HARNESS_CLI_SESSION_COMMAND_H

#include <stdbool.h>

#include "cli/viewer_options.h"
#include "session/session.h"

struct session_output {
	const char *json, *timeline, *csv; /* paths; NULL: none is wanted; csv: of metrics over time */
	struct viewer_options viewers;
	bool launches;		/* a table of them */
	bool brief;		/* headline metrics and warnings alone */
	bool profile;		/* also the hottest source lines: the session has counted them */
	uint64_t lines;		/* how many of those, at most */
	const char *source_dir; /* folder where source files may be; NULL: none is named */
	bool report_data;	/* in the JSON (report/report_data.h), which the session was asked for */
};

/* Returns the command's exit status. */
int session_command(const struct session_options *o, const struct session_output *to);

#endif

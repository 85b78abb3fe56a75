/* What `locus run` and `cosim` have in common on the command line beside model_options: how a run is tracked and
 * logged, what is recorded over time. An argp of its own, which they name as a child. */
#ifndef HARNESS_CLI_RUN_OPTIONS_H
#define HARNESS_CLI_RUN_OPTIONS_H

#include <argp.h>

#include "cli/model_options.h"
#include "cli/session_command.h"

struct run_options {
	const char *tracker, *timeline; /* --tracker NAME, --timeline FILE; NULL: none */
	bool init_traffic;		/* --init-traffic */
	bool report_data;		/* --report-data */
	bool brief;			/* --brief */
	uint64_t interval;		/* --interval N; 0: none */
	const char *interval_metrics, *interval_csv;
	const char *trace_requests; /* --trace-requests FILTER */
};

extern const struct argp run_options_argp;

/* Of a session: of both. It points into them. */
struct session_options run_options_session(const struct run_options *o, struct model_options *model);
/* Where its results go. */
struct session_output run_options_output(const struct run_options *o, const struct model_options *model,
					 const struct viewer_options *viewers);

#endif

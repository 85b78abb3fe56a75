/* --tracker: the host program's phase ahead of the launches, with TAFE's tracker of the host's stores (tracking/phase.h).
 *
 * The phase is run if a planner wants the extents, or if the option is given; by default with the hardware. `none` leaves the phase
 * out: the tables are then what re-reading finds, at no cost. Its figures and invariants are added to those of the run.
 *
 * An argp of its own, which `locus run` and `locus cosim` name as a child.
 */
#ifndef HARNESS_CLI_TRACKER_OPTION_H
#define HARNESS_CLI_TRACKER_OPTION_H

#include <argp.h>

#include "base/err.h"
#include "cli/model_options.h"
#include "run/gpu.h"
#include "tracking/phase.h"

struct tracker_option {
	const char *name; /* NULL: not given */
	bool ran;
	double seconds; /* CPU time of the phase */
	struct tracking_phase_result r;
};
extern const struct argp tracker_argp;

/* After the command line has been read: tells the model's options what the program has to keep. */
int tracker_check(const struct tracker_option *t, struct model_options *o, struct err *e);

/* binder: of the tracking hardware; NULL: its golden twin. */
int tracker_run(struct tracker_option *t, const struct model_options *o, const struct machine *m, const struct source *s,
		const struct hw_binder *binder, struct err *e);
/* The metadata for the planner; NULL if the phase was not run. */
const struct taf_memory *tracker_tables(const struct tracker_option *t);
/* Adds the phase's figures and invariants, once, to those of the launches. */
void tracker_add(struct tracker_option *t, struct gpu_result *to);
void tracker_free(struct tracker_option *t);

#endif

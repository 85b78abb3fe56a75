/* A study: the figures of a paper's evaluation, measured on our machine and compared with the published values.
 *
 * A figure is a function that fills a table; where it needs a number it asks study_value() for a figure of a run. At
 * first nothing has been run: the function is called to learn what it asks for, the runs are made (sweep/pool.h), kept
 * (sweep/store.h), and the function is called again, until it asks for nothing new. So a figure is written once, and a
 * study that was killed goes on where it was.
 */
#ifndef HARNESS_STUDY_STUDY_H
#define HARNESS_STUDY_STUDY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "sweep/content.h"
#include "sweep/store.h"
#include "sweep/table.h"

struct study_asked;
struct study_context {
	struct arena arena;
	struct sweep_store store;
	char made_with[CONTENT_HEX]; /* program, machines and kernels */
	struct study_asked *asked;   /* every run that was asked for */
	const char *size;	     /* of workloads: "default" unless the user says otherwise */
	const char *dir;	     /* where tables and pictures go */
	unsigned runs, own;	     /* that the figure being made has asked for; of these, at sizes of their own
				      * whatever `size` is */
	const char *machines;	     /* of these runs: "gtx480, titanv" */
};

/* A metric ("cycles", "l1.misses") of the run `locus ARGS`, from its "stats" or else its "simulator" (seconds, which
 * differ from run to run); NAN when it has not been run yet, has failed, or has no such metric. */
double study_value(struct study_context *c, const char *name, const char *args);

/* The same of a run that draws a picture: `locus ARGS DIR/FILE`, where args end with the option that names it. */
double study_picture(struct study_context *c, const char *name, const char *args, const char *file);

/* As printf into the study's arena: arguments of runs. */
#define study_args(c, ...) arena_printf(&(c)->arena, __VA_ARGS__)

/* Makes the table of a figure. */
typedef void study_make(struct study_context *c, struct sweep_table *t);

struct study_figure {
	const char *id; /* "8": as --figure takes it */
	study_make *make;
};

struct study {
	const char *name, *summary;
	const struct study_figure *figure; /* ends with a NULL id */
};

extern const struct study *const studies[]; /* ends with NULL */

struct study_options {
	const char *program; /* path of locus; NULL: this one */
	const char *dir;     /* for results, tables, plots */
	const char *figure;  /* the only one; NULL: all */
	const char *size;
	bool size_given; /* by the user: figures that have sizes of their own are listed */
	unsigned jobs;
};

/* Runs what is missing, prints all tables to `to`, and saves them. Returns the number of runs that failed (reported on
 * stderr), or -1.
 */
int study_run(const struct study *s, const struct study_options *o, FILE *to, struct err *e);

/* The arguments of all runs that it asks for before it has any result, a line each. */
void study_list_runs(const struct study *s, const char *size, FILE *to);

#endif

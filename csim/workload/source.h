/* Where a run's trace comes from: a workload's name or a paper's for it (workload/papers_names.h), a launch file
 * (.yaml), a recorded trace (.ltrace) or an Accel-Sim trace (kernelslist.g, .traceg), as the user typed it.
 *
 * Workloads and launch files are executed and their results compared with a reference; a recorded trace is opened, an
 * Accel-Sim trace imported. A wrong result is no error here: the trace is there all the same, and `differs` and
 * `difference` report it.
 */
#ifndef CSIM_WORKLOAD_SOURCE_H
#define CSIM_WORKLOAD_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "affine/affine.h"
#include "base/err.h"
#include "workload/ldesc_api.h"
#include "workload/program.h"
#include "taf/taf.h"
#include "trace/accelsim.h"
#include "trace/trace.h"

/* A program of the caller's own, which source_options.what then only names. */
struct source_program {
	int (*run)(void *ctx, struct host *h, struct err *e); /* as a workload's (workload/program.h) */
	void *ctx;
	uint8_t *window; /* as in host_options; NULL: none */
	FILE *print_to;	 /* likewise */
};

struct source_options {
	const struct source_program *program; /* NULL: `what` says what it is */
	const char *what;		      /* "syrk", "my.yaml", "syrk.ltrace", "traces/kernelslist.g" */
	const char *root;		      /* the checkout: kernels are in ROOT/traces/NAME/kernel.ptx */
	const char *size;		      /* as in host_options */
	unsigned n_args;
	const char *const *args;
	const char *record_path;	/* keep the trace in this file; NULL: in memory */
	bool print;			/* what kernels print goes to stderr */
	enum ptx_oob oob;		/* as in host_options */
	enum ptx_order order;		/* as in host_options */
	uint32_t sms, align;		/* as in host_options */
	bool independent_lanes;		/* as in host_options */
	struct ptx_limits limits;	/* as in host_options */
	struct findings *findings;	/* as in host_options; refused for a trace, which is not executed */
	uint64_t memory_limit;		/* as in trace_options */
	bool analyse;			/* the PTX of each launch is analysed: source.analysis */
	const struct taf_options *taf;	/* keep the program's stores and what it says of its arrays: source.taf; NULL:
					 * do not */
	const struct host_files *files; /* as in host_options */
	uint64_t max_unpacked;		/* as in host_options; refused for what has nothing to unpack */
	struct accelsim_options accelsim;
};

enum source_kind { SOURCE_WORKLOAD, SOURCE_LAUNCH_FILE, SOURCE_TRACE, SOURCE_ACCELSIM, SOURCE_PROGRAM };

struct source {
	enum source_kind kind;
	struct trace *trace;
	uint64_t executed;			     /* warp instructions executed or imported to get it; 0 for a
						      * recorded trace */
	double seconds;				     /* CPU time of executing (or importing) and recording its
						      * launches */
	double host_seconds;			     /* of the host program before its first launch; 0 if it was not
						      * executed */
	double analysis_seconds;		     /* of the analyses */
	const struct affine_launch *const *analysis; /* by launch, if asked for and there is PTX; else NULL */
	struct arena arena;			     /* of the analyses, the descriptors, and of what taf's options
						      * point to */
	const struct ldesc_set *const *descriptors;  /* by launch, NULL for one without; NULL: the program gives none */
	struct taf *taf;			     /* if asked for and the program registers arrays; else NULL */
	bool cut;				     /* the program's last launch was, by the limits */
	bool checked;				     /* results were compared with a reference */
	bool differs;				     /* and are wrong */
	struct err difference;
};

/* What it is by its name; any name that is no file's of the other kinds is a workload's. */
enum source_kind source_kind_of(const char *what);
/* Reports that `what` is the name of no workload, and of no file that can be run. Returns -1. */
int source_unknown(const char *what, struct err *e);

/* Refuses options that a source of this kind does not read, such as --size of a trace; opens nothing. source_open()
 * checks them too. */
int source_check_options(const struct source_options *o, struct err *e);
/* On an error nothing needs closing. */
int source_open(struct source *s, const struct source_options *o, struct err *e);
void source_close(struct source *s);

#endif

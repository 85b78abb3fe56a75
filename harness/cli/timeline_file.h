/* --timeline FILE: which CTA ran on which SM when, as a file that Perfetto (ui.perfetto.dev) and chrome://tracing open.
 *
 * The file is a JSON object of the Trace Event Format. A process is an SM, a thread of it one of its contexts: a CTA is a complete
 * event ("ph": "X") on the lowest context that was free when it came, so events of a thread never overlap. A further process
 * shows the launches, each from its first CTA's start to its last CTA's end. Time stamps are whole cycles of the clock on which
 * CTAs start and end: what the viewer calls a microsecond is a cycle. A CTA that was taken from another SM's list is of the
 * category "stolen" too, and its name says so.
 *
 * An argp of its own, which `locus run` and `locus cosim` name as a child.
 */
#ifndef HARNESS_CLI_TIMELINE_FILE_H
#define HARNESS_CLI_TIMELINE_FILE_H

#include <argp.h>

#include "base/err.h"
#include "process/output.h"
#include "dispatch/timeline.h"
#include "machine/machine.h"

struct timeline_file {
	const char *path; /* NULL: none is wanted, and the functions do nothing */
	struct output out;
	struct arena arena;
	struct timeline log;
};
extern const struct argp timeline_file_argp;

int timeline_file_open(struct timeline_file *f, struct err *e); /* before the run */
/* The log for gpu_config.timeline; NULL if none is wanted. */
struct timeline *timeline_file_log(struct timeline_file *f, const struct trace *t);

struct timeline_run {
	const struct trace *trace;
	const struct machine *machine;
	bool on_host;	 /* its cores are "core 0", ... */
	uint64_t cycles; /* of the run: where CTAs end that a cut left unfinished */
};
int timeline_file_save(struct timeline_file *f, const struct timeline_run *r, struct err *e);
void timeline_file_drop(struct timeline_file *f); /* frees; harmless after saving */

#endif

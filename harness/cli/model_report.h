/* What a run of the model prints and writes: the first line, the table of figures, the audit, figures of the host; and the JSON.
 *
 * Figures of the host (seconds, instructions a second) differ from run to run: they stand in the text alone.
 */
#ifndef HARNESS_CLI_MODEL_REPORT_H
#define HARNESS_CLI_MODEL_REPORT_H

#include <stdio.h>

#include "base/err.h"
#include "run/gpu.h"
#include "workload/source.h"
#include "machine/machine.h"
#include "process/output.h"

struct model_time {			 /* CPU seconds */
	double functional, phase, model; /* phase: the host's, ahead of the launches (--tracker) */
	double plan;			 /* analysis of the PTX and planning; 0: no plan was asked for */
};

/* "syrk 1024x1024 on gtx480: 15 SMs, L1 16 KB 4-way, set index pric(37)" */
void model_report_title(const struct source *s, const struct machine *m, FILE *to);
/* "syrk 1024x1024 on the host of ndp4: 8 cores at 4000 MHz, 16 lanes an instruction" */
void model_report_title_host(const struct source *s, const struct machine *m, FILE *to);

/* launches: with a table of them. */
void model_report_text(const struct source *s, const struct gpu_result *r, bool launches, const struct model_time *t, FILE *to);

/* {"locus": {version, git}, "workload", "trace_hash", "cut", "machine", "plan", "stats", "units", "launches", "audit"}, always in
 * this order; no plan (NULL), no "plan"; "cut" ("the limit", "SIGINT") only if the run did not come to its end. Each of "launches"
 * is {"index", "kernel", "program", "stats"}; a program if several ran. */
struct json_t;
struct json_t *model_report_json(const struct source *s, const struct machine *m, const struct gpu_result *r, const struct plan *p);
/* {version, git}: what made a result. */
struct json_t *model_report_origin(void);
/* Writes a result, of which it takes the reference, into a file that was opened before the run. Nothing if none is wanted. */
int model_report_write(struct output *to, struct json_t *json, struct err *e);
/* The same as text, into a file that was opened before the run. Nothing if none is wanted. */
int model_report_save(struct output *to, const struct source *s, const struct machine *m, const struct gpu_result *r,
		      const struct plan *p, struct err *e);

#endif

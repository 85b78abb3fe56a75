/* What `locus graph` prints and writes. */
#ifndef HARNESS_CLI_GRAPH_REPORT_H
#define HARNESS_CLI_GRAPH_REPORT_H

#include <stdio.h>

#include "base/stats.h"
#include "workload/source.h"
#include "locality/locality.h"
#include "locality/locality_shares.h"

struct graph_launch { /* one launch's metrics; or the means over launches, which is what PAVER's Table 2 has */
	double ctas, sharing, pairs, edges, sp_score, degree;
	double elements, shared_elements, references, shared_references;
	struct locality_shares shares;
	struct locality_loads loads;
	uint32_t cap;
	double seconds; /* CPU time of making the graph */
};

void graph_figures(struct graph_launch *x, const struct locality_graph *g, const struct locality_score *s,
		   const struct locality_loads *loads, const struct locality_shares *shares, double seconds);
struct graph_launch graph_mean(const struct graph_launch *x, uint32_t n);

struct graph_report {
	const struct source *source;
	const char *workload; /* as typed */
	bool from_trace, lines;
	uint32_t first, n; /* launches */
	const struct graph_launch *launch;
	struct graph_launch mean;
};
void graph_report_text(const struct graph_report *r, FILE *to);
void graph_report_stats(const struct graph_launch *x, struct stats *to);
struct json_t *graph_report_json(const struct graph_report *r);

#endif

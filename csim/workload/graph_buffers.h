/* A graph's compressed rows in device memory: where each row starts (n_rows + 1 words), and the columns, one after the
 * other. A graph without edges still has a buffer for them. */
#ifndef CSIM_WORKLOAD_GRAPH_BUFFERS_H
#define CSIM_WORKLOAD_GRAPH_BUFFERS_H

#include "workload/graph.h"
#include "workload/program.h"

struct graph_buffers {
	uint64_t row, edge; /* device addresses */
	uint32_t entries;   /* words of `edge`, at least 1 */
};

/* edge: the name of the second buffer; the first is "row". */
int graph_buffers_fill(struct host *h, const struct graph *g, const char *edge, struct graph_buffers *b, struct err *e);

#endif

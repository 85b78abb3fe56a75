#include "workload/graph_buffers.h"

#include <string.h>

int graph_buffers_fill(struct host *h, const struct graph *g, const char *edge, struct graph_buffers *b, struct err *e)
{
	uint32_t *row, *col;

	b->entries = g->n_entries ? g->n_entries : 1;
	if (!(row = host_alloc_u32(h, "row", g->n_rows + UINT64_C(1), &b->row, e)) ||
	    !(col = host_alloc_u32(h, edge, b->entries, &b->edge, e)))
		return -1;
	memcpy(row, g->rowptr, (g->n_rows + UINT64_C(1)) * sizeof *row);
	if (g->n_entries)
		memcpy(col, g->col, g->n_entries * sizeof *col);
	return 0;
}

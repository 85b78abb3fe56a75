/* Graphs of meshes of hexahedra. */
#include "base/alloc.h"
#include "workload/graph.h"

struct mesh {
	uint32_t side, unknowns;
};

/* First and last of the points along an edge that are at or beside `at`. */
static uint32_t low(uint32_t at)
{
	return at ? at - 1 : 0;
}

static uint32_t high(const struct mesh *m, uint32_t at)
{
	return at + 1 < m->side ? at + 1 : at;
}

/* The row of unknown `own` at node (x, y, z), in ascending column, into col; returns its end. */
static uint32_t *put_row(const struct mesh *m, uint32_t x, uint32_t y, uint32_t z, uint32_t own, uint32_t *col)
{
	uint32_t row = ((z * m->side + y) * m->side + x) * m->unknowns + own;

	for (uint32_t k = low(z); k <= high(m, z); k++)
		for (uint32_t j = low(y); j <= high(m, y); j++) {
			uint32_t first = ((k * m->side + j) * m->side + low(x)) * m->unknowns;
			uint32_t n = (high(m, x) - low(x) + 1) * m->unknowns;

			for (uint32_t i = first; i < first + n; i++)
				if (i != row)
					*col++ = i;
		}
	return col;
}

int graph_mesh(struct graph *g, uint32_t side, uint32_t unknowns, struct err *e)
{
	const struct mesh m = {side, unknowns};
	uint64_t nodes = (uint64_t)side * side * side, around = 3 * (uint64_t)side - 2; /* over one edge: at or beside
											 * each point */
	uint64_t rows = nodes * unknowns, entries;
	uint32_t row = 0, *end;

	*g = (struct graph){0};
	if (side < 1 || unknowns < 1 || side > 1 << 10 || unknowns > 1 << 10)
		return err_set(e, "mesh: %u nodes along an edge with %u unknowns each: 1 to 1024 of both", side, unknowns);
	entries = around * around * around * unknowns * unknowns - rows;
	if (entries > UINT32_MAX)
		return err_set(e, "mesh: %u nodes along an edge with %u unknowns each make more than 2^32 - 1 entries", side,
			       unknowns);
	g->n_rows = g->n_cols = (uint32_t)rows;
	g->n_entries = (uint32_t)entries;
	g->rowptr = xmalloc((rows + 1) * sizeof *g->rowptr);
	g->col = end = xmalloc((entries + 1) * sizeof *g->col);
	g->rowptr[0] = 0;
	for (uint32_t z = 0; z < side; z++)
		for (uint32_t y = 0; y < side; y++)
			for (uint32_t x = 0; x < side; x++)
				for (uint32_t own = 0; own < unknowns; own++) {
					end = put_row(&m, x, y, z, own, end);
					g->rowptr[++row] = (uint32_t)(end - g->col);
				}
	return 0;
}

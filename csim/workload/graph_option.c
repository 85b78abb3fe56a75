#include "workload/graph_option.h"
#include "workload/program_impl.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "/usr/share/doc/libmetis-dev/examples/graphs/"

int graph_option_read(struct host *h, struct graph_option *o, struct err *e)
{
	return graph_option_read_test(h, 12, 16, o, e);
}

int graph_option_read_test(struct host *h, uint32_t scale, uint32_t degree, struct graph_option *o, struct err *e)
{
	static const char *const names[] = {[SIZE_TEST] = "rmat", [SIZE_DEFAULT] = "copter2", [SIZE_PAPER] = "uniform"};

	o->max_unpacked = h->max_unpacked;
	o->name = host_arg_text(h, "graph", names[host_size(h)]);
	if (host_arg_u32(h, "scale", scale, 16, 20, 1, 24, &o->scale, e) ||
	    host_arg_multiple(h, "degree", degree, 16, 6, 2, 256, &o->degree, e))
		return -1;
	return host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &o->seed, e);
}

static int make_graph(const struct graph_option *o, struct graph *g, struct err *e)
{
	bool equal = !strcmp(o->name, "uniform");
	struct rmat p = {.scale = o->scale,
			 .edge_factor = o->degree / 2,
			 .a = equal ? 0.25 : 0.57,
			 .b = equal ? 0.25 : 0.19,
			 .c = equal ? 0.25 : 0.19,
			 .seed = o->seed,
			 .undirected = true};

	return graph_rmat(g, &p, e);
}

/* At most 2^scale unknowns, and about `degree` neighbours each: 27 nodes have them. */
static int make_mesh(const struct graph_option *o, struct graph *g, struct err *e)
{
	uint32_t unknowns = o->degree < 27 ? 1 : (o->degree + 1) / 27, side = 1;

	while ((uint64_t)(side + 1) * (side + 1) * (side + 1) * unknowns <= UINT64_C(1) << o->scale)
		side++;
	return graph_mesh(g, side, unknowns, e);
}

static int open_library(const struct graph_option *o, struct graph *g, struct err *e)
{
	static const char *const files[] = {"copter2", "4elt", "mdual"};
	char path[256];

	for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
		if (strcmp(o->name, files[i]))
			continue;
		snprintf(path, sizeof path, "%s%s.graph", LIBRARY, files[i]);
		if (access(path, R_OK))
			return err_set(e, "--arg graph=%s: no %s; it comes with Debian's libmetis-doc", o->name, path);
		return graph_open(g, path, 0, e);
	}
	return err_set(e, "--arg graph=%s: must be rmat, uniform, mesh, copter2, 4elt, mdual or a .graph or .mtx file", o->name);
}

int graph_option_open(const struct graph_option *o, struct graph *g, struct err *e)
{
	if (!strcmp(o->name, "rmat") || !strcmp(o->name, "uniform"))
		return make_graph(o, g, e);
	if (!strcmp(o->name, "mesh"))
		return make_mesh(o, g, e);
	if (!strpbrk(o->name, "./"))
		return open_library(o, g, e);
	if (graph_open(g, o->name, o->max_unpacked, e))
		return -1;
	if (g->n_rows == g->n_cols)
		return 0;
	err_set(e, "--arg graph=%s: a matrix of %u x %u is not square", o->name, g->n_rows, g->n_cols);
	graph_free(g);
	return -1;
}

#include "workload/papers_names.h"

#include <stdio.h>
#include <string.h>

/* The options beside a name are those of the original program: which loads it has in its loops (kmeans, bfs), or its
 * input (spmv: one entry in a hundred). */
const struct papers_name papers_names[] = {
	{"dwt-pric", "BLK", "blackscholes", {0}},
	{"dwt-pric", "Sprod", "scalarprod", {0}},
	{"dwt-pric", "VAdd", "vectoradd", {0}},
	{"dwt-pric", "FWT", "fwt", {0}},
	{"dwt-pric", "NW", "nw", {0}},
	{"dwt-pric", "HS", "hotspot", {0}},
	{"dwt-pric", "CONV", "sepconv", {0}},
	{"dwt-pric", "SRAD", "srad", {0}},
	{"dwt-pric", "3DS", "stencil3d", {0}},
	{"dwt-pric", "2DCONV", "conv2d", {0}},
	{"dwt-pric", "MM", "2mm", {0}},
	{"dwt-pric", "SCLUSTER", "streamcluster", {0}},
	{"dwt-pric", "BFS", "bfs", {"graph=uniform", "degree=6", "row=memory"}},
	{"dwt-pric", "SpMV", "spmv", {"graph=uniform", "scale=13", "degree=82"}},
	{"dwt-pric", "SPMV", "spmv", {"graph=uniform", "scale=13", "degree=82"}},
	{"dwt-pric", "SPMV_S", "spmv", {"graph=uniform", "scale=13", "degree=82"}},
	{"dwt-pric", "IIX", "invindex", {0}},
	{"dwt-pric", "KM", "kmeans", {"layout=points"}},
	{"dwt-pric", "KMN", "kmeans", {"layout=points"}},
	{"dwt-pric", "Kmeans", "kmeans", {"layout=points"}},
	{"dwt-pric", "SYRK", "syrk", {0}},
	{"dwt-pric", "GESUMMV", "gesummv", {0}},
	{"dwt-pric", "PEst", "montecarlo", {0}},
	{"dwt-pric", "Pest", "montecarlo", {0}},
	{"dwt-pric", "B+tree", "btree", {0}},
	{"dwt-pric", "BP", "backprop", {0}},
	{"dwt-pric", "NN", "nnet", {0}},
	{"ldesc", "SK", "syrk", {0}},
	{"ldesc", "DT", "doitgen", {0}},
	{"ldesc", "D2D", "dwt2d", {0}},
	{"ldesc", "C2D", "conv2d", {0}},
	{"ldesc", "SPMV", "spmv", {0}},
	{"ldesc", "LIB", "libor", {0}},
	{"ldesc", "LMD", "lavamd", {0}},
	{"ldesc", "HS", "histo", {0}},
	{"ldesc", "ATX", "atax", {0}},
	{"ldesc", "MVT", "mvt", {0}},
	{"ldesc", "PF", "particlefilter", {0}},
	{"ldesc", "SC", "streamcluster", {0}},
	{"ldesc", "TRA", "transpose", {0}},
	{"ldesc", "SP", "scalarprod", {0}},
	{"ldesc", "LPS", "lps", {0}},
	{"ldesc", "PT", "pathfinder", {0}},
	{0},
};

/* Whether `typed` is n's name, alone or behind its paper. */
static bool names(const char *typed, const struct papers_name *n)
{
	size_t paper = strlen(n->paper);

	if (!strcmp(typed, n->name))
		return true;
	return !strncmp(typed, n->paper, paper) && typed[paper] == ':' && !strcmp(typed + paper + 1, n->name);
}

/* "spmv graph=uniform scale=13": what is meant, for a message. */
static const char *program_of(const struct papers_name *n, char out[128])
{
	size_t length = (size_t)snprintf(out, 128, "%s", n->workload);

	for (unsigned i = 0; n->args[i] && length < 128; i++)
		length += (size_t)snprintf(out + length, 128 - length, " %s", n->args[i]);
	return out;
}

static int ambiguous(const char *typed, const struct papers_name *a, const struct papers_name *b, struct err *e)
{
	char of_a[128], of_b[128];

	return err_set(e, "\"%s\" is %s in %s and %s in %s: write %s:%s or %s:%s", typed, program_of(a, of_a), a->paper,
		       program_of(b, of_b), b->paper, a->paper, typed, b->paper, typed);
}

int papers_name_find(const char *typed, const struct workload **w, const struct papers_name **n, struct err *e)
{
	*n = NULL;
	*w = workload_find(typed);
	if (*w)
		return 0;
	for (const struct papers_name *p = papers_names; p->name; p++) {
		if (!names(typed, p))
			continue;
		if (*n)
			return ambiguous(typed, *n, p, e);
		*n = p;
	}
	*w = *n ? workload_find((*n)->workload) : NULL;
	return 0;
}

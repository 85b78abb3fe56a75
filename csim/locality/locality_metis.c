#include "locality/locality_metis.h"

#include <inttypes.h>

void locality_metis_write(const struct locality_graph *g, const char *comment, FILE *to)
{
	fprintf(to, "%% %s\n%" PRIu32 " %" PRIu64 " 001\n", comment, g->n, g->first[g->n] / 2);
	for (uint32_t i = 0; i < g->n; i++) {
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
			fprintf(to, "%s%" PRIu32 " %" PRIu32, k > g->first[i] ? " " : "", g->to[k] + 1, g->weight[k]);
		fputc('\n', to);
	}
}

/* The table of arrays under the table of metrics. */
#include <inttypes.h>
#include <string.h>

#include "run/gpu.h"

enum { KEY = 320 };
static const char prefix[] = "buffer.", first_row[] = ".l1.accesses";

/* The name between "buffer." and ".l1.accesses"; false if the row is another one. */
static bool array_of(const struct stat_row *r, char name[KEY])
{
	size_t n = strlen(r->name), p = sizeof prefix - 1, f = sizeof first_row - 1;

	if (n <= p + f || n >= KEY || strncmp(r->name, prefix, p) || strcmp(r->name + n - f, first_row))
		return false;
	snprintf(name, KEY, "%.*s", (int)(n - p - f), r->name + p);
	return true;
}

static const struct stat_row *row_of(const struct stats *s, const char *array, const char *metric)
{
	char key[2 * KEY];

	snprintf(key, sizeof key, "%s%s.%s", prefix, array, metric);
	return stats_find(s, key);
}

static uint64_t count_of(const struct stats *s, const char *array, const char *metric)
{
	const struct stat_row *r = row_of(s, array, metric);

	return r ? r->count : 0;
}

static double real_of(const struct stats *s, const char *array, const char *metric)
{
	const struct stat_row *r = row_of(s, array, metric);

	return r ? r->real : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

void gpu_print_arrays(const struct stats *s, FILE *to)
{
	bool any = false;

	for (unsigned i = 0; i < s->n; i++) {
		char name[KEY];
		uint64_t loads, misses, l2, l2_misses;

		if (!array_of(&s->row[i], name))
			continue;
		if (!any)
			fprintf(to, "\n  %-20s %14s %14s %8s %14s %8s %10s\n", "array", "L1 accesses", "cached loads", "miss",
				"L2 accesses", "miss", "latency");
		any = true;
		misses = count_of(s, name, "l1.misses");
		loads = misses + count_of(s, name, "l1.hits") + count_of(s, name, "l1.hits_reserved");
		l2 = count_of(s, name, "l2.accesses");
		l2_misses = count_of(s, name, "l2.misses");
		fprintf(to, "  %-20s %14" PRIu64 " %14" PRIu64 " %6.1f %% %14" PRIu64 " %6.1f %% %10.1f\n", name,
			count_of(s, name, "l1.accesses"), loads, percent(misses, loads), l2, percent(l2_misses, l2),
			real_of(s, name, "load.latency.mean"));
	}
}

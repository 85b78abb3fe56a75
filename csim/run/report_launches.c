/* The table of launches under the table of metrics. */
#include <inttypes.h>

#include "run/gpu.h"

static const char *const columns[][2] = {
	{"cycles", "cycles"},	   {"warp_insts", "warp insts"},
	{"ipc.warp", "IPC"},	   {"l1.accesses", "L1"},
	{"l1.miss_rate", "miss"},  {"l2.accesses", "L2"},
	{"l2.miss_rate", "miss"},  {"dram.reads", "DRAM reads"},
	{"dram.writes", "writes"}, {"load.latency.mean", "latency"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static int width(unsigned column)
{
	return column < 2 || column == 3 || column == 5 || column == 7 ? 12 : 8;
}

/* Of machines whose L1 changes with the launch. */
static void print_l1_bytes(const struct stat_row *r, FILE *to)
{
	if (r)
		fprintf(to, " %8" PRIu64, r->count / 1024);
}

/* Of launches that run at the same time. */
static void print_times(const struct stats *s, FILE *to)
{
	static const char *const key[] = {"launch.began", "launch.ended"};

	for (unsigned i = 0; stats_find(s, "launch.began") && i < 2; i++) {
		const struct stat_row *r = stats_find(s, key[i]);

		if (r)
			fprintf(to, " %12" PRIu64, r->count);
		else
			fprintf(to, " %12s", "-");
	}
}

static void print_value(const struct stat_row *r, int width, FILE *to)
{
	if (!r)
		fprintf(to, " %*s", width, "-");
	else if (r->kind == STAT_COUNT)
		fprintf(to, " %*" PRIu64, width, r->count);
	else if (r->kind == STAT_PERCENT)
		fprintf(to, " %*.1f %%", width - 2, 100 * r->real);
	else
		fprintf(to, " %*.3f", width, r->real);
}

void gpu_print_launches(const struct gpu_result *r, FILE *to)
{
	fprintf(to, "\n  %6s %-24s", "launch", "kernel");
	for (unsigned c = 0; c < COLUMNS; c++)
		fprintf(to, " %*s", width(c), columns[c][1]);
	if (r->n_launches && stats_find(&r->launch[0].stats, "sm.l1.bytes"))
		fprintf(to, " %8s", "L1 KB");
	if (r->n_launches && stats_find(&r->launch[0].stats, "launch.began"))
		fprintf(to, " %12s %12s", "began", "ended");
	fputc('\n', to);
	for (uint32_t i = 0; i < r->n_launches; i++) {
		const struct gpu_launch *l = &r->launch[i];

		fprintf(to, "  %6" PRIu32 " %-24s", l->index, l->kernel);
		for (unsigned c = 0; c < COLUMNS; c++)
			print_value(stats_find(&l->stats, columns[c][0]), width(c), to);
		print_l1_bytes(stats_find(&l->stats, "sm.l1.bytes"), to);
		print_times(&l->stats, to);
		fputc('\n', to);
	}
}

/* SYRK and GESUMMV by what their machine has of GPGPU-Sim 3.2.1, the paper's simulator (docs/studies/sim3.md): each of
 * its behaviours alone, all but one, and all. "Neither DWT-CS alone nor PRIC alone" helps there, says the paper
 * (section 5). */
#include <string.h>

#include "study/papers/cache_study.h"

static const struct {
	const char *name, *machine, *options;
} front_ends[] = {
	{"gtx480", "gtx480", ""},
	{"queue ahead of the unit", "gtx480", "--set sm.lsu_queue=4"},
	{"hits of one cycle", "gtx480", "--set l1.latency=1"},
	{"room for misses, lines for stores", "gtx480", "--set l1.miss_room=2 --set l1.store_needs_line=true"},
	{"L2 port of 32 bytes", "gtx480", "--set l2.port_bytes=32"},
	{"network at 700 MHz", "gtx480", "--set clock.net=700"},
	{"gtx480-sim3", "gtx480-sim3", ""},
	{"gtx480-sim3 without the queue", "gtx480-sim3", "--set sm.lsu_queue=0"},
	{"gtx480-sim3, hits of 35 cycles", "gtx480-sim3", "--set l1.latency=35"},
};

/* The warps are Table 3's: what throttling alone gives is the static limit's, as DWT-CS finds it by itself. */
static const struct {
	const char *program, *throttle;
} programs[] = {{"SYRK", "--throttle swt:2"}, {"GESUMMV", "--throttle swt:1"}};

static double rate(struct study_context *c, unsigned program, unsigned front, const char *more)
{
	const char *size =
		strcmp(c->size, "default") ? study_args(c, "--size %s", c->size) : "--size paper --max-thread-insts 32000000";

	return study_value(c, "ipc.thread",
			   study_args(c, "run %s %s --machine %s%s%s%s", programs[program].program, size, front_ends[front].machine,
				      front_ends[front].options[0] ? " " : "", front_ends[front].options, more));
}

/* The words about each alone are that it is not able to improve them. */
static void add_published(double *v)
{
	v[0] = v[1] = v[3] = v[4] = 1;
	v[2] = 21;
	v[5] = 16.8;
}

void cache_front_ends(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"SYRK: PRIC", "its limit", "both", "GESUMMV: PRIC", "its limit", "both", NULL};

	sweep_table_init(t, &c->arena, "front-ends",
			 "Speed-up of PRIC, of the published limit of warps, and of both, over the same machine without; the first "
			 "32 M thread instructions at the paper's size",
			 "machine", "speed-up", columns);
	for (unsigned f = 0; f < sizeof front_ends / sizeof front_ends[0]; f++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, front_ends[f].name);

		for (unsigned p = 0; p < 2; p++) {
			double plain = rate(c, p, f, "");

			v[3 * p] = rate(c, p, f, " " CACHE_HASHED) / plain;
			v[3 * p + 1] = rate(c, p, f, study_args(c, " %s", programs[p].throttle)) / plain;
			v[3 * p + 2] = rate(c, p, f, study_args(c, " " CACHE_HASHED " %s", programs[p].throttle)) / plain;
		}
	}
	add_published(sweep_table_row(t, SWEEP_PUBLISHED, "published"));
}

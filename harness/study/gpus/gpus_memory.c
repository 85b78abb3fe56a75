/* Latency and bandwidth over what a program touches. */
#include "study/gpus/gpus_study.h"

enum { LINE = 128, KIB = 1024 };

/* gpu-latency/v100.txt, a100_80.txt, gh200.txt: one thread goes round a random ring of lines. */
struct latency {
	uint32_t lines;
	double cycles;
};
enum { MOST_LATENCIES = 20 };
static const struct latency v100[MOST_LATENCIES] = {
	{16, 27.9},	{70, 27.9},	{288, 28.1},	{536, 28.3},	 {764, 28.5},	  {966, 28.6},	  {1085, 112.5},
	{1217, 182.9},	{1365, 212.3},	{2416, 212.1},	{8372, 212.1},	 {32187, 212.1},  {45042, 212.1}, {50380, 297.5},
	{56352, 417.1}, {63028, 425.4}, {98628, 425.5}, {241462, 418.7}, {528491, 429.9},
};
static const struct latency a100[MOST_LATENCIES] = {
	{16, 33.0},	 {288, 33.2},	  {1085, 33.8},	   {1365, 102.7},   {1533, 148.9},   {1718, 197.8},
	{2416, 205.3},	 {8372, 205.6},	  {123377, 205.6}, {154325, 212.6}, {172599, 290.9}, {193036, 405.5},
	{241462, 405.9}, {302030, 397.2}, {377786, 514.4}, {528491, 547.1}, {826832, 514.3}, {1251382, 550.5}};
static const struct latency gh200[MOST_LATENCIES] = {
	{16, 32.0},	 {294, 32.3},	  {1640, 33.7},	   {1836, 107.8},   {2301, 226.0},   {2881, 280.6},
	{8846, 280.5},	 {162498, 280.4}, {203254, 280.3}, {227318, 287.9}, {254232, 361.3}, {284330, 465.5},
	{355640, 515.5}, {444833, 497.3}, {497497, 576.4}, {622267, 623.3}, {870474, 628.8}, {1269197, 680.4}};

/* A round to fill the caches, and one that counts; 4,096 loads at least. */
double gpus_load_cycles(struct study_context *c, const struct gpus_gpu *g, uint32_t lines)
{
	uint32_t loads = (lines < 4096 ? 4096 : lines) / 16 * 16 + 16;

	return gpus_cycles_each(c, g, study_args(c, "chase --arg order=random --arg footprint=%u", lines * LINE), "steps",
				UINT64_C(2) * loads);
}

static void latency_of(struct study_context *c, struct sweep_table *t, const struct gpus_gpu *g, const char *id,
		       const struct latency *at)
{
	gpus_table(c, t, g, id, "Cycles of a dependent load (RRZE, gpu-latency)", "KiB", "cycles");
	t->curve = true;
	for (; at->lines; at++)
		gpus_row(t, study_args(c, "%.1f", at->lines * (double)LINE / KIB), gpus_load_cycles(c, g, at->lines), at->cycles);
}

void gpus_latency(struct study_context *c, struct sweep_table *t)
{
	latency_of(c, t, &gpus_v100, "latency", v100);
}

void gpus_latency_a100(struct study_context *c, struct sweep_table *t)
{
	latency_of(c, t, &gpus_a100, "latency-a100", a100);
}

void gpus_latency_gh200(struct study_context *c, struct sweep_table *t)
{
	latency_of(c, t, &gpus_gh200, "latency-gh200", gh200);
}

/* gpu-cache/v100.txt: a CTA of 1,024 threads on each SM, all of which read the same words. GB/s of all SMs. */
static const struct {
	uint32_t kib, rounds;
	double gbps;
} caches[] = {
	{32, 128, 13869.4}, {64, 64, 13873.4}, {96, 64, 13775.6}, {512, 4, 2408.5}, {1024, 4, 2449.3}, {4096, 2, 2428.6},
};

double gpus_read_bytes(struct study_context *c, const struct gpus_gpu *g, uint32_t kib, uint32_t rounds)
{
	const char *run = study_args(c, "bandwidth --arg ctas=%u --arg footprint=%uK", g->sms, kib);

	return kib * (double)KIB / gpus_cycles_each(c, g, run, "rounds", rounds);
}

void gpus_caches(struct study_context *c, struct sweep_table *t)
{
	gpus_table(c, t, &gpus_v100, "caches", "Bytes a cycle that each SM reads, all at once (RRZE, gpu-cache)", "KiB",
		   "bytes a cycle");
	t->curve = true;
	for (unsigned i = 0; i < sizeof caches / sizeof caches[0]; i++)
		gpus_row(t, study_args(c, "%u", caches[i].kib), gpus_read_bytes(c, &gpus_v100, caches[i].kib, caches[i].rounds),
			 caches[i].gbps * 1e3 / gpus_v100.mhz / gpus_v100.sms);
}

/* gpu-stream/v100.txt and gh200.txt: two CTAs an SM, as shared memory has it, each of so many threads. GB/s. */
struct stream {
	uint32_t block;
	double read, scale;
};
enum { MOST_STREAMS = 10 };
static const struct stream v100_streams[MOST_STREAMS] = {
	{64, 139, 246},	 {96, 200, 335},  {128, 263, 426}, {192, 376, 555},  {256, 491, 675},
	{384, 647, 765}, {512, 746, 784}, {768, 824, 801}, {1024, 867, 809},
};
static const struct stream gh200_streams[MOST_STREAMS] = {{256, 935, 1397}, {512, 1715, 2269}, {1024, 2775, 3174}};

/* shared: of a CTA, so that an SM takes two. most: doubles; half of them are more than the L2 holds. */
static double stream_gbps(struct study_context *c, const struct gpus_gpu *g, const char *kernel, uint32_t block, const char *shared,
			  uint64_t most, unsigned bytes)
{
	const char *run = study_args(c, "stream --arg kernel=%s --arg block=%u --arg shared=%s", kernel, block, shared);

	return bytes / gpus_cycles_each(c, g, run, "n", most) * g->mhz / 1e3;
}

static void stream_table(struct study_context *c, struct sweep_table *t, const struct gpus_gpu *g, const char *id,
			 const struct stream *s, const char *shared, uint64_t most)
{
	const char *ratio = study_args(c, "%s / %s", g->machine, g->name);
	const char *columns[] = {study_args(c, "read, %s", g->machine),
				 study_args(c, "read, %s", g->name),
				 ratio,
				 study_args(c, "scale, %s", g->machine),
				 study_args(c, "scale, %s", g->name),
				 ratio,
				 NULL};

	sweep_table_init(t, &c->arena, id, "GB/s of one array of doubles read, and of one read and one written (RRZE, gpu-stream)",
			 "threads", "GB/s", columns);
	t->digits = 4;
	t->left_out = 1 << 2 | 1 << 5;
	t->curve = true;
	for (; s->block; s++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, study_args(c, "%u", 2 * s->block));

		v[0] = stream_gbps(c, g, "read", s->block, shared, most, 8);
		v[1] = s->read;
		v[2] = v[0] / v[1];
		v[3] = stream_gbps(c, g, "scale", s->block, shared, most, 16);
		v[4] = s->scale;
		v[5] = v[3] / v[4];
	}
}

void gpus_stream(struct study_context *c, struct sweep_table *t)
{
	stream_table(c, t, &gpus_v100, "stream", v100_streams, "48K", 8 << 20);
}

void gpus_stream_gh200(struct study_context *c, struct sweep_table *t)
{
	stream_table(c, t, &gpus_gh200, "stream-gh200", gh200_streams, "100K", 16 << 20);
}

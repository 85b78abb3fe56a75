/* How long operations take, and how often an SM does one. */
#include <math.h>

#include "study/gpus/gpus_study.h"

enum { LINKS = 2048, ROWS = 6 };

static double cycles_of(struct study_context *c, const char *op, unsigned warps, unsigned stride)
{
	const char *run = study_args(c, "rates --arg op=%s --arg warps=%u%s", op, warps,
				     stride == 1 ? "" : study_args(c, " --arg stride=%u", stride));

	return gpus_cycles_each(c, &gpus_v100, run, "links", LINKS) / warps;
}

/* README.md, cuda-incore: cycles an operation of a V100's SM, by warps. */
static const unsigned warps[ROWS] = {1, 2, 4, 8, 16, 32};
static const struct {
	const char *op, *name;
	double cycles[ROWS];
} doubles[] = {
	{"fma_f64", "fma", {8.67, 4.29, 2.14, 1.08, 1.03, 1.03}},
	{"fma_f64_2", "2 fma", {4.63, 2.32, 1.16, 1.05, 1.04, 1.04}},
	{"fma_f64_4", "4 fma", {4.66, 2.33, 1.17, 1.08, 1.08, 1.08}},
	{"fma_f64_8", "8 fma", {4.97, 2.48, 1.24, 1.14, 1.14, 1.14}},
	{"div_f64", "division", {111.55, 55.76, 27.88, 14.11, 8.48, 7.51}},
	{"sqrt_f64", "root", {101.26, 50.63, 25.31, 13.56, 9.80, 9.61}},
};
enum { DOUBLES = sizeof doubles / sizeof doubles[0] };

void gpus_doubles(struct study_context *c, struct sweep_table *t)
{
	const char *columns[2 * DOUBLES + 1] = {NULL};

	for (unsigned k = 0; k < DOUBLES; k++) {
		columns[2 * k] = study_args(c, "%s, qv100", doubles[k].name);
		columns[2 * k + 1] = study_args(c, "%s, V100", doubles[k].name);
	}
	sweep_table_init(t, &c->arena, "doubles",
			 "Cycles an operation on doubles of one SM: chains a thread, down: warps (RRZE, cuda-incore)", "warps",
			 "cycles", columns);
	t->digits = 3;
	t->curve = true;
	for (unsigned i = 0; i < ROWS; i++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, study_args(c, "%u", warps[i]));

		for (unsigned k = 0; k < DOUBLES; k++) {
			v[2 * k] = cycles_of(c, doubles[k].op, warps[i], 1);
			v[2 * k + 1] = doubles[k].cycles[i];
		}
	}
}

/* NVIDIA's CUDA C++ Programming Guide has results a cycle and SM of compute capability 7.0: 64 of 32-bit additions and
 * multiply-adds, 32 of doubles, 16 of special functions. */
static const struct {
	const char *op, *name;
	double results;
} classes[] = {
	{"add_u32", "integer sum", 64},		  {"mad_u32", "integer product and sum", 64},
	{"fma_f32", "float product and sum", 64}, {"fma_f64", "double product and sum", 32},
	{"rsqrt_f32", "reciprocal root", 16},
};

void gpus_classes(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"latency", "cycles of 32 warps", "guide", "qv100 / guide", NULL};

	sweep_table_init(t, &c->arena, "classes",
			 "Cycles of an instruction of one warp, and of one among 32 (CUDA C++ Programming Guide)", "operation",
			 "cycles", columns);
	t->digits = 3;
	t->left_out = 1 << 3;
	for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, classes[i].name);

		v[0] = cycles_of(c, classes[i].op, 1, 1);
		v[1] = cycles_of(c, classes[i].op, 32, 1);
		v[2] = 32 / classes[i].results;
		v[3] = v[1] / v[2];
	}
}

/* A word apart is a bank apart; 2^k words apart, 2^k lanes meet in a bank. */
void gpus_conflicts(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"latency", "cycles of 32 warps", NULL};

	sweep_table_init(t, &c->arena, "conflicts", "Cycles of a load from shared memory, alone and among those of 32 warps",
			 "words from lane to lane", "cycles", columns);
	t->digits = 3;
	for (unsigned stride = 1; stride <= 32; stride *= 2) {
		double *v = sweep_table_row(t, SWEEP_MEASURED, study_args(c, "%u", stride));

		v[0] = cycles_of(c, "ld_shared", 1, stride);
		v[1] = cycles_of(c, "ld_shared", 32, stride);
	}
}

/* TAFE: Tables 4 and 5, Figures 11 to 16, on multichip8 (configuration 1) and exascale25 (configuration 2).
 * docs/studies/tafe.md says where and why the measured differ from the published. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/root.h"
#include "hw/twins/blocks.h"
#include "study/study.h"
#include "taf/taf.h"

/* Table 4; docs/reference/workloads.md says what stands for which input. Not all runs go to their end: LIMIT. */
static const char *const kinds[] = {"TID_DEP", "data-dependent"};
static const struct benchmark {
	const char *name, *workload, *more; /* more: options at default size */
	unsigned kind;
	double storage, lines; /* printed: bytes of metadata, added lines of code */
} benchmarks[] = {
	{"BP", "backprop", " --size paper", 0, 256, 25},
	{"Lud", "lud", "", 0, 192, 26},
	{"NN", "nn", " --size paper", 0, 128, 13},
	{"PF", "pathfinder", " --size paper", 0, 192, 19},
	{"Srad", "srad", " --size paper", 0, 768, 32},
	{"HS", "hotspot", " --arg rows=2048 --arg cols=2048", 0, 192, 13},
	{"Bfs-1M", "bfs", " --size paper", 1, 1136, 40},
	{"Bfs-4M", "bfs", " --size paper --arg scale=22", 1, 2.8e3, 40},
	{"Cfd", "cfd", " --size paper --arg steps=1", 1, 942, 52},
	{"Spmv-in", "spmv", " --arg graph=mesh --arg scale=16 --arg degree=80", 1, 4.7e3, 42},
	{"Spmv-ser", "spmv", " --arg graph=mesh --arg scale=17 --arg degree=54", 1, 12.4e3, 42},
	{"RD", "radixsort", "", 1, 1098, 27},
};
enum { N_BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };
#define LIMIT	    " --max-insts 6000000"	     /* of a timed run: warp instructions */
#define APPLICATION " --max-thread-insts 1000000000" /* as the paper's runs end */

enum { MULTI, EXASCALE, N_CONFIGURATIONS };
static const struct configuration {
	const char *machine, *name;
} configurations[N_CONFIGURATIONS] = {{"multichip8", "multi-GPU"}, {"exascale25", "exascale node"}};

/* Base: CTAs to SMs in turn, and memory spread evenly over the stacks by pages. */
#define BASE "cgp-only"
static const char *const schemes[] = {"fgp-only", "first-touch", "tafe-tid", "tafe"};
static const char *const scheme_names[] = {"fine-grained", "first touch", "TAFE-TID", "TAFE", NULL};
enum { TAFE_TID = 2, TAFE, N_SCHEMES };

/* ---- runs ---- */

static const char *sized(struct study_context *c, const struct benchmark *b)
{
	return !strcmp(c->size, "default") ? study_args(c, "%s%s", b->workload, b->more)
					   : study_args(c, "%s --size %s", b->workload, c->size);
}

static double run_value(struct study_context *c, const char *what, const struct benchmark *b, unsigned configuration,
			const char *plan)
{
	return study_value(
		c, what,
		study_args(c, "run %s --machine %s --plan %s" LIMIT, sized(c, b), configurations[configuration].machine, plan));
}

static double *benchmark_row(struct sweep_table *t, const struct benchmark *b)
{
	t->group = kinds[b->kind];
	return sweep_table_row(t, SWEEP_MEASURED, b->name);
}

static void add_means(struct sweep_table *t, enum sweep_mean how)
{
	t->group = NULL;
	for (unsigned i = 0; i < 2; i++)
		sweep_table_mean(t, how, kinds[i], kinds[i]);
	sweep_table_mean(t, how, "all", NULL);
}

/* ---- how well footprints are known ---- */

static const char *footprint(struct study_context *c, const struct benchmark *b, unsigned configuration)
{
	return study_args(c, "footprint %s --machine %s", sized(c, b), configurations[configuration].machine);
}

/* Lines of the host program that name the API, which is what was added for TAFE. */
static double lines_of_api(struct study_context *c, const struct benchmark *b)
{
	char root[4096], line[1024];
	FILE *f = fopen(study_args(c, "%s/traces/%s/host.c", root_path("", root), b->workload), "r");
	double n = 0;

	if (!f)
		return NAN;
	while (fgets(line, sizeof line, f))
		n += strstr(line, "taf_") != NULL;
	fclose(f);
	return n;
}

static void table_4(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"lines in use", "storage, an extent a CTA", "an extent a module", "printed", "lines with the API", "printed", NULL};

	sweep_table_init(t, &c->arena, "table-4", "Table 4: metadata in bytes (exascale node), and annotation", "benchmark",
			 "bytes", columns);
	t->decimals = 0;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const char *each = study_args(c, "%s --plan tafe,per=cta", footprint(c, b, EXASCALE));
		double *v = benchmark_row(t, b);

		v[0] = TAF_LINE * study_value(c, "footprint.relations", each);
		v[1] = study_value(c, "footprint.metadata", each);
		v[2] = study_value(c, "footprint.metadata", study_args(c, "%s --plan tafe,per=module", footprint(c, b, EXASCALE)));
		v[3] = b->storage;
		v[4] = lines_of_api(c, b);
		v[5] = b->lines;
	}
}

/* Which part of the block a register is in; Table 5's four. */
static unsigned component_of(const char *name)
{
	static const char *const pipeline[] = {"cmp__first", "cmp__second", "cmp__part", "inv__el_", "ext__in_"};
	static const char *const prefix[] = {"cmp__", "inv__", "ext__"};

	for (unsigned i = 0; i < sizeof pipeline / sizeof pipeline[0]; i++)
		if (!strncmp(name, pipeline[i], strlen(pipeline[i])))
			return 3;
	for (unsigned i = 0; i < 3; i++)
		if (!strncmp(name, prefix[i], strlen(prefix[i])))
			return i;
	return 3;
}

static void table_5(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"bits", "bytes", "printed", NULL};
	static const char *const names[] = {"comparator table", "inverse relation", "extent insertion", "pipeline", "all"};
	static const double printed[] = {68, 133, 34, 76, 68 + 133 + 34 + 76};
	const struct hw_block *block = hw_block_named("tafe");
	void *params = arena_alloc(&c->arena, block->params_size);
	struct hw_field field[HW_MAX_FIELDS];
	double bits[5] = {0};
	unsigned n;

	hw_params_default(block, params);
	n = block->fields(params, HW_REG, field);
	for (unsigned i = 0; i < n; i++) {
		double of = (double)field[i].count * field[i].width;

		bits[component_of(field[i].name)] += of;
		bits[4] += of;
	}
	sweep_table_init(t, &c->arena, "table-5", "Table 5: registers of the hardware", "component", "bytes", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < 5; i++) {
		double *v = sweep_table_row(t, i < 4 ? SWEEP_MEASURED : SWEEP_MEAN, names[i]);

		v[0] = bits[i];
		v[1] = bits[i] / 8;
		v[2] = printed[i];
	}
}

/* Section 6.1, of the benchmarks for which the text prints it. */
static void sparsity(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"measured", "printed", NULL};
	static const double printed[N_BENCHMARKS] = {[6] = 0.98, 0.99, [9] = 0.95, 0.99};

	sweep_table_init(t, &c->arena, "sparsity", "Value sparsity of data-dependent indices, mean over CTAs", "benchmark",
			 "1 - indices / range", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v;

		if (b->kind == 0)
			continue;
		v = benchmark_row(t, b);
		v[0] = study_value(c, "footprint.sparsity", study_args(c, "%s --plan tafe,per=cta", footprint(c, b, EXASCALE)));
		v[1] = printed[i] > 0 ? printed[i] : NAN;
	}
}

static const char *const accuracy_names[] = {"footprint.true_pos", "footprint.true_neg", "footprint.false_pos",
					     "footprint.false_neg"};

static void tracking(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"pages", "true pos %", "true neg %", "false pos %", "false neg %", NULL};

	sweep_table_init(t, &c->arena, "figure-11",
			 "Figure 11, exascale node: pairs of page and module, drawn into figure-11-BENCHMARK.svg", "benchmark",
			 "percent", columns);
	t->stack_first = 1;
	t->stack = 4;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const char *args = study_args(c, "%s --svg", footprint(c, b, EXASCALE));
		const char *file = study_args(c, "figure-11-%s.svg", b->name);
		double *v = benchmark_row(t, b), sum = 0;

		v[0] = study_picture(c, "footprint.pages", args, file);
		for (unsigned k = 0; k < 4; k++)
			sum += v[1 + k] = study_picture(c, accuracy_names[k], args, file);
		for (unsigned k = 0; k < 4; k++)
			v[1 + k] *= 100 / sum;
	}
	add_means(t, SWEEP_ARITHMETIC);
}

static void accuracy(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"TID_DEP arrays", "data-dependent arrays", "all", "wrong", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-12",
			 "Figure 12, multi-GPU: pairs of page and module that are estimated rightly, percent", "benchmark",
			 "percent", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *args = footprint(c, &benchmarks[i], MULTI);

		v = benchmark_row(t, &benchmarks[i]);
		if (study_value(c, "footprint.tid.pages", args) > 0)
			v[0] = 100 * study_value(c, "footprint.tid.accuracy", args);
		if (study_value(c, "footprint.data.pages", args) > 0)
			v[1] = 100 * study_value(c, "footprint.data.accuracy", args);
		v[2] = 100 * study_value(c, "footprint.accuracy", args);
		v[3] = 100 - v[2];
	}
	add_means(t, SWEEP_ARITHMETIC);
	sweep_table_row(t, SWEEP_PUBLISHED, "data-dependent, published")[3] = 1.5;
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[2] = 91;
}

/* ---- what tracking costs ---- */

static void overhead(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"SW-CPU %", "SW-GPU %", "HW %", "SW-CPU, values at hand %", "history hits %", "extents that differ", NULL};
	static const char *const trackers[] = {"sw-cpu", "sw-gpu", "hw", "sw-cpu --set cpu.value_insts=false"};
	double *v;

	sweep_table_init(t, &c->arena, "figure-13", "Figure 13, exascale node: what tracking adds to the host program's time",
			 "benchmark", "percent", columns);
	t->left_out = 1 << 4 | 1 << 5;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const char *run = study_args(c, "run %s --machine exascale25 --max-cycles 10", sized(c, b)), *args[4];

		v = benchmark_row(t, b);
		for (unsigned k = 0; k < 4; k++) {
			args[k] = study_args(c, "%s --tracker %s", run, trackers[k]);
			v[k] = 100 * study_value(c, "tracking.overhead", args[k]);
		}
		if (study_value(c, "store_tracker.watched", args[2]) > 0) { /* else the hardware tracks no array */
			v[4] = 100 * study_value(c, "store_tracker.hit_rate", args[2]);
			v[5] = study_value(c, "store_tracker.extents_differ", args[2]);
		}
	}
	add_means(t, SWEEP_ARITHMETIC);
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[1] = 3;
	v[2] = 2;
	v = sweep_table_row(t, SWEEP_PUBLISHED, "at most, published");
	v[0] = 43;
	v[1] = 10;
}

/* ---- what it buys ---- */

/* The value of each scheme over Base's, in percent or as a ratio. */
static void schemes_rows(struct study_context *c, struct sweep_table *t, unsigned configuration,
			 double (*of)(struct study_context *, const struct benchmark *, unsigned, const char *), double scale)
{
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b), base = of(c, b, configuration, BASE);

		for (unsigned s = 0; s < N_SCHEMES; s++)
			v[s] = scale * of(c, b, configuration, schemes[s]) / base;
	}
}

/* What the paper prints of TAFE-TID and TAFE: for data-dependent benchmarks, for all; NAN: nothing. */
static void add_printed(struct sweep_table *t, double tid_data, double data, double tid_all, double all)
{
	double *v = sweep_table_row(t, SWEEP_PUBLISHED, "data-dependent, published");

	v[TAFE_TID] = tid_data;
	v[TAFE] = data;
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[TAFE_TID] = tid_all;
	v[TAFE] = all;
}

/* A run that is cut has as many instructions under each scheme, to a few: traffic is that of an instruction. */
static double traffic(struct study_context *c, const struct benchmark *b, unsigned configuration, const char *plan)
{
	return run_value(c, "link.bytes", b, configuration, plan) / run_value(c, "warp_insts", b, configuration, plan);
}

static double latency(struct study_context *c, const struct benchmark *b, unsigned configuration, const char *plan)
{
	return run_value(c, "l1.load_latency", b, configuration, plan);
}

static double ipc(struct study_context *c, const struct benchmark *b, unsigned configuration, const char *plan)
{
	return run_value(c, "ipc.warp", b, configuration, plan);
}

static const char *figure_id(struct study_context *c, const char *number, unsigned configuration)
{
	return study_args(c, "figure-%s-%s", number, configurations[configuration].machine);
}

static const double traffic_printed[N_CONFIGURATIONS][4] = {{87, 66, NAN, 67}, {90, 76, NAN, 77}};

static void traffic_of(struct study_context *c, struct sweep_table *t, unsigned configuration)
{
	const double *p = traffic_printed[configuration];

	sweep_table_init(t, &c->arena, figure_id(c, "14", configuration),
			 study_args(c, "Figure 14, %s: traffic over the links between modules, percent of Base's",
				    configurations[configuration].name),
			 "benchmark", "percent of Base", scheme_names);
	t->decimals = 1;
	schemes_rows(c, t, configuration, traffic, 100);
	add_means(t, SWEEP_ARITHMETIC);
	add_printed(t, p[0], p[1], p[2], p[3]);
}

/* What runs as the paper's moved over links: the launches, and with them the initialisation. */
static void application_of(struct study_context *c, struct sweep_table *t, unsigned configuration)
{
	static const char *const columns[] = {"launches, TAFE-TID", "launches, TAFE",		"application, TAFE-TID",
					      "application, TAFE",  "initialisation in Base's", NULL};
	static const char *const plans[] = {BASE, "tafe-tid", "tafe"};
	const double *p = traffic_printed[configuration];

	sweep_table_init(t, &c->arena, figure_id(c, "14-application", configuration),
			 study_args(c, "Figure 14, %s, with the host's initialisation: traffic over links, percent of Base's",
				    configurations[configuration].name),
			 "benchmark", "percent of Base", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		double *v = benchmark_row(t, &benchmarks[i]), launches[3], init[3];

		for (unsigned k = 0; k < 3; k++) {
			const char *args = study_args(c, "run %s --machine %s --plan %s --init-traffic" APPLICATION,
						      sized(c, &benchmarks[i]), configurations[configuration].machine, plans[k]);

			launches[k] = study_value(c, "link.bytes", args);
			init[k] = study_value(c, "init.link.bytes", args);
		}
		for (unsigned k = 0; k < 2; k++) {
			v[k] = 100 * launches[1 + k] / launches[0];
			v[2 + k] = 100 * (launches[1 + k] + init[1 + k]) / (launches[0] + init[0]);
		}
		v[4] = 100 * init[0] / (launches[0] + init[0]);
	}
	add_means(t, SWEEP_ARITHMETIC);
	for (unsigned all = 0; all < 2; all++) {
		double *v = sweep_table_row(t, SWEEP_PUBLISHED, all ? "all, published" : "data-dependent, published");

		v[2] = p[2 * all];
		v[3] = p[2 * all + 1];
	}
}

static void latency_of(struct study_context *c, struct sweep_table *t, unsigned configuration)
{
	static const double printed[N_CONFIGURATIONS][4] = {{NAN, NAN, 79, 79}, {84, 70, 71, 64}};
	const double *p = printed[configuration];

	sweep_table_init(t, &c->arena, figure_id(c, "15", configuration),
			 study_args(c, "Figure 15, %s: latency of a warp's load from global memory, percent of Base's",
				    configurations[configuration].name),
			 "benchmark", "percent of Base", scheme_names);
	t->decimals = 1;
	schemes_rows(c, t, configuration, latency, 100);
	add_means(t, SWEEP_ARITHMETIC);
	add_printed(t, p[0], p[1], p[2], p[3]);
}

static void ipc_of(struct study_context *c, struct sweep_table *t, unsigned configuration)
{
	static const char *const columns[] = {"fine-grained", "first touch", "TAFE-TID", "TAFE", "TAFE over TAFE-TID", NULL};
	static const double all[N_CONFIGURATIONS] = {1.45, 1.32}, most[N_CONFIGURATIONS] = {2.1, 2},
			    over_tid[N_CONFIGURATIONS] = {1.10, 1.22};

	sweep_table_init(t, &c->arena, figure_id(c, "16", configuration),
			 study_args(c, "Figure 16, %s: IPC over Base's", configurations[configuration].name), "benchmark",
			 "IPC over Base", columns);
	schemes_rows(c, t, configuration, ipc, 1);
	for (unsigned r = 0; r < t->rows; r++)
		t->row[r].value[N_SCHEMES] = t->row[r].value[TAFE] / t->row[r].value[TAFE_TID];
	add_means(t, SWEEP_GEOMETRIC);
	sweep_table_row(t, SWEEP_PUBLISHED, "data-dependent, published")[N_SCHEMES] = over_tid[configuration];
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[TAFE] = all[configuration];
	sweep_table_row(t, SWEEP_PUBLISHED, "at most, published")[TAFE] = most[configuration];
}

#define ON_BOTH(name)                                                                                                              \
	static void name##_multi(struct study_context *c, struct sweep_table *t)                                                   \
	{                                                                                                                          \
		name##_of(c, t, MULTI);                                                                                            \
	}                                                                                                                          \
	static void name##_exascale(struct study_context *c, struct sweep_table *t)                                                \
	{                                                                                                                          \
		name##_of(c, t, EXASCALE);                                                                                         \
	}
ON_BOTH(traffic)
ON_BOTH(application)
ON_BOTH(latency)
ON_BOTH(ipc)

static const struct study_figure figures[] = {
	{"table-4", table_4},
	{"table-5", table_5},
	{"11", tracking},
	{"12", accuracy},
	{"sparsity", sparsity},
	{"13", overhead},
	{"14-multichip8", traffic_multi},
	{"14-exascale25", traffic_exascale},
	{"14-application-multichip8", application_multi},
	{"14-application-exascale25", application_exascale},
	{"15-multichip8", latency_multi},
	{"15-exascale25", latency_exascale},
	{"16-multichip8", ipc_multi},
	{"16-exascale25", ipc_exascale},
	{NULL, NULL},
};

const struct study study_tafe = {"tafe", "TAFE: pages and CTAs by thread address footprints (Tables 4 and 5, Figures 11 to 16)",
				 figures};

/* 954: annotated CUDA programs (tests/cuda/spmv.cu, transpose.cu) and the same programs as workloads of traces/, on the
 * same input: what planners decide, what the tracker does and which tables it leaves is the same, and so it is with the
 * hardware in Verilog. A GPU's own runtime leaves the calls alone. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/random.h"

enum { NODES = 1500, MOST = 16 };

/* A METIS file: a ring with chords drawn at random, a line a node. */
static void write_graph(void)
{
	static unsigned to[NODES][8 * MOST], n[NODES];
	uint64_t seed = 954;
	size_t room = (size_t)NODES * 8 * MOST * 6, at;
	char *text = malloc(room);
	unsigned edges = 0;

	for (unsigned v = 0; v < NODES; v++)
		for (unsigned k = 0; k < 1 + v % 5; k++) {
			unsigned w = k ? (unsigned)(random_u64(&seed) % NODES) : (v + 1) % NODES, known = v == w;

			for (unsigned i = 0; i < n[v]; i++)
				known |= to[v][i] == w;
			if (known || n[v] == 8 * MOST || n[w] == 8 * MOST)
				continue;
			to[v][n[v]++] = w;
			to[w][n[w]++] = v;
			edges++;
		}
	at = (size_t)sprintf(text, "%d %u\n", NODES, edges);
	for (unsigned v = 0; v < NODES; v++) {
		for (unsigned w = 0; w < NODES; w++)
			for (unsigned i = 0; i < n[v]; i++)
				if (to[v][i] == w)
					at += (size_t)sprintf(text + at, "%u ", w + 1);
		at += (size_t)sprintf(text + at, "\n");
	}
	program_file("net.graph", text);
	free(text);
}

static void build(const char *name)
{
	struct program p = program_run("locus nvcc -arch=sm_75 tests/cuda/%s.cu -o %s/%s", name, program_tmp(), name);

	cr_assert_eq(p.status, 0, "%s: %s", name, p.err);
	program_free(&p);
}

static json_t *result(const char *name)
{
	char path[512];
	json_t *j;

	snprintf(path, sizeof path, "%s/%s.json", program_tmp(), name);
	j = json_load_file(path, 0, NULL);
	cr_assert_not_null(j, "%s", path);
	return j;
}

/* With these options, as a CUDA program and as a workload. */
static void run_both(const char *options, const char *program, const char *workload)
{
	struct program p = program_run("locus cuda %s --json %s/cuda.json %s/%s", options, program_tmp(), program_tmp(), program);

	cr_assert_eq(p.status, 0, "%s %s: %s%s", options, program, p.out, p.err);
	program_free(&p);
	p = program_run("locus %s %s --json %s/host.json %s", strstr(options, "--hw") ? "cosim" : "run",
			strncmp(options, "--cosim ", 8) ? options : options + 8, program_tmp(), workload);
	cr_assert_eq(p.status, 0, "%s %s: %s%s", options, workload, p.out, p.err);
	program_free(&p);
}

static void expect_alike(const json_t *a, const json_t *b, const char *what)
{
	char *x = json_dumps(a, JSON_ENCODE_ANY), *y = json_dumps(b, JSON_ENCODE_ANY);

	cr_assert(x && y, "%s", what);
	cr_expect_str_eq(x, y, "%s", what);
	free(x);
	free(y);
}

/* Arrays in the order in which they were allocated: their names are none of the program's, and lines are those of
 * another PTX file. */
static void expect_same_arrays(json_t *a, json_t *b, size_t n)
{
	void *x = json_object_iter(a), *y = json_object_iter(b);

	cr_assert_eq(json_object_size(a), n);
	cr_assert_eq(json_object_size(b), n);
	for (; x; x = json_object_iter_next(a, x), y = json_object_iter_next(b, y)) {
		json_object_del(json_object_iter_value(x), "line");
		json_object_del(json_object_iter_value(y), "line");
		expect_alike(json_object_iter_value(x), json_object_iter_value(y), json_object_iter_key(y));
	}
}

static void drop_names(json_t *launches)
{
	json_t *launch, *of;
	size_t i, k;

	json_array_foreach(launches, i, launch) json_array_foreach(json_object_get(launch, "localities"), k, of)
		json_object_del(of, "structure");
}

static void expect_same_plan(size_t arrays)
{
	json_t *cuda = result("cuda"), *host = result("host");
	json_t *a = json_object_get(cuda, "plan"), *b = json_object_get(host, "plan");

	cr_assert(a && b);
	if (arrays)
		expect_same_arrays(json_object_get(a, "arrays"), json_object_get(b, "arrays"), arrays);
	drop_names(json_object_get(a, "launches"));
	drop_names(json_object_get(b, "launches"));
	expect_alike(json_object_get(a, "launches"), json_object_get(b, "launches"), "launches");
	json_decref(cuda);
	json_decref(host);
}

/* Metrics whose names begin so, of which there are some. */
static void expect_same_metrics(const char *prefix)
{
	json_t *cuda = result("cuda"), *host = result("host"), *of, *stats = json_object_get(host, "stats");
	const char *name;
	unsigned n = 0;

	json_object_foreach(json_object_get(cuda, "stats"), name, of) if (!strncmp(name, prefix, strlen(prefix)))
	{
		expect_alike(of, json_object_get(stats, name), name);
		n++;
	}
	cr_expect_gt(n, 3, "%s", prefix);
	json_decref(cuda);
	json_decref(host);
}

static void run_spmv(const char *options, const char *memory)
{
	char program[1024], workload[1024];

	snprintf(program, sizeof program, "spmv %s/net.graph %s", program_tmp(), memory);
	snprintf(workload, sizeof workload, "spmv --arg graph=%s/net.graph", program_tmp());
	run_both(options, program, workload);
}

/* Cycles, stores, elements and commands of the tracking phase are those of the workload: so are the tables, from which
 * the same pages go to the same modules. */
Test(annotated_cuda_programs, have_the_plan_of_tafe_that_the_workload_has)
{
	static const char *const options[] = {"--machine ndp4 --plan tafe", "--machine ndp4 --plan tafe,extents=2 --tracker sw-cpu",
					      "--cosim --machine ndp4 --plan tafe --hw tafe=lockstep"};

	write_graph();
	build("spmv");
	for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++) {
		run_spmv(options[i], "");
		expect_same_plan(5);
		expect_same_metrics("tracking.");
		if (i != 1)
			expect_same_metrics("store_tracker.");
	}
	run_spmv(options[0], "managed");
	expect_same_plan(5);
	expect_same_metrics("tracking.");
}

Test(annotated_cuda_programs, have_the_plan_of_descriptors_that_the_workload_has)
{
	write_graph();
	build("spmv");
	run_spmv("--machine ndp4 --plan ldesc", "");
	expect_same_plan(5);
	run_spmv("--machine gtx480 --plan ldesc", "");
	expect_same_plan(0);
	build("transpose");
	run_both("--machine ndp4 --plan ldesc", "transpose 256", "transpose --arg n=256");
	expect_same_plan(2);
}

/* CODA asks for no annotation: it reads the PTX, which is compiled from the same kernel. */
Test(annotated_cuda_programs, have_the_plan_of_coda_that_the_workload_has)
{
	build("transpose");
	run_both("--machine ndp4 --plan coda", "transpose 256", "transpose --arg n=256");
	expect_same_plan(2);
}

/* 952: CUDA programs as a user has them (tests/cuda) are built by `locus nvcc`, and by nvcc where that is installed,
 * and run by `locus cuda`. Each compares its results with a plain reference on the host and ends with "NAME: passed";
 * what the model makes of one is held against a run of its record, and against the blocks in Verilog. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define LOCUS_NVCC "locus nvcc"
#define NVCC	   "nvcc -cudart shared -arch=sm_75" /* the oldest architecture of CUDA 13 */

struct one {
	char name[16], files[32], compiler[64];
};

/* nvcc takes its time: it builds one with textures, one of C++ files, and the one with a Makefile. */
static const struct {
	const char *name, *files; /* and options behind them */
	bool nvcc_too;
} programs[] = {
	{"levels", ".cu", false},
	{"heap", ".cu", false},
	{"gemm", ".cu", false},
	{"sums", ".cu", false},
	{"streams", ".cu", false},
	{"volume", ".cu", false},
	{"convolution", ".cu", false},
	{"histogram", ".cu", false},
	{"relax", ".cu", false},
	{"rotate", ".cu", true},
	{"surface", ".cu", false},
	{"texref", ".cu", false},
	{"plain", "/*.c[pu]*", true},
	{"managed", ".cu", true},
	{"units", "/*.cu -rdc=true", true},
	{"complex", ".cu", false},
	{"bfloats", ".cu -arch=sm_80", false},
	{"matrices", ".cu -arch=sm_80", false},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static bool has_nvcc(void)
{
	struct program p = program_run("nvcc --version");
	bool has = p.status == 0;

	program_free(&p);
	if (!has)
		fprintf(stderr, "952: nvcc is not installed: programs are built by locus nvcc alone\n");
	return has;
}

/* Into program_tmp(). */
static void build(const char *compiler, const char *name, const char *files)
{
	struct program p = program_run("%s tests/cuda/%s%s -o %s/%s", compiler, name, files, program_tmp(), name);

	cr_assert_eq(p.status, 0, "%s %s: %s", compiler, name, p.err);
	program_free(&p);
}

/* path: of the program, in program_tmp(). */
static void expect_right(const char *path, const char *name, const char *by)
{
	struct program p = program_run("locus cuda --only-execute --machine titanv %s/%s", program_tmp(), path);
	char last[128];

	snprintf(last, sizeof last, "%s: passed\n\nprogram %s: exit status 0\n", name, name);
	cr_expect_eq(p.status, 0, "%s by %s: %d\n%s%s", name, by, p.status, p.out, p.err);
	cr_expect(strstr(p.out, last), "%s by %s:\n%s%s", name, by, p.out, p.err);
	program_free(&p);
}

ParameterizedTestParameters(whole_cuda_programs, are_built_and_give_right_results)
{
	static struct one all[2 * PROGRAMS];
	bool nvcc = has_nvcc();
	size_t n = 0;

	for (unsigned i = 0; i < PROGRAMS; i++)
		for (int by_nvcc = 0; by_nvcc <= (nvcc && programs[i].nvcc_too); by_nvcc++, n++) {
			snprintf(all[n].name, sizeof all[n].name, "%s", programs[i].name);
			snprintf(all[n].files, sizeof all[n].files, "%s", programs[i].files);
			snprintf(all[n].compiler, sizeof all[n].compiler, "%s", by_nvcc ? NVCC : LOCUS_NVCC);
		}
	return cr_make_param_array(struct one, all, n);
}

ParameterizedTest(struct one *of, whole_cuda_programs, are_built_and_give_right_results)
{
	build(of->compiler, of->name, of->files);
	expect_right(of->name, of->name, of->compiler);
}

/* A Makefile that knows nvcc alone, two files of device code that call one another, one without any. */
static void expect_made(const char *compiler)
{
	struct program p = program_run("rm -rf %s/made && mkdir %s/made && cp -r tests/cuda/nbody tests/cuda/check.h %s/made && "
				       "PATH=\"$(realpath \"${LOCUS_BUILD:-build}\"):$PATH\" make -C %s/made/nbody NVCC='%s'",
				       program_tmp(), program_tmp(), program_tmp(), program_tmp(), compiler);

	cr_assert_eq(p.status, 0, "%s: %s%s", compiler, p.out, p.err);
	program_free(&p);
	expect_right("made/nbody/nbody", "nbody", compiler);
}

Test(whole_cuda_programs, are_built_by_their_makefiles)
{
	expect_made(LOCUS_NVCC);
	if (has_nvcc())
		expect_made(NVCC);
}

/* ---- one program, and what can be done with it ---- */

static void build_levels(void)
{
	build(LOCUS_NVCC, "levels", ".cu");
}

/* The search through a graph of 500 nodes; ran: with which options, and which JSON has its numbers. */
static struct program run_levels(const char *options, const char *json)
{
	return program_run("locus cuda --machine titanv --l1-index pric %s --json %s/%s.json %s/levels 500", options, program_tmp(),
			   json, program_tmp());
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

static void expect_same(const char *a, const char *b, const char *key)
{
	json_t *one = result(a), *two = result(b);
	char *x = json_dumps(json_object_get(one, key), JSON_ENCODE_ANY | JSON_SORT_KEYS);
	char *y = json_dumps(json_object_get(two, key), JSON_ENCODE_ANY | JSON_SORT_KEYS);

	cr_assert(x && y, "%s", key);
	cr_expect_str_eq(x, y, "%s of %s and %s", key, a, b);
	free(x);
	free(y);
	json_decref(one);
	json_decref(two);
}

static json_int_t stat_of(const char *json, const char *name)
{
	json_t *j = result(json);
	json_int_t is = json_integer_value(json_object_get(json_object_get(j, "stats"), name));

	json_decref(j);
	return is;
}

/* A record says all that the program did; Verilog says what C says. Of launches that are not chosen the model sees
 * nothing, and the program everything. */
Test(whole_cuda_programs, run_on_the_model_as_any_trace_does, .init = build_levels)
{
	char record[512];
	unsigned long instances = 0;
	struct program p;
	const char *row;

	snprintf(record, sizeof record, "--record %s/levels.ltrace", program_tmp());
	p = run_levels(record, "golden");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_gt(stat_of("golden", "cycles"), 0);
	program_free(&p);

	p = program_run("locus run --machine titanv --l1-index pric --json %s/record.json %s/levels.ltrace", program_tmp(),
			program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_same("golden", "record", "trace_hash");
	expect_same("golden", "record", "stats");
	program_free(&p);

	p = run_levels("--cosim --hw all=lockstep", "lockstep");
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	row = strstr(p.out, "\n  pric  ");
	cr_assert(row && sscanf(row, " pric lockstep %lu", &instances) == 1, "%s", p.out);
	cr_expect_eq(instances, 80); /* SMs of titanv */
	expect_same("golden", "lockstep", "stats");
	program_free(&p);

	p = run_levels("--kernels 0,2:3", "chosen");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "levels: passed\n"), "%s", p.out);
	cr_expect_eq(stat_of("chosen", "launches"), 3);
	program_free(&p);

	p = run_levels("--kernels 'no*such'", "none");
	cr_expect_eq(p.status, 2, "%d", p.status);
	cr_expect(strstr(p.err, "takes none of the"), "%s", p.err);
	program_free(&p);
}

/* What kernels print is the program's own output, where it stands among it. A program that asks what went wrong on the
 * device is told, and ends well; the run does not. */
Test(whole_cuda_programs, print_from_kernels_and_are_told_of_those_that_fail)
{
	static const char printed[] = "block 0 of 2: 7 words 0.25\nblock 1 of 2: 7 words 0.25\nerrors: passed\n";
	static const char *const how[][2] = {{"assert", "assertion"}, {"wild", "which are not in one buffer"}};
	struct program p;

	build(LOCUS_NVCC, "errors", ".cu");
	p = program_run("locus cuda --only-execute --machine titanv %s/errors", program_tmp());
	cr_expect_eq(strncmp(p.out, printed, sizeof printed - 1), 0, "%s", p.out);
	program_free(&p);
	for (unsigned i = 0; i < 2; i++) {
		p = program_run("locus cuda --machine titanv %s/errors %s", program_tmp(), how[i][0]);
		cr_expect_eq(p.status, 2, "%s: %d", how[i][0], p.status);
		cr_expect(strstr(p.out, "errors: passed\n"), "%s", p.out);
		cr_expect(strstr(p.err, how[i][1]), "%s", p.err);
		program_free(&p);
	}
}

/* 956: what a CUDA program copied (tests/cuda/spmv.cu, whose arrays have known sizes) is in its record, in order, and
 * in its result, with the time that it takes by the machine's keys: pcie.latency + bytes / pcie.gbps. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "trace/trace.h"

/* Two nodes and the edge between them: 3 row begins, 2 columns, 2 values, 2 elements of x; then y comes back. */
static void build(void)
{
	struct program p = program_run("locus nvcc -arch=sm_75 tests/cuda/spmv.cu -o %s/spmv", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	program_file("pair.graph", "2 1\n2\n1\n");
}

static struct program run(void)
{
	return program_run("locus cuda --machine titanv --set pcie.latency=1000 --set pcie.gbps=4 --record %s/r.ltrace --json "
			   "%s/r.json %s/spmv %s/pair.graph",
			   program_tmp(), program_tmp(), program_tmp(), program_tmp());
}

/* Allocations come in the same order; buffers of the trace too. */
static void expect_recorded(void)
{
	static const struct {
		int to, from; /* buffers; -1: the host */
		uint64_t bytes;
		enum trace_copy_kind kind;
		uint32_t before;
	} want[] = {{0, -1, 12, TRACE_TO_DEVICE, 0},
		    {1, -1, 8, TRACE_TO_DEVICE, 0},
		    {2, -1, 8, TRACE_TO_DEVICE, 0},
		    {3, -1, 8, TRACE_TO_DEVICE, 0},
		    {-1, 4, 8, TRACE_TO_HOST, 1}};
	struct err e = {""};
	char path[512];
	struct trace *t;

	snprintf(path, sizeof path, "%s/r.ltrace", program_tmp());
	t = trace_open(path, &e);
	cr_assert(t, "%s", e.text);
	cr_assert_eq(trace_n_copies(t), 5);
	for (unsigned i = 0; i < 5; i++) {
		const struct trace_copy *c = trace_copy(t, i);

		cr_expect_eq(c->to, want[i].to < 0 ? 0 : trace_buffer(t, (uint32_t)want[i].to)->base, "copy %u", i);
		cr_expect_eq(c->from, want[i].from < 0 ? 0 : trace_buffer(t, (uint32_t)want[i].from)->base, "copy %u", i);
		cr_expect(c->bytes == want[i].bytes && c->kind == want[i].kind && c->before_launch == want[i].before, "copy %u", i);
	}
	trace_close(t);
}

static void expect_listed(void)
{
	struct program p = program_run("locus trace info %s/r.ltrace", program_tmp());
	const char *back;

	cr_assert_eq(p.status, 0, "%s", p.err);
	back = strstr(p.out, "to host ");
	cr_assert(back && strstr(p.out, "to device "), "%s", p.out);
	cr_expect(strstr(back, " device4\n"), "%s", p.out);
	program_free(&p);
}

static void expect_number(const json_t *of, const char *key, double want)
{
	cr_expect_float_eq(json_number_value(json_object_get(of, key)), want, 1e-6, "%s", key);
}

static void expect_copies(const json_t *program, const char *kind, double count, double bytes, double ns)
{
	const json_t *c = json_object_get(program, kind);

	expect_number(c, "count", count);
	expect_number(c, "bytes", bytes);
	expect_number(c, "pcie_ns", ns);
}

static void expect_told(void)
{
	char path[512];
	json_t *j, *program;

	snprintf(path, sizeof path, "%s/r.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	program = json_object_get(j, "program");
	cr_assert_not_null(program);
	expect_number(program, "exit_status", 0);
	expect_number(program, "launches", 1);
	expect_number(program, "recorded", 1);
	expect_copies(program, "to_device", 4, 36, 4 * 1000 + 36 / 4.);
	expect_copies(program, "to_host", 1, 8, 1000 + 8 / 4.);
	expect_copies(program, "on_device", 0, 0, 0);
	expect_copies(program, "fills", 0, 0, 0);
	json_decref(j);
}

Test(copies_of_a_cuda_program, are_in_its_record_and_its_result)
{
	struct program p;

	build();
	p = run();
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	expect_recorded();
	expect_listed();
	expect_told();
	program_free(&p);
}

/* A workload is no CUDA program. */
Test(copies_of_a_cuda_program, are_none_of_a_workloads)
{
	struct program p = program_run("locus run vectoradd --size test --machine gtx480 --json -");
	json_t *j = json_loads(p.out, 0, NULL);

	cr_assert_not_null(j, "%s", p.err);
	cr_expect_null(json_object_get(j, "program"));
	json_decref(j);
	program_free(&p);
}

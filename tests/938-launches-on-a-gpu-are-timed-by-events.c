/* 938: what `make correlate HW=1` measures, against a CUDA runtime, an nvcc and an nvidia-smi of the test's own
 * (tests/launch-times): a launch of n blocks takes n / 4 ms. Launches of 2, 4, 8 and 16 blocks take 7.5 ms; at the
 * 1,230,000 kHz of that GPU these are 9,225,000 cycles. And against our own runtime, whose events have the model's
 * times. Nothing of this has run on a GPU.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

static void succeeds(struct program p)
{
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

/* A folder with the runtime, and its tools, as they are found: all that a machine with a GPU has. */
static void gpu_of_no_kind(void)
{
	const char *t = program_tmp();

	succeeds(program_run("cd tests/launch-times && cp nvcc nvidia-smi program.c %s && : >%s/libcuda.so.1 && "
			     "cc -shared -fPIC -Wl,-soname,libcudart.so.13 -Wl,--version-script,cudart.map "
			     "-o %s/libcudart.so.13 cudart.c",
			     t, t, t));
}

/* correlate-hw with those words, in an environment with more in it. */
static struct program hw(const char *env, const char *words)
{
	const char *t = program_tmp();

	return program_run("env PATH=%s:$PATH LD_LIBRARY_PATH=%s CUDA_VISIBLE_DEVICES= %s scripts/correlate-hw %s/out %s", t, t,
			   env, t, words);
}

static void expect(const char *env, const char *words, int status, const char *out, const char *err)
{
	struct program p = hw(env, words);

	cr_expect_eq(p.status, status, "%s%s", p.out, p.err);
	cr_expect_str_eq(p.out, out);
	cr_expect_str_eq(p.err, err);
	program_free(&p);
}

static void expect_file(const char *name, const char *text)
{
	char path[600], *got;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	got = program_text(path);
	cr_expect_str_eq(got, text);
	free(got);
}

static void expect_program(const char *env, const char *argument, int status, const char *out)
{
	char words[1200];

	snprintf(words, sizeof words, "name %s / 'program.c -O1' %s", program_tmp(), argument);
	expect(env, words, status, out, "");
}

Test(launch_times, are_summed_over_launches_of_any_kind)
{
	gpu_of_no_kind();
	expect("", "", 0, "", "");
	expect_program("", "0", 0, "9225000 1230 A GPU of no kind\n");
	expect_file("out/name.times", "launches 4 ms 7.500000 khz 1230000 gpu A GPU of no kind\n");
}

Test(launch_times, are_not_those_of_a_program_that_fails)
{
	gpu_of_no_kind();
	expect("", "", 0, "", "");
	expect_program("", "1", 1, "");
	expect_program("", "", 1, "");
}

Test(launch_times, are_all_or_none)
{
	gpu_of_no_kind();
	expect("", "", 0, "", "");
	expect_program("NO_TIMES=1", "0", 1, "");
	expect_file("out/name.times", "failed cudaEventElapsedTime\n");
}

Test(launch_times, need_a_gpu_and_say_so)
{
	gpu_of_no_kind();
	expect("NO_GPU=1", "", 1, "", "correlate: HW: nvidia-smi names no GPU: no column of a GPU\n");
	expect("CC=false", "", 1, "", "correlate: HW: launch-times.c cannot be built: no column of a GPU\n");
}

/* Each launch's time is that of its cycles at qv100's 1132 MHz, to the nanosecond: 1.1 cycles, and as much by the float
 * that has it. */
Test(launch_times, are_the_models_where_that_is_the_gpu)
{
	static const char text[] = "__global__ void add(float *a, int n)\n{\n\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
				   "\tif (i < n)\n\t\ta[i] += 1;\n}\n"
				   "int main()\n{\n\tfloat *a;\n\tcudaMalloc(&a, 4096 * 4);\n\tcudaMemset(a, 0, 4096 * 4);\n"
				   "\tfor (int i = 1; i <= 3; i++)\n\t\tadd<<<16 * i, 64>>>(a, 4096);\n"
				   "\treturn cudaDeviceSynchronize();\n}\n";
	const char *t = program_tmp();
	unsigned long launches;
	char path[600], *got;
	json_t *run, *stats;
	double ms, khz;

	program_file("add.cu", text);
	succeeds(program_run("cc -std=c11 -D_GNU_SOURCE -shared -fPIC -o %s/times.so scripts/launch-times.c -ldl -lpthread", t));
	succeeds(program_run("locus nvcc -O2 -o %s/add %s/add.cu", t, t));
	succeeds(program_run("locus cuda --machine qv100 --time eager --json %s/run.json env LD_PRELOAD=%s/times.so "
			     "LAUNCH_TIMES=%s/times %s/add",
			     t, t, t, t));
	snprintf(path, sizeof path, "%s/times", t);
	got = program_text(path);
	cr_assert_eq(sscanf(got, "launches %lu ms %lf khz %lf gpu qv100\n", &launches, &ms, &khz), 3, "%s", got);
	snprintf(path, sizeof path, "%s/run.json", t);
	run = json_load_file(path, 0, NULL);
	stats = json_object_get(run, "stats");
	cr_expect_eq(launches, 3);
	cr_expect_float_eq(ms * khz, program_stat(stats, "cycles"), 3 * 2.2, "%f cycles, the model has %f", ms * khz,
			   program_stat(stats, "cycles"));
	json_decref(run);
	free(got);
}

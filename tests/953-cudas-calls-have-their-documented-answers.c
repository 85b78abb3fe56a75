/* 953: the CUDA runtime library as a C program sees it that no compiler driver has touched: it registers PTX by hand
 * and walks through the calls of a subject (tests/cuda/api), whose answers are those of the CUDA Runtime API
 * documentation. What a program does to itself, to the socket or to the queue (tests/cuda/hostile.c), `locus cuda`
 * outlives. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* The library is one for all builds of the program. */
static void build(void)
{
	struct program p = program_run("gcc -D_GNU_SOURCE -Wall -Wextra -Werror -Iharness/cuda/include tests/cuda/api/*.c "
				       "-Lbuild/cuda -lcudart -o %s/api",
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static void build_hostile(void)
{
	struct program p = program_run("gcc -Wall -Wextra -Werror -Iharness -Icsim tests/cuda/hostile.c "
				       "harness/cuda/wire_queue.c -o %s/hostile",
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static struct program walk(const char *options, const char *subject)
{
	return program_run("locus cuda --only-execute --machine titanv %s %s/api %s", options, program_tmp(), subject);
}

/* Its lines, if there are any, say which call had another answer. */
static void expect_documented(const char *options, const char *subject)
{
	struct program p = walk(options, subject);

	cr_expect_eq(p.status, 0, "%s: %d\n%s%s", subject, p.status, p.out, p.err);
	cr_expect_eq(strncmp(p.out, "\nprogram api: exit status 0\n", 28), 0, "%s:\n%s", subject, p.out);
	cr_expect_str_empty(p.err, "%s: %s", subject, p.err);
	program_free(&p);
}

Test(cuda_calls, have_their_documented_answers, .init = build)
{
	static const char *const subjects[] = {"memory", "pointers", "copies", "boxes", "symbols", "launches", "events", "devices"};

	for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		expect_documented("", subjects[i]);
}

/* A line for each launch that is refused. */
Test(cuda_calls, keep_a_kernels_launch_bounds, .init = build)
{
	struct program p = walk("", "bounds");

	cr_expect_eq(p.status, 0, "%d\n%s%s", p.status, p.out, p.err);
	cr_expect_eq(strncmp(p.out, "\nprogram api: exit status 0\n", 28), 0, "%s", p.out);
	cr_expect_str_eq(p.err, "locus: kernel bounded: a block of 129 x 1 x 1 threads is larger than its .maxntid allows (128)\n"
				"locus: kernel bounded: a block of 64 x 2 x 2 threads is larger than its .maxntid allows (128)\n");
	program_free(&p);
}

Test(cuda_calls, find_no_more_memory_than_the_machine_has, .init = build)
{
	expect_documented("--set device.memory_mib=8", "small");
}

/* Pages are those of the program under test: the address sanitizer keeps for a while what is freed, unless it is told
 * not to. */
Test(cuda_calls, that_allocate_and_free_in_a_loop_take_no_more_memory, .init = build)
{
	setenv("ASAN_OPTIONS", "quarantine_size_mb=0:thread_local_quarantine_size_kb=0", 1);
	expect_documented("", "churn");
}

Test(cuda_calls, work_in_a_program_that_forks, .init = build)
{
	expect_documented("", "fork");
}

Test(cuda_calls, cannot_take_the_memory_away, .init = build)
{
	expect_documented("", "cut");
}

Test(cuda_calls, work_in_several_threads, .init = build)
{
	expect_documented("", "threads");
}

/* A kernel that writes to the host's memory ends the run, which says what the address is. */
Test(cuda_calls, hand_no_host_memory_to_a_kernel, .init = build)
{
	struct program p = walk("", "host-pointer");

	cr_expect_eq(p.status, 2, "%d\n%s", p.status, p.out);
	cr_expect_str_empty(p.out, "%s", p.out);
	cr_expect(strstr(p.err, "writes 4 bytes at 0x"), "%s", p.err);
	cr_expect(strstr(p.err, "; that is memory of the host program, which a kernel cannot reach ("), "%s", p.err);
	program_free(&p);
}

/* Without `locus cuda` around it, a program has no device; it hears where one is. */
Test(cuda_calls, find_no_device_outside_locus_cuda, .init = build)
{
	struct program p = program_run("LD_LIBRARY_PATH=build/cuda %s/api devices", program_tmp());

	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.out, "cudaErrorNoDevice"), "%s", p.out);
	cr_expect(strstr(p.err, "run it as `locus cuda api`"), "%s", p.err);
	program_free(&p);
}

/* The report names the signal; 11 is SIGSEGV, 15 SIGTERM. */
Test(cuda_calls, do_not_keep_a_program_from_dying, .init = build)
{
	struct program p = walk("", "touch-device");

	cr_expect_eq(p.status, 1);
	cr_expect_str_eq(p.err, "");
	cr_expect(strstr(p.out, "program api was ended by signal 11 (Segmentation fault)\n"), "%s", p.out);
	program_free(&p);
	p = walk("", "die");
	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.out, "program api was ended by signal 15 (Terminated)\n"), "%s", p.out);
	program_free(&p);
}

/* fill, fill, shared, fill of 1, 1, 1 and 2 CTAs. */
Test(cuda_calls, are_timed_by_kernels_or_by_number, .init = build)
{
	static const struct {
		const char *kernels;
		int launches, ctas;
	} choices[] = {{"shared", 1, 1}, {"fill", 3, 4}, {"f*,2", 4, 5}, {"3", 1, 2}, {"1:2", 2, 2}, {"3:", 1, 2}};

	for (unsigned i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		struct program p = program_run("locus cuda --machine titanv --kernels '%s' --json %s/a.json %s/api three",
					       choices[i].kernels, program_tmp(), program_tmp());
		json_int_t launches = -1, ctas = -1;
		char path[512];
		json_t *j;

		cr_assert_eq(p.status, 0, "%s: %s", choices[i].kernels, p.err);
		snprintf(path, sizeof path, "%s/a.json", program_tmp());
		j = json_load_file(path, 0, NULL);
		json_unpack(j, "{s:{s:I,s:I}}", "stats", "launches", &launches, "ctas", &ctas);
		cr_expect_eq(launches, choices[i].launches, "%s: %d", choices[i].kernels, (int)launches);
		cr_expect_eq(ctas, choices[i].ctas, "%s: %d", choices[i].kernels, (int)ctas);
		json_decref(j);
		program_free(&p);
	}
}

/* The second library, libcuda.so.1. titanv: compute capability 7.0, 80 SMs; a variable of four words. */
Test(cuda_calls, of_the_driver_have_theirs)
{
	struct program p =
		program_run("gcc -Wall -Wextra -Werror -Iharness/cuda/include tests/cuda/driver.c -Lbuild/cuda -lcuda -o "
			    "%s/driver && locus cuda --only-execute --machine titanv %s/driver",
			    program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect_eq(strncmp(p.out, "titanv 7.0 80 1024 16\n", 22), 0, "%s", p.out);
	cr_expect_str_empty(p.err, "%s", p.err);
	program_free(&p);
}

/* fill, fill, shared, fill: what a program reads between events around the second and third is what the run at the end
 * gives these launches, at titanv's 1200 MHz. */
Test(cuda_calls, tell_the_models_time_if_it_is_asked_for, .init = build)
{
	struct program p = program_run("locus cuda --time eager --machine titanv --json %s/a.json %s/api elapsed", program_tmp(),
				       program_tmp());
	json_int_t second = 0, third = 0;
	char path[512];
	double ms = -1;
	json_t *j;

	cr_assert_eq(p.status, 0, "%s", p.err);
	ms = strtod(p.out, NULL);
	snprintf(path, sizeof path, "%s/a.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	cr_assert_not_null(j);
	json_unpack(json_array_get(json_object_get(j, "launches"), 1), "{s:{s:I}}", "stats", "cycles", &second);
	json_unpack(json_array_get(json_object_get(j, "launches"), 2), "{s:{s:I}}", "stats", "cycles", &third);
	cr_expect_gt(second, 0);
	cr_expect_float_eq(ms, (double)(second + third) / 1200e3, 2e-6, "%g ms, %d and %d cycles", ms, (int)second, (int)third);
	json_decref(j);
	program_free(&p);
}

/* A program without races has no finding; one with one ends with status 1. */
Test(cuda_calls, can_be_checked_for_races, .init = build)
{
	struct program p = program_run("locus cuda --check %s/api three", program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "races: 0\n"), "%s", p.out);
	program_free(&p);
	p = program_run("locus nvcc -lineinfo tests/cuda/race.cu -o %s/race && locus cuda --check %s/race", program_tmp(),
			program_tmp());
	cr_expect_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "race: two warps") && strstr(p.out, "race.cu:8:"), "%s", p.out);
	program_free(&p);
}

/* Standard output is the program's own. */
Test(cuda_calls, leave_standard_output_to_the_program)
{
	struct program p = program_run("locus cuda --json - /bin/true");

	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "standard output belongs to the program"), "%s", p.err);
	program_free(&p);
}

/* Whatever comes over the socket: a line that nothing can be timed, or what the program was told, and status 2. */
Test(cuda_calls, of_a_hostile_program_crash_nothing, .init = build_hostile)
{
	static const char *const how[] = {"calls 1", "calls 2", "calls 3", "noise 1", "noise 2", "noise 3", "queue 1",
					  "queue 2", "queue 3", "huge",	   "half",    "close",	 ""};

	for (unsigned i = 0; i < sizeof how / sizeof how[0]; i++) {
		struct program p = program_run("locus cuda --machine titanv %s/hostile %s", program_tmp(), how[i]);

		cr_expect_eq(p.status, 2, "%s: %d %s", how[i], p.status, p.err);
		for (const char *c = p.err; *c; c++)
			if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') {
				cr_expect(false, "%s: byte %d reaches the terminal", how[i], *c);
				break;
			}
		program_free(&p);
	}
}

/* ---- programs of CUDA 11 ---- */

/* cudaDeviceProp of CUDA 11.8 (driver_types.h): 728 bytes; 12's has more behind them. int l2CacheSize is at byte 616,
 * size_t reservedSharedMemPerBlock the last. */
static const char cuda_11[] = "#include <stdio.h>\n#include <string.h>\n"
			      "int cudaGetDeviceProperties(void *p, int device);\nint cudaRuntimeGetVersion(int *v);\n"
			      "int main(void)\n{\n"
			      "	unsigned char prop[1100];\n	int version = 0, l2, after = 0;\n"
			      "	memset(prop, 0xa5, sizeof prop);\n"
			      "	if (cudaGetDeviceProperties(prop, 0) || cudaRuntimeGetVersion(&version)) return 1;\n"
			      "	memcpy(&l2, prop + 616, sizeof l2);\n"
			      "	for (unsigned i = 728; i < sizeof prop; i++) after += prop[i] != 0xa5;\n"
			      "	printf(\"%s %d %d %d %d\\n\", prop, version, l2, prop[720], after);\n	return 0;\n}\n";

/* Linked against a library with CUDA 11's name and symbol versions, which is gone when the program runs. */
Test(cuda_calls, programs_of_cuda_11_get_its_structures)
{
	struct program p;

	program_file("p.c", cuda_11);
	program_file("stub.c", "int cudaGetDeviceProperties(void *p, int d) { return !p + d; }\n"
			       "int cudaRuntimeGetVersion(int *v) { return !v; }\n");
	program_file("stub.map", "libcudart.so.11.0 { global: cuda*; };\n");
	p = program_run(
		"cd %s && cc -shared -fPIC -Wl,-soname,libcudart.so.11.0 -Wl,--version-script,stub.map -o libcudart.so stub.c "
		"&& cc -o p p.c -L. -lcudart && rm libcudart.so",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus cuda --machine qv100 --only-execute %s/p", program_tmp());
	cr_assert(strstr(p.out, "qv100 11080 6291456 0 0\n"), "%s%s", p.out, p.err);
	program_free(&p);
}

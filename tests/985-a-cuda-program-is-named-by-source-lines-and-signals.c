/* 985: what `locus cuda` and `locus profile` say of a CUDA program names lines of its source, if it was compiled with
 * -lineinfo, and how its process ended. The line numbers are those of the texts below. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Line 3 stores out of bounds. */
static const char outside[] = "__global__ void store(int *p)\n"
			      "{\n"
			      "	p[threadIdx.x + 100000] = 1;\n"
			      "}\n"
			      "int main()\n"
			      "{\n"
			      "	int *p;\n"
			      "	cudaMalloc(&p, 4096);\n"
			      "	store<<<1, 32>>>(p);\n"
			      "	return cudaDeviceSynchronize() != cudaSuccess;\n"
			      "}\n";

/* Line 5 is the hottest: the loop's load and sum. */
static const char sums[] = "__global__ void sum(const int *p, int *out)\n"
			   "{\n"
			   "	int s = 0;\n"
			   "	for (int i = threadIdx.x; i < 8192; i += 32)\n"
			   "		s += p[i * 17 % 8192];\n"
			   "	out[threadIdx.x] = s;\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	int *p, *q;\n"
			   "	cudaMalloc(&p, 8192 * 4);\n"
			   "	cudaMalloc(&q, 32 * 4);\n"
			   "	sum<<<1, 32>>>(p, q);\n"
			   "	cudaDeviceSynchronize();\n"
			   "	return argc - 1;\n"
			   "}\n";

/* Ends by the signal of its argument, before its first call, before or after its launch, by the second one. */
static const char dies[] = "#include <csignal>\n#include <cstdlib>\n"
			   "__global__ void store(int *p) { *p = 1; }\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	int *p, when = argc > 2 ? atoi(argv[2]) : 9;\n"
			   "	if (when == 0)\n		raise(atoi(argv[1]));\n"
			   "	cudaMalloc(&p, 4);\n"
			   "	if (when == 1)\n		raise(atoi(argv[1]));\n"
			   "	store<<<1, 1>>>(p);\n"
			   "	cudaDeviceSynchronize();\n"
			   "	if (when == 2)\n		raise(atoi(argv[1]));\n"
			   "	return 0;\n"
			   "}\n";

static void build(const char *name, const char *text, const char *options)
{
	char file[64];
	struct program p;

	snprintf(file, sizeof file, "%s.cu", name);
	program_file(file, text);
	p = program_run("locus nvcc %s %s/%s.cu -o %s/%s", options, program_tmp(), name, program_tmp(), name);
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static void expect(const struct program *p, int status, const char *text, const char *in)
{
	cr_expect_eq(p->status, status, "status %d, not %d\n%s%s", p->status, status, p->out, p->err);
	cr_expect(strstr(in, text), "\"%s\" is not in:\n%s", text, in);
}

Test(cuda_source, an_access_out_of_bounds_names_its_source_line)
{
	struct program p;

	build("outside", outside, "-lineinfo");
	p = program_run("locus cuda %s/outside", program_tmp());
	expect(&p, 2, "outside.cu:3: kernel _Z5storePi, st.global.u32 (module 0 of outside:", p.err);
	expect(&p, 2, "CTA 0 (0,0,0), thread 0 (0,0,0): writes 4 bytes at 0x", p.err);
	program_free(&p);
	build("outside", outside, "");
	p = program_run("locus cuda %s/outside", program_tmp());
	expect(&p, 2, "module 0 of outside:", p.err);
	expect(&p, 2, "built with -lineinfo, this line would name the source", p.err);
	program_free(&p);
}

Test(cuda_source, a_profile_has_the_programs_source_lines)
{
	static const char *const how[] = {"profile", "cuda --profile"};
	struct program p;

	build("sums", sums, "-lineinfo");
	for (unsigned i = 0; i < 2; i++) {
		p = program_run("locus %s %s/sums", how[i], program_tmp());
		expect(&p, 0, "sums.cu:5  s += p[i * 17 % 8192];", p.out);
		cr_expect(!strstr(p.out, "-lineinfo"), "%s", p.out);
		program_free(&p);
	}
	/* The program's own arguments, and its exit status. */
	p = program_run("locus profile --lines 1 %s/sums --json", program_tmp());
	expect(&p, 1, "sums.cu:5  s += p[i * 17 % 8192];", p.out);
	expect(&p, 1, "program sums ended with exit status 1", p.out);
	program_free(&p);
	/* Moved, with its source: that is found beside it. */
	p = program_run("mkdir %s/moved && mv %s/sums %s/sums.cu %s/moved && locus profile %s/moved/sums", program_tmp(),
			program_tmp(), program_tmp(), program_tmp(), program_tmp());
	expect(&p, 0, "sums.cu:5  s += p[i * 17 % 8192];", p.out);
	program_free(&p);
	build("sums", sums, "");
	for (unsigned i = 0; i < 2; i++) {
		p = program_run("locus %s %s/sums", how[i], program_tmp());
		expect(&p, 0, "name no source lines: compile them with -lineinfo", p.out);
		program_free(&p);
	}
}

Test(cuda_source, options_of_a_profile_that_would_do_nothing_are_refused)
{
	static const char *const wrong[] = {"--profile --check", "--profile --only-execute", "--source-dir ."};

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct program p = program_run("locus cuda %s /bin/true", wrong[i]);

		expect(&p, 2, "locus cuda: --", p.err);
		cr_expect(strchr(p.err, '\n') == p.err + strlen(p.err) - 1, "%s", p.err);
		program_free(&p);
	}
}

Test(cuda_end, of_a_process_is_told_by_signal_or_exit_status)
{
	static const struct {
		const char *program;
		int status;
		const char *text;
	} all[] = {
		{"/bin/sh -c 'kill -SEGV $$'", 2,
		 "/bin/sh was ended by signal 11 (Segmentation fault) before it called CUDA's runtime library"},
		{"/bin/sh -c 'kill -KILL $$'", 2, "/bin/sh was ended by signal 9 (Killed) before it called CUDA's runtime library"},
		{"/bin/sh -c 'exit 3'", 2, "/bin/sh ended with exit status 3 before it called CUDA's runtime library"},
		{"/bin/true", 2, "/bin/true made no call of CUDA's runtime library"},
		{"./no-such-program", 2, "./no-such-program: No such file or directory"},
		{"/etc/passwd", 2, "/etc/passwd: Permission denied"},
		{"%s/dies 11 0", 2, "dies launched no kernel, and was ended by signal 11 (Segmentation fault)"},
		{"%s/dies 6 1", 2, "dies launched no kernel, and was ended by signal 6 (Aborted)"},
		{"%s/dies 11 2", 1, "program dies was ended by signal 11 (Segmentation fault)"},
		{"%s/dies", 0, "program dies: exit status 0"},
	};

	build("dies", dies, "");
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		bool ours = !strncmp(all[i].program, "%s", 2);
		struct program p = program_run("locus cuda %s%s", ours ? program_tmp() : "", all[i].program + (ours ? 2 : 0));

		expect(&p, all[i].status, all[i].text, all[i].status == 2 ? p.err : p.out);
		program_free(&p);
	}
}

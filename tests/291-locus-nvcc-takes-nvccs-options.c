/* 291: what `locus nvcc` makes of nvcc's command lines. Which forms options have, and what they mean, is nvcc's
 * manual's ("NVIDIA CUDA Compiler Driver", command options); that nvcc 13 takes the same lines was seen beside. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static void source(void)
{
	program_file("k.cu", "#include <cstdio>\n"
			     "#ifndef N\n#define N 1\n#endif\n"
			     "#ifdef __CUDA_ARCH__\n__device__ int arch = __CUDA_ARCH__;\n#endif\n"
			     "extern \"C\" __global__ void k(float *p, float a) { p[threadIdx.x] = a / p[threadIdx.x] + N; }\n"
			     "int main() { k<<<1, 32>>>(nullptr, 1.0f); return 0; }\n");
}

/* The PTX of k.cu under these options. */
static char *ptx_of(const char *options)
{
	struct program p;
	char path[4200];

	p = program_run("cd %s && locus nvcc -ptx %s k.cu -o k.ptx", program_tmp(), options);
	cr_assert_eq(p.status, 0, "%s: %s", options, p.err);
	cr_assert_str_empty(p.err, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/k.ptx", program_tmp());
	return program_text(path);
}

static void expect_ptx(const char *options, const char *has)
{
	char *text = ptx_of(options);

	cr_expect(strstr(text, has), "%s: no \"%s\" in\n%s", options, has, text);
	free(text);
}

/* nvcc's manual: the file is the source's name with .fatbin. What is in it, cuModuleLoad takes as it takes PTX. */
Test(nvcc_options, fatbin_is_ptx_by_another_name, .init = source)
{
	struct program p =
		program_run("cd %s && locus nvcc -ptx k.cu && locus nvcc -fatbin k.cu && cmp k.ptx k.fatbin", program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(nvcc_options, an_architecture_has_many_spellings, .init = source)
{
	static const char *const spellings[] = {
		"-arch=sm_80",
		"-arch sm_80",
		"--gpu-architecture=sm_80",
		"--gpu-architecture sm_80",
		"-arch=compute_80 -code=sm_80,compute_80",
		"-gencode arch=compute_80,code=sm_80",
		"-gencode=arch=compute_80,code=\\\"sm_80,compute_80\\\"",
		"--generate-code arch=compute_70,code=sm_70 -gencode arch=compute_80,code=[sm_80,compute_80]",
	};

	for (unsigned i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
		expect_ptx(spellings[i], ".target sm_80");
}

/* PTX ISA manual, release notes: sm_89 and sm_90 came with PTX 7.8, sm_100 with 8.6. __CUDA_ARCH__ is ten times the
 * number. 1.0f is 0f3F800000. */
Test(nvcc_options, the_program_sees_the_architecture_that_was_asked_for, .init = source)
{
	static const struct {
		const char *options, *target, *version, *arch;
	} cases[] = {
		{"", ".target sm_75\n", ".version 7.5\n", "arch = 750;"},
		{"-arch=sm_52", ".target sm_52\n", ".version 7.5\n", "arch = 520;"},
		{"-arch=sm_86", ".target sm_86\n", ".version 7.5\n", "arch = 860;"},
		{"-arch=sm_89", ".target sm_89\n", ".version 7.8\n", "arch = 890;"},
		{"-arch=sm_90a", ".target sm_90a\n", ".version 7.8\n", "arch = 900;"},
		{"-arch=sm_100", ".target sm_100\n", ".version 8.6\n", "arch = 1000;"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *text = ptx_of(cases[i].options);

		cr_expect(strstr(text, cases[i].target), "%s: %s", cases[i].options, text);
		cr_expect(strstr(text, cases[i].version), "%s: %s", cases[i].options, text);
		cr_expect(strstr(text, cases[i].arch), "%s: %s", cases[i].options, text);
		free(text);
	}
}

Test(nvcc_options, macros_and_folders_come_joined_or_apart, .init = source)
{
	static const char *const spellings[] = {"-DN=3",
						"-D N=3",
						"-D=N=3",
						"--define-macro N=3",
						"--define-macro=N=3",
						"-DN=5 -UN -DN=3",
						"-include n.h",
						"-I sub -include m.h",
						"-Isub -DM -include m.h"};
	struct program p = program_run("cd %s && mkdir sub && echo '#define N 3' | tee n.h >sub/m.h", program_tmp());

	program_free(&p);
	for (unsigned i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
		expect_ptx(spellings[i], "0f40400000"); /* 3.0f */
}

/* The manual's tables of -ftz, -prec-div and -fmad, and what -use_fast_math implies. */
Test(nvcc_options, floats_are_as_exact_as_was_asked_for, .init = source)
{
	expect_ptx("", "div.rn.f32");
	expect_ptx("-prec-div=false", "div.full.f32");
	expect_ptx("--prec-div false -ftz true", "div.full.ftz.f32");
	expect_ptx("-ftz=true", "div.rn.ftz.f32");
	expect_ptx("-use_fast_math", "div.full.ftz.f32");
	program_file("k.cu", "__global__ void k(float *p) { p[0] = p[1] * p[2] + p[3]; p[4] = sqrtf(p[5]); p[6] = expf(p[7]); }\n");
	expect_ptx("", "fma.rn.f32");
	expect_ptx("-O 3 -fmad=false", "mul.rn.f32");
	expect_ptx("", "sqrt.rn.f32");
	expect_ptx("--use_fast_math", "sqrt.approx.ftz.f32");
	expect_ptx("-use_fast_math", "ex2.approx");
}

Test(nvcc_options, lines_of_the_source_come_on_request, .init = source)
{
	char *text = ptx_of("");

	cr_expect_null(strstr(text, ".loc"));
	free(text);
	expect_ptx("-lineinfo", ".loc");
	expect_ptx("--generate-line-info", ".loc");
}

/* Objects hold the PTX and ask for what registers it. */
Test(nvcc_options, sources_of_all_kinds_become_objects, .init = source)
{
	struct program p;

	program_file("a.c", "#include <cuda_runtime.h>\nint a(void) { dim3 d = {1, 2, 3}; return (int)d.y + cudaSuccess; }\n");
	program_file("b.cpp", "#include <cuda_runtime.h>\nint b() { float *p; return cudaMalloc(&p, 4) + make_int2(1, 2).y; }\n");
	p = program_run(
		"cd %s && locus nvcc -dc k.cu a.c b.cpp && locus nvcc -x cu -c b.cpp -o b2.o && locus nvcc -rdc=true -c k.cu -o "
		"k2.o && locus nvcc -dlink k.o b.o -o link.o && locus nvcc -lib k.o a.o b.o -o all.a && ar t all.a && "
		"nm k.o | grep -c __cudaRegisterFunction && strings k.o | grep '^.target'",
		program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "k.o\na.o\nb.o\n1\n.target sm_75\n");
	cr_expect_str_empty(p.err, "%s", p.err);
	program_free(&p);
}

Test(nvcc_options, dependencies_are_those_of_a_makefile, .init = source)
{
	struct program p;

	program_file("n.h", "#define N 4\n");
	program_file("k.cu", "#include \"n.h\"\n__global__ void k(int *p) { *p = N; }\n");
	p = program_run(
		"cd %s && locus nvcc -MM k.cu && locus nvcc -c -MMD -MF d -MT t k.cu -o k.o && cat d && locus nvcc -E k.cu | grep "
		"-c 'p = 4'",
		program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "k.o: k.cu n.h\nt: k.cu n.h\n1\n");
	program_free(&p);
}

/* The host's words reach the host's pass, and a program is linked from all. */
Test(nvcc_options, dryrun_shows_the_commands, .init = source)
{
	struct program p =
		program_run("cd %s && locus nvcc --dryrun -g -Xcompiler \"-O2 -Wall\" --compiler-options=-fPIC,-DQ -Xlinker -z,now "
			    "-L lib -lm -lcudart -DS='\"a b\"' k.cu y.o -o out && test ! -e out",
			    program_tmp());
	const char *link = strstr(p.err, "#$ g++");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.err, "--cuda-device-only"));
	cr_expect(strstr(p.err, "'S=\"a b\"'"), "%s", p.err);
	cr_expect(strstr(p.err, "-O0 -g -O2 -Wall -fPIC -DQ"), "%s", p.err);
	cr_assert(link, "%s", p.err);
	cr_expect(strstr(link, "-o out -Wl,-z,now -Llib"), "%s", link);
	cr_expect(strstr(link, "y.o -lm -L"), "%s", link);
	cr_expect(strstr(link, "-lcudart"), "%s", link);
	program_free(&p);
}

Test(nvcc_options, what_is_not_here_gets_one_line, .init = source)
{
	static const struct {
		const char *options, *said;
	} cases[] = {
		{"", "no input file"},
		{"-cubin k.cu", "-ptx makes PTX"},
		{"-m32 k.cu", "64 bits"},
		{"-arch=sm_999 k.cu", "the newest is"},
		{"-arch=gtx k.cu", "is not a GPU architecture"},
		{"-lcublas k.cu", "does not run here"},
		{"-linefo k.cu -gencod x", "did you mean \"gencode\"?"},
		{"-rdc=maybe k.cu", "true or false"},
		{"-O7 k.cu", "the level is 0 to 3"},
		{"-O k.cu", "the level is 0 to 3"}, /* nvcc 13: expected a number */
		{"-o", "needs a value"},
		{"-c k.cu a.cu -o x.o", "one input file only"},
		{"-ptx a.cpp", "has no device code"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p = program_run("cd %s && locus nvcc %s", program_tmp(), cases[i].options);

		cr_expect(program_is_clean_error(&p), "%s", cases[i].options);
		cr_expect(strstr(p.err, cases[i].said), "%s: %s", cases[i].options, p.err);
		program_free(&p);
	}
}

/* The compiler's own words and status come through, and nothing is left behind. */
Test(nvcc_options, an_error_of_the_program_is_the_compilers)
{
	struct program p;

	program_file("bad.cu", "__global__ void k() { undeclared(); }\n");
	p = program_run("cd %s && mkdir tmp && TMPDIR=%s/tmp locus nvcc -c bad.cu; echo $? && ls -A tmp && test ! -e bad.o",
			program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0);
	cr_expect_str_eq(p.out, "1\n");
	cr_expect(strstr(p.err, "bad.cu:1:23: error: use of undeclared identifier 'undeclared'"), "%s", p.err);
	program_free(&p);
}

/* 951: programs of tests/cuda, built by `locus nvcc` and run by `locus cuda`. Each compares what its kernels did with a
 * reference that its host code computes another way, and says so. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* nvcc's command line for it, "cuda" being tests/cuda. */
static void runs_by(const char *compiler, const char *name, const char *command, const char *options)
{
	struct program p = program_run("%s %s -o %s/%s", compiler, command, program_tmp(), name);
	char said[64];

	cr_assert_eq(p.status, 0, "%s by %s: %s", name, compiler, p.err);
	cr_expect_str_empty(p.err, "%s", p.err);
	program_free(&p);
	p = program_run("locus cuda %s %s/%s", options, program_tmp(), name);
	snprintf(said, sizeof said, "%s: ok\n", name);
	cr_expect_eq(p.status, 0, "%s: %s%s", name, p.out, p.err);
	cr_expect(strstr(p.out, said), "%s: %s%s", name, p.out, p.err);
	program_free(&p);
}

static void runs(const char *name, const char *command, const char *options)
{
	runs_by("locus nvcc", name, command, options);
}

Test(cuda_programs, a_loop_of_the_host_decides_how_often)
{
	runs("bfs", "-arch=sm_80 tests/cuda/bfs.cu", "--time eager --machine titanv");
}

Test(cuda_programs, templates_lambdas_streams_and_managed_memory)
{
	runs("reduce", "-std=c++14 --extended-lambda -arch=sm_70 tests/cuda/reduce.cu", "--machine titanv");
}

Test(cuda_programs, textures_by_reference_and_by_object)
{
	runs("textures", "-gencode arch=compute_61,code=sm_61 tests/cuda/textures.cu", "--only-execute");
}

Test(cuda_programs, cooperative_groups_of_all_sizes)
{
	struct program p = program_run("nvcc --version");
	bool has_nvcc = p.status == 0;

	program_free(&p);
	runs("groups", "-arch=sm_80 -rdc=true tests/cuda/groups.cu", "--only-execute");
	if (has_nvcc) /* whose groups ask other instructions */
		runs_by("nvcc -cudart shared", "groups", "-arch=sm_75 tests/cuda/groups.cu", "--only-execute");
	else
		fprintf(stderr, "951: nvcc is not installed: groups are built by locus nvcc alone\n");
}

Test(cuda_programs, random_numbers_and_halves)
{
	runs("random", "-O2 -g -arch=sm_90 tests/cuda/random.cu -lm", "--only-execute");
}

Test(cuda_programs, several_files_in_three_languages)
{
	runs("parts", "tests/cuda/parts/main.cpp tests/cuda/parts/expected.c tests/cuda/parts/squares.cu", "--only-execute");
}

/* As a Makefile builds it, step by step, by the names that it has. */
Test(cuda_programs, a_makefile_builds_with_nvccs_name)
{
	struct program p;

	program_file("Makefile", "NVCC ?= nvcc\n"
				 "NVCCFLAGS = -O3 -arch=sm_80 -Xcompiler -Wall\n"
				 "OBJ = main.o expected.o squares.o\n"
				 "parts: $(OBJ)\n\t$(NVCC) $(NVCCFLAGS) $^ -o $@ -lcudart\n"
				 "%.o: %.cpp\n\t$(NVCC) $(NVCCFLAGS) -c $< -o $@\n"
				 "%.o: %.c\n\t$(NVCC) $(NVCCFLAGS) -c $< -o $@\n"
				 "%.o: %.cu\n\t$(NVCC) $(NVCCFLAGS) -dc $< -o $@\n");
	p = program_run(
		"P=${LOCUS_BUILD:-$PWD/build}/locus && cp tests/cuda/parts/* %s && cd %s && make -s NVCC=\"$P nvcc\" && $P cuda "
		"--only-execute ./parts",
		program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "parts: ok\n"), "%s", p.out);
	program_free(&p);
}

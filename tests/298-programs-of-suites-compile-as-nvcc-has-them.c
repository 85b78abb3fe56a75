/* 298: what programs of public suites do and clang, left alone, takes otherwise than nvcc: variables in shared memory
 * that other threads write between barriers (programming guide, "Synchronization Functions": what was written before
 * __syncthreads() is visible to the block after it), OpenMP on the host, `register`, <stdlib.h> beside kernels'
 * malloc, NVIDIA's guards of headers. Expected values are worked out by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

static void expect_output(const char *options, const char *first_line)
{
	struct program p = program_run("cd %s && locus nvcc %s k.cu -o k", program_tmp(), options);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_empty(p.err, "%s", p.err);
	program_free(&p);
	p = program_run("locus cuda --only-execute %s/k", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(strncmp(p.out, first_line, strlen(first_line)), 0, "%s", p.out);
	program_free(&p);
}

/* Thread 40 is in the second of two warps; each thread reads what it wrote, 1 in all. */
Test(suites, a_flag_in_shared_memory_is_read_again_after_a_barrier)
{
	program_file("k.cu", "#include <stdlib.h>\n"
			     "#include <cstdio>\n"
			     "__global__ void k(int *out)\n"
			     "{\n"
			     "	__shared__ bool flag;\n"
			     "	__shared__ int last;\n"
			     "	flag = false;\n"
			     "	__syncthreads();\n"
			     "	if (threadIdx.x == 40) flag = true;\n"
			     "	if (threadIdx.x == 0) last = 7;\n"
			     "	__syncthreads();\n"
			     "	out[threadIdx.x] = flag + last;\n"
			     "}\n"
			     "int main()\n"
			     "{\n"
			     "	int *d, h[64], right = 0;\n"
			     "	cudaMalloc(&d, sizeof h);\n"
			     "	k<<<1, 64>>>(d);\n"
			     "	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
			     "	for (int v : h) right += v == 8;\n"
			     "	printf(\"%d\\n\", right);\n"
			     "	return EXIT_SUCCESS;\n"
			     "}\n");
	expect_output("-O3", "64\n");
}

/* 0 to 99 make 4950. */
Test(suites, openmp_and_words_of_old_cxx_are_taken)
{
	program_file("k.cu", "#include <cstdio>\n"
			     "#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)\n"
			     "#error the runtime's headers are not seen\n"
			     "#endif\n"
			     "__global__ void k(int *out) { *out = 1; }\n"
			     "int main()\n"
			     "{\n"
			     "	register int sum = 0;\n"
			     "	int *d;\n"
			     "	cudaMalloc(&d, sizeof *d);\n"
			     "	k<<<1, 1>>>(d);\n"
			     "#pragma omp parallel for reduction(+ : sum)\n"
			     "	for (int i = 0; i < 100; i++) sum += i;\n"
			     "	printf(\"%d\\n\", sum);\n"
			     "}\n");
	expect_output("-Xcompiler -fopenmp", "4950\n");
}

/* 293: the headers of harness/cuda/include, each included alone and all at once, in every order of need: device pass,
 * host pass, g++ and gcc; without a warning of their own, for all GPUs, and with PTX that is accepted whole. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static const char all[] =
	"#include <builtin_types.h>\n#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include "
	"<cuda_fp16.h>\n"
	"#include <cuda_bf16.h>\n#include <cuComplex.h>\n#include <mma.h>\n"
	"#include <cuda_pipeline.h>\n#include <cuda_profiler_api.h>\n#include <curand_kernel.h>\n#include <cutil.h>\n"
	"#include <device_launch_parameters.h>\n#include <helper_cuda.h>\n#include <helper_functions.h>\n#include <helper_math.h>\n"
	"#include <helper_timer.h>\n#include <math_constants.h>\n#include <sm_60_atomic_functions.h>\n"
	"#include <vector_types.h>\n#include <memory>\n#include <algorithm>\n#include <complex>\n#include <new>\n"
	"#include <string>\n#include <iostream>\n#include <cassert>\n";
static const char kernel[] = "__global__ void k(float *p)\n{\n\tfloat4 v = make_float4(p[0], 1, 2, 3);\n"
			     "\tp[threadIdx.x] = std::max(v.x, sinf(v.y)) + std::complex<float>(p[1], p[2]).real();\n"
			     "\tassert(p[0] > 0);\n}\nint main() { k<<<1, 32>>>(nullptr); return std::min(min(1, 2), 3); }\n";

/* A copy of our headers is no folder of the system's, of which compilers say nothing. */
static void expect_silence(const char *command)
{
	struct program p = program_run(
		"test -d %s/ours || cp -r harness/cuda/include %s/ours; cd %s && locus nvcc -Xcompiler -Wall,-Wextra -I "
		"ours %s",
		program_tmp(), program_tmp(), program_tmp(), command);

	cr_expect_eq(p.status, 0, "%s", command);
	cr_expect_str_empty(p.err, "%s: %s", command, p.err);
	program_free(&p);
}

Test(cuda_headers, each_alone)
{
	struct program list = program_run("cd harness/cuda/include && ls *.h cooperative_groups/*.h"), p;
	char *save = NULL, text[300], name[40];
	unsigned n = 0;

	for (char *h = strtok_r(list.out, "\n", &save); h; h = strtok_r(NULL, "\n", &save), n++) {
		snprintf(text, sizeof text, "#include <%s>\n__global__ void k%u(int *p) { *p = threadIdx.x; }\n", h, n);
		snprintf(name, sizeof name, "h%u.cu", n);
		program_file(name, text);
	}
	cr_assert_gt(n, 30, "%s", list.err);
	program_free(&list);
	p = program_run("cd %s && for f in h*.cu; do locus nvcc -ptx $f || { cat $f; exit 1; }; done && ls h*.ptx | wc -l && locus "
			"ptx h*.ptx | "
			"grep -c kernel",
			program_tmp());
	snprintf(text, sizeof text, "%u\n%u\n", n, n);
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect_str_eq(p.out, text);
	cr_expect_str_empty(p.err, "%s", p.err);
	program_free(&p);
}

Test(cuda_headers, all_together_on_both_sides_of_all_gpus)
{
	static const char *const options[] = {"-arch=sm_35 -std=c++14", "-arch=sm_60 -std=c++17", "-arch=sm_80 -std=c++20 -O0 -g",
					      "-arch=sm_90 -use_fast_math"};
	char text[4000], command[100];

	snprintf(text, sizeof text, "%s%s", all, kernel);
	program_file("all.cu", text);
	for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++) {
		struct program p;

		snprintf(command, sizeof command, "%s -c all.cu", options[i]);
		expect_silence(command);
		p = program_run("cd %s && locus nvcc -ptx %s all.cu && locus ptx all.ptx", program_tmp(), options[i]);
		cr_expect_eq(p.status, 0, "%s: %s%s", options[i], p.out, p.err);
		program_free(&p);
	}
}

Test(cuda_headers, the_hosts_compilers_take_them)
{
	program_file(
		"c.c",
		"#include <cuda_runtime.h>\n#include <cuda_profiler_api.h>\n"
		"float f(void) { struct cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); return make_float4(1, 2, 3, 4).y; }\n");
	program_file("x.cpp",
		     "#include <cuda_runtime.h>\n#include <helper_functions.h>\n#include <helper_cuda.h>\n#include <memory>\n"
		     "int f() { int *p; checkCudaErrors(cudaMalloc(&p, 4)); return dim3(3).x + *std::make_shared<int>(2); }\n");
	expect_silence("-c c.c");
	expect_silence("-c x.cpp");
	expect_silence("-std=c++20 -c x.cpp");
}

/* 283: `locus nvcc` says what to do about a missing header of CUDA's libraries; the compiler's own error stays. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static void expect(const char *include, const char *says)
{
	char text[200], line[200];
	struct program p;

	snprintf(text, sizeof text, "#include <%s>\nint main() { return 0; }\n", include);
	program_file("x.cu", text);
	p = program_run("locus nvcc %s/x.cu -o %s/x", program_tmp(), program_tmp());
	cr_expect_neq(p.status, 0);
	snprintf(line, sizeof line, "locus nvcc: <%s> is not found. %s", include, says);
	cr_expect(strstr(p.err, line), "%s: %s", include, p.err);
	cr_expect(strstr(p.err, "file not found"), "%s: %s", include, p.err);
	program_free(&p);
}

Test(missing_header, of_a_library_is_explained)
{
	expect("thrust/no_such_header.h", "Thrust: install libthrust-dev");
	expect("cub/no_such_header.cuh", "CUB: install libcub-dev");
	expect("cublas_no_such.h", "cuBLAS: NVIDIA's library has no PTX");
	expect("cuda/std/no_such_header", "libcu++: name its folder");
}

Test(missing_header, of_another_library_is_the_compilers_business)
{
	struct program p;

	program_file("y.cu", "#include <mine/no_such.h>\nint main() { return 0; }\n");
	p = program_run("locus nvcc %s/y.cu -o %s/y", program_tmp(), program_tmp());
	cr_expect_neq(p.status, 0);
	cr_expect(!strstr(p.err, "locus nvcc: <"), "%s", p.err);
	program_free(&p);
}

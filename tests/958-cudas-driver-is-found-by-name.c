/* 958: functions of CUDA's driver interface by name, from a program that is linked to the runtime alone
 * (tests/cuda/entry.c). Answers are those of the CUDA Driver API's and Runtime API's documentation, numbers are worked
 * out by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(cuda_entry_points, are_found_by_name_and_version)
{
	struct program p =
		program_run("gcc -Wall -Wextra -Werror -Iharness/cuda/include tests/cuda/entry.c -Lbuild/cuda -lcudart -o "
			    "%s/entry && locus cuda --only-execute --machine titanv %s/entry",
			    program_tmp(), program_tmp());

	/* It launches nothing, which locus cuda says. */
	cr_expect_eq(p.status, 2, "%s%s", p.out, p.err);
	cr_expect_str_eq(p.out, "entry: passed\n", "%s%s", p.out, p.err);
	cr_expect(strstr(p.err, "launched no kernel, and ended with exit status 0"), "%s", p.err);
	program_free(&p);
}

/* CUDA's own runtime, which nvcc builds in by default, opens the driver's library and asks for tables of it. */
Test(cuda_entry_points, that_only_cudas_own_runtime_asks_for_say_how_to_build_without_it)
{
	struct program p;

	program_file("own.c", "#include <dlfcn.h>\n"
			      "int main(void)\n"
			      "{\n"
			      "	void *driver = dlopen(\"libcuda.so.1\", RTLD_NOW);\n"
			      "	int (*init)(unsigned), (*table)(const void **, const void *);\n"
			      "	*(void **)&init = dlsym(driver, \"cuInit\");\n"
			      "	*(void **)&table = dlsym(driver, \"cuGetExportTable\");\n"
			      "	return init(0) != 0 || table(0, 0) == 0;\n"
			      "}\n");
	p = program_run("gcc %s/own.c -ldl -o %s/own && locus cuda %s/own", program_tmp(), program_tmp(), program_tmp());
	cr_expect_eq(p.status, 2, "%s%s", p.out, p.err);
	cr_expect(strstr(p.err, "locus: the program has CUDA's own runtime built in: build it again with nvcc -cudart shared, or "
				"locus nvcc\n"),
		  "%s", p.err);
	cr_expect(strstr(p.err, "launched no kernel, and ended with exit status 0"), "%s", p.err);
	program_free(&p);
}

/* locus nvcc: builds CUDA programs, with nvcc's command line. Its options are not argp's (-arch=sm_80, -Xcompiler), so
 * it reads them itself. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "nvcc/nvcc.h"

static const char usage[] = "Usage: locus nvcc [OPTION...] FILE...\n"
			    "Builds CUDA programs without a CUDA toolkit, by clang-14, for `locus cuda` and\n"
			    "for launch files. Takes nvcc's options, among them:\n\n"
			    "  -c, -ptx, -E, -M         compile to objects, to PTX, preprocess, list headers\n"
			    "  -dc, -dlink, -lib        separate compilation, and its last step; an archive\n"
			    "  -o FILE                  what is written\n"
			    "  -arch=sm_80, -gencode    which GPU the device code is for (sm_75); the highest\n"
			    "                           counts\n"
			    "  -I, -D, -U, -include     as any compiler has them; -std=c++17\n"
			    "  -O0 to -O3, -g, -G       of the host: optimisation (3); debugging\n"
			    "  -lineinfo                lines of the source, for locus profile\n"
			    "  -use_fast_math, -ftz=, -prec-div=, -prec-sqrt=, -fmad=\n"
			    "                           as nvcc's manual says\n"
			    "  -Xcompiler, -Xlinker     words for the host's compiler and linker\n"
			    "  -ccbin PROGRAM           the host's compiler (g++, gcc)\n"
			    "  -l, -L, -shared          libraries\n"
			    "  -MD, -MMD, -MF, -MT, -MP lists of headers beside compiling\n"
			    "  --dryrun, -v             show the commands\n\n"
			    "Options of NVIDIA's assembler (-Xptxas, -maxrregcount) are taken and change\n"
			    "nothing. Exit status: of the compiler that failed, 2 for a wrong command line.\n\n"
			    "Examples:\n"
			    "  locus nvcc -arch=sm_80 -ptx kernel.cu -o kernel.ptx\n"
			    "  make NVCC=\"locus nvcc\"\n";

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "--usage") || !strcmp(argv[i], "-h") || !strcmp(argv[i], "-?"))
			return true;
	return false;
}

int cli_nvcc(int argc, char **argv)
{
	struct nvcc_job j = {.phase = NVCC_LINK};
	struct err e = {""};
	int status;

	if (wants_help(argc, argv)) {
		fputs(usage, stdout);
		return CLI_OK;
	}
	status = nvcc_options(&j, argc, argv, &e) ? -1 : nvcc_run(&j, &e);
	arena_free(&j.a);
	return status < 0 || e.text[0] ? cli_fail(&e) : status;
}

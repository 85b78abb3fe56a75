/* 983: scripts/compare-gpgpusim-speed runs CUDA programs under a user's GPGPU-Sim and under Locus, and makes a table of
 * seconds, instructions and cycles. GPGPU-Sim is here a program that prints what GPGPU-Sim prints at its end, once a
 * kernel; Locus one that writes a result. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

static void script(const char *name, const char *text)
{
	char path[256];

	program_file(name, text);
	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	cr_assert_eq(chmod(path, 0700), 0);
}

/* Of two kernels: the last numbers are those of all. The library is found by its path, the options where it runs. */
static const char kernels[] = "#!/bin/sh\n"
			      "[ -e gpgpusim.config ] && [ \"$LD_LIBRARY_PATH\" = \"$LIBRARY\" ] || exit 3\n"
			      "echo 'gpu_tot_sim_insn = 1000'\necho 'gpu_tot_sim_cycle = 70'\n"
			      "echo 'gpu_tot_sim_insn = 3000'\necho 'gpu_tot_sim_cycle = 210'\n";

static const char result[] = "#!/bin/sh\n"
			     "[ \"$1 $2 $3 $4 $5 $6\" = 'cuda --machine qv100 --threads 1 --json' ] || exit 3\n"
			     "printf '{\\n \"stats\": {\\n  \"cycles\": 200,\\n  \"thread_insts\": 2500\\n}}\\n' >\"$7\"\n";

static struct program speed(const char *config, const char *program)
{
	const char *t = program_tmp();

	return program_run("mkdir -p %s/lib %s/config && : >%s/lib/libcudart.so && : >%s/config/gpgpusim.config && "
			   "LIBRARY=$(realpath %s/lib) scripts/compare-gpgpusim-speed %s/locus %s/lib %s/%s qv100 %s/%s",
			   t, t, t, t, t, t, t, t, config, t, program);
}

Test(gpgpusim_speed, has_a_row_a_program)
{
	struct program p;

	script("program", kernels);
	script("locus", result);
	p = speed("config", "program");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "| `program` | 0.0"), "%s", p.out);
	cr_expect(strstr(p.out, " | 210 | 0.0"), "%s", p.out);
	cr_expect(strstr(p.out, " | 200 | "), "%s", p.out);
	cr_expect(strstr(p.out, "Locus on qv100, GPGPU-Sim with config."), "%s", p.out);
	program_free(&p);
}

Test(gpgpusim_speed, says_what_failed)
{
	struct program p;

	script("program", "#!/bin/sh\necho no device\n");
	script("locus", result);
	p = speed("config", "program");
	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.err, "program: GPGPU-Sim failed; the end of what it printed:\nno device\n"), "%s", p.err);
	program_free(&p);
	p = speed("elsewhere", "program");
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "elsewhere"), "%s", p.err);
	program_free(&p);
	p = program_run("scripts/compare-gpgpusim-speed");
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "usage: "), "%s", p.err);
	program_free(&p);
}

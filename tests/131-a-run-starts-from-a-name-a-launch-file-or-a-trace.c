/* 131: record and trace, as a user types them; the examples of docs/reference/launch-file.md; what is unknown is
 * reported in a line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "workload/source.h"
#include "support/program.h"

static void expect_error(const char *command, const char *says)
{
	struct program p = program_run("%s", command);

	cr_assert(program_is_clean_error(&p), "%s", command);
	cr_assert(strstr(p.err, says), "%s said: %s", command, p.err);
	program_free(&p);
}

Test(source, the_examples_run_and_agree_with_what_they_expect)
{
	static const char *const examples[] = {"saxpy", "spmv"};

	for (int i = 0; i < 2; i++) {
		struct program p = program_run("locus record traces/examples/%s.yaml -o %s/%s.ltrace", examples[i], program_tmp(),
					       examples[i]);

		cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
		cr_assert(strstr(p.out, "results agree with the reference"), "%s", p.out);
		program_free(&p);
	}
}

/* Two launches of 256 CTAs of 8 warps, each of whose warps runs the 20 instructions of the kernel's text to its end. */
Test(source, a_recorded_trace_says_what_was_run)
{
	struct program p;

	p = program_run("locus record traces/examples/saxpy.yaml -o %s/s.ltrace", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus trace info %s/s.ltrace", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "saxpy 64K twice"), "%s", p.out);
	cr_assert(strstr(p.out, "warp instructions      81,920\n"), "%s", p.out); /* 2 * 256 * 8 * 20 */
	cr_assert(strstr(p.out, "fma.rn.f32                            4,096"), "%s", p.out);
	cr_assert(strstr(p.out, "memory accesses with affine addresses: 100.0 %"), "%s", p.out);
	program_free(&p);
	p = program_run("locus trace dump %s/s.ltrace --launch 1 --cta 3 --warp 2 | grep -c 'ld.global.f32.* +4 a lane'",
			program_tmp());
	cr_assert_str_eq(p.out, "2\n");
	program_free(&p);
	p = program_run("locus trace dump %s/s.ltrace --launch 2", program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

Test(source, what_is_unknown_is_reported_in_a_line)
{
	char command[4200];

	expect_error("locus record sirk -o /tmp/never.ltrace", "no workload \"sirk\" (did you mean \"syrk\"?)");
	expect_error("locus record none.yaml -o /tmp/never.ltrace", "none.yaml: No such file or directory");
	expect_error("locus record README.md -o /tmp/never.ltrace",
		     "README.md: neither a launch file (.yaml) nor a trace (.ltrace, .g, .traceg), nor the name of a workload");
	program_file("kernelslist", "MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.trace\n");
	program_file("kernel-1.trace", "-kernel name = k\n");
	snprintf(command, sizeof command, "locus run %s/kernelslist", program_tmp());
	expect_error(command, "run Accel-Sim's post-traces-processing on the kernelslist beside it");
	snprintf(command, sizeof command, "locus run %s/kernel-1.trace", program_tmp());
	expect_error(command, "run Accel-Sim's post-traces-processing on the kernelslist beside it");
	expect_error("locus record vectoradd --size huge -o /tmp/never.ltrace", "--size huge: must be test, default or paper");
	expect_error("locus record traces/examples/saxpy.yaml --size test -o /tmp/never.ltrace", "takes no --size and no --arg");
	expect_error("locus record vectoradd --size test -o /no/such/folder/x.ltrace", "cannot write: No such file or directory");
	expect_error("locus trace info README.md", "README.md: not a Locus trace");
	expect_error("locus trace info gone.ltrace", "gone.ltrace: No such file or directory");
}

Test(source, a_workload_has_one_hash_in_memory_and_in_a_file)
{
	const struct source_options in_memory = {.what = "vectoradd", .root = ".", .size = "test"};
	struct source_options in_file = in_memory, recorded = {.root = "."};
	struct source a, b, c;
	struct err e = {""};
	char path[4200];

	snprintf(path, sizeof path, "%s/v.ltrace", program_tmp());
	in_file.record_path = recorded.what = path;
	cr_assert_eq(source_open(&a, &in_memory, &e), 0, "%s", e.text);
	cr_assert_eq(source_open(&b, &in_file, &e), 0, "%s", e.text);
	cr_assert_eq(source_open(&c, &recorded, &e), 0, "%s", e.text);
	cr_assert(a.checked && !a.differs && b.kind == SOURCE_WORKLOAD && c.kind == SOURCE_TRACE && !c.checked);
	cr_assert_eq(a.executed, trace_launch(c.trace, 0)->warp_insts);
	cr_assert_eq(trace_hash(a.trace), trace_hash(b.trace));
	cr_assert_eq(trace_hash(a.trace), trace_hash(c.trace));
	cr_assert_str_eq(trace_name(c.trace), trace_name(a.trace));
	source_close(&a);
	source_close(&b);
	source_close(&c);
}

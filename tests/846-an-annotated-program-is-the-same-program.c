/* 846: the annotations of the workloads are hints. A run that keeps them records the same trace, byte by byte, as
 * one that does not; and under the plan that they make a program executes the same instructions to the same, right
 * results. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/root.h"
#include "support/program.h"
#include "workload/ldesc_api.h"

static const struct ldesc_set *const *record(const struct workload *w, const char *path, struct arena *keep, struct host **h)
{
	char root[4096], ptx[sizeof root + 128];
	const struct ldesc_set *const *given;
	struct trace_writer *writer;
	struct trace *t;
	struct err e = {""};

	snprintf(ptx, sizeof ptx, "%s/traces/%s/kernel.ptx", root_path("", root), w->name);
	writer = trace_writer_new(&(struct trace_options){.name = w->name, .path = path}, &e);
	cr_assert_not_null(writer, "%s", e.text);
	*h = host_new(&(struct host_options){.ptx_path = ptx, .w = writer, .size = "test", .descriptors = keep}, &e);
	cr_assert_not_null(*h, "%s", e.text);
	cr_assert_eq(w->run(*h, &e), 0, "%s: %s", w->name, e.text);
	given = host_descriptors(*h);
	t = trace_writer_finish(writer, &e);
	cr_assert_not_null(t, "%s", e.text);
	trace_close(t);
	return given;
}

static bool same_bytes(const char *a, const char *b)
{
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	int c, d;

	cr_assert(x && y);
	do {
		c = getc(x);
		d = getc(y);
	} while (c == d && c != EOF);
	fclose(x);
	fclose(y);
	return c == d;
}

Test(annotations, change_no_byte_of_a_trace)
{
	unsigned annotated = 0;

	for (unsigned i = 0; workloads[i]; i++) {
		char with[512], without[512];
		struct arena keep = {0};
		struct host *h;

		snprintf(with, sizeof with, "%s/with.ltrace", program_tmp());
		snprintf(without, sizeof without, "%s/without.ltrace", program_tmp());
		if (record(workloads[i], with, &keep, &h)) {
			annotated++;
			host_free(h);
			cr_expect_null(record(workloads[i], without, NULL, &h));
			cr_expect(same_bytes(with, without), "%s", workloads[i]->name);
		}
		host_free(h);
		arena_free(&keep);
	}
	cr_expect_geq(annotated, 16, "the paper's applications");
}

static uint64_t instructions(const char *text)
{
	const char *at = strstr(text, "\n  warp_insts ");
	uint64_t n = 0;

	cr_assert_not_null(at, "%s", text);
	for (at += strlen("\n  warp_insts "); *at == ' ' || *at == ',' || (*at >= '0' && *at <= '9'); at++)
		if (*at >= '0' && *at <= '9')
			n = 10 * n + (uint64_t)(*at - '0');
	return n;
}

Test(annotations, change_no_result_of_a_run)
{
	static const char *const names[] = {"syrk",	     "doitgen",	   "dwt2d", "conv2d",	 "spmv",
					    "libor",	     "lavamd",	   "atax",  "mvt",	 "particlefilter",
					    "streamcluster", "scalarprod", "lps",   "pathfinder"};

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		struct program plain = program_run("locus run %s --size test --machine mcm4", names[i]);
		struct program planned = program_run("locus run %s --size test --machine mcm4 --plan ldesc", names[i]);

		cr_expect_eq(plain.status, 0, "%s: %s", names[i], plain.err);
		cr_expect_eq(planned.status, 0, "%s: %s", names[i], planned.err);
		cr_expect_eq(instructions(plain.out), instructions(planned.out), "%s", names[i]);
		program_free(&plain);
		program_free(&planned);
	}
}

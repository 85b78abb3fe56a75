/* 941: every program that calls TAFE, its stores through the tracking hardware: where an element has one CTA the extent
 * tables are those of the software tracker, byte for byte (an invariant of the run); what else differs is printed. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static json_int_t metric(const json_t *stats, const char *name)
{
	const json_t *v = json_object_get(stats, name);

	cr_assert_not_null(v, "%s", name);
	return json_integer_value(v);
}

/* One run; adds to *tracked and *sure. */
static void run(const char *workload, json_int_t *tracked, json_int_t *sure)
{
	struct program p =
		program_run("locus run %s --size test --machine exascale25 --tracker hw --max-cycles 10 --json %s/r.json", workload,
			    program_tmp());
	json_t *r, *stats;
	char path[256];

	cr_assert_eq(p.status, 0, "%s: %s%s", workload, p.out, p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/r.json", program_tmp());
	r = json_load_file(path, 0, NULL);
	stats = json_object_get(r, "stats");
	cr_assert_gt(metric(stats, "tracking.stores"), 0, "%s", workload);
	*tracked += metric(stats, "store_tracker.arrays.hw");
	*sure += metric(stats, "store_tracker.arrays.sure");
	if (metric(stats, "store_tracker.extents_differ"))
		fprintf(stderr, "%s: %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " extents differ\n", workload,
			metric(stats, "store_tracker.extents_differ"), metric(stats, "store_tracker.extents"));
	if (metric(stats, "store_tracker.arrays.sure") == metric(stats, "store_tracker.arrays.hw") &&
	    !metric(stats, "store_tracker.arrays.sw"))
		cr_assert_eq(metric(stats, "store_tracker.extents_differ"), 0, "%s", workload);
	json_decref(r);
}

Test(annotated_programs, extents_of_invertible_relations_are_those_of_the_software_tracker)
{
	struct program list = program_run("grep -l taf_api traces/*/host.c | cut -d/ -f2");
	json_int_t tracked = 0, sure = 0;
	unsigned programs = 0;

	for (char *w = strtok(list.out, "\n"); w; w = strtok(NULL, "\n")) {
		run(w, &tracked, &sure);
		programs++;
	}
	cr_assert_geq(programs, 12, "the paper's twelve");
	cr_assert_geq(tracked, 6, "bfs, spmv: two arrays; cfd, radixsort: one");
	cr_assert_eq(sure, tracked, "all of them are invertible, and stored once");
	program_free(&list);
}

/* 955: the calls of locus_annotate.h. What is wrong with one is said as to a workload (636), the program hears it, and
 * nothing is timed; copies are stores as docs/how-to/run-cuda-programs.md counts them; shapes are those of
 * ldesc_shapes.h, by hand. In a program without Locus' library, as on a GPU, they do nothing; they are C as well as
 * C++. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

#define INCLUDES "-Iharness/cuda/include/annotate -Iharness/cuda/include"

static void build(void)
{
	struct program p = program_run("locus nvcc -arch=sm_75 tests/cuda/annotate.cu -o %s/annotate", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static struct program run(const char *options, const char *subject)
{
	return program_run("locus cuda --machine ndp4 %s %s/annotate %s", options, program_tmp(), subject);
}

/* 1 is cudaErrorInvalidValue. */
static const struct {
	const char *options, *subject, *answers, *line;
} refused[] = {
	{"--plan tafe", "incomplete", "0 0 0 0\n1\n",
	 "locus: taf_setRdy: device1: its primary device0 is not complete: 99 of its 100 elements"},
	{"--plan tafe", "late", "0 0 0 0\n1\n", "locus: taf_setRdy: device1: comes after the first launch"},
	{"--plan tafe", "behind", "0 0 0 0\n0\ncudaErrorInvalidDeviceFunction\n", "locus: "},
	{"--plan tafe", "beyond", "0 0 0 0\n1 1\n",
	 "locus: taf_stored: device0+0xc8: 51 elements of 4 bytes run past the array's end\n"},
	{"--plan tafe", "reset", "0 0 0 0\n0 0\n1\n", "locus: taf_register: device1: its primary device0 is not registered\n"},
	{"", "descriptors", "0 1 1 0 1\n", "locus: ldesc: a field of a descriptor is out of range\n"},
	{"", "tiles", "0\ncudaErrorInvalidDeviceFunction\n", "locus: locality of _Z5twicePij: "},
};

Test(annotations, that_are_refused_say_why_and_nothing_is_timed, .init = build)
{
	for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct program p = run(refused[i].options, refused[i].subject);

		cr_expect_eq(p.status, 2, "%s: %d", refused[i].subject, p.status);
		cr_expect_str_eq(p.out, refused[i].answers, "%s: %s", refused[i].subject, p.out);
		cr_expect(strstr(p.err, refused[i].line), "%s: %s", refused[i].subject, p.err);
		cr_expect(strstr(p.err, "annotate: what it says of its arrays was refused, so that nothing is timed\n"), "%s: %s",
			  refused[i].subject, p.err);
		program_free(&p);
	}
}

/* Without a plan of TAFE's nothing is kept, and nothing refused: the run is timed. */
Test(annotations, of_tafe_do_nothing_where_no_plan_asks, .init = build)
{
	static const char *const subjects[] = {"incomplete", "late", "behind", "beyond", "forgotten"};

	for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
		struct program p = run("", subjects[i]);

		cr_expect_eq(p.status, 0, "%s: %s", subjects[i], p.err);
		cr_expect_str_eq(p.err, "", "%s: %s", subjects[i], p.err);
		program_free(&p);
	}
}

/* 100 elements filled; 2 bytes of one that is cut and a whole one behind it; 3 rows of 2; 6 from elsewhere on the
 * device; none of the array that is not registered. */
Test(annotations, make_a_store_of_each_element_that_is_copied, .init = build)
{
	struct program p;
	char options[600], path[512];
	json_t *j;

	snprintf(path, sizeof path, "%s/pieces.json", program_tmp());
	snprintf(options, sizeof options, "--plan tafe --json %s", path);
	p = run(options, "pieces");
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	j = json_load_file(path, 0, NULL);
	cr_expect_eq(json_integer_value(json_object_get(json_object_get(j, "stats"), "tracking.stores")), 100 + 3 + 6 + 6);
	json_decref(j);
	program_free(&p);
}

/* ---- C, with Locus and without ---- */

static const char shapes[] =
	"#include <stdio.h>\n"
	"#include <locus_annotate.h>\n"
	"static void show(struct ldesc l)\n"
	"{\n"
	"	printf(\"%u|%u %u %u|%d|%u %u %u|%d %d %d|%d|%u %u %u|%d %d|%u\\n\", (unsigned)l.element, (unsigned)l.len[0],\n"
	"	       (unsigned)l.len[1], (unsigned)l.len[2], (int)l.type, (unsigned)l.d_tile[0], (unsigned)l.d_tile[1],\n"
	"	       (unsigned)l.d_tile[2], (int)l.c_tile[0], (int)l.c_tile[1], (int)l.c_tile[2], (int)l.c_unit,\n"
	"	       (unsigned)l.rank[0], (unsigned)l.rank[1], (unsigned)l.rank[2], (int)l.sharing, (int)l.access,\n"
	"	       (unsigned)l.stride);\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	const struct ldesc_matrix m = {8, 64, 60, 32};\n"
	"	const struct taf_tid own = {{1, 0, 0, 32, 0, 0}, 0, 0, 0};\n"
	"	const dim3 one = {1, 1, 1};\n"
	"	show(ldesc_line(4, 1000, 128));\n"
	"	show(ldesc_tiles(&m, 16, 8));\n"
	"	show(ldesc_rows(&m, 4, 1));\n"
	"	show(ldesc_nearby(ldesc_columns(&m, 16), 2));\n"
	"	show(ldesc_coaccessed(ldesc_whole(2, 77), 0));\n"
	"	show(ldesc_intra(ldesc_line(4, 1000, 128)));\n"
	"	show(ldesc_tiles(&m, 0, 8));\n"
	"	printf(\"%d %d %d\\n\", taf_paramSetup(one, one), taf_tid_array(0, 1, 4, own), taf_valueInsts(3));\n"
	"	return 0;\n"
	"}\n";

/* element|len|type|d_tile|c_tile, -1: all|unit|rank|sharing access|stride. A tile of nothing has nothing. */
static const char by_hand[] = "4|1000 1 1|2|128 1 1|1 -1 -1|0|1 0 0|0 0|0\n"
			      "8|64 32 1|2|16 8 1|1 1 -1|0|1 2 0|0 0|0\n"
			      "8|64 32 1|2|64 4 1|-1 1 -1|0|0 1 0|0 0|0\n"
			      "8|64 32 1|0|16 32 1|1 -1 -1|0|1 0 0|1 0|2\n"
			      "2|77 1 1|0|77 1 1|-1 -1 -1|0|0 0 0|0 1|0\n"
			      "4|1000 1 1|1|128 1 1|1 -1 -1|0|1 0 0|0 0|0\n"
			      "0|0 0 0|0|0 0 0|0 0 0|0|0 0 0|0 0|0\n"
			      "0 0 0\n";

static void compile(const char *name, const char *libraries)
{
	struct program p = program_run("gcc -std=c99 -Wall -Wextra -Wpedantic -Werror " INCLUDES " %s/shapes.c %s -o %s/%s",
				       program_tmp(), libraries, program_tmp(), name);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(annotations, have_the_shapes_of_descriptors)
{
	struct program p;

	program_file("shapes.c", shapes);
	compile("shapes", "-Wl,--no-as-needed -Lbuild/cuda -lcudart");
	p = program_run("locus cuda --only-execute %s/shapes", program_tmp());
	cr_expect_eq(p.status, 2); /* it launches nothing */
	cr_expect_str_eq(p.out, by_hand, "%s", p.out);
	program_free(&p);
}

Test(annotations, do_nothing_without_locus)
{
	static const char nothing[] = "0|0 0 0|0|0 0 0|0 0 0|0|0 0 0|0 0|0\n";
	struct program p;

	program_file("shapes.c", shapes);
	compile("alone", "");
	p = program_run("%s/alone", program_tmp());
	cr_expect_eq(p.status, 0);
	for (unsigned i = 0; i < 7; i++)
		cr_expect_eq(strncmp(p.out + i * (sizeof nothing - 1), nothing, sizeof nothing - 1), 0, "%s", p.out);
	cr_expect_str_eq(p.out + 7 * (sizeof nothing - 1), "0 0 0\n");
	cr_expect_str_empty(p.err);
	program_free(&p);
}

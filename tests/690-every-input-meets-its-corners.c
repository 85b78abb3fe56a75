/* 690: the random steps of the shape matrix meet the corners of every input of every block: values (0, 1, the largest,
 * the largest less one, each bit alone) and neighbours (another's value, one more, one less, each of its bits changed).
 *
 * `make coverage` has it write the table of docs/results/coverage.md into the file that LOCUS_CORNERS names.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind/params.h"
#include "support/corner_stimulus.h"
#include "support/shape_matrix.h"

/* Adds a shape's points; returns those that it has not met, in words; free() them. */
static char *run(const struct matrix_shape *shape, unsigned steps, struct corner_tally *t)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct corner_stimulus s;
	struct err e = {""};
	char *missing;
	size_t size;
	FILE *f = open_memstream(&missing, &size);

	cr_assert_eq(bind_params_read(shape->block, params, shape->params, &e), 0, "%s: %s", shape->block->name, e.text);
	corner_stimulus_init(&s, shape->block, params, MATRIX_SEED);
	for (unsigned i = 0; i < steps; i++)
		corner_stimulus_next(&s);
	corner_stimulus_count(&s, t);
	corner_stimulus_print_missing(&s, f);
	fclose(f);
	corner_stimulus_free(&s);
	return missing;
}

static void print_row(FILE *f, const struct hw_block *b, unsigned shapes, const struct corner_tally *t)
{
	fprintf(f, "| %s | %u |", b->name, shapes);
	for (enum corner_class c = CORNER_VALUE; c < CORNER_CLASSES; c++)
		fprintf(f, " %u of %u (%.1f %%) |", t->met[c], t->points[c], 100.0 * t->met[c] / t->points[c]);
	fprintf(f, "\n");
}

/* A block's shapes stand beside each other. Returns the number of the shape behind them. */
static unsigned one_block(unsigned first, FILE *table)
{
	const struct hw_block *b = matrix_shape(first)->block;
	struct corner_tally t = {{0}, {0}};
	unsigned at = first;

	for (; at < matrix_size() && matrix_shape(at)->block == b; at++) {
		char *missing = run(matrix_shape(at), MATRIX_STEPS, &t);

		cr_expect_str_empty(missing, "%s %s never met: %s", b->name, matrix_shape(at)->params, missing);
		free(missing);
	}
	if (table)
		print_row(table, b, at - first, &t);
	return at;
}

Test(corners, every_shape_of_the_matrix_meets_all_of_them)
{
	const char *path = getenv("LOCUS_CORNERS");
	FILE *table = path ? fopen(path, "w") : NULL;

	cr_assert(table || !path);
	if (table)
		fprintf(table, "| block | shapes | corner values | one bit alone | beside another value | one bit of it changed |\n"
			       "| --- | ---: | ---: | ---: | ---: | ---: |\n");
	for (unsigned at = 0; at < matrix_size();)
		at = one_block(at, table);
	if (table)
		fclose(table);
}

Test(corners, every_block_has_shapes_that_are_always_run)
{
	for (unsigned at = 0; at < matrix_size(); at++) {
		const struct hw_block *b = matrix_shape(at)->block;
		bool always = false;

		for (unsigned k = 0; k < matrix_size(); k++)
			always |= matrix_shape(k)->block == b && matrix_shape(k)->always;
		cr_expect(always, "%s", b->name);
	}
}

Test(corners, a_few_steps_leave_some_out_and_say_which)
{
	struct corner_tally t = {{0}, {0}};
	char *missing = run(matrix_shape(0), 1, &t);

	cr_assert_neq(missing[0], '\0');
	cr_assert_lt(t.met[CORNER_VALUE], t.points[CORNER_VALUE]);
	free(missing);
}

/* ---- what a point is: worked out by hand ---- */

Test(corners, points_are_of_the_value_and_of_its_neighbour)
{
	struct corner_points p = {0};
	struct corner_tally t = {{0}, {0}};
	char *missing;
	size_t size;
	FILE *f = open_memstream(&missing, &size);

	corner_note(&p, 3, 0, 7); /* 0; one above 7, in 3 bits */
	corner_note(&p, 3, 6, 2); /* the largest less one; 2 with bit 2 changed */
	corner_note(&p, 3, 4, 4); /* bit 2 alone; the same */
	corner_count(&t, &p, 3);
	cr_assert(t.points[CORNER_VALUE] == 4 && t.points[CORNER_BIT] == 3 && t.points[CORNER_BESIDE] == 3 &&
		  t.points[CORNER_CHANGED] == 3);
	cr_assert(t.met[CORNER_VALUE] == 2 && t.met[CORNER_BIT] == 1 && t.met[CORNER_BESIDE] == 2 && t.met[CORNER_CHANGED] == 1);
	corner_print_missing(&p, 3, f);
	fclose(f);
	cr_assert_str_eq(missing, "1, max, one below another, bit alone 0, bit alone 1, bit changed 0, bit changed 1");
	free(missing);
}

Test(corners, one_bit_has_two_points)
{
	struct corner_points p = {0};
	struct corner_tally t = {{0}, {0}};

	corner_note(&p, 1, 1, 0);
	corner_count(&t, &p, 1);
	cr_assert(t.points[CORNER_VALUE] == 2 && t.met[CORNER_VALUE] == 1);
	cr_assert(t.points[CORNER_BIT] == 0 && t.points[CORNER_BESIDE] == 0 && t.points[CORNER_CHANGED] == 0);
}

/* The weights of corner.h, 6 standard deviations either way; a value can come about in more than one way. */
Test(corners, values_come_as_often_as_their_weights_say)
{
	enum { DRAWS = 320000 };
	const uint64_t near = 0x123456789abcdef0;
	unsigned zero = 0, largest = 0, single = 0, beside = 0, changed = 0;
	uint64_t seed = 1;

	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t v = corner_value(&seed, 64, near);

		zero += v == 0;
		largest += v == UINT64_MAX;
		single += v && !(v & (v - 1));
		beside += v - near + 1 < 3;
		changed += __builtin_popcountll(v ^ near) == 1;
	}
	/* `near` is even: one more is bit 0 changed, which is one of 64 in three of four. */
	cr_assert_lt(abs((int)beside - (DRAWS * 6 / 32 + DRAWS * 5 / 32 * 3 / 4 / 64)), 6 * 222, "%u", beside);
	cr_assert_lt(abs((int)changed - DRAWS * 7 / 32), 6 * 234, "%u", changed);
	cr_assert(zero > DRAWS * 2 / 32 - 6 * 140 && zero < DRAWS * 3 / 32, "%u", zero);
	cr_assert(largest > DRAWS * 2 / 32 - 6 * 140 && largest < DRAWS * 3 / 32, "%u", largest);
	cr_assert(single > DRAWS * 7 / 32 - 6 * 240 && single < DRAWS * 8 / 32, "%u", single);
}

/* 775: every block agrees with its golden twin in outputs and registers at the shapes of the matrix
 * (support/shape_matrix.h), under steps whose values are corners and neighbours of what the block holds.
 *
 * `make test` has some of the shapes with one seed, `make shapes` all with several, and prints what it runs.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>

#include "support/corner_scenario.h"
#include "support/shape_matrix.h"

static void agrees(const struct matrix_shape *shape, uint64_t seed)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_rtl lib;
	struct scenario s;
	struct outcome o;
	struct err e = {""};

	cr_assert_eq(bind_params_read(shape->block, params, shape->params, &e), 0, "%s", e.text);
	scenario_init(&s, shape->block, params);
	corner_scenario_fill(&s, seed, MATRIX_STEPS);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s %s: %s", shape->block->name, shape->params, e.text);
	o = scenario_run(&s, lib.abi, NULL);
	cr_assert_eq(o.assertions.failed, 0, "%s %s, seed %u: %s:%d", shape->block->name, shape->params, (unsigned)seed,
		     o.assertions.first_file, o.assertions.first_line);
	cr_assert(!o.failed, "%s %s, seed %u, step %u: %s is %#lx in the golden twin, %#lx in the RTL", shape->block->name,
		  shape->params, (unsigned)seed, (unsigned)o.step, o.failed ? s.layout.side[o.m.side].slot[o.m.slot].f.name : "",
		  o.m.golden, o.m.rtl);
	cr_assert_eq(o.steps, MATRIX_STEPS);
	scenario_free(&s);
	bind_close(&lib);
}

/* Their numbers in the matrix, those whose turn it is. */
ParameterizedTestParameters(shape_matrix, block_agrees_under_corner_stimulus)
{
	static unsigned number[MATRIX_MOST];
	size_t n = 0;

	for (unsigned i = 0, all = matrix_size(); i < all; i++)
		if (matrix_has(matrix_shape(i)))
			number[n++] = i;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(unsigned *number, shape_matrix, block_agrees_under_corner_stimulus)
{
	const struct matrix_shape *shape = matrix_shape(*number);

	for (unsigned seed = MATRIX_SEED; seed < MATRIX_SEED + matrix_seeds(); seed++)
		agrees(shape, seed);
	if (matrix_is_whole())
		fprintf(stderr, "%-15s %s: seeds %u to %u, %u steps each\n", shape->block->name, shape->params, MATRIX_SEED,
			MATRIX_SEED + matrix_seeds() - 1, MATRIX_STEPS);
}

/* It would run the usual shapes as if it had been left out. */
Test(shapes_of_the_environment, other_than_all_are_refused, .exit_code = 2)
{
	setenv("LOCUS_SHAPES", "everything", 1);
	matrix_is_whole();
}

/* soak STEPS FOLDER BLOCK [RTL.v]: runs a block's RTL in lockstep with its golden twin for so many steps, in the shapes
 * of the matrix in turn (support/shape_matrix.h), each turn with seeds of its own, under corner stimulus.
 *      soak --table FOLDER: what has been run, as docs/results/soak.md has it. soak --blocks: their names.
 *      soak --model MINUTES FOLDER LOCUS, soak --model-seed SEED FOLDER LOCUS: whole models (model.h).
 *
 * A call goes on where the last one ended, however it did (ledger.h). STEPS may be 1e9. RTL.v: in place of the block's
 * own (a test).
 * Exit status 1: twin and RTL differ; a line says in what shape, seed and step. 2: a bad argument.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cputime.h"
#include "hw/twins/blocks.h"
#include "soak/ledger.h"
#include "soak/model.h"
#include "support/corner_scenario.h"
#include "support/shape_matrix.h"

static unsigned shapes_of(const struct hw_block *b, const struct matrix_shape **shape)
{
	unsigned n = 0;

	for (unsigned i = 0; i < matrix_size(); i++)
		if (matrix_shape(i)->block == b)
			shape[n++] = matrix_shape(i);
	return n;
}

/* Steps of one seed. Returns 0, or 1 with the first difference in e. */
static int run_seed(const struct scenario *proto, const struct bind_abi *abi, const char *shape, uint64_t seed, struct err *e)
{
	struct scenario s;
	struct outcome o;

	scenario_init(&s, proto->block, proto->params);
	corner_scenario_fill(&s, seed, LEDGER_SEED_STEPS);
	o = scenario_run(&s, abi, NULL);
	if (o.failed)
		err_set(e, "%s %s, seed %lu, step %lu: %s is %#lx in the golden twin, %#lx in the RTL", s.block->name, shape, seed,
			o.step, s.layout.side[o.m.side].slot[o.m.slot].f.name, o.m.golden, o.m.rtl);
	else if (o.assertions.failed)
		err_set(e, "%s %s, seed %lu: the assertion in %s:%d failed in cycle %lu", s.block->name, shape, seed,
			o.assertions.first_file, o.assertions.first_line, o.assertions.first_cycle);
	scenario_free(&s);
	return !outcome_is_good(&o);
}

/* A turn of a shape. */
static int run_turn(const struct matrix_shape *m, struct ledger *l, const char *rtl, FILE *to, struct err *e)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_rtl lib = {0};
	struct scenario s;
	double begin = cpu_seconds();
	int rc = 2;

	if (bind_params_read(m->block, params, m->params, e))
		return 2;
	scenario_init(&s, m->block, params);
	snprintf(s.rtl, sizeof s.rtl, "%s", rtl);
	if (scenario_open(&s, &lib, e) == 0)
		rc = 0;
	for (unsigned i = 1; i <= LEDGER_TURN_SEEDS && rc == 0; i++)
		rc = run_seed(&s, lib.abi, m->params, l->seeds + i, e);
	begin = cpu_seconds() - begin;
	if (rc == 0 && ledger_note(l, to, m->params, l->seeds + 1, begin, e))
		rc = 2;
	l->seeds += LEDGER_TURN_SEEDS;
	l->seconds += begin;
	bind_close(&lib);
	scenario_free(&s);
	return rc;
}

static int soak(const struct hw_block *b, uint64_t steps, const char *folder, const char *rtl, struct err *e)
{
	const struct matrix_shape *shape[MATRIX_MOST];
	unsigned shapes = shapes_of(b, shape);
	struct ledger l;
	FILE *f;
	int rc = 0;

	if (ledger_read(&l, b, folder, e))
		return 2;
	f = ledger_open(b, folder, e);
	if (!f)
		return 2;
	while (ledger_steps(&l) < steps && rc == 0)
		rc = run_turn(shape[l.seeds / LEDGER_TURN_SEEDS % shapes], &l, rtl, f, e);
	if (fclose(f) && rc == 0)
		return err_set(e, "what was run of %s cannot be written", b->name), 2;
	return rc;
}

static int print_table(const char *folder, struct err *e)
{
	const struct matrix_shape *shape[MATRIX_MOST];

	puts("| block | version | steps | shapes | seeds | million steps a CPU-second |");
	puts("| --- | --- | ---: | ---: | ---: | ---: |");
	for (const struct hw_block *const *k = hw_blocks; *k; k++) {
		struct ledger l;

		if (ledger_read(&l, *k, folder, e))
			return 2;
		ledger_row(&l, *k, shapes_of(*k, shape), folder, stdout);
	}
	model_table(folder);
	return 0;
}

static const struct hw_block *block_called(const char *name)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		if (!strcmp((*b)->module, name) || !strcmp((*b)->name, name))
			return *b;
	return NULL;
}

static int positive(const char *text, const char *what, double least, double most, double *x, struct err *e)
{
	char *end;

	*x = strtod(text, &end);
	if (*end || end == text || !(*x >= least && *x <= most))
		return err_set(e, "\"%s\" is not a %s, %g to %g", text, what, least, most);
	return 0;
}

static int run(int n, char **arg, struct err *e)
{
	const struct hw_block *b;
	double x;

	if (n == 2 && !strcmp(arg[0], "--table"))
		return print_table(arg[1], e);
	if (n == 1 && !strcmp(arg[0], "--blocks")) {
		for (const struct hw_block *const *k = hw_blocks; *k; k++)
			puts((*k)->module);
		return 0;
	}
	if (n == 4 && !strcmp(arg[0], "--model-seed"))
		return positive(arg[1], "number", 1, 1e15, &x, e) ? 2 : model_seed((uint64_t)x, arg[2], arg[3], e);
	if (n == 4 && !strcmp(arg[0], "--model"))
		return positive(arg[1], "number of minutes", 0.01, 1e6, &x, e) ? 2 : model_soak(x, arg[2], arg[3], e);
	if (n != 3 && n != 4)
		return err_set(e, "usage: soak STEPS FOLDER BLOCK [RTL.v], soak --model MINUTES FOLDER LOCUS, soak --model-seed "
				  "SEED FOLDER LOCUS, soak --table FOLDER, soak --blocks"),
		       2;
	if (positive(arg[0], "number of steps", 1, 1e15, &x, e))
		return 2;
	b = block_called(arg[2]);
	if (!b)
		return err_set(e, "no block is called \"%s\"", arg[2]), 2;
	return soak(b, (uint64_t)ceil(x), arg[1], n == 4 ? arg[3] : "", e);
}

int main(int argc, char **argv)
{
	struct err e = {""};
	int rc = run(argc - 1, argv + 1, &e);

	if (rc)
		fprintf(stderr, "soak: %s\n", e.text);
	return rc;
}

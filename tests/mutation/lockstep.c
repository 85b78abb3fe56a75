/* lockstep BLOCK PARAMETERS FILE.v|twin STIMULUS STEPS SEEDS: runs mutants of a block against its golden twin, or of
 * the golden twin against the block.
 *
 * FILE.v has all of them; its input mutant_i says which one is active, 0 none. "twin": those that schemata has put
 * into the golden twin, which this program is then linked with; twin_mutant says which one is active, and each runs in
 * a process of its own (alone.h). The numbers of those to run are read from standard input, one a line; for each a line
 * is printed at once:
 *
 *     NUMBER killed STIMULUS SEED STEP FIELD     the first difference
 *     NUMBER killed STIMULUS crash               or "hang": of a twin
 *     NUMBER alive
 *
 * PARAMETERS are the Verilog module's, NAME=VALUE,... STIMULUS is own (stimuli.h) or corners
 * (support/corner_scenario.h). Exit status 1: without a mutant something differs; 2: a bad argument, or Verilog that is
 * not the block's in all ports and registers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/number.h"
#include "bind/params.h"
#include "hw/twins/blocks.h"
#include "mutation/alone.h"
#include "mutation/stimuli.h"
#include "support/corner_scenario.h"

enum { MAX_SEEDS = 64 };

extern unsigned twin_mutant; /* what schemata writes asks for it */
unsigned twin_mutant;

struct runs {
	const char *stimulus;
	bool of_twin;
	struct scenario *s; /* one a seed */
	unsigned n;
	struct bind_rtl rtl;
};

static const struct hw_block *block_of_module(const char *module)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		if (!strcmp((*b)->module, module))
			return *b;
	return NULL;
}

/* The twin's own names instead of the module's. */
static int read_params(const struct hw_block *b, char *text, void *params, struct err *e)
{
	char own[1024] = "", *save = NULL;

	for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		size_t n = strcspn(word, "="), at = strlen(own);
		const char *name = NULL;

		for (unsigned i = 0; i < b->n_params; i++)
			if (strlen(b->params[i].verilog) == n && !strncmp(b->params[i].verilog, word, n))
				name = b->params[i].name;
		if (!name)
			return err_set(e, "%s has no parameter %.*s", b->module, (int)n, word);
		snprintf(own + at, sizeof own - at, "%s%s ", name, word + n);
	}
	return bind_params_read(b, params, own, e);
}

static int make_steps(struct runs *r, const struct hw_block *b, const void *params, const char *rtl, uint64_t steps, struct err *e)
{
	for (unsigned i = 0; i < r->n; i++) {
		struct scenario *s = &r->s[i];

		scenario_init(s, b, params);
		if (!r->of_twin) {
			snprintf(s->rtl, sizeof s->rtl, "%s", rtl);
			s->n_pokes = 1;
			snprintf(s->poke[0].port, sizeof s->poke[0].port, "mutant_i");
		}
		if (!strcmp(r->stimulus, "corners"))
			corner_scenario_fill(s, i + 1, (unsigned)steps);
		else if (strcmp(r->stimulus, "own") != 0 || !stimulus_own(s, i + 1, steps))
			return err_set(e, "%s has no stimulus %s", b->name, r->stimulus);
	}
	return 0;
}

/* A register that the mutants' Verilog lost would not be compared. */
static int open_rtl(struct runs *r, struct err *e)
{
	if (scenario_open(&r->s[0], &r->rtl, e))
		return -1;
	if (r->rtl.abi->regs != r->s[0].layout.side[HW_REG].n)
		return err_set(e, "%s: %s", r->s[0].rtl, r->rtl.abi->alone);
	return 0;
}

static void choose(struct runs *r, uint64_t number)
{
	if (r->of_twin)
		twin_mutant = (unsigned)number;
	for (unsigned i = 0; i < r->n && !r->of_twin; i++)
		r->s[i].poke[0].value = number;
}

static bool kills(struct runs *r, uint64_t number, FILE *to)
{
	choose(r, number);
	for (unsigned i = 0; i < r->n; i++) {
		struct scenario *s = &r->s[i];
		struct outcome o = scenario_run(s, r->rtl.abi, NULL);

		if (!o.failed)
			continue;
		fprintf(to, "%llu killed %s %u %llu %s\n", (unsigned long long)number, r->stimulus, i + 1,
			(unsigned long long)o.step, s->layout.side[o.m.side].slot[o.m.slot].f.name);
		return true;
	}
	return false;
}

/* A mutant of a twin may write where it should not, or never end. */
struct twin_run {
	struct runs *r;
	uint64_t number;
};

static bool kills_alone(void *ctx)
{
	struct twin_run *t = ctx;

	return kills(t->r, t->number, stdout);
}

static bool kills_twin(struct runs *r, uint64_t number, double seconds)
{
	struct twin_run t = {r, number};
	enum alone_end end = alone_run(kills_alone, &t, seconds);

	if (end == ALONE_CRASH || end == ALONE_HANG)
		printf("%llu killed %s %s\n", (unsigned long long)number, r->stimulus, end == ALONE_CRASH ? "crash" : "hang");
	return end != ALONE_NO;
}

static int run_all(struct runs *r, struct err *e)
{
	char line[64];
	uint64_t number;
	clock_t began = clock();
	double seconds;

	if (kills(r, 0, stderr))
		return err_set(e, "%s: differs without a mutant", r->s[0].rtl), 1;
	seconds = 1 + 10 * (double)(clock() - began) / CLOCKS_PER_SEC;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (number_parse_u64(line, &number))
			return err_set(e, "\"%s\" is not a number", line), 2;
		if (!(r->of_twin ? kills_twin(r, number, seconds) : kills(r, number, stdout)))
			printf("%llu alive\n", (unsigned long long)number);
		fflush(stdout);
	}
	return 0;
}

static int run(char **arg, struct err *e)
{
	const struct hw_block *b = block_of_module(arg[0]);
	unsigned char params[BIND_PARAMS_MAX];
	uint64_t steps = 0, seeds = 0;
	struct runs r = {.stimulus = arg[3], .of_twin = !strcmp(arg[2], "twin")};
	int rc = 2;

	if (!b)
		return err_set(e, "no block has the module %s", arg[0]), 2;
	if (number_parse_u64(arg[4], &steps) || number_parse_u64(arg[5], &seeds) || !steps || !seeds || seeds > MAX_SEEDS)
		return err_set(e, "%s steps and %s seeds: 1 or more, at most %d seeds", arg[4], arg[5], MAX_SEEDS), 2;
	r.n = (unsigned)seeds;
	r.s = xcalloc(r.n, sizeof *r.s);
	if (read_params(b, arg[1], params, e) == 0 && make_steps(&r, b, params, arg[2], steps, e) == 0 && open_rtl(&r, e) == 0)
		rc = run_all(&r, e);
	for (unsigned i = 0; i < r.n; i++)
		scenario_free(&r.s[i]);
	free(r.s);
	bind_close(&r.rtl);
	return rc;
}

int main(int argc, char **argv)
{
	struct err e = {""};
	int rc = 2;

	if (argc != 7)
		err_set(&e, "usage: lockstep BLOCK PARAMETERS FILE.v|twin STIMULUS STEPS SEEDS <NUMBERS");
	else
		rc = run(argv + 1, &e);
	if (rc)
		fprintf(stderr, "lockstep: %s\n", e.text);
	return rc;
}

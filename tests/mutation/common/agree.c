/* agree BLOCK SHAPE FILE.v: whether Verilog and the golden twin that this program is linked with agree under corner
 * steps (support/corner_scenario.h). Exit status 0: they do; 1: they differ, and a line says where; 3: an assertion of
 * the Verilog fails, and a line says which; 2: a bad argument.
 */
#include <stdio.h>

#include "bind/params.h"
#include "hw/twins/blocks.h"
#include "support/corner_scenario.h"

enum { STEPS = 30000, SEEDS = 3 };

static int judge(const struct scenario *s, const struct outcome *o)
{
	if (o->failed) {
		printf("%s differs in step %u\n", s->layout.side[o->m.side].slot[o->m.slot].f.name, (unsigned)o->step);
		return 1;
	}
	if (o->assertions.failed)
		printf("assertion in line %d\n", o->assertions.first_line);
	return o->assertions.failed ? 3 : 0;
}

static int run(const struct hw_block *b, const void *params, const char *rtl, unsigned seed, struct err *e)
{
	struct scenario s;
	struct bind_rtl lib;
	struct outcome o;
	int rc = 2;

	scenario_init(&s, b, params);
	snprintf(s.rtl, sizeof s.rtl, "%s", rtl);
	corner_scenario_fill(&s, seed, STEPS);
	if (scenario_open(&s, &lib, e) == 0) {
		o = scenario_run(&s, lib.abi, NULL);
		rc = judge(&s, &o);
		bind_close(&lib);
	}
	scenario_free(&s);
	return rc;
}

int main(int argc, char **argv)
{
	const struct hw_block *b = argc == 4 ? hw_block_named(argv[1]) : NULL;
	unsigned char params[BIND_PARAMS_MAX];
	struct err e = {""};
	int rc = 0;

	if (!b) {
		fprintf(stderr, "usage: agree BLOCK SHAPE FILE.v\n");
		return 2;
	}
	if (bind_params_read(b, params, argv[2], &e))
		rc = 2;
	for (unsigned seed = 1; seed <= SEEDS && rc == 0; seed++)
		rc = run(b, params, argv[3], seed, &e);
	if (rc == 2)
		fprintf(stderr, "agree: %s\n", e.text);
	return rc;
}

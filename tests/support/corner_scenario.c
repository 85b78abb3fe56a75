#include "support/corner_scenario.h"

#include <criterion/criterion.h>

#include "support/corner_stimulus.h"

void corner_scenario_fill(struct scenario *s, uint64_t seed, unsigned steps)
{
	uint64_t words[256];
	struct corner_stimulus c;

	cr_assert_leq(s->layout.side[HW_INPUT].words, sizeof words / sizeof words[0]);
	corner_stimulus_init(&c, s->block, s->params, seed);
	for (unsigned i = 0; i < steps; i++) {
		corner_stimulus_next(&c);
		bind_pack(&s->layout.side[HW_INPUT], c.in, words);
		stim_append(&s->stim, c.cycle, c.reset, words);
	}
	corner_stimulus_free(&c);
}

void corner_scenario_agrees_from_any_start(const struct hw_block *b, const void *params, uint64_t seed)
{
	struct scenario s;
	struct bind_rtl lib;
	struct outcome o;
	struct err e = {""};

	scenario_init(&s, b, params);
	s.seed = seed;
	s.unique_x = true;
	corner_scenario_fill(&s, seed, 20000);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	o = scenario_run(&s, lib.abi, NULL);
	cr_assert(outcome_is_good(&o), "%s, seed %u, step %u", b->name, (unsigned)seed, (unsigned)o.step);
	scenario_free(&s);
	bind_close(&lib);
}

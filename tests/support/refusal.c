#include "support/refusal.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static void assign(const struct hw_block *b, void *params, const char *name, unsigned value)
{
	for (unsigned i = 0; i < b->n_params; i++)
		if (!strcmp(b->params[i].verilog, name)) {
			hw_put(params, b->params[i].offset, b->params[i].size, value);
			return;
		}
	cr_assert_fail("%s has no parameter %s", b->name, name);
}

static void twin_says(const struct hw_block *b, const struct refusal *r)
{
	uint64_t params[32];
	struct err e = {""};
	char name[32];
	unsigned value;
	int used;

	cr_assert_leq(b->params_size, sizeof params);
	hw_params_default(b, params);
	cr_expect_eq(b->check(params, &e), 0, "the defaults: %s", e.text);
	for (const char *at = r->parameters; sscanf(at, " %31[^=]=%u%n", name, &value, &used) == 2; at += used)
		assign(b, params, name, value);
	cr_expect_eq(b->check(params, &e), -1, "the twin of %s takes %s", b->name, r->parameters);
	cr_expect(strstr(e.text, r->said), "%s: expected \"%s\" in: %s", r->parameters, r->said, e.text);
}

void refusals_hold(const struct hw_block *b, const struct refusal *refusal, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct program p =
			program_run("scripts/rtl-elaborate refuse %s %s %s", b->source, b->module, refusal[i].parameters);

		cr_expect_eq(p.status, 0, "%s: %s", refusal[i].parameters, p.err);
		program_free(&p);
		twin_says(b, &refusal[i]);
	}
}

#include "support/wrong_terms.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

char *wrong_terms_replace(char *text, const char *from, const char *to)
{
	char *at = strstr(text, from), *out = calloc(1, strlen(text) + strlen(to) + 1);

	cr_assert(out && at && !strstr(at + 1, from), "\"%s\" is not there once", from);
	sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	free(text);
	return out;
}

char *wrong_terms_text(const char *path)
{
	char *text = program_text(path), *claims = strstr(text, "\n`ifdef ASSERTIONS");

	claims = claims ? claims : strstr(text, "\n`ifdef FORMAL");
	if (claims)
		strcpy(claims, "\nendmodule\n`default_nettype wire\n");
	return text;
}

/* The right term stays in the text, behind the wrong one, so that a later one in the same place finds it. */
char *wrong_terms_spoil(char *text, const struct wrong_term *t, unsigned number)
{
	char piece[1000], term[700];
	const char *right = t->right ? t->right : t->where, *at = strstr(t->where, right);

	cr_assert_not_null(at, "%s", t->what);
	snprintf(term, sizeof term, "(fault_i == 8'd%u ? %s : %s)", number, t->wrong, right);
	snprintf(piece, sizeof piece, "%.*s%s%s", (int)(at - t->where), t->where, term, at + strlen(right));
	return wrong_terms_replace(text, t->where, piece);
}

char *wrong_terms_input(char *text)
{
	return wrong_terms_replace(text, ") (\n", ") (\n    input  wire [7:0] fault_i,\n");
}

void wrong_terms_write(const char *name, char *text, char path[300])
{
	program_file(name, text);
	snprintf(path, 300, "%s/%s", program_tmp(), name);
	free(text);
}

void wrong_terms_build(const char *rtl, const struct wrong_term *term, unsigned n, char path[300])
{
	char *text = wrong_terms_text(rtl);

	for (unsigned k = 0; k < n; k++)
		text = wrong_terms_spoil(text, &term[k], k + 1);
	wrong_terms_write(strrchr(rtl, '/') + 1, wrong_terms_input(text), path);
}

static bool is_field(const char *name, const char *field)
{
	return field && !strcmp(name, field);
}

static void is_caught(struct scenario *s, const struct bind_abi *abi, const struct wrong_term *t)
{
	struct outcome o = scenario_run(s, abi, NULL);
	const char *name;

	cr_expect(o.failed, "not caught: %s", t->what);
	if (!o.failed || !t->field)
		return;
	name = s->layout.side[o.m.side].slot[o.m.slot].f.name;
	cr_expect(is_field(name, t->field) || is_field(name, t->or_else), "%s: %s differs, not %s", t->what, name, t->field);
}

void wrong_terms_are_caught(struct scenario *s, const struct wrong_term *term, unsigned n)
{
	struct bind_rtl lib;
	struct err e = {""};

	s->n_pokes = 1;
	s->poke[0].value = 0;
	snprintf(s->poke[0].port, sizeof s->poke[0].port, "fault_i");
	cr_assert_eq(scenario_open(s, &lib, &e), 0, "%s", e.text);
	cr_assert_not(scenario_run(s, lib.abi, NULL).failed, "without a fault nothing differs");
	for (unsigned k = 0; k < n; k++) {
		s->poke[0].value = k + 1;
		is_caught(s, lib.abi, &term[k]);
	}
	bind_close(&lib);
}

#include "support/vcd.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

char *vcd_text(const char *fst)
{
	struct program p = program_run("fst2vcd %s", fst);
	char *text = strdup(p.out);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	return text;
}

void vcd_identifier(const char *text, const char *scope, const char *name, char out[8])
{
	char opening[64], var[64];
	const char *at;

	snprintf(opening, sizeof opening, "$scope module %s $end", scope);
	snprintf(var, sizeof var, " %s ", name);
	at = strstr(text, opening);
	cr_assert(at, "%s", opening);
	at = strstr(at, var);
	cr_assert(at, "%s.%s", scope, name);
	while (at[-1] != ' ')
		at--;
	snprintf(out, 8, "%.*s", (int)strcspn(at, " "), at);
}

/* Whether the line says a value of that signal: "1x" of a bit, "b0101 x" of a vector. */
static bool is_change(const char *line, size_t length, const char *identifier)
{
	size_t n = strlen(identifier);

	if (length <= n || memcmp(line + length - n, identifier, n))
		return false;
	return (length == n + 1 && strchr("01xz", line[0])) || (line[0] == 'b' && line[length - n - 1] == ' ');
}

char *vcd_changes(const char *text, const char *identifier)
{
	const char *at = strstr(text, "$enddefinitions"), *time = "#0";
	size_t size, time_length = 2;
	char *said;
	FILE *f = open_memstream(&said, &size);

	cr_assert(at && f);
	for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t length = strcspn(at, "\n");

		if (*at == '#')
			time = at, time_length = length;
		else if (is_change(at, length, identifier))
			fprintf(f, "%.*s %.*s\n", (int)time_length, time, (int)(length - strlen(identifier)), at);
	}
	fclose(f);
	return said;
}

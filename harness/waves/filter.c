#include "waves/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/output.h"

/* What follows the register's path in its line, or NULL. */
static const char *line_of(const char *states, const char *reg)
{
	size_t n = strlen(reg);

	for (const char *at = states; *at; at += *at == '\n') {
		if (!strncmp(at, reg, n) && at[n] == ' ')
			return at + n + 1;
		at += strcspn(at, "\n");
	}
	return NULL;
}

unsigned filter_bits(const char *states, const char *reg)
{
	const char *line = line_of(states, reg);

	return line ? (unsigned)strtoul(line, NULL, 10) : 0;
}

const char *filter_name(char out[FILTER_PATH], const char *fst, const char *reg)
{
	size_t stem = strlen(fst);

	if (stem > 4 && !strcmp(fst + stem - 4, ".fst"))
		stem -= 4;
	snprintf(out, FILTER_PATH, "%.*s.%s.txt", (int)(stem < 1000 ? stem : 1000), fst, reg);
	return out;
}

/* Values as GTKWave shows them: hexadecimal, with all digits. */
int filter_write(const char *states, const char *reg, const char *path, struct err *e)
{
	const char *at = line_of(states, reg);
	char *end;
	int digits = ((int)strtoul(at, &end, 10) + 3) / 4;
	struct output o;

	if (output_open(&o, path, e))
		return -1;
	for (at = end; *at == ' '; at = end + strcspn(end, " \n")) {
		unsigned long value = strtoul(at + 1, &end, 10);

		fprintf(o.f, "%0*lX %.*s\n", digits, value, (int)strcspn(end + 1, " \n"), end + 1);
	}
	return output_keep(&o, e);
}

#include "base/suggestion.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The letters to insert, delete, replace or swap with their neighbour that lead from a to b, whatever their case. Both
 * have at most LONGEST. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[3][LONGEST + 1], n = (unsigned)strlen(b), i;

	for (unsigned j = 0; j <= n; j++)
		row[0][j] = j;
	for (i = 1; a[i - 1]; i++) {
		unsigned *here = row[i % 3], *up = row[(i + 2) % 3], *above = row[(i + 1) % 3];

		here[0] = i;
		for (unsigned j = 1; j <= n; j++) {
			here[j] = min3(up[j] + 1, here[j - 1] + 1, up[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) && above[j - 2] + 1 < here[j])
				here[j] = above[j - 2] + 1;
		}
	}
	return row[(i - 1) % 3][n];
}

void suggestion_offer(struct suggestion *n, const char *name)
{
	size_t a = strlen(n->typed), b = strlen(name), longer = a > b ? a : b, most = (longer + 2) / 3;
	unsigned d;

	/* Each step of the distance adds one letter at most. */
	if (longer == 0 || longer > LONGEST || longer - (a < b ? a : b) > most)
		return;
	d = distance(n->typed, name);
	if (d < longer && d <= most && (!n->best || d < n->distance)) {
		n->best = name;
		n->distance = d;
	}
}

const char *suggestion_text(const struct suggestion *n, char out[160])
{
	out[0] = '\0';
	if (n->best)
		snprintf(out, 160, " (did you mean \"%s\"?)", n->best);
	return out;
}

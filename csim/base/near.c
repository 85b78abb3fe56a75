#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein's distance. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LONGEST + 1], n = (unsigned)strlen(b);

	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= n; j++) {
			unsigned up = row[j];

			row[j] = min3(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = up;
		}
	}
	return row[n];
}

void near_offer(struct near *n, const char *name)
{
	size_t longer = strlen(n->given) > strlen(name) ? strlen(n->given) : strlen(name);
	unsigned d;

	if (longer == 0 || longer > LONGEST)
		return;
	d = distance(n->given, name);
	if (d <= (longer + 2) / 3 && (!n->best || d < n->distance)) {
		n->best = name;
		n->distance = d;
	}
}

const char *near_hint(const struct near *n, char out[160])
{
	out[0] = '\0';
	if (n->best)
		snprintf(out, 160, " (did you mean \"%s\"?)", n->best);
	return out;
}

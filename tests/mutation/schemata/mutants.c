#include "mutation/schemata/mutants.h"

#include <stdlib.h>
#include <string.h>

/* With each run of blanks as one. The caller frees it. */
static char *source(const struct work *w, struct range r)
{
	char *s = calloc(1, r.to - r.from + 1), *p = s;

	for (size_t i = r.from; s && i < r.to; i++)
		if (!strchr(" \t\n", w->text[i]))
			*p++ = w->text[i];
		else if (p > s && p[-1] != ' ')
			*p++ = ' ';
	return s;
}

/* Writes a pattern with its l_ and r_ replaced. */
static void write_pattern(FILE *to, const char *pattern, const char *l, const char *r)
{
	for (const char *p = pattern; *p; p++)
		if (p[0] == 'l' && p[1] == '_')
			fputs(l, to), p++;
		else if (p[0] == 'r' && p[1] == '_')
			fputs(r, to), p++;
		else
			fputc(*p, to);
}

/* How often the function has had this row. */
static unsigned count_key(struct work *w, char *key)
{
	unsigned n = 1;

	for (unsigned i = 0; i < w->keys; i++)
		n += !strcmp(w->key[i], key);
	if (w->keys == MAX_KEYS)
		exit(fprintf(stderr, "schemata: more than %d mutants in %s\n", MAX_KEYS, w->function));
	w->key[w->keys++] = key;
	return n;
}

unsigned mutant(struct work *w, const json_t *node, const char *pattern, const json_t *l, const json_t *r)
{
	char *text = source(w, node_range(node)), *left = source(w, node_range(l)), *right = source(w, node_range(r));
	char *row = NULL, file[128];
	unsigned line, n;
	size_t size;
	FILE *to;

	if (!w->listed) {
		line = line_in_source(w->text, node_range(node).from, file);
		to = open_memstream(&row, &size);
		fprintf(to, "%s:%s: %s -> ", w->file, w->function, text);
		write_pattern(to, pattern, left, right);
		fclose(to);
		n = count_key(w, row);
		printf("%u\t%s:%u\t%s", w->next, file, line, row);
		printf(n > 1 ? " (%u)\n" : "\n", n);
	}
	free(text), free(left), free(right);
	return w->next++;
}

void mutants_forget_rows(struct work *w)
{
	for (; w->keys; w->keys--)
		free(w->key[w->keys - 1]);
}

/* The machine as a file, and the list of what has no counterpart. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "machine/gpgpusim/import_impl.h"

enum { MAX_NAME = 60, MAX_VALUE = 40 /* bytes of an option in the list */ };

/* Letters of `key` before its dot; all of them if it has none. */
static int group_length(const char *key)
{
	return (int)strcspn(key, ".");
}

static bool same_group(const char *a, const char *b)
{
	return group_length(a) == group_length(b) && !strncmp(a, b, (size_t)group_length(a));
}

/* As YAML has it: several numbers are a list. */
static void value_text(const struct machine *m, const struct schema_key *k, char out[SCHEMA_TEXT_MAX])
{
	char text[SCHEMA_TEXT_MAX];

	schema_text(m, k, text);
	snprintf(out, SCHEMA_TEXT_MAX,
		 k->type == SCHEMA_LIST5 || (k->type == SCHEMA_LIST && strchr(text, ',')) ? "[%.1000s]" : "%.1000s", text);
}

/* A text in double quotes, as YAML reads it. */
static void write_quoted(const char *key, const char *text, FILE *to)
{
	fprintf(to, "%s: \"", key);
	for (; *text; text++)
		fprintf(to, "%s%c", strchr("\"\\", *text) ? "\\" : "", *text);
	fputs("\"\n", to);
}

/* before: the key above. The value of an option that both come from is not written again. */
static void write_key(const struct gpgpusim_import *i, const struct schema_key *k, const struct schema_key *before, FILE *to)
{
	const char *name = k->name + group_length(k->name) + 1, *from = i->from[k - schema_keys];
	bool again = before && !strcmp(from, i->from[before - schema_keys]);
	int width = 26 - (int)strlen(name);
	char value[SCHEMA_TEXT_MAX];

	value_text(&i->m, k, value);
	fprintf(to, "  %s: %-*s  # %.*s\n", name, width > 0 ? width : 0, value, (int)(again ? strcspn(from, " ") : strlen(from)),
		from);
}

static void write_keys(const struct gpgpusim_import *i, FILE *to)
{
	const struct schema_key *before = NULL;

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		if (!i->from[k - schema_keys])
			continue;
		if (!before || !same_group(before->name, k->name))
			fprintf(to, "%.*s:\n", group_length(k->name), k->name);
		write_key(i, k, before, to);
		before = k;
	}
}

/* Keys of the base that differ from what all machines have that do not say them; `all` has that. */
static bool of_base(const struct gpgpusim_import *i, const struct schema_key *k, const struct machine *all)
{
	char a[SCHEMA_TEXT_MAX], b[SCHEMA_TEXT_MAX];

	if (i->from[k - schema_keys] || !strcmp(k->name, "name"))
		return false;
	return !k->fallback || strcmp(schema_text(&i->base, k, a), schema_text(all, k, b)) != 0;
}

static void write_base_keys(const struct gpgpusim_import *i, FILE *to)
{
	struct machine *all = xcalloc(1, sizeof *all);
	char value[SCHEMA_TEXT_MAX];
	struct err unused = {""};

	schema_set_fallbacks(all, &unused);
	fprintf(to, "\n# The options say nothing of these, which are the base's:\n");
	for (const struct schema_key *k = schema_keys; k->name; k++)
		if (of_base(i, k, all)) {
			value_text(&i->base, k, value);
			fprintf(to, "#   %s: %s\n", k->name, value);
		}
	free(all);
}

void gpgpusim_import_write(const struct gpgpusim_import *i, FILE *to)
{
	fprintf(to, "# %s, from options of GPGPU-Sim, which are behind the keys; (default): nobody set it, GPGPU-Sim 4 has that.\n",
		i->m.name);
	write_quoted("name", i->m.name, to);
	write_quoted("base", i->base_name, to);
	write_keys(i, to);
	write_base_keys(i, to);
}

/* ---- the list ---- */

static int by_place(const void *x, const void *y)
{
	const struct gpgpusim_note *a = x, *b = y;

	if (a->option == b->option)
		return a->number < b->number ? -1 : a->number > b->number;
	return a->option < b->option ? -1 : 1;
}

/* Bytes of whole letters at the begin of the text, at most `max`. */
static int cut(const char *text, size_t max)
{
	size_t n = 0, length = strlen(text), letter;

	while (n < length && (letter = utf8_letter(text + n, length - n)) && n + letter <= max)
		n += letter;
	return (int)n;
}

static int name_width(const struct gpgpusim_note *n)
{
	return cut(n->option->name, MAX_NAME);
}

static int value_width(const struct gpgpusim_note *n)
{
	return cut(n->option->value, MAX_VALUE);
}

static void print_notes(const struct gpgpusim_note *note, uint32_t n, FILE *to)
{
	int name = 6, value = 5;

	for (uint32_t k = 0; k < n; k++) {
		name = name_width(&note[k]) > name ? name_width(&note[k]) : name;
		value = value_width(&note[k]) > value ? value_width(&note[k]) : value;
	}
	for (uint32_t k = 0; k < n; k++) {
		const struct gpgpusim_option *o = note[k].option;

		if (k == 0 || o->file != note[k - 1].option->file)
			fprintf(to, "%s: without a counterpart, or only a near one:\n  %6s  %-*s  %-*s  why\n", o->file, "line",
				name, "option", value, "value");
		fprintf(to, "  %6" PRIu32 "  %-*.*s  %-*.*s  %s\n", o->line, name, name_width(&note[k]), o->name, value,
			value_width(&note[k]), o->value, note[k].why);
	}
}

void gpgpusim_import_list(const struct gpgpusim_import *i, FILE *to)
{
	struct gpgpusim_note *note = xcalloc(i->n_notes + (size_t)1, sizeof *note);

	if (i->n_notes)
		memcpy(note, i->note, i->n_notes * sizeof *note);
	qsort(note, i->n_notes, sizeof *note, by_place);
	print_notes(note, i->n_notes, to);
	free(note);
}

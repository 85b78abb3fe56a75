#include "machine/gpgpusim/options.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/utf8.h"

struct reader {
	struct gpgpusim_options *to;
	const char *path;
	char *at; /* what is read next, in a copy of the file that becomes the values */
	uint32_t line;
};

static int wrong(const struct reader *r, uint32_t line, const char *what, struct err *e)
{
	return err_set(e, "%s:%u: %s", r->path, line, what);
}

/* The whole file with a zero byte behind it. */
static char *whole_file(struct gpgpusim_options *o, const char *path, size_t *n, struct err *e)
{
	char *text = infile_text(path, GPGPUSIM_MAX_FILE, n, e), *kept;

	if (!text)
		return NULL;
	kept = memcpy(arena_alloc(&o->text, *n + 1), text, *n + 1);
	free(text);
	return kept;
}

/* Letters and white space: what is quoted later is safe to print, and a zero byte ends nothing early. */
static int check_text(const struct reader *r, size_t n, struct err *e)
{
	uint32_t line = 1;
	unsigned letter;

	for (size_t i = 0; i < n; i += letter) {
		letter = r->at[i] && strchr("\n\r\t", r->at[i]) ? 1 : utf8_letter(r->at + i, n - i);
		if (!letter)
			return wrong(r, line, "holds control characters, or is not UTF-8", e);
		line += r->at[i] == '\n';
	}
	return 0;
}

static void blank_comments(char *text, const char *mark)
{
	while ((text = strstr(text, mark))) {
		size_t n = strcspn(text, "\n");

		memset(text, ' ', n);
		text += n;
	}
}

static int begin(struct reader *r, const char *comment, struct err *e)
{
	size_t n = 0;

	r->at = whole_file(r->to, r->path, &n, e);
	if (!r->at || check_text(r, n, e) != 0)
		return -1;
	blank_comments(r->at, comment);
	return 0;
}

static void skip_white(struct reader *r)
{
	for (; isspace((unsigned char)*r->at); r->at++)
		r->line += *r->at == '\n';
}

/* Takes the bytes up to `end`, which the zero byte of the word replaces; runs of white space become one blank. */
static char *take_until(struct reader *r, char *end)
{
	char *word = r->at, *to = word;

	for (char *p = word; p < end; p++) {
		r->line += *p == '\n';
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (to > word && to[-1] != ' ')
			*to++ = ' ';
	}
	r->line += *end == '\n';
	r->at = *end ? end + 1 : end;
	*to = '\0';
	while (to > word && to[-1] == ' ')
		*--to = '\0';
	return word;
}

static void add(struct reader *r, const char *name, const char *value, uint32_t line)
{
	struct gpgpusim_options *o = r->to;

	if (o->n == o->cap) {
		o->cap = o->cap ? 2 * o->cap : 128;
		o->all = xrealloc(o->all, o->cap * sizeof *o->all);
	}
	o->all[o->n++] = (struct gpgpusim_option){name, value, r->path, line};
}

/* The next word, of which quotes are taken off. NULL: quotes without an end. */
static char *next_word(struct reader *r, struct err *e)
{
	uint32_t line = r->line;
	char *end;

	if (*r->at != '"')
		return take_until(r, r->at + strcspn(r->at, " \t\r\n"));
	end = strchr(++r->at, '"');
	if (end)
		return take_until(r, end);
	wrong(r, line, "a quoted value without its end", e);
	return NULL;
}

static bool is_name(const char *s)
{
	return s[0] == '-' && isalpha((unsigned char)s[1]);
}

int gpgpusim_options_read(struct gpgpusim_options *o, const char *path, struct err *e)
{
	struct reader r = {.to = o, .path = path, .line = 1};

	if (begin(&r, "#", e) != 0)
		return -1;
	for (skip_white(&r); *r.at; skip_white(&r)) {
		uint32_t line = r.line;
		const char *value = "1", *name;

		if (!is_name(r.at)) {
			name = next_word(&r, e);
			return !name ? -1
				     : err_set(e, "%s:%u: \"%.60s\" is not an option, which begins with - and a letter", path, line,
					       name);
		}
		name = next_word(&r, e);
		skip_white(&r);
		if (*r.at && !is_name(r.at))
			value = next_word(&r, e);
		if (!value)
			return -1;
		add(&r, name, value, line);
	}
	return 0;
}

int gpgpusim_options_read_icnt(struct gpgpusim_options *o, const char *path, struct err *e)
{
	struct reader r = {.to = o, .path = path, .line = 1};

	if (begin(&r, "//", e) != 0)
		return -1;
	for (skip_white(&r); *r.at; skip_white(&r)) {
		uint32_t line = r.line;
		char *end = strchr(r.at, ';'), *equals = strchr(r.at, '=');
		const char *name;

		if (!end || !equals || equals > end || !isalpha((unsigned char)*r.at))
			return wrong(&r, line, "not of the form NAME = VALUE;", e);
		name = take_until(&r, equals);
		add(&r, name, take_until(&r, end), line);
	}
	return 0;
}

void gpgpusim_options_free(struct gpgpusim_options *o)
{
	free(o->all);
	arena_free(&o->text);
	*o = (struct gpgpusim_options){0};
}

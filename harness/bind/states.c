#include "bind/states.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bind/bind.h"

enum { MAX_WORD = 128, MAX_VALUES = 32, MAX_LISTS = 64, MAX_USES = 256 };

struct list {
	char module[MAX_WORD];
	unsigned bits, n;
	char name[MAX_VALUES][MAX_WORD];
	uint64_t value[MAX_VALUES];
};

/* A register that is assigned a constant of a list. */
struct use {
	char reg[MAX_WORD];
	const struct list *list;
};

struct reader {
	const char *at;
	char word[MAX_WORD]; /* the last one read; "" at the end */
	char module[MAX_WORD];
	unsigned n_lists, n_uses;
	struct list list[MAX_LISTS];
	struct use use[MAX_USES];
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Blanks, comments and strings. */
static const char *skip(const char *s)
{
	for (;;) {
		const char *end = s;

		if (isspace((unsigned char)*s))
			end = s + 1;
		else if (!strncmp(s, "//", 2))
			end = s + strcspn(s, "\n");
		else if (!strncmp(s, "/*", 2))
			end = strstr(s, "*/") ? strstr(s, "*/") + 2 : s + strlen(s);
		else if (*s == '"')
			end = s[1 + strcspn(s + 1, "\"")] ? s + 2 + strcspn(s + 1, "\"") : s + strlen(s);
		if (end == s)
			return s;
		s = end;
	}
}

static size_t length_of(const char *s)
{
	size_t n = 0;

	while (is_name(s[n]))
		n++;
	if (n && isdigit((unsigned char)*s) && s[n] == '\'')
		for (n++; is_name(s[n]); n++)
			;
	if (n || !*s)
		return n;
	return strchr("<=!", *s) && s[1] == '=' ? 2 : 1;
}

/* The next word: a name, a number with its size, an operator. */
static bool next(struct reader *r)
{
	size_t n;

	r->at = skip(r->at);
	n = length_of(r->at);
	snprintf(r->word, sizeof r->word, "%.*s", (int)(n < MAX_WORD ? n : MAX_WORD - 1), r->at);
	r->at += n;
	return n > 0;
}

static bool is(const struct reader *r, const char *word)
{
	return !strcmp(r->word, word);
}

/* Whether the next word is that one; it is not read. */
static bool before(const struct reader *r, const char *word)
{
	const char *at = skip(r->at);

	return length_of(at) == strlen(word) && !strncmp(at, word, strlen(word));
}

/* What is between brackets, if they come next. */
static void skip_range(struct reader *r)
{
	unsigned depth = 0;

	while (depth || before(r, "[")) {
		if (!next(r))
			return;
		depth += is(r, "[");
		depth -= is(r, "]");
	}
}

/* 3'd4: bits 3, value 4. */
static bool number(const char *word, unsigned *bits, uint64_t *value)
{
	static const char bases[] = "bodh";
	static const int base[] = {2, 8, 10, 16};
	char *end;
	const char *letter;

	*bits = (unsigned)strtoul(word, &end, 10);
	if (!*bits || *end != '\'')
		return false;
	letter = end[1] ? strchr(bases, tolower((unsigned char)end[1])) : NULL;
	if (!letter || !end[2])
		return false;
	*value = strtoull(end + 2, &end, base[letter - bases]);
	return *end == '\0';
}

/* localparam [range] NAME = number, NAME = number ...; */
static void read_list(struct reader *r)
{
	struct list *l = &r->list[r->n_lists];
	unsigned bits;

	if (r->n_lists == MAX_LISTS)
		return;
	memset(l, 0, sizeof *l);
	snprintf(l->module, sizeof l->module, "%s", r->module);
	skip_range(r);
	while (l->n < MAX_VALUES && next(r)) {
		snprintf(l->name[l->n], sizeof l->name[0], "%s", r->word);
		if (!next(r) || !is(r, "=") || !next(r) || !number(r->word, &bits, &l->value[l->n]) || (l->n && bits != l->bits))
			return;
		l->bits = bits;
		l->n++;
		if (!next(r) || !is(r, ","))
			break;
	}
	r->n_lists += is(r, ";") && l->n > 1;
}

static const struct list *list_with(const struct reader *r)
{
	for (unsigned i = 0; i < r->n_lists; i++)
		for (unsigned k = 0; k < r->list[i].n; k++)
			if (!strcmp(r->list[i].module, r->module) && is(r, r->list[i].name[k]))
				return &r->list[i];
	return NULL;
}

/* What follows `reg <=`. */
static void read_assignment(struct reader *r, const char *reg)
{
	bool compared = false;

	while (next(r) && !is(r, ";")) {
		const struct list *l = compared || before(r, "==") || before(r, "!=") ? NULL : list_with(r);

		compared = is(r, "==") || is(r, "!=");
		if (!l || r->n_uses == MAX_USES)
			continue;
		snprintf(r->use[r->n_uses].reg, MAX_WORD, "%s", reg);
		r->use[r->n_uses++].list = l;
	}
}

static void read_text(struct reader *r)
{
	char name[MAX_WORD];

	while (next(r)) {
		if (is(r, "module") && next(r)) {
			memcpy(r->module, r->word, sizeof r->module);
		} else if (is(r, "localparam")) {
			read_list(r);
		} else if (is_name(r->word[0])) {
			memcpy(name, r->word, sizeof name);
			skip_range(r);
			if (before(r, "<=") && next(r))
				read_assignment(r, name);
		}
	}
}

static const struct list *list_of(const struct reader *r, const struct bind_var *v)
{
	for (unsigned i = 0; i < r->n_uses; i++)
		if (!strcmp(r->use[i].list->module, v->module) && !strcmp(r->use[i].reg, v->name) &&
		    v->width % r->use[i].list->bits == 0)
			return r->use[i].list;
	return NULL;
}

const char *bind_states(const struct bind_module *m, const char *const *files, unsigned n_files, struct arena *a)
{
	struct reader *r = xcalloc(1, sizeof *r);
	const char *out = "";

	for (unsigned i = 0; i < n_files; i++) {
		char *text = bind_source_text(files[i]);

		r->at = text;
		read_text(r);
		free(text);
	}
	for (unsigned i = 0; i < m->n; i++) {
		const struct list *l = m->var[i].kind == BIND_VAR_REG ? list_of(r, &m->var[i]) : NULL;

		if (!l)
			continue;
		out = arena_printf(a, "%s%s %u", out, m->var[i].path, l->bits);
		for (unsigned k = 0; k < l->n; k++)
			out = arena_printf(a, "%s %llu=%s", out, (unsigned long long)l->value[k], l->name[k]);
		out = arena_printf(a, "%s\n", out);
	}
	free(r);
	return out;
}

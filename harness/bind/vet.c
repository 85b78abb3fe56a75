#include "bind/vet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "bind/cache.h"

struct text {
	const char *path;
	char *at;
	size_t n; /* bytes; two zero bytes follow */
};

/* They return a value. None of them begins the name of one that does more. */
static const char *const functions[] = {
	"bits",	    "signed", "unsigned", "clog2",  "countones", "onehot",     "onehot0",    "isunknown", "past", "rose",
	"fell",	    "stable", "changed",  "left",   "right",	 "low",	       "high",	     "size",	  "rtoi", "itor",
	"realtime", "time",   "stime",	  "random", "urandom",	 "bitstoreal", "realtobits", "finish",	  "stop", NULL};

static const char *const directives[] = {"define",
					 "undef",
					 "ifdef",
					 "ifndef",
					 "else",
					 "elsif",
					 "endif",
					 "include",
					 "timescale",
					 "default_nettype",
					 "resetall",
					 "celldefine",
					 "endcelldefine",
					 "undefineall",
					 "unconnected_drive",
					 "nounconnected_drive",
					 NULL};

/* Directives that hand text to C++ or to Verilator itself: a macro of such a name could be undefined again. */
static const char *const reserved[] = {"systemc", "verilator", "pragma", "line", "protect", NULL};

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (is_word(s[n]))
		n++;
	return n;
}

static bool is_one_of(const char *const *list, const char *s, size_t n)
{
	while (*list && (strlen(*list) != n || strncmp(*list, s, n) != 0))
		list++;
	return *list != NULL;
}

static int refuse(const struct text *t, const char *at, size_t n, const char *why, struct err *e)
{
	unsigned line = 1;

	for (const char *c = t->at; c < at; c++)
		line += *c == '\n';
	return err_set(e, "%s:%u: \"%.*s\" %s (look at it; --trust runs it)", t->path, line, (int)(n < 64 ? n : 64), at, why);
}

/* The name that a `define at `at` gives a macro; NULL: it is none, or has arguments. */
static const char *defined_name(const char *at, size_t *n)
{
	const char *name = at + strlen("`define");

	if (!is_blank(*name))
		return NULL;
	while (is_blank(*name))
		name++;
	*n = word_length(name);
	return *n && (is_blank(name[*n]) || name[*n] == '\n' || name[*n] == '\r') ? name : NULL;
}

static bool is_macro(const struct text *text, unsigned n, const char *s, size_t length)
{
	for (unsigned i = 0; i < n; i++) {
		const char *at = text[i].at, *end = at + text[i].n, *name;
		size_t m;

		for (; (at = memmem(at, (size_t)(end - at), "`define", 7)); at++) {
			name = defined_name(at, &m);
			if (name && m == length && !strncmp(name, s, m))
				return true;
		}
	}
	return false;
}

static bool is_reserved(const char *s)
{
	const char *const *r = reserved;

	while (*r && strncmp(*r, s, strlen(*r)) != 0)
		r++;
	return *r != NULL;
}

static int vet_backtick(const struct text *text, unsigned n, const struct text *t, const char *at, struct err *e)
{
	size_t length = word_length(at + 1), m;
	bool defines = length == 6 && !strncmp(at + 1, "define", 6);

	if (is_reserved(at + 1))
		return refuse(t, at, length + 1, "may do more than compute", e);
	if (defines && !defined_name(at, &m))
		return refuse(t, at, strcspn(at, "\r\n"), "may put a name together", e);
	if (!is_one_of(directives, at + 1, length) && !is_macro(text, n, at + 1, length))
		return refuse(t, at, length + 1, "is neither a plain directive nor a macro of these files", e);
	return 0;
}

/* A string, a macro or a comment may follow an import that is no package's. */
static int vet_import(const struct text *t, const char *at, size_t n, struct err *e)
{
	const char *next = at + n;

	while (is_blank(*next))
		next++;
	return next > at + n && is_word(*next) ? 0 : refuse(t, at, n, "may call C", e);
}

static bool is_read(const char *at)
{
	return word_length(at + 1) == 8 && (!strncmp(at, "$readmemh", 9) || !strncmp(at, "$readmemb", 9));
}

/* A name that is put together elsewhere is none of a file's (data.hpp). */
static int vet_read(const struct bind_sources *src, const struct text *t, const char *at, struct err *e)
{
	const char *name = at + 9;
	size_t n;

	while (is_blank(*name) || *name == '(')
		name++;
	if (*name != '"')
		return 0;
	n = strcspn(++name, "\"\n");
	for (unsigned i = 0; i < src->n_data; i++)
		if (strlen(src->data[i].name) == n && !strncmp(src->data[i].name, name, n))
			return 0;
	return refuse(t, name, n, "is no file of the bundle", e);
}

static int vet_text(const struct text *text, const struct bind_sources *src, const struct text *t, struct err *e)
{
	const char *end = t->at + t->n;

	for (const char *at = t->at; at < end; at++) {
		size_t word = is_word(*at) ? word_length(at) : 0;

		if (is_read(at)) {
			if (vet_read(src, t, at, e))
				return -1;
		} else if (*at == '$' && !is_one_of(functions, at + 1, word_length(at + 1)))
			return refuse(t, at, word_length(at + 1) + 1, "may do more than compute", e);
		if (*at == '`' && vet_backtick(text, src->n, t, at, e))
			return -1;
		if (word == 6 && (!strncmp(at, "import", 6) || !strncmp(at, "export", 6)) && vet_import(t, at, word, e))
			return -1;
		at += word ? word - 1 : 0;
	}
	return 0;
}

static int read_text(struct text *t, const char *path, struct err *e)
{
	*t = (struct text){.path = path};
	t->at = infile_text(path, BIND_MAX_FILE, &t->n, e);
	if (!t->at)
		return -1;
	t->at = xrealloc(t->at, t->n + 2); /* two zero bytes end it */
	t->at[t->n + 1] = '\0';
	return 0;
}

int bind_vet(const struct bind_sources *src, struct err *e)
{
	unsigned n = src->n;
	struct text *text = xcalloc(n + 1, sizeof *text);
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++)
		rc = read_text(&text[i], src->file[i], e);
	for (unsigned i = 0; i < n && !rc; i++)
		rc = vet_text(text, src, &text[i], e);
	for (unsigned i = 0; i < n; i++)
		free(text[i].at);
	free(text);
	return rc ? -1 : 0;
}

/* What compilers say about the source: .file, .loc, sections of debug information, labels for these.
 *
 * An instruction keeps the source line of the .loc ahead of it, up to the end of the function. Numbers of files are
 * declared anywhere in the module, often behind the functions, and so looked up when all is read.
 *
 * Lines of debug information are also counted: an instruction's line in the PTX without them is part of a trace's hash,
 * which they must not change.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ptx/parse/parse.h"

/* Lines `from` to `to` hold debug information; a line counts once. */
static void count_lines(struct parser *p, uint32_t from, uint32_t to)
{
	if (from <= p->debug.last)
		from = p->debug.last + 1;
	if (to < from)
		return;
	p->debug.lines += to - from + 1;
	p->debug.last = to;
}

static uint32_t small(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : 0;
}

/* .loc FILE LINE COLUMN, and more in later versions of PTX */
int parse_loc(struct parser *p)
{
	uint32_t at = p->lex.tok.line, n[2];

	for (int i = 0; i < 2; i++) {
		TRY(lex_next(&p->lex));
		if (p->lex.tok.kind != TOK_INT || p->lex.tok.line != at)
			return lex_fail(&p->lex, ".loc needs the number of a file, a line and a column");
		n[i] = small(p->lex.tok.bits);
	}
	p->debug.file = n[0];
	p->debug.line = n[1];
	count_lines(p, at, at);
	return lex_skip_line(&p->lex);
}

static void add_file(struct parser *p, uint32_t number, char *name)
{
	struct ptx_module *m = p->m;

	if (m->n_files == p->debug.cap_files) {
		uint32_t cap = p->debug.cap_files ? 2 * p->debug.cap_files : 8;
		struct ptx_file *grown = arena_array(p->arena, cap, sizeof *grown);

		if (m->n_files)
			memcpy(grown, m->files, m->n_files * sizeof *grown);
		m->files = grown;
		p->debug.cap_files = cap;
	}
	m->files[m->n_files] = (struct ptx_file){number, m->n_files, utf8_clean(name)};
	m->n_files++;
}

/* The current token's text between its quotation marks. */
static char *string_text(struct parser *p)
{
	char *s = parse_text(p);
	size_t n = strlen(s);

	if (n < 2)
		return s;
	s[n - 1] = '\0';
	return s + 1;
}

/* .file NUMBER "NAME", .file NUMBER "FOLDER" "NAME"; what else there is says nothing about instructions. */
int parse_file(struct parser *p)
{
	uint32_t at = p->lex.tok.line, number;
	char *name;

	count_lines(p, at, at);
	TRY(lex_next(&p->lex));
	if (p->lex.tok.kind != TOK_INT || p->lex.tok.line != at)
		return p->lex.tok.line == at ? lex_skip_line(&p->lex) : 0;
	number = small(p->lex.tok.bits);
	TRY(lex_next(&p->lex));
	if (p->lex.tok.kind != TOK_STRING || p->lex.tok.line != at)
		return lex_fail(&p->lex, ".file needs a name in quotation marks behind its number");
	name = string_text(p);
	TRY(lex_next(&p->lex));
	if (p->lex.tok.kind == TOK_STRING && p->lex.tok.line == at) {
		name = arena_printf(p->arena, "%s/%s", name, string_text(p));
		TRY(lex_next(&p->lex));
	}
	add_file(p, number, name);
	return p->lex.tok.kind != TOK_END && p->lex.tok.line == at ? lex_skip_line(&p->lex) : 0;
}

/* .section name { ... } */
int parse_section(struct parser *p)
{
	uint32_t from = p->lex.tok.line;

	while (!parse_is(p, "{") && p->lex.tok.kind != TOK_END)
		TRY(lex_next(&p->lex));
	while (!parse_is(p, "}") && p->lex.tok.kind != TOK_END)
		TRY(lex_next(&p->lex));
	count_lines(p, from, p->lex.tok.line);
	return parse_expect(p, "}");
}

static bool is_numbered(const char *word, const char *prefix)
{
	size_t n = strlen(prefix), digits = strspn(word + (strncmp(word, prefix, n) ? 0 : n), "0123456789");

	return !strncmp(word, prefix, n) && digits && !word[n + digits];
}

/* As LLVM names them: "Ltmp3", "Lfunc_begin0", "Lfunc_end0"; later versions put a $ ahead. */
static bool is_debug_label(const char *word)
{
	if (*word == '$')
		word++;
	return is_numbered(word, "Ltmp") || is_numbered(word, "Lfunc_begin") || is_numbered(word, "Lfunc_end");
}

/* The next token is behind the label's colon. */
void parse_debug_label(struct parser *p, const char *word, uint32_t line)
{
	if (p->lex.tok.line != line && is_debug_label(word))
		count_lines(p, line, line);
}

static int by_number(const void *a, const void *b)
{
	const struct ptx_file *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->declared < y->declared ? -1 : 1;
}

void parse_number_files(struct parser *p)
{
	struct ptx_module *m = p->m;

	if (m->n_files)
		qsort(m->files, m->n_files, sizeof *m->files, by_number);
	m->file_names = arena_array(p->arena, m->n_files, sizeof *m->file_names);
	for (uint32_t i = 0; i < m->n_files; i++)
		m->file_names[i] = m->files[i].name;
}

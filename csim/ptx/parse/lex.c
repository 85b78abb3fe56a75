#include "ptx/parse/lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool at_text(const struct lexer *l, const char *s)
{
	size_t n = strlen(s);

	return (size_t)(l->end - l->p) >= n && !memcmp(l->p, s, n);
}

static void new_line(struct lexer *l)
{
	l->line++;
	l->line_start = l->p + 1;
}

static int fail_here(struct lexer *l, const char *what)
{
	return err_set(l->e, "%s:%u:%u: %s", l->name, l->line, (unsigned)(l->p - l->line_start) + 1, what);
}

static int skip_block_comment(struct lexer *l)
{
	uint32_t line = l->line, col = (uint32_t)(l->p - l->line_start) + 1;

	for (l->p += 2; l->p < l->end; l->p++) {
		if (at_text(l, "*/")) {
			l->p += 2;
			return 0;
		}
		if (*l->p == '\n')
			new_line(l);
	}
	return err_set(l->e, "%s:%u:%u: this comment has no end", l->name, line, col);
}

static void skip_to_line_end(struct lexer *l)
{
	while (l->p < l->end && *l->p != '\n')
		l->p++;
}

static int skip_space(struct lexer *l)
{
	while (l->p < l->end) {
		if (*l->p == '\n') {
			new_line(l);
			l->p++;
		} else if (isspace((unsigned char)*l->p)) {
			l->p++;
		} else if (at_text(l, "//") || (*l->p == '#' && l->p == l->line_start) || at_text(l, "@@DWARF")) {
			skip_to_line_end(l);
		} else if (at_text(l, "/*")) {
			if (skip_block_comment(l) < 0)
				return -1;
		} else {
			break;
		}
	}
	return 0;
}

/* 0f3F800000 and 0d3FF0000000000000. */
static int lex_float_bits(struct lexer *l, unsigned digits, enum token_kind kind)
{
	l->p += 2;
	for (unsigned i = 0; i < digits; i++, l->p++) {
		if (l->p == l->end || !isxdigit((unsigned char)*l->p))
			return fail_here(l, digits == 8 ? "a 0f literal needs 8 hexadecimal digits"
							: "a 0d literal needs 16 hexadecimal digits");
		l->tok.bits = l->tok.bits << 4 |
			      (uint64_t)(isdigit((unsigned char)*l->p) ? *l->p - '0' : (tolower((unsigned char)*l->p) - 'a' + 10));
	}
	l->tok.kind = kind;
	return 0;
}

static int lex_decimal_float(struct lexer *l)
{
	char copy[64];
	char *stop;
	double v;
	size_t n = (size_t)(l->end - l->p) < sizeof copy - 1 ? (size_t)(l->end - l->p) : sizeof copy - 1;

	memcpy(copy, l->p, n);
	copy[n] = 0;
	v = strtod(copy, &stop);
	if (stop == copy + sizeof copy - 1)
		return fail_here(l, "this number is too long");
	memcpy(&l->tok.bits, &v, sizeof v);
	l->tok.kind = TOK_F64;
	l->p += stop - copy;
	return 0;
}

static bool is_decimal_float(const struct lexer *l)
{
	const char *q = l->p;

	while (q < l->end && isdigit((unsigned char)*q))
		q++;
	return q < l->end && (*q == '.' || ((*q == 'e' || *q == 'E') && *l->p != '0'));
}

static int lex_number(struct lexer *l)
{
	unsigned base = 10;

	if (at_text(l, "0f") || at_text(l, "0F"))
		return lex_float_bits(l, 8, TOK_F32);
	if (at_text(l, "0d") || at_text(l, "0D"))
		return lex_float_bits(l, 16, TOK_F64);
	if (at_text(l, "0x") || at_text(l, "0X")) {
		base = 16;
		l->p += 2;
	} else if (at_text(l, "0b") || at_text(l, "0B")) {
		base = 2;
		l->p += 2;
	} else if (is_decimal_float(l)) {
		return lex_decimal_float(l);
	} else if (*l->p == '0') {
		base = 8;
	}
	for (; l->p < l->end && isalnum((unsigned char)*l->p); l->p++) {
		unsigned char c = (unsigned char)*l->p;
		unsigned digit = isdigit(c) ? c - 0u - '0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10 : 99;

		if (c == 'U' || c == 'u') {
			l->p++;
			break;
		}
		if (digit >= base)
			return fail_here(l, "not a digit of this number");
		if (l->tok.bits > (UINT64_MAX - digit) / base)
			return fail_here(l, "this number does not fit in 64 bits");
		l->tok.bits = l->tok.bits * base + digit;
	}
	l->tok.kind = TOK_INT;
	return 0;
}

static void lex_word(struct lexer *l)
{
	bool is_directive = *l->p == '.';

	l->tok.kind = TOK_WORD;
	for (l->p++; l->p < l->end; l->p++) {
		if (is_word_char(*l->p))
			continue;
		if (*l->p == '.' && !is_directive && l->p + 1 < l->end && is_word_char(l->p[1]))
			continue;
		if (at_text(l, "::") && l->p + 2 < l->end && is_word_char(l->p[2])) {
			l->p++;
			continue;
		}
		break;
	}
}

static int lex_string(struct lexer *l)
{
	l->tok.kind = TOK_STRING;
	for (l->p++; l->p < l->end && *l->p != '"'; l->p++)
		if (*l->p == '\n')
			break;
	if (l->p == l->end || *l->p != '"')
		return err_set(l->e, "%s:%u:%u: this string has no end", l->name, l->tok.line, l->tok.col);
	l->p++;
	return 0;
}

int lex_next(struct lexer *l)
{
	int r = 0;

	if (skip_space(l) < 0)
		return -1;
	l->tok = (struct token){TOK_END, l->p, 0, l->line, (uint32_t)(l->p - l->line_start) + 1, 0};
	if (l->p == l->end)
		return 0;
	if (isdigit((unsigned char)*l->p)) {
		r = lex_number(l);
	} else if (*l->p == '"') {
		r = lex_string(l);
	} else if (is_word_char(*l->p) || (*l->p == '.' && l->p + 1 < l->end && is_word_char(l->p[1]))) {
		lex_word(l);
	} else if (strchr("{}[]()<>,;:=+-*/!~@|&.", *l->p) && *l->p) {
		l->tok.kind = TOK_PUNCT;
		l->tok.bits = (unsigned char)*l->p++;
	} else {
		return fail_here(l, "a character that has no place in PTX");
	}
	l->tok.len = (size_t)(l->p - l->tok.at);
	return r;
}

int lex_begin(struct lexer *l, const char *text, size_t bytes, const char *name, struct err *e)
{
	*l = (struct lexer){.name = name, .p = text, .end = text + bytes, .line_start = text, .line = 1, .e = e};
	return lex_next(l);
}

int lex_skip_line(struct lexer *l)
{
	uint32_t line = l->tok.line;

	do {
		if (lex_next(l) < 0)
			return -1;
	} while (l->tok.kind != TOK_END && l->tok.line == line);
	return 0;
}

bool token_is(const struct token *t, const char *s)
{
	return (t->kind == TOK_WORD || t->kind == TOK_PUNCT) && t->len == strlen(s) && !memcmp(t->at, s, t->len);
}

int lex_fail(const struct lexer *l, const char *what)
{
	const struct token *t = &l->tok;
	int shown = t->len > 40 ? 40 : (int)t->len;

	if (t->kind == TOK_END)
		return err_set(l->e, "%s:%u:%u: %s, found the end of the file", l->name, t->line, t->col, what);
	return err_set(l->e, "%s:%u:%u: %s, found \"%.*s\"", l->name, t->line, t->col, what, shown, t->at);
}

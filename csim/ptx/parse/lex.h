/* Tokens of PTX text.
 *
 * A word keeps its dots: "mad.lo.s32", "%tid.x", ".param" and "LBB0_1" are one token each; of ".param.u64" each
 * directive is one. Numbers carry their bits: 0f and 0d literals as the bits of the float they spell. Comments, lines
 * that a preprocessor left (# ...) and old compilers' debug lines
 * (@@DWARF ...) are skipped. Lines and columns count from 1.
 */
#ifndef CSIM_PTX_LEX_H
#define CSIM_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum token_kind { TOK_END, TOK_WORD, TOK_INT, TOK_F32, TOK_F64, TOK_STRING, TOK_PUNCT };

struct token {
	enum token_kind kind;
	const char *at; /* into the text */
	size_t len;
	uint32_t line, col;
	uint64_t bits; /* of a number; the character of a TOK_PUNCT */
};

struct lexer {
	const char *name; /* for messages */
	const char *p, *end, *line_start;
	uint32_t line;
	struct token tok; /* the current one */
	struct err *e;
};

/* Both leave the next token in l->tok. -1: an unreadable character or number (e is filled). */
int lex_begin(struct lexer *l, const char *text, size_t bytes, const char *name, struct err *e);
int lex_next(struct lexer *l);
/* Skips the rest of the current token's line (for .loc and .file, which have no semicolon); what is there must be
 * tokens all the same. */
int lex_skip_line(struct lexer *l);

bool token_is(const struct token *t, const char *s); /* a word or punctuation that reads exactly s */
/* Error at the current token: "NAME:LINE:COL: what, found X". Always -1. */
int lex_fail(const struct lexer *l, const char *what);

#endif

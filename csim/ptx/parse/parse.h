/* What the parser's files share: the state, the scopes of names, and who parses what.
 *
 * parse.c: the module and its functions. parse_decl.c: variables, registers, parameters, initialisers. parse_body.c:
 * the statements of a function. parse_operand.c: their operands. parse_debug.c: what refers to the source. names.c:
 * scopes.
 */
#ifndef CSIM_PTX_PARSE_H
#define CSIM_PTX_PARSE_H

#include <uthash.h>

#include "ptx/parse/ast.h"
#include "ptx/parse/lex.h"

enum name_kind { NAME_REG, NAME_REG_RANGE /* %r<10> */, NAME_VAR, NAME_FUNC, NAME_LABEL };

struct name {
	const char *key;
	enum name_kind kind;
	uint32_t first, count; /* REG, REG_RANGE: register numbers. LABEL: first is the statement's number */
	struct ptx_var *var;
	struct ptx_func *func;
	UT_hash_handle hh;
};

struct scope {
	struct name *names;
	struct scope *up, *next_made;
};

struct label_use {
	struct ptx_operand *operand;
	struct scope *scope;
};

struct parser {
	struct lexer lex;
	struct ptx_module *m;
	struct arena *arena; /* the module's */
	struct scope *scope, *made;
	struct ptx_func *f; /* the function whose body is being read */
	bool is_visible;    /* what is being declared */
	struct ptx_var **vars_end, **func_vars_end;
	struct ptx_func **funcs_end;
	struct ptx_reg *regs; /* of f; these three grow, and move to the arena at the end of the body */
	struct ptx_stmt *stmts;
	struct label_use *uses;
	struct {
		uint32_t file, line;  /* of the last .loc of the function; line 0: there is none */
		uint32_t lines, last; /* that hold debug information: how many so far, and the last one */
		uint32_t cap_files;
	} debug;
	unsigned n_regs, cap_regs, n_stmts, cap_stmts, n_uses, cap_uses;
};

enum { PARSE_MAX_REGS = 60000 }; /* of a function; a trace numbers registers with 16 bits */

#define TRY(x)                                                                                                                     \
	do {                                                                                                                       \
		if ((x) < 0)                                                                                                       \
			return -1;                                                                                                 \
	} while (0)

/* names.c */
void scope_push(struct parser *p);
void scope_pop(struct parser *p);
void scopes_free(struct parser *p);
/* -1: the name is in this scope already. */
int name_add(struct parser *p, const char *key, struct name n);
/* From scope s outwards; a register of a range is found by its prefix and number, which is then in *index. NULL if
 * none. */
const struct name *name_find(const struct scope *s, const char *key, uint32_t *index);
/* The key is a prefix of a range of registers with a number that the range does not have. */
bool name_beyond_range(const struct scope *s, const char *key);
char *parse_text(struct parser *p); /* the current token's text, in the arena */
bool parse_is(const struct parser *p, const char *s);
bool parse_accept(struct parser *p, const char *s, int *failed); /* true: it was there and has been passed */
int parse_expect(struct parser *p, const char *s);
int parse_skip_to_semicolon(struct parser *p);

/* parse_decl.c */
int parse_reg_decl(struct parser *p); /* at ".reg" */
/* At the space's directive (".global", ".shared", ...); ends after the semicolon. */
int parse_var_decl(struct parser *p, bool is_extern);
/* At "(": parameters of a function or entry, up to and past ")". */
int parse_params(struct parser *p, struct ptx_func *f, enum ptx_formal kind);
enum trace_space parse_space(const struct token *t); /* SPACE_NONE if it is none */

/* parse_debug.c: at ".loc", ".file", ".section". */
int parse_loc(struct parser *p);
int parse_file(struct parser *p);
int parse_section(struct parser *p);
/* A label of that name, in that line, has been passed. */
void parse_debug_label(struct parser *p, const char *word, uint32_t line);
/* At the end: puts the module's files in the order of their numbers. */
void parse_number_files(struct parser *p);

/* parse_operand.c; depth: how many it is within. A label is resolved later, where it is kept (parser.uses). */
int parse_operand(struct parser *p, struct ptx_operand *o, unsigned depth);

/* parse_body.c: at "{", to past its "}". */
int parse_body(struct parser *p);

#endif

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/parse/parse.h"

enum { MAX_STATEMENTS = 1 << 20, MAX_DEPTH = 64 /* of { }: a name is sought in each scope outwards */ };

static struct ptx_stmt *stmt_add(struct parser *p)
{
	if (p->n_stmts == p->cap_stmts) {
		p->cap_stmts = p->cap_stmts ? 2 * p->cap_stmts : 64;
		p->stmts = xrealloc(p->stmts, p->cap_stmts * sizeof *p->stmts);
	}
	p->stmts[p->n_stmts] = (struct ptx_stmt){.line = p->lex.tok.line,
						 .col = p->lex.tok.col,
						 .guard = -1,
						 .debug_lines = p->debug.lines,
						 .source_file = p->debug.file,
						 .source_line = p->debug.line};
	return &p->stmts[p->n_stmts];
}

static int parse_guard(struct parser *p, struct ptx_stmt *s)
{
	struct ptx_operand o;

	TRY(lex_next(&p->lex));
	TRY(parse_operand(p, &o, 0));
	if (o.kind != OPD_REG || p->regs[o.reg].type != PT_PRED)
		return err_set(p->lex.e, "%s:%u:%u: a guard must be a predicate register", p->lex.name, o.line, o.col);
	s->guard = (int32_t)o.reg;
	s->guard_negated = o.negated;
	s->line = p->lex.tok.line;
	s->col = p->lex.tok.col;
	if (p->lex.tok.kind != TOK_WORD)
		return lex_fail(&p->lex, "expected an instruction");
	return 0;
}

static int parse_instruction(struct parser *p)
{
	struct ptx_operand opd[8];
	struct ptx_stmt *s;
	unsigned first_use = p->n_uses;
	int failed = 0;

	if (p->n_stmts >= MAX_STATEMENTS)
		return lex_fail(&p->lex, "this function has more than 1048576 instructions");
	s = stmt_add(p);
	if (parse_is(p, "@"))
		TRY(parse_guard(p, s));
	s->opcode = parse_text(p);
	TRY(lex_next(&p->lex));
	while (!parse_is(p, ";")) {
		if (s->n == 8)
			return lex_fail(&p->lex, "too many operands");
		opd[s->n] = (struct ptx_operand){0};
		TRY(parse_operand(p, &opd[s->n++], 0));
		if (!parse_accept(p, ",", &failed))
			break;
		TRY(failed);
	}
	s->opd = arena_array(p->arena, s->n, sizeof *s->opd);
	for (unsigned i = 0; i < s->n; i++) {
		s->opd[i] = opd[i];
		for (unsigned k = first_use; k < p->n_uses; k++)
			if (p->uses[k].operand == &opd[i])
				p->uses[k].operand = &s->opd[i];
	}
	p->n_stmts++;
	return parse_expect(p, ";");
}

static int parse_label_or_instruction(struct parser *p)
{
	struct lexer before = p->lex;
	char *word = parse_text(p);

	TRY(lex_next(&p->lex));
	if (parse_is(p, ":")) {
		if (name_add(p, word, (struct name){.kind = NAME_LABEL, .first = p->n_stmts}) < 0)
			return err_set(p->lex.e, "%s:%u:%u: label %s is there twice", p->lex.name, before.tok.line, before.tok.col,
				       word);
		TRY(lex_next(&p->lex));
		parse_debug_label(p, word, before.tok.line);
		return 0;
	}
	p->lex = before;
	return parse_instruction(p);
}

static int count_words(struct parser *p, unsigned *n)
{
	struct lexer before = p->lex;

	*n = 0;
	while (!parse_is(p, ";")) {
		if (p->lex.tok.kind == TOK_END)
			return lex_fail(&p->lex, "expected \";\"");
		*n += p->lex.tok.kind == TOK_WORD;
		TRY(lex_next(&p->lex));
	}
	p->lex = before;
	return 0;
}

/* At the first of "A, B;": a statement that is no instruction, to which the label of the list leads. */
static int parse_branch_targets(struct parser *p)
{
	struct ptx_stmt *s = stmt_add(p);
	struct ptx_operand *list = arena_alloc(p->arena, sizeof *list);
	unsigned n;
	int failed = 0;

	TRY(count_words(p, &n));
	*list = (struct ptx_operand){.kind = OPD_LIST, .line = s->line, .col = s->col};
	list->elem = arena_array(p->arena, n, sizeof *list->elem);
	do {
		TRY(failed);
		if (list->n_elem == n)
			return lex_fail(&p->lex, "expected a label");
		TRY(parse_operand(p, &list->elem[list->n_elem], 0));
		if (list->elem[list->n_elem++].kind != OPD_LABEL)
			return lex_fail(&p->lex, "expected a label");
	} while (parse_accept(p, ",", &failed));
	s->opcode = PTX_BRANCH_TARGETS;
	s->opd = list;
	s->n = 1;
	p->n_stmts++;
	return parse_expect(p, ";");
}

static int parse_directive(struct parser *p)
{
	if (parse_is(p, ".reg"))
		return parse_reg_decl(p);
	if (parse_is(p, ".loc"))
		return parse_loc(p);
	if (parse_is(p, ".file"))
		return parse_file(p);
	if (parse_is(p, ".pragma") || parse_is(p, ".calltargets") || parse_is(p, ".callprototype"))
		return parse_skip_to_semicolon(p);
	if (parse_is(p, PTX_BRANCH_TARGETS)) {
		TRY(lex_next(&p->lex));
		return parse_branch_targets(p);
	}
	if (parse_space(&p->lex.tok) != SPACE_NONE)
		return parse_var_decl(p, false);
	if (parse_is(p, ".extern")) {
		TRY(lex_next(&p->lex));
		if (parse_space(&p->lex.tok) == SPACE_NONE)
			return lex_fail(&p->lex, "expected a variable");
		return parse_var_decl(p, true);
	}
	return lex_fail(&p->lex, "a directive that cannot be here or is not supported");
}

/* ---- what cannot be read of a body refuses its function, not the file ---- */

/* Keeps the first such thing of a function. `text` begins with "name:line:column: ". */
static void confine(struct parser *p, const char *text, uint32_t line)
{
	size_t name = strlen(p->lex.name) + 1;
	const char *what = strlen(text) > name ? strstr(text + name, ": ") : NULL;

	if (p->f->bad)
		return;
	p->f->bad = arena_strdup(p->arena, what ? what + 2 : text);
	p->f->bad_line = what ? (uint32_t)strtoul(text + name, NULL, 10) : line;
}

/* From the statement's first token to past its semicolon, or to the brace that ends the block it is in. */
static int skip_statement(struct parser *p)
{
	unsigned depth = 0;

	while (depth || (!parse_is(p, ";") && !parse_is(p, "}"))) {
		if (p->lex.tok.kind == TOK_END)
			return lex_fail(&p->lex, "expected \";\"");
		depth += parse_is(p, "{");
		depth -= parse_is(p, "}");
		TRY(lex_next(&p->lex));
	}
	return parse_is(p, ";") ? lex_next(&p->lex) : 0;
}

/* One statement. What is made of readable tokens, but not as PTX is known here, is passed over and noted. */
static int parse_statement(struct parser *p, int (*parse)(struct parser *p))
{
	struct lexer before = p->lex;
	struct err *e = p->lex.e, why = {""};
	unsigned n_uses = p->n_uses, n_stmts = p->n_stmts;
	int r;

	p->lex.e = &why;
	r = parse(p);
	p->lex.e = e;
	if (r == 0)
		return 0;
	p->lex = before;
	p->n_uses = n_uses;
	p->n_stmts = n_stmts;
	confine(p, why.text, before.tok.line);
	return skip_statement(p);
}

/* The word is the last of its sort in the innermost label scope that has it. */
static void resolve_labels(struct parser *p)
{
	for (unsigned i = 0; i < p->n_uses; i++) {
		struct ptx_operand *o = p->uses[i].operand;
		uint32_t index;
		const struct name *n = name_find(p->uses[i].scope, o->word, &index);

		if (n && n->kind == NAME_LABEL) {
			o->reg = n->first;
			continue;
		}
		o->kind = OPD_OTHER;
		if (!p->f->bad) {
			p->f->bad = arena_printf(p->arena, "no register, variable or label is named %s", o->word);
			p->f->bad_line = o->line;
		}
	}
}

static void body_to_arena(struct parser *p)
{
	struct ptx_func *f = p->f;

	f->n_regs = p->n_regs;
	f->n_stmts = p->n_stmts;
	f->regs = arena_array(p->arena, p->n_regs, sizeof *f->regs);
	f->stmts = arena_array(p->arena, p->n_stmts, sizeof *f->stmts);
	if (p->n_regs)
		memcpy(f->regs, p->regs, p->n_regs * sizeof *f->regs);
	memcpy(f->stmts, p->stmts, p->n_stmts * sizeof *f->stmts);
}

/* Whoever runs off the end returns. */
static void end_with_return(struct parser *p)
{
	const struct ptx_stmt *last = p->n_stmts ? &p->stmts[p->n_stmts - 1] : NULL;
	bool open = !last || last->guard >= 0 ||
		    (strncmp(last->opcode, "ret", 3) && strcmp(last->opcode, "exit") && strncmp(last->opcode, "bra", 3));

	for (unsigned i = 0; i < p->n_uses; i++)
		open |= p->uses[i].operand->kind == OPD_LABEL && p->uses[i].operand->reg == p->n_stmts;
	if (!open)
		return;
	stmt_add(p)->opcode = "ret";
	p->n_stmts++;
}

static int parse_nothing(struct parser *p)
{
	return lex_fail(&p->lex, "expected an instruction, a label or a directive");
}

int parse_body(struct parser *p)
{
	unsigned depth = 0;

	do {
		if (parse_is(p, "{")) {
			if (++depth > MAX_DEPTH)
				return lex_fail(&p->lex, "blocks are nested more than 64 deep");
			scope_push(p);
			TRY(lex_next(&p->lex));
		} else if (parse_is(p, "}")) {
			depth--;
			scope_pop(p);
			if (!depth) {
				resolve_labels(p);
				end_with_return(p);
			}
			TRY(lex_next(&p->lex));
		} else if (parse_is(p, "@")) {
			TRY(parse_statement(p, parse_instruction));
		} else if (parse_is(p, ".loc") || parse_is(p, ".file")) { /* lines: no semicolon ends them */
			TRY(parse_directive(p));
		} else if (p->lex.tok.kind == TOK_WORD && p->lex.tok.at[0] == '.') {
			TRY(parse_statement(p, parse_directive));
		} else if (p->lex.tok.kind == TOK_WORD) {
			TRY(parse_statement(p, parse_label_or_instruction));
		} else if (p->lex.tok.kind == TOK_END) {
			return parse_nothing(p);
		} else {
			TRY(parse_statement(p, parse_nothing));
		}
	} while (depth);
	body_to_arena(p);
	return 0;
}

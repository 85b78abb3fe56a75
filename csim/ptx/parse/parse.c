#include "ptx/parse/parse.h"

#include <stdlib.h>
#include <string.h>

static struct ptx_func *func_named(const struct parser *p, const char *name)
{
	uint32_t index;
	const struct name *n = name_find(p->scope, name, &index);

	return n && n->kind == NAME_FUNC ? n->func : NULL;
}

/* Scope that holds the parameters; the body's own scope is inside it. */
static int declare_params(struct parser *p, struct ptx_var *list)
{
	static const struct name var = {.kind = NAME_VAR};

	for (struct ptx_var *v = list; v; v = v->next) {
		struct name n = var;

		n.var = v;
		if (name_add(p, v->name, n) < 0)
			return err_set(p->lex.e, "%s:%u:%u: parameter %s is there twice", p->lex.name, v->line, v->col, v->name);
	}
	return 0;
}

static int parse_count(struct parser *p, const char *expected, uint32_t *n)
{
	TRY(lex_next(&p->lex));
	if (p->lex.tok.kind != TOK_INT || !p->lex.tok.bits)
		return lex_fail(&p->lex, expected);
	*n = p->lex.tok.bits < UINT32_MAX ? (uint32_t)p->lex.tok.bits : UINT32_MAX;
	return lex_next(&p->lex);
}

/* 16  or  16, 4  or  16, 4, 1 */
static int parse_threads(struct parser *p, uint32_t threads[3])
{
	unsigned n = 0;

	threads[1] = threads[2] = 1;
	do {
		TRY(lex_next(&p->lex));
		if (n == 3 || p->lex.tok.kind != TOK_INT || !p->lex.tok.bits || p->lex.tok.bits > UINT32_MAX)
			return lex_fail(&p->lex, "expected one to three numbers of threads");
		threads[n++] = (uint32_t)p->lex.tok.bits;
		TRY(lex_next(&p->lex));
	} while (parse_is(p, ","));
	return 0;
}

/* What may be between the parameters and the body: .maxntid 256, 1, 1 .minnctapersm 2 .noreturn ... */
static int parse_performance_directives(struct parser *p, struct ptx_func *f)
{
	while (!parse_is(p, "{") && !parse_is(p, ";")) {
		if (p->lex.tok.kind != TOK_INT && !parse_is(p, ",") && (p->lex.tok.kind != TOK_WORD || p->lex.tok.at[0] != '.'))
			return lex_fail(&p->lex, "expected \"{\"");
		if (parse_is(p, ".pragma"))
			TRY(parse_skip_to_semicolon(p));
		else if (parse_is(p, ".maxnreg"))
			TRY(parse_count(p, "expected a number of registers", &f->max_registers));
		else if (parse_is(p, ".minnctapersm"))
			TRY(parse_count(p, "expected a number of CTAs", &f->min_ctas));
		else if (parse_is(p, ".maxntid"))
			TRY(parse_threads(p, f->most_threads));
		else if (parse_is(p, ".reqntid"))
			TRY(parse_threads(p, f->exact_threads));
		else
			TRY(lex_next(&p->lex));
	}
	return 0;
}

/* At ".entry" or ".func". */
static int parse_function(struct parser *p)
{
	struct ptx_func *f = arena_alloc(p->arena, sizeof *f), *old;
	int failed = 0;

	f->module = p->m;
	f->is_visible = p->is_visible;
	f->is_entry = parse_is(p, ".entry");
	TRY(lex_next(&p->lex));
	if (!f->is_entry && parse_is(p, "("))
		TRY(parse_params(p, f, FORMAL_RETURN));
	if (p->lex.tok.kind != TOK_WORD)
		return lex_fail(&p->lex, "expected a function's name");
	f->name = parse_text(p);
	f->line = p->lex.tok.line;
	old = func_named(p, f->name);
	if (old && old->has_body)
		return lex_fail(&p->lex, "a second function of this name");
	TRY(lex_next(&p->lex));
	if (parse_is(p, "("))
		TRY(parse_params(p, f, FORMAL_PARAM));
	TRY(parse_performance_directives(p, f));
	if (old) {
		struct ptx_func *next = old->next;

		f->number = old->number;
		f->is_visible |= old->is_visible;
		f->address_taken = old->address_taken;
		*old = *f;
		old->next = next;
		f = old;
	} else {
		f->number = p->m->n_funcs++;
		*p->funcs_end = f;
		p->funcs_end = &f->next;
		if (name_add(p, f->name, (struct name){.kind = NAME_FUNC, .func = f}) < 0)
			return lex_fail(&p->lex, "a variable has this function's name");
	}
	if (parse_accept(p, ";", &failed))
		return failed;
	p->f = f;
	p->func_vars_end = &f->vars;
	p->n_regs = p->n_stmts = p->n_uses = 0;
	p->debug.file = p->debug.line = 0;
	scope_push(p);
	TRY(declare_params(p, f->returns));
	TRY(declare_params(p, f->params));
	TRY(parse_body(p));
	scope_pop(p);
	f->has_body = true;
	p->f = NULL;
	return 0;
}

static int parse_address_size(struct parser *p)
{
	TRY(lex_next(&p->lex));
	if (p->lex.tok.kind != TOK_INT || (p->lex.tok.bits != 32 && p->lex.tok.bits != 64))
		return lex_fail(&p->lex, "expected an address size of 32 or 64");
	p->m->address_bytes = (unsigned)p->lex.tok.bits / 8;
	return lex_next(&p->lex);
}

/* .alias another, function; both are declared. */
static int parse_alias(struct parser *p)
{
	struct ptx_func *func[2];

	TRY(lex_next(&p->lex));
	for (int i = 0; i < 2; i++) {
		func[i] = p->lex.tok.kind == TOK_WORD ? func_named(p, parse_text(p)) : NULL;
		if (!func[i] || func[i]->is_entry || (!i && func[i]->has_body))
			return lex_fail(&p->lex, i ? "expected a function" : "expected a function without a body");
		TRY(lex_next(&p->lex));
		TRY(parse_expect(p, i ? ";" : ","));
	}
	func[0]->alias = func[1] == func[0] ? NULL : func[1];
	return 0;
}

static int parse_top(struct parser *p)
{
	int failed = 0;
	bool is_extern = false;

	for (p->is_visible = false;;) { /* linkage */
		if (parse_accept(p, ".extern", &failed))
			is_extern = true;
		else if (parse_accept(p, ".visible", &failed) || parse_accept(p, ".weak", &failed) ||
			 parse_accept(p, ".common", &failed))
			p->is_visible = true;
		else
			break;
		TRY(failed);
	}
	if (parse_is(p, ".entry") || parse_is(p, ".func"))
		return parse_function(p);
	if (parse_is(p, ".param") || parse_is(p, ".local"))
		return lex_fail(&p->lex, "no such variable can be outside a function");
	if (parse_space(&p->lex.tok) != SPACE_NONE)
		return parse_var_decl(p, is_extern);
	if (parse_is(p, ".version") || parse_is(p, ".target"))
		return lex_skip_line(&p->lex);
	if (parse_is(p, ".file"))
		return parse_file(p);
	if (parse_is(p, ".loc"))
		return parse_loc(p);
	if (parse_is(p, ".address_size"))
		return parse_address_size(p);
	if (parse_is(p, ".section"))
		return parse_section(p);
	if (parse_is(p, ".pragma"))
		return parse_skip_to_semicolon(p);
	if (parse_is(p, ".alias"))
		return parse_alias(p);
	return lex_fail(&p->lex, "expected a directive, a variable or a function");
}

static int parse_all(struct parser *p, const char *text, size_t bytes, struct err *e)
{
	TRY(lex_begin(&p->lex, text, bytes, p->m->name, e));
	if (!parse_is(p, ".version"))
		return lex_fail(&p->lex, "PTX begins with .version");
	while (p->lex.tok.kind != TOK_END)
		TRY(parse_top(p));
	parse_number_files(p);
	return 0;
}

int ptx_parse_module(struct ptx_module *m, const char *text, size_t bytes, struct err *e)
{
	struct parser p = {.m = m, .arena = &m->arena, .vars_end = &m->vars, .funcs_end = &m->funcs};
	int r;

	m->address_bytes = 8;
	scope_push(&p);
	r = parse_all(&p, text, bytes, e);
	scopes_free(&p);
	free(p.regs);
	free(p.stmts);
	free(p.uses);
	return r;
}

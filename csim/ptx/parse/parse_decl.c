#include <string.h>

#include "base/alloc.h"
#include "ptx/parse/parse.h"

static const uint64_t MAX_VAR_BYTES = UINT64_C(1) << 40, MAX_INIT_BYTES = UINT64_C(1) << 28;

enum trace_space parse_space(const struct token *t)
{
	static const struct {
		const char *word;
		enum trace_space space;
	} spaces[] = {
		{".global", SPACE_GLOBAL}, {".const", SPACE_CONST}, {".shared", SPACE_SHARED},
		{".local", SPACE_LOCAL},   {".param", SPACE_PARAM}, {".tex", SPACE_TEX},
	};

	for (unsigned i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
		if (token_is(t, spaces[i].word))
			return spaces[i].space;
	return SPACE_NONE;
}

static int add_reg(struct parser *p, const char *name, enum ptx_type type)
{
	if (p->n_regs >= PARSE_MAX_REGS)
		return lex_fail(&p->lex, "too many registers in this function");
	if (p->n_regs == p->cap_regs) {
		p->cap_regs = p->cap_regs ? 2 * p->cap_regs : 64;
		p->regs = xrealloc(p->regs, p->cap_regs * sizeof *p->regs);
	}
	p->regs[p->n_regs++] = (struct ptx_reg){name, type};
	return 0;
}

/* name, or name<count> */
static int parse_reg_name(struct parser *p, enum ptx_type type)
{
	struct name n = {.kind = NAME_REG, .first = p->n_regs, .count = 1};
	char *text;

	if (p->lex.tok.kind != TOK_WORD)
		return lex_fail(&p->lex, "expected a register's name");
	text = parse_text(p);
	TRY(lex_next(&p->lex));
	if (parse_is(p, "<")) {
		TRY(lex_next(&p->lex));
		if (p->lex.tok.kind != TOK_INT || p->lex.tok.bits > PARSE_MAX_REGS)
			return lex_fail(&p->lex, "expected a number of registers below 60000");
		n.kind = NAME_REG_RANGE;
		n.count = (uint32_t)p->lex.tok.bits;
		for (uint32_t i = 0; i < n.count; i++)
			TRY(add_reg(p, arena_printf(p->arena, "%s%u", text, i), type));
		text = arena_printf(p->arena, "%s<", text);
		TRY(lex_next(&p->lex));
		TRY(parse_expect(p, ">"));
	} else {
		TRY(add_reg(p, text, type));
	}
	if (name_add(p, text, n) < 0)
		return err_set(p->lex.e, "%s:%u:%u: register %s is declared twice", p->lex.name, p->lex.tok.line, p->lex.tok.col,
			       text);
	return 0;
}

static int parse_type(struct parser *p, enum ptx_type *type)
{
	const struct token *t = &p->lex.tok;

	if (t->kind != TOK_WORD || t->at[0] != '.')
		return lex_fail(&p->lex, "expected a type");
	*type = ptx_type_of(t->at + 1, t->len - 1);
	if (token_is(t, ".texref"))
		*type = PT_TEXREF;
	if (token_is(t, ".surfref"))
		*type = PT_SURFREF;
	if (token_is(t, ".samplerref"))
		*type = PT_SAMPLERREF;
	if (*type == PT_NONE)
		return lex_fail(&p->lex, "expected a type");
	return lex_next(&p->lex);
}

int parse_reg_decl(struct parser *p)
{
	enum ptx_type type;
	int failed = 0;

	TRY(lex_next(&p->lex));
	if (parse_is(p, ".v2") || parse_is(p, ".v4"))
		return lex_fail(&p->lex, "registers of vectors are not supported");
	TRY(parse_type(p, &type));
	do
		TRY(parse_reg_name(p, type));
	while (parse_accept(p, ",", &failed) && !failed);
	TRY(failed);
	return parse_expect(p, ";");
}

static bool is_opaque(const struct token *t)
{
	return token_is(t, ".texref") || token_is(t, ".samplerref") || token_is(t, ".surfref");
}

/* To past the next mark `close`. */
static int skip_past(struct parser *p, const char *close)
{
	while (!parse_is(p, close) && p->lex.tok.kind != TOK_END)
		TRY(lex_next(&p->lex));
	return parse_expect(p, close);
}

/* [.align N] [.v2|.v4] .type [.ptr [.space] [.align N]]; a variable's type, *vector elements each. */
static int parse_var_type(struct parser *p, struct ptx_var *v, unsigned *vector)
{
	*vector = 1;
	for (;;) {
		const struct token *t = &p->lex.tok;

		if (parse_is(p, ".align")) {
			TRY(lex_next(&p->lex));
			if (t->kind != TOK_INT || !t->bits || t->bits > 4096 || (t->bits & (t->bits - 1)))
				return lex_fail(&p->lex, "expected an alignment: a power of two up to 4096");
			if (v->type == PT_NONE) /* after the type it is that of what a pointer points to */
				v->align = (uint32_t)t->bits;
			TRY(lex_next(&p->lex));
		} else if (parse_is(p, ".v2") || parse_is(p, ".v4")) {
			*vector = t->at[2] == '2' ? 2 : 4;
			TRY(lex_next(&p->lex));
		} else if (parse_is(p, ".attribute")) { /* .attribute(.managed) */
			TRY(skip_past(p, ")"));
		} else if (v->type == PT_NONE) {
			TRY(parse_type(p, &v->type));
		} else if (parse_is(p, ".ptr") || parse_space(t) != SPACE_NONE || is_opaque(t)) {
			TRY(lex_next(&p->lex));
		} else {
			break;
		}
	}
	if (v->type == PT_PRED)
		return lex_fail(&p->lex, "a predicate cannot be in memory");
	return 0;
}

/* Dimensions after the name. */
static int parse_dims(struct parser *p, struct ptx_var *v)
{
	while (parse_is(p, "[")) {
		const struct token *t = &p->lex.tok;
		uint64_t n = 0;

		v->is_array = true;
		TRY(lex_next(&p->lex));
		if (t->kind == TOK_INT) {
			n = t->bits;
			TRY(lex_next(&p->lex));
		}
		if (n && v->bytes > MAX_VAR_BYTES / n)
			return lex_fail(&p->lex, "this variable is larger than 2^40 bytes");
		v->bytes *= n;
		TRY(parse_expect(p, "]"));
	}
	return 0;
}

/* The room that init_put has taken for n bytes. */
static uint64_t init_room(uint64_t n)
{
	uint64_t room = 64;

	while (room < n)
		room *= 2;
	return n ? room : 0;
}

static int init_put(struct parser *p, struct ptx_var *v, uint64_t at, uint64_t bits, unsigned bytes)
{
	if (at + bytes > MAX_INIT_BYTES)
		return lex_fail(&p->lex, "this initialiser is too long");
	if (at + bytes > init_room(v->init_bytes)) {
		uint8_t *grown = arena_alloc(p->arena, init_room(at + bytes));

		if (v->init)
			memcpy(grown, v->init, v->init_bytes);
		v->init = grown;
	}
	if (at + bytes > v->init_bytes)
		v->init_bytes = at + bytes;
	memcpy(v->init + at, &bits, bytes);
	return 0;
}

/* A float's bits in the width of an element; integers as they are. */
static uint64_t init_bits(const struct token *t, enum ptx_type type, bool negative)
{
	uint64_t bits = t->bits;
	double d;
	float f;

	if (t->kind == TOK_F64 && type == PT_F32) {
		memcpy(&d, &bits, sizeof d);
		f = (float)d;
		bits = 0;
		memcpy(&bits, &f, sizeof f);
	}
	if (!negative)
		return bits;
	if (t->kind == TOK_INT)
		return 0 - bits;
	return bits ^ (type == PT_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63);
}

/* An address: name, name+4, generic(name)+4; of it, `bytes` bytes from bit `shift` on. */
static int parse_init_address(struct parser *p, struct ptx_var *v, uint64_t at, unsigned bytes, unsigned shift)
{
	int failed = 0;
	bool generic = parse_accept(p, "generic", &failed);
	const struct name *n;
	struct ptx_reloc *r;
	uint32_t index;

	TRY(failed);
	if (generic)
		TRY(parse_expect(p, "("));
	n = p->lex.tok.kind == TOK_WORD ? name_find(p->scope, parse_text(p), &index) : NULL;
	if (!n ||
	    (n->kind != NAME_FUNC && (n->kind != NAME_VAR || (n->var->space != SPACE_GLOBAL && n->var->space != SPACE_CONST))))
		return lex_fail(&p->lex, "expected a number or the name of a .global or .const variable");
	TRY(lex_next(&p->lex));
	if (generic)
		TRY(parse_expect(p, ")"));
	r = arena_alloc(p->arena, sizeof *r);
	*r = (struct ptx_reloc){v->relocs, n->var, n->func, at, 0, bytes, shift};
	v->relocs = r;
	if (n->func)
		n->func->address_taken = true;
	if (parse_accept(p, "+", &failed)) {
		r->add = p->lex.tok.bits;
		if (p->lex.tok.kind != TOK_INT)
			return lex_fail(&p->lex, "expected an offset");
		TRY(lex_next(&p->lex));
	}
	TRY(failed);
	return init_put(p, v, at, 0, bytes);
}

/* A number; or a byte of an address: 0xFF00(name) */
static int parse_init_number(struct parser *p, struct ptx_var *v, uint64_t at, bool negative)
{
	unsigned bytes = ptx_type_bytes(v->type);
	struct token t = p->lex.tok;
	int failed = 0;

	TRY(lex_next(&p->lex));
	if (!parse_accept(p, "(", &failed))
		return init_put(p, v, at, init_bits(&t, v->type, negative), bytes > 8 ? 8 : bytes);
	TRY(failed);
	if (t.kind != TOK_INT || negative || bytes != 1 || !t.bits || t.bits != UINT64_C(0xff) << __builtin_ctzll(t.bits))
		return lex_fail(&p->lex, "only single bytes of an address can be taken");
	TRY(parse_init_address(p, v, at, 1, (unsigned)__builtin_ctzll(t.bits)));
	return parse_expect(p, ")");
}

/* A value, or { values }, nested; *at: the byte where the next one goes. */
static int parse_init(struct parser *p, struct ptx_var *v, uint64_t *at, unsigned depth)
{
	unsigned bytes = ptx_type_bytes(v->type);
	int failed = 0;
	bool negative;

	if (depth > 16)
		return lex_fail(&p->lex, "this initialiser is nested too deeply");
	if (parse_accept(p, "{", &failed)) {
		TRY(failed);
		while (!parse_is(p, "}")) {
			TRY(parse_init(p, v, at, depth + 1));
			if (!parse_accept(p, ",", &failed))
				break;
			TRY(failed);
		}
		return parse_expect(p, "}");
	}
	if (v->bytes && *at + bytes > v->bytes)
		return lex_fail(&p->lex, "more initial values than the variable has elements");
	negative = parse_accept(p, "-", &failed);
	TRY(failed);
	if (p->lex.tok.kind == TOK_WORD) {
		if (bytes < 4)
			return lex_fail(&p->lex, "an address does not fit here");
		TRY(parse_init_address(p, v, *at, bytes, 0));
	} else if (p->lex.tok.kind == TOK_INT || p->lex.tok.kind == TOK_F32 || p->lex.tok.kind == TOK_F64) {
		TRY(parse_init_number(p, v, *at, negative));
	} else {
		return lex_fail(&p->lex, "expected an initial value");
	}
	*at += bytes;
	return 0;
}

static struct ptx_var *var_new(struct parser *p, enum trace_space space)
{
	struct ptx_var *v = arena_alloc(p->arena, sizeof *v);

	v->space = space;
	v->line = p->lex.tok.line;
	v->col = p->lex.tok.col;
	v->memory_index = -1;
	return v;
}

/* The name and what follows it, for a variable whose type is known. */
static int parse_var_name(struct parser *p, struct ptx_var *v, unsigned vector)
{
	uint64_t at = 0;
	int failed = 0;

	if (p->lex.tok.kind != TOK_WORD)
		return lex_fail(&p->lex, "expected a variable's name");
	v->line = p->lex.tok.line;
	v->col = p->lex.tok.col;
	v->name = parse_text(p);
	v->bytes = (uint64_t)ptx_type_bytes(v->type) * vector;
	if (!v->align)
		v->align = (uint32_t)v->bytes;
	TRY(lex_next(&p->lex));
	if (parse_is(p, "<"))
		return lex_fail(&p->lex, "numbered variables are not supported");
	TRY(parse_dims(p, v));
	if (parse_accept(p, "=", &failed)) {
		TRY(failed);
		if (v->type >= PT_TEXREF) { /* modes: { addr_mode_0 = wrap, ... } */
			v->has_modes = true;
			return skip_past(p, "}");
		}
		TRY(parse_init(p, v, &at, 0));
		if (v->is_array && !v->bytes)
			v->bytes = at;
	}
	return failed;
}

static int declare_var(struct parser *p, struct ptx_var *v)
{
	uint32_t index;
	const struct name *old;

	if (name_add(p, v->name, (struct name){.kind = NAME_VAR, .var = v}) == 0)
		return 0;
	old = name_find(p->scope, v->name, &index);
	/* A module may declare an extern variable and define it later, or twice alike. */
	if (old && old->kind == NAME_VAR && (old->var->is_extern || v->is_extern) && !p->f) {
		if (old->var->is_extern && !v->is_extern) {
			struct ptx_var *next = old->var->next;

			*old->var = *v;
			old->var->next = next;
		}
		return 1;
	}
	return err_set(p->lex.e, "%s:%u:%u: %s is declared twice", p->lex.name, v->line, v->col, v->name);
}

int parse_var_decl(struct parser *p, bool is_extern)
{
	enum trace_space space = parse_space(&p->lex.tok);
	struct ptx_var *first = var_new(p, space), *v = first;
	unsigned vector;
	int failed = 0, r;

	TRY(lex_next(&p->lex));
	TRY(parse_var_type(p, first, &vector));
	for (;;) {
		v->is_extern = is_extern;
		v->is_visible = !p->f && p->is_visible;
		v->in_func = p->f != NULL;
		TRY(parse_var_name(p, v, vector));
		TRY(r = declare_var(p, v));
		if (r == 0) {
			struct ptx_var ***end = p->f ? &p->func_vars_end : &p->vars_end;

			**end = v;
			*end = &v->next;
		}
		if (!parse_accept(p, ",", &failed))
			break;
		TRY(failed);
		v = var_new(p, space);
		v->type = first->type;
		v->align = first->align;
	}
	return parse_expect(p, ";");
}

/* .param .u64 name | .param .align 8 .b8 name[24] | .reg .u32 name */
static int parse_param(struct parser *p, struct ptx_func *f, struct ptx_var *v)
{
	unsigned vector;

	if (parse_is(p, ".reg"))
		v->space = SPACE_NONE;
	else if (!parse_is(p, ".param"))
		return lex_fail(&p->lex, "expected \".param\"");
	TRY(lex_next(&p->lex));
	TRY(parse_var_type(p, v, &vector));
	TRY(parse_var_name(p, v, vector));
	if (f->is_entry) {
		uint64_t at = ((uint64_t)f->param_bytes + v->align - 1) / v->align * v->align;

		if (v->space != SPACE_PARAM || !v->bytes || at + v->bytes > 32768)
			return err_set(p->lex.e, "%s:%u:%u: parameter %s is not one of a kernel, or they exceed 32768 bytes",
				       p->lex.name, v->line, v->col, v->name);
		v->address = at;
		f->param_bytes = (uint32_t)(at + v->bytes);
	}
	return 0;
}

int parse_params(struct parser *p, struct ptx_func *f, enum ptx_formal kind)
{
	struct ptx_var **list = kind == FORMAL_RETURN ? &f->returns : &f->params;
	unsigned *n = kind == FORMAL_RETURN ? &f->n_returns : &f->n_params;
	int failed = 0;

	TRY(parse_expect(p, "("));
	*n = 0;
	*list = NULL;
	while (!parse_is(p, ")")) {
		struct ptx_var *v = var_new(p, SPACE_PARAM);

		TRY(parse_param(p, f, v));
		v->in_func = true;
		v->formal = kind;
		v->position = (*n)++;
		*list = v;
		list = &v->next;
		if (!parse_accept(p, ",", &failed))
			break;
		TRY(failed);
	}
	return parse_expect(p, ")");
}

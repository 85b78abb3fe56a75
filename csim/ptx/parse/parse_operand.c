#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/parse/parse.h"

enum { MAX_ELEMENTS = 64 };

static const struct {
	const char *name;
	enum ptx_special special;
} specials[] = {
	{"%tid.x", SPECIAL_TID_X},
	{"%tid.y", SPECIAL_TID_Y},
	{"%tid.z", SPECIAL_TID_Z},
	{"%ntid.x", SPECIAL_NTID_X},
	{"%ntid.y", SPECIAL_NTID_Y},
	{"%ntid.z", SPECIAL_NTID_Z},
	{"%ctaid.x", SPECIAL_CTAID_X},
	{"%ctaid.y", SPECIAL_CTAID_Y},
	{"%ctaid.z", SPECIAL_CTAID_Z},
	{"%nctaid.x", SPECIAL_NCTAID_X},
	{"%nctaid.y", SPECIAL_NCTAID_Y},
	{"%nctaid.z", SPECIAL_NCTAID_Z},
	{"%laneid", SPECIAL_LANEID},
	{"%warpid", SPECIAL_WARPID},
	{"%nwarpid", SPECIAL_NWARPID},
	{"%lanemask_eq", SPECIAL_LANEMASK_EQ},
	{"%lanemask_le", SPECIAL_LANEMASK_LE},
	{"%lanemask_lt", SPECIAL_LANEMASK_LT},
	{"%lanemask_ge", SPECIAL_LANEMASK_GE},
	{"%lanemask_gt", SPECIAL_LANEMASK_GT},
	{"%dynamic_smem_size", SPECIAL_DYNAMIC_SMEM},
	{"%total_smem_size", SPECIAL_TOTAL_SMEM},
	{"%smid", SPECIAL_SMID},
	{"%nsmid", SPECIAL_NSMID},
	{"%gridid", SPECIAL_GRIDID},
	{"%clock", SPECIAL_CLOCK},
	{"%clock_hi", SPECIAL_CLOCK_HI},
	{"%clock64", SPECIAL_CLOCK64},
	{"%globaltimer", SPECIAL_TIMER},
	{"%globaltimer_lo", SPECIAL_TIMER_LO},
	{"%globaltimer_hi", SPECIAL_TIMER_HI},
	{"%envreg1", SPECIAL_GRID_SPACE_HI},
	{"%envreg2", SPECIAL_GRID_SPACE_LO},
	{"%reserved_smem_offset_1", SPECIAL_RESERVED_SMEM},
};

static int use_label(struct parser *p, struct ptx_operand *o)
{
	if (p->n_uses == p->cap_uses) {
		p->cap_uses = p->cap_uses ? 2 * p->cap_uses : 32;
		p->uses = xrealloc(p->uses, p->cap_uses * sizeof *p->uses);
	}
	p->uses[p->n_uses++] = (struct label_use){o, p->scope};
	o->kind = OPD_LABEL;
	return 0;
}

/* %envreg0 to %envreg31: what a driver passes to a kernel; here nothing but the space that grids synchronise by. */
static bool is_envreg(const char *word)
{
	char *end;

	return !strncmp(word, "%envreg", 7) && word[7] >= '0' && word[7] <= '9' && strtoul(word + 7, &end, 10) < 32 && !*end;
}

/* Cuts the selector of a video instruction's operand (.b0 to .b3, .h0, .h1) off the name and notes it. */
static bool video_part(struct parser *p, struct ptx_operand *o)
{
	size_t n = strlen(o->word);
	const char *dot = n > 3 ? o->word + n - 3 : "";
	bool byte = dot[0] == '.' && dot[1] == 'b' && dot[2] >= '0' && dot[2] <= '3';
	bool half = dot[0] == '.' && dot[1] == 'h' && dot[2] >= '0' && dot[2] <= '1';

	if (!byte && !half)
		return false;
	o->word = arena_printf(p->arena, "%.*s", (int)(n - 3), o->word);
	o->part = (uint8_t)((byte ? PART_BYTE : PART_HALF) + (dot[2] - '0'));
	return true;
}

static int resolve_word(struct parser *p, struct ptx_operand *o)
{
	const struct name *n;
	uint32_t index = 0;

	for (unsigned i = 0; i < sizeof specials / sizeof specials[0]; i++) {
		if (!strcmp(specials[i].name, o->word)) {
			o->kind = OPD_SPECIAL;
			o->reg = specials[i].special;
			return 0;
		}
	}
	if (is_envreg(o->word)) {
		o->kind = OPD_SPECIAL;
		o->reg = SPECIAL_ZERO;
		return 0;
	}
	n = name_find(p->scope, o->word, &index);
	if (!n && video_part(p, o)) /* %r1.b0: the name without its selector */
		n = name_find(p->scope, o->word, &index);
	if (n && (n->kind == NAME_REG || n->kind == NAME_REG_RANGE)) {
		o->kind = OPD_REG;
		o->reg = index;
	} else if (n && n->kind == NAME_VAR) {
		o->kind = OPD_VAR;
		o->var = n->var;
	} else if (n && n->kind == NAME_FUNC) {
		o->kind = OPD_FUNC;
		o->func = n->func;
	} else if (!strcmp(o->word, "WARP_SZ")) {
		o->kind = OPD_IMM;
		o->bits = 32;
	} else if (o->word[0] == '%') {
		/* A special register that a functional run cannot answer (%clock64), or one of a later PTX: refuses its
		 * kernel only. */
		if (name_beyond_range(p->scope, o->word))
			return lex_fail(&p->lex, "no register of this name");
		o->kind = OPD_OTHER;
	} else {
		return use_label(p, o);
	}
	return 0;
}

/* Elements up to `close`, which is passed; the opening mark has been. */
static int parse_elements(struct parser *p, struct ptx_operand *o, const char *close, unsigned depth)
{
	struct ptx_operand elem[MAX_ELEMENTS];
	int failed = 0;

	memset(elem, 0, sizeof elem);
	while (!parse_is(p, close)) {
		if (o->n_elem == MAX_ELEMENTS)
			return lex_fail(&p->lex, "too many elements");
		TRY(parse_operand(p, &elem[o->n_elem++], depth + 1));
		if (!parse_accept(p, ",", &failed))
			break;
		TRY(failed);
	}
	o->elem = arena_array(p->arena, o->n_elem, sizeof *o->elem);
	if (o->n_elem)
		memcpy(o->elem, elem, o->n_elem * sizeof *elem);
	/* label uses were noted at the copies: none can be here */
	for (unsigned i = 0; i < o->n_elem; i++)
		if (elem[i].kind == OPD_LABEL)
			return err_set(p->lex.e, "%s:%u:%u: no register or variable is named %s", p->lex.name, elem[i].line,
				       elem[i].col, elem[i].word);
	return parse_expect(p, close);
}

static int parse_number(struct parser *p, struct ptx_operand *o, bool negative)
{
	const struct token *t = &p->lex.tok;

	o->kind = OPD_IMM;
	o->bits = t->bits;
	o->number_kind = t->kind == TOK_F32 ? NUMBER_F32 : t->kind == TOK_F64 ? NUMBER_F64 : NUMBER_INT;
	if (negative && t->kind == TOK_INT)
		o->bits = 0 - o->bits;
	else if (negative)
		o->bits ^= t->kind == TOK_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
	return lex_next(&p->lex);
}

/* "+4", "+-4", "-4" after an address or a variable. */
static int parse_offset(struct parser *p, int64_t *offset)
{
	int failed = 0;
	bool plus = parse_accept(p, "+", &failed), minus;

	TRY(failed);
	minus = parse_accept(p, "-", &failed);
	TRY(failed);
	if (!plus && !minus)
		return 0;
	if (p->lex.tok.kind != TOK_INT)
		return lex_fail(&p->lex, "expected an offset");
	*offset = (int64_t)(minus ? 0 - p->lex.tok.bits : p->lex.tok.bits);
	return lex_next(&p->lex);
}

/* What follows the texture in [texture, {coordinates}], [texture, sampler, {coordinates}] */
static int parse_texture(struct parser *p, struct ptx_operand *o, unsigned depth)
{
	struct ptx_operand *elem = arena_array(p->arena, 4, sizeof *elem);
	int failed = 0;

	elem[0] = *o->elem;
	o->kind = OPD_TEXTURE;
	o->elem = elem;
	while (parse_accept(p, ",", &failed)) {
		TRY(failed);
		if (o->n_elem == 4)
			return lex_fail(&p->lex, "too many elements");
		TRY(parse_operand(p, &elem[o->n_elem++], depth + 1));
	}
	return failed;
}

static int parse_address(struct parser *p, struct ptx_operand *o, unsigned depth)
{
	o->kind = OPD_ADDR;
	o->n_elem = 1;
	o->elem = arena_alloc(p->arena, sizeof *o->elem);
	TRY(parse_operand(p, o->elem, depth + 1));
	if (o->elem->kind == OPD_VAR) {
		o->offset = o->elem->offset;
		o->elem->offset = 0;
	} else if (o->elem->kind == OPD_REG) {
		TRY(parse_offset(p, &o->offset));
	} else if (o->elem->kind != OPD_IMM) {
		return lex_fail(&p->lex, "expected an address: a register, a variable or a number");
	}
	if (parse_is(p, ","))
		TRY(parse_texture(p, o, depth));
	return parse_expect(p, "]");
}

/* d|p: what was read becomes the first of two, if a mark follows. */
static int parse_second(struct parser *p, struct ptx_operand *o, unsigned depth)
{
	struct ptx_operand first = *o;
	int failed = 0;

	if (!parse_accept(p, "|", &failed))
		return 0;
	TRY(failed);
	*o = (struct ptx_operand){.kind = OPD_PAIR, .line = first.line, .col = first.col, .n_elem = 2};
	o->elem = arena_array(p->arena, 2, sizeof *o->elem);
	o->elem[0] = first;
	return parse_operand(p, &o->elem[1], depth + 1);
}

static int parse_word_operand(struct parser *p, struct ptx_operand *o, unsigned depth)
{
	o->word = parse_text(p);
	if (parse_is(p, "_"))
		o->kind = OPD_SINK;
	else
		TRY(resolve_word(p, o));
	TRY(lex_next(&p->lex));
	if (o->kind == OPD_VAR)
		TRY(parse_offset(p, &o->offset));
	if (parse_is(p, "|") && o->kind != OPD_REG && o->kind != OPD_SINK)
		return lex_fail(&p->lex, "only registers can be paired by \"|\"");
	return parse_second(p, o, depth);
}

int parse_operand(struct parser *p, struct ptx_operand *o, unsigned depth)
{
	int failed = 0;
	bool negative;

	*o = (struct ptx_operand){.line = p->lex.tok.line, .col = p->lex.tok.col};
	if (depth > 4)
		return lex_fail(&p->lex, "operands are nested too deeply");
	if (parse_accept(p, "{", &failed)) {
		TRY(failed);
		o->kind = OPD_VECTOR;
		TRY(parse_elements(p, o, "}", depth));
		return parse_second(p, o, depth);
	}
	if (parse_accept(p, "(", &failed)) {
		TRY(failed);
		o->kind = OPD_LIST;
		return parse_elements(p, o, ")", depth);
	}
	if (parse_accept(p, "[", &failed)) {
		TRY(failed);
		return parse_address(p, o, depth);
	}
	o->negated = parse_accept(p, "!", &failed);
	negative = !o->negated && parse_accept(p, "-", &failed);
	TRY(failed);
	if (p->lex.tok.kind == TOK_INT || p->lex.tok.kind == TOK_F32 || p->lex.tok.kind == TOK_F64)
		return parse_number(p, o, negative);
	if (p->lex.tok.kind != TOK_WORD || negative)
		return lex_fail(&p->lex, "expected an operand");
	return parse_word_operand(p, o, depth);
}

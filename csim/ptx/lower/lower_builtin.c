/* Functions that nobody defines and the executor does: vprintf, __assertfail, malloc, free. */
#include <string.h>

#include "ptx/lower/lower.h"

static const struct builtin {
	const char *name;
	enum insn_kind kind;
	unsigned n_params, n_read; /* read: the first ones */
	uint64_t bytes[4], result; /* result: bytes, 0: none */
} builtins[] = {
	{"vprintf", INSN_PRINTF, 2, 2, {8, 8}, 4},	      /* format, arguments */
	{"__assertfail", INSN_ASSERT, 5, 4, {8, 8, 4, 8}, 0}, /* what, file, line, function, size of a character */
	{"malloc", INSN_MALLOC, 1, 1, {8}, 8},
	{"free", INSN_FREE, 1, 1, {8}, 0},
};

static const struct builtin *builtin_of(const struct ptx_stmt *call)
{
	const struct ptx_func *f = strncmp(call->opcode, "call", 4) ? NULL : lower_callee(call);

	for (unsigned i = 0; f && !f->has_body && i < sizeof builtins / sizeof builtins[0]; i++)
		if (!strcmp(builtins[i].name, f->name))
			return &builtins[i];
	return NULL;
}

bool lower_is_builtin(const struct ptx_stmt *call)
{
	return builtin_of(call) != NULL;
}

/* A variable of the caller's own parameter space; its offset in the frame. */
static uint64_t frame_location(struct lower *w, const struct ptx_operand *list, unsigned k, uint64_t bytes)
{
	const struct ptx_operand *o = list->kind == OPD_LIST && k < list->n_elem ? &list->elem[k] : NULL;
	uint64_t offset = 0;

	if (!o || o->kind != OPD_VAR || o->var->bytes != bytes || lower_location(w, w->f->in, o->var, &offset) != SPACE_PARAM ||
	    offset < PARAM_FRAME)
		lower_complain(w, "its parameters are not .param variables of the right sizes");
	return offset - PARAM_FRAME;
}

/* call {(result),} name, (parameters) */
void lower_builtin(struct lower *w)
{
	const struct builtin *b = builtin_of(w->f->s);
	const struct ptx_operand *o = w->f->s->opd, *params = &o[b->result ? 2 : 1];
	struct print_op p = {{0}, 0};

	if (w->f->s->n != (b->result ? 3u : 2u) || params->kind != OPD_LIST || params->n_elem != b->n_params) {
		lower_complain(w, "it does not have the parameters and the result that CUDA declares");
		return;
	}
	for (unsigned k = 0; k < b->n_read; k++)
		p.param[k] = frame_location(w, params, k, b->bytes[k]);
	if (b->result)
		p.result = frame_location(w, &o[0], 0, b->result);
	w->k->module->uses_heap |= b->kind == INSN_MALLOC || b->kind == INSN_FREE;
	w->i->kind = (uint8_t)b->kind;
	*(struct print_op *)APPEND(w, w->k->prints, w->k->n_prints) = p;
	w->i->aux = w->k->n_prints - 1;
}

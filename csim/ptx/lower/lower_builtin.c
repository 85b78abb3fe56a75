/* Functions that the executor does: vprintf and __assertfail. */
#include <string.h>

#include "ptx/lower/lower.h"

static bool is_call_of(const struct ptx_stmt *call, const char *name)
{
	const struct ptx_func *f = strncmp(call->opcode, "call", 4) ? NULL : lower_callee(call);

	return f && !f->has_body && !strcmp(f->name, name);
}

bool lower_is_builtin(const struct ptx_stmt *call)
{
	return is_call_of(call, "vprintf") || is_call_of(call, "__assertfail");
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

/* call (result), vprintf, (format, arguments); call __assertfail, (what, file, line, function, size of a character) */
void lower_builtin(struct lower *w)
{
	static const uint64_t print_bytes[] = {8, 8}, assert_bytes[] = {8, 8, 4, 8};
	bool is_assert = is_call_of(w->f->s, "__assertfail");
	const struct ptx_operand *o = w->f->s->opd, *params = &o[is_assert ? 1 : 2];
	struct print_op p = {{0}, 0};

	if (w->f->s->n != (is_assert ? 2 : 3) || params->kind != OPD_LIST || params->n_elem != (is_assert ? 5 : 2)) {
		lower_complain(w, "it does not have the parameters and the result that CUDA declares");
		return;
	}
	for (unsigned k = 0; k < (is_assert ? 4 : 2); k++)
		p.param[k] = frame_location(w, params, k, is_assert ? assert_bytes[k] : print_bytes[k]);
	if (!is_assert)
		p.result = frame_location(w, &o[0], 0, 4);
	w->i->kind = is_assert ? INSN_ASSERT : INSN_PRINTF;
	*(struct print_op *)APPEND(w, w->k->prints, w->k->n_prints) = p;
	w->i->aux = w->k->n_prints - 1;
}

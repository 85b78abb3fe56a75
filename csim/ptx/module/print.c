/* ptx_print: will my kernel run? */
#include "ptx/lower/insn.h"
#include "ptx/ptx.h"

static void print_params(const struct ptx_func *f, FILE *to)
{
	int width = 4, i = 0;

	for (const struct ptx_var *v = f->params; v; v = v->next) {
		int n = snprintf(NULL, 0, "%s", v->name);

		width = n > width ? n : width;
	}
	for (const struct ptx_var *v = f->params; v; v = v->next)
		fprintf(to, "  param %-2d  %-*s  %-4s  %5u bytes at offset %u\n", i++, width, v->name, ptx_type_name(v->type),
			(unsigned)v->bytes, (unsigned)v->address);
}

static bool has_dynamic_shared(const struct ptx_module *m)
{
	for (const struct ptx_var *v = m->vars; v; v = v->next)
		if (v->space == SPACE_SHARED && !v->bytes)
			return true;
	return false;
}

static void print_complaint(const struct ptx_kernel *k, const struct ptx_complaint *c, FILE *to)
{
	fprintf(to, "  %s:%u: not supported: %s%s%s\n", k->module->name, c->line, c->opcode ? c->opcode : "", c->opcode ? ": " : "",
		c->why);
}

static void print_kernel(const struct ptx_kernel *k, bool dynamic_shared, FILE *to)
{
	const struct trace_kernel *t = &k->trace;

	fprintf(to, "%s:%u: kernel %s\n", k->module->name, k->func->line, k->func->name);
	print_params(k->func, to);
	fprintf(to, "  registers     %6u  32-bit, estimated (%u names in the text)\n", t->regs_per_thread, t->n_regs);
	fprintf(to, "  shared        %6u  bytes a CTA%s\n", t->shared_bytes,
		dynamic_shared ? ", and what a launch adds for the module's extern arrays" : "");
	fprintf(to, "  local         %6u  bytes a thread\n", t->local_bytes);
	fprintf(to, "  instructions  %6u\n", k->n_statements);
	for (unsigned i = 0; i < k->n_complaints; i++)
		print_complaint(k, &k->complaints[i], to);
}

unsigned ptx_print(const struct ptx_module *m, FILE *to)
{
	bool dynamic_shared = has_dynamic_shared(m);
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_kernels; i++) {
		print_kernel(m->kernels[i], dynamic_shared, to);
		n += m->kernels[i]->n_complaints;
	}
	if (!m->n_kernels)
		fprintf(to, "%s: no kernel\n", m->name);
	return n;
}

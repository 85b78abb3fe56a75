/* ptx_print: will my kernel run? */
#include "ptx/insn.h"
#include "ptx/ptx.h"

static void print_params(const struct ptx_kernel *k, FILE *to)
{
	int width = 4;

	for (unsigned i = 0; i < ptx_n_params(k); i++) {
		int n = snprintf(NULL, 0, "%s", ptx_param_at(k, i).name);

		width = n > width ? n : width;
	}
	for (unsigned i = 0; i < ptx_n_params(k); i++) {
		struct ptx_param p = ptx_param_at(k, i);

		fprintf(to, "  param %-2u  %-*s  %-4s  %5u bytes at offset %u\n", i, width, p.name, p.type, p.bytes, p.offset);
	}
}

static bool has_dynamic_shared(const struct ptx_kernel *k)
{
	for (const struct ptx_var *v = k->module->vars; v; v = v->next)
		if (v->space == SPACE_SHARED && !v->bytes)
			return true;
	return false;
}

static void print_kernel(const struct ptx_kernel *k, FILE *to)
{
	const struct trace_kernel *t = &k->trace;

	fprintf(to, "%s:%u: kernel %s\n", k->module->name, k->func->line, k->func->name);
	print_params(k, to);
	fprintf(to, "  registers     %6u  32-bit, alive at once (%u names in the text)\n", t->regs_per_thread, t->n_regs);
	fprintf(to, "  shared        %6u  bytes a CTA%s\n", t->shared_bytes,
		has_dynamic_shared(k) ? ", and what a launch adds for the module's extern arrays" : "");
	fprintf(to, "  local         %6u  bytes a thread\n", t->local_bytes);
	fprintf(to, "  instructions  %6u\n", k->n_statements);
	for (unsigned i = 0; i < k->n_complaints; i++)
		fprintf(to, "  %s:%u: not supported: %s: %s\n", k->module->name, k->complaints[i].line, k->complaints[i].opcode,
			k->complaints[i].why);
}

unsigned ptx_print(const struct ptx_module *m, FILE *to)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_kernels; i++) {
		print_kernel(m->kernels[i], to);
		n += m->kernels[i]->n_complaints;
	}
	if (!m->n_kernels)
		fprintf(to, "%s: no kernel\n", m->name);
	return n;
}

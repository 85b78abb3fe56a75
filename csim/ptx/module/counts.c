/* ptx_print_counts: how many instructions a kernel has, and how many of them an assembler would leave, by opcode. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/lower/insn.h"
#include "ptx/ptx.h"
#include "trace/folds.h"

struct opcode_count {
	const char *name;
	unsigned n, left;
};

static int by_number(const void *a, const void *b)
{
	const struct opcode_count *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

static void print_line(const char *name, unsigned n, unsigned left, FILE *to)
{
	fprintf(to, "  %-28s %8u %8u %8u\n", name, n, n - left, left);
}

static void print_kernel(const struct ptx_kernel *k, FILE *to)
{
	const struct trace_kernel *t = &k->trace;
	struct opcode_count *of = xcalloc(t->n_names + 1, sizeof *of);
	unsigned left = 0;

	for (unsigned i = 0; i < t->n_names; i++)
		of[i].name = t->names[i];
	for (unsigned i = 0; i < k->n_statements; i++) {
		bool stays = !trace_is_folded(&t->folds[i]);

		of[t->inst[i].name].n++;
		of[t->inst[i].name].left += stays;
		left += stays;
	}
	qsort(of, t->n_names, sizeof *of, by_number);
	fprintf(to, "%s:%u: kernel %s\n  %-28s %8s %8s %8s\n", k->module->name, k->func->line, k->func->name, "static instructions",
		"PTX", "folded", "left");
	for (unsigned i = 0; i < t->n_names && of[i].n; i++)
		print_line(of[i].name, of[i].n, of[i].left, to);
	print_line("all", k->n_statements, left, to);
	free(of);
}

void ptx_print_counts(const struct ptx_module *m, FILE *to)
{
	for (unsigned i = 0; i < m->n_kernels; i++)
		print_kernel(m->kernels[i], to);
	if (!m->n_kernels)
		fprintf(to, "%s: no kernel\n", m->name);
}

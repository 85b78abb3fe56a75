/* Access descriptors in words. */
#include "affine/form.h"
#include "affine/print.h"

static const char *const index_names[INDEX_COUNT] = {"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z"};

static void print_term(FILE *to, int64_t k, const char *what, bool *any)
{
	if (!k)
		return;
	fprintf(to, "%s", *any ? k < 0 ? " - " : " + " : k < 0 ? "-" : "");
	if (k != 1 && k != -1)
		fprintf(to, "%lld ", (long long)(k < 0 ? -k : k));
	fputs(what, to);
	*any = true;
}

static void print_bound(FILE *to, int64_t v)
{
	if (v <= -AFFINE_INF || v >= AFFINE_INF)
		fputs(v < 0 ? "-inf" : "inf", to);
	else
		fprintf(to, "%lld", (long long)v);
}

void affine_print_form(const struct affine_form *f, FILE *to)
{
	bool any = false;
	char name[32];

	for (int v = 0; v < INDEX_COUNT; v++)
		print_term(to, f->k[v], index_names[v], &any);
	for (uint32_t i = 0; i < f->n_loops; i++) {
		snprintf(name, sizeof name, "loop%u", f->loop[i].loop);
		print_term(to, f->loop[i].k, name, &any);
	}
	if (f->c || !any)
		fprintf(to, "%s%lld", any ? f->c < 0 ? " - " : " + " : f->c < 0 ? "-" : "", (long long)(f->c < 0 ? -f->c : f->c));
	if (!form_has_slack(f))
		return;
	fputs(" + [", to);
	print_bound(to, f->lo);
	fputs(", ", to);
	print_bound(to, f->hi);
	fputc(']', to);
}

const char *affine_deps_text(uint32_t deps)
{
	return deps & DEP_MEMORY ? "a value from memory"
	       : deps & DEP_FLOW ? "the way through branches"
	       : deps & DEP_LOOP ? "a loop"
	       : deps & DEP_CTA	 ? "the CTA, not in proportion"
	       : deps		 ? "the thread, not in proportion"
				 : "nothing that is known";
}

static void print_pred(const struct affine_pred *p, FILE *to)
{
	static const char *const rels[] = {"==", "!=", "<", "<=", ">", ">="};

	for (uint32_t i = 0; i < p->n; i++) {
		fprintf(to, "%s", !i ? "" : p->any ? " or " : " and ");
		affine_print_form(p->atom[i].a, to);
		fprintf(to, " %s%s ", rels[p->atom[i].rel], p->atom[i].is_signed || p->atom[i].rel < REL_LT ? "" : "u");
		affine_print_form(p->atom[i].b, to);
	}
}

static void print_loop(const struct affine_launch *l, uint32_t n, FILE *to)
{
	const struct affine_loop *loop = &l->loop[n];

	fprintf(to, "        loop%u of line %u: ", n, loop->line);
	if (loop->trips == UINT64_MAX)
		fputs("any number of iterations", to);
	else
		fprintf(to, "%s%llu iterations", loop->exact && !loop->stay ? "" : "at most ", (unsigned long long)loop->trips);
	if (loop->stay) {
		fputs(", while ", to);
		print_pred(loop->stay, to);
	}
	fputc('\n', to);
}

void affine_print_access(const struct affine_launch *l, const struct affine_access *x, const char *buffer, FILE *to)
{
	static const char *const kinds[] = {"load", "store", "atomic"};

	fprintf(to, "  line %u: %s of %u bytes, %s + ", x->line, kinds[x->kind], x->width, buffer);
	affine_print_form(&x->at, to);
	if (form_has_slack(&x->at) && x->at.cause != AFFINE_NONE)
		fprintf(to, " (%s)", affine_deps_text(x->at.deps));
	fputc('\n', to);
	for (uint32_t i = 0; i < x->n_loops; i++)
		print_loop(l, x->loop[i], to);
	for (uint32_t i = 0; i < x->n_guards; i++) {
		fputs("        if ", to);
		print_pred(x->guard[i], to);
		fputc('\n', to);
	}
	if (!x->complete)
		fputs("        under conditions that are not known\n", to);
}

#include "mutation/schemata/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "mutation/schemata/operators.h"

/* A child among its siblings in the order of the text; how it is written. */
struct piece {
	struct range r;
	const json_t *node;
	void (*write)(struct work *w, FILE *to, const json_t *node);
};

static void write_statement(struct work *w, FILE *to, const json_t *node);

void write_text(const struct work *w, FILE *to, struct range r)
{
	fwrite(w->text + r.from, 1, r.to - r.from, to);
}

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->r.from < y->r.from ? -1 : x->r.from > y->r.from;
}

static void write_pieces(struct work *w, FILE *to, struct range whole, struct piece *p, size_t n)
{
	size_t at = whole.from;

	qsort(p, n, sizeof *p, by_place);
	for (size_t i = 0; i < n; i++) {
		if (p[i].r.from < at || p[i].r.to > whole.to || p[i].r.to == 0)
			continue;
		write_text(w, to, (struct range){at, p[i].r.from});
		p[i].write(w, to, p[i].node);
		at = p[i].r.to;
	}
	write_text(w, to, (struct range){at, whole.to});
}

/* Relations and negations have a mutant that is the opposite. */
static void write_condition(struct work *w, FILE *to, const json_t *node)
{
	const json_t *b = node_bare(node);

	if (node_is_relation(b) || !strcmp(node_string(b, "opcode"), "!")) {
		write_node(w, to, node);
		return;
	}
	fprintf(to, "((twin_mutant == %u) ^ !!(", mutant(w, node, "!(l_)", node, node));
	write_node(w, to, node);
	fputs("))", to);
}

static void write_loop_condition(struct work *w, FILE *to, const json_t *node)
{
	w->in_for = true;
	write_condition(w, to, node);
	w->in_for = false;
}

void write_as_is(struct work *w, FILE *to, const json_t *node)
{
	write_text(w, to, node_range(node));
}

/* How a child is written: as a statement, as a condition, as what it is. */
static void (*writer_of(const json_t *node, size_t i))(struct work *w, FILE *to, const json_t *child)
{
	size_t last = node_children(node) - 1;

	if (node_is(node, "CompoundStmt"))
		return write_statement;
	if (node_is(node, "IfStmt"))
		return i ? write_statement : write_condition;
	if (node_is(node, "WhileStmt"))
		return i == last ? write_statement : write_condition;
	if (node_is(node, "DoStmt"))
		return i == 0 ? write_statement : write_condition;
	if (node_is(node, "ForStmt")) /* its step is left alone: nearly all mutants of it would only hang */
		return i == last ? write_statement : i == 2 ? write_loop_condition : i == 3 ? write_as_is : write_node;
	if (node_is(node, "CaseStmt") || node_is(node, "DefaultStmt") || node_is(node, "SwitchStmt"))
		return i == last ? write_statement : write_node;
	if (node_is(node, "ConditionalOperator") && i == 0)
		return write_condition;
	return write_node;
}

static void write_children(struct work *w, FILE *to, const json_t *node)
{
	size_t n = node_children(node), used = 0;
	struct piece *p = calloc(n + 1, sizeof *p);

	for (size_t i = 0; p && i < n; i++) {
		const json_t *c = node_child(node, i);

		if (node_is_there(c))
			p[used++] = (struct piece){node_range_in_text(w->text, c), c, writer_of(node, i)};
	}
	write_pieces(w, to, node_range(node), p, used);
	free(p);
}
void write_node(struct work *w, FILE *to, const json_t *node)
{
	if (node_is_fixed(node))
		write_as_is(w, to, node);
	else if (!write_operator(w, to, node))
		write_children(w, to, node);
}

static void write_sequence(struct work *w, FILE *to, const json_t *node)
{
	write_statement(w, to, node_child(node, 0));
	fputs(", ", to);
	write_statement(w, to, node_child(node, 1));
}

static void write_statement(struct work *w, FILE *to, const json_t *node)
{
	if (node_is_sequence(node)) {
		write_sequence(w, to, node);
	} else if (node_is_action(node)) {
		fprintf(to, "(twin_mutant == %u ? (void)0 : (void)(", mutant(w, node, "nothing", node, node));
		write_node(w, to, node);
		fputs("))", to);
	} else if (node_is_jump(node)) {
		fprintf(to, "{ if (twin_mutant != %u) ", mutant(w, node, "nothing", node, node));
		write_text(w, to, node_range_in_text(w->text, node));
		fputs(" }", to);
	} else {
		write_node(w, to, node);
	}
}

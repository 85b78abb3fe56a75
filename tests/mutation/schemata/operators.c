#include "mutation/schemata/operators.h"

#include <string.h>

#include "mutation/schemata/rewrite.h"

static const struct {
	const char *op, *alternative[3];
} binary[] = {
	{"<", {"l_ <= r_", "l_ != r_", "0"}},
	{">", {"l_ >= r_", "l_ != r_", "0"}},
	{"<=", {"l_ < r_", "l_ == r_", "1"}},
	{">=", {"l_ > r_", "l_ == r_", "1"}},
	{"==", {"l_ <= r_", "l_ >= r_", "0"}},
	{"!=", {"l_ < r_", "l_ > r_", "1"}},
	{"+", {"l_ - r_", "l_"}},
	{"-", {"l_ + r_", "l_"}},
	{"*", {"l_ + r_", "l_"}},
	{"/", {"l_ * r_", "l_"}},
	{"%", {"l_ / r_", "l_"}},
	{"&", {"l_ | r_", "l_"}},
	{"|", {"l_ & r_", "l_"}},
	{"^", {"l_ | r_", "l_"}},
	{"<<", {"l_ >> r_", "l_"}},
	{">>", {"l_ << r_", "l_"}},
	{NULL, {NULL}},
};

/* Whether the alternative says the same: of an unsigned number, compared with 0; of the < of a for. */
static bool is_same(const struct work *w, const json_t *node, const char *alternative)
{
	const json_t *type = json_object_get(node_bare(node_child(node, 0)), "type"), *r = node_bare(node_child(node, 1));
	const char *op = node_string(node, "opcode"), *plain = node_string(type, "desugaredQualType");

	if (w->in_for && !strcmp(op, "<") && alternative[3] == '!')
		return true;
	if (!*plain)
		plain = node_string(type, "qualType");
	if (strcmp(node_string(r, "value"), "0") != 0 || (strncmp(plain, "const ", 6) ? plain : plain + 6)[0] != 'u')
		return false;
	return (!strcmp(op, "==") && alternative[3] == '<') || (!strcmp(op, "!=") && alternative[3] == '>') ||
	       (!strcmp(op, ">") && alternative[3] == '!');
}

/* Both operands once, then what the active mutant makes of them; a unary plus, since a bit-field has no type. */
static void write_binary(struct work *w, FILE *to, const json_t *node, const char *const alternative[3])
{
	const json_t *l = node_child(node, 0), *r = node_child(node, 1);

	fputs("({ __auto_type l_ = +(", to);
	write_node(w, to, l);
	fputs("); __auto_type r_ = +(", to);
	write_node(w, to, r);
	fputs("); ", to);
	for (unsigned i = 0; i < 3 && alternative[i]; i++) {
		if (is_same(w, node, alternative[i]))
			continue;
		fprintf(to, "twin_mutant == %u ? %s : ", mutant(w, node, alternative[i], l, r), alternative[i]);
	}
	fprintf(to, "l_ %s r_; })", node_string(node, "opcode"));
}

/* An operand of && or ||: negated under one mutant, and of no effect under another. */
static void write_operand(struct work *w, FILE *to, const json_t *node, unsigned negated, const char *idle, unsigned idles)
{
	fprintf(to, "((twin_mutant == %u) ^ (twin_mutant %s %u ", negated, idle[0] == '|' ? "==" : "!=", idles);
	fprintf(to, "%s (", idle);
	write_node(w, to, node);
	fputs(")))", to);
}

/* Each operand is written once, and evaluated when it was: a || b is !(!a && !b). */
static void write_logical(struct work *w, FILE *to, const json_t *node)
{
	const json_t *l = node_child(node, 0), *r = node_child(node, 1);
	const char *op = node_string(node, "opcode"), *idle = *op == '&' ? "||" : "&&";
	unsigned other = mutant(w, node, *op == '&' ? "l_ || r_" : "l_ && r_", l, r), left = mutant(w, node, "l_", l, r),
		 right = mutant(w, node, "r_", l, r);

	fprintf(to, "((twin_mutant == %u) ^ (", other);
	write_operand(w, to, l, other, idle, right);
	fprintf(to, " %s ", op);
	write_operand(w, to, r, other, idle, left);
	fputs("))", to);
}

static bool write_assignment(struct work *w, FILE *to, const json_t *node)
{
	static const char *const pairs[][2] = {{"+=", "-="}, {"-=", "+="}, {"<<=", ">>="}, {">>=", "<<="},
					       {"&=", "|="}, {"|=", "&="}, {"^=", "|="},   {"*=", "+="}};
	const json_t *l = node_child(node, 0), *r = node_child(node, 1);
	const char *op = node_string(node, "opcode");

	for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		char pattern[16];

		if (strcmp(pairs[i][0], op) != 0)
			continue;
		snprintf(pattern, sizeof pattern, "l_ %s r_", pairs[i][1]);
		fprintf(to, "(*({ __auto_type at_ = &(");
		write_node(w, to, l);
		fputs("); __auto_type by_ = +(", to);
		write_node(w, to, r);
		fprintf(to, "); twin_mutant == %u ? (*at_ %s by_) : (*at_ %s by_); at_; }))", mutant(w, node, pattern, l, r),
			pairs[i][1], op);
		return true;
	}
	return false;
}

static void write_unary(struct work *w, FILE *to, const json_t *node)
{
	const char *op = node_string(node, "opcode");
	const json_t *of = node_child(node, 0);

	if (!strcmp(op, "!"))
		fprintf(to, "((twin_mutant == %u) ^ !(", mutant(w, node, "l_", of, of));
	else if (!strcmp(op, "~"))
		fprintf(to, "(-(twin_mutant != %u) ^ (", mutant(w, node, "l_", of, of));
	write_node(w, to, of);
	fputs("))", to);
}

static void write_constant(struct work *w, FILE *to, const json_t *node)
{
	bool is_zero = !strcmp(node_string(node, "value"), "0");

	fputc('(', to);
	write_as_is(w, to, node);
	fprintf(to, " + (twin_mutant == %u)", mutant(w, node, "l_ + 1", node, node));
	if (!is_zero)
		fprintf(to, " - (twin_mutant == %u)", mutant(w, node, "l_ - 1", node, node));
	fputc(')', to);
}

static const char *const *alternatives_of(const json_t *node)
{
	const char *op = node_string(node, "opcode");

	if (!node_is(node, "BinaryOperator") || !node_is_number(node_child(node, 0)) || !node_is_number(node_child(node, 1)))
		return NULL;
	for (unsigned i = 0; binary[i].op; i++)
		if (!strcmp(binary[i].op, op))
			return binary[i].alternative;
	return NULL;
}

bool write_operator(struct work *w, FILE *to, const json_t *node)
{
	const char *op = node_string(node, "opcode");
	const char *const *alternative = alternatives_of(node);

	if (node_is(node, "CompoundAssignOperator"))
		return write_assignment(w, to, node);
	if (alternative)
		write_binary(w, to, node, alternative);
	else if (node_is(node, "BinaryOperator") && (!strcmp(op, "&&") || !strcmp(op, "||")))
		write_logical(w, to, node);
	else if (node_is(node, "UnaryOperator") && (!strcmp(op, "!") || !strcmp(op, "~")))
		write_unary(w, to, node);
	else if (node_is_constant(node))
		write_constant(w, to, node);
	else
		return false;
	return true;
}

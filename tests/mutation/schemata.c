/* schemata BLOCK FILE.i...: mutants of a golden twin, all of them in one program.
 *
 * FILE.i is a preprocessed C file of the twin, FILE.json clang's syntax tree of it. FILE.mutants.i is written: the same
 * code, in which every expression that can be mutated asks twin_mutant which mutant is active (0: none); a mutant so
 * costs no compilation ("mutant schemata": Untch, Offutt, Harrold 1993). On standard output, a line for each:
 *
 *     NUMBER <tab> file:line <tab> file:function: original -> mutant
 *
 * The third column stays as it is when lines move; the second of two that would be alike ends in " (2)".
 *
 * Mutated is what the block's eval, tick and reset reach: of relations those three alternatives that no others add to
 * (Kaminski, Ammann, Offutt 2013); of arithmetic, shifts and masks the opposite operator and the left operand alone; of
 * && and || the other one and either operand alone; conditions are negated, constants one more and one less, statements
 * left out.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 400, MAX_KEYS = 4000 };

struct function {
	char name[64], file[128];
	const json_t *node;
	unsigned in;	/* which FILE.i */
	unsigned first; /* number of its first mutant; 0: none yet */
	bool reached;
};

struct work {
	char *text; /* of the FILE.i at hand */
	struct function function[MAX_FUNCTIONS];
	unsigned functions;
	const struct function *now;
	unsigned next; /* number of the next mutant */
	bool listed;   /* the function was in a FILE.i before: its mutants have their rows */
	bool in_for;   /* in the condition of a for */
	unsigned keys;
	char *key[MAX_KEYS]; /* of the function at hand */
};

/* ---- the syntax tree ---- */

static const char *string_of(const json_t *node, const char *name)
{
	const char *s = json_string_value(json_object_get(node, name));

	return s ? s : "";
}

static bool is_kind(const json_t *node, const char *kind)
{
	return !strcmp(string_of(node, "kind"), kind);
}

static const json_t *child(const json_t *node, size_t i)
{
	return json_array_get(json_object_get(node, "inner"), i);
}

static size_t children(const json_t *node)
{
	return json_array_size(json_object_get(node, "inner"));
}

struct range {
	size_t from, to;
};

/* An implicit node has no text: an empty range at 0. */
static struct range range_of(const json_t *node)
{
	const json_t *r = json_object_get(node, "range"), *begin = json_object_get(r, "begin"), *end = json_object_get(r, "end");

	if (!json_object_get(begin, "offset") || is_kind(node, "ImplicitValueInitExpr"))
		return (struct range){0, 0};
	return (struct range){
		(size_t)json_integer_value(json_object_get(begin, "offset")),
		(size_t)(json_integer_value(json_object_get(end, "offset")) + json_integer_value(json_object_get(end, "tokLen")))};
}

/* Where a line of the source stands in what was preprocessed: "# line "file"" before it. */
static unsigned line_of(const char *text, size_t at, char file[128])
{
	unsigned line = 1, marked;
	const char *to = text + at;

	file[0] = '\0';
	for (const char *p = text; p && p < to; p = strchr(p, '\n'), p = p ? p + 1 : p, line++)
		if (*p == '#' && sscanf(p, "# %u \"%127[^\"]\"", &marked, file) == 2)
			line = marked - 1;
	return line - 1;
}

static void add_functions(struct work *w, const json_t *unit, unsigned in)
{
	size_t i;
	const json_t *node;

	json_array_foreach(json_object_get(unit, "inner"), i, node)
	{
		struct function *f = &w->function[w->functions];

		if (!is_kind(node, "FunctionDecl") || !children(node) || !is_kind(child(node, children(node) - 1), "CompoundStmt"))
			continue;
		line_of(w->text, range_of(node).from, f->file);
		if (strncmp(f->file, "csim/hw/", 8) != 0)
			continue;
		if (++w->functions == MAX_FUNCTIONS)
			exit(fprintf(stderr, "schemata: more than %d functions\n", MAX_FUNCTIONS));
		snprintf(f->name, sizeof f->name, "%s", string_of(node, "name"));
		f->node = node;
		f->in = in;
	}
}

static void reach(struct work *w, const char *name);

static void reach_calls(struct work *w, const json_t *node)
{
	const json_t *to = json_object_get(node, "referencedDecl");

	if (to && is_kind(to, "FunctionDecl"))
		reach(w, string_of(to, "name"));
	for (size_t i = 0; i < children(node); i++)
		reach_calls(w, child(node, i));
}

static void reach(struct work *w, const char *name)
{
	for (unsigned i = 0; i < w->functions; i++)
		if (!strcmp(w->function[i].name, name) && !w->function[i].reached) {
			w->function[i].reached = true;
			reach_calls(w, w->function[i].node);
		}
}

/* ---- text ---- */

/* With each run of blanks as one. The caller frees it. */
static char *source(const struct work *w, struct range r)
{
	char *s = calloc(1, r.to - r.from + 1), *p = s;

	for (size_t i = r.from; s && i < r.to; i++)
		if (!strchr(" \t\n", w->text[i]))
			*p++ = w->text[i];
		else if (p > s && p[-1] != ' ')
			*p++ = ' ';
	return s;
}

/* Writes a pattern with its l_ and r_ replaced. */
static void write_pattern(FILE *to, const char *pattern, const char *l, const char *r)
{
	for (const char *p = pattern; *p; p++)
		if (p[0] == 'l' && p[1] == '_')
			fputs(l, to), p++;
		else if (p[0] == 'r' && p[1] == '_')
			fputs(r, to), p++;
		else
			fputc(*p, to);
}

/* How often the function has had this row. */
static unsigned count_key(struct work *w, char *key)
{
	unsigned n = 1;

	for (unsigned i = 0; i < w->keys; i++)
		n += !strcmp(w->key[i], key);
	if (w->keys == MAX_KEYS)
		exit(fprintf(stderr, "schemata: more than %d mutants in %s\n", MAX_KEYS, w->now->name));
	w->key[w->keys++] = key;
	return n;
}

/* The number of a further mutant of the node; l and r are its operands, for the pattern. */
static unsigned mutant(struct work *w, const json_t *node, const char *pattern, const json_t *l, const json_t *r)
{
	char *text = source(w, range_of(node)), *left = source(w, range_of(l)), *right = source(w, range_of(r));
	char *row = NULL, file[128];
	unsigned line, n;
	size_t size;
	FILE *to;

	if (!w->listed) {
		line = line_of(w->text, range_of(node).from, file);
		to = open_memstream(&row, &size);
		fprintf(to, "%s:%s: %s -> ", w->now->file, w->now->name, text);
		write_pattern(to, pattern, left, right);
		fclose(to);
		n = count_key(w, row);
		printf("%u\t%s:%u\t%s", w->next, file, line, row);
		printf(n > 1 ? " (%u)\n" : "\n", n);
	}
	free(text), free(left), free(right);
	return w->next++;
}

/* ---- the code with mutants ---- */

static void write_node(struct work *w, FILE *to, const json_t *node);
static void write_statement(struct work *w, FILE *to, const json_t *node);

static void write_text(const struct work *w, FILE *to, struct range r)
{
	fwrite(w->text + r.from, 1, r.to - r.from, to);
}

/* A child among its siblings in the order of the text; how it is written. */
struct piece {
	struct range r;
	const json_t *node;
	void (*write)(struct work *w, FILE *to, const json_t *node);
};

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

/* {}: what a for lacks. */
static bool is_there(const json_t *node)
{
	return json_object_size(node) > 0;
}

static bool is_relation(const json_t *node)
{
	const char *op = string_of(node, "opcode");

	return is_kind(node, "BinaryOperator") && (strchr("<>", *op) ? op[1] != *op : !strcmp(op, "==") || !strcmp(op, "!="));
}

static const json_t *bare(const json_t *node)
{
	while (is_kind(node, "ParenExpr") || is_kind(node, "ImplicitCastExpr"))
		node = child(node, 0);
	return node;
}

/* Relations and negations have a mutant that is the opposite. */
static void write_condition(struct work *w, FILE *to, const json_t *node)
{
	const json_t *b = bare(node);

	if (is_relation(b) || !strcmp(string_of(b, "opcode"), "!")) {
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

static void write_as_is(struct work *w, FILE *to, const json_t *node)
{
	write_text(w, to, range_of(node));
}

/* How a child is written: as a statement, as a condition, as what it is. */
static void (*writer_of(const json_t *node, size_t i))(struct work *w, FILE *to, const json_t *child)
{
	size_t last = children(node) - 1;

	if (is_kind(node, "CompoundStmt"))
		return write_statement;
	if (is_kind(node, "IfStmt"))
		return i ? write_statement : write_condition;
	if (is_kind(node, "WhileStmt"))
		return i == last ? write_statement : write_condition;
	if (is_kind(node, "DoStmt"))
		return i == 0 ? write_statement : write_condition;
	if (is_kind(node, "ForStmt")) /* its step is left alone: nearly all mutants of it would only hang */
		return i == last ? write_statement : i == 2 ? write_loop_condition : i == 3 ? write_as_is : write_node;
	if (is_kind(node, "CaseStmt") || is_kind(node, "DefaultStmt") || is_kind(node, "SwitchStmt"))
		return i == last ? write_statement : write_node;
	if (is_kind(node, "ConditionalOperator") && i == 0)
		return write_condition;
	return write_node;
}

/* A statement that ends a block of others ends with its semicolon. */
static bool is_jump(const json_t *node)
{
	return is_kind(node, "BreakStmt") || is_kind(node, "ContinueStmt") || (is_kind(node, "ReturnStmt") && !children(node));
}

static struct range range_in_text(const struct work *w, const json_t *node)
{
	struct range r = range_of(node);

	if (is_jump(node))
		r.to += strcspn(w->text + r.to, ";") + 1;
	return r;
}

static void write_children(struct work *w, FILE *to, const json_t *node)
{
	size_t n = children(node), used = 0;
	struct piece *p = calloc(n + 1, sizeof *p);

	for (size_t i = 0; p && i < n; i++) {
		const json_t *c = child(node, i);

		if (is_there(c))
			p[used++] = (struct piece){range_in_text(w, c), c, writer_of(node, i)};
	}
	write_pieces(w, to, range_of(node), p, used);
	free(p);
}

/* ---- operators ---- */

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

static bool is_number(const json_t *node)
{
	const char *type = string_of(json_object_get(node, "type"), "qualType");

	return !strpbrk(type, "*[(") && strncmp(type, "struct", 6) != 0;
}

/* Whether the alternative says the same: of an unsigned number, compared with 0; of the < of a for. */
static bool is_same(const struct work *w, const json_t *node, const char *alternative)
{
	const json_t *type = json_object_get(bare(child(node, 0)), "type"), *r = bare(child(node, 1));
	const char *op = string_of(node, "opcode"), *plain = string_of(type, "desugaredQualType");

	if (w->in_for && !strcmp(op, "<") && alternative[3] == '!')
		return true;
	if (!*plain)
		plain = string_of(type, "qualType");
	if (strcmp(string_of(r, "value"), "0") != 0 || (strncmp(plain, "const ", 6) ? plain : plain + 6)[0] != 'u')
		return false;
	return (!strcmp(op, "==") && alternative[3] == '<') || (!strcmp(op, "!=") && alternative[3] == '>') ||
	       (!strcmp(op, ">") && alternative[3] == '!');
}

/* Both operands once, then what the active mutant makes of them; a unary plus, since a bit-field has no type. */
static void write_binary(struct work *w, FILE *to, const json_t *node, const char *const alternative[3])
{
	const json_t *l = child(node, 0), *r = child(node, 1);

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
	fprintf(to, "l_ %s r_; })", string_of(node, "opcode"));
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
	const json_t *l = child(node, 0), *r = child(node, 1);
	const char *op = string_of(node, "opcode"), *idle = *op == '&' ? "||" : "&&";
	unsigned other = mutant(w, node, *op == '&' ? "l_ || r_" : "l_ && r_", l, r), left = mutant(w, node, "l_", l, r),
		 right = mutant(w, node, "r_", l, r);

	fprintf(to, "((twin_mutant == %u) ^ (", other);
	write_operand(w, to, l, other, idle, right);
	fprintf(to, " %s ", op);
	write_operand(w, to, r, other, idle, left);
	fputs("))", to);
}

static void write_assignment(struct work *w, FILE *to, const json_t *node)
{
	static const char *const pairs[][2] = {{"+=", "-="}, {"-=", "+="}, {"<<=", ">>="}, {">>=", "<<="},
					       {"&=", "|="}, {"|=", "&="}, {"^=", "|="},   {"*=", "+="}};
	const json_t *l = child(node, 0), *r = child(node, 1);
	const char *op = string_of(node, "opcode");

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
		return;
	}
	write_children(w, to, node);
}

static void write_unary(struct work *w, FILE *to, const json_t *node)
{
	const char *op = string_of(node, "opcode");
	const json_t *of = child(node, 0);

	if (!strcmp(op, "!"))
		fprintf(to, "((twin_mutant == %u) ^ !(", mutant(w, node, "l_", of, of));
	else if (!strcmp(op, "~"))
		fprintf(to, "(-(twin_mutant != %u) ^ (", mutant(w, node, "l_", of, of));
	write_node(w, to, of);
	fputs("))", to);
}

static void write_constant(struct work *w, FILE *to, const json_t *node)
{
	bool is_zero = !strcmp(string_of(node, "value"), "0");

	fputc('(', to);
	write_as_is(w, to, node);
	fprintf(to, " + (twin_mutant == %u)", mutant(w, node, "l_ + 1", node, node));
	if (!is_zero)
		fprintf(to, " - (twin_mutant == %u)", mutant(w, node, "l_ - 1", node, node));
	fputc(')', to);
}

static const char *const *alternatives_of(const json_t *node)
{
	const char *op = string_of(node, "opcode");

	if (!is_kind(node, "BinaryOperator") || !is_number(child(node, 0)) || !is_number(child(node, 1)))
		return NULL;
	for (unsigned i = 0; binary[i].op; i++)
		if (!strcmp(binary[i].op, op))
			return binary[i].alternative;
	return NULL;
}

/* What the compiler wants to know before the program runs stays as it is. */
static bool is_fixed(const json_t *node)
{
	return is_kind(node, "ConstantExpr") || is_kind(node, "StaticAssertDecl") || is_kind(node, "UnaryExprOrTypeTraitExpr") ||
	       (is_kind(node, "VarDecl") && !strcmp(string_of(node, "storageClass"), "static"));
}

static bool is_constant(const json_t *node)
{
	return is_kind(node, "IntegerLiteral") ||
	       (is_kind(node, "DeclRefExpr") && is_kind(json_object_get(node, "referencedDecl"), "EnumConstantDecl"));
}

static void write_node(struct work *w, FILE *to, const json_t *node)
{
	const char *op = string_of(node, "opcode");
	const char *const *alternative = alternatives_of(node);

	if (is_fixed(node))
		write_as_is(w, to, node);
	else if (alternative)
		write_binary(w, to, node, alternative);
	else if (is_kind(node, "BinaryOperator") && (!strcmp(op, "&&") || !strcmp(op, "||")))
		write_logical(w, to, node);
	else if (is_kind(node, "CompoundAssignOperator"))
		write_assignment(w, to, node);
	else if (is_kind(node, "UnaryOperator") && (!strcmp(op, "!") || !strcmp(op, "~")))
		write_unary(w, to, node);
	else if (is_constant(node))
		write_constant(w, to, node);
	else
		write_children(w, to, node);
}

/* ---- statements ---- */

static bool is_action(const json_t *node)
{
	const char *op = string_of(node, "opcode");

	return is_kind(node, "CallExpr") || is_kind(node, "CompoundAssignOperator") ||
	       (is_kind(node, "BinaryOperator") && !strcmp(op, "=")) ||
	       (is_kind(node, "UnaryOperator") && (!strcmp(op, "++") || !strcmp(op, "--")));
}

/* a, b; are two statements. */
static bool is_sequence(const json_t *node)
{
	return is_kind(node, "BinaryOperator") && !strcmp(string_of(node, "opcode"), ",");
}

static void write_sequence(struct work *w, FILE *to, const json_t *node)
{
	write_statement(w, to, child(node, 0));
	fputs(", ", to);
	write_statement(w, to, child(node, 1));
}

static void write_statement(struct work *w, FILE *to, const json_t *node)
{
	if (is_sequence(node)) {
		write_sequence(w, to, node);
	} else if (is_action(node)) {
		fprintf(to, "(twin_mutant == %u ? (void)0 : (void)(", mutant(w, node, "nothing", node, node));
		write_node(w, to, node);
		fputs("))", to);
	} else if (is_jump(node)) {
		fprintf(to, "{ if (twin_mutant != %u) ", mutant(w, node, "nothing", node, node));
		write_text(w, to, range_in_text(w, node));
		fputs(" }", to);
	} else {
		write_node(w, to, node);
	}
}

/* ---- a file ---- */

/* A function of a header that a file before this one had, too, has its numbers from there. */
static void write_function(struct work *w, FILE *to, const json_t *node)
{
	struct function *f = w->function, *same = w->function;
	unsigned next = w->next;

	while (f->node != node)
		f++;
	while (strcmp(same->name, f->name) != 0 || strcmp(same->file, f->file) != 0)
		same++;
	w->now = f;
	w->listed = same != f;
	w->next = w->listed ? same->first : next;
	f->first = w->next;
	write_node(w, to, node);
	for (; w->keys; w->keys--)
		free(w->key[w->keys - 1]);
	if (w->listed)
		w->next = next;
}

static void write_file(struct work *w, unsigned in, struct range whole, const char *path)
{
	struct piece *p = calloc(MAX_FUNCTIONS, sizeof *p);
	size_t n = 0;
	FILE *to = fopen(path, "w");

	if (!to || !p)
		exit(fprintf(stderr, "schemata: %s cannot be written\n", path));
	fputs("extern unsigned twin_mutant;\n", to);
	for (unsigned i = 0; i < w->functions; i++)
		if (w->function[i].in == in && w->function[i].reached)
			p[n++] = (struct piece){range_of(w->function[i].node), w->function[i].node, write_function};
	write_pieces(w, to, whole, p, n);
	free(p);
	if (fclose(to))
		exit(fprintf(stderr, "schemata: %s cannot be written\n", path));
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (!f || getdelim(&text, &room, '\0', f) <= 0)
		exit(fprintf(stderr, "schemata: %s cannot be read\n", path));
	fclose(f);
	return text;
}

/* FILE.i with another ending. */
static char *beside(const char *path, const char *ending)
{
	char *s = NULL;

	if (asprintf(&s, "%.*s%s", (int)strlen(path) - 2, path, ending) < 0)
		abort();
	return s;
}

static void reach_block(struct work *w, const char *block)
{
	static const char *const roots[] = {"eval", "tick", "reset"};

	for (unsigned i = 0; i < 3; i++) {
		char name[128];

		snprintf(name, sizeof name, "%s_%s", block, roots[i]);
		reach(w, name);
	}
}

int main(int argc, char **argv)
{
	struct work *w = calloc(1, sizeof *w);
	unsigned files = argc > 2 ? (unsigned)argc - 2 : 0;
	char **text = calloc(files + 1, sizeof *text);
	json_t **tree = calloc(files + 1, sizeof(json_t *));

	if (!files)
		return fprintf(stderr, "usage: schemata BLOCK FILE.i...\n"), 2;
	for (unsigned i = 0; i < files; i++) {
		char *path = beside(argv[i + 2], ".json");
		json_error_t e;

		w->text = text[i] = read_text(argv[i + 2]);
		tree[i] = json_load_file(path, 0, &e);
		if (!tree[i])
			return fprintf(stderr, "schemata: %s: %s\n", path, e.text), 2;
		add_functions(w, tree[i], i);
		free(path);
	}
	reach_block(w, argv[1]);
	w->next = 1;
	for (unsigned i = 0; i < files; i++) {
		char *path = beside(argv[i + 2], ".mutants.i");

		w->text = text[i];
		write_file(w, i, (struct range){0, strlen(text[i])}, path);
		free(path);
	}
	for (unsigned i = 0; i < files; i++) {
		free(text[i]);
		json_decref(tree[i]);
	}
	free(text), free(tree), free(w);
	return 0;
}

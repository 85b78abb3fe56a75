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
#include <stdlib.h>
#include <string.h>

#include "mutation/schemata/rewrite.h"

enum { MAX_FUNCTIONS = 400 };

struct function {
	char name[64], file[128];
	const json_t *node;
	unsigned in;	/* which FILE.i */
	unsigned first; /* number of its first mutant; 0: none yet */
	bool reached;
};

struct twin {
	struct function function[MAX_FUNCTIONS];
	unsigned functions;
	struct work work;
};

static void add_functions(struct twin *t, const json_t *unit, unsigned in)
{
	size_t i;
	const json_t *node;

	json_array_foreach(json_object_get(unit, "inner"), i, node)
	{
		struct function *f = &t->function[t->functions];

		if (!node_is(node, "FunctionDecl") || !node_children(node) ||
		    !node_is(node_child(node, node_children(node) - 1), "CompoundStmt"))
			continue;
		line_in_source(t->work.text, node_range(node).from, f->file);
		if (strncmp(f->file, "csim/hw/", 8) != 0)
			continue;
		if (++t->functions == MAX_FUNCTIONS)
			exit(fprintf(stderr, "schemata: more than %d functions\n", MAX_FUNCTIONS));
		snprintf(f->name, sizeof f->name, "%s", node_string(node, "name"));
		f->node = node;
		f->in = in;
	}
}

static void reach(struct twin *t, const char *name);

static void reach_calls(struct twin *t, const json_t *node)
{
	const json_t *to = json_object_get(node, "referencedDecl");

	if (to && node_is(to, "FunctionDecl"))
		reach(t, node_string(to, "name"));
	for (size_t i = 0; i < node_children(node); i++)
		reach_calls(t, node_child(node, i));
}

static void reach(struct twin *t, const char *name)
{
	for (unsigned i = 0; i < t->functions; i++)
		if (!strcmp(t->function[i].name, name) && !t->function[i].reached) {
			t->function[i].reached = true;
			reach_calls(t, t->function[i].node);
		}
}

/* A function of a header that a file before this one had, too, has its numbers from there. */
static void write_function(struct twin *t, FILE *to, struct function *f)
{
	const struct function *same = t->function;
	struct work *w = &t->work;
	unsigned next = w->next;

	while (strcmp(same->name, f->name) != 0 || strcmp(same->file, f->file) != 0)
		same++;
	w->file = f->file;
	w->function = f->name;
	w->listed = same != f;
	w->next = w->listed ? same->first : next;
	f->first = w->next;
	write_node(w, to, f->node);
	mutants_forget_rows(w);
	if (w->listed)
		w->next = next;
}

static void write_file(struct twin *t, unsigned in, const char *path)
{
	FILE *to = fopen(path, "w");
	size_t at = 0;

	if (!to)
		exit(fprintf(stderr, "schemata: %s cannot be written\n", path));
	fputs("extern unsigned twin_mutant;\n", to);
	for (unsigned i = 0; i < t->functions; i++) {
		struct function *f = &t->function[i];

		if (f->in != in || !f->reached)
			continue;
		write_text(&t->work, to, (struct range){at, node_range(f->node).from});
		write_function(t, to, f);
		at = node_range(f->node).to;
	}
	fputs(t->work.text + at, to);
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

static void reach_block(struct twin *t, const char *block)
{
	static const char *const roots[] = {"eval", "tick", "reset"};

	for (unsigned i = 0; i < 3; i++) {
		char name[128];

		snprintf(name, sizeof name, "%s_%s", block, roots[i]);
		reach(t, name);
	}
}

int main(int argc, char **argv)
{
	struct twin *t = calloc(1, sizeof *t);
	unsigned files = argc > 2 ? (unsigned)argc - 2 : 0;
	char **text = calloc(files + 1, sizeof *text);
	json_t **tree = calloc(files + 1, sizeof(json_t *));

	if (!files)
		return fprintf(stderr, "usage: schemata BLOCK FILE.i...\n"), 2;
	for (unsigned i = 0; i < files; i++) {
		char *path = beside(argv[i + 2], ".json");
		json_error_t e;

		t->work.text = text[i] = read_text(argv[i + 2]);
		tree[i] = json_load_file(path, 0, &e);
		if (!tree[i])
			return fprintf(stderr, "schemata: %s: %s\n", path, e.text), 2;
		add_functions(t, tree[i], i);
		free(path);
	}
	reach_block(t, argv[1]);
	t->work.next = 1;
	for (unsigned i = 0; i < files; i++) {
		char *path = beside(argv[i + 2], ".mutants.i");

		t->work.text = text[i];
		write_file(t, i, path);
		free(path);
	}
	for (unsigned i = 0; i < files; i++) {
		free(text[i]);
		json_decref(tree[i]);
	}
	free(text), free(tree), free(t);
	return 0;
}

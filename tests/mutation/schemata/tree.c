#include "mutation/schemata/tree.h"

#include <stdio.h>
#include <string.h>

const char *node_string(const json_t *node, const char *name)
{
	const char *s = json_string_value(json_object_get(node, name));

	return s ? s : "";
}

bool node_is(const json_t *node, const char *kind)
{
	return !strcmp(node_string(node, "kind"), kind);
}

const json_t *node_child(const json_t *node, size_t i)
{
	return json_array_get(json_object_get(node, "inner"), i);
}

size_t node_children(const json_t *node)
{
	return json_array_size(json_object_get(node, "inner"));
}

struct range node_range(const json_t *node)
{
	const json_t *r = json_object_get(node, "range"), *begin = json_object_get(r, "begin"), *end = json_object_get(r, "end");

	if (!json_object_get(begin, "offset") || node_is(node, "ImplicitValueInitExpr"))
		return (struct range){0, 0};
	return (struct range){
		(size_t)json_integer_value(json_object_get(begin, "offset")),
		(size_t)(json_integer_value(json_object_get(end, "offset")) + json_integer_value(json_object_get(end, "tokLen")))};
}

unsigned line_in_source(const char *text, size_t at, char file[128])
{
	unsigned line = 1, marked;
	const char *to = text + at;

	file[0] = '\0';
	for (const char *p = text; p && p < to; p = strchr(p, '\n'), p = p ? p + 1 : p, line++)
		if (*p == '#' && sscanf(p, "# %u \"%127[^\"]\"", &marked, file) == 2)
			line = marked - 1;
	return line - 1;
}

bool node_is_there(const json_t *node)
{
	return json_object_size(node) > 0;
}

const json_t *node_bare(const json_t *node)
{
	while (node_is(node, "ParenExpr") || node_is(node, "ImplicitCastExpr"))
		node = node_child(node, 0);
	return node;
}

bool node_is_relation(const json_t *node)
{
	const char *op = node_string(node, "opcode");

	return node_is(node, "BinaryOperator") && (strchr("<>", *op) ? op[1] != *op : !strcmp(op, "==") || !strcmp(op, "!="));
}

bool node_is_number(const json_t *node)
{
	const char *type = node_string(json_object_get(node, "type"), "qualType");

	return !strpbrk(type, "*[(") && strncmp(type, "struct", 6) != 0;
}

bool node_is_fixed(const json_t *node)
{
	return node_is(node, "ConstantExpr") || node_is(node, "StaticAssertDecl") || node_is(node, "UnaryExprOrTypeTraitExpr") ||
	       (node_is(node, "VarDecl") && !strcmp(node_string(node, "storageClass"), "static"));
}

bool node_is_constant(const json_t *node)
{
	return node_is(node, "IntegerLiteral") ||
	       (node_is(node, "DeclRefExpr") && node_is(json_object_get(node, "referencedDecl"), "EnumConstantDecl"));
}

bool node_is_action(const json_t *node)
{
	const char *op = node_string(node, "opcode");

	return node_is(node, "CallExpr") || node_is(node, "CompoundAssignOperator") ||
	       (node_is(node, "BinaryOperator") && !strcmp(op, "=")) ||
	       (node_is(node, "UnaryOperator") && (!strcmp(op, "++") || !strcmp(op, "--")));
}

bool node_is_sequence(const json_t *node)
{
	return node_is(node, "BinaryOperator") && !strcmp(node_string(node, "opcode"), ",");
}

bool node_is_jump(const json_t *node)
{
	return node_is(node, "BreakStmt") || node_is(node, "ContinueStmt") || (node_is(node, "ReturnStmt") && !node_children(node));
}

struct range node_range_in_text(const char *text, const json_t *node)
{
	struct range r = node_range(node);

	if (node_is_jump(node))
		r.to += strcspn(text + r.to, ";") + 1;
	return r;
}

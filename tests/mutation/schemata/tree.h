/* clang's syntax tree of a C file, as -ast-dump=json gives it: what the nodes are and where they stand. */
#ifndef MUTATION_SCHEMATA_TREE_H
#define MUTATION_SCHEMATA_TREE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct range {
	size_t from, to; /* bytes of what was preprocessed */
};

const char *node_string(const json_t *node, const char *name); /* "" if it has none of that name */
bool node_is(const json_t *node, const char *kind);
const json_t *node_child(const json_t *node, size_t i);
size_t node_children(const json_t *node);
const json_t *node_bare(const json_t *node); /* without parentheses and implicit casts */

/* An implicit node has no text: an empty range at 0. */
struct range node_range(const json_t *node);

/* With the semicolon of a jump. */
struct range node_range_in_text(const char *text, const json_t *node);

/* Where a line of the source stands in what was preprocessed: "# line "file"" before it. */
unsigned line_in_source(const char *text, size_t at, char file[128]);

bool node_is_there(const json_t *node);	   /* not {}: what a for lacks */
bool node_is_relation(const json_t *node); /* < and its kin */
bool node_is_number(const json_t *node);   /* by its type */
bool node_is_fixed(const json_t *node);	   /* what the compiler wants to know before the program runs stays as it is */
bool node_is_constant(const json_t *node);
bool node_is_action(const json_t *node);   /* a call, an assignment, a count */
bool node_is_sequence(const json_t *node); /* a, b; are two statements */
bool node_is_jump(const json_t *node);	   /* a statement that ends a block of others ends with its semicolon */

#endif

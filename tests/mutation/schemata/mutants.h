/* The mutants of the function at hand: their numbers, and a row on standard output for each. */
#ifndef MUTATION_SCHEMATA_MUTANTS_H
#define MUTATION_SCHEMATA_MUTANTS_H

#include <stdio.h>

#include "mutation/schemata/tree.h"

enum { MAX_KEYS = 4000 };

struct work {
	const char *text;	     /* of the FILE.i at hand */
	const char *file, *function; /* at hand */
	unsigned next;		     /* number of the next mutant */
	bool listed;		     /* the function was in a FILE.i before: its mutants have their rows */
	bool in_for;		     /* in the condition of a for */
	unsigned keys;
	char *key[MAX_KEYS]; /* rows of the function at hand */
};

/* The number of a further mutant of the node; l and r are its operands, in the pattern l_ and r_. */
unsigned mutant(struct work *w, const json_t *node, const char *pattern, const json_t *l, const json_t *r);

/* The function has ended. */
void mutants_forget_rows(struct work *w);

#endif

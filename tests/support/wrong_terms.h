/* Verilog of a block with wrong terms in it, all in one build: an input fault_i chooses which of them is wrong, 0 none.
 *
 *     wrong_terms_build("rtl/xyz/xyz.v", term, n, path)   term k is wrong while fault_i is k + 1
 *     wrong_terms_are_caught(&scenario, term, n)          lockstep says so of each, by what differs first
 *
 * A block of several modules is built of the steps below.
 */
#ifndef TESTS_SUPPORT_WRONG_TERMS_H
#define TESTS_SUPPORT_WRONG_TERMS_H

#include "lockstep/scenario.h"

struct wrong_term {
	const char *what, *where;    /* where: a piece of the module's text that is there once, */
	const char *right, *wrong;   /* and the term in it. NULL: all of it */
	const char *field, *or_else; /* what differs first; NULL: any */
};

/* The whole text of a file up to its assertions and claims, and the module's end. */
char *wrong_terms_text(const char *path);

/* Replaces the one occurrence of `from`; frees text. Ends the test unless there is just one. */
char *wrong_terms_replace(char *text, const char *from, const char *to);

/* Puts a term into the text, wrong while fault_i is `number`, 1 to 255; and the input fault_i. Both free the text. */
char *wrong_terms_spoil(char *text, const struct wrong_term *term, unsigned number);
char *wrong_terms_input(char *text);

/* Writes a file into program_tmp() and frees the text; path: where it is. */
void wrong_terms_write(const char *name, char *text, char path[300]);

/* A block of one module: all of the above. */
void wrong_terms_build(const char *rtl, const struct wrong_term *term, unsigned n, char path[300]);

/* Runs the scenario's steps with its RTL, first without a fault, then with each. */
void wrong_terms_are_caught(struct scenario *s, const struct wrong_term *term, unsigned n);

#endif

/* The code of a file again, in which every expression that can be mutated asks twin_mutant which mutant is active. */
#ifndef MUTATION_SCHEMATA_REWRITE_H
#define MUTATION_SCHEMATA_REWRITE_H

#include "mutation/schemata/mutants.h"

void write_text(const struct work *w, FILE *to, struct range r);
void write_node(struct work *w, FILE *to, const json_t *node);
void write_as_is(struct work *w, FILE *to, const json_t *node);

#endif

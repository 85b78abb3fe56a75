/* Operators and constants with their mutants. */
#ifndef MUTATION_SCHEMATA_OPERATORS_H
#define MUTATION_SCHEMATA_OPERATORS_H

#include "mutation/schemata/mutants.h"

/* Returns false, and writes nothing, if the node is none that has mutants. */
bool write_operator(struct work *w, FILE *to, const json_t *node);

#endif

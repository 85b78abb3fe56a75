/* Access descriptors in words, for people. */
#ifndef CSIM_AFFINE_PRINT_H
#define CSIM_AFFINE_PRINT_H

#include <stdio.h>

#include "affine/affine.h"

/* "1024 ctaid.x + 4 tid.x + 4096 loop0 + [0, 12]" */
void affine_print_form(const struct affine_form *f, FILE *to);
/* A line for the access and one for each of its loops and guards. buffer: its name. */
void affine_print_access(const struct affine_launch *l, const struct affine_access *x, const char *buffer, FILE *to);
/* What slack depends on, in words; the farthest thing first. */
const char *affine_deps_text(uint32_t deps);

#endif

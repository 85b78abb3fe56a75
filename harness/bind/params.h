/* A block's parameters as text, "addr_w=32 sets=64", and back. */
#ifndef HARNESS_BIND_PARAMS_H
#define HARNESS_BIND_PARAMS_H

#include <stdio.h>

#include "hw/block.h"

enum { BIND_PARAMS_MAX = 1024 }; /* bytes: no struct xyz_params is larger */

/* Starts from the defaults, applies the assignments (separated by spaces or commas; NULL: none) and checks the result.
 * params: BIND_PARAMS_MAX bytes. Errors: an unknown name, not a number, illegal. */
int bind_params_read(const struct hw_block *b, void *params, const char *text, struct err *e);
void bind_params_write(const struct hw_block *b, const void *params, FILE *to);

#endif

/* The cache of built blocks: its place and the keys of its entries. */
#ifndef HARNESS_BIND_CACHE_H
#define HARNESS_BIND_CACHE_H

#include "bind/bind.h"

/* Raise it when what the generator writes changes: wrap.c, build.c. (shim.hpp and abi.h are hashed themselves.) */
enum { BIND_GENERATOR = 2 };

/* The folder that blocks are kept in; created. Returns out, or NULL. */
const char *bind_cache_dir(char out[4096], struct err *e);

/* Hash of all that the library of the request is made from. */
int bind_cache_key(const struct bind_request *q, const struct bind_layout *l, const char *const *files, unsigned n_files,
		   uint64_t *key, struct err *e);

#endif

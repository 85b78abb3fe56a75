/* The cache of built blocks: its place and the keys of its entries. What a built entry must still be like: sum.h. */
#ifndef HARNESS_BIND_CACHE_H
#define HARNESS_BIND_CACHE_H

#include <xxhash.h>

#include "bind/bind.h"

/* Raise it when what the generator writes changes: wrap.c, build.c. (shim.hpp and abi.h are hashed themselves.) */
enum { BIND_GENERATOR = 4 };

/* Bytes of a file that a block is made from, or of what is made of it. */
enum { BIND_MAX_FILE = 64 << 20 };

/* The folder that blocks are kept in; created. Returns out, or NULL. */
const char *bind_cache_dir(char out[4096], struct err *e);

/* Hash of all that the library of the request is made from. */
int bind_cache_key(const struct bind_request *q, const struct bind_layout *l, const struct bind_sources *src, uint64_t *key,
		   struct err *e);

/* The bytes of a regular file into h. *total: their number. */
int bind_cache_hash_bytes(XXH64_state_t *h, const char *path, size_t *total, struct err *e);
/* The bytes of a regular file, and their number, into h. */
int bind_cache_hash_file(XXH64_state_t *h, const char *path, struct err *e);

#endif
